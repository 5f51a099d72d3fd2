"""Extra tokens: bought when a company floats; placing a bull token forfeits the others (18C2C 3f)."""

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
from engine.play.steps.place_token import TokenStep, station_offers
from engine.play.table import Table
from engine.play.token_prices_and_purchases import (
    PREPAID,
    affordable_tokens,
    bulls_with,
    buy_tokens,
    tokens_on_sale,
)

NONE: Final = "none"
"""Spelling of the choice of no token."""


class FloatTokensStep(Step):
    """The president of a floated company buys extra tokens before anything else happens.

    Rules: R-C2C-061.
    """

    name = "float_tokens"
    kinds = frozenset({"buy_tokens"})
    exclusive = True

    def offers(self, t: Table) -> Iterator[Offer]:
        """Every affordable set of tokens for its par price."""
        if t.stock.tokens_due is None:
            return
        company = t.state.companies[t.stock.tokens_due]
        choices = [
            Choice(written_prices(some), _tokens_label(t, company, some))
            for some in affordable_tokens(t, company)
        ]
        prices = _dollars(tokens_on_sale(t, company))
        reason = fact("float_tokens.prices", company=company.id, par=company.par, prices=prices)
        yield t.offer(
            "buy_tokens",
            company.id,
            fact("offer.buy_tokens", company=company.id),
            Slot("tokens", lambda _: Choices(choices, lambda _v: reason)),
            suggest=lambda: [Suggestion(choice.label, {"tokens": choice.value}) for choice in choices],
        )

    def apply(self, t: Table, action: BuyTokens) -> None:
        t.stock.tokens_due = None
        prices = [int(price) for price in action.tokens.split("+") if price != NONE]
        buy_tokens(t, t.state.companies[action.entity], prices)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        company = t.stock.tokens_due
        if company is None:
            return fact("float_tokens.nobody_floats")
        return fact("float_tokens.decided_first", company=company, player=t.president(company).id)


def written_prices(prices: Sequence[int]) -> str:
    """Token prices as an action has them: `40+60`, or `none`."""
    return "+".join(map(str, prices)) or NONE


def _tokens_label(t: Table, company: Company, prices: Sequence[int]) -> Fact:
    if not prices:
        return fact("choice.no_tokens")
    name = "choice.tokens_and_bull" if bulls_with(t, company, prices) else "choice.tokens"
    return fact(name, prices=_dollars(prices), cost=sum(prices), left=company.cash - sum(prices))


def _dollars(prices: Sequence[int]) -> tuple[Fact, ...]:
    return tuple(fact("choice.dollars", amount=price) for price in prices)


class BullTokenStep(TokenStep):
    """Stations, and the bull token in any city within reach."""

    kinds = TokenStep.kinds | {"place_bull"}

    def placements(self, t: Table) -> Iterator[Offer]:
        """An ordinary station, or the bull token.

        Rules: R-C2C-070.
        """
        yield from super().placements(t)
        if _bull_obstacle(t) is None:
            lost = _forfeited(t)
            forfeits = fact("choice.forfeits_tokens", count=lost) if lost else None
            label = fact("offer.place_bull", forfeits=forfeits)
            label_of = partial(fact, "choice.bull_token", forfeits=forfeits)
            yield from station_offers(
                t, "place_bull", label, 0, label_of, beside_spaces=True, confirm=lost > 0
            )

    def place_station(self, t: Table, action: Any) -> None:
        """Place the token; a bull token removes the charter's other tokens, except bull tokens."""
        if isinstance(action, PlaceBull):
            _place_bull(t, (action.hex, action.city))
        else:
            super().place_station(t, action)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        """The reason why no bull token can be placed."""
        return _bull_obstacle(t) if request.kind == "place_bull" else super().obstacle(t, request)

    def misplaced_obstacle(self, t: Table, request: Request) -> Fact:
        """The refusal of a bull token by a company without one."""
        if request.kind != "place_bull":
            return super().misplaced_obstacle(t, request)
        return _bull_obstacle(t) or CompanyStep.misplaced_obstacle(self, t, request)


def _bull_obstacle(t: Table) -> Fact | None:
    extra = t.company.extra
    return None if extra is not None and extra.bulls else fact("token.no_bull", company=t.company.id)


def _forfeited(t: Table) -> int:
    """The tokens on the charter that a bull token removes.

    Rules: R-C2C-071.
    """
    company, extra = t.company, t.company.extra
    assert extra is not None
    return len(company.tokens) + len(extra.reserved)


def _place_bull(t: Table, stop: StopId) -> None:
    """Place the bull token, in a space if one is free; other bull tokens become ordinary ones.

    Rules: R-C2C-070, R-C2C-071, R-C2C-072.
    """
    company, extra = t.company, t.company.extra
    assert extra is not None
    beside = not t.map.free_slot(*stop, company.id)
    if beside:
        t.map.place_without_space(*stop, company.id)
    else:
        t.map.place_token(*stop, company.id)
    lost = _forfeited(t)
    company.tokens, extra.reserved, extra.bulls = [PREPAID] * (extra.bulls - 1), [], 0
    extra.placed.append(stop[0])
    t.state.fresh.tokens.append(stop)
    t.emit(BullPlaced(company.id, stop[0], beside, lost))
