"""Train purchases, including forced ones (18Chesapeake 11.7, 11.8)."""

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from engine.core.actions import BuyTrain, DeclareBankruptcy, Liquidate, Pass, SellPrivate, SellShares
from engine.core.events import Passed
from engine.core.facts import Fact, fact
from engine.core.ids import BANK, POOL, EntityId
from engine.core.memory import LazySequence
from engine.core.offers import (
    FilteredChoices,
    IntRange,
    Offer,
    PickedValues,
    Slot,
    Suggestion,
    UnlistedChoices,
)
from engine.play.closing_liquidation_bankruptcy import bankruptcy_obstacle, go_bankrupt, liquidate_company
from engine.play.privates.pending_powers import purchase_would_open_step
from engine.play.steps.agreements import propose
from engine.play.steps.base import CompanyStep, Request
from engine.play.steps.forced_sales import (
    forced_purchase_offers,
    liquidation_obstacle,
    money_raising_offers,
    must_buy_after_share_sales,
    private_sales_obstacle,
    sales_obstacle,
    sell_for_train,
)
from engine.play.steps.private_sales import carry_out_trade
from engine.play.table import Table
from engine.play.trains.apply_purchase import buy_now_or_agree_to_buy, needs_consent
from engine.play.trains.forced_purchase import (
    faces_liquidation,
    highest_price,
    must_buy_train,
    record_forced_private_sale,
)
from engine.play.trains.purchase_options import (
    discounted_purchases,
    is_at_bank_train_limit,
    is_at_train_limit,
    no_purchase_reason,
    price_obstacle,
    purchases,
)
from engine.play.trains.train_prices import Purchase, face_value_purchases, seller_name, train_discount_powers

PURCHASE_SLOTS = ("train", "source", "trade_in")
"""Names of the slots (parameters) that identify a train purchase; the slot for the price comes after them."""


