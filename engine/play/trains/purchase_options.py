"""Trains the operating company may buy now, from whom, for how much, and why not (18Chesapeake 11.7, 11.8)."""

from collections.abc import Iterator
from typing import Any

from engine.core.facts import Fact, fact
from engine.core.ids import BANK, POOL, EntityId, PrivateId, TrainName
from engine.core.offers import Chosen
from engine.play.table import Table
from engine.play.trains.forced_purchase import (
    can_be_paid,
    cheapest_price,
    emergency,
    funds,
    highest_price,
    may_contribute,
)
from engine.play.trains.phases import counted_trains, train_limit, trains_for_sale
from engine.play.trains.train_prices import (
    Purchase,
    by_private,
    discount_powers,
    face_value_purchases,
    seller_name,
    trade_ins,
)


def at_limit(t: Table) -> bool:
    """True if the company has as many trains as the phase allows (18Chesapeake 11.7).

    Rules: R-AL-183, R-C2C-210, R-CH-142, R-NE-100, R-TN-162.
    """
    return counted_trains(t, t.company) >= train_limit(t, t.company)


def bank_is_closed(t: Table) -> bool:
    """True if the company has bought as many trains from the bank as a turn allows (18AL 4.2.5(f), 18TN 4.2.5(f)).

    Rules: R-AL-181, R-TN-161.
    """
    most = t.phase.bank_trains
    return most is not None and t.turn.bought_from_bank >= most


def purchases(t: Table) -> Iterator[Purchase]:
    """Every purchase that is legal now, those by privates apart."""
    traded = _traded(t)
    if at_limit(t) and not (traded and t.rules.flag("buys_at_the_limit_beside_a_trade_in")):
        yield from traded
        return
    if not bank_is_closed(t):
        yield from (purchase for purchase in face_value_purchases(t) if can_be_paid(t, purchase))
    yield from traded
    yield from _from_companies(t)


def discounted_purchases(t: Table) -> dict[PrivateId, list[Purchase]]:
    """Purchases by the company's privates now; each is one of the bank's trains of the turn.

    Rules: R-AL-173.
    """
    wide = t.rules.flag("discount_beside_other_purchases")
    if at_limit(t) or (bank_is_closed(t) and not wide):
        return {}
    found = {
        private: [purchase for purchase in options if can_be_paid(t, purchase)]
        for private, options in by_private(t).items()
    }
    return {private: options for private, options in found.items() if options}


def _traded(t: Table) -> list[Purchase]:
    """Allowed at the limit too, never with the president's money (18Chesapeake 11.7)."""
    return [purchase for purchase in trade_ins(t) if purchase.low <= t.company.cash]


def _from_companies(t: Table) -> Iterator[Purchase]:
    """From $1 up to the treasury, if forced up to face with the president's help (18Chesapeake 11.7, 11.8).

    Rules: R-AL-182, R-C2C-210, R-CH-141, R-NE-100, R-TN-160.
    """
    buyer = t.company
    for other in t.state.companies.values():
        for train in dict.fromkeys(other.trains) if other is not buyer else ():
            low, high = lowest_price(t, train), highest_price(t, other, train)
            if low <= high:
                yield Purchase(train, other.id, "", low, high)


def lowest_price(t: Table, train: TrainName) -> int:
    """The least for another company's train: it needs the last share sold (18Chesapeake 11.8)."""
    before, last = t.turn.funds_before_last_share, t.turn.last_share_price
    if last is not None and t.company.cash < t.spec.train(train).price:
        return max(1, funds(t) - last + 1)
    free = t.spec.forced_sales == "as_needed" or t.rules.flag("sells_in_any_train_step")
    return 1 if before is None or free else before + 1


def why_no_train_at_all(t: Table) -> Fact:
    """Why the company can buy no train at all."""
    cheapest = min(face_value_purchases(t), key=lambda purchase: purchase.low, default=None)
    return fact("trains.none_left") if cheapest is None else why_no_train(t, cheapest.train)


def why_no_train(t: Table, train: Any, source: Any = None) -> Fact:
    """Why the company cannot buy a train of this kind, from this seller if one is named."""
    if train not in t.state.depot:
        return fact("choice.no_train", train=train)
    if at_limit(t):
        return fact("train_limit.reached", company=t.company.id, limit=train_limit(t, t.company))
    if source is not None and source not in {BANK, POOL, *t.state.companies}:
        return fact("trains.from_nobody", company=t.company.id, train=train)
    asked = [one for one in face_value_purchases(t) if one.train == train]
    others = [
        other.id for other in t.state.companies.values() if other is not t.company and train in other.trains
    ]
    if not asked and not others:
        return _why_not_for_sale(t, train)
    if source in {BANK, POOL}:
        asked = [one for one in asked if one.source == source]
    if source == t.company.id:
        return fact("trains.from_itself", company=source)
    if source in t.state.companies or not asked:
        if source in {None, *others}:
            return _why_not_from_companies(t, train)
        return fact("trains.none_from", train=train, seller=seller_name(source))
    return _why_not_from_bank(t, train, asked[0].low)


