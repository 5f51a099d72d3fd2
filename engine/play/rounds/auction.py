"""The round in which the privates are sold (18Chesapeake 9)."""

from collections.abc import Iterator

from engine.play.rounds.base import Round
from engine.play.steps.base import Step
from engine.play.table import Table


class AuctionRound(Round):
    """Bids and purchases until every private is sold."""

    def __init__(self, *steps: Step) -> None:
        super().__init__(steps)
        self.auction = steps

    def own(self, t: Table) -> Iterator[Step]:
        """Those of the auction."""
        return iter(self.auction)

    def advance(self, t: Table) -> None:
        """Bidding always offers something."""
        raise AssertionError(f"nobody can act in the auction: {t.auction}")
