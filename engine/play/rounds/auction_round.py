"""The round in which the privates are sold (18Chesapeake 9)."""

from collections.abc import Iterator

from engine.core.ids import PlayerId
from engine.core.state import Stock
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

    def hand_to(self, t: Table, player: PlayerId, kind: str) -> bool:
        """The player's turn to bid."""
        return hand_bids_to(t, player)

    def advance(self, t: Table) -> None:
        """Bidding always offers something."""
        raise AssertionError(f"nobody can act in the auction: {t.auction}")


def hand_bids_to(t: Table, player: PlayerId) -> bool:
    """Make it this player's turn to bid; in a contest only a bidder has one."""
    auction, seat = t.auction, t.state.seat(player)
    if auction.par_due is not None:
        return False
    if auction.contested is None:
        auction.turn = seat
        if isinstance(t.state.round, Stock):
            t.stock.turn = seat
        return True
    auction.contest_turn = seat
    return player in auction.bids.get(auction.contested, {})
