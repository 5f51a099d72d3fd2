"""A company that has just floated buys its tokens; there is no later chance."""

from collections.abc import Iterator, Sequence
from typing import Final

from engine.core.actions import BuyTokens
from engine.core.facts import Fact, fact
from engine.core.offers import Choice, Choices, Offer, Suggestion
from engine.core.state import Company
from engine.play.shares.extra_tokens import affordable, bulls_with, buy, on_sale
from engine.play.steps.base import Request, Step
from engine.play.table import Table

NONE: Final = "none"
"""How the choice of no token is written."""


class FloatTokensStep(Step):
    """Its president decides before anything else, no matter who is on turn.

    Rules: R-C2C-061.
    """

    name = "float_tokens"
    kinds = frozenset({"buy_tokens"})
    exclusive = True

    def offers(self, t: Table) -> Iterator[Offer]:
        """Every choice among the tokens of its par price that its treasury pays."""
        if t.stock.tokens_due is None:
            return
        company = t.state.companies[t.stock.tokens_due]
        choices = [Choice(written(some), _label(t, company, some)) for some in affordable(t, company)]
        yield t.offer(
            "buy_tokens",
            company.id,
            fact("offer.buy_tokens", company=company.id),
            t.slot(
                "tokens",
                lambda _: Choices(choices),
                lambda _, _v: fact(
                    "float_tokens.prices", company=company.id, par=company.par, prices=_prices(t, company)
                ),
            ),
            suggest=lambda: [Suggestion(choice.label, {"tokens": choice.value}) for choice in choices],
        )

    def apply(self, t: Table, action: BuyTokens) -> None:
        """Pay for them; the turn in which the company floated continues."""
        t.stock.tokens_due = None
        prices = [int(price) for price in action.tokens.split("+") if price != NONE]
        buy(t, t.state.companies[action.entity], prices)

    def why_not(self, t: Table, request: Request) -> Fact | None:
        """What must come first."""
        company = t.stock.tokens_due
        if company is None:
            return fact("float_tokens.nobody_floats")
        return fact("float_tokens.decided_first", company=company, player=t.president(company).id)


def written(prices: Sequence[int]) -> str:
    """`40+60`, or `none`."""
    return "+".join(map(str, prices)) or NONE


def _label(t: Table, company: Company, prices: Sequence[int]) -> Fact:
    if not prices:
        return fact("choice.no_tokens")
    name = "choice.tokens_and_bull" if bulls_with(t, company, prices) else "choice.tokens"
    return fact(name, prices=_dollars(prices), cost=sum(prices), left=company.cash - sum(prices))


def _prices(t: Table, company: Company) -> tuple[Fact, ...]:
    return _dollars(on_sale(t, company))


def _dollars(prices: Sequence[int]) -> tuple[Fact, ...]:
    return tuple(fact("choice.dollars", amount=price) for price in prices)
