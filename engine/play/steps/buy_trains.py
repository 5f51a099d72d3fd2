"""Buying trains, forced purchases included (18Chesapeake 11.7, 11.8)."""

from collections.abc import Iterable, Iterator
from typing import Any

from engine.core.actions import BuyTrain, DeclareBankruptcy, Liquidate, Pass, SellPrivate, SellShares
from engine.core.events import Passed
from engine.core.facts import Fact, fact
from engine.core.ids import BANK, POOL, EntityId
from engine.core.memory import LazySequence
from engine.core.offers import Chosen, Filtered, IntRange, Offer, Slot, Suggestion
from engine.play.bankruptcy_and_liquidation import go_bankrupt, liquidate, why_not_bankrupt
from engine.play.privates.pending_powers import would_open
from engine.play.steps.agreements import propose
from engine.play.steps.base import CompanyStep, Request
from engine.play.steps.forced_sales import (
    forced_offers,
    raising_offers,
    sell_for_train,
    sold_for_train,
    why_no_private_sale,
    why_no_sale,
    why_not_liquidated,
)
from engine.play.steps.private_sales import carry_out_trade
from engine.play.table import Table
from engine.play.trains.apply_purchase import buy_or_agree, needs_consent
from engine.play.trains.forced_purchase import liquidated, must_buy, note_forced_private_sale
from engine.play.trains.purchase_options import (
    at_limit,
    bank_is_closed,
    discounted_purchases,
    purchases,
    why_no_train,
    why_no_train_at_all,
    why_not_by,
    why_not_from,
    why_not_price,
    why_not_traded,
)
from engine.play.trains.train_prices import Purchase, discount_powers, face_value_purchases, seller_name

KEYS = ("train", "source", "trade_in")
"""The slots that single out a purchase; the price comes after them."""

RUIN = ("declare_bankruptcy", "liquidate")
SALES = ("sell_shares", "sell_private")
"""What the president sells for a train."""


