"""What privates bring the companies that own them: tokens and markers that raise revenue."""

from collections.abc import Iterator
from dataclasses import replace

from engine.core.events import MarkerLost, MarkerReceived
from engine.core.ids import PrivateId
from engine.core.spec import CityBonusPower, RouteBonusPower, TitleSpec
from engine.core.state import Company
from engine.play.table import Table
from engine.routes.terms import Bonus, Terms


def receive_markers(t: Table, company: Company, private: PrivateId) -> None:
    """A company has bought a private: its named markers come with it and outlive it."""
    for power in t.spec.privates[private].powers:
        if isinstance(power, RouteBonusPower):
            company.markers[power.name] = ""
            t.emit(MarkerReceived(company.id, power.name, ""))


def place_marker(t: Table, company: Company, power: CityBonusPower, coord: str) -> None:
    """Put the token of a power into a hex; it never moves."""
    company.markers[power.name] = coord
    t.emit(MarkerReceived(company.id, power.name, coord))


def lose_markers(t: Table, company: Company, names: list[str]) -> None:
    """Some markers of a company leave the game."""
    for name in [name for name in names if name in company.markers]:
        del company.markers[name]
        t.emit(MarkerLost(company.id, name))


def expire(t: Table) -> None:
    """Tokens whose time ends with the phase in force leave the map."""
    ended = [power.name for power in city_bonuses(t.spec) if power.until == t.state.phase]
    for company in t.state.companies.values():
        lose_markers(t, company, ended)


def city_bonuses(spec: TitleSpec) -> Iterator[CityBonusPower]:
    """Every power that raises the revenue of a city."""
    for private in spec.privates.values():
        yield from (power for power in private.powers if isinstance(power, CityBonusPower))


def route_bonuses(spec: TitleSpec) -> Iterator[RouteBonusPower]:
    """Every power that rewards a train for the places it visits."""
    for private in spec.privates.values():
        yield from (power for power in private.powers if isinstance(power, RouteBonusPower))


def with_markers(terms: Terms, spec: TitleSpec, company: Company) -> Terms:
    """The terms with what this company's tokens and markers add."""
    extra = {
        company.markers[power.name]: power.bonus
        for power in city_bonuses(spec)
        if company.markers.get(power.name)
    }
    bonuses = tuple(
        Bonus(power.name, frozenset(power.hexes), power.bonus)
        for power in route_bonuses(spec)
        if power.name in company.markers
    )
    return replace(terms, extra=extra, bonuses=bonuses) if extra or bonuses else terms
