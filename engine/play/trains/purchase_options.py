"""The operating company's possible train purchases: sellers, prices and legality (18Chesapeake 11.7, 11.8)."""

from collections.abc import Iterator
from typing import Any

from engine.core.facts import Fact, fact
from engine.core.ids import BANK, POOL, EntityId, PrivateId, TrainName
from engine.core.state import Company
from engine.play.table import Table
from engine.play.trains.forced_purchase import (
    can_pay,
    cheapest_train_price,
    funds,
    highest_price,
    is_emergency,
    president_may_help,
)
from engine.play.trains.phases import counted_train_count, salable_trains, train_limit, trains_for_sale
from engine.play.trains.train_prices import (
    Purchase,
    face_value_purchases,
    purchases_by_private,
    seller_name,
    trade_in_purchases,
    train_discount_powers,
)


def is_at_train_limit(t: Table) -> bool:
    """True if the company owns as many trains as the phase allows (18Chesapeake 11.7).

    Rules: R-AL-183, R-C2C-210, R-CH-142, R-NE-100, R-TN-162.
    """
    company = t.company
    return counted_train_count(t, company) >= train_limit(t, company)


def is_at_bank_train_limit(t: Table) -> bool:
    """True if the company can buy no more trains from bank and pool this turn (18AL 4.2.5(f), 18TN 4.2.5(f)).

    Rules: R-AL-181, R-TN-161.
    """
    max_bank_trains = t.phase.max_bank_trains
    return max_bank_trains is not None and t.turn.bought_from_bank >= max_bank_trains


def train_limit_obstacle(t: Table) -> Fact | None:
    """The error message for a company at the train limit, which can buy only by trading in a train; None below it."""
    if not is_at_train_limit(t):
        return None
    if t.rules.has_flag("buys_at_the_limit_beside_a_trade_in") and any(
        is_payable(t, purchase) for purchase in trade_in_purchases(t)
    ):
        return None
    return fact("train_limit.reached", company=t.company.id, limit=train_limit(t, t.company))


def purchases(t: Table) -> Iterator[Purchase]:
    """All legal train purchases now, except those with a private's discount."""
    return (purchase for purchase in _purchase_options(t) if is_payable(t, purchase))


def discounted_purchases(t: Table) -> dict[PrivateId, list[Purchase]]:
    """Legal train purchases with the discounts of the company's privates, by private.

    Each counts as a purchase from the bank.

    Rules: R-AL-173.
    """
    payable_purchases = {
        private: [purchase for purchase in possible_purchases if is_payable(t, purchase, private)]
        for private, possible_purchases in purchases_by_private(t).items()
    }
    legal_purchases = {
        private: possible_purchases
        for private, possible_purchases in payable_purchases.items()
        if possible_purchases
    }
    return {} if legal_purchases and train_limit_obstacle(t) else legal_purchases


def _purchase_options(t: Table) -> Iterator[Purchase]:
    limit_refusal = train_limit_obstacle(t)
    if not limit_refusal:
        yield from face_value_purchases(t)
    yield from trade_in_purchases(t)
    if not limit_refusal:
        yield from _company_purchases(t)


def _company_purchases(t: Table) -> Iterator[Purchase]:
    """Possible purchases of other companies' trains (18Chesapeake 11.7, 11.8).

    The price ranges from $1 to the treasury, or to the face value if the president helps.

    Rules: R-AL-182, R-C2C-210, R-CH-141, R-NE-100, R-TN-160.
    """
    company = t.company
    for other in t.state.companies.values():
        for train in salable_trains(other) if other is not company else ():
            if t.rules.train_sale_obstacle(t, other, train) is None:
                yield Purchase(train, other.id, "", lowest_price(t, train))


def lowest_price(t: Table, train: TrainName) -> int:
    """Lowest legal price for another company's train (18Chesapeake 11.8).

    The last share sold for the train must have been needed to pay this price.
    """
    funds_before_last_share, last_share_price = t.turn.funds_before_last_share, t.turn.last_share_price
    if last_share_price is not None and t.company.cash < t.spec.train(train).price:
        return max(1, funds(t) - last_share_price + 1)
    is_any_price_allowed = t.spec.forced_sales == "as_needed" or t.rules.has_flag("sells_in_any_train_step")
    return 1 if funds_before_last_share is None or is_any_price_allowed else funds_before_last_share + 1


def is_payable(t: Table, purchase: Purchase, private: PrivateId | None = None) -> bool:
    """True if the company can pay for this purchase, with this private's discount if one is given."""
    if purchase.trade_in:
        return purchase.lowest_price <= t.company.cash
    if purchase.source in t.state.companies:
        return purchase.lowest_price <= t.company.cash or purchase.lowest_price <= highest_price(t, purchase)
    if _is_at_bank_train_limit_for(t, private):
        return False
    price, cash = purchase.lowest_price, t.company.cash
    return can_pay(t, price) or cash < price <= cash + t.rules.president_help_dollars(t, purchase.train)


def _is_at_bank_train_limit_for(t: Table, private: PrivateId | None) -> bool:
    ignores_bank_limit = private is not None and t.rules.has_flag("discount_beside_other_purchases")
    return is_at_bank_train_limit(t) and not ignores_bank_limit


