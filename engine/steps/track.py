"""Laying track: the company's own lay and the lays of its privates (rulebook 7.1, 11.3)."""

from collections.abc import Iterator
from typing import Any

from engine.actions import LayTile, Pass
from engine.board import upgrades
from engine.board.hexes import SIDE_NAMES
from engine.board.network import lay_is_connected, reach
from engine.events import Passed, TileLaid
from engine.ids import BANK, Coord, PrivateId, TileId
from engine.offers import Offer, Those
from engine.spec import Colour, LaySpec, TileLayPower
from engine.state import Private
from engine.steps.base import CompanyStep
from engine.steps.companies import prices, purchasable
from engine.table import Table

ROTATIONS = range(6)


class TrackStep(CompanyStep):
    """The tiles of a turn, and on top of them those a private allows."""

    name = "track"
    words = "track"

    def offers(self, t: Table) -> Iterator[Offer]:
        """Lays with at least one legal place; done with track."""
        lays = list(_lays(t))
        yield from lays
        if (lays and _may_stop(t)) or (not lays and _stays_open(t)):
            yield t.offer("pass", t.company.id, "Done with track")

    def apply(self, t: Table, action: LayTile | Pass) -> None:
        """Lay the tile, or close the step."""
        if isinstance(action, Pass):
            t.emit(Passed(action.entity, "" if t.turn.laid else "track"))
            self.over(t)
        elif action.entity == t.company.id:
            _count_lay(t, action)
            lay(t, action, None)
        else:
            _use_power(t, action, t.state.privates[action.entity])

    def why_not(self, t: Table, kind: str) -> str | None:
        """What the track step allows."""
        if kind == "lay_tile" and next_lay(t) is None:
            return f"{t.company.id} has used up the tile lays of this turn (11.3)."
        if kind == "pass" and t.turn.pair:
            return f"{t.turn.pair[0]} lays both tiles or none: the second one is still to be laid (7.1)."
        return f"{t.company.id} lays track now, or is done with it (11.3)."

    def why_not_this(self, t: Table, action: Any) -> str | None:
        """Why this company or private lays nothing now."""
        private = t.state.privates.get(action.entity)
        if isinstance(action, LayTile) and private is not None:
            return _why_no_power(t, private)
        if isinstance(action, LayTile) and action.entity == t.company.id and not t.turn.laid:
            return _why_no_lay(t, action.hex)
        return super().why_not_this(t, action)


def next_lay(t: Table) -> LaySpec | None:
    """The company's next own lay in this turn; None when all are used up, or an upgrade was the last (11.3)."""
    number = len(t.turn.laid)
    lays = t.rules.lays(t)
    if number >= len(lays) or ("upgrade" in t.turn.laid and not lays[number].after_upgrade):
        return None
    return lays[number]


def _count_lay(t: Table, action: LayTile) -> None:
    """A yellow tile is a new lay; whatever follows other track, printed track too, is an upgrade."""
    t.turn.laid.append("tile" if t.spec.tiles[action.tile].colour == "yellow" else "upgrade")


def cost(t: Table, coord: Coord) -> int:
    """Terrain in dollars that the next tile in the hex has to pay (11.3)."""
    return t.map.cost(coord)


def blocked_by(t: Table, coord: Coord) -> PrivateId | None:
    """The private that keeps everybody out of the hex because a player owns it (7.1)."""
    for private in t.state.privates.values():
        if coord in t.spec.privates[private.id].blocks and t.state.is_player(private.owner):
            return private.id
    return None


def lay(t: Table, action: LayTile, private: PrivateId | None, *, free: bool = False) -> None:
    """Pay the terrain and lay the tile."""
    price = 0 if free else cost(t, action.hex)
    t.pay(t.company.id, BANK, price)
    t.map.lay(action.hex, action.tile, action.rotation)
    t.turn.lays.append(action.hex)
    t.state.fresh.hexes.append(action.hex)
    t.emit(TileLaid(t.company.id, action.hex, action.tile, action.rotation, price, t.company.cash, private))


