"""The name of an order, and when it stops automatically."""

from engine.core.facts import Fact, fact
from engine.orders.kinds import (
    BidUpTo,
    BuyShares,
    DoneAfter,
    Order,
    PassMerger,
    PassStock,
    RunBest,
    Seal,
    SkipStep,
)


def description(order: Order) -> Fact:
    """What is done by it."""
    match order:
        case PassStock():
            return fact("order.pass_stock", round=order.round)
        case BuyShares():
            return fact("order.buy_shares", company=order.company, source=order.source)
        case BidUpTo():
            what = fact("order.then_pass" if order.then == "pass" else "order.then_ask")
            return fact("order.bid_up_to", private=order.private, most=order.most, then=what)
        case Seal(maxima=maxima):
            wanted = [(private, most) for private, most in maxima.items() if most]
            if not wanted:
                return fact("order.seal_nothing")
            each = tuple(fact("order.seal_one", private=private, most=most) for private, most in wanted)
            return fact("order.seal", maxima=each)
        case RunBest():
            then = {"pay": "order.and_pay", "withhold": "order.and_withhold", "half": "order.and_half"}
            return fact("order.run_best", company=order.company, then=fact(then[order.dividend]))
        case SkipStep():
            return fact(f"order.skip_{order.step}", company=order.company)
        case PassMerger(number=0):
            return fact("order.pass_union", set=order.set)
        case PassMerger():
            return fact("order.pass_merger", set=order.set, number=order.number)
        case DoneAfter():
            return fact("order.done_after", entity=order.entity, step=fact(f"step.{order.step}"))


def ends(order: Order) -> Fact:
    """When it stops itself."""
    match order:
        case PassStock():
            return fact("order.until_concerned" if order.until == "concerned" else "order.until_round_over")
        case BuyShares(shares=None):
            return fact("order.until_floated", company=order.company)
        case BuyShares():
            return fact("order.until_shares", company=order.company, shares=order.shares)
        case BidUpTo(then="pass"):
            return fact("order.until_sold_or_passed", private=order.private)
        case BidUpTo():
            return fact("order.until_sold_or_beyond", private=order.private)
        case Seal():
            return fact("order.until_all_sold")
        case RunBest():
            return fact("order.until_rusted", company=order.company)
        case SkipStep(phase=None):
            return fact("order.until_withdrawn", company=order.company)
        case SkipStep():
            return fact("order.until_phase_over", company=order.company, phase=order.phase)
        case PassMerger():
            return fact("order.until_merged")
        case DoneAfter():
            return fact("order.until_step_over")
