"""Terrain costs, and privates that reduce them or bridge a river (18Chesapeake 11.3; 18C2C 4a, 4b)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from engine.board.hexes import Edge, border_costs, opposite_edge, river_edges
from engine.core.facts import Fact, fact
from engine.core.ids import Coord, PrivateId, TileId
from engine.core.spec import (
    BridgePower,
    ExtraLaysPower,
    FreeTerrainPower,
    MarkersPower,
    TerrainDiscountPower,
    TitleSpec,
)
from engine.play.private_markers import usable_marker_powers
from engine.play.table import Table

LayHelpPower: TypeAlias = TerrainDiscountPower | BridgePower
"""A private's help with a tile lay: any power that makes one lay cheaper, such as a terrain discount."""


def lay_help_power(t: Table, private: PrivateId) -> LayHelpPower | None:
    """The private's power that makes one tile lay cheaper; None if it has none."""
    return t.spec.cached(_lay_help_power_by_private).get(private)


def _lay_help_power_by_private(spec: TitleSpec) -> Mapping[PrivateId, LayHelpPower]:
    return {
        name: power
        for name, private in spec.privates.items()
        for power in reversed(private.powers)
        if isinstance(power, BridgePower)
        or (isinstance(power, TerrainDiscountPower) and power.scope == "tile")
    }


def extra_lays_power(t: Table, private: PrivateId) -> ExtraLaysPower | None:
    """The private's power to lay extra tiles in hexes its company reaches; None if it has none."""
    return t.spec.cached(_extra_lay_power_by_private).get(private)


def _extra_lay_power_by_private(spec: TitleSpec) -> Mapping[PrivateId, ExtraLaysPower]:
    return {
        name: power
        for name, private in spec.privates.items()
        for power in private.powers
        if isinstance(power, ExtraLaysPower)
    }


def can_help_lay_in_hex(t: Table, private: PrivateId, coord: Coord) -> bool:
    """True if the private could make some tile lay in this hex cheaper."""
    power, hex_ = lay_help_power(t, private), t.map.hexes[coord]
    if extra_lays_power(t, private) is not None:
        return True
    if isinstance(power, BridgePower):
        return bool(river_sides(t, coord))
    assert power is not None
    return hex_.zone == power.zone and power.terrain in (None, *hex_.terrain) and t.map.cost(coord) > 0


def is_bridge(t: Table, private: PrivateId) -> bool:
    """True if the private's power is a bridge."""
    return isinstance(lay_help_power(t, private), BridgePower)


def is_bridge_at_home(t: Table, private: PrivateId, coord: Coord) -> bool:
    """True if the private is a bridge (18C2C) and the hex is its company's home.

    There, laying a tile with the bridge is free and does not count as one of the company's lays.

    Rules: R-C2C-123.
    """
    home = t.spec.companies[t.company.id].home
    return is_bridge(t, private) and home is not None and home.hex == coord


def is_extra_lay(t: Table, private: PrivateId, coord: Coord) -> bool:
    """True if a lay with the private is free in this hex and does not count as one of the company's lays."""
    return extra_lays_power(t, private) is not None or is_bridge_at_home(t, private, coord)


def border_prices(t: Table, coord: Coord, tile: TileId, rotation: int) -> list[int]:
    """Dollars for each hex border with a cost across which this tile is the first to join track.

    Rules: R-1882-033.
    """
    cost_by_edge = t.spec.map.cached(border_costs).get(coord)
    if not cost_by_edge:
        return []
    new_edges = t.spec.tiles[tile].topology.turned(rotation).edges - t.map.topology(coord).edges
    edges_with_track_across = (
        edge for edge in sorted(new_edges & cost_by_edge.keys()) if _does_track_meet(t, coord, edge)
    )
    return [t.rules.border_price(t, coord, edge, cost_by_edge[edge]) for edge in edges_with_track_across]


def _does_track_meet(t: Table, coord: Coord, edge: Edge) -> bool:
    neighbour_coord = t.map.neighbour(coord, edge)
    return neighbour_coord is not None and opposite_edge(edge) in t.map.topology(neighbour_coord).edges


# --- the river -----------------------------------------------------------------------------------------------


def river_sides(t: Table, coord: Coord) -> frozenset[Edge]:
    """The edges of the hex that lie along the river."""
    return t.spec.map.cached(river_edges).get(coord, frozenset())


def bridge_without_company(t: Table) -> PrivateId | None:
    """The bridge private (18C2C) that a company must own before any company can cross the river.

    None once a company owns it.

    Rules: R-C2C-123.
    """
    for private in t.state.privates.values():
        builds_bridge = any(isinstance(power, BridgePower) for power in t.spec.privates[private.id].powers)
        is_without_company = private.owner is None or t.state.is_player(private.owner)
        if builds_bridge and is_without_company and not private.closed:
            return private.id
    return None


