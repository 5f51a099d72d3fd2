"""Buying trains, forced purchases included (rulebook 11.7, 11.8)."""

from collections.abc import Iterator
from typing import Any

from engine.core.actions import BuyTrain, DeclareBankruptcy, Liquidate, Pass, SellPrivate, SellShares
from engine.core.events import Passed
from engine.core.facts import Fact, fact
from engine.core.ids import BANK, POOL, EntityId
from engine.core.offers import Among, Between, Choice, Chosen, Offer, Suggestion
from engine.play.privates.usefulness import opens
from engine.play.steps.base import CompanyStep, Wish
from engine.play.steps.consent import propose
from engine.play.steps.forced_sale import bank_sale_offers, private_sale_offers, sell_for_train
from engine.play.steps.private_trade import carry_out
from engine.play.table import Table
from engine.play.trains.bankruptcy import go_bankrupt, liquidate, why_not_bankrupt
from engine.play.trains.buying import needs_consent, settle
from engine.play.trains.emergency import liquidated, must_buy
from engine.play.trains.obstacles import (
    why_no_sale,
    why_no_train,
    why_not_by,
    why_not_from,
    why_not_price,
    why_not_traded,
    why_nothing,
)
from engine.play.trains.prices import Purchase, at_face, seller
from engine.play.trains.purchases import at_limit, bank_is_closed, discounts, purchases
from engine.play.trains.raising import bank_aim, hopeless, note_private_sale

KEYS = ("train", "source", "trade_in")
"""The slots that single out a purchase; the price comes after them."""
RAISING = {
    "sell_shares": "forced.sales_only_for_a_train",
    "sell_private": "forced.privates_only_for_a_train",
}
"""What is sold in a forced purchase only, and the rule that keeps it there."""


