"""Which trains the operating company may buy now, from whom, for how much (rulebook 11.7, 11.8)."""

from engine.core.ids import PrivateId
from engine.play.table import Table
from engine.play.trains.emergency import payable
from engine.play.trains.phases import counted_trains, train_limit
from engine.play.trains.prices import Purchase, at_face, by_private, trade_ins
from engine.play.trains.raising import highest_price


def at_limit(t: Table) -> bool:
    """Whether the company has as many trains as the phase allows (11.7)."""
    return counted_trains(t, t.company) >= train_limit(t, t.company)


def bank_is_closed(t: Table) -> bool:
    """Whether the company has bought as many trains from the bank as a turn allows (11.7)."""
    most = t.phase.bank_trains
    return most is not None and t.turn.bought_from_bank >= most


def purchases(t: Table) -> list[Purchase]:
    """Every purchase that is legal now, those by privates apart."""
    traded = _traded(t)
    if at_limit(t) and not (traded and t.rules.flag("buys_at_the_limit_beside_a_trade_in")):
        return traded
    bank = [] if bank_is_closed(t) else [purchase for purchase in at_face(t) if payable(t, purchase)]
    return bank + traded + _from_companies(t)


def discounts(t: Table) -> dict[PrivateId, list[Purchase]]:
    """What the company's privates let it buy from the bank now; it is one of the bank's trains of the turn."""
    wide = t.rules.flag("discount_beside_other_purchases")
    if at_limit(t) or (bank_is_closed(t) and not wide):
        return {}
    found = {
        private: [purchase for purchase in options if payable(t, purchase)]
        for private, options in by_private(t).items()
    }
    return {private: options for private, options in found.items() if options}


def _traded(t: Table) -> list[Purchase]:
    """Allowed at the limit too, never with the president's money (11.7)."""
    return [purchase for purchase in trade_ins(t) if purchase.low <= t.company.cash]


def _from_companies(t: Table) -> list[Purchase]:
    """From $1 up to the whole treasury; in a forced purchase up to face with the president's help (11.7, 11.8)."""
    others = [company for company in t.state.companies.values() if company.id != t.company.id]
    found = [
        Purchase(train, other.id, "", lowest_price(t), highest_price(t, other, train))
        for other in others
        for train in dict.fromkeys(other.trains)
    ]
    return [purchase for purchase in found if purchase.low <= purchase.high]


def lowest_price(t: Table) -> int:
    """The least for a train of another company: it needs the last share sold, which was not in vain (11.8)."""
    before = t.turn.funds_before_last_share
    free = t.spec.forced_sales == "as_needed" or t.rules.flag("sells_in_any_train_step")
    return 1 if before is None or free else before + 1
