"""The ledger of a game: a list of all payments, move by move."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass
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

SECONDARY_EVENTS: Final = (e.EndTriggered, e.PriceMoved, e.PriceFell, e.PresidentChanged, e.ProposalEnded)
"""Secondary events: types that may stand between a payment and the event that caused it."""
CSV_HEADERS: Final = ("move", "round", "payer", "payee", "dollars", "what")
"""Column headers of the ledger as CSV text, one for each field of `Payment`."""


@dataclass(frozen=True, slots=True)
class Payment:
    """One line of the ledger: move number (0: set-up), round, payer, payee, dollars, and the reason as a sentence."""

    move: int
    round_name: str
    payer: EntityId
    payee: EntityId
    dollars: int
    purpose: str


def ledger(game: Game, actions: Iterable[Action]) -> Iterator[Payment]:
    """All payments in a game, starting cash first; the actions are replayed on a new game to find them.

    Raises ReplayDiverged at the first illegal action.
    """
    teller = teller_of(game)
    for seat in game.table.state.players:
        opening_text = teller.say(fact("ledger.begins", player=seat.id, amount=seat.cash))
        yield Payment(0, teller.round_name(), BANK, seat.id, seat.cash, opening_text)
    for move, action in enumerate(actions, 1):
        round_name_before = teller_of(game).round_name()
        try:
            events = game.apply(action)
        except IllegalAction as problem:
            raise ReplayDiverged(move, problem.reason) from problem
        yield from _payments(game, move, round_name_before, events)


def ledger_csv(game: Game, actions: Iterable[Action]) -> str:
    """The ledger as CSV text with players' names, one line per payment. Raises ReplayDiverged at an illegal action."""
    output, teller = StringIO(), teller_of(game)
    csv_writer = csv.writer(output, lineterminator="\n")
    csv_writer.writerow(CSV_HEADERS)
    for payment in ledger(game, actions):
        move, round_name, payer, payee, dollars, purpose = astuple(payment)
        csv_writer.writerow(
            (
                move,
                round_name,
                _quoted_if_formula(teller.name_of(payer)),
                _quoted_if_formula(teller.name_of(payee)),
                dollars,
                _quoted_if_formula(purpose),
            )
        )
    return output.getvalue()


def _quoted_if_formula(text: str) -> str:
    """The text, quoted if a spreadsheet would read it as a formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text


def _payments(game: Game, move: int, round_name_before: str, events: Sequence[e.Event]) -> Iterator[Payment]:
    round_name_after = teller_of(game).round_name()
    new_round_index = next(
        (i for i, event in enumerate(events) if isinstance(event, e.RoundStarted)), len(events)
    )
    for index, payer, payee, dollars in game.table.payments:
        if dollars and payer != payee:
            purpose = " ".join(sentences(_causing_events(events[index:] or events[-1:], payer), game))
            yield Payment(
                move,
                round_name_before if index <= new_round_index else round_name_after,
                payer,
                payee,
                dollars,
                purpose,
            )


def _causing_events(events: Sequence[e.Event], payer: EntityId) -> Sequence[e.Event]:
    """The event that caused a payment, as a list of at most one event."""
    primary_events = [
        event
        for event in events
        if not isinstance(event, SECONDARY_EVENTS) and not _closes_other_company(event, payer)
    ]
    return (primary_events or events)[:1]


def _closes_other_company(event: e.Event, payer: EntityId) -> bool:
    """True if the event closes a company that is not the payer; such an event did not cause the payment."""
    return isinstance(event, e.CompanyClosed) and event.company != payer
