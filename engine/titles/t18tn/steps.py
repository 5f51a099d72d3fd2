"""18TN's dividend step: what the Civil War does to a company with a single train (5.1)."""

from collections.abc import Iterator
from typing import Final

from engine.core.actions import Dividend
from engine.core.events import IncomeLost
from engine.core.offers import Offer
from engine.core.state import LastRun
from engine.play.steps.revenue.dividend import DividendStep
from engine.play.table import Table

CIVIL_WAR: Final = "civil war"
"""The marker of a company that loses the income of one train in its next turn (5.1)."""


class WarDividendStep(DividendStep):
    """As usual, but a marked company with a single train has nothing to decide and its price stays.

    Rules: R-TN-193, R-TN-194, R-TN-196.
    """

    def offers(self, t: Table) -> Iterator[Offer]:
        """Both options, unless the only train's income is lost."""
        if not _loses_all(t):
            yield from super().offers(t)

    def apply(self, t: Table, action: Dividend) -> None:
        """Pay and move the price; the marker has done its work."""
        super().apply(t, action)
        _unmark(t)

    def skip(self, t: Table) -> None:
        """Without revenue the price falls, but not when the war has taken it.

        Rules: R-TN-193, R-TN-195.
        """
        if _loses_all(t):
            company = t.company
            t.emit(IncomeLost(company.id, t.turn.revenue, CIVIL_WAR))
            company.last_run = LastRun(t.turn.runs, t.turn.run_values, t.turn.revenue, "lost")
            self.over(t)
        else:
            super().skip(t)
        _unmark(t)


def _loses_all(t: Table) -> bool:
    return CIVIL_WAR in t.company.markers and len(t.company.running) == 1


def _unmark(t: Table) -> None:
    t.company.markers.pop(CIVIL_WAR, None)
