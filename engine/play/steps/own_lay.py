"""The company's own lay: where, which tile, turned how, and what stops it (rulebook 11.3)."""

from typing import Any

from engine.board import upgrades
from engine.board.network import reach
from engine.core.facts import Fact, fact
from engine.core.ids import Coord, TileId
from engine.core.offers import Offer, Those
from engine.play.lays import ROTATIONS, Turns, blocked_by, cost, next_lay
from engine.play.own_lays import colours, fits, hexes_in_reach, home_without_track, tiles
from engine.play.table import Table


def own_lay(t: Table) -> Offer | None:
    """The lay of the company itself, None where there is no place for a tile."""
    where = Those(hexes_in_reach(t), lambda coord: _open(t, coord) and bool(tiles(t, coord)))
    if not where:
        return None
    return t.offer(
        "lay_tile",
        t.company.id,
        fact("offer.lay_tile"),
        t.slot("hex", lambda _: where, lambda _, coord: _why_not_here(t, coord)),
        t.slot("tile", lambda c: tiles(t, c["hex"]), lambda c, tile: _why_not_tile(t, c["hex"], tile)),
        t.slot(
            "rotation",
            lambda c: Turns(t, c, lambda r: fits(t, c["hex"], c["tile"], r)),
            lambda c, r: _why_not_rotation(t, c["hex"], c["tile"], r),
        ),
    )


def _open(t: Table, coord: Coord) -> bool:
    return blocked_by(t, coord) is None and cost(t, coord) <= t.company.cash


# --- what stops it -----------------------------------------------------------------------------------------------


def why_no_own_lay(t: Table, coord: Any) -> Fact:
    """Why the company lays no tile now, in the hex that was named or (None) at all."""
    company = t.company.id
    if t.turn.pair is not None:
        return fact("privates.second_tile_first", private=t.turn.pair[0])
    if next_lay(t) is None:
        more = len(t.turn.laid) < len(t.rules.lays(t))
        return fact("track.nothing_after_an_upgrade" if more else "track.lays_used_up", company=company)
    return fact("track.no_place", company=company) if coord is None else _why_not_here(t, coord)


def _why_not_here(t: Table, coord: Any) -> Fact:
    company = t.company
    if coord not in t.map.coords:
        return fact("unknown.hex", hex=coord)
    home = home_without_track(t)
    if home not in {None, coord}:
        return fact("track.home_first", company=company.id, home=home)
    owner = blocked_by(t, coord)
    if owner:
        return fact("privates.blocks", hex=coord, private=owner)
    return _why_no_colour(t, coord) or _why_out_of_reach(t, coord)


def _why_no_colour(t: Table, coord: Coord) -> Fact | None:
    """The hex is full, or its next colour is not to be had, now or in what is left of this turn."""
    colour = upgrades.next_colour(t.map, coord)
    if colour is None:
        return fact("track.never_again", hex=coord)
    if colour not in t.phase.tiles:
        return fact("phase.hex_waits", hex=coord, colour=colour, phase=t.phase.name, colours=t.phase.tiles)
    if colour not in colours(t):
        return fact("track.only_yellow_may_follow", hex=coord, company=t.company.id)
    return None


def _why_out_of_reach(t: Table, coord: Coord) -> Fact:
    company = t.company
    if coord not in reach(t.map, company.id).edges:
        return fact("track.not_reached", company=company.id, hex=coord)
    if cost(t, coord) > company.cash:
        return fact("track.too_dear", hex=coord, cost=cost(t, coord), company=company.id, cash=company.cash)
    if not upgrades.candidates(t.map, coord, colours(t)):
        known = upgrades.may_follow(t.map, coord)
        return fact("track.no_tile_left" if known else "track.no_such_tile", hex=coord)
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


def _why_not_rotation(t: Table, coord: Coord, tile: TileId, rotation: Any) -> Fact:
    if rotation not in ROTATIONS:
        return fact("track.no_such_rotation", rotation=rotation)
    if upgrades.same_rotation(t.map, tile, rotation) in upgrades.rotations(t.map, coord, tile):
        return fact("track.rotation_on_no_route", tile=tile, hex=coord, company=t.company.id)
    return fact("track.rotation_impossible", tile=tile, hex=coord)
