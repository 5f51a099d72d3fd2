"""Tokens on a company's charter: which comes next, and those bought when it floats, or brought by a private."""

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
    """The price of the company's next ordinary token, None without one; of several bull tokens all but one are such.

    Rules: R-C2C-072.
    """
    if company.tokens:
        return company.tokens[0]
    spare = company.extra is not None and company.extra.bulls > 1
    return PREPAID if spare else None


def take_token(company: Company) -> None:
    """Take the next ordinary token from the charter; there is one."""
    if company.tokens:
        company.tokens.pop(0)
    else:
        assert company.extra is not None
        company.extra.bulls -= 1


def tokens_on_sale(t: Table, company: Company) -> tuple[int, ...]:
    """The prices of the tokens that a company with this par may buy.

    Rules: R-C2C-061.
    """
    table = t.spec.extra_tokens
    return table.prices.get(company.par or 0, ()) if table else ()


def affordable_tokens(t: Table, company: Company) -> list[tuple[int, ...]]:
    """Every choice among them that the treasury pays, the smallest first; the first is none."""
    prices = tokens_on_sale(t, company)
    chosen = (some for count in range(len(prices) + 1) for some in combinations(prices, count))
    return [some for some in chosen if sum(some) <= company.cash]


def bulls_with(t: Table, company: Company, prices: Sequence[int]) -> int:
    """Bull tokens that come with these: one with all of them, at the par price that brings it.

    Rules: R-C2C-064.
    """
    table = t.spec.extra_tokens
    return int(
        table is not None and company.par == table.bull_at and len(prices) == len(tokens_on_sale(t, company))
    )


def buy_tokens(t: Table, company: Company, prices: Sequence[int]) -> None:
    """Pay for them from the treasury; one of them is reserved for the destination.

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
    """A private brings them free; one of them at most is reserved for the destination.

    Rules: R-C2C-154.
    """
    company.extra = company.extra or ExtraTokens()
    _add(company, prices, reserved)
    t.emit(TokensReceived(company.id, tuple(prices), private, reserved))


def _add(company: Company, prices: Sequence[int], reserved: int) -> None:
    """Add tokens to the charter; they are paid for, so they are placed free."""
    assert company.extra is not None
    company.extra.bought += prices
    company.extra.reserved += [company.id] * reserved
    company.tokens += [PREPAID] * (len(prices) - reserved)
