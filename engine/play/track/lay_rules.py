"""Rules of tile lays: lays and tile points left, blocked hexes, effects (18Chesapeake 7.1, 11.3; 18C2C 3c, 3d)."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from engine.board import upgrades
from engine.board.hexes import EDGE_NAMES
from engine.core.actions import LayTile
from engine.core.events import TileLaid
from engine.core.facts import Fact, fact
from engine.core.ids import BANK, Coord, PrivateId, TileId
from engine.core.offers import FilteredChoices, ObstacleFunction, PickedValues
from engine.core.spec import Colour, LaySpec, MapSpec, TilePointsSpec, TitleSpec
from engine.core.state import Private
from engine.play.private_markers import usable_marker_powers
from engine.play.table import Table
from engine.play.track.terrain import TerrainBill, border_prices, marker_applies_in_zone, terrain_bill

PLAIN_LAY: Final = LaySpec()
"""A plain tile lay: of any colour, and without cost."""
ROTATIONS = range(6)
"""All rotations, in steps of 60 degrees."""


def blocking_private(t: Table, coord: Coord) -> PrivateId | None:
    """The private of a player that blocks the hex; None if the hex is not blocked (18Chesapeake 7.1).

    Rules: R-C2C-113, R-CH-095.
    """
    for private in t.spec.cached(_privates_by_blocked_hex).get(coord, ()):
        if t.state.is_player(t.state.privates[private].owner):
            return private
    return None


def blocking_privates(t: Table) -> tuple[PrivateId, ...]:
    """The privates that block hexes now."""
    return tuple(
        name
        for name, private in t.spec.privates.items()
        if private.blocked_hexes and t.state.is_player(t.state.privates[name].owner)
    )


def _privates_by_blocked_hex(spec: TitleSpec) -> Mapping[Coord, Sequence[PrivateId]]:
    privates_by_hex: dict[Coord, list[PrivateId]] = {}
    for name, private in spec.privates.items():
        for coord in private.blocked_hexes:
            privates_by_hex.setdefault(coord, []).append(name)
    return privates_by_hex


def owned_privates(t: Table) -> list[Private]:
    """The privates of the operating company."""
    owner = t.company.id
    return [private for private in t.state.privates.values() if private.owner == owner]


def next_own_lay(t: Table) -> LaySpec | None:
    """The rules of the company's next own lay this turn; None if no lay is left (18Chesapeake 11.3, 18NewEngland 11.3).

    Rules: R-AL-110, R-CH-085, R-NE-065, R-TN-110.
    """
    if t.spec.tile_points is not None:
        return PLAIN_LAY if has_tile_points_left(t) else None
    lay_count = len(t.turn.laid)
    lays = t.rules.lays(t)
    if lay_count >= len(lays) or ("upgrade" in t.turn.laid and not lays[lay_count].may_follow_upgrade):
        return None
    return lays[lay_count]


def lay_cost(t: Table, coord: Coord) -> int:
    """Dollars that the company's next own lay in this hex costs, without terrain.

    Rules: R-1882-031.
    """
    lay_spec = next_own_lay(t) if t.spec.cached(_has_lay_costs) else None
    return 0 if lay_spec is None else t.rules.lay_price(t, coord, lay_spec)


def _has_lay_costs(spec: TitleSpec) -> bool:
    return any(lay.cost for lay in spec.tile_lays)


def lay_colours(t: Table, zone: str) -> tuple[Colour, ...]:
    """Tile colours allowed for the company's next lay in this zone.

    Rules: R-AL-111, R-C2C-010, R-CH-085, R-NE-066, R-TN-112.
    """
    if t.spec.tile_points is not None:
        points = tile_points_left(t, zone)
        return tuple(colour for colour in t.phase.tile_colours if tile_point_cost(t, colour) <= points)
    lay_spec, colours = next_own_lay(t), t.phase.tile_colours
    return colours if lay_spec is None or lay_spec.may_upgrade else tuple(c for c in colours if c == "yellow")


def upgrade_obstacle(t: Table, coord: Coord, tile: TileId) -> Fact | None:
    """The rule that forbids replacing the hex's current tile by this one in every phase; None if there is none."""
    if t.spec.tiles[tile].by_power_only:
        return fact("track.by_privates_only", tile=tile)
    if upgrades.must_give_way_to_other_tile(t.map, coord, tile) and upgrades.is_legal_upgrade(
        t.map, coord, tile
    ):
        return fact("track.gives_way", tile=tile, hex=coord, instead=t.spec.tiles[tile].gives_way_to)
    if tile not in upgrades.possible_upgrades(t.map, coord):
        return fact("track.cannot_follow", tile=tile, hex=coord)
    return None


def is_forbidden_second_lay(t: Table, coord: Coord) -> bool:
    """True if a tile was laid in this hex this turn and the title allows only one tile per hex and turn.

    Rules: R-C2C-112.
    """
    points_spec = t.spec.tile_points
    return points_spec is not None and points_spec.once_a_hex and coord in t.turn.lays


def record_lay_of_turn(t: Table, action: LayTile) -> None:
    """Count a lay against the turn's limit, and add its tile points.

    Yellow tiles count as new tiles, other colours as upgrades.

    Rules: R-TN-110.
    """
    colour = t.spec.tiles[action.tile].colour
    t.turn.laid.append("tile" if colour == "yellow" else "upgrade")
    if t.spec.tile_points is not None:
        t.turn.points[action.hex] = t.turn.points.get(action.hex, 0) + tile_point_cost(t, colour)


