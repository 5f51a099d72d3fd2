"""The stock round (rulebook 10)."""

from collections.abc import Iterator

from engine.play.flow import end_stock_turn
from engine.play.rounds.base import Round
from engine.play.steps.base import Step
from engine.play.steps.consent import ConsentStep
from engine.play.steps.discard import DiscardStep
from engine.play.steps.end_vote import EndVoteStep
from engine.play.steps.trade import TradeStep
from engine.play.table import Table

STOCK: tuple[Step, ...] = (ConsentStep(), DiscardStep(), TradeStep())
"""The steps of a stock round; trains above the limit come before trading because an export may lower it."""


class StockRound(Round):
    """Turns clockwise from the priority deal until all pass one after the other."""

    def name(self, t: Table) -> str:
        """As players call it."""
        return f"SR {t.stock.number}"

    def steps(self, t: Table) -> Iterator[Step]:
        """Those of the title."""
        return iter(t.rules.stock_steps(t))

    def anytime(self, t: Table) -> Iterator[Step]:
        """Agreeing to stop."""
        yield EndVoteStep()

    def advance(self, t: Table) -> None:
        """The player on turn can do nothing: he is passed over (10)."""
        end_stock_turn(t, acted=t.stock.acted)