def _lays(t: Table) -> Iterator[Offer]:
    if t.turn.pair is None and next_lay(t) is not None:
        offer = _own_lay(t)
        if offer is not None:
            yield offer
    for private in t.state.privates.values():
        power = lay_power(t, private)
        if power is not None:
            offer = _power_lay(t, private, power)
            if offer is not None:
                yield offer


def lay_power(t: Table, private: Private) -> TileLayPower | None:
    """The tile power of a private that the operating company owns and may still use in this turn."""
    if private.owner != t.company.id or private.power_used:
        return None
    if t.turn.pair is not None and t.turn.pair[0] != private.id:
        return None
    for power in t.spec.privates[private.id].powers:
        if isinstance(power, TileLayPower) and (power.extra or next_lay(t) is not None):
            return power
    return None


def _may_stop(t: Table) -> bool:
    return t.turn.pair is None or t.rules.flag("power_pair_may_be_single")


def _stays_open(t: Table) -> bool:
    """Whether the step still asks although nothing can be laid now: a private bought at once would allow it.

    Rulebook 7.1 gives no exact moment for the extra tiles; a private bought after the track step waits.
    """
    own = any(_may_keep_open(t, p) for p in t.state.privates.values())
    bought = t.rules.waits_for_privates(t) and any(
        _has_extra_lay(t, name) or _replaces_lay(t, name) for name in purchasable(t)
    )
    if t.rules.flag("asks_when_nothing_is_legal"):
        return own or bought or next_lay(t) is not None
    return bought


def _may_keep_open(t: Table, private: Private) -> bool:
    """A pair of tiles while both hexes are free; a single tile (recorded so) even where its hex is taken."""
    power = lay_power(t, private)
    return power is not None and power.extra and (power.lays == 1 or _has_extra_lay(t, private.id))


def _replaces_lay(t: Table, private: PrivateId) -> bool:
    """Whether buying the private would let the company lay the tile of this turn by it, terrain included."""
    powers = t.spec.privates[private].powers
    lays = [power for power in powers if isinstance(power, TileLayPower) and not power.extra]
    left = t.company.cash - prices(t, private).low
    return not t.turn.laid and any(
        all(t.map.tile(coord) is None and cost(t, coord) <= left for coord in power.hexes) for power in lays
    )


def _has_extra_lay(t: Table, private: PrivateId) -> bool:
    powers = t.spec.privates[private].powers
    lays = [power for power in powers if isinstance(power, TileLayPower) and power.extra]
    return any(sum(t.map.tile(coord) is None for coord in power.hexes) >= power.lays for power in lays)


# --- the company's own lay -------------------------------------------------------------------------------------


def _own_lay(t: Table) -> Offer | None:
    company = t.company.id
    home = home_without_track(t)
    hexes = [home] if home else sorted(reach(t.map, company).edges, key=t.map.coords.index)
    where = Those(hexes, lambda coord: _open(t, coord) and bool(_tiles(t, coord)))
    if not where:
        return None
    return t.offer(
        "lay_tile",
        company,
        "Lay track",
        t.slot("hex", lambda _: where, lambda _, coord: _why_not_here(t, coord)),
        t.slot("tile", lambda c: _tiles(t, c["hex"]), lambda c, tile: _why_not_tile(t, c["hex"], tile)),
        t.slot(
            "rotation",
            lambda c: Those(ROTATIONS, lambda r: _fits(t, c["hex"], c["tile"], r), lambda r: _exits(t, c, r)),
            lambda c, r: _why_not_rotation(t, c["hex"], c["tile"], r),
        ),
    )


def home_without_track(t: Table) -> Coord | None:
    """The company's home hex while it has no track: until then no other hex takes its tile (11.3)."""
    home = t.spec.companies[t.company.id].home.hex
    free = t.map.topology(home).pieces or t.rules.flag("lays_elsewhere_without_home_track")
    return None if free else home


def _exits(t: Table, chosen: Any, rotation: int) -> str:
    """`rotation 2: exits NW, S`."""
    sides = SIDE_NAMES[t.spec.map.layout]
    edges = sorted(t.spec.tiles[chosen["tile"]].topology.turned(rotation).edges)
    return f"{rotation}: track to {' '.join(sides[edge] for edge in edges)}"


