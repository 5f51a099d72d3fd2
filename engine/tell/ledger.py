"""The ledger of a game: every payment, move by move."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, fields
from io import StringIO
from typing import Final

from engine.core import events as e
from engine.core.actions import Action
from engine.core.errors import IllegalAction, ReplayDiverged
from engine.core.facts import fact
from engine.core.ids import BANK, EntityId
from engine.game import Game
from engine.tell.narrate import sentences
from engine.tell.teller import teller_of

CONSEQUENCES: Final = (e.EndTriggered, e.PriceMoved, e.PriceFell, e.PresidentChanged, e.ProposalEnded)
"""Events that may come between a payment and its cause."""


@dataclass(frozen=True, slots=True)
class Payment:
    """A payment: dollars, move, round, payer, payee, and a sentence about its purpose."""

    move: int
    round: str
    payer: EntityId
    payee: EntityId
    dollars: int
    what: str


def ledger(game: Game, actions: Iterable[Action]) -> Iterator[Payment]:
    """All payments of a new game played by these actions, starting capital first.

    Raises ReplayDiverged at the first that is refused.
    """
    teller = teller_of(game)
    for seat in game.table.state.players:
        begins = teller.say(fact("ledger.begins", player=seat.id, amount=seat.cash))
        yield Payment(0, teller.round_name(), BANK, seat.id, seat.cash, begins)
    for move, action in enumerate(actions, 1):
        before = teller_of(game).round_name()
        try:
            happened = game.apply(action)
        except IllegalAction as problem:
            raise ReplayDiverged(move, problem.reason) from problem
        yield from _payments(game, move, before, happened)


def ledger_csv(game: Game, actions: Iterable[Action]) -> str:
    """A line a payment, with players by name; raises ReplayDiverged as `ledger` does."""
    out, say = StringIO(), teller_of(game)
    table = csv.writer(out, lineterminator="\n")
    table.writerow(field.name for field in fields(Payment))
    for paid in ledger(game, actions):
        move, now, payer, payee, dollars, what = astuple(paid)
        table.writerow(
            (move, now, _inert(say.name_of(payer)), _inert(say.name_of(payee)), dollars, _inert(what))
        )
    return out.getvalue()


def _inert(text: str) -> str:
    """The text without the start of a formula, which spreadsheets would evaluate."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text


def _payments(game: Game, move: int, before: str, events: Sequence[e.Event]) -> Iterator[Payment]:
    after = teller_of(game).round_name()
    begun = next((i for i, event in enumerate(events) if isinstance(event, e.RoundStarted)), len(events))
    for index, payer, payee, dollars in game.table.payments:
        if dollars and payer != payee:
            what = " ".join(sentences(_cause(events[index:] or events[-1:], payer), game))
            yield Payment(move, before if index <= begun else after, payer, payee, dollars, what)


def _cause(events: Sequence[e.Event], payer: EntityId) -> Sequence[e.Event]:
    """The event that caused a payment."""
    causes = [event for event in events if not isinstance(event, CONSEQUENCES) and not _closes(event, payer)]
    return (causes or events)[:1]


def _closes(event: e.Event, payer: EntityId) -> bool:
    """True if the event closes a company, and the payment is not the rest of its treasury."""
    return isinstance(event, e.CompanyClosed) and event.company != payer
