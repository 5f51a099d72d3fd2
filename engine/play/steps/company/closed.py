"""A company that has left the game in its own turn does nothing more."""

from collections.abc import Iterator

from engine.core.offers import Offer
from engine.play.flow import leave_turn
from engine.play.steps.base import CompanyStep
from engine.play.table import Table


class ClosedStep(CompanyStep):
    """Nothing to decide: the turn of a company that is no more is over."""

    name = "closed"
    kinds = frozenset[str]()
    silent = True

    def offers(self, t: Table) -> Iterator[Offer]:
        """Never anything."""
        return iter(())

    def apply(self, t: Table, action: object) -> None:
        """Never called: nothing is offered."""
        raise AssertionError(f"a turn ends automatically, without {action!r}")

    def skip(self, t: Table) -> None:
        """The turn ends where the company has left the game."""
        if t.company.closed:
            leave_turn(t)
        else:
            self.over(t)