def _open(t: Table, coord: Coord) -> bool:
    return blocked_by(t, coord) is None and cost(t, coord) <= t.company.cash


def _tiles(t: Table, coord: Coord) -> Those:
    candidates = upgrades.candidates(t.map, coord, _colours(t))
    return Those(
        candidates,
        lambda tile: any(_fits(t, coord, tile, r) for r in upgrades.rotations(t.map, coord, tile)),
        lambda tile: f"#{tile} {t.spec.tiles[tile].colour}",
    )


def _colours(t: Table) -> tuple[Colour, ...]:
    """Tile colours of the phase, as far as the next lay admits them."""
    lay_ = next_lay(t)
    yellow_only = lay_ is not None and not lay_.upgrade
    return tuple(colour for colour in t.phase.tiles if colour == "yellow" or not yellow_only)


def _fits(t: Table, coord: Coord, tile: TileId, rotation: int) -> bool:
    """Whether the tile keeps old track, points nowhere forbidden, and is on a route of the company (11.3)."""
    listed = upgrades.same_rotation(t.map, coord, tile, rotation)
    if listed not in upgrades.rotations(t.map, coord, tile):
        return False
    return lay_is_connected(t.map, t.company.id, coord, tile, listed)


def _why_not_here(t: Table, coord: Any) -> str | None:
    if coord not in t.map.coords:
        return f"There is no hex {coord} on the map."
    home = home_without_track(t)
    if home not in {None, coord}:
        return f"{t.company.id} lays only in its home {home} while there is no track in it (11.3)."
    owner = blocked_by(t, coord)
    if owner:
        return f"{coord} is blocked while a player owns {owner} (7.1)."
    if cost(t, coord) > t.company.cash:
        return f"{coord} costs ${cost(t, coord)}, {t.company.id} has ${t.company.cash} (11.3)."
    if coord not in reach(t.map, t.company.id).edges:
        return f"No route of {t.company.id} reaches {coord} (11.3)."
    return f"No tile fits in {coord} now: colour, supply, old track and connection all count (11.3)."


def _why_no_lay(t: Table, coord: Coord) -> str | None:
    if t.turn.pair is not None:
        return f"The second tile of {t.turn.pair[0]} comes first (7.1)."
    return _why_not_here(t, coord)


def _why_not_tile(t: Table, coord: Coord, tile: Any) -> str:
    if tile not in t.spec.tiles:
        return f"There is no tile {tile} in this game."
    spec = t.spec.tiles[tile]
    if t.map.supply[tile] == 0:
        return f"Tile {tile} is used up (11.3)."
    if spec.colour not in t.phase.tiles:
        return f"Tile {tile} is {spec.colour}; phase {t.phase.name} has {', '.join(t.phase.tiles)} (8)."
    if spec.colour not in _colours(t):
        return f"Tile {tile} would be an upgrade, and this turn only yellow tiles may follow (11.3)."
    if tile not in upgrades.candidates(t.map, coord, t.phase.tiles):
        return f"Tile {tile} cannot follow what lies in {coord} (11.3)."
    return f"Tile {tile} in {coord} would be on no route of {t.company.id}, or point where no track may go (11.3)."


def _why_not_rotation(t: Table, coord: Coord, tile: TileId, rotation: Any) -> str:
    if rotation not in ROTATIONS:
        return f"A tile is turned by 0 to 5 steps of 60 degrees, not by {rotation} (11.3)."
    if upgrades.same_rotation(t.map, coord, tile, rotation) in upgrades.rotations(t.map, coord, tile):
        return f"Turned that way, tile {tile} in {coord} adds nothing to a route of {t.company.id} (11.3)."
    return f"Turned that way, tile {tile} in {coord} breaks old track or points where no track may go (11.3)."


# --- the lays of privates --------------------------------------------------------------------------------------


