"""The station tokens on a company's charter: the price of the next one, and tokens it buys or receives later."""

from collections.abc import Sequence
from itertools import combinations
from typing import Final

from engine.core.events import TokensBought, TokensReceived
from engine.core.ids import BANK, PrivateId
from engine.core.state import Company, ExtraTokens
from engine.play.table import Table

PREPAID_TOKEN_PRICE: Final = 0
"""Price in dollars, when placed, of a prepaid token."""


def next_token_price(company: Company) -> int | None:
    """Price in dollars of the company's next ordinary token; None if it has none.

    The last bull token (18C2C) cannot be used as an ordinary one.

    Rules: R-C2C-072.
    """
    if company.tokens:
        return company.tokens[0]
    has_spare_bull = company.extra is not None and company.extra.bulls > 1
    return PREPAID_TOKEN_PRICE if has_spare_bull else None


def take_next_token(company: Company) -> None:
    """Take the next ordinary token from the charter."""
    if company.tokens:
        company.tokens.pop(0)
    else:
        assert company.extra is not None
        company.extra.bulls -= 1


def token_prices_on_sale(t: Table, company: Company) -> tuple[int, ...]:
    """Prices of the extra tokens that the company can buy at its par price.

    Rules: R-C2C-061.
    """
    extra_tokens_spec = t.spec.extra_tokens
    return extra_tokens_spec.prices_by_par.get(company.par or 0, ()) if extra_tokens_spec else ()


def affordable_token_sets(t: Table, company: Company) -> list[tuple[int, ...]]:
    """Sets of extra tokens that the company can pay for, each as prices; smallest first, beginning with none."""
    prices = token_prices_on_sale(t, company)
    price_sets = (price_set for count in range(len(prices) + 1) for price_set in combinations(prices, count))
    return [price_set for price_set in price_sets if sum(price_set) <= company.cash]


def bull_token_count(t: Table, company: Company, prices: Sequence[int]) -> int:
    """Number of bull tokens (18C2C) that a company gets with these tokens.

    One, if it buys all tokens on sale at the par price that brings a bull token; else none.

    Rules: R-C2C-064.
    """
    extra_tokens_spec = t.spec.extra_tokens
    return int(
        extra_tokens_spec is not None
        and company.par == extra_tokens_spec.bull_token_at_par
        and len(prices) == len(token_prices_on_sale(t, company))
    )


def buy_tokens(t: Table, company: Company, prices: Sequence[int]) -> None:
    """Buy extra tokens with these prices from the treasury; one of them is reserved for the destination.

    Rules: R-C2C-063, R-C2C-064.
    """
    bull_count = bull_token_count(t, company, prices)
    t.pay(company.id, BANK, sum(prices))
    company.extra = ExtraTokens(bulls=bull_count)
    _add_tokens(company, prices, len(prices[:1]))
    t.emit(TokensBought(company.id, tuple(prices), sum(prices), bull_count, company.cash))


def receive_tokens(
    t: Table, company: Company, prices: Sequence[int], private: PrivateId, reserved_count: int
) -> None:
    """Add a private's free tokens to the charter; `reserved_count` of them are reserved for the destination.

    Rules: R-C2C-154.
    """
    company.extra = company.extra or ExtraTokens()
    _add_tokens(company, prices, reserved_count)
    t.emit(TokensReceived(company.id, tuple(prices), private, reserved_count))


def _add_tokens(company: Company, prices: Sequence[int], reserved_count: int) -> None:
    assert company.extra is not None
    company.extra.bought += prices
    company.extra.reserved += [company.id] * reserved_count
    company.tokens += [PREPAID_TOKEN_PRICE] * (len(prices) - reserved_count)
