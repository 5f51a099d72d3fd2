"""18AL's coal field token (Table III)."""

from engine.board.network import reach
from engine.core.ids import Coord
from engine.core.state import Company
from engine.play.steps.tokens.marker import MarkerStep
from engine.play.table import Table


class CoalStep(MarkerStep):
    """In the company's own turn, where a train of it can run; the other profile is looser in both.

    Rules: R-AL-170.
    """

    def may_place(self, t: Table, company: Company) -> bool:
        """Only in the company's own turn; the other profile asks for a train only."""
        if t.rules.flag("coal_token_loose"):
            return bool(company.running)
        return super().may_place(t, company)

    def holds(self, t: Table) -> bool:
        """The turn waits for it, unless it may as well be placed in the turns of others."""
        return not t.rules.flag("coal_token_loose") and super().holds(t)

    def reaches(self, t: Table, company: Company, coord: Coord) -> bool:
        """A train of the company can run there; in the other profile its track leads there."""
        if t.rules.flag("coal_token_loose"):
            return any(hex_ == coord for hex_, _ in reach(t.map, company.id).stops)
        return super().reaches(t, company, coord)
