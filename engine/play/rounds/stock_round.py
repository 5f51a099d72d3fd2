"""The stock round (18Chesapeake 10)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine.core.facts import Fact, fact
from engine.core.ids import PlayerId
from engine.core.state import Ending, Stock
from engine.play.ending import finish
from engine.play.priority_deal import end_stock_turn
from engine.play.rounds.auction_round import hand_bids_to
from engine.play.rounds.base import Round
from engine.play.steps.base import Request, Step
from engine.play.table import Table


class StockRound(Round):
    """Turns clockwise from the priority deal until all pass one after the other.

    While privates are sold in stock rounds, the steps of their auction take the place of trading.
    """

    def __init__(self, *steps: Step, auction: Sequence[Step] = (), anytime: Sequence[Step] = ()) -> None:
        """`steps` in order; `anytime` during any of them; `auction` instead of both."""
        super().__init__((*steps, *auction, *anytime))
        self.trading = steps
        self.auction = tuple(auction)
        self._anytime = tuple(anytime)

    def own(self, t: Table) -> Iterator[Step]:
        """Trading, or the auction.

        Rules: R-AL-020, R-C2C-029, R-TN-020.
        """
        return iter(self.trading if t.state.auction is None else self.auction)

    def anytime(self, t: Table) -> Iterator[Step]:
        """What the player on turn may do in addition to trading; agreeing to stop."""
        if t.state.auction is None:
            yield from self._anytime
        yield from super().anytime(t)

    def hand_to(self, t: Table, player: PlayerId, kind: str) -> bool:
        """The player's turn in the circle: nothing is sold or bought in it yet; bidders are not interrupted."""
        if t.state.auction is not None:
            return hand_bids_to(t, player)
        t.state.round = replace(
            t.stock, turn=t.state.seat(player), acted=False, bought=None, sold_first=False, bought_out=False
        )
        return True

    def may_mean(self, t: Table, request: Request) -> bool:
        """Players trade for nobody else."""
        return False

    def out_of_place(self, t: Table, request: Request) -> Fact | None:
        """Once the privates are sold: what a turn no longer offers, or what belongs to their auction."""
        if t.state.auction is not None:
            return None
        for step in self.trading:
            if request.kind in step.kinds:
                return step.why_not(t, request)
        return fact("auction.all_sold") if any(request.kind in step.kinds for step in self.auction) else None

    def advance(self, t: Table) -> None:
        """A player who can do nothing is passed over (R-CH-041); the game ends when nothing earns any more."""
        if not _earns(t) and self._nobody_can_act(t):
            finish(t, Ending("standstill"))
        else:
            end_stock_turn(t, acted=t.stock.acted)

    def _nobody_can_act(self, t: Table) -> bool:
        """Whether no player would be asked on their turn in a new round, where nothing was sold or bought yet."""
        now = t.stock
        turns = [Stock(number=now.number + 1, turn=t.state.seat(player.id)) for player in t.state.in_game()]
        try:
            return not any(self._asks(t, turn) for turn in turns)
        finally:
            t.state.round = now

    def _asks(self, t: Table, turn: Stock) -> bool:
        t.state.round = turn
        return any(True for step in self.own(t) for _ in step.offers(t))


def _earns(t: Table) -> bool:
    """Whether there is a company or a private that could bring anybody money; one that never floats does not."""
    companies, privates = t.state.companies.values(), t.state.privates.values()
    return any(company.floated for company in companies) or any(private.owner for private in privates)
