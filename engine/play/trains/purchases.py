"""Which trains the operating company may buy, from whom, for how much (rulebook 11.7, 11.8)."""

from dataclasses import dataclass

from engine.core.ids import BANK, POOL, PrivateId, TrainName
from engine.core.spec import TrainDiscountPower
from engine.play.table import Table
from engine.play.trains import emergency
from engine.play.trains.phases import counted_trains, trains_for_sale


@dataclass(frozen=True, slots=True)
class Purchase:
    """One possible purchase: the train, its seller, the train handed in (or empty), lowest and highest price."""

    train: TrainName
    source: str
    trade_in: str
    low: int
    high: int

    def label(self) -> str:
        """`4-train from the bank $300`."""
        seller = f"the {self.source}" if self.source in {BANK, POOL} else self.source
        price = f"${self.low}" if self.low == self.high else f"${self.low} to ${self.high}"
        handed = f", handing in a {self.trade_in}-train" if self.trade_in else ""
        return f"{self.train}-train from {seller} {price}{handed}"


def purchases(t: Table) -> list[Purchase]:
    """Every purchase that is legal now."""
    found = _trade_ins(t)
    wide = bool(found) and t.rules.flag("buys_at_the_limit_beside_a_trade_in")
    if counted_trains(t, t.company) >= t.phase.train_limit and not wide:
        return found
    priced = fixed_prices(t)
    affordable = [p for p in priced if p.low <= t.company.cash]
    if affordable or not emergency.must_buy(t):
        found = affordable + found
    else:
        found += _forced(t, priced)
    return found + _from_companies(t)


def _forced(t: Table, priced: list[Purchase]) -> list[Purchase]:
    """The cheapest train of bank and pool, if treasury and president can pay it and no share was sold in vain."""
    price = emergency.cheapest_price(t)
    before = t.turn.funds_before_last_share
    in_vain = before is not None and price is not None and price <= before
    if price is None or price > emergency.funds(t) or in_vain:
        return []
    return [purchase for purchase in priced if purchase.low == price]


def discounts(t: Table) -> dict[PrivateId, list[Purchase]]:
    """What the company's privates let it buy from the bank at a lower price, once."""
    found: dict[PrivateId, list[Purchase]] = {}
    if counted_trains(t, t.company) >= t.phase.train_limit:
        return found
    wide = t.rules.flag("discount_beside_other_purchases")
    if bank_is_closed(t) and not wide:
        return found
    sources = [(train, BANK) for train in trains_for_sale(t)]
    sources += [(train, POOL) for train in dict.fromkeys(t.state.pool)] if wide else []
    reach = emergency.funds(t) if emergency.must_buy(t) else t.company.cash
    for private in t.state.privates.values():
        for power in t.spec.privates[private.id].powers:
            if private.owner == t.company.id and isinstance(power, TrainDiscountPower):
                priced = [
                    _reduced(t, train, source, power) for train, source in sources if train in power.trains
                ]
                found[private.id] = [purchase for purchase in priced if purchase.low <= reach]
    return {private: options for private, options in found.items() if options}


def _reduced(t: Table, train: TrainName, source: str, power: TrainDiscountPower) -> Purchase:
    price = t.spec.train(train).price * power.percent // 100
    return Purchase(train, source, "", price, price)


def bank_is_closed(t: Table) -> bool:
    """Whether the company has bought as many trains from the bank as a turn allows (11.7)."""
    most = t.phase.bank_trains
    return most is not None and t.turn.bought_from_bank >= most


def fixed_prices(t: Table) -> list[Purchase]:
    """New trains the bank sells now and those in the bank pool, at face value, as many as a turn allows (11.7)."""
    if bank_is_closed(t):
        return []
    new = [_at_face(t, train, BANK) for train in trains_for_sale(t)]
    return new + [_at_face(t, train, POOL) for train in dict.fromkeys(t.state.pool)]


def _at_face(t: Table, train: TrainName, source: str) -> Purchase:
    price = t.spec.train(train).price
    return Purchase(train, source, "", price, price)


def _trade_ins(t: Table) -> list[Purchase]:
    """Allowed at the limit too, never with the president's money (11.7)."""
    found = []
    offered = [(name, BANK) for name in trains_for_sale(t)]
    if t.rules.flag("trade_ins_buy_from_the_pool"):
        offered += [(name, POOL) for name in dict.fromkeys(t.state.pool)]
    for name, source in offered:
        deal = t.spec.train(name).trade_in
        if deal is not None and deal.price <= t.company.cash:
            own = dict.fromkeys(train for train in t.company.trains if train in deal.accepts)
            found += [Purchase(name, source, train, deal.price, deal.price) for train in own]
    return found


def _from_companies(t: Table) -> list[Purchase]:
    """From $1 up to the whole treasury; in a forced purchase up to face with the president's help (11.7, 11.8)."""
    found = []
    for seller in t.state.companies.values():
        if seller.id == t.company.id:
            continue
        for train in dict.fromkeys(seller.trains):
            low, high = _lowest(t), _highest(t, train)
            if low <= high:
                found.append(Purchase(train, seller.id, "", low, high))
    return found


def _lowest(t: Table) -> int:
    """No share may have been sold in vain: the price uses what its sale brought (11.8)."""
    before = t.turn.funds_before_last_share
    unchecked = before is None or t.rules.flag("sells_in_any_train_step")
    return 1 if before is None or unchecked else before + 1


def _highest(t: Table, train: TrainName) -> int:
    treasury = t.company.cash
    if not emergency.may_contribute(t, train) or not t.spec.president_pays_companies:
        return treasury
    president = t.president(t.company.id)
    return max(treasury, min(t.spec.train(train).price, treasury + president.cash))
