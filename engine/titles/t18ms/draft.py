"""The draft: each player buys one private at its value, and the others leave the game (2)."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from engine.core.actions import Bid
from engine.core.events import PrivateBought, PrivateRemoved
from engine.core.facts import Fact, fact
from engine.core.ids import BANK, PrivateId
from engine.core.offers import Choice, Choices, FilteredChoices, Offer, Slot, Suggestion
from engine.play.privates.auction import bidder_on_turn, unsold_privates
from engine.play.steps.base import Request, Step
from engine.play.table import Table
from engine.play.turn_order import start_next_round


class DraftStep(Step):
    """Buy a private at its value; the last seat is first, and the first seat has the priority deal afterwards.

    Rules: R-MS-020.
    """

    name = "draft"
    kinds = frozenset({"bid"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """Every private that is left."""
        privates = FilteredChoices(
            unsold_privates(t), partial(_obstacle, t), partial(_label, t, "choice.private_to_buy")
        )
        yield t.offer(
            "bid",
            bidder_on_turn(t),
            fact("offer.draft_private"),
            Slot("private", lambda _: privates),
            Slot("amount", lambda c: _value_only(t, c["private"])),
            suggest=lambda: [
                Suggestion(
                    _label(t, "choice.buy_named", private),
                    {"private": private, "amount": t.spec.privates[private].value},
                )
                for private in unsold_privates(t)
            ],
        )

    def apply(self, t: Table, action: Bid) -> None:
        """Pay and take the private; after the first seat's turn the others leave the game."""
        t.pay(action.actor, BANK, action.amount)
        t.state.privates[action.private].owner = action.actor
        t.emit(PrivateBought(action.actor, action.private, action.amount))
        if t.auction.turn > 0:
            t.auction.turn -= 1
            return
        for name in unsold_privates(t):
            private = t.state.privates[name]
            private.closed = private.removed = True
            t.emit(PrivateRemoved(action.actor, name))
        start_next_round(t)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        return None if request.kind == "bid" else fact("mississippi.must_draft", player=bidder_on_turn(t))


def _value_only(t: Table, private: PrivateId) -> Choices:
    value = t.spec.privates[private].value
    return Choices(
        [Choice(value, fact("choice.dollars", amount=value))],
        lambda _: fact("auction.at_draft_price", private=private, price=value),
    )


def _label(t: Table, name: str, private: PrivateId) -> Fact:
    spec = t.spec.privates[private]
    return fact(name, private=private, name=spec.name, value=spec.value, amount=spec.value)


def _obstacle(t: Table, private: Any) -> Fact | None:
    if private not in t.state.privates:
        return fact("choice.no_private", private=private)
    return None if private in unsold_privates(t) else fact("auction.not_up", private=private)
