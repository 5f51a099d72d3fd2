"""Selling shares: what is offered, what a sale brings, and why one is not possible (18Chesapeake 10.2, 10.3)."""

from typing import Any

from engine.core.events import SharesSold
from engine.core.facts import Fact, fact
from engine.core.ids import MARKET, CompanyId, PlayerId
from engine.core.offers import Filtered, Offer
from engine.core.state import Company
from engine.play.shares import block_sales, presidency
from engine.play.shares.stock_turn import may_sell, why_no_sale_now
from engine.play.table import Table


def sale_offer(t: Table, player: PlayerId) -> Offer | None:
    """The blocks that the player on turn may sell.

    Rules: R-AL-043, R-CH-054, R-TN-043.
    """
    if not may_sell(t):
        return None
    companies = t.state.companies

    def blocks(name: CompanyId) -> list[int]:
        return block_sales.sellable(t, player, companies[name])

    able = Filtered([c.id for c in companies.values() if c.started], lambda name: bool(blocks(name)))
    if not able:
        return None
    return t.offer(
        "sell_shares",
        player,
        fact("offer.sell_shares"),
        t.slot("company", lambda _: able, lambda _, c: why_not_these(t, player, c)),
        t.slot(
            "shares",
            lambda c: Filtered(
                blocks(c["company"]),
                lambda _n: True,
                lambda n: sell_label(t, player, companies[c["company"]], n),
            ),
            lambda c, n: why_not_that_block(t, player, companies[c["company"]], n),
        ),
    )


def sell(t: Table, player: PlayerId, company: Company, count: int) -> None:
    """Sell a block and tell it."""
    old, new = block_sales.sell(t, player, company, count)
    t.emit(SharesSold(player, company.id, count, old, old, new))


def sell_label(t: Table, player: PlayerId, company: Company, count: int) -> Fact:
    """`2 for $180, price $90 → $80, Cy becomes president`."""
    price = t.price(company)
    after = t.price(company, block_sales.after_sale(t, player, company, count))
    sale = fact("choice.sale", count=count, amount=price * count, old=price, new=after)
    if company.president != player:
        return sale
    new = presidency.successor(t, company, count * company.share)
    return sale if new is None else fact("choice.sale_of_presidency", sale=sale, player=new.id)


def why_no_sale(t: Table, player: PlayerId, name: Any) -> Fact:
    """Why the player on turn can sell nothing, or nothing of the company that was named."""
    now = why_no_sale_now(t)
    if now is not None:
        return now
    return (why_not_these(t, player, name) if name else None) or fact("selling.nothing", player=player)


def why_not_these(t: Table, player: PlayerId, name: Any) -> Fact | None:
    """Why no share of the company can be sold; None where one can."""
    company = t.state.companies.get(name)
    if company is None:
        return fact("choice.no_company", company=name)
    return None if block_sales.sellable(t, player, company) else why_not_that_block(t, player, company, 1)


def why_not_that_block(t: Table, player: PlayerId, company: Company, count: Any) -> Fact | None:
    """Why a block cannot be sold: the market is full, too few shares, or nobody takes the presidency
    (18Chesapeake 10.2, 10.3).
    """
    if not isinstance(count, int):
        return None
    held = company.percent(player) // company.share
    if not held:
        return fact("selling.holds_none", player=player, company=company.id)
    if not company.started:
        return fact("selling.no_price", company=company.id)
    if company.undivided:
        return fact("selling.only_certificate", company=company.id)
    if not 1 <= count <= held:
        return fact("selling.holds_fewer", player=player, company=company.id, held=held, count=count)
    percent = company.percent(MARKET) + count * company.share
    if percent > t.spec.pool_limit:
        held = company.percent(MARKET) // company.share
        values = {"company": company.id, "held": held, "percent": percent, "limit": t.spec.pool_limit}
        return fact("selling.pool_limit", count=count, **values)
    return fact("presidency.no_successor", company=company.id, percent=company.certificate)
