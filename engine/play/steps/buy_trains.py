"""Buying trains, forced purchases included (18Chesapeake 11.7, 11.8)."""

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from engine.core.actions import BuyTrain, DeclareBankruptcy, Liquidate, Pass, SellPrivate, SellShares
from engine.core.events import Passed
from engine.core.facts import Fact, fact
from engine.core.ids import BANK, POOL, EntityId
from engine.core.memory import LazySequence
from engine.core.offers import AnyPermitted, Chosen, IntRange, Offer, Permitted, Slot, Suggestion
from engine.play.closing_liquidation_bankruptcy import bankruptcy_obstacle, go_bankrupt, liquidate
from engine.play.privates.pending_powers import would_open
from engine.play.steps.agreements import propose
from engine.play.steps.base import CompanyStep, Request
from engine.play.steps.forced_sales import (
    forced_offers,
    liquidation_obstacle,
    private_sales_obstacle,
    raising_offers,
    sales_obstacle,
    sell_for_train,
    sold_for_train,
)
from engine.play.steps.private_sales import carry_out_trade
from engine.play.table import Table
from engine.play.trains.apply_purchase import buy_or_agree, needs_consent
from engine.play.trains.forced_purchase import (
    faces_liquidation,
    highest_price,
    must_buy,
    note_forced_private_sale,
)
from engine.play.trains.purchase_options import (
    at_limit,
    bank_is_closed,
    discounted_purchases,
    no_purchase_reason,
    price_obstacle,
    purchases,
)
from engine.play.trains.train_prices import Purchase, discount_powers, face_value_purchases, seller_name

KEYS = ("train", "source", "trade_in")
"""The slots that single out a purchase; the price comes after them."""


