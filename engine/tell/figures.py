"""What a position amounts to, compared with another: share prices, the money of who looks, the best runs."""

from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import replace
from typing import NamedTuple

from engine.core.facts import Fact, fact
from engine.core.ids import CompanyId, PlayerId
from engine.core.state import CompanyTurn, Operating
from engine.game import Game
from engine.play.shares.holdings import net_worth
from engine.play.steps.revenue.run import BestRun, best_run
from engine.play.table import Table


class Earned(NamedTuple):
    """Dollars that a company earns by its best run, and whether no routes earn more."""

    dollars: int
    proven: bool


def prices(game: Game) -> tuple[int, ...]:
    """The share prices of all companies, in dollars."""
    return tuple(map(game.table.price, game.table.state.companies.values()))


def money_changes(before: Game, after: Game, looker: PlayerId | None) -> Iterator[Fact]:
    """What share prices, and the cash and worth of who looks (None: an onlooker), were before and are after."""
    moved = zip(after.table.state.companies.values(), prices(before), prices(after), strict=True)
    for company, old, new in moved:
        if old != new and not company.closed:
            yield fact("figure.price" if old else "figure.par", company=company.id, old=old, new=new)
    if looker is not None:
        yield from _purse(before.table, after.table, looker)


def _purse(before: Table, after: Table, player: PlayerId) -> Iterator[Fact]:
    """Cash and worth of one player."""
    old, new = before.cash(player), after.cash(player)
    if old != new:
        yield fact("figure.cash", old=old, new=new)
    was, now = (net_worth(t, t.state.player(player)) for t in (before, after))
    if was != now:
        yield fact("figure.worth", old=was, new=now)


def run_changes(before: Game, after: Game, enough: Callable[[], bool] = lambda: False) -> Iterator[Fact]:
    """What the best runs of companies were before and are after, of as many as are looked at until there is `enough`.

    Where trains, track and stations are the same no run is looked for.
    """
    for company in _concerned(before.table, after.table):
        if enough():
            return
        old, new = earned(before, company), earned(after, company)
        if old != new:
            name = "figure.best_run" if old.proven and new.proven else "figure.best_run_at_least"
            yield fact(name, company=company, old=old.dollars, new=new.dollars)


def earned(game: Game, company: CompanyId) -> Earned:
    """What a company would earn if it ran now, by its best routes; nothing without trains."""
    found = _best_run(game.table, company)
    return Earned(0, proven=True) if found is None else Earned(found.revenue, found.proven)


def _best_run(t: Table, company: CompanyId) -> BestRun | None:
    """The best routes of any company as if it operated now; None where it has no train to run."""
    if t.state.companies[company].closed or not t.state.companies[company].running:
        return None
    if _operates(t) == company:
        return best_run(t)
    imagined = copy(t)
    imagined.state = replace(t.state, round=Operating(turn=CompanyTurn(company)))
    return best_run(imagined)


def _concerned(before: Table, after: Table) -> list[CompanyId]:
    """The companies whose runs may differ, those that operate first."""
    same = _ground(before) == _ground(after)
    found = [
        company.id
        for company in after.state.companies.values()
        if not same or company.running != before.state.companies[company.id].running
    ]
    acting = {_operates(before), _operates(after)}
    return sorted(found, key=lambda company: company not in acting)


def _ground(t: Table) -> tuple[object, ...]:
    """All that runs depend on beside trains."""
    return t.state.phase, t.map.laid(), [company.markers for company in t.state.companies.values()]


def _operates(t: Table) -> CompanyId | None:
    now = t.state.round
    return now.turn.company if isinstance(now, Operating) and now.turn is not None else None
