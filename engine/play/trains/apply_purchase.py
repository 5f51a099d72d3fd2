"""Carrying out a train purchase, at once or after sales of shares (18Chesapeake 8, 11.7, 11.8)."""

from engine.core.actions import BuyTrain
from engine.core.events import TrainBought, TrainPurchaseAgreed
from engine.core.ids import BANK, POOL, CompanyId
from engine.core.spec import ClosesOnTrainPower
from engine.core.state import TrainDeal
from engine.play.table import Table
from engine.play.trains.forced_purchase import (
    SalesTarget,
    blocks_keeping_presidencies,
    funds,
    kept_presidencies,
)
from engine.play.trains.forced_sale_limits import blocks_leaving_enough_sales, needed_blocks
from engine.play.trains.phases import add_train, close_private, remove_train, take_train_from_bank


def needs_consent(t: Table, action: BuyTrain) -> bool:
    """True if another president must agree to the train purchase (18Chesapeake 11.7).

    Rules: R-C2C-210, R-CH-141.
    """
    if action.source in {BANK, POOL} or t.rules.has_flag("consent_is_implied"):
        return False
    return t.president(action.source).id != action.actor


def buy_train(t: Table, action: BuyTrain) -> None:
    """Buy a train: pay, with the president's money if needed, transfer it, and start its phase (18Chesapeake 8).

    Rules: R-CH-142, R-NE-100.
    """
    company = t.company
    president_dollars = _pay_for_train(t, action)
    if action.trade_in:
        company.trains.remove(action.trade_in)
        if t.spec.pool_takes_trains:
            t.state.pool.append(action.trade_in)
    _take_train_from_seller(t, action.source, action.train)
    add_train(company, action.train)
    _record_purchase(t, action.source)
    t.emit(
        TrainBought(
            company.id,
            action.train,
            action.source,
            action.price,
            president_dollars,
            action.trade_in,
            company.cash,
        )
    )
    if action.source == BANK:
        take_train_from_bank(t, action.train)
    _close_linked_private(t, company.id)
    if action.entity in t.state.privates:
        close_private(t, action.entity)
    company.trains_bought += 1


def _pay_for_train(t: Table, action: BuyTrain) -> int:
    company = t.company.id
    president_dollars = max(0, action.price - t.company.cash)
    if president_dollars:
        may_go_into_debt = t.spec.bankruptcy == "never"
        t.pay(t.president(company).id, company, president_dollars, on_credit=may_go_into_debt)
    t.pay(company, BANK if action.source in {BANK, POOL} else action.source, action.price)
    return president_dollars


def _record_purchase(t: Table, source: str) -> None:
    turn = t.turn
    turn.bought += 1
    turn.last_seller = source
    turn.bought_from_bank += source in {BANK, POOL}
    turn.funds_before_last_share = turn.smallest_sale = turn.deal = None


def _take_train_from_seller(t: Table, source: str, train: str) -> None:
    if source == POOL:
        t.state.pool.remove(train)
    elif source != BANK:
        remove_train(t.state.companies[source], train)


def _close_linked_private(t: Table, company: CompanyId) -> None:
    """Close the private that came with the company's share, if this is the company's first train (18Chesapeake 7.1).

    Rules: R-C2C-02A, R-CH-104.
    """
    if t.state.companies[company].trains_bought:
        return
    for private in t.state.privates.values():
        closes_on_train = any(
            isinstance(power, ClosesOnTrainPower) for power in t.spec.privates[private.id].powers
        )
        if closes_on_train and private.linked == company:
            close_private(t, private.id)


def buy_now_or_agree_to_buy(t: Table, action: BuyTrain) -> None:
    """Buy the train if affordable; else agree on a deal for which the president sells shares (18Chesapeake 11.8)."""
    missing_dollars = action.price - funds(t)
    if missing_dollars <= 0:
        buy_train(t, action)
        return
    t.turn.deal = TrainDeal(action.train, action.source, action.price)
    t.emit(TrainPurchaseAgreed(t.company.id, action.train, action.source, action.price, missing_dollars))


def deal_sales_target(t: Table) -> SalesTarget | None:
    """The price that share sales must reach for the agreed train; None if no train is agreed (18Chesapeake 11.8)."""
    deal = t.turn.deal
    return None if deal is None else SalesTarget(deal.price, kept_presidencies(t, deal.source))


def blocks_for_deal(t: Table, sales_target: SalesTarget) -> dict[CompanyId, list[int]]:
    """Blocks the president can sell for the agreed train: none larger than needed, and none that makes it unaffordable.

    See 18Chesapeake 11.8.
    """
    legal_blocks = blocks_keeping_presidencies(t, sales_target.kept_presidencies)
    return blocks_leaving_enough_sales(
        t,
        sales_target.missing_dollars(t),
        legal_blocks,
        needed_blocks(t, sales_target.missing_dollars(t), legal_blocks),
    )


def buy_agreed_train(t: Table) -> None:
    """Buy the agreed train of another company, if there is enough money now (18Chesapeake 11.8)."""
    deal = t.turn.deal
    if deal is None or deal.price > funds(t):
        return
    company = t.company.id
    buy_train(
        t,
        BuyTrain(
            actor=t.president(company).id,
            entity=company,
            train=deal.train,
            source=deal.source,
            trade_in="",
            price=deal.price,
        ),
    )
