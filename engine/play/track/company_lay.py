"""The company's own lay, alone or helped by a private: where, which tiles, and what stops it (18Chesapeake 11.3)."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from engine.board import upgrades
from engine.board.network import lay_is_connected, network_of
from engine.core.actions import LayTile
from engine.core.facts import Fact, fact
from engine.core.ids import Coord, PrivateId, TileId
from engine.core.offers import Filtered, Offer, Slot
from engine.core.spec import Colour
from engine.core.state import Private
from engine.play.table import Table
from engine.play.track import lay_rules
from engine.play.track.lay_rules import (
    ROTATIONS,
    Rotations,
    blocked_by,
    count_lay,
    laid_already,
    lay_tile,
    next_lay,
)
from engine.play.track.terrain import (
    helps_in,
    is_at_home,
    is_bridge,
    ready_helpers,
    terrain_cost,
    why_not_over_the_river,
)
from engine.play.trains.phases import close_private


def home_without_track(t: Table) -> Coord | None:
    """The company's home hex while it has no track: until then no other hex takes its tile (18Chesapeake 11.3).

    Rules: R-CH-086.
    """
    home = t.spec.companies[t.company.id].home
    if not t.spec.map.home_track_first or t.rules.flag("lays_elsewhere_without_home_track"):
        return None
    if home is None or t.map.topology(home.hex).pieces:
        return None
    return home.hex


def hexes_in_reach(t: Table) -> list[Coord]:
    """Hexes where its tile could be connected, in the order of the map."""
    home = home_without_track(t)
    if home:
        return [home]
    edges = network_of(t.map, t.company.id).edges
    return [coord for coord in t.map.coords if coord in edges]


def fitting_tiles(t: Table, coord: Coord, by: PrivateId | None = None) -> Filtered:
    """Tiles of its next lay that fit in the hex in some way."""
    candidates = upgrades.candidates(t.map, coord, helped_colours(t, coord, by))
    return Filtered(
        candidates,
        lambda tile: any(_leads_on(t, coord, tile, r, by) for r in upgrades.rotations(t.map, coord, tile)),
        lambda tile: fact("choice.tile", tile=tile, colour=t.spec.tiles[tile].colour),
    )


def helped_colours(t: Table, coord: Coord, by: PrivateId | None = None) -> tuple[Colour, ...]:
    """Tile colours of the phase that the lay may have here; one more lay of the turn may have any."""
    one_more = by is not None and is_at_home(t, by, coord)
    return t.phase.tiles if one_more else lay_rules.lay_colours(t, coord)


def fits(t: Table, coord: Coord, tile: TileId, rotation: int, by: PrivateId | None = None) -> bool:
    """True if the tile keeps old track, points nowhere forbidden and is on a company route (18Chesapeake 11.3)."""
    listed = upgrades.same_rotation(t.map, tile, rotation)
    return listed in upgrades.rotations(t.map, coord, tile) and _leads_on(t, coord, tile, listed, by)


def _leads_on(t: Table, coord: Coord, tile: TileId, listed: int, by: PrivateId | None) -> bool:
    """True if a tile that keeps old track is on a route of the company, and crosses the river as it may."""
    if why_not_over_the_river(t, coord, tile, listed, by) is not None:
        return False
    return lay_is_connected(t.map, t.company.id, coord, tile, listed)


def own_lay(t: Table, by: PrivateId | None = None) -> Offer | None:
    """The lay of the company itself, maybe helped by a private, None where there is no place for a tile."""
    of_hex = cache(lambda coord: fitting_tiles(t, coord, by))
    where = Filtered(hexes_in_reach(t), lambda coord: is_open(t, coord, by) and bool(of_hex(coord)))
    if not where:
        return None
    return t.offer(
        "lay_tile",
        by or t.company.id,
        fact("offer.lay_tile_by", private=by) if by else fact("offer.lay_tile"),
        Slot("hex", lambda _: where, lambda _, coord: _why_not_here(t, coord, by)),
        Slot("tile", lambda c: of_hex(c["hex"]), lambda c, tile: _why_not_tile(t, c["hex"], tile)),
        Slot(
            "rotation",
            lambda c: Rotations(t, c, lambda r: fits(t, c["hex"], c["tile"], r, by)),
            lambda c, r: _why_not_rotation(t, c["hex"], c["tile"], r, by),
        ),
    )


def is_open(t: Table, coord: Coord, by: PrivateId | None = None) -> bool:
    """True if nothing but the tiles keeps the company from laying here: no private, no money, no lay of this turn."""
    if (
        blocked_by(t, coord) is not None
        or laid_already(t, coord)
        or terrain_cost(t, coord, by) > t.company.cash
    ):
        return False
    return by is None or helps_in(t, by, coord)


# --- what stops it -----------------------------------------------------------------------------------------------


def why_no_own_lay(t: Table, coord: Any, by: PrivateId | None = None) -> Fact:
    """Why the company lays no tile now, in the hex that was named or (None) at all."""
    company = t.company.id
    if t.turn.pair is not None:
        return fact("privates.second_tile_first", private=t.turn.pair[0])
    if next_lay(t) is None:
        return _why_nothing_more(t)
    return fact("track.no_place", company=company) if coord is None else _why_not_here(t, coord, by)


def _why_nothing_more(t: Table) -> Fact:
    if t.spec.tile_points is not None:
        return fact("track.points_used_up", company=t.company.id)
    more = len(t.turn.laid) < len(t.rules.lays(t))
    return fact("track.nothing_after_an_upgrade" if more else "track.lays_used_up", company=t.company.id)


def _why_not_here(t: Table, coord: Any, by: PrivateId | None = None) -> Fact:
    company = t.company
    if coord not in t.map.coords:
        return fact("unknown.hex", hex=coord)
    home = home_without_track(t)
    if home not in {None, coord}:
        return fact("track.home_first", company=company.id, home=home)
    owner = blocked_by(t, coord)
    if owner:
        return fact("privates.blocks", hex=coord, private=owner)
    if laid_already(t, coord):
        return fact("track.one_tile_a_hex", hex=coord, company=company.id)
    if by is not None and not helps_in(t, by, coord):
        return fact("privates.helps_elsewhere", private=by, hex=coord)
    return _why_no_colour(t, coord, by) or _why_out_of_reach(t, coord, by)


def _why_no_colour(t: Table, coord: Coord, by: PrivateId | None) -> Fact | None:
    """Nothing could follow here, or the next colour is not to be had, now or in what is left of this turn."""
    colour = upgrades.next_colour(t.map, coord)
    if colour is None:
        return fact("track.never_again", hex=coord)
    if not any(upgrades.rotations(t.map, coord, tile) for tile in upgrades.may_follow(t.map, coord)):
        return fact("track.no_such_tile", hex=coord)
    if colour not in t.phase.tiles:
        return fact("phase.hex_waits", hex=coord, colour=colour, phase=t.phase.name, colours=t.phase.tiles)
    if colour not in helped_colours(t, coord, by):
        few = "track.only_yellow_may_follow" if t.spec.tile_points is None else "track.too_few_points"
        return fact(few, hex=coord, company=t.company.id)
    return None


def _why_out_of_reach(t: Table, coord: Coord, by: PrivateId | None) -> Fact:
    company, due = t.company, terrain_cost(t, coord, by)
    if coord not in network_of(t.map, company.id).edges:
        return fact("track.not_reached", company=company.id, hex=coord)
    if due > company.cash:
        return fact("track.too_dear", hex=coord, cost=due, company=company.id, cash=company.cash)
    able = upgrades.candidates(t.map, coord, helped_colours(t, coord, by))
    if not any(upgrades.rotations(t.map, coord, tile) for tile in able):
        return fact("track.no_tile_left", hex=coord)
    return fact("track.nothing_fits", hex=coord, company=company.id)


def _why_not_tile(t: Table, coord: Coord, tile: Any) -> Fact:
    if tile not in t.spec.tiles:
        return fact("unknown.tile", tile=tile)
    if t.map.supply[tile] == 0:
        return fact("track.used_up", tile=tile)
    colour = t.spec.tiles[tile].colour
    if colour not in t.phase.tiles:
        return fact("phase.no_such_tile", tile=tile, colour=colour, phase=t.phase.name, colours=t.phase.tiles)
    if t.spec.tiles[tile].by_power_only:
        return fact("track.by_privates_only", tile=tile)
    if upgrades.follows(t.map, coord, tile) and upgrades.gives_way(t.map, coord, tile):
        return fact("track.gives_way", tile=tile, hex=coord, instead=t.spec.tiles[tile].gives_way_to)
    if tile not in upgrades.candidates(t.map, coord, t.phase.tiles):
        return fact("track.cannot_follow", tile=tile, hex=coord)
    if not upgrades.rotations(t.map, coord, tile):
        return fact("track.turned_in_no_way", tile=tile, hex=coord)
    return fact("track.on_no_route", tile=tile, hex=coord, company=t.company.id)


def _why_not_rotation(t: Table, coord: Coord, tile: TileId, rotation: Any, by: PrivateId | None) -> Fact:
    if rotation not in ROTATIONS:
        return fact("track.no_such_rotation", rotation=rotation)
    if upgrades.same_rotation(t.map, tile, rotation) in upgrades.rotations(t.map, coord, tile):
        river = why_not_over_the_river(t, coord, tile, rotation, by)
        return river or fact("track.rotation_on_no_route", tile=tile, hex=coord, company=t.company.id)
    return fact("track.rotation_impossible", tile=tile, hex=coord)


def helped_lays(t: Table) -> Iterator[Offer]:
    """A lay by each private that can help with one somewhere now."""
    for private in ready_helpers(t):
        if next_lay(t) is not None or is_bridge(t, private):
            offer = own_lay(t, private)
            if offer is not None:
                yield offer


def lay_with_help(t: Table, action: LayTile, private: Private) -> None:
    """Lay the tile for less; a private that made the ground cheaper closes, a bridge stays and is used up.

    The bridge at the company's home is a lay more than those of the turn.
    """
    if not is_at_home(t, private.id, action.hex):
        count_lay(t, action)
    lay_tile(t, action, private.id)
    if is_bridge(t, private.id):
        private.power_used = True
    else:
        close_private(t, private.id)


def why_no_help(t: Table, private: Private, coord: Any) -> Fact:
    """Why a private does not help with a lay now."""
    if private.owner != t.company.id:
        return fact("privates.lays_for_its_owner", private=private.id, company=t.company.id)
    if private.power_used:
        return fact("privates.has_helped", private=private.id)
    if coord is None and next_lay(t) is not None:
        return fact("privates.helps_nowhere", private=private.id, company=t.company.id)
    return why_no_own_lay(t, coord, private.id)
