"""Tokens of a charter: the next one's price, and those bought or received in addition."""

from collections.abc import Sequence
from itertools import combinations
from typing import Final

from engine.core.events import TokensBought, TokensReceived
from engine.core.ids import BANK, PrivateId
from engine.core.state import Company, ExtraTokens
from engine.play.table import Table

PREPAID: Final = 0
"""The price on the charter of a token that was paid for before."""


def next_price(company: Company) -> int | None:
    """Price of the company's next ordinary token, None without one; one bull token stays special.

    Rules: R-C2C-072.
    """
    if company.tokens:
        return company.tokens[0]
    spare = company.extra is not None and company.extra.bulls > 1
    return PREPAID if spare else None


def take_token(company: Company) -> None:
    """Take the next ordinary token from the charter."""
    if company.tokens:
        company.tokens.pop(0)
    else:
        assert company.extra is not None
        company.extra.bulls -= 1


def tokens_on_sale(t: Table, company: Company) -> tuple[int, ...]:
    """Prices of the tokens for sale to a company with this par price.

    Rules: R-C2C-061.
    """
    table = t.spec.extra_tokens
    return table.prices.get(company.par or 0, ()) if table else ()


def affordable_tokens(t: Table, company: Company) -> list[tuple[int, ...]]:
    """Affordable sets of tokens, smallest first, beginning with none."""
    prices = tokens_on_sale(t, company)
    chosen = (some for count in range(len(prices) + 1) for some in combinations(prices, count))
    return [some for some in chosen if sum(some) <= company.cash]


def bulls_with(t: Table, company: Company, prices: Sequence[int]) -> int:
    """Number of bull tokens that come with these tokens: one with the full set at the right par price.

    Rules: R-C2C-064.
    """
    table = t.spec.extra_tokens
    return int(
        table is not None and company.par == table.bull_at and len(prices) == len(tokens_on_sale(t, company))
    )


def buy_tokens(t: Table, company: Company, prices: Sequence[int]) -> None:
    """Buy tokens from the treasury; one of them is reserved for the destination.

    Rules: R-C2C-063, R-C2C-064.
    """
    bulls = bulls_with(t, company, prices)
    t.pay(company.id, BANK, sum(prices))
    company.extra = ExtraTokens(bulls=bulls)
    _add(company, prices, len(prices[:1]))
    t.emit(TokensBought(company.id, tuple(prices), sum(prices), bulls, company.cash))


def receive_tokens(
    t: Table, company: Company, prices: Sequence[int], private: PrivateId, reserved: int
) -> None:
    """Receive a private's tokens free; at most one is reserved for the destination.

    Rules: R-C2C-154.
    """
    company.extra = company.extra or ExtraTokens()
    _add(company, prices, reserved)
    t.emit(TokensReceived(company.id, tuple(prices), private, reserved))


def _add(company: Company, prices: Sequence[int], reserved: int) -> None:
    """Add paid tokens to the charter, to be placed free."""
    assert company.extra is not None
    company.extra.bought += prices
    company.extra.reserved += [company.id] * reserved
    company.tokens += [PREPAID] * (len(prices) - reserved)
