"""Which trains the operating company may buy now, from whom, for how much (18Chesapeake 11.7, 11.8)."""

from collections.abc import Iterator

from engine.core.ids import PrivateId, TrainName
from engine.play.table import Table
from engine.play.trains.forced_purchase.obligation import funds, payable
from engine.play.trains.forced_purchase.president_sales import highest_price
from engine.play.trains.phases import counted_trains, train_limit
from engine.play.trains.prices import Purchase, at_face, by_private, trade_ins


def at_limit(t: Table) -> bool:
    """Whether the company has as many trains as the phase allows (18Chesapeake 11.7).

    Rules: R-AL-183, R-C2C-210, R-CH-142, R-NE-100, R-TN-162.
    """
    return counted_trains(t, t.company) >= train_limit(t, t.company)


def bank_is_closed(t: Table) -> bool:
    """Whether the company has bought as many trains from the bank as a turn allows (18AL 4.2.5(f), 18TN 4.2.5(f)).

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
        yield from (purchase for purchase in at_face(t) if payable(t, purchase))
    yield from traded
    yield from _from_companies(t)


def discounts(t: Table) -> dict[PrivateId, list[Purchase]]:
    """What the company's privates let it buy from the bank now; it is one of the bank's trains of the turn.

    Rules: R-AL-173.
    """
    wide = t.rules.flag("discount_beside_other_purchases")
    if at_limit(t) or (bank_is_closed(t) and not wide):
        return {}
    found = {
        private: [purchase for purchase in options if payable(t, purchase)]
        for private, options in by_private(t).items()
    }
    return {private: options for private, options in found.items() if options}


def _traded(t: Table) -> list[Purchase]:
    """Allowed at the limit too, never with the president's money (18Chesapeake 11.7)."""
    return [purchase for purchase in trade_ins(t) if purchase.low <= t.company.cash]


def _from_companies(t: Table) -> Iterator[Purchase]:
    """From $1 up to the whole treasury; in a forced purchase up to face with the president's help
    (18Chesapeake 11.7, 11.8).

    Rules: R-AL-182, R-C2C-210, R-CH-141, R-NE-100, R-TN-160.
    """
    buyer = t.company
    for other in t.state.companies.values():
        for train in dict.fromkeys(other.trains) if other is not buyer else ():
            low, high = lowest_price(t, train), highest_price(t, other, train)
            if low <= high:
                yield Purchase(train, other.id, "", low, high)


def lowest_price(t: Table, train: TrainName) -> int:
    """The least for a train of another company: it needs the last share sold, which was not in vain
    (18Chesapeake 11.8).
    """
    before, last = t.turn.funds_before_last_share, t.turn.last_share_price
    if last is not None and t.company.cash < t.spec.train(train).price:
        return max(1, funds(t) - last + 1)
    free = t.spec.forced_sales == "as_needed" or t.rules.flag("sells_in_any_train_step")
    return 1 if before is None or free else before + 1
