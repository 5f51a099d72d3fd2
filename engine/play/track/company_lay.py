"""The company's own tile lay: legal hexes and tiles (18Chesapeake 11.3).

A private of the company can make the lay cheaper; functions get the id of this private as `helper_id`.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from engine.board import upgrades
from engine.board.network import lay_is_connected, reached_hexes, reaches_hex
from engine.core.actions import LayTile
from engine.core.facts import Fact, fact
from engine.core.ids import Coord, PrivateId, TileId
from engine.core.memory import ComputedDict, LazySequence
from engine.core.offers import FilteredChoices, Offer, Slot, UnlistedChoices
from engine.core.spec import Colour
from engine.core.state import Private
from engine.play.table import Table
from engine.play.track import lay_rules
from engine.play.track.lay_rules import (
    ROTATIONS,
    LegalRotations,
    blocking_private,
    is_forbidden_second_lay,
    lay_cost,
    lay_tile,
    next_own_lay,
    owned_privates,
    record_lay_of_turn,
    upgrade_obstacle,
)
from engine.play.track.terrain import (
    border_prices,
    can_help_lay_in_hex,
    is_bridge,
    is_bridge_at_home,
    is_extra_lay,
    lay_help_power,
    river_obstacle,
    river_sides,
    terrain_cost,
)
from engine.play.trains.phases import close_private


def home_without_track(t: Table) -> Coord | None:
    """The company's home hex if it has no track yet, because it must lay there first; else None (18Chesapeake 11.3).

    Rules: R-CH-086.
    """
    home = t.spec.companies[t.company.id].home
    if home is None or t.map.topology(home.hex).pieces or not t.spec.map.home_track_first:
        return None
    return None if t.rules.has_flag("lays_elsewhere_without_home_track") else home.hex


def hexes_for_connected_lay(t: Table) -> Iterator[Coord]:
    """Hexes where the company could lay a connected tile, hexes without track first. A hex can come up twice."""
    home = home_without_track(t)
    return iter([home]) if home else reached_hexes(t.map, t.company.id)


def _hexes_in_map_order(t: Table) -> Iterator[Coord]:
    reached_coords = {*hexes_for_connected_lay(t)}
    yield from (coord for coord in t.map.coords if coord in reached_coords)


def fitting_tiles(t: Table, coord: Coord) -> FilteredChoices:
    """Tiles that the company can lay now in the hex, in at least one rotation."""
    return _fitting_tiles(
        t, coord, upgrades.upgrade_candidates(t.map, coord, _lay_colours_function(t, None)(coord)), None
    )


def _fitting_tiles(
    t: Table, coord: Coord, tiles: Sequence[TileId], helper_id: PrivateId | None
) -> FilteredChoices:
    return FilteredChoices(
        tiles,
        lambda tile: (_rotations_obstacle if tile in tiles else tile_obstacle)(t, coord, tile, helper_id),
        lambda tile: fact("choice.tile", tile=tile, colour=t.spec.tiles[tile].colour),
    )


def _lay_colours_function(t: Table, helper_id: PrivateId | None) -> Callable[[Coord], Sequence[Colour]]:
    colours_by_zone = ComputedDict(partial(lay_rules.lay_colours, t))

    def colours_in_hex(coord: Coord) -> Sequence[Colour]:
        is_additional_lay = helper_id is not None and is_extra_lay(t, helper_id, coord)
        return t.phase.tile_colours if is_additional_lay else colours_by_zone[t.map.hexes[coord].zone]

    return colours_in_hex


def own_lay_offer(t: Table, helper_id: PrivateId | None = None) -> Offer | None:
    """The legal action of laying a tile, with or without a private's help (`helper_id`); None if no lay is legal."""
    colours_in_hex = _lay_colours_function(t, helper_id)
    tiles_by_hex = ComputedDict[Coord, Sequence[TileId]](
        lambda coord: upgrades.upgrade_candidates(t.map, coord, colours_in_hex(coord))
    )
    takes_tile_by_hex = ComputedDict[Coord, bool](
        lambda coord: (
            _closed_hex_obstacle(t, coord, helper_id) is None
            and _takes_some_tile(t, coord, tiles_by_hex[coord], helper_id)
        )
    )
    if not any(map(takes_tile_by_hex.__getitem__, hexes_for_connected_lay(t))):
        return None
    hexes = UnlistedChoices(
        LazySequence(filter(takes_tile_by_hex.__getitem__, _hexes_in_map_order(t))),
        lambda coord: None if takes_tile_by_hex[coord] else hex_obstacle(t, coord, helper_id),
    )
    return t.offer(
        "lay_tile",
        helper_id or t.company.id,
        fact("offer.lay_tile_by", private=helper_id) if helper_id else fact("offer.lay_tile"),
        Slot("hex", lambda _: hexes),
        Slot("tile", lambda c: _fitting_tiles(t, c["hex"], tiles_by_hex[c["hex"]], helper_id)),
        Slot(
            "rotation",
            lambda c: LegalRotations(t, c, lambda r: rotation_obstacle(t, c["hex"], c["tile"], r, helper_id)),
        ),
    )


