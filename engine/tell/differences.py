"""Differences between two positions, as facts: money, holdings, prices, track, stations and best runs."""

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from engine.core.facts import Fact, fact
from engine.core.ids import CompanyId, Coord, EntityId, PlayerId
from engine.core.state import CompanyTurn, Operating
from engine.game import Game
from engine.play.privates.auction import free_cash
from engine.play.shares.holdings import net_worth
from engine.play.steps.run_trains import BestRun, best_run
from engine.play.table import Table

# --- of a player or company ---------------------------------------------------------------------------------------


def money_change(before: Table, after: Table, entity: EntityId) -> Iterator[Fact]:
    """The change of a treasury or of a player's cash, or in an auction of the free cash."""
    company = entity in before.state.companies
    if before.cash(entity) != after.cash(entity):
        name = "change.treasury" if company else "change.cash"
        yield fact(name, old=before.cash(entity), new=after.cash(entity))
    elif not company and before.selling_privates and after.selling_privates:
        old, new = free_cash(before, entity), free_cash(after, entity)
        if old != new:
            yield fact("change.free_cash", old=old, new=new)


def holdings_change(before: Table, after: Table, entity: EntityId) -> Iterator[Fact]:
    """The change of a player's or company's trains, privates and shares."""
    if entity in before.state.companies:
        yield from _list_changes("change.trains", _trains(before, entity), _trains(after, entity))
    yield from _list_changes("change.privates", _privates(before, entity), _privates(after, entity))
    for held in before.state.companies.values():
        old, new = held.percent(entity), after.state.companies[held.id].percent(entity)
        if old != new:
            yield fact("change.shares", company=held.id, old=old, new=new)


def worth_change(before: Game, after: Game, player: PlayerId) -> Iterator[Fact]:
    """The change of cash and net worth, for the player themselves."""
    old, new = before.table.cash(player), after.table.cash(player)
    if old != new:
        yield fact("change.your_cash", old=old, new=new)
    old, new = (net_worth(game.table, game.table.state.player(player)) for game in (before, after))
    if old != new:
        yield fact("change.your_worth", old=old, new=new)


def _list_changes(name: str, old: Sequence[str], new: Sequence[str]) -> Iterator[Fact]:
    if old != new:
        yield fact(name, old=_names_fact(old), new=_names_fact(new))


def _names_fact(names: Sequence[str]) -> Fact:
    return fact("change.some", names=tuple(names)) if names else fact("change.none")


def _trains(t: Table, company: EntityId) -> Sequence[str]:
    return t.state.companies[company].trains


def _privates(t: Table, owner: EntityId) -> Sequence[str]:
    return [private.id for private in t.state.privates.values() if private.owner == owner]


# --- of the stock market and the map ------------------------------------------------------------------------------


def share_prices(game: Game) -> dict[CompanyId, int]:
    """Dollars for a share of each company that has not closed; 0 before its par."""
    companies = game.table.state.companies.values()
    return {company.id: game.table.price(company) for company in companies if not company.closed}


def price_changes(before: Game, after: Game) -> Iterator[Fact]:
    """Share prices that changed, and pars set or not yet set."""
    earlier = {company.id: before.table.price(company) for company in before.table.state.companies.values()}
    for company, new in share_prices(after).items():
        old = earlier[company]
        if old != new:
            name = "change.price" if old and new else "change.par" if new else "change.no_price"
            yield fact(name, company=company, old=old, new=new)


def hex_changes(before: Game, after: Game) -> tuple[list[Coord], list[Coord]]:
    """Hexes whose track differs, and other hexes whose stations differ."""
    old, new = before.table.map.laid(), after.table.map.laid()
    track = {coord for coord, _ in old.tiles.items() ^ new.tiles.items()}
    stations = {coord for coord, *_ in _unequal([*old.tokens, *old.beside], [*new.tokens, *new.beside])}
    return sorted(track), sorted(stations - track)


_Stations: TypeAlias = Sequence[tuple[Coord, int, Sequence[CompanyId | None]]]


def _unequal(old: _Stations, new: _Stations) -> _Stations:
    return [one for one in old if one not in new] + [one for one in new if one not in old]


# --- of the best runs ---------------------------------------------------------------------------------------------


class Earnings(NamedTuple):
    """Revenue of a company's best run; `proven`: no routes earn more."""

    dollars: int
    proven: bool


def run_changes(before: Game, after: Game, enough: Callable[[], bool] = lambda: False) -> Iterator[Fact]:
    """Changes of companies' best runs, as many as `enough`.

    Where trains, track and stations are the same no run is looked for.
    """
    for company in _concerned(before.table, after.table):
        if enough():
            return
        old, new = earnings(before, company), earnings(after, company)
        if old != new:
            name = "change.run" if old.proven and new.proven else "change.run_at_least"
            yield fact(name, company=company, old=old.dollars, new=new.dollars)


def own_run_change(before: Table, after: Table) -> Fact | None:
    """The change of the operating company's best run; None if unchanged."""
    old, new = best_run(before).revenue, best_run(after).revenue
    return None if old == new else fact("change.best_run", old=old, new=new)


def earnings(game: Game, company: CompanyId) -> Earnings:
    """Revenue of a company's best routes now; 0 without trains."""
    best = _best_run(game.table, company)
    return Earnings(0, proven=True) if best is None else Earnings(best.revenue, best.proven)


def as_if_operating(game: Game, company: CompanyId) -> Game | None:
    """The game as if this company operated now; None without a train to run."""
    t = _operating(game.table, company)
    if t is None:
        return None
    seen = copy(game)
    seen.table = t
    return seen


def _operating(t: Table, company: CompanyId) -> Table | None:
    if t.state.companies[company].closed or not t.state.companies[company].running:
        return None
    if _operates(t) == company:
        return t
    imagined = copy(t)
    imagined.state = replace(t.state, round=Operating(turn=CompanyTurn(company)))
    return imagined


def _best_run(t: Table, company: CompanyId) -> BestRun | None:
    """The best routes of any company as if it operated now; None without a train to run."""
    imagined = _operating(t, company)
    return None if imagined is None else best_run(imagined)


def _concerned(before: Table, after: Table) -> list[CompanyId]:
    """Companies whose runs may differ, operating ones first."""
    same = _ground(before) == _ground(after)
    companies = [
        company.id
        for company in after.state.companies.values()
        if not same or company.running != before.state.companies[company.id].running
    ]
    acting = {_operates(before), _operates(after)}
    return sorted(companies, key=lambda company: company not in acting)


def _ground(t: Table) -> tuple[object, ...]:
    """Everything that runs depend on, except trains."""
    return t.state.phase, t.map.laid(), [company.markers for company in t.state.companies.values()]


def _operates(t: Table) -> CompanyId | None:
    now = t.state.round
    return now.turn.company if isinstance(now, Operating) and now.turn is not None else None
