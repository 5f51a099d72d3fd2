"""Obsolete trains leave once they have run for the last time."""

from collections.abc import Iterator

from engine.core.events import ObsoleteGone
from engine.core.offers import Offer
from engine.play.steps.base import CompanyStep
from engine.play.table import Table


class RetireStep(CompanyStep):
    """Nothing to decide: between dividend and trains the owner's obsolete trains leave the game.

    Rules: R-AL-186, R-TN-163.
    """

    name = "retire"
    kinds = frozenset[str]()
    silent = True

    def offers(self, t: Table) -> Iterator[Offer]:
        """Never anything."""
        return iter(())

    def apply(self, t: Table, action: object) -> None:
        """Never called: nothing is offered."""
        raise AssertionError(f"obsolete trains leave automatically, without {action!r}")

    def skip(self, t: Table) -> None:
        """The trains leave."""
        company = t.company
        if company.obsolete:
            t.emit(ObsoleteGone(company.id, tuple(company.obsolete)))
            company.obsolete.clear()
        self.over(t)