# --- obstacles ---------------------------------------------------------------------------------------------------


def own_lay_obstacle(t: Table) -> Fact | None:
    """The rule that forbids the company's own lays now, whatever the hex; None if there is none."""
    if t.turn.pair is not None:
        return fact("privates.second_tile_first", private=t.turn.pair[0])
    if next_own_lay(t) is not None:
        return None
    if t.spec.tile_points is not None:
        return fact("track.points_used_up", company=t.company.id)
    has_lays_left = len(t.turn.laid) < len(t.rules.lays(t))
    return fact(
        "track.nothing_after_an_upgrade" if has_lays_left else "track.lays_used_up", company=t.company.id
    )


def hex_obstacle(t: Table, coord: Any, helper_id: PrivateId | None = None) -> Fact | None:
    """The most specific rule that forbids a lay in this hex; None if there is none (18Chesapeake 7.1, 11.3).

    `helper_id` is a private that would make the lay cheaper.
    """
    closed_obstacle = _closed_hex_obstacle(t, coord, helper_id)
    if closed_obstacle is not None:
        return closed_obstacle
    company, colours = t.company, _lay_colours_function(t, helper_id)(coord)
    tiles = upgrades.upgrade_candidates(t.map, coord, colours)
    if _takes_some_tile(t, coord, tiles, helper_id):
        return None
    fits_some_rotation = _fits_in_some_rotation(t, coord, tiles)
    colour_obstacle = None if fits_some_rotation else _colour_obstacle(t, coord, colours)
    if colour_obstacle is not None:
        return colour_obstacle
    if not reaches_hex(t.map, company.id, coord):
        return fact("track.not_reached", company=company.id, hex=coord)
    cost = _least_cost(t, coord, helper_id)
    if cost > company.cash:
        return fact("track.too_dear", hex=coord, cost=cost, company=company.id, cash=company.cash)
    if not fits_some_rotation:
        return fact("track.no_tile_left", hex=coord)
    rotation_obstacles = (_rotations_obstacle(t, coord, tile, helper_id) for tile in tiles)
    too_dear_reasons = (
        reason for reason in rotation_obstacles if reason is not None and reason.name == "track.too_dear"
    )
    return next(too_dear_reasons, fact("track.nothing_fits", hex=coord, company=company.id))


def _takes_some_tile(t: Table, coord: Coord, tiles: Sequence[TileId], helper_id: PrivateId | None) -> bool:
    is_payable = bool(tiles) and _least_cost(t, coord, helper_id) <= t.company.cash
    return is_payable and any(_rotations_obstacle(t, coord, tile, helper_id) is None for tile in tiles)


def _least_cost(t: Table, coord: Coord, helper_id: PrivateId | None) -> int:
    return terrain_cost(t, coord, helper_id) + (lay_cost(t, coord) if helper_id is None else 0)


def _payable_rotations(
    t: Table, coord: Coord, tile: TileId, tile_rotations: Sequence[int], helper_id: PrivateId | None
) -> tuple[int, ...]:
    if not t.spec.map.border_costs:
        return tuple(tile_rotations)
    dollars_left_for_borders = t.company.cash - _least_cost(t, coord, helper_id)
    return tuple(
        rotation
        for rotation in tile_rotations
        if sum(border_prices(t, coord, tile, rotation)) <= dollars_left_for_borders
    )


def _closed_hex_obstacle(t: Table, coord: Any, helper_id: PrivateId | None) -> Fact | None:
    if coord not in t.map.hexes:
        return fact("unknown.hex", hex=coord)
    home = home_without_track(t)
    if home not in {None, coord}:
        return fact("track.home_first", company=t.company.id, home=home)
    private = blocking_private(t, coord)
    if private:
        return fact("privates.blocks", hex=coord, private=private)
    if is_forbidden_second_lay(t, coord):
        return fact("track.one_tile_a_hex", hex=coord, company=t.company.id)
    if helper_id is not None and not can_help_lay_in_hex(t, helper_id, coord):
        return fact("privates.helps_elsewhere", private=helper_id, hex=coord)
    return None


def _colour_obstacle(t: Table, coord: Coord, colours: Sequence[Colour]) -> Fact | None:
    colour = upgrades.next_colour(t.map, coord)
    if colour is None:
        return fact("track.never_again", hex=coord)
    if not _fits_in_some_rotation(t, coord, upgrades.possible_upgrades(t.map, coord)):
        return fact("track.no_such_tile", hex=coord)
    if colour not in t.phase.tile_colours:
        return fact(
            "phase.hex_waits", hex=coord, colour=colour, phase=t.phase.name, colours=t.phase.tile_colours
        )
    if colour not in colours:
        fact_name = "track.only_yellow_may_follow" if t.spec.tile_points is None else "track.too_few_points"
        return fact(fact_name, hex=coord, company=t.company.id)
    return None