def _why_not_from_bank(t: Table, train: str, price: int) -> Fact:
    if bank_is_closed(t):
        return fact("trains.bank_closed", company=t.company.id)
    if emergency(t):
        return _why_not_with_help(t, train, price)
    traded = next((purchase for purchase in trade_ins(t) if purchase.train == train), None)
    values = {"train": train, "price": price, "company": t.company.id, "cash": t.company.cash}
    if traded is not None:
        return fact("trains.too_dear_even_traded", reduced=traded.low, **values)
    return fact("trains.too_dear", **values)


def _why_not_with_help(t: Table, train: str, price: int) -> Fact:
    """The president's money is needed: not the cheapest train, or too little money."""
    cheapest = cheapest_price(t)
    if price == cheapest:
        president = t.president(t.company.id).id
        values = {"company": t.company.id, "player": president, "funds": funds(t)}
        return fact("forced.not_enough", train=train, price=price, **values)
    others = any(other.trains for other in t.state.companies.values())
    name = "cheapest_or_companies" if others and t.spec.president_pays_companies else "cheapest_only"
    return fact(f"forced.{name}", price=cheapest)


def _why_not_from_companies(t: Table, train: str) -> Fact:
    """Not a dollar of the price can be paid, or less than what shares were sold for."""
    if lowest_price(t, train) > 1:
        return fact("forced.sold_for_the_bank", company=t.company.id)
    if emergency(t) and not t.spec.president_pays_companies:
        return fact("forced.treasury_only", company=t.company.id)
    return fact("trains.no_dollar", company=t.company.id)


def _why_not_for_sale(t: Table, train: str) -> Fact:
    if any(train in company.obsolete for company in t.state.companies.values()):
        return fact("trains.obsolete", train=train)
    new = trains_for_sale(t)
    return fact(
        "trains.not_for_sale" if new else "trains.not_for_sale_none_new", train=train, trains=tuple(new)
    )


def why_not_by(t: Table, private: PrivateId, train: Any) -> Fact:
    """Why the company cannot buy a train of this kind (None: any) at the lower price of a private."""
    power = discount_powers(t).get(private)
    if power is None:
        return fact("trains.no_cheaper_by_private", private=private, company=t.company.id)
    if at_limit(t):
        return fact("train_limit.reached", company=t.company.id, limit=train_limit(t, t.company))
    options = by_private(t)[private]
    wanted = [purchase for purchase in options if train in {None, purchase.train}]
    if not wanted:
        return fact("trains.cheaper_by_private", private=private, trains=power.trains)
    return _why_not_from_bank(t, wanted[0].train, wanted[0].low)


def why_not_from(t: Table, entity: EntityId, chosen: Chosen, source: Any) -> Fact:
    """Why the company, or its private, cannot buy such a train from that seller."""
    train = chosen["train"]
    if source not in {BANK, POOL, *t.state.companies}:
        return fact("trains.from_nobody", company=t.company.id, train=train)
    power = discount_powers(t).get(entity)
    if power is not None:
        return fact("trains.cheaper_by_private", private=entity, trains=power.trains)
    return why_no_train(t, train, source)


def why_not_traded(t: Table, chosen: Chosen, train: Any) -> Fact:
    """Why that train, or none, cannot be handed in."""
    if train:
        return fact("trains.not_handed_in", train=train, wanted=chosen["train"])
    if at_limit(t):
        return fact("train_limit.only_exchange", company=t.company.id, limit=train_limit(t, t.company))
    return why_no_train(t, chosen["train"], chosen["source"])


def why_not_price(t: Table, chosen: Chosen, price: Any, low: int) -> Fact:
    """Why that is not the price of a train, which costs at least `low` dollars."""
    source, train = chosen["source"], chosen["train"]
    if source in {BANK, POOL}:
        return fact("trains.fixed_price", train=train, seller=seller_name(source), price=low)
    if not isinstance(price, int) or price < 1:
        return fact("trains.whole_dollars")
    if price < low:
        return fact("forced.last_share_in_vain", price=price, before=low - 1)
    if not may_contribute(t, train):
        return fact(
            "trains.treasury_only", company=t.company.id, cash=t.company.cash, seller=seller_name(source)
        )
    face = t.spec.train(train).price
    if price > face:
        return fact("forced.face_value", train=train, price=face)
    return fact("forced.out_of_reach", price=price, most=highest_price(t, t.state.companies[source], train))
