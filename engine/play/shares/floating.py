"""When a company gets its capital (rulebook 10.5)."""

from engine.core.events import Floated
from engine.core.ids import BANK
from engine.core.state import Company
from engine.play.shares.holdings import sold_from_offering
from engine.play.table import Table

CAPITAL_SHARES = 10
"""Full capitalisation: ten times the par price, whatever has been sold (10.5)."""


def check_float(t: Table, company: Company) -> None:
    """Float a company once enough of it has left the initial offering."""
    needed = t.spec.companies[company.id].float_percent
    if company.floated or company.par is None or sold_from_offering(company) < needed:
        return
    company.floated = True
    capital = CAPITAL_SHARES * company.par
    t.pay(BANK, company.id, capital)
    t.emit(Floated(company.id, capital, t.rules.on_float(t, company)))
