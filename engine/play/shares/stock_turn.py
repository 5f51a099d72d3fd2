"""What a player may still do in his stock turn: sales and purchases in the order the title allows."""

from engine.core.state import Company
from engine.play.shares import holdings
from engine.play.table import Table


def may_sell(t: Table) -> bool:
    """Whether the order of the turn allows a sale now."""
    stock = t.stock
    if stock.bought is None or t.spec.sell_buy_sell:
        return True
    return t.spec.buy_then_sell and not stock.sold_first


def may_buy(t: Table, company: Company | None = None) -> bool:
    """Whether a purchase (of this company's shares) is still possible in the turn: one, or several in some zones."""
    if t.stock.bought is None:
        return True
    if company is None or t.stock.bought != company.id:
        return False
    zone = holdings.zone(t, company)
    return zone is not None and zone.several_purchases


def note_sale(t: Table, company: Company) -> None:
    """Remember a sale by the player on turn."""
    stock = t.stock
    stock.sold.setdefault(t.state.players[stock.turn].id, []).append(company.id)
    stock.acted = True
    stock.sold_first = stock.sold_first or stock.bought is None


def note_private_sale(t: Table) -> None:
    """Remember that the player on turn sold a private: a sale like others, except that he may buy any shares."""
    t.stock.acted = True
    t.stock.sold_first = t.stock.sold_first or t.stock.bought is None


def note_purchase(t: Table, what: str) -> None:
    """Remember the purchase of the turn: the company of a share, or anything else."""
    t.stock.acted = True
    t.stock.bought = what
