"""The independents: they run a train for the player who owns their private, until a company buys them (4)."""

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
    """An independent: its company, the private that owns it, its first money in dollars and its train."""

    company: CompanyId
    private: PrivateId
    cash: int
    train: TrainName = "2"


INDEPENDENTS: Final[Mapping[PrivateId, Independent]] = {
    "MSP": Independent("MS", "MSP", 60),
    "B4P": Independent("BIG4", "B4P", 40),
}
"""The independents by private (1): R-1846-007."""


def is_independent(t: Table, company: Company) -> bool:
    """True if the company is an independent."""
    return t.kind_name(company) == MINOR_KIND


def private_of(company: CompanyId) -> PrivateId:
    """The private that owns an independent."""
    return next(one.private for one in INDEPENDENTS.values() if one.company == company)


def owner_of(t: Table, company: CompanyId) -> PlayerId:
    """The player who owns an independent."""
    owner = t.state.privates[private_of(company)].owner
    assert owner is not None
    return owner


def start_independent(t: Table, private: PrivateId) -> None:
    """Pay the independent its first money, as its private has been bought."""
    independent = INDEPENDENTS[private]
    t.pay(BANK, independent.company, independent.cash)
    t.state.companies[independent.company].floated = True
    t.emit(SubsidyPaid(independent.company, independent.cash))


def pay_half(t: Table) -> None:
    """Pay half of the revenue to the owner and half to the independent.

    Rules: R-1846-103.
    """
    company, revenue = t.company, t.turn.revenue
    owner, half = owner_of(t, company.id), revenue // 2
    t.pay(BANK, owner, half)
    t.pay(BANK, company.id, revenue - half)
    company.last_run = LastRun(t.turn.runs, t.turn.run_values, revenue, "half")
    t.emit(HalfPaid(company.id, revenue, owner, half))


def purchase_obstacle(t: Table, private: PrivateId) -> Fact | None:
    """The rule that keeps the operating company from buying an independent: its train needs room.

    Rules: R-1846-150.
    """
    company, limit = t.company, train_limit(t, t.company)
    if private not in INDEPENDENTS or counted_train_count(t, company) < limit:
        return None
    return fact("midwest.no_room", private=private, company=company.id, limit=limit)


def take_over(t: Table, private: PrivateId) -> None:
    """Give the operating company money, train and token of the independent that it has bought.

    Rules: R-1846-097, R-1846-150, D-1846-11.
    """
    company, minor = t.company, t.state.companies[INDEPENDENTS[private].company]
    cash, trains = minor.cash, tuple(minor.trains)
    t.pay(minor.id, company.id, cash)
    company.trains += minor.trains
    t.turn.has_run += minor.trains
    minor.trains = []
    for coord, stop in t.map.tokens_of(minor.id):
        if any(coord == other for other, _ in t.map.tokens_of(company.id)):
            t.map.remove_token(coord, stop, minor.id)
        else:
            t.map.replace_token(coord, stop, minor.id, company.id)
            t.state.fresh.tokens.append((coord, stop))
    t.emit(TookOver(company.id, minor.id, cash, trains, company.cash))
    close_company(t, minor)
