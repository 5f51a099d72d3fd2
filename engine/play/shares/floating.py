"""When a company gets its capital (rulebook 10.5)."""

from engine.core.events import Floated
from engine.core.ids import BANK, OFFERING, HolderId, PlayerId
from engine.core.state import Company
from engine.play.shares.holdings import sold_from_offering
from engine.play.table import Table


def check_float(t: Table, company: Company) -> None:
    """Float a company once enough of it has left the initial offering; the bank pays all shares' par (10.5)."""
    needed = t.spec.companies[company.id].float_percent
    if company.floated or company.par is None or sold_from_offering(company) < needed:
        return
    company.floated = True
    capital = company.cash
    if not _sells_for_itself(t, company):
        capital = 100 // company.share * company.par
        t.pay(BANK, company.id, capital)
    t.emit(Floated(company.id, capital, t.rules.on_float(t, company)))


def pay_for(t: Table, player: PlayerId, company: Company, source: HolderId, price: int, percent: int) -> None:
    """Pay the bank, which hands the par of what the offering sold on to a company whose sales are its capital.

    A share that a company has itself is paid to it.
    """
    t.pay(player, company.id if source == company.treasury else BANK, price)
    if source == OFFERING and _sells_for_itself(t, company):
        assert company.par is not None
        t.pay(BANK, company.id, company.par * percent // company.share)


def _sells_for_itself(t: Table, company: Company) -> bool:
    return t.spec.companies[company.id].capital == "sales"
