"""18MS's private draft: each player buys one private at face value. Unsold privates leave the game (§2)."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from engine.core.actions import Bid
from engine.core.events import PrivateBought, PrivateRemoved
from engine.core.facts import Fact, fact
from engine.core.ids import BANK, PrivateId
from engine.core.offers import Choice, Choices, FilteredChoices, Offer, Slot, Suggestion
from engine.play.privates.auction import current_bidder, unsold_privates
from engine.play.steps.base import Request, Step
from engine.play.table import Table
from engine.play.turn_order import start_next_round


class DraftStep(Step):
    """Buy a private at face value. The last seat buys first; the first seat buys last and gets the priority deal.

    Rules: R-MS-020.
    """

    name = "draft"
    kinds = frozenset({"bid"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """The offer to buy any unsold private."""
        privates = FilteredChoices(
            unsold_privates(t),
            partial(_draft_obstacle, t),
            partial(_private_label, t, "choice.private_to_buy"),
        )
        yield t.offer(
            "bid",
            current_bidder(t),
            fact("offer.draft_private"),
            Slot("private", lambda _: privates),
            Slot("amount", lambda c: _face_value_choice(t, c["private"])),
            suggest=lambda: [
                Suggestion(
                    _private_label(t, "choice.buy_named", private),
                    {"private": private, "amount": t.spec.privates[private].face_value},
                )
                for private in unsold_privates(t)
            ],
        )

    def apply(self, t: Table, action: Bid) -> None:
        """Buy the private. After the last purchase (by the first seat), remove all unsold privates."""
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
        return None if request.kind == "bid" else fact("mississippi.must_draft", player=current_bidder(t))


def _face_value_choice(t: Table, private: PrivateId) -> Choices:
    value = t.spec.privates[private].face_value
    return Choices(
        [Choice(value, fact("choice.dollars", amount=value))],
        lambda _: fact("auction.at_draft_price", private=private, price=value),
    )


def _private_label(t: Table, name: str, private: PrivateId) -> Fact:
    spec = t.spec.privates[private]
    return fact(name, private=private, name=spec.name, value=spec.face_value, amount=spec.face_value)


def _draft_obstacle(t: Table, private: Any) -> Fact | None:
    if private not in t.state.privates:
        return fact("choice.no_private", private=private)
    return None if private in unsold_privates(t) else fact("auction.not_up", private=private)
