"""Tokens that privates put on cities: for more revenue there (R-C2C-142), or for another label (18C2C 4a)."""

from collections.abc import Mapping
from typing import Final, TypeAlias

from engine.core.facts import Fact, fact
from engine.core.ids import Coord
from engine.core.spec import Colour, IconTokenPower, MapSpec, RelabelPower
from engine.core.state import Private
from engine.play.table import Table

CityToken: TypeAlias = IconTokenPower | RelabelPower
"""What puts a token on a city."""

STILL_OPEN: Final[frozenset[Colour]] = frozenset({"white", "yellow", "green"})
"""Colours of a city whose brown tile is still to come."""


def city_token(t: Table, private: Private) -> CityToken | None:
    """The token that the private brings, if it brings one."""
    for power in t.spec.privates[private.id].powers:
        if isinstance(power, IconTokenPower | RelabelPower):
            return power
    return None


def placeable(t: Table, private: Private) -> CityToken | None:
    """The token that the operating company may place by this private now."""
    owned = private.owner == t.company.id and not private.power_used and private.id not in t.turn.at_once
    return city_token(t, private) if owned else None


def cities(t: Table, power: CityToken) -> list[Coord]:
    """Where the token may lie: on a city with its icon, or of its zone and with a brown tile still to come."""
    if isinstance(power, IconTokenPower):
        return list(t.spec.map.worked_out(_with_icons).get(power.icon, ()))
    return [coord for coord in t.map.coords if why_not_relabelled(t, power, coord) is None]


def why_not_relabelled(t: Table, power: RelabelPower, coord: Coord) -> Fact | None:
    """What keeps a hex from getting the label: it is no city of that kind, not in the zone, or built up too far.

    Rules: R-C2C-150, R-C2C-153.
    """
    hex_, stops = t.map.hexes[coord], t.map.topology(coord).stops
    if hex_.zone != power.zone or len(stops) != 1 or t.map.label(coord) not in power.of:
        return fact("privates.no_city_for_label", hex=coord, label=power.label, zone=power.zone)
    if t.map.colour(coord) not in STILL_OPEN:
        return fact("privates.too_late_for_label", hex=coord, label=power.label)
    return None


def exclusive(t: Table, private: Private) -> IconTokenPower | None:
    """The token that lies on the map and would earn its owner alone, if the company closed the private for it."""
    power = city_token(t, private)
    alone = isinstance(power, IconTokenPower) and power.alone and t.company.markers.get(power.icon)
    return power if isinstance(power, IconTokenPower) and alone and private.owner == t.company.id else None


def _with_icons(printed: MapSpec) -> Mapping[str, tuple[Coord, ...]]:
    found: dict[str, tuple[Coord, ...]] = {}
    for coord, hex_ in printed.all_hexes.items():
        for icon in hex_.icons:
            found[icon] = (*found.get(icon, ()), coord)
    return found
