"""A company formed in one hex takes one of its two tokens there back."""

from collections.abc import Iterator
from typing import Any

from engine.core.actions import ReturnToken
from engine.core.facts import Fact, fact
from engine.core.offers import Choice, Choices, Offer, Suggestion
from engine.core.state import Company
from engine.play.mergers.forming import doubled, take_back
from engine.play.mergers.pairs import formed
from engine.play.steps.base import Request, Step
from engine.play.table import Table


class ReturnTokenStep(Step):
    """Its president chooses the city; with both in one city there is nothing to choose.

    Rules: R-NE-124.
    """

    name = "return_token"
    kinds = frozenset({"return_token"})
    exclusive = True

    def offers(self, t: Table) -> Iterator[Offer]:
        """Both cities."""
        company = formed(t)
        stops = [] if company is None else doubled(t, company)
        if company is None or len(stops) < (1 if t.rules.flag("asks_when_nothing_is_legal") else 2):
            return
        coord = stops[0][0]
        yield t.offer(
            "return_token",
            company.id,
            fact("offer.return_token", company=company.id),
            t.slot(
                "hex",
                lambda _: Choices([Choice(coord)]),
                lambda _, h: fact("merger.token_elsewhere", company=company.id, place=coord, hex=h),
            ),
            t.slot(
                "city",
                lambda _: Choices([Choice(stop, fact("choice.city", number=stop + 1)) for _, stop in stops]),
                lambda _, city: _why_not(company, coord, city),
            ),
            suggest=lambda: [
                Suggestion(
                    fact("choice.return_token", hex=coord, city=stop + 1), {"hex": coord, "city": stop}
                )
                for _, stop in stops
            ],
        )

    def apply(self, t: Table, action: ReturnToken) -> None:
        """It goes back."""
        take_back(t, t.state.companies[action.entity], action.hex, action.city)

    def skip(self, t: Table) -> None:
        """Of two in one city it does not matter which."""
        company = formed(t)
        stops = [] if company is None else doubled(t, company)
        if company is not None and stops:
            take_back(t, company, *stops[0])

    def why_not(self, t: Table, request: Request) -> Fact | None:
        """What must come first."""
        company = formed(t)
        stops = [] if company is None else doubled(t, company)
        if company is None or not stops:
            return None
        return fact("merger.token_first", company=company.id, hex=stops[0][0])


def _why_not(company: Company, coord: str, city: Any) -> Fact:
    number = city + 1 if isinstance(city, int) else city
    return fact("merger.no_token_there", company=company.id, hex=coord, city=number)
