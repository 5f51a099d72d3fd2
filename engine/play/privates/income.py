"""Privates pay their owners at the start of every operating round (18Chesapeake 11.2)."""

from engine.core.events import IncomePaid
from engine.core.ids import BANK
from engine.play.table import Table


def pay_incomes(t: Table) -> None:
    """Pay the income of every open private to its owner, player or company.

    Rules: R-AL-100, R-C2C-02B, R-C2C-090, R-CH-080, R-TN-100.
    """
    payments = []
    for private in t.state.privates.values():
        income = t.spec.privates[private.id].income
        if private.owner is not None and not private.closed and income:
            t.pay(BANK, private.owner, income)
            payments.append((private.owner, private.id, income))
    if payments:
        t.emit(IncomePaid(tuple(payments)))
