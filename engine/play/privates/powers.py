"""What privates bring the companies that own them: tokens and markers that raise revenue."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from engine.core.events import MarkerLost, MarkerReceived
from engine.core.ids import Coord, PrivateId
from engine.core.spec import CityBonusPower, IconTokenPower, RouteBonusPower, TitleSpec
from engine.core.state import Company
from engine.play.table import Table
from engine.routes.revenue_rules import Bonus, Terms

Raising: TypeAlias = CityBonusPower | RouteBonusPower | IconTokenPower


def place_marker(t: Table, company: Company, name: str, coord: Coord) -> None:
    """Put the token of a power into a hex; it never moves."""
    company.markers[name] = coord
    t.emit(MarkerReceived(company.id, name, coord))


def lose_markers(t: Table, company: Company, names: list[str]) -> None:
    """Some markers of a company leave the game."""
    for name in [name for name in names if name in company.markers]:
        del company.markers[name]
        t.emit(MarkerLost(company.id, name))


def expire(t: Table) -> None:
    """Tokens whose time ends with the phase in force leave the map.

    Rules: R-C2C-143.
    """
    ended = [power.name for power in city_bonuses(t.spec) if power.until == t.state.phase]
    ended += [power.icon for _, power in icon_tokens(t.spec) if power.until == t.state.phase]
    for company in t.state.companies.values():
        lose_markers(t, company, ended)


def city_bonuses(spec: TitleSpec) -> Sequence[CityBonusPower]:
    """Every power that raises the revenue of a city."""
    return [power for _, power in spec.worked_out(_powers) if isinstance(power, CityBonusPower)]


def route_bonuses(spec: TitleSpec) -> Sequence[RouteBonusPower]:
    """Every power that rewards a train for the places it visits."""
    return [power for _, power in spec.worked_out(_powers) if isinstance(power, RouteBonusPower)]


def icon_tokens(spec: TitleSpec) -> Sequence[tuple[PrivateId, IconTokenPower]]:
    """Every power that puts a token on a city with an icon, with its private."""
    return [(name, power) for name, power in spec.worked_out(_powers) if isinstance(power, IconTokenPower)]


def _powers(spec: TitleSpec) -> Sequence[tuple[PrivateId, Raising]]:
    """Everything of privates that raises what routes earn."""
    return [
        (name, power)
        for name, private in spec.privates.items()
        for power in private.powers
        if isinstance(power, Raising)
    ]


def with_markers(terms: Terms, t: Table, company: Company) -> Terms:
    """The terms with what tokens and markers add, this company's own and those that others have put down for all."""
    extra: dict[Coord, int] = {}
    for coord, dollars in (*_own_tokens(t, company), *_icons(t, company)):
        extra[coord] = extra.get(coord, 0) + dollars
    bonuses = tuple(
        Bonus(power.name, frozenset(power.hexes), power.bonus)
        for power in route_bonuses(t.spec)
        if power.name in company.markers
    )
    return replace(terms, extra=extra, bonuses=bonuses) if extra or bonuses else terms


def _own_tokens(t: Table, company: Company) -> Iterator[tuple[Coord, int]]:
    for power in city_bonuses(t.spec):
        if company.markers.get(power.name):
            yield company.markers[power.name], power.bonus


def _icons(t: Table, company: Company) -> Iterator[tuple[Coord, int]]:
    """What tokens on icons bring a company: most to their owner, and to them alone once the private is given up.

    Rules: R-C2C-142.
    """
    for name, power in icon_tokens(t.spec):
        for owner in t.state.companies.values():
            if owner.markers.get(power.icon):
                yield owner.markers[power.icon], _dollars(t, name, power, own=owner is company)


def _dollars(t: Table, private: PrivateId, power: IconTokenPower, *, own: bool) -> int:
    if t.state.privates[private].given_up:
        return power.alone if own else 0
    return power.owner if own else power.others
