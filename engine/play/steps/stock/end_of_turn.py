"""The end of a stock turn in which more than trading is still possible."""

from collections.abc import Iterator

from engine.core.actions import Pass
from engine.core.facts import Fact, fact
from engine.core.offers import Offer
from engine.play.priority_deal import pass_stock_turn
from engine.play.steps.base import AnytimeStep, Request, Step
from engine.play.table import Table


class EndOfTurnStep(Step):
    """Asked when trading offers nothing: the turn waits for what may be done at any time of it."""

    name = "end_of_turn"
    kinds = frozenset({"pass"})

    def __init__(self, *anytime: AnytimeStep) -> None:
        """`anytime` are the title's steps that the turn waits for."""
        self._anytime = anytime

    def offers(self, t: Table) -> Iterator[Offer]:
        """The end of the turn, offered with what is still possible."""
        if any(step.holds(t) for step in self._anytime):
            label = fact("offer.end_stock_turn" if t.stock.acted else "offer.pass_stock_turn")
            yield t.offer("pass", t.state.players[t.stock.turn].id, label)

    def apply(self, t: Table, action: Pass) -> None:
        """End the turn."""
        pass_stock_turn(t)

    def why_not(self, t: Table, request: Request) -> Fact:
        """What is left in the turn."""
        return fact("stock.only_beside_trading", player=t.state.players[t.stock.turn].id)