class TrainsStep(CompanyStep):
    """Any number of trains within the limit; a company without a train may be forced to buy one, or be liquidated."""

    name = "trains"
    kinds = frozenset({"buy_train", "sell_shares", "sell_private", "declare_bankruptcy", "liquidate", "pass"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """Trains the company may buy; in a forced purchase also the president's sales, and how to give it up."""
        bought = False
        for offer in _purchase_offers(t):
            bought = True
            yield offer
        if must_buy(t):
            yield from forced_offers(t, bought)
            return
        bought = bought or _sold_in_vain(t)
        if bought:
            yield from raising_offers(t)
        if bought or _still_asked(t) or would_open(t, self.name):
            yield _done(t)

    def stop(self, t: Table) -> Offer | None:
        """A company that has a choice and no obligation to buy may be done."""
        return None if must_buy(t) else _done(t)

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
            buy_or_agree(t, action)

    def skip(self, t: Table) -> None:
        """Nothing to decide: the step is over, and a company that needs a train and can have none leaves the game."""
        if liquidated(t):
            liquidate(t)
        else:
            super().skip(t)

    def skipped_for(self, t: Table) -> Fact | None:
        """No train can be had, not even the first of this turn; that the limit is reached is known."""
        return None if t.turn.bought or at_limit(t) else why_no_train_at_all(t)

    def _stop(self, t: Table, action: Pass) -> None:
        t.emit(Passed(action.entity, None if t.turn.bought else fact("declined.trains")))
        self.over(t)

    def agreed(self, t: Table, action: BuyTrain | SellPrivate) -> None:
        if isinstance(action, BuyTrain):
            buy_or_agree(t, action)
        else:
            carry_out_trade(t, action)
            note_forced_private_sale(t, action.price)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        """Why no train is on offer, seen from the one that was named, or nothing is sold for it."""
        if request.kind == "buy_train":
            return _why_no_purchase(t, request)
        if request.kind in SALES and any(offer.kind == request.kind for offer in self.offers(t)):
            return None
        if request.kind == "sell_shares":
            return why_no_sale(t)
        if request.kind == "sell_private":
            return why_no_private_sale(t)
        if any(offer.kind == request.kind for offer in self.offers(t)):
            return None if request.kind in RUIN else fact(_why_no_pass(t), company=t.company.id)
        if request.kind == "declare_bankruptcy":
            return why_not_bankrupt(t)
        if request.kind == "liquidate":
            return why_not_liquidated(t) or fact("trains.none_left")
        return fact(_why_no_pass(t), company=t.company.id)

    def misplaced(self, t: Table, request: Request) -> Fact:
        """Sales and bankruptcy are for a forced purchase only."""
        if request.kind == "declare_bankruptcy":
            return why_not_bankrupt(t)
        if request.kind == "sell_shares":
            return fact("forced.sales_only_for_a_train", company=t.company.id)
        if request.kind == "sell_private":
            name = "privates_only_for_a_train" if t.spec.forced_private_sales else "no_privates"
            return fact(f"forced.{name}", company=t.company.id)
        never = why_not_liquidated(t) if request.kind == "liquidate" else _why_not_by_it(t, request.entity)
        return never or super().misplaced(t, request)


def _done(t: Table) -> Offer:
    return t.offer("pass", t.company.id, fact("offer.pass_trains"))


def _why_not_by_it(t: Table, entity: EntityId | None) -> Fact | None:
    """A private that makes no train cheaper never will."""
    bare = entity in t.state.privates and entity not in discount_powers(t)
    return fact("trains.no_cheaper_by_private", private=entity, company=t.company.id) if bare else None


def _why_no_pass(t: Table) -> str:
    """The rule that keeps the company from being done, or what the step is for."""
    if not must_buy(t):
        return "trains.buys_now"
    if not liquidated(t):
        return "trains.has_to_buy"
    return "liquidation.sold_for_a_train" if sold_for_train(t) else "liquidation.or_train"


def _still_asked(t: Table) -> bool:
    """Under its flag: after a train from another company the question comes once more, even with the bank closed."""
    if not t.rules.flag("asks_when_nothing_is_legal") or t.turn.last_seller not in t.state.companies:
        return False
    cheapest = min((purchase.low for purchase in face_value_purchases(t)), default=0)
    return not at_limit(t) and bank_is_closed(t) and t.company.cash >= cheapest


def _sold_in_vain(t: Table) -> bool:
    """True if another company's train could be bought but for the shares sold in this turn: the step stays open."""
    others = any(company.trains for company in t.state.companies.values() if company is not t.company)
    return t.turn.last_share_price is not None and others and t.company.cash > 0 and not at_limit(t)


# --- what is offered ---------------------------------------------------------------------------------------------


def _purchase_offers(t: Table) -> Iterator[Offer]:
    found = purchases(t)
    first = next(found, None)
    if first is not None:
        yield _buy_offer(t, LazySequence(found, first), t.company.id)
    for private, options in discounted_purchases(t).items():
        yield _buy_offer(t, options, private)


def _buy_offer(t: Table, found: Iterable[Purchase], entity: EntityId) -> Offer:
    """These purchases, by the company or one of its privates."""

    def fitting(c: Chosen) -> Iterator[Purchase]:
        asked = [(name, c[name]) for name in KEYS if name in c]
        return (p for p in found if all(getattr(p, name) == value for name, value in asked))

    def listed(name: str, c: Chosen) -> Filtered:
        values = LazySequence(_once(getattr(p, name) for p in fitting(c)))
        return Filtered(values, lambda _v: True, lambda v: _word(name, v, list(fitting({**c, name: v}))))

    def price(c: Chosen) -> IntRange:
        only = next(fitting(c))
        return IntRange(only.low, only.high, face=t.spec.train(only.train).price)

    return t.offer(
        "buy_train",
        entity,
        _title(t, entity),
        Slot(
            "train",
            lambda c: listed("train", c),
            lambda c, train: _why_not(t, entity, train, c.get("source")),
        ),
        Slot("source", lambda c: listed("source", c), lambda c, source: why_not_from(t, entity, c, source)),
        Slot("trade_in", lambda c: listed("trade_in", c), lambda c, train: why_not_traded(t, c, train)),
        Slot(
            "price",
            price,
            lambda c, dollars: why_not_price(t, c, dollars, price(c).low),
        ),
        suggest=lambda: [_suggestion(t, entity, p) for p in found if p.source in {BANK, POOL}],
    )


def _once(values: Iterable[str]) -> Iterator[str]:
    seen: set[str] = set()
    for value in values:
        if value not in seen:
            seen.add(value)
            yield value


def _title(t: Table, entity: EntityId) -> Fact:
    if entity == t.company.id:
        return fact("offer.buy_train")
    return fact("offer.buy_train_by", private=entity)


def _suggestion(t: Table, entity: EntityId, p: Purchase) -> Suggestion:
    """A train of bank or pool, whose price is fixed; a private that makes it cheaper closes."""
    chosen = {"train": p.train, "source": p.source, "trade_in": p.trade_in, "price": p.low}
    if entity in t.state.privates:
        return Suggestion(fact("choice.train_by", purchase=p.label(), private=entity), chosen)
    return Suggestion(p.label(), chosen)


def _word(name: str, value: str, options: list[Purchase]) -> Fact:
    if name == "trade_in":
        return fact("choice.hand_in", train=value) if value else fact("choice.hand_in_nothing")
    if len(options) == 1:
        return options[0].label()
    if name == "train":
        return fact("choice.train", train=value)
    return fact("choice.from_seller", seller=seller_name(value))


# --- why not -----------------------------------------------------------------------------------------------------


def _why_not(t: Table, entity: EntityId, train: Any, source: Any) -> Fact:
    return why_not_by(t, entity, train) if entity in t.state.privates else why_no_train(t, train, source)


def _why_no_purchase(t: Table, request: Request) -> Fact:
    train = request.given.get("train")
    if request.entity in t.state.privates:
        return why_not_by(t, request.entity, train)
    return why_no_train_at_all(t) if train is None else why_no_train(t, train, request.given.get("source"))
