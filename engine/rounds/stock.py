"""The stock round (rulebook 10)."""

from collections.abc import Iterator

from engine.flow import end_stock_turn
from engine.rounds.base import Round
from engine.steps.base import Step
from engine.steps.discard import DiscardStep
from engine.steps.end_vote import EndVoteStep
from engine.steps.trade import TradeStep
from engine.table import Table


class StockRound(Round):
    """Turns clockwise from the priority deal until all pass one after the other."""

    def name(self, t: Table) -> str:
        """As players call it."""
        return f"SR {t.stock.number}"

    def steps(self, t: Table) -> Iterator[Step]:
        """Trains above the limit first (the export may lower it), then trading."""
        yield DiscardStep()
        yield TradeStep()

    def anytime(self, t: Table) -> Iterator[Step]:
        """Agreeing to stop."""
        yield EndVoteStep()

    def advance(self, t: Table) -> None:
        """The player on turn can do nothing: he is passed over (10)."""
        end_stock_turn(t, acted=t.stock.acted)
