"""Blocks of shares: which a player may sell, what they bring, and where the price goes (18Chesapeake 10.2, 10.3)."""

from engine.core.ids import BANK, MARKET, Cell, PlayerId
from engine.core.state import Company, Player
from engine.play.shares.holdings import give
from engine.play.shares.presidency import change_president, may_leave, successor
from engine.play.table import Table


def liquidity(t: Table, player: Player) -> int:
    """Cash, and what the largest block of every company that may be sold would bring at its present price
    (18Chesapeake 10.2).
    """
    blocks = ((company, sellable(t, player.id, company)) for company in t.state.companies.values())
    return player.cash + sum(t.price(company) * max(counts) for company, counts in blocks if counts)


def sellable(t: Table, player: PlayerId, company: Company) -> list[int]:
    """How many shares the player may sell as one block: market limit, presidency, certificate
    (18Chesapeake 10.2, 10.3).

    Rules: R-AL-045, R-AL-048, R-C2C-035, R-CH-051, R-NE-050, R-TN-044, R-TN-044a.
    """
    if not company.started:
        return []
    held = company.percent(player) // company.share
    if not held:
        return []
    room = (t.spec.pool_limit - company.percent(MARKET)) // company.share
    return [n for n in range(1, min(room, held) + 1) if may_leave(t, player, company, n)]


def after_sale(t: Table, seller: PlayerId, company: Company, shares: int) -> Cell:
    """Where the marker goes when the player sells N shares (18Chesapeake 10.2).

    Rules: R-NE-051.
    """
    assert company.cell is not None
    if t.spec.sale_moves == "down":
        return t.grid.down(company.cell, shares)
    return t.grid.left(company.cell, shares if company.president == seller else 0)


def sell(t: Table, player: PlayerId, company: Company, shares: int) -> tuple[int, int]:
    """Sell a block at the present price, which then falls as the title has it; returns old and new price.

    Rules: R-AL-043, R-C2C-036, R-CH-052, R-NE-050, R-TN-042.
    """
    percent = shares * company.share
    old, cell = t.price(company), after_sale(t, player, company, shares)
    if company.president == player:
        new = successor(t, company, percent)
        if new is not None:
            change_president(t, company, new, percent)
    give(company, player, MARKET, percent)
    t.pay(BANK, player, old * shares)
    t.move_price(company, cell)
    return old, t.price(company)
