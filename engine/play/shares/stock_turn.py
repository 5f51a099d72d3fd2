"""A player's stock turn: which sales and purchases are still allowed in it."""

from typing import Final

from engine.core.facts import Fact, fact
from engine.core.ids import MARKET, HolderId, PlayerId
from engine.core.state import Company
from engine.play.shares import holdings
from engine.play.table import Table

PRIVATE_BOUGHT: Final = "private"
"""The value of `Stock.bought` if the turn's purchase was a private."""


def current_stock_player(t: Table) -> PlayerId:
    """The player whose stock turn it is."""
    return t.state.players[t.stock_round.turn].id


def sales_closed_obstacle(t: Table) -> Fact | None:
    """The rule that forbids all sales now, such as in the first stock round; None if there is none (18Chesapeake 10.2).

    Rules: R-AL-042, R-C2C-031, R-CH-050, R-TN-041.
    """
    if t.stock_round.number == 1 and t.spec.sales_open == "second_round":
        return fact("selling.first_round")
    return fact("selling.first_with_shares") if t.stock_round.first else late_sale_obstacle(t)


def late_sale_obstacle(t: Table) -> Fact | None:
    """The rule that forbids sales after this turn's purchase, because the player also sold before it (18AL 3.2).

    In titles where all sales must come before the purchase, this rule is not needed: the purchase ends the turn.

    Rules: R-AL-041, R-C2C-030, R-CH-040, R-TN-040.
    """
    if t.stock_round.bought is None or may_sell_after_purchase(t):
        return None
    return fact("stock.sold_before_purchase", player=current_stock_player(t))


def may_sell_after_purchase(t: Table) -> bool:
    """True if the current player can still sell shares after this turn's purchase.

    Rules: R-AL-054, R-CH-303, R-TN-050.
    """
    return t.spec.sell_buy_sell or (t.spec.buy_then_sell and not t.stock_round.sold_first)


def purchase_made_obstacle(t: Table, company: Company | None = None) -> Fact | None:
    """The rule that forbids another purchase this turn; None if there is none.

    In some market zones, players can buy several shares of `company` in a turn.

    Rules: R-C2C-030, R-C2C-032, R-CH-305.
    """
    bought_company_id = t.stock_round.bought
    if bought_company_id is None:
        return None
    may_buy_more_of_company = (
        company is not None and company.id == bought_company_id and not t.stock_round.bought_out
    )
    if company is not None and (may_buy_more_of_company or may_buy_shares_after_private(t)):
        zone = holdings.market_zone(t, company)
        if zone is not None and zone.several_purchases:
            return None
    return fact("stock.purchase_made", player=current_stock_player(t))


def may_buy_shares_after_private(t: Table) -> bool:
    """True if the player can still buy shares this turn after buying a private.

    Possible only for companies in zones where several purchases are allowed.
    """
    return t.stock_round.bought == PRIVATE_BOUGHT and t.rules.has_flag("several_shares_after_a_private")


def record_share_sale(t: Table, company: Company) -> None:
    """Record that the current player sold shares of the company."""
    stock_round = t.stock_round
    stock_round.sold.setdefault(current_stock_player(t), []).append(company.id)
    stock_round.acted = True
    stock_round.sold_first = stock_round.sold_first or stock_round.bought is None
    purchases_must_be_consecutive = t.spec.further_buys_from_market and not t.spec.sell_buy_sell
    stock_round.bought_out = stock_round.bought_out or (
        purchases_must_be_consecutive and stock_round.bought is not None
    )


def record_private_sale(t: Table) -> None:
    """Record that the current player sold a private; unlike a sale of shares, this restricts no purchases."""
    t.stock_round.acted = True
    t.stock_round.sold_first = t.stock_round.sold_first or t.stock_round.bought is None


def record_purchase(t: Table, purchased_item: str, source: HolderId | None = None) -> None:
    """Record this turn's purchase.

    `purchased_item` is the company of a share bought from `source`, or a word such as `private`.
    """
    t.stock_round.acted = True
    t.stock_round.bought = purchased_item
    t.stock_round.bought_out = t.spec.further_buys_from_market and source != MARKET