def _power_lay(t: Table, private: Private, power: TileLayPower) -> Offer | None:
    first = t.turn.pair[1] if t.turn.pair else None
    hexes = [coord for coord in power.hexes if coord != first and t.map.tile(coord) is None]
    if not hexes or (power.lays == len(power.hexes) > len(hexes) + (first is not None)):
        return None
    if not power.free and any(cost(t, coord) > t.company.cash for coord in hexes):
        return None
    where = Those(hexes, lambda coord: any(_power_tiles(t, power, coord, first)))
    if not where:
        return None
    return t.offer(
        "lay_tile",
        private.id,
        f"Lay track by {private.id}",
        t.slot("hex", lambda _: where, lambda _, c: f"{private.id} lays only in {', '.join(hexes)} (7.1)."),
        t.slot(
            "tile",
            lambda c: Those(
                power.tiles, lambda tile: bool(_power_rotations(t, power, c["hex"], tile, first))
            ),
            lambda _, tile: f"{private.id} lays only {', '.join(power.tiles)}, not {tile} (7.1).",
        ),
        t.slot(
            "rotation",
            lambda c: Those(
                ROTATIONS,
                lambda r: (
                    upgrades.same_rotation(t.map, c["hex"], c["tile"], r)
                    in _power_rotations(t, power, c["hex"], c["tile"], first)
                ),
                lambda r: _exits(t, c, r),
            ),
            lambda _, r: "Both tiles need track to the common edge, and none into a blank side (7.1).",
        ),
    )


def _why_no_power(t: Table, private: Private) -> str:
    """Why a private lays no tile now."""
    powers = [p for p in t.spec.privates[private.id].powers if isinstance(p, TileLayPower)]
    if not powers:
        return f"{private.id} allows no tile (7.1)."
    if private.owner != t.company.id:
        return (
            f"{private.id} lays track only for the company that owns it, and {t.company.id} does not (7.1)."
        )
    if private.power_used:
        return f"{private.id} has laid its track already (7.1)."
    if not powers[0].extra and t.turn.laid:
        return (
            f"The tile of {private.id} takes the place of the one {t.company.id} has laid in this turn (7.1)."
        )
    if any(t.map.tile(coord) is not None for coord in powers[0].hexes):
        return (
            f"There is a tile in {' or '.join(powers[0].hexes)} already, so {private.id} lays nothing (7.1)."
        )
    where = " and ".join(powers[0].hexes)
    return f"{private.id} lays track only in {where}, and {t.company.id} pays the terrain (7.1)."


def _power_tiles(t: Table, power: TileLayPower, coord: Coord, first: Coord | None) -> Iterator[bool]:
    return (bool(_power_rotations(t, power, coord, tile, first)) for tile in power.tiles)


def _power_rotations(
    t: Table, power: TileLayPower, coord: Coord, tile: TileId, first: Coord | None
) -> list[int]:
    """Rotations that a power allows: no connection is needed, but two tiles meet at their common edge (7.1)."""
    if t.map.supply[tile] == 0 or t.spec.tiles[tile].colour not in t.phase.tiles:
        return []
    found = list(upgrades.rotations(t.map, coord, tile))
    if power.lays == 1:
        return found
    other = next(hex_ for hex_ in power.hexes if hex_ != coord)
    meeting = [r for r in found if _meets(t, coord, tile, r, other)]
    if first is not None:
        return meeting
    possible = any(
        _meets(t, other, second, r, coord)
        for second in power.tiles
        if t.map.supply[second] != 0
        for r in upgrades.rotations(t.map, other, second)
    )
    return meeting if possible else []


def _meets(t: Table, coord: Coord, tile: TileId, rotation: int, other: Coord) -> bool:
    edges = t.spec.tiles[tile].topology.turned(rotation).edges
    return any(t.map.neighbour(coord, edge) == other for edge in edges)


def _use_power(t: Table, action: LayTile, private: Private) -> None:
    power = lay_power(t, private)
    assert power is not None
    if not power.extra:
        _count_lay(t, action)
    lay(t, action, private.id, free=power.free)
    if power.lays == 2 and t.turn.pair is None:
        t.turn.pair = (private.id, action.hex)
        return
    t.turn.pair = None
    private.power_used = True
    if power.token and t.company.tokens:
        t.turn.free_token = private.id
