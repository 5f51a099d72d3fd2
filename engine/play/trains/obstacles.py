"""Why a train cannot be bought, or nothing be sold for one (rulebook 11.7, 11.8)."""

from typing import Any

from engine.core.facts import Fact, fact
from engine.core.ids import BANK, POOL, PrivateId
from engine.core.offers import Chosen
from engine.play.table import Table
from engine.play.trains.emergency import cheapest_price, emergency, funds, may_contribute, must_buy
from engine.play.trains.phases import train_limit, trains_for_sale
from engine.play.trains.prices import at_face, by_private, discount_powers, seller, trade_ins
from engine.play.trains.purchases import at_limit, bank_is_closed, lowest_price
from engine.play.trains.raising import bank_aim, highest_price


def why_nothing(t: Table) -> Fact:
    """Why the company can buy no train at all."""
    cheapest = min(at_face(t), key=lambda purchase: purchase.low, default=None)
    return fact("trains.none_left") if cheapest is None else why_no_train(t, cheapest.train)


def why_no_train(t: Table, train: Any) -> Fact:
    """Why the company cannot buy a train of this kind."""
    if train not in t.state.depot:
        return fact("choice.no_train", train=train)
    if at_limit(t):
        return fact("train_limit.reached", company=t.company.id, limit=train_limit(t, t.company))
    prices = [purchase.low for purchase in at_face(t) if purchase.train == train]
    if prices:
        return _why_not_from_bank(t, train, prices[0])
    if any(train in other.trains for other in t.state.companies.values() if other.id != t.company.id):
        return _why_not_from_companies(t)
    return _why_not_for_sale(t, train)


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


def _why_not_from_companies(t: Table) -> Fact:
    """Not a dollar of the price can be paid, or less than what shares were sold for."""
    if lowest_price(t) > 1:
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


def why_not_from(t: Table, chosen: Chosen, source: Any) -> Fact:
    """Why a train cannot be bought from that seller."""
    values = {"company": t.company.id, "train": chosen["train"]}
    if source in {BANK, POOL} or source in t.state.companies:
        return fact("trains.not_from", seller=seller(source), **values)
    return fact("trains.from_nobody", **values)


def why_not_traded(t: Table, chosen: Chosen, train: Any) -> Fact:
    """Why that train, or none, cannot be handed in."""
    if train:
        return fact("trains.not_handed_in", train=train, wanted=chosen["train"])
    if at_limit(t):
        return fact("train_limit.only_exchange", company=t.company.id, limit=train_limit(t, t.company))
    return why_no_train(t, chosen["train"])


def why_not_price(t: Table, chosen: Chosen, price: Any, low: int) -> Fact:
    """Why that is not the price of a train, which costs at least `low` dollars."""
    source, train = chosen["source"], chosen["train"]
    if source in {BANK, POOL}:
        return fact("trains.fixed_price", train=train, seller=seller(source), price=low)
    if not isinstance(price, int) or price < 1:
        return fact("trains.whole_dollars")
    if price < low:
        return fact("forced.last_share_in_vain", price=price, before=low - 1)
    if not may_contribute(t, train):
        return fact("trains.treasury_only", company=t.company.id, cash=t.company.cash, seller=seller(source))
    face = t.spec.train(train).price
    if price > face:
        return fact("forced.face_value", train=train, price=face)
    return fact("forced.out_of_reach", price=price, most=highest_price(t, t.state.companies[source], train))


def why_no_sale(t: Table) -> Fact:
    """Why the president sells nothing for a train now."""
    company, player = t.company.id, t.president(t.company.id)
    if bank_aim(t) is not None:
        return fact("forced.nothing_to_sell", player=player.id)
    if not must_buy(t):
        return fact("forced.sales_only_for_a_train", company=company)
    if not emergency(t):
        return fact("forced.treasury_pays", company=company, player=player.id)
    return fact("forced.cash_comes_first", company=company, player=player.id, cash=player.cash)
