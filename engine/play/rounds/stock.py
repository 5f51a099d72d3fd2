"""The stock round (rulebook 10)."""

from collections.abc import Iterator, Sequence

from engine.play.flow import end_stock_turn
from engine.play.rounds.base import Round
from engine.play.steps.base import Step
from engine.play.table import Table


class StockRound(Round):
    """Turns clockwise from the priority deal until all pass one after the other.

    While privates are sold in stock rounds, the steps of their auction take the place of trading.
    """

    def __init__(self, *steps: Step, auction: Sequence[Step] = ()) -> None:
        super().__init__((*steps, *auction))
        self.trading = steps
        self.auction = tuple(auction)

    def own(self, t: Table) -> Iterator[Step]:
        """Trading, or the auction."""
        return iter(self.trading if t.state.auction is None else self.auction)

    def advance(self, t: Table) -> None:
        """The player on turn can do nothing: he is passed over (10)."""
        end_stock_turn(t, acted=t.stock.acted)