def _fits_in_some_rotation(t: Table, coord: Coord, tiles: Sequence[TileId]) -> bool:
    return any(upgrades.rotations(t.map, coord, tile) for tile in tiles)


def tile_obstacle(t: Table, coord: Coord, tile: Any, helper_id: PrivateId | None = None) -> Fact | None:
    """The most specific rule that forbids this tile in the hex; None if there is none."""
    if tile not in t.spec.tiles:
        return fact("unknown.tile", tile=tile)
    if t.map.supply[tile] == 0:
        return fact("track.used_up", tile=tile)
    colour = t.spec.tiles[tile].colour
    if colour not in t.phase.tile_colours:
        return fact(
            "phase.no_such_tile", tile=tile, colour=colour, phase=t.phase.name, colours=t.phase.tile_colours
        )
    return upgrade_obstacle(t, coord, tile) or _rotations_obstacle(t, coord, tile, helper_id)


def _rotations_obstacle(t: Table, coord: Coord, tile: TileId, helper_id: PrivateId | None) -> Fact | None:
    tile_rotations = upgrades.rotations(t.map, coord, tile)
    if not tile_rotations:
        return fact("track.turned_in_no_way", tile=tile, hex=coord)
    if river_sides(t, coord):
        tile_rotations = tuple(
            rotation for rotation in tile_rotations if not river_obstacle(t, coord, tile, rotation, helper_id)
        )
    if not lay_is_connected(t.map, t.company.id, coord, tile, *tile_rotations):
        return fact("track.on_no_route", tile=tile, hex=coord, company=t.company.id)
    payable_rotations = _payable_rotations(t, coord, tile, tile_rotations, helper_id)
    if len(payable_rotations) == len(tile_rotations) or lay_is_connected(
        t.map, t.company.id, coord, tile, *payable_rotations
    ):
        return None
    connected_rotations = (
        rotation
        for rotation in tile_rotations
        if lay_is_connected(t.map, t.company.id, coord, tile, rotation)
    )
    lowest_border_cost = min(sum(border_prices(t, coord, tile, rotation)) for rotation in connected_rotations)
    cost = _least_cost(t, coord, helper_id) + lowest_border_cost
    return fact("track.too_dear", hex=coord, cost=cost, company=t.company.id, cash=t.company.cash)


def rotation_obstacle(
    t: Table, coord: Coord, tile: TileId, rotation: Any, helper_id: PrivateId | None = None
) -> Fact | None:
    """The rule that forbids this rotation of the tile; None if there is none.

    Old track must stay, and new track must be on a route (18Chesapeake 11.3).
    """
    if rotation not in ROTATIONS:
        return fact("track.no_such_rotation", rotation=rotation)
    listed_rotation = upgrades.equivalent_rotation(t.map, tile, rotation)
    if listed_rotation not in upgrades.rotations(t.map, coord, tile):
        return fact("track.rotation_impossible", tile=tile, hex=coord)
    river_refusal = river_obstacle(t, coord, tile, listed_rotation, helper_id)
    if river_refusal is not None:
        return river_refusal
    if not lay_is_connected(t.map, t.company.id, coord, tile, listed_rotation):
        return fact("track.rotation_on_no_route", tile=tile, hex=coord, company=t.company.id)
    border_payments = border_prices(t, coord, tile, listed_rotation)
    cost = _least_cost(t, coord, helper_id) + sum(border_payments) if border_payments else 0
    if cost > t.company.cash:
        return fact("track.too_dear", hex=coord, cost=cost, company=t.company.id, cash=t.company.cash)
    return None


# --- with the help of a private ----------------------------------------------------------------------------------


def helped_lay_offers(t: Table) -> Iterator[Offer]:
    """The legal lays with the help (discount) of each of the company's privates."""
    for private in owned_privates(t):
        if lay_help_power(t, private.id) is not None and help_obstacle(t, private) is None:
            offer = own_lay_offer(t, private.id)
            if offer is not None:
                yield offer


def lay_with_help(t: Table, action: LayTile, private: Private) -> None:
    """Lay the tile with the private's discount, which closes the private; a bridge stays open but is used up.

    A bridge used at the company's home gives an additional lay.
    """
    if not is_bridge_at_home(t, private.id, action.hex):
        record_lay_of_turn(t, action)
    lay_tile(t, action, private.id)
    if is_bridge(t, private.id):
        private.power_used = True
    else:
        close_private(t, private.id)


def help_obstacle(t: Table, private: Private) -> Fact | None:
    """The rule that forbids all lays with this private's help (discount) now; None if there is none."""
    if private.owner != t.company.id:
        return fact("privates.lays_for_its_owner", private=private.id, company=t.company.id)
    if private.power_used:
        return fact("privates.has_helped", private=private.id)
    return None if t.turn.pair is None and is_bridge(t, private.id) else own_lay_obstacle(t)