class TrainsStep(CompanyStep):
    """Any number of trains within the limit; a company without a train may have to buy one, or be liquidated."""

    name = "trains"
    kinds = frozenset({"buy_train", "sell_shares", "sell_private", "declare_bankruptcy", "liquidate", "pass"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """Trains the company may buy; in a forced purchase also the president's sales, and how to give it up."""
        bought = list(_purchase_offers(t))
        yield from bought
        if must_buy(t):
            raising = list(_raising_offers(t))
            yield from raising
            if bought or raising or _asked_anyway(t):
                yield from _ways_out(t, selling=bool(raising))
            return
        if bought:
            yield from _raising_offers(t)
        if bought or _still_asked(t) or opens(t, self.name):
            yield t.offer("pass", t.company.id, fact("offer.pass_trains"))

    def apply(
        self, t: Table, action: BuyTrain | SellShares | SellPrivate | DeclareBankruptcy | Liquidate | Pass
    ) -> None:
        """Buy (or ask the other side), sell a share or a private for it, give up, or stop."""
        if isinstance(action, DeclareBankruptcy):
            go_bankrupt(t, action.actor)
        elif isinstance(action, Liquidate):
            liquidate(t)
        elif isinstance(action, SellPrivate):
            propose(t, action, action.buyer)
        elif isinstance(action, Pass):
            self._stop(t, action)
        elif isinstance(action, SellShares):
            sell_for_train(t, action)
        elif needs_consent(t, action):
            propose(t, action, t.president(action.source).id)
        else:
            settle(t, action)

    def skip(self, t: Table) -> None:
        """Nothing to decide: the step is over, and a company that needs a train and can have none leaves the game."""
        if liquidated(t):
            liquidate(t)
        else:
            super().skip(t)

    def skipped_for(self, t: Table) -> Fact | None:
        """No train can be had, not even the first of this turn; that the limit is reached is known."""
        return None if t.turn.bought or at_limit(t) else why_nothing(t)

    def _stop(self, t: Table, action: Pass) -> None:
        t.emit(Passed(action.entity, None if t.turn.bought else fact("declined.trains")))
        self.over(t)

    def agreed(self, t: Table, action: BuyTrain | SellPrivate) -> None:
        """The other side agrees."""
        if isinstance(action, BuyTrain):
            settle(t, action)
        else:
            carry_out(t, action)
            note_private_sale(t, action.price)

    def why_not(self, t: Table, wish: Wish) -> Fact | None:
        """Why no train is on offer, seen from the one that was named, or nothing is sold for it."""
        if wish.kind == "buy_train":
            return _why_no_purchase(t, wish)
        if wish.kind == "sell_shares":
            return why_no_sale(t)
        if wish.kind == "sell_private":
            return _why_no_private_sale(t)
        if wish.kind == "declare_bankruptcy":
            return why_not_bankrupt(t)
        return _why_nothing_else(t, wish)

    def why_not_now(self, t: Table, wish: Wish) -> Fact:
        """Sales and bankruptcy are for a forced purchase only."""
        if wish.kind == "declare_bankruptcy":
            return why_not_bankrupt(t)
        if wish.kind in RAISING:
            return fact(RAISING[wish.kind], company=t.company.id)
        return super().why_not_now(t, wish)


def _why_nothing_else(t: Table, wish: Wish) -> Fact:
    """What the step allows a wish that is not about buying a train, or selling for one."""
    if wish.kind == "liquidate":
        return fact("liquidation.not_now", company=t.company.id)
    if wish.kind != "pass" or not must_buy(t):
        return fact("trains.buys_now", company=t.company.id)
    name = "liquidation.or_train" if liquidated(t) else "trains.has_to_buy"
    return fact(name, company=t.company.id)


def _asked_anyway(t: Table) -> bool:
    """Nobody is asked about a liquidation that nothing can avert."""
    return not liquidated(t) or t.rules.flag("asks_when_nothing_is_legal")


def _ways_out(t: Table, *, selling: bool) -> Iterator[Offer]:
    """Liquidation; bankruptcy where the train cannot be paid, and maybe nothing is left to sell (11.8, 11.9)."""
    if liquidated(t):
        yield t.offer("liquidate", t.company.id, fact("offer.liquidate", company=t.company.id))
    elif hopeless(t) and not (selling and t.spec.sells_before_bankruptcy):
        yield t.offer("declare_bankruptcy", t.company.id, fact("offer.declare_bankruptcy"))


def _still_asked(t: Table) -> bool:
    """Under its flag: after a train from another company the question comes once more, even with the bank closed."""
    if not t.rules.flag("asks_when_nothing_is_legal") or t.turn.last_seller not in t.state.companies:
        return False
    cheapest = min((purchase.low for purchase in at_face(t)), default=0)
    return not at_limit(t) and bank_is_closed(t) and t.company.cash >= cheapest


# --- what is offered ---------------------------------------------------------------------------------------------


def _purchase_offers(t: Table) -> Iterator[Offer]:
    """The company's purchases, and those by its privates."""
    found = purchases(t)
    if found:
        yield _buy_offer(t, found, t.company.id)
    for private, options in discounts(t).items():
        yield _buy_offer(t, options, private)


def _raising_offers(t: Table) -> Iterator[Offer]:
    """What the president may sell for the cheapest train."""
    aim = bank_aim(t)
    if aim is None or _in_vain(t):
        return
    yield from bank_sale_offers(t, aim)
    if t.spec.forced_private_sales and must_buy(t):
        yield from private_sale_offers(t, aim)


def _in_vain(t: Table) -> bool:
    """Whether no sales could save the company from liquidation: then nothing is sold for it (11.9)."""
    return liquidated(t) and hopeless(t) and not t.rules.flag("sells_in_any_train_step")


def _buy_offer(t: Table, found: list[Purchase], entity: EntityId) -> Offer:
    """These purchases, for the company or by a private of it."""

    def fitting(c: Chosen) -> list[Purchase]:
        return [p for p in found if all(getattr(p, name) == c[name] for name in KEYS if name in c)]

    def listed(name: str, c: Chosen) -> Among:
        values = dict.fromkeys(getattr(p, name) for p in fitting(c))
        return Among([Choice(value, _word(name, value, fitting({**c, name: value}))) for value in values])

    return t.offer(
        "buy_train",
        entity,
        _title(t, entity),
        t.slot("train", lambda c: listed("train", c), lambda _, train: _why_not(t, entity, train)),
        t.slot("source", lambda c: listed("source", c), lambda c, source: why_not_from(t, c, source)),
        t.slot("trade_in", lambda c: listed("trade_in", c), lambda c, train: why_not_traded(t, c, train)),
        t.slot(
            "price",
            lambda c: Between(fitting(c)[0].low, fitting(c)[0].high, face=t.spec.train(c["train"]).price),
            lambda c, price: why_not_price(t, c, price, fitting(c)[0].low),
        ),
        suggest=lambda: [_suggestion(p) for p in found if p.source in {BANK, POOL}],
    )


def _title(t: Table, entity: EntityId) -> Fact:
    if entity == t.company.id:
        return fact("offer.buy_train")
    return fact("offer.buy_train_by", private=entity)


def _suggestion(p: Purchase) -> Suggestion:
    """A train of bank or pool, whose price is fixed."""
    chosen = {"train": p.train, "source": p.source, "trade_in": p.trade_in, "price": p.low}
    return Suggestion(p.label(), chosen)


def _word(name: str, value: str, options: list[Purchase]) -> Fact:
    if name == "trade_in":
        return fact("choice.hand_in", train=value) if value else fact("choice.hand_in_nothing")
    if len(options) == 1:
        return options[0].label()
    if name == "train":
        return fact("choice.train", train=value)
    return fact("choice.from_seller", seller=seller(value))


# --- why not -----------------------------------------------------------------------------------------------------


def _why_not(t: Table, entity: EntityId, train: Any) -> Fact:
    return why_not_by(t, entity, train) if entity in t.state.privates else why_no_train(t, train)


def _why_no_purchase(t: Table, wish: Wish) -> Fact:
    train = wish.given.get("train")
    if wish.entity in t.state.privates:
        return why_not_by(t, wish.entity, train)
    return why_nothing(t) if train is None else why_no_train(t, train)


def _why_no_private_sale(t: Table) -> Fact:
    if not t.spec.forced_private_sales:
        return fact("forced.no_privates")
    if not must_buy(t):
        return fact(RAISING["sell_private"], company=t.company.id)
    if bank_aim(t) is None:
        return why_no_sale(t)
    return fact("forced.no_private_to_sell", player=t.president(t.company.id).id)