class TrainsStep(CompanyStep):
    """Trains within the limit; a company without one may be forced to buy, or be liquidated."""

    name = "trains"
    kinds = frozenset({"buy_train", "sell_shares", "sell_private", "declare_bankruptcy", "liquidate", "pass"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """Purchases; in a forced purchase also the president's sales, bankruptcy or liquidation."""
        bought = False
        for offer in _purchase_offers(t):
            bought = True
            yield offer
        if pass_obstacle(t):
            yield from forced_offers(t, bought)
            return
        bought = bought or _sold_in_vain(t)
        if bought:
            yield from raising_offers(t)
        if bought or _still_asked(t) or would_open(t, self.name):
            yield _stop_offer(t)

    def stop_offer(self, t: Table) -> Offer | None:
        """The offer to stop buying, for a company that may."""
        return None if pass_obstacle(t) else _stop_offer(t)

    def apply(
        self, t: Table, action: BuyTrain | SellShares | SellPrivate | DeclareBankruptcy | Liquidate | Pass
    ) -> None:
        """Buy, propose a purchase, sell for a forced one, give up, or stop."""
        if action.kind == "declare_bankruptcy":
            go_bankrupt(t, action.actor)
        elif action.kind == "liquidate":
            liquidate(t)
        elif action.kind == "sell_private":
            propose(t, action, action.buyer)
        elif action.kind == "pass":
            self._stop(t, action)
        elif action.kind == "sell_shares":
            sell_for_train(t, action)
        elif needs_consent(t, action):
            propose(t, action, t.president(action.source).id)
        else:
            buy_or_agree(t, action)

    def skip(self, t: Table) -> None:
        """Close the step; a company that needs a train and can get none leaves the game."""
        if faces_liquidation(t):
            liquidate(t)
        else:
            super().skip(t)

    def skip_reason(self, t: Table) -> Fact | None:
        """The reason for skipping: no train can be bought, and none was."""
        return None if t.turn.bought or at_limit(t) else no_purchase_reason(t, t.company.id)

    def _stop(self, t: Table, action: Pass) -> None:
        t.emit(Passed(action.entity, None if t.turn.bought else fact("declined.trains")))
        self.close(t)

    def agreed(self, t: Table, action: BuyTrain | SellPrivate) -> None:
        if isinstance(action, BuyTrain):
            buy_or_agree(t, action)
        else:
            carry_out_trade(t, action)
            note_forced_private_sale(t, action.price)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        """The reason why a train cannot be bought, or nothing be sold for it."""
        if request.kind == "buy_train":
            return no_purchase_reason(
                t, request.entity, request.given.get("train"), request.given.get("source")
            )
        if request.kind != "pass" and any(offer.kind == request.kind for offer in self.offers(t)):
            return None
        president = t.president(t.company.id).id
        match request.kind:
            case "sell_shares":
                return sales_obstacle(t) or fact("forced.nothing_to_sell", player=president)
            case "sell_private":
                return private_sales_obstacle(t) or fact("forced.no_private_to_sell", player=president)
            case "declare_bankruptcy":
                return bankruptcy_obstacle(t)
            case "liquidate":
                return liquidation_obstacle(t) or fact("trains.none_left")
        return pass_obstacle(t) or fact("trains.buys_now", company=t.company.id)

    def misplaced_obstacle(self, t: Table, request: Request) -> Fact:
        """Sales and bankruptcy are for a forced purchase only."""
        stopped: Fact | None = None
        if request.kind == "sell_shares":
            stopped = fact("forced.sales_only_for_a_train", company=t.company.id)
        elif request.kind == "sell_private":
            name = "privates_only_for_a_train" if t.spec.forced_private_sales else "no_privates"
            stopped = fact(f"forced.{name}", company=t.company.id)
        elif request.kind == "declare_bankruptcy":
            stopped = bankruptcy_obstacle(t)
        elif request.kind == "liquidate":
            stopped = liquidation_obstacle(t)
        elif request.entity in t.state.privates and request.entity not in discount_powers(t):
            stopped = no_purchase_reason(t, request.entity)
        return stopped or super().misplaced_obstacle(t, request)


def _stop_offer(t: Table) -> Offer:
    return t.offer("pass", t.company.id, fact("offer.pass_trains"))


def pass_obstacle(t: Table) -> Fact | None:
    """The rule against ending the step."""
    if not must_buy(t):
        return None
    name = "trains.has_to_buy"
    if faces_liquidation(t):
        name = "liquidation.sold_for_a_train" if sold_for_train(t) else "liquidation.or_train"
    return fact(name, company=t.company.id)


def _still_asked(t: Table) -> bool:
    """True under a flag that asks once more after a train from another company, even with the bank closed."""
    if not t.rules.flag("asks_when_nothing_is_legal") or t.turn.last_seller not in t.state.companies:
        return False
    cheapest = min((purchase.lowest_price for purchase in face_value_purchases(t)), default=0)
    return not at_limit(t) and bank_is_closed(t) and t.company.cash >= cheapest


def _sold_in_vain(t: Table) -> bool:
    """True if shares sold this turn alone stop the purchase of another company's train: the step stays open."""
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
    """Offer these purchases, made by the company or one of its privates."""

    def fitting(*picked: Any) -> Iterator[Purchase]:
        count = len(picked)
        return (p for p in found if p[:count] == picked)

    def slot(place: int, name: str) -> Slot:
        def domain(chosen: Chosen) -> Permitted:
            picked = tuple(chosen[key] for key in KEYS[:place])

            def obstacle(value: Any) -> Fact | None:
                if next(fitting(*picked, value), None) is not None:
                    return None
                asked = {"source": chosen.get("source"), **dict(zip(KEYS, picked, strict=False)), name: value}
                return no_purchase_reason(t, entity, **asked)

            return AnyPermitted(
                LazySequence(_once(getattr(p, name) for p in fitting(*picked))),
                obstacle,
                lambda value: _slot_label(t, name, value, list(fitting(*picked, value))),
            )

        return Slot(name, domain)

    def price(chosen: Chosen) -> IntRange:
        only = next(fitting(*(chosen[key] for key in KEYS)))
        face = t.spec.train(only.train).price
        return IntRange(
            only.lowest_price, highest_price(t, only), face=face, obstacle=partial(price_obstacle, t, only)
        )

    return t.offer(
        "buy_train",
        entity,
        _title(t, entity),
        *(slot(place, name) for place, name in enumerate(KEYS)),
        Slot("price", price),
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


def _suggestion(t: Table, entity: EntityId, purchase: Purchase) -> Suggestion:
    """The purchase from bank or pool at its fixed price; a discounting private closes."""
    chosen = {
        "train": purchase.train,
        "source": purchase.source,
        "trade_in": purchase.trade_in,
        "price": purchase.lowest_price,
    }
    if entity in t.state.privates:
        return Suggestion(fact("choice.train_by", purchase=_label(t, purchase), private=entity), chosen)
    return Suggestion(_label(t, purchase), chosen)


def _label(t: Table, p: Purchase) -> Fact:
    """`4-train from the bank $300`."""
    low, high = p.lowest_price, highest_price(t, p)
    price = fact("choice.dollars", amount=low)
    if low != high:
        price = fact("choice.dollars_range", low=low, high=high)
    purchase = fact("choice.train_from", train=p.train, seller=seller_name(p.source), price=price)
    return fact("choice.train_handing_in", purchase=purchase, train=p.trade_in) if p.trade_in else purchase


def _slot_label(t: Table, name: str, value: str, options: list[Purchase]) -> Fact:
    if name == "trade_in":
        return fact("choice.hand_in", train=value) if value else fact("choice.hand_in_nothing")
    if len(options) == 1:
        return _label(t, options[0])
    if name == "train":
        return fact("choice.train", train=value)
    return fact("choice.from_seller", seller=seller_name(value))