class TrainsStep(CompanyStep):
    """Train purchases in a company's turn, up to the train limit.

    A company without a train may have to buy one or be liquidated.
    """

    name = "trains"
    kinds = frozenset({"buy_train", "sell_shares", "sell_private", "declare_bankruptcy", "liquidate", "pass"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """Legal train purchases; in a forced purchase also the president's sales, and bankruptcy or liquidation."""
        can_buy = False
        for offer in _purchase_offers(t):
            can_buy = True
            yield offer
        if pass_obstacle(t):
            yield from forced_purchase_offers(t, can_buy)
            return
        can_buy = can_buy or _only_sales_prevent_purchase(t)
        if can_buy:
            yield from money_raising_offers(t)
        if can_buy or _stays_open_in_log_replay(t) or purchase_would_open_step(t, self.name):
            yield _end_step_offer(t)

    def end_step_offer(self, t: Table) -> Offer | None:
        """The legal action of ending the step; None if the company must buy a train."""
        return None if pass_obstacle(t) else _end_step_offer(t)

    def apply(
        self, t: Table, action: BuyTrain | SellShares | SellPrivate | DeclareBankruptcy | Liquidate | Pass
    ) -> None:
        """Carry out an action: a purchase or its proposal, a sale, bankruptcy, liquidation, or the end of the step."""
        if action.kind == "declare_bankruptcy":
            go_bankrupt(t, action.actor)
        elif action.kind == "liquidate":
            liquidate_company(t)
        elif action.kind == "sell_private":
            propose(t, action, action.buyer)
        elif action.kind == "pass":
            self._apply_pass(t, action)
        elif action.kind == "sell_shares":
            sell_for_train(t, action)
        elif needs_consent(t, action):
            propose(t, action, t.president(action.source).id)
        else:
            buy_now_or_agree_to_buy(t, action)

    def skip(self, t: Table) -> None:
        """Close the step. A company that needs a train but cannot get one is liquidated."""
        if faces_liquidation(t):
            liquidate_company(t)
        else:
            super().skip(t)

    def skip_reason(self, t: Table) -> Fact | None:
        """The reason for skipping train purchases, if no train was bought; else None."""
        return None if t.turn.bought or is_at_train_limit(t) else no_purchase_reason(t, t.company.id)

    def _apply_pass(self, t: Table, action: Pass) -> None:
        t.emit(Passed(action.entity, None if t.turn.bought else fact("declined.trains")))
        self.close(t)

    def carry_out_proposal(self, t: Table, action: BuyTrain | SellPrivate) -> None:
        if isinstance(action, BuyTrain):
            buy_now_or_agree_to_buy(t, action)
        else:
            carry_out_trade(t, action)
            record_forced_private_sale(t, action.price)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        """The reason why the company cannot buy this train, or why its president cannot sell shares for a train."""
        if request.kind == "buy_train":
            return no_purchase_reason(
                t, request.entity, request.given_values.get("train"), request.given_values.get("source")
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
        """The error message for a train purchase, forced sale or bankruptcy in another part of the turn."""
        refusal: Fact | None = None
        if request.kind == "sell_shares":
            refusal = fact("forced.sales_only_for_a_train", company=t.company.id)
        elif request.kind == "sell_private":
            name = "privates_only_for_a_train" if t.spec.forced_private_sales else "no_privates"
            refusal = fact(f"forced.{name}", company=t.company.id)
        elif request.kind == "declare_bankruptcy":
            refusal = bankruptcy_obstacle(t)
        elif request.kind == "liquidate":
            refusal = liquidation_obstacle(t)
        elif request.entity in t.state.privates and request.entity not in train_discount_powers(t):
            refusal = no_purchase_reason(t, request.entity)
        return refusal or super().misplaced_obstacle(t, request)


def _end_step_offer(t: Table) -> Offer:
    return t.offer("pass", t.company.id, fact("offer.pass_trains"))


def pass_obstacle(t: Table) -> Fact | None:
    """The rule that forbids the company to end its train step; None if it can."""
    if not must_buy_train(t):
        return None
    name = "trains.has_to_buy"
    if faces_liquidation(t):
        name = "liquidation.sold_for_a_train" if must_buy_after_share_sales(t) else "liquidation.or_train"
    return fact(name, company=t.company.id)


def _stays_open_in_log_replay(t: Table) -> bool:
    if not t.rules.has_flag("asks_when_nothing_is_legal") or t.turn.last_seller not in t.state.companies:
        return False
    lowest_price = min((purchase.lowest_price for purchase in face_value_purchases(t)), default=0)
    return not is_at_train_limit(t) and is_at_bank_train_limit(t) and t.company.cash >= lowest_price


def _only_sales_prevent_purchase(t: Table) -> bool:
    """True if only this turn's share sales prevent the purchase of another company's train."""
    others_have_trains = any(
        company.trains for company in t.state.companies.values() if company is not t.company
    )
    return (
        t.turn.last_share_price is not None
        and others_have_trains
        and t.company.cash > 0
        and not is_at_train_limit(t)
    )


# --- offers ------------------------------------------------------------------------------------------------------


def _purchase_offers(t: Table) -> Iterator[Offer]:
    legal_purchases = purchases(t)
    first_purchase = next(legal_purchases, None)
    if first_purchase is not None:
        yield _train_purchase_offer(t, LazySequence(legal_purchases, first_purchase), t.company.id)
    for private, possible_purchases in discounted_purchases(t).items():
        yield _train_purchase_offer(t, possible_purchases, private)


def _train_purchase_offer(t: Table, purchases: Iterable[Purchase], buyer: EntityId) -> Offer:
    def matching_purchases(*picked_values: Any) -> Iterator[Purchase]:
        picked_count = len(picked_values)
        return (p for p in purchases if p[:picked_count] == picked_values)

    def purchase_slot(index: int, name: str) -> Slot:
        def slot_domain(slot_values: PickedValues) -> FilteredChoices:
            picked_values = tuple(slot_values[key] for key in PURCHASE_SLOTS[:index])

            def obstacle(value: Any) -> Fact | None:
                if next(matching_purchases(*picked_values, value), None) is not None:
                    return None
                wanted_values = {
                    "source": slot_values.get("source"),
                    **dict(zip(PURCHASE_SLOTS, picked_values, strict=False)),
                    name: value,
                }
                return no_purchase_reason(t, buyer, **wanted_values)

            return UnlistedChoices(
                LazySequence(_distinct_values(getattr(p, name) for p in matching_purchases(*picked_values))),
                obstacle,
                lambda value: _slot_label(t, name, value, list(matching_purchases(*picked_values, value))),
            )

        return Slot(name, slot_domain)

    def price_range(slot_values: PickedValues) -> IntRange:
        purchase = next(matching_purchases(*(slot_values[key] for key in PURCHASE_SLOTS)))
        face_value = t.spec.train(purchase.train).price
        return IntRange(
            purchase.lowest_price,
            highest_price(t, purchase),
            face_value=face_value,
            obstacle=partial(price_obstacle, t, purchase),
        )

    return t.offer(
        "buy_train",
        buyer,
        _offer_title(t, buyer),
        *(purchase_slot(index, name) for index, name in enumerate(PURCHASE_SLOTS)),
        Slot("price", price_range),
        suggest=lambda: [_purchase_suggestion(t, buyer, p) for p in purchases if p.source in {BANK, POOL}],
    )


def _distinct_values(values: Iterable[str]) -> Iterator[str]:
    seen_values: set[str] = set()
    for value in values:
        if value not in seen_values:
            seen_values.add(value)
            yield value


def _offer_title(t: Table, buyer: EntityId) -> Fact:
    if buyer == t.company.id:
        return fact("offer.buy_train")
    return fact("offer.buy_train_by", private=buyer)


def _purchase_suggestion(t: Table, buyer: EntityId, purchase: Purchase) -> Suggestion:
    slot_values = {
        "train": purchase.train,
        "source": purchase.source,
        "trade_in": purchase.trade_in,
        "price": purchase.lowest_price,
    }
    if buyer in t.state.privates:
        return Suggestion(
            fact("choice.train_by", purchase=_purchase_label(t, purchase), private=buyer), slot_values
        )
    return Suggestion(_purchase_label(t, purchase), slot_values)


def _purchase_label(t: Table, purchase: Purchase) -> Fact:
    lowest_legal_price, highest_legal_price = purchase.lowest_price, highest_price(t, purchase)
    price = fact("choice.dollars", amount=lowest_legal_price)
    if lowest_legal_price != highest_legal_price:
        price = fact("choice.dollars_range", low=lowest_legal_price, high=highest_legal_price)
    purchase_fact = fact(
        "choice.train_from", train=purchase.train, seller=seller_name(purchase.source), price=price
    )
    help_terms = (
        t.rules.president_help_terms(t, lowest_legal_price)
        if lowest_legal_price == highest_legal_price
        else None
    )
    if help_terms is not None:
        purchase_fact = fact("choice.train_with_help", purchase=purchase_fact, terms=help_terms)
    return (
        fact("choice.train_handing_in", purchase=purchase_fact, train=purchase.trade_in)
        if purchase.trade_in
        else purchase_fact
    )


def _slot_label(t: Table, name: str, value: str, possible_purchases: list[Purchase]) -> Fact:
    if name == "trade_in":
        return fact("choice.hand_in", train=value) if value else fact("choice.hand_in_nothing")
    if len(possible_purchases) == 1:
        return _purchase_label(t, possible_purchases[0])
    if name == "train":
        return fact("choice.train", train=value)
    return fact("choice.from_seller", seller=seller_name(value))
