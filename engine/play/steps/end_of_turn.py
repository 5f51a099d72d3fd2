"""The end of a turn: what may still be done in it, and companies that have left the game in theirs."""

from collections.abc import Iterator

from engine.core.actions import Pass
from engine.core.facts import Fact, fact
from engine.core.offers import Offer
from engine.play.end_of_stock_round import pass_stock_turn
from engine.play.steps.base import AnytimeStep, AutomaticStep, CompanyStep, Request, Step
from engine.play.table import Table
from engine.play.turn_order import leave_turn


class EndOfTurnStep(Step):
    """Asked when trading offers nothing: the turn waits for what may be done at any time of it."""

    name = "end_of_turn"
    kinds = frozenset({"pass"})

    def __init__(self, *anytime: AnytimeStep) -> None:
        """`anytime` are the title's steps that the turn waits for."""
        self._anytime = anytime

    def offers(self, t: Table) -> Iterator[Offer]:
        if any(step.holds(t) for step in self._anytime):
            label = fact("offer.end_stock_turn" if t.stock.acted else "offer.pass_stock_turn")
            yield t.offer("pass", t.state.players[t.stock.turn].id, label)

    def apply(self, t: Table, action: Pass) -> None:
        pass_stock_turn(t)

    def obstacle(self, t: Table, request: Request) -> Fact:
        return fact("stock.only_beside_trading", player=t.state.players[t.stock.turn].id)


class ClosedStep(AutomaticStep):
    """Nothing to decide: the turn of a company that is no more is over."""

    name = "closed"

    def skip(self, t: Table) -> None:
        if t.company.closed:
            leave_turn(t)
        else:
            self.over(t)


class LateActionsStep(CompanyStep):
    """Asked when the other steps are over and something else is still possible; the company ends its turn here.

    Being done with one of the other steps, the trains too, ends that step and not the turn.
    """

    name = "last_chance"
    kinds = frozenset({"pass"})

    def __init__(self, *anytime: AnytimeStep) -> None:
        self._anytime = anytime

    def offers(self, t: Table) -> Iterator[Offer]:
        if any(step.holds(t) for step in self._anytime):
            yield t.offer("pass", t.company.id, fact("offer.end_turn"))

    def apply(self, t: Table, action: Pass) -> None:
        self.over(t)

    def obstacle(self, t: Table, request: Request) -> Fact:
        return fact("turn.only_its_end_is_left", company=t.company.id)
