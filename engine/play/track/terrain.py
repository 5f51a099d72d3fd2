"""What a tile must pay for the ground it lies on, and what lowers that (18Chesapeake 11.3; 18C2C 4a, 4b)."""

from dataclasses import dataclass, field

from engine.core.ids import Coord, PrivateId
from engine.core.spec import BridgePower, MarkersPower, TerrainDiscountPower
from engine.play.privates.aids import aid, is_at_home
from engine.play.privates.markers import usable_powers
from engine.play.table import Table


@dataclass(frozen=True, slots=True)
class Bill:
    """Dollars due from the treasury, and those that privates given up for the turn pay."""

    price: int
    paid: dict[PrivateId, int] = field(default_factory=dict)


def bill(t: Table, coord: Coord, by: PrivateId | None = None) -> Bill:
    """For the next tile in the hex, laid with the help of a private or (None) without.

    Markers halve it, then one private lowers it, then what was given up for the turn pays; it is never below 0.

    Rules: R-C2C-121, R-C2C-122, R-NE-069.
    """
    due = t.map.cost(coord)
    if not due or (by is not None and is_at_home(t, by, coord)):
        return Bill(0)
    due = max(0, _halved(t, coord, due) - _off(t, by))
    paid: dict[PrivateId, int] = {}
    for private, left in t.turn.purses.items():
        if due and pays_here(t, private, coord):
            paid[private] = min(due, left)
            due -= paid[private]
    return Bill(due, paid)


def cost(t: Table, coord: Coord, by: PrivateId | None = None) -> int:
    """Dollars that the next tile in the hex takes from the treasury."""
    return bill(t, coord, by).price


def pays_here(t: Table, private: PrivateId, coord: Coord) -> bool:
    """Whether the hex lies in the zone of a private that is given up for a turn."""
    power = turn_discount(t, private)
    return power is not None and t.map.hexes[coord].zone == power.zone


def turn_discount(t: Table, private: PrivateId) -> TerrainDiscountPower | None:
    """What a private pays for the tiles of a turn, if it is of that kind.

    Rules: R-C2C-151.
    """
    for power in t.spec.privates[private].powers:
        if isinstance(power, TerrainDiscountPower) and power.scope == "turn":
            return power
    return None


def _halved(t: Table, coord: Coord, due: int) -> int:
    hex_ = t.map.hexes[coord]
    halves = any(
        power.halves in hex_.terrain and _works_in(power, hex_.zone)
        for power in usable_powers(t, t.company)
        if power.halves is not None
    )
    return due // 2 if halves else due


def _works_in(power: MarkersPower, zone: str) -> bool:
    return not power.zones or zone in power.zones


def _off(t: Table, by: PrivateId | None) -> int:
    power = None if by is None else aid(t, by)
    if isinstance(power, BridgePower):
        return power.discount
    return power.amount if power is not None else 0