def river_obstacle(
    t: Table, coord: Coord, tile: TileId, rotation: int, helper_id: PrivateId | None = None
) -> Fact | None:
    """The rule about the river that a tile would break (18C2C); None if it breaks none.

    Either it crosses the river without the bridge, or it uses the bridge but does not cross.

    Rules: R-C2C-123.
    """
    if not river_sides(t, coord):
        return None
    new_edges = t.spec.tiles[tile].topology.turned(rotation).edges - t.map.topology(coord).edges
    crosses_river = bool(new_edges & river_sides(t, coord))
    bridge_private = bridge_without_company(t)
    if crosses_river and bridge_private is not None:
        return fact("track.no_bridge", hex=coord, private=bridge_private)
    if helper_id is not None and is_bridge(t, helper_id) and not crosses_river:
        return fact("track.bridge_must_cross", hex=coord, private=helper_id)
    return None


@dataclass(frozen=True, slots=True)
class TerrainBill:
    """A terrain cost in dollars: the treasury's part, and the part paid by privates closed for the turn's tiles."""

    price: int
    paid_by_private: dict[PrivateId, int] = field(default_factory=dict)


def terrain_bill(t: Table, coord: Coord, helper_id: PrivateId | None = None) -> TerrainBill:
    """The terrain cost of the next tile in the hex; `helper_id` is a private that makes it cheaper, if any.

    Markers halve the cost. The helping private lowers it. Privates closed for this turn's tiles pay next; the treasury
    pays the rest, at least $0.

    Rules: R-C2C-121, R-C2C-122, R-NE-069.
    """
    cost = t.rules.terrain_price(t, coord)
    if (
        not cost
        or _is_terrain_free(t, coord)
        or (helper_id is not None and is_extra_lay(t, helper_id, coord))
    ):
        return TerrainBill(0)
    cost = max(0, _halved_cost(t, coord, cost) - _help_discount(t, helper_id))
    paid_by_private: dict[PrivateId, int] = {}
    for private, dollars_left in t.turn.purses.items():
        if cost and can_pay_in_hex(t, private, coord):
            paid_by_private[private] = min(cost, dollars_left)
            cost -= paid_by_private[private]
    return TerrainBill(cost, paid_by_private)


def _is_terrain_free(t: Table, coord: Coord) -> bool:
    terrain = t.map.hexes[coord].terrain
    return t.map.tile(coord) is None and any(
        terrain == (power.terrain,)
        for private, power in t.spec.cached(_free_terrain_powers)
        if t.state.privates[private].owner == t.company.id
    )


def _free_terrain_powers(spec: TitleSpec) -> Sequence[tuple[PrivateId, FreeTerrainPower]]:
    return [
        (name, power)
        for name, private in spec.privates.items()
        for power in private.powers
        if isinstance(power, FreeTerrainPower)
    ]


def terrain_cost(t: Table, coord: Coord, helper_id: PrivateId | None = None) -> int:
    """Dollars that the treasury pays for the terrain of the next tile in the hex."""
    return terrain_bill(t, coord, helper_id).price if t.map.cost(coord) else 0


def can_pay_in_hex(t: Table, private: PrivateId, coord: Coord) -> bool:
    """True if the private can pay for a turn's terrain and its zone contains the hex."""
    power = turn_discount_power(t, private)
    return power is not None and t.map.hexes[coord].zone == power.zone


def turn_discount_power(t: Table, private: PrivateId) -> TerrainDiscountPower | None:
    """The private's power to pay for the terrain of all tiles of a turn; None if it has none.

    Rules: R-C2C-151.
    """
    for power in t.spec.privates[private].powers:
        if isinstance(power, TerrainDiscountPower) and power.scope == "turn":
            return power
    return None


def _halved_cost(t: Table, coord: Coord, cost: int) -> int:
    hex_ = t.map.hexes[coord]
    is_halved = any(
        power.halved_terrain in hex_.terrain and marker_applies_in_zone(power, hex_.zone)
        for power in usable_marker_powers(t, t.company)
        if power.halved_terrain is not None
    )
    return cost // 2 if is_halved else cost


def marker_applies_in_zone(power: MarkersPower, zone: str) -> bool:
    """True if a marker with this power has an effect in the zone."""
    return not power.zones or zone in power.zones


def _help_discount(t: Table, helper_id: PrivateId | None) -> int:
    power = None if helper_id is None else lay_help_power(t, helper_id)
    if isinstance(power, BridgePower):
        return power.discount
    return power.amount if power is not None else 0
