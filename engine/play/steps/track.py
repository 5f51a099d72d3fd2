"""Laying track: the company's own lay, beside those of its privates (rulebook 7.1, 11.3)."""

from collections.abc import Iterator
from typing import Any

from engine.board import upgrades
from engine.board.network import lay_is_connected, reach
from engine.core.actions import LayTile, Pass
from engine.core.events import Passed
from engine.core.facts import Fact, fact
from engine.core.ids import Coord, TileId
from engine.core.offers import Offer, Those
from engine.core.spec import Colour
from engine.core.state import Private
from engine.play.steps.base import CompanyStep, Wish
from engine.play.steps.companies import purchasable
from engine.play.steps.lay import ROTATIONS, blocked_by, cost, count_lay, exits, lay, next_lay
from engine.play.steps.power_lays import (
    has_extra_lay,
    lay_power,
    power_lay,
    replaces_lay,
    use_power,
    why_no_power,
)
from engine.play.table import Table


class TrackStep(CompanyStep):
    """The tiles of a turn, and on top of them those a private allows."""

    name = "track"
    kinds = frozenset({"lay_tile", "pass"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """Lays with at least one legal place; done with track."""
        lays = list(_lays(t))
        yield from lays
        if (lays and _may_stop(t)) or (not lays and _stays_open(t)):
            yield t.offer("pass", t.company.id, "Done with track")

    def apply(self, t: Table, action: LayTile | Pass) -> None:
        """Lay the tile, or close the step."""
        if isinstance(action, Pass):
            t.emit(Passed(action.entity, None if t.turn.laid else fact("declined.track")))
            self.over(t)
        elif action.entity == t.company.id:
            count_lay(t, action)
            lay(t, action, None)
        else:
            use_power(t, action, t.state.privates[action.entity])

    def why_not(self, t: Table, wish: Wish) -> Fact | str | None:
        """Why this company or private lays nothing now, or what the track step allows."""
        if wish.kind == "lay_tile":
            return self._why_no_lay(t, wish)
        if wish.kind == "pass" and t.turn.pair:
            return f"{t.turn.pair[0]} lays both tiles or none: the second one is still to be laid (7.1)."
        return f"{t.company.id} lays track now, or is done with it (11.3)."

    def _why_no_lay(self, t: Table, wish: Wish) -> Fact | str | None:
        private = t.state.privates.get(wish.entity or "")
        if private is not None:
            return why_no_power(t, private)
        if next_lay(t) is None:
            return f"{t.company.id} has used up the tile lays of this turn (11.3)."
        return _why_no_lay(t, wish.given.get("hex"))


def _lays(t: Table) -> Iterator[Offer]:
    if t.turn.pair is None and next_lay(t) is not None:
        offer = _own_lay(t)
        if offer is not None:
            yield offer
    for private in t.state.privates.values():
        power = lay_power(t, private)
        if power is not None:
            offer = power_lay(t, private, power)
            if offer is not None:
                yield offer


def _may_stop(t: Table) -> bool:
    return t.turn.pair is None or t.rules.flag("power_pair_may_be_single")


def _stays_open(t: Table) -> bool:
    """Whether the step still asks although nothing can be laid now: a private bought at once would allow it.

    Rulebook 7.1 gives no exact moment for the extra tiles; a private bought after the track step waits.
    """
    own = any(_may_keep_open(t, p) for p in t.state.privates.values())
    held = t.phase.buy_privates is not None or not t.rules.flag("first_round_purchases_hold_no_step")
    bought = held and any(has_extra_lay(t, name) or replaces_lay(t, name) for name in purchasable(t))
    if t.rules.flag("asks_when_nothing_is_legal"):
        return own or bought or next_lay(t) is not None
    return bought


def _may_keep_open(t: Table, private: Private) -> bool:
    """A pair of tiles while both hexes are free; a single tile (recorded so) even where its hex is taken."""
    power = lay_power(t, private)
    return power is not None and power.extra and (power.lays == 1 or has_extra_lay(t, private.id))


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
            lambda c: Those(ROTATIONS, lambda r: _fits(t, c["hex"], c["tile"], r), lambda r: exits(t, c, r)),
            lambda c, r: _why_not_rotation(t, c["hex"], c["tile"], r),
        ),
    )


def home_without_track(t: Table) -> Coord | None:
    """The company's home hex while it has no track: until then no other hex takes its tile (11.3)."""
    home = t.spec.companies[t.company.id].home.hex
    free = t.map.topology(home).pieces or t.rules.flag("lays_elsewhere_without_home_track")
    return None if free else home


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


def _why_no_lay(t: Table, coord: Any) -> str | None:
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
