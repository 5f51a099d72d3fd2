"""1846's independents: small railroads that run for the owner of their private until a company buys them (§4)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engine.core.events import HalfPaid, SubsidyPaid, TookOver
from engine.core.facts import Fact, fact
from engine.core.ids import BANK, CompanyId, PlayerId, PrivateId, TrainName
from engine.core.state import Company, LastRun
from engine.play.closing_liquidation_bankruptcy import close_company
from engine.play.table import Table
from engine.play.trains.phases import counted_train_count, train_limit

MINOR_KIND: Final = "minor"


@dataclass(frozen=True, slots=True)
class Independent:
    """An independent railroad. `cash` is the money in dollars with which it starts."""

    company: CompanyId
    private: PrivateId
    cash: int
    train: TrainName = "2"


INDEPENDENTS: Final[Mapping[PrivateId, Independent]] = {
    "MSP": Independent("MS", "MSP", 60),
    "B4P": Independent("BIG4", "B4P", 40),
}
"""The two independents, by the id of their private (§1, R-1846-007)."""


def is_independent(t: Table, company: Company) -> bool:
    """True if the company is an independent, such as the Big 4."""
    return t.kind_name(company) == MINOR_KIND


def private_of_independent(company: CompanyId) -> PrivateId:
    """The private whose owner controls this independent."""
    return next(
        independent.private for independent in INDEPENDENTS.values() if independent.company == company
    )


def owner_of_independent(t: Table, company: CompanyId) -> PlayerId:
    """The player who owns the independent's private."""
    owner = t.state.privates[private_of_independent(company)].owner
    assert owner is not None
    return owner


def start_independent(t: Table, private: PrivateId) -> None:
    """Float the independent that belongs to a drafted private. The bank pays its starting treasury."""
    independent = INDEPENDENTS[private]
    t.pay(BANK, independent.company, independent.cash)
    t.state.companies[independent.company].floated = True
    t.emit(SubsidyPaid(independent.company, independent.cash))


def pay_half(t: Table) -> None:
    """Pay half of the operating independent's revenue to its owner and the rest to its treasury.

    Rules: R-1846-103.
    """
    company, revenue = t.company, t.turn.revenue
    owner, half_dollars = owner_of_independent(t, company.id), revenue // 2
    t.pay(BANK, owner, half_dollars)
    t.pay(BANK, company.id, revenue - half_dollars)
    company.last_run = LastRun(t.turn.runs, t.turn.run_values, revenue, "half")
    t.emit(HalfPaid(company.id, revenue, owner, half_dollars))


def purchase_obstacle(t: Table, private: PrivateId) -> Fact | None:
    """The reason why the operating company cannot buy an independent's private; None if it can.

    The independent's train must fit under the company's train limit.

    Rules: R-1846-150.
    """
    company, limit = t.company, train_limit(t, t.company)
    if private not in INDEPENDENTS or counted_train_count(t, company) < limit:
        return None
    return fact("midwest.no_room", private=private, company=company.id, limit=limit)


def take_over_independent(t: Table, private: PrivateId) -> None:
    """Move an independent's money, trains and token to the operating company, which has just bought its private.

    Rules: R-1846-097, R-1846-150, D-1846-11.
    """
    company, minor = t.company, t.state.companies[INDEPENDENTS[private].company]
    cash, trains = minor.cash, tuple(minor.trains)
    t.pay(minor.id, company.id, cash)
    company.trains += minor.trains
    t.turn.has_run += minor.trains
    minor.trains = []
    for coord, stop in t.map.token_stops_of(minor.id):
        if any(coord == other for other, _ in t.map.token_stops_of(company.id)):
            t.map.remove_token(coord, stop, minor.id)
        else:
            t.map.replace_token(coord, stop, minor.id, company.id)
            t.state.fresh.tokens.append((coord, stop))
    t.emit(TookOver(company.id, minor.id, cash, trains, company.cash))
    close_company(t, minor)
