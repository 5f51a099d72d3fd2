"""Train prices of bank and pool: face value, private discounts (R-AL-173) and trade-ins (18Chesapeake 11.7)."""

from typing import NamedTuple

from engine.core.facts import Fact, fact
from engine.core.ids import BANK, POOL, PrivateId, TrainName
from engine.core.spec import TrainDiscountPower
from engine.play.table import Table
from engine.play.trains.phases import trains_for_sale


class Purchase(NamedTuple):
    """A possible train purchase: train, seller, train traded in (or empty), and lowest price in dollars.

    The lowest price is the only price if the bank or the pool sells.
    """

    train: TrainName
    source: str
    trade_in: str
    lowest_price: int


def seller_name(source: str) -> Fact:
    """The seller of a train as text: bank, pool or a company."""
    if source in {BANK, POOL}:
        return fact(f"seller.{source}")
    return fact("seller.company", company=source)


def face_value_purchases(t: Table) -> list[Purchase]:
    """Purchases at face value: new trains for sale in the bank, and trains in the pool (18Chesapeake 11.7).

    Rules: R-AL-180, R-C2C-210, R-CH-140, R-NE-100, R-TN-160, D-AL-16, D-CH-18, D-TN-13.
    """
    offered_trains = [*_new_trains(t), *_pool_trains(t)]
    return [Purchase(train, source, "", t.spec.train(train).price) for train, source in offered_trains]


def train_discount_powers(t: Table) -> dict[PrivateId, TrainDiscountPower]:
    """Train discount powers of the company's privates, by private.

    Rules: R-AL-174.
    """
    owner = t.company.id
    return {
        private.id: power
        for private in t.state.privates.values()
        if private.owner == owner
        for power in t.spec.privates[private.id].powers
        if isinstance(power, TrainDiscountPower)
    }


def purchases_discounted_by(t: Table, private: PrivateId) -> list[Purchase]:
    """Possible train purchases with this private's discount."""
    powers = t.spec.privates[private].powers
    return [
        purchase
        for power in powers
        if isinstance(power, TrainDiscountPower)
        for purchase in _discounted_purchases(t, power)
    ]


def purchases_by_private(t: Table) -> dict[PrivateId, list[Purchase]]:
    """Possible train purchases with a discount, by the private that gives it.

    Rules: R-AL-173.
    """
    return {private: purchases_discounted_by(t, private) for private in train_discount_powers(t)}


def _discounted_purchases(t: Table, power: TrainDiscountPower) -> list[Purchase]:
    includes_pool = t.rules.has_flag("discount_beside_other_purchases")
    offered_trains = [*_new_trains(t), *_pool_trains(t)] if includes_pool else _new_trains(t)
    return [
        Purchase(train, source, "", power.reduced_price(t.spec.train(train).price))
        for train, source in offered_trains
        if train in power.trains
    ]


def trade_in_purchases(t: Table) -> list[Purchase]:
    """Possible train purchases with an older train traded in (18Chesapeake 11.7).

    Rules: R-CH-145, R-CH-301.
    """
    offered_trains = (
        [*_new_trains(t), *_pool_trains(t)]
        if t.rules.has_flag("trade_ins_buy_from_the_pool")
        else _new_trains(t)
    )
    purchases = []
    for name, source in offered_trains:
        trade_in_spec = t.spec.train(name).trade_in
        if trade_in_spec is not None:
            trains_to_trade_in = dict.fromkeys(
                train for train in t.company.trains if train in trade_in_spec.accepts
            )
            purchases += [Purchase(name, source, train, trade_in_spec.price) for train in trains_to_trade_in]
    return purchases


def _new_trains(t: Table) -> list[tuple[TrainName, str]]:
    return [(train, BANK) for train in trains_for_sale(t)]


def _pool_trains(t: Table) -> list[tuple[TrainName, str]]:
    return [(train, POOL) for train in dict.fromkeys(t.state.pool)]
