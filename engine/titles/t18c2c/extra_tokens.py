"""18C2C's extra tokens, which a company buys when it floats, and its bull tokens (18C2C 3f).

A company that places a bull token loses its unplaced ordinary tokens.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final

from engine.board.map import StopId
from engine.core.actions import BuyTokens, PlaceBull
from engine.core.events import BullPlaced
from engine.core.facts import Fact, fact
from engine.core.offers import Choice, Choices, Offer, Slot, Suggestion
from engine.core.state import Company
from engine.play.steps.base import CompanyStep, Request, Step
from engine.play.steps.place_token import TokenStep, token_placement_offers
from engine.play.table import Table
from engine.play.token_prices_and_purchases import (
    PREPAID_TOKEN_PRICE,
    affordable_token_sets,
    bull_token_count,
    buy_tokens,
    token_prices_on_sale,
)

NO_TOKENS: Final = "none"
"""Value of the `tokens` field for a company that buys no extra tokens."""


class FloatTokensStep(Step):
    """When a company floats, its president decides which extra tokens it buys, before anything else happens.

    Rules: R-C2C-061.
    """

    name = "float_tokens"
    kinds = frozenset({"buy_tokens"})
    is_exclusive = True

    def offers(self, t: Table) -> Iterator[Offer]:
        """The offer to buy extra tokens: any set that the company can pay for, at the prices that go with its par."""
        if t.stock_round.tokens_due is None:
            return
        company = t.state.companies[t.stock_round.tokens_due]
        choices = [
            Choice(token_prices_text(prices), _tokens_label(t, company, prices))
            for prices in affordable_token_sets(t, company)
        ]
        prices = _price_facts(token_prices_on_sale(t, company))
        reason = fact("float_tokens.prices", company=company.id, par=company.par, prices=prices)
        yield t.offer(
            "buy_tokens",
            company.id,
            fact("offer.buy_tokens", company=company.id),
            Slot("tokens", lambda _: Choices(choices, lambda _v: reason)),
            suggest=lambda: [Suggestion(choice.label, {"tokens": choice.value}) for choice in choices],
        )

    def apply(self, t: Table, action: BuyTokens) -> None:
        t.stock_round.tokens_due = None
        prices = [int(price) for price in action.tokens.split("+") if price != NO_TOKENS]
        buy_tokens(t, t.state.companies[action.entity], prices)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        company = t.stock_round.tokens_due
        if company is None:
            return fact("float_tokens.nobody_floats")
        return fact("float_tokens.decided_first", company=company, player=t.president(company).id)


def token_prices_text(prices: Sequence[int]) -> str:
    """Token prices in the form in which an action stores them: `40+60`, or `none` for no tokens."""
    return "+".join(map(str, prices)) or NO_TOKENS


def _tokens_label(t: Table, company: Company, prices: Sequence[int]) -> Fact:
    if not prices:
        return fact("choice.no_tokens")
    name = "choice.tokens_and_bull" if bull_token_count(t, company, prices) else "choice.tokens"
    return fact(name, prices=_price_facts(prices), cost=sum(prices), left=company.cash - sum(prices))


def _price_facts(prices: Sequence[int]) -> tuple[Fact, ...]:
    return tuple(fact("choice.dollars", amount=price) for price in prices)


class BullTokenStep(TokenStep):
    """Token step that also offers the bull token. It fits any city that the company reaches, even a full one."""

    kinds = TokenStep.kinds | {"place_bull"}

    def placement_offers(self, t: Table) -> Iterator[Offer]:
        """Offers to place an ordinary station or the bull token.

        Rules: R-C2C-070.
        """
        yield from super().placement_offers(t)
        if _bull_obstacle(t) is None:
            forfeited_count = _forfeited_token_count(t)
            forfeit_fact = fact("choice.forfeits_tokens", count=forfeited_count) if forfeited_count else None
            label = fact("offer.place_bull", forfeits=forfeit_fact)
            label_of = partial(fact, "choice.bull_token", forfeits=forfeit_fact)
            yield from token_placement_offers(
                t, "place_bull", label, 0, label_of, needs_no_space=True, confirm=forfeited_count > 0
            )

    def place_station(self, t: Table, action: Any) -> None:
        """Place an ordinary token or a bull token. A bull token costs the company its unplaced ordinary tokens."""
        if isinstance(action, PlaceBull):
            _place_bull(t, (action.hex, action.city))
        else:
            super().place_station(t, action)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        """The reason why the company cannot place this token now; None if it can."""
        return _bull_obstacle(t) if request.kind == "place_bull" else super().obstacle(t, request)

    def misplaced_obstacle(self, t: Table, request: Request) -> Fact:
        """The error message for a token in another part of the turn, or for a bull token that the company lacks."""
        if request.kind != "place_bull":
            return super().misplaced_obstacle(t, request)
        return _bull_obstacle(t) or CompanyStep.misplaced_obstacle(self, t, request)


def _bull_obstacle(t: Table) -> Fact | None:
    extra_tokens = t.company.extra
    if extra_tokens is not None and extra_tokens.bulls:
        return None
    return fact("token.no_bull", company=t.company.id)


def _forfeited_token_count(t: Table) -> int:
    """Number of unplaced tokens that the company loses if it places a bull token.

    Rules: R-C2C-071.
    """
    company, extra_tokens = t.company, t.company.extra
    assert extra_tokens is not None
    return len(company.tokens) + len(extra_tokens.reserved)


def _place_bull(t: Table, stop: StopId) -> None:
    """Place the bull token, in a free slot if there is one. Further bull tokens of the company become ordinary tokens.

    Rules: R-C2C-070, R-C2C-071, R-C2C-072.
    """
    company, extra_tokens = t.company, t.company.extra
    assert extra_tokens is not None
    needs_no_space = not t.map.has_space_for(*stop, company.id)
    if needs_no_space:
        t.map.place_token_without_space(*stop, company.id)
    else:
        t.map.place_token(*stop, company.id)
    forfeited_count = _forfeited_token_count(t)
    company.tokens, extra_tokens.reserved, extra_tokens.bulls = (
        [PREPAID_TOKEN_PRICE] * (extra_tokens.bulls - 1),
        [],
        0,
    )
    extra_tokens.placed.append(stop[0])
    t.state.fresh.tokens.append(stop)
    t.emit(BullPlaced(company.id, stop[0], needs_no_space, forfeited_count))
