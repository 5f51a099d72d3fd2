"""What a player may still do in their stock turn: sales and purchases in the order the title allows."""

from collections.abc import Iterable

from engine.core.facts import Fact, fact
from engine.core.ids import MARKET, HolderId
from engine.core.state import Company
from engine.play.shares import holdings
from engine.play.table import Table


def sales_open(t: Table) -> bool:
    """True if shares may be sold in this stock round: not in the first (18Chesapeake 10.2).

    Rules: R-AL-042, R-C2C-031, R-CH-050, R-TN-041.
    """
    return t.stock.number > 1 and not t.stock.first


def may_sell(t: Table) -> bool:
    """True if shares may be sold now."""
    return sales_open(t) and in_order(t)


def in_order(t: Table) -> bool:
    """True if the order of the turn allows a sale, of shares or a private, now.

    Rules: R-AL-041, R-C2C-030, R-CH-040, R-TN-040.
    """
    return t.stock.bought is None or may_sell_after_purchase(t)


def may_sell_after_purchase(t: Table) -> bool:
    """True if sales may follow the purchase of this turn.

    Rules: R-AL-054, R-CH-303, R-TN-050.
    """
    return t.spec.sell_buy_sell or (t.spec.buy_then_sell and not t.stock.sold_first)


def may_buy(t: Table, company: Company | None = None) -> bool:
    """True if a purchase (of this company's shares) is still possible in the turn: one, or several in some zones.

    Rules: R-C2C-030, R-C2C-032, R-CH-305.
    """
    if t.stock.bought is None:
        return True
    if company is None or t.stock.bought != company.id or t.stock.bought_out:
        return False
    zone = holdings.zone(t, company)
    return zone is not None and zone.several_purchases


def still_bought(t: Table) -> Iterable[Company]:
    """The companies whose shares may still be bought in the turn."""
    bought = t.stock.bought
    if bought is None:
        return t.state.companies.values()
    company = t.state.companies.get(bought)
    return [company] if company is not None and may_buy(t, company) else []


def why_no_sale_now(t: Table) -> Fact | None:
    """Why no share at all may be sold now (18Chesapeake 10, 10.2)."""
    if not sales_open(t):
        return fact("selling.first_round" if t.stock.number == 1 else "selling.first_with_shares")
    return None if in_order(t) else why_no_sale_after(t)


def why_no_sale_after(t: Table) -> Fact:
    """Why nothing may be sold after the purchase of this turn: sales came before it (18AL 3.2).

    Where sales always come first, nothing follows the purchase, and nobody is asked any more.
    """
    return fact("stock.sold_before_purchase", player=t.state.players[t.stock.turn].id)


def note_sale(t: Table, company: Company) -> None:
    """Remember a sale by the player on turn."""
    stock = t.stock
    stock.sold.setdefault(t.state.players[stock.turn].id, []).append(company.id)
    stock.acted = True
    stock.sold_first = stock.sold_first or stock.bought is None
    stock.bought_out = stock.bought_out or (t.spec.several_from_market and stock.bought is not None)


def note_private_sale(t: Table) -> None:
    """Remember that the player on turn sold a private: a sale like others, except that they may buy any shares."""
    t.stock.acted = True
    t.stock.sold_first = t.stock.sold_first or t.stock.bought is None


def note_purchase(t: Table, what: str, source: HolderId | None = None) -> None:
    """Remember the purchase of the turn: the company of a share and where that was, or anything else."""
    t.stock.acted = True
    t.stock.bought = what
    t.stock.bought_out = t.spec.several_from_market and source != MARKET
