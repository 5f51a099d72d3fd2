"""What concerns a player of what others did: facts that stop an order and say why."""

from collections.abc import Iterator, Sequence

from engine.core.events import (
    Event,
    Formed,
    MadeObsolete,
    MinorStarted,
    Parred,
    PresidentChanged,
    Privatized,
    Rusted,
    SharesExchanged,
    SharesSold,
)
from engine.core.facts import Fact, fact
from engine.core.ids import CompanyId
from engine.seat import Seat


def concerns(here: Seat, events: Sequence[Event]) -> Iterator[tuple[CompanyId, Fact]]:
    """What concerns a player, with the company that it is about.

    A sale of shares in a company they have shares of, a change of presidency there, their shares being taken or
    exchanged, a new company, and trains of a company they preside over that rust.
    """
    for event in events:
        yield from _concern(here, event)


def _concern(here: Seat, event: Event) -> Iterator[tuple[CompanyId, Fact]]:
    match event:
        case SharesSold(player=seller, company=company) if seller != here.player and here.shares(company):
            yield company, fact("order.sold", player=seller, company=company)
        case PresidentChanged(company=company, new=new) if here.shares(company):
            yield company, fact("order.new_president", player=new, company=company)
        case Privatized(player=taker, company=company, seller=here.player):
            yield company, fact("order.taken", player=taker, company=company)
        case SharesExchanged(company=company, players=players) if here.player in [who for who, *_ in players]:
            yield company, fact("order.exchanged", company=company)
        case Parred() | MinorStarted() | Formed() if event.player != here.player:
            yield event.company, fact("order.started", player=event.player, company=event.company)
        case Rusted(train=train, owners=owners):
            for company, _ in owners:
                yield from _loses(here, company, fact("order.rusted", company=company, train=train))
        case MadeObsolete(train=train, kept=kept, lost=lost):
            for company in (*kept, *lost):
                yield from _loses(here, company, fact("order.obsolete", company=company, train=train))


def _loses(here: Seat, company: CompanyId, why: Fact) -> Iterator[tuple[CompanyId, Fact]]:
    if here.presides(company):
        yield company, why
