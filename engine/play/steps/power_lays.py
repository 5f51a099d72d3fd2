"""The tiles that privates lay for the company that owns them (rulebook 7.1)."""

from collections.abc import Iterator

from engine.board import upgrades
from engine.core.actions import LayTile
from engine.core.ids import Coord, PrivateId, TileId
from engine.core.offers import Offer, Those
from engine.core.spec import TileLayPower
from engine.core.state import Private
from engine.play.steps.companies import prices
from engine.play.steps.lay import ROTATIONS, cost, count_lay, exits, lay, next_lay
from engine.play.table import Table


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


def has_extra_lay(t: Table, private: PrivateId) -> bool:
    """Whether the private lays tiles on top of the company's own, and its hexes are still empty (7.1)."""
    powers = t.spec.privates[private].powers
    lays = [power for power in powers if isinstance(power, TileLayPower) and power.extra]
    return any(sum(t.map.tile(coord) is None for coord in power.hexes) >= power.lays for power in lays)


def replaces_lay(t: Table, private: PrivateId) -> bool:
    """Whether buying the private would let the company lay the tile of this turn by it, terrain included."""
    powers = t.spec.privates[private].powers
    lays = [power for power in powers if isinstance(power, TileLayPower) and not power.extra]
    left = t.company.cash - prices(t, private).low
    return next_lay(t) is not None and any(
        all(t.map.tile(coord) is None and cost(t, coord) <= left for coord in power.hexes) for power in lays
    )


def power_lay(t: Table, private: Private, power: TileLayPower) -> Offer | None:
    """The lay of a private, None where its hexes are not empty, too dear, or take no tile now (7.1)."""
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
                lambda r: exits(t, c, r),
            ),
            lambda _, r: "Both tiles need track to the common edge, and none into a blank side (7.1).",
        ),
    )


def why_no_power(t: Table, private: Private) -> str:
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
    terrain = "" if powers[0].free else f", and {t.company.id} pays the terrain"
    return f"{private.id} lays track only in {where}{terrain} (7.1)."


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


def use_power(t: Table, action: LayTile, private: Private) -> None:
    """Lay the private's tile; after the last one the power is used up, and a station may be due (7.1)."""
    power = lay_power(t, private)
    assert power is not None
    if not power.extra:
        count_lay(t, action)
    lay(t, action, private.id, free=power.free)
    if power.lays == 2 and t.turn.pair is None:
        t.turn.pair = (private.id, action.hex)
        return
    t.turn.pair = None
    private.power_used = True
    if power.token and t.company.tokens:
        t.turn.free_token = private.id
