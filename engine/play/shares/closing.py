"""A company leaves the game for good."""

from engine.core.events import CompanyClosed
from engine.core.ids import BANK, REMOVED
from engine.core.state import Company
from engine.play.privates.markers import lose_all
from engine.play.shares.market_spaces import flip_marker
from engine.play.table import Table
from engine.play.trains.phases import close_private


def close_company(t: Table, company: Company) -> None:
    """Tokens leave the map; trains, privates and shares are gone, the bank takes the cash.

    The marker leaves the market, or is flipped on its space.
    """
    t.map.remove_company(company.id)
    for private in [p for p in t.state.privates.values() if p.owner == company.id]:
        close_private(t, private.id)
    t.pay(company.id, BANK, company.cash)
    flip_marker(t, company)
    lose_all(t, company.id)
    company.trains, company.obsolete, company.tokens, company.markers = [], [], [], {}
    company.extra = None
    left = sum(company.shares.values())
    company.shares, company.certificate_holder = {REMOVED: left} if left else {}, REMOVED
    company.par, company.floated, company.closed = None, False, True
    t.emit(CompanyClosed(company.id))
