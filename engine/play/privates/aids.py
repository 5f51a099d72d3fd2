"""Privates that help their company with one tile: cheaper ground, or a bridge (18C2C)."""

from typing import TypeAlias

from engine.board.hexes import Edge, river_edges
from engine.core.ids import Coord, PrivateId
from engine.core.spec import BridgePower, TerrainDiscountPower
from engine.core.topology import Topology
from engine.play.table import Table

Aid: TypeAlias = TerrainDiscountPower | BridgePower
"""What makes one tile cheaper."""


def aid(t: Table, private: PrivateId) -> Aid | None:
    """What a private does for one tile of its company, if it is of that kind."""
    for power in t.spec.privates[private].powers:
        if isinstance(power, BridgePower) or (
            isinstance(power, TerrainDiscountPower) and power.scope == "tile"
        ):
            return power
    return None


def ready(t: Table) -> list[PrivateId]:
    """Privates of the operating company that can still help with one tile."""
    owner = t.company.id
    return [
        private.id
        for private in t.state.privates.values()
        if private.owner == owner and not private.power_used and aid(t, private.id) is not None
    ]


def suits(t: Table, private: PrivateId, coord: Coord) -> bool:
    """Whether the private could help in this hex, whatever tile is laid there."""
    power, hex_ = aid(t, private), t.map.hexes[coord]
    if isinstance(power, BridgePower):
        return bool(river(t, coord))
    assert power is not None
    return hex_.zone == power.zone and power.terrain in (None, *hex_.terrain) and t.map.cost(coord) > 0


def bridges(t: Table, private: PrivateId) -> bool:
    """Whether the private's help is a bridge."""
    return isinstance(aid(t, private), BridgePower)


def is_at_home(t: Table, private: PrivateId, coord: Coord) -> bool:
    """Whether this is the home of the company that owns the bridge: a tile there is free, and one more of the turn.

    Rules: R-C2C-123.
    """
    home = t.spec.companies[t.company.id].home
    return bridges(t, private) and home is not None and home.hex == coord


# --- the river -----------------------------------------------------------------------------------------------


def river(t: Table, coord: Coord) -> frozenset[Edge]:
    """The sides of a hex along which the river flows."""
    return t.spec.map.worked_out(river_edges).get(coord, frozenset())


def crosses(t: Table, coord: Coord, new: Topology) -> bool:
    """Whether a tile would bring track over the river that was not there before."""
    return bool((new.edges - t.map.topology(coord).edges) & river(t, coord))


def bridge_is_missing(t: Table) -> PrivateId | None:
    """The private that keeps everybody from crossing: it is still to be sold, or a player's.

    Rules: R-C2C-123.
    """
    for private in t.state.privates.values():
        bridges = any(isinstance(power, BridgePower) for power in t.spec.privates[private.id].powers)
        nobodys = private.owner is None or t.state.is_player(private.owner)
        if bridges and nobodys and not private.closed:
            return private.id
    return None
