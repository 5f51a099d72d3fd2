"""The private auction (rulebook 9)."""

from collections.abc import Iterator

from engine.play.rounds.base import Round
from engine.play.steps.base import Step
from engine.play.steps.bid import BidStep
from engine.play.steps.discard import DiscardStep
from engine.play.steps.end_vote import EndVoteStep
from engine.play.steps.par_due import ParDueStep
from engine.play.table import Table

AUCTION: tuple[Step, ...] = (DiscardStep(), ParDueStep(), BidStep())
"""The steps of an auction; trains above the limit come first because an export may lower it."""


class AuctionRound(Round):
    """Bids and purchases until every private is sold."""

    def name(self, t: Table) -> str:
        """As players call it."""
        return "Auction"

    def steps(self, t: Table) -> Iterator[Step]:
        """Those of the title."""
        return iter(t.rules.auction_steps(t))

    def anytime(self, t: Table) -> Iterator[Step]:
        """Agreeing to stop."""
        yield EndVoteStep()

    def advance(self, t: Table) -> None:
        """Bidding always offers something."""
        raise AssertionError(f"nobody can act in the auction: {t.auction}")
