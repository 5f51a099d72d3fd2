"""Companies buy privates from players (18Chesapeake 7.1, 11)."""

from collections.abc import Iterator

from engine.core.actions import BuyPrivate
from engine.core.facts import Fact, fact
from engine.core.ids import PrivateId
from engine.core.offers import Filtered, Offer, Suggestion
from engine.play.privates.private_purchases import (
    buy_private,
    owner_of,
    prices,
    purchasable,
    why_none,
    why_not,
    why_not_price,
)
from engine.play.privates.usefulness import waited_for
from engine.play.steps.agreements import propose
from engine.play.steps.base import AnytimeStep, Request
from engine.play.table import Table


class BuyPrivateStep(AnytimeStep):
    """At any moment of its turn, in the phases that allow it, from any player who agrees."""

    name = "buy_private"
    kinds = frozenset({"buy_private"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """Privates of players whose lowest price the treasury can pay."""
        names = purchasable(t)
        if not names:
            return
        yield t.offer(
            "buy_private",
            t.company.id,
            fact("offer.buy_private"),
            t.slot(
                "private",
                lambda _: Filtered(names, lambda _n: True, lambda p: _label(t, p)),
                lambda _, p: why_not(t, p),
            ),
            t.slot(
                "price",
                lambda c: prices(t, c["private"]),
                lambda c, price: why_not_price(t, c["private"], price),
            ),
            suggest=lambda: [_at_most(t, p) for p in names],
            blocking=False,
        )

    def holds(self, t: Table) -> bool:
        """Whether a private can be bought for which the turn waits."""
        return bool(waited_for(t))

    def apply(self, t: Table, action: BuyPrivate) -> None:
        """Buy, or ask the owner."""
        owner = owner_of(t, action.private)
        if owner == action.actor or t.rules.flag("consent_is_implied"):
            buy_private(t, action)
        else:
            propose(t, action, owner)

    def agreed(self, t: Table, action: BuyPrivate) -> None:
        """The owner agrees."""
        buy_private(t, action)

    def why_not(self, t: Table, request: Request) -> Fact | None:
        """Why the private that was named, or any at all, cannot be bought; None where that is not the trouble."""
        if purchasable(t):
            return None
        named = request.given.get("private")
        return (why_not(t, named) if named else None) or why_none(t)


def _label(t: Table, private: PrivateId) -> Fact:
    spec = t.spec.privates[private]
    owner = owner_of(t, private)
    return fact("choice.private_of", private=private, name=spec.name, value=spec.value, owner=owner)


def _at_most(t: Table, private: PrivateId) -> Suggestion:
    price = prices(t, private).high
    return Suggestion(
        fact("choice.buy_private", private=private, price=price), {"private": private, "price": price}
    )
