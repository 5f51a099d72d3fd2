"""The last steps of a turn: they keep the turn open while anytime actions are possible, or end it after a closing."""

from collections.abc import Iterator

from engine.core.actions import Pass
from engine.core.facts import Fact, fact
from engine.core.offers import Offer
from engine.play.end_of_stock_round import pass_stock_turn
from engine.play.steps.base import AnytimeStep, AutomaticStep, CompanyStep, Request, Step
from engine.play.table import Table
from engine.play.turn_order import end_turn


class EndOfStockTurnStep(Step):
    """The last step of a stock turn; it keeps the turn open while anytime actions are still possible."""

    name = "end_of_turn"
    kinds = frozenset({"pass"})

    def __init__(self, *anytime_steps: AnytimeStep) -> None:
        """`anytime_steps` are the steps whose actions keep the turn open."""
        self._anytime_steps = anytime_steps

    def offers(self, t: Table) -> Iterator[Offer]:
        if any(step.keeps_turn_open(t) for step in self._anytime_steps):
            label = fact("offer.end_stock_turn" if t.stock_round.acted else "offer.pass_stock_turn")
            yield t.offer("pass", t.state.players[t.stock_round.turn].id, label)

    def apply(self, t: Table, action: Pass) -> None:
        pass_stock_turn(t)

    def obstacle(self, t: Table, request: Request) -> Fact:
        return fact("stock.only_beside_trading", player=t.state.players[t.stock_round.turn].id)


class EndClosedTurnStep(AutomaticStep):
    """End the operating turn if the company has just closed."""

    name = "closed"

    def skip(self, t: Table) -> None:
        if t.company.closed:
            end_turn(t)
        else:
            self.close(t)


class EndOfCompanyTurnStep(CompanyStep):
    """The last step of a company's turn; it keeps the turn open while anytime actions are still possible.

    Passing in any other step, even the train step, ends only that step.
    """

    name = "last_chance"
    kinds = frozenset({"pass"})

    def __init__(self, *anytime_steps: AnytimeStep) -> None:
        self._anytime_steps = anytime_steps

    def offers(self, t: Table) -> Iterator[Offer]:
        if any(step.keeps_turn_open(t) for step in self._anytime_steps):
            yield t.offer("pass", t.company.id, fact("offer.end_turn"))

    def apply(self, t: Table, action: Pass) -> None:
        self.close(t)

    def obstacle(self, t: Table, request: Request) -> Fact:
        return fact("turn.only_its_end_is_left", company=t.company.id)
