"""The end of a company's turn: the last moment for what may be done at any time of it (18Chesapeake 11)."""

from collections.abc import Iterator

from engine.core.actions import Pass
from engine.core.facts import Fact, fact
from engine.core.offers import Offer
from engine.play.steps.base import AnytimeStep, CompanyStep, Request
from engine.play.table import Table


class LateActionsStep(CompanyStep):
    """Asked when the other steps are over and something else is still possible; the company ends its turn here.

    Being done with one of the other steps, the trains too, ends that step and not the turn.
    """

    name = "last_chance"
    kinds = frozenset({"pass"})

    def __init__(self, *anytime: AnytimeStep) -> None:
        """`anytime` are the title's steps that the turn waits for."""
        self._anytime = anytime

    def offers(self, t: Table) -> Iterator[Offer]:
        """The end of the turn, offered with what is still possible."""
        if any(step.holds(t) for step in self._anytime):
            yield t.offer("pass", t.company.id, fact("offer.end_turn"))

    def apply(self, t: Table, action: Pass) -> None:
        """End the turn."""
        self.over(t)

    def why_not(self, t: Table, request: Request) -> Fact:
        """What is left in the turn."""
        return fact("turn.only_its_end_is_left", company=t.company.id)