def lay_tile(
    t: Table,
    action: LayTile,
    private: PrivateId | None,
    *,
    free_of_charge: bool = False,
    lay_price: int = 0,
) -> None:
    """Lay the tile, and pay for terrain, borders and the lay itself.

    Rules: R-AL-115, R-C2C-120, R-CH-094, R-TN-118.
    """
    bill_for_terrain = TerrainBill(0) if free_of_charge else terrain_bill(t, action.hex, private)
    border_payments = [] if free_of_charge else border_prices(t, action.hex, action.tile, action.rotation)
    price = bill_for_terrain.price + sum(border_payments) + lay_price
    t.pay(t.company.id, BANK, price)
    for paying_private, dollars in bill_for_terrain.paid_by_private.items():
        t.turn.purses[paying_private] -= dollars
    is_first_track = not t.map.topology(action.hex).pieces
    t.map.lay(action.hex, action.tile, action.rotation)
    if is_first_track:
        _lift_tokens(t, action.hex)
    t.turn.lays.append(action.hex)
    t.state.fresh.hexes.append(action.hex)
    t.emit(TileLaid(t.company.id, action.hex, action.tile, action.rotation, price, t.company.cash, private))
    t.rules.on_tile_laid(t, action.hex, len(border_payments))


def _lift_tokens(t: Table, coord: Coord) -> None:
    """Lift tokens that were placed in this hex before it had several cities; players choose their cities next.

    Rules: R-1882-052.
    """
    has_several_cities = len(t.map.topology(coord).stops) > 1
    for name, company in t.spec.companies.items():
        home = company.home
        has_fixed_city = home is not None and home.hex == coord and not home.chooses_city
        if has_fixed_city or not has_several_cities:
            continue
        for stop in [stop for token_coord, stop in t.map.token_stops_of(name) if token_coord == coord]:
            t.map.remove_token(coord, stop, name)
            t.state.companies[name].tokens.insert(0, 0)
            if home is not None and home.hex == coord:
                t.turn.home_due = name
            else:
                t.turn.taken_up.append((name, coord))


class LegalRotations(FilteredChoices):
    """The domain of a tile's legal rotations. Menus list only one of those that look the same."""

    def __init__(self, t: Table, slot_values: PickedValues, obstacle: ObstacleFunction) -> None:
        super().__init__(ROTATIONS, obstacle, lambda rotation: rotation_label(t, slot_values, rotation))
        self._listed_rotation = partial(upgrades.equivalent_rotation, t.map, slot_values["tile"])

    def values(self) -> Iterator[int]:
        """The legal rotations to list, one of each set that looks the same."""
        return (
            rotation
            for rotation in ROTATIONS
            if self._listed_rotation(rotation) == rotation and rotation in self
        )


def rotation_label(t: Table, slot_values: Any, rotation: int) -> Fact:
    """Menu label of a rotation: the sides of the hex to which its track leads."""
    side_names = EDGE_NAMES[t.spec.map.layout]
    edges = sorted(t.spec.tiles[slot_values["tile"]].topology.turned(rotation).edges)
    return fact("choice.rotation", rotation=rotation, sides=" ".join(side_names[edge] for edge in edges))


# --- tile points (18C2C 3c, 3d) --------------------------------------------------------------------------------


def tile_point_cost(t: Table, colour: Colour) -> int:
    """Tile points that a tile of this colour costs.

    Rules: R-C2C-101.
    """
    return _tile_points_spec(t).costs[colour]


def tile_points_left(t: Table, zone: str) -> int:
    """Tile points left this turn if the next tile is laid in this zone.

    Rules: R-C2C-100, R-C2C-103.
    """
    spent_points_by_hex = t.turn.points
    points = _points_of_turn(t, {zone, *(_zone_of(t, coord) for coord in t.turn.lays)}) - sum(
        spent_points_by_hex.values()
    )
    for power in usable_marker_powers(t, t.company):
        marker_points = min(
            power.extra_tile_points,
            sum(
                spent_points_by_hex[coord]
                for coord in spent_points_by_hex
                if marker_applies_in_zone(power, _zone_of(t, coord))
            ),
        )
        points += power.extra_tile_points if marker_applies_in_zone(power, zone) else marker_points
    return points


def has_tile_points_left(t: Table) -> bool:
    """True if enough tile points are left for a tile in some zone."""
    lowest_cost = min(tile_point_cost(t, colour) for colour in t.phase.tile_colours)
    return any(tile_points_left(t, zone) >= lowest_cost for zone in t.spec.map.cached(_all_zones))


def _points_of_turn(t: Table, zones: Collection[str]) -> int:
    """Tile points of a turn whose tiles lie in these zones; more if all of them are open zones.

    Rules: R-C2C-100, R-C2C-102, R-C2C-103.
    """
    assert t.phase.tile_points is not None
    normal_points, open_zone_points = t.phase.tile_points
    spec = _tile_points_spec(t)
    points_of_zones = open_zone_points if all(zone in spec.open_zones for zone in zones) else normal_points
    is_based_in_open_zone = t.spec.companies[t.company.id].base_zone in spec.open_zones
    return points_of_zones + (spec.first_turn_extra if t.turn.first and is_based_in_open_zone else 0)


def _zone_of(t: Table, coord: Coord) -> str:
    return t.map.hexes[coord].zone


def _all_zones(printed_map: MapSpec) -> tuple[str, ...]:
    return tuple(dict.fromkeys(hex_.zone for hex_ in printed_map.all_hexes.values()))


def _tile_points_spec(t: Table) -> TilePointsSpec:
    assert t.spec.tile_points is not None
    return t.spec.tile_points
