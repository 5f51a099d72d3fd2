"""Tile points: what each lay of a turn costs a company, and how many points it has (18C2C 3c, 3d)."""

from collections.abc import Collection, Iterable

from engine.core.ids import Coord
from engine.core.spec import Colour, MapSpec, MarkersPower, TilePointsSpec
from engine.play.privates.markers import usable_powers
from engine.play.table import Table


def price(t: Table, colour: Colour) -> int:
    """Points that a tile of this colour costs.

    Rules: R-C2C-101.
    """
    return _spec(t).costs[colour]


def room(t: Table, zone: str) -> int:
    """The most points that one more tile in this zone may cost.

    Rules: R-C2C-100, R-C2C-103.
    """
    spent = t.turn.points
    left = _allowance(t, {*_zones(t, t.turn.lays), zone}) - sum(spent.values())
    for power in _helping(t):
        used = min(power.points, sum(spent[coord] for coord in spent if _works(power, _zone(t, coord))))
        left += power.points if _works(power, zone) else used
    return left


def any_left(t: Table) -> bool:
    """Whether some tile of the phase could still be paid somewhere on the map."""
    least = min(price(t, colour) for colour in t.phase.tiles)
    return any(room(t, zone) >= least for zone in t.spec.map.worked_out(_all_zones))


def count(t: Table, coord: Coord, colour: Colour) -> None:
    """The tile just laid has cost its points."""
    t.turn.points[coord] = t.turn.points.get(coord, 0) + price(t, colour)


def _allowance(t: Table, zones: Collection[str]) -> int:
    """The points of a turn whose tiles lie in these zones; more while all of them are open country.

    Rules: R-C2C-100, R-C2C-102, R-C2C-103.
    """
    assert t.phase.points is not None
    everywhere, in_the_open = t.phase.points
    spec = _spec(t)
    points = in_the_open if all(zone in spec.open_zones for zone in zones) else everywhere
    at_home = t.spec.companies[t.company.id].base in spec.open_zones
    return points + (spec.first_turn if t.turn.first and at_home else 0)


def _helping(t: Table) -> list[MarkersPower]:
    return [power for power in usable_powers(t, t.company) if power.points]


def _works(power: MarkersPower, zone: str) -> bool:
    return not power.zones or zone in power.zones


def _zones(t: Table, coords: Iterable[Coord]) -> set[str]:
    return {_zone(t, coord) for coord in coords}


def _zone(t: Table, coord: Coord) -> str:
    return t.map.hexes[coord].zone


def _all_zones(printed: MapSpec) -> tuple[str, ...]:
    return tuple(dict.fromkeys(hex_.zone for hex_ in printed.all_hexes.values()))


def _spec(t: Table) -> TilePointsSpec:
    assert t.spec.tile_points is not None
    return t.spec.tile_points