def payment_obstacle(t: Table, purchase: Purchase, private: PrivateId | None = None) -> Fact | None:
    """The reason why the company cannot pay for this purchase; None if it can. `private` gives a discount."""
    company, train, price = t.company, purchase.train, purchase.lowest_price
    if is_payable(t, purchase, private):
        return None
    if purchase.source in t.state.companies:
        return _no_money_refusal(t, price)
    if not purchase.trade_in and _is_at_bank_train_limit_for(t, private):
        return fact("trains.bank_closed", company=company.id)
    if not purchase.trade_in and is_emergency(t):
        return _too_dear_refusal(t, train, price)
    values = {"train": train, "price": price, "company": company.id, "cash": company.cash}
    trade_in_purchase = next(
        (purchase for purchase in trade_in_purchases(t) if purchase.train == train), None
    )
    if trade_in_purchase is not None:
        return fact("trains.too_dear_even_traded", reduced=trade_in_purchase.lowest_price, **values)
    return fact("trains.too_dear", **values)


def _too_dear_refusal(t: Table, train: str, price: int) -> Fact:
    lowest_dollars = cheapest_train_price(t)
    if price == lowest_dollars:
        president = t.president(t.company.id).id
        values = {"company": t.company.id, "player": president, "funds": funds(t)}
        return fact("forced.not_enough", train=train, price=price, **values)
    others_have_trains = any(other.trains for other in t.state.companies.values())
    name = (
        "cheapest_or_companies" if others_have_trains and t.spec.president_pays_companies else "cheapest_only"
    )
    return fact(f"forced.{name}", price=lowest_dollars)


def _no_money_refusal(t: Table, least_price: int) -> Fact:
    if least_price > 1:
        return fact("forced.sold_for_the_bank", company=t.company.id)
    if is_emergency(t) and not t.spec.president_pays_companies:
        return fact("forced.treasury_only", company=t.company.id)
    return fact("trains.no_dollar", company=t.company.id)


def no_purchase_reason(
    t: Table, buyer: EntityId | None, train: Any = None, source: Any = None, trade_in: Any = None
) -> Fact:
    """The reason why the company, or one of its privates, cannot make this purchase.

    An argument that is None was not specified; the fewer are specified, the more general is the reason.
    """
    if trade_in:
        return fact("trains.not_handed_in", train=trade_in, wanted=train)
    if buyer in t.state.privates:
        return _private_purchase_refusal(t, buyer, train, source)
    if train is None:
        cheapest_purchase = min(
            face_value_purchases(t), key=lambda purchase: purchase.lowest_price, default=None
        )
        return (
            no_purchase_reason(t, buyer, cheapest_purchase.train)
            if cheapest_purchase
            else fact("trains.none_left")
        )
    if train not in t.state.depot:
        return fact("choice.no_train", train=train)
    if limit_refusal := train_limit_obstacle(t):
        return (
            limit_refusal if trade_in is None else fact("train_limit.only_exchange", **limit_refusal.values)
        )
    if not _is_possible_seller(t, source):
        return fact("trains.from_nobody", company=t.company.id, train=train)
    seller = t.state.companies.get(source) if source else None
    if seller is not None and (refusal := _sale_refusal(t, seller, train)):
        return refusal
    possible_purchases = [purchase for purchase in _purchase_options(t) if purchase.train == train]
    if not possible_purchases:
        return _not_for_sale_refusal(t, train)
    if source == t.company.id:
        return fact("trains.from_itself", company=source)
    reasons = (
        payment_obstacle(t, possible_purchase)
        for possible_purchase in possible_purchases
        if source in {None, possible_purchase.source}
    )
    return next(filter(None, reasons), fact("trains.none_from", train=train, seller=seller_name(source)))


def _sale_refusal(t: Table, seller: Company, train: TrainName) -> Fact | None:
    return t.rules.train_sale_obstacle(t, seller, train) if train in salable_trains(seller) else None


def _private_purchase_refusal(t: Table, private: PrivateId, train: Any, source: Any) -> Fact:
    power = train_discount_powers(t).get(private)
    if power is None:
        return fact("trains.no_cheaper_by_private", private=private, company=t.company.id)
    if limit_refusal := train_limit_obstacle(t):
        return limit_refusal
    possible_purchases = [
        purchase for purchase in purchases_by_private(t)[private] if train in {None, purchase.train}
    ]
    if refusal := next(
        filter(None, (payment_obstacle(t, purchase, private) for purchase in possible_purchases)), None
    ):
        return refusal
    if possible_purchases and not _is_possible_seller(t, source):
        return fact("trains.from_nobody", company=t.company.id, train=train)
    return fact("trains.cheaper_by_private", private=private, trains=power.trains)


def _is_possible_seller(t: Table, source: Any) -> bool:
    return source in {None, BANK, POOL, *t.state.companies}


def _not_for_sale_refusal(t: Table, train: str) -> Fact:
    if any(train in company.obsolete for company in t.state.companies.values()):
        return fact("trains.obsolete", train=train)
    new_trains = trains_for_sale(t)
    return fact(
        "trains.not_for_sale" if new_trains else "trains.not_for_sale_none_new",
        train=train,
        trains=tuple(new_trains),
    )


def price_obstacle(t: Table, purchase: Purchase, price: Any) -> Fact:
    """The reason why this price is not legal for the train."""
    source, train, lowest_dollars = purchase.source, purchase.train, purchase.lowest_price
    if source in {BANK, POOL}:
        return fact("trains.fixed_price", train=train, seller=seller_name(source), price=lowest_dollars)
    if not isinstance(price, int) or price < 1:
        return fact("trains.whole_dollars")
    if price < lowest_dollars:
        return fact("forced.last_share_in_vain", price=price, before=lowest_dollars - 1)
    if not president_may_help(t, train):
        seller = seller_name(source)
        return fact("trains.treasury_only", company=t.company.id, cash=t.company.cash, seller=seller)
    face_value = t.spec.train(train).price
    if price > face_value:
        return fact("forced.face_value", train=train, price=face_value)
    return fact("forced.out_of_reach", price=price, most=highest_price(t, purchase))
