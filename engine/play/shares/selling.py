"""Selling shares: when, how many, and what a sale brings (rulebook 10.2, 10.3)."""

from typing import Any

from engine.core.events import SharesSold
from engine.core.ids import MARKET, PlayerId
from engine.core.state import Company
from engine.play.shares import holdings
from engine.play.table import Table


def sales_open(t: Table) -> bool:
    """Whether shares may be sold in this stock round: not in the first (10.2)."""
    return t.stock.number > 1


def sell(t: Table, player: PlayerId, company: Company, count: int) -> None:
    """Sell a block and tell it."""
    old, new = holdings.sell(t, player, company, count)
    t.emit(SharesSold(player, company.id, count, old, old, new))


def sell_label(t: Table, player: PlayerId, company: Company, count: int) -> str:
    """`2 for $180, 90 -> 80, Cy becomes president`."""
    assert company.cell is not None
    price = t.price(company)
    after = t.grid.price(t.grid.down(company.cell, count))
    text = f"{count} for ${price * count}, price {price} → {after}"
    if company.president == player:
        new = holdings.successor(t, company, count * 10)
        text += f", {new.name} becomes president" if new else ""
    return text


def why_not_so_many(t: Table, player: PlayerId, company: Company, count: Any) -> str | None:
    """Why a block cannot be sold: the market is full, too few shares, or nobody takes the presidency (10.2, 10.3)."""
    if not isinstance(count, int):
        return None
    held = company.percent(player) // 10
    name = t.state.player(player).name
    if not held:
        return f"{name} holds no shares of {company.id}."
    if not company.started:
        return f"{company.id} has no price yet, so its shares cannot be sold (10.2)."
    if not 1 <= count <= held:
        owned = "1 share" if held == 1 else f"{held} shares"
        return f"{name} holds {owned} of {company.id}; {count} cannot be sold (10.2)."
    in_market = company.percent(MARKET)
    if in_market + count * 10 > t.spec.pool_limit:
        return (
            f"{company.id} has {in_market // 10} shares in the market; selling {count} would make "
            f"{in_market + count * 10} %, {t.spec.pool_limit} % is the limit (10.2)."
        )
    return (
        f"Nobody else holds the {company.certificate} % needed to take the presidency of {company.id} (10.3)."
    )
