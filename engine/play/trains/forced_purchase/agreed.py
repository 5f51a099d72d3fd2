"""A train of another company that is agreed on first, and paid by sales afterwards (18Chesapeake 11.8)."""

from engine.core.actions import BuyTrain
from engine.core.events import TrainAgreed
from engine.core.ids import CompanyId
from engine.core.state import Deal
from engine.play.table import Table
from engine.play.trains.buying import buy_train
from engine.play.trains.forced_purchase.emergency_share_limits import left_in_reach, needed
from engine.play.trains.forced_purchase.obligation import funds
from engine.play.trains.forced_purchase.president_sales import Aim, sellable


def settle(t: Table, action: BuyTrain) -> None:
    """Buy what can be paid; else the train is agreed on, and the president sells shares for it now
    (18Chesapeake 11.8).
    """
    missing = action.price - funds(t)
    if missing <= 0:
        buy_train(t, action)
        return
    t.turn.deal = Deal(action.train, action.source, action.price)
    t.emit(TrainAgreed(t.company.id, action.train, action.source, action.price, missing))


def deal_aim(t: Table) -> Aim | None:
    """The train of another company that has been agreed on and is not paid yet (18Chesapeake 11.8)."""
    deal = t.turn.deal
    return None if deal is None else Aim(deal.price, frozenset({t.company.id, deal.source}))


def deal_blocks(t: Table, aim: Aim) -> dict[CompanyId, list[int]]:
    """Blocks for a train that was agreed on: no more than needed, and so that it can still be paid
    (18Chesapeake 11.8).
    """
    found = sellable(t, aim.keeps)
    return left_in_reach(t, aim.missing(t), found, needed(t, aim.missing(t), found))


def pay_deal(t: Table) -> None:
    """Buy the train that was agreed on, as soon as it can be paid (18Chesapeake 11.8)."""
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
