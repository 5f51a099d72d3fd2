"""When a company gets its capital (18Chesapeake 10.5)."""

from engine.core.events import Floated
from engine.core.ids import BANK, OFFERING, REISSUED, HolderId, PlayerId
from engine.core.state import Company
from engine.play.shares.extra_tokens import on_sale
from engine.play.shares.holdings import sold_from_offering
from engine.play.table import Table


def check_float(t: Table, company: Company) -> None:
    """Float a company once enough of it has left the initial offering; the bank pays all shares' par
    (18Chesapeake 10.5).

    Rules: R-AL-070, R-AL-071, R-C2C-060, R-CH-065, R-TN-070.
    """
    needed = t.spec.companies[company.id].float_percent
    if company.floated or company.par is None or sold_from_offering(company) < needed:
        return
    company.floated = True
    money = company.cash
    if not _sells_for_itself(t, company):
        _, money = capital(t, company, company.par)
        t.pay(BANK, company.id, money)
    t.emit(Floated(company.id, money, t.rules.on_float(t, company)))
    if on_sale(t, company):
        t.stock.tokens_due = company.id


def capital(t: Table, company: Company, par: int) -> tuple[int, int]:
    """Dollars that a company gets at this par price: for the certificate of its president, and when it floats."""
    if _sells_for_itself(t, company):
        return par * company.certificate // company.share, 0
    return 0, 100 // company.share * par


def pay_for(t: Table, player: PlayerId, company: Company, source: HolderId, price: int, percent: int) -> None:
    """Pay the bank, which hands the par of what the offering sold on to a company whose sales are its capital.

    A share that a company has or had itself is paid to it.

    Rules: R-NE-043.
    """
    if source in (company.treasury, REISSUED):
        t.pay(player, company.id, price)
        return
    t.pay(player, BANK, price)
    t.pay(BANK, company.id, income(t, company, source, price, percent))


def income(t: Table, company: Company, source: HolderId, price: int, percent: int) -> int:
    """Dollars that a company gets for so much of it from there."""
    if source in (company.treasury, REISSUED):
        return price
    if source != OFFERING or not _sells_for_itself(t, company):
        return 0
    assert company.par is not None
    return company.par * percent // company.share


def _sells_for_itself(t: Table, company: Company) -> bool:
    return t.spec.companies[company.id].capital == "sales"
