"""What is told of minors and of majors that sell their own shares, and what must follow from it on the table."""

from collections.abc import Sequence

from told import Facts, tell
from told import told as told_of_all

from engine.core.events import (
    CompanyClosed,
    Eliminated,
    Formed,
    HalfPaid,
    Issued,
    Liquidated,
    MinorStarted,
    PriceFell,
    Redeemed,
    ShareBought,
)


@tell.register
def _(event: MinorStarted, facts: Facts) -> None:
    facts.cash[event.player] -= event.paid
    facts.held[event.player, event.company] = 100
    facts.presidents[event.company] = event.player
    facts.prices[event.company] = facts.pars[event.company] = event.value


@tell.register
def _(event: HalfPaid, facts: Facts) -> None:
    facts.cash[event.owner] += event.amount
    facts.cash[event.company] += event.revenue - event.amount


@tell.register
def _(event: Formed, facts: Facts) -> None:
    facts.cash[event.player] -= event.paid
    facts.cash[event.company] = event.treasury
    facts.held[event.player, event.company] = event.percent
    facts.presidents[event.company] = event.player
    facts.prices[event.company] = facts.pars[event.company] = event.par
    facts.trains.update((event.company, train) for train in event.trains)


@tell.register
def _(event: Liquidated, facts: Facts) -> None:
    assert facts.cash[event.company] == event.treasury


@tell.register
def _(event: CompanyClosed, facts: Facts) -> None:
    for gone in (facts.presidents, facts.prices, facts.pars):
        gone.pop(event.company)
    facts.cash[event.company] = 0
    for place in [*facts.held, *facts.trains]:
        if place[1] == event.company:
            facts.held[place] = 0
        if place[0] == event.company:
            facts.trains[place] = 0


@tell.register
def _(event: Eliminated, facts: Facts) -> None:
    assert facts.cash[event.player] == event.cash
    facts.cash[event.player] = 0


@tell.register
def _(event: Redeemed, facts: Facts) -> None:
    facts.cash[event.company] -= event.amount
    assert facts.cash[event.company] == event.treasury


@tell.register
def _(event: Issued, facts: Facts) -> None:
    facts.cash[event.company] += event.amount
    assert facts.cash[event.company] == event.treasury


@tell.register
def _(event: PriceFell, facts: Facts) -> None:
    assert facts.prices[event.company] == event.old
    facts.prices[event.company] = event.new


def told(facts: Facts, happened: Sequence[object]) -> Facts:
    """What the table should hold after these events; a share bought pays its company, if that sells for itself."""
    for event in happened:
        if isinstance(event, ShareBought) and event.company in facts.pars and event.source != "market":
            offered = event.source == "offering"
            facts.cash[event.company] += facts.pars[event.company] if offered else event.price
    return told_of_all(facts, happened)
