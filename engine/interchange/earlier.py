"""Moves that were recorded by rules before version 2 of ours, when some steps asked less, or more, than they do now.

A question that was not asked then had no other answer than to go on: now it is passed. A pass of a step or turn that is
over already is left out. Everything else is checked like any move, so what has really become illegal is found.
"""

from collections.abc import Iterable
from typing import Final

from engine.core.actions import Action, Pass
from engine.core.errors import IllegalAction, ReplayDiverged
from engine.core.state import Operating, Stock
from engine.game import Game
from engine.interchange.passes import is_over, moment
from engine.play.steps.base import Wish

FIRST_RULES: Final = "1"
"""The version of the rules of games that do not say by which they began."""
MOST_PASSES: Final = 8
"""So many questions of a turn may have come since; more are a game that went another way."""


class EarlierMoves:
    """Makes way for the recorded moves of a game, one by one; `passed` are the questions passed for the last one."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.passed: list[Action] = []
        self._before = moment(game.table.state)
        self._last: Action | None = None

    def makes_way(self, action: Action) -> bool:
        """Pass what is asked before this move; whether the move itself is to be made. Raises IllegalAction."""
        self.passed = []
        if isinstance(action, Pass) and self._leads_nowhere(action):
            return False
        while (problem := self.game.why_not(Wish.of(action))) is not None:
            question = self._question()
            if question is None or len(self.passed) == MOST_PASSES:
                raise problem
            # What was read with the leniency for logs then is so now, with one action more.
            self.game.from_log += self.game.seq < self.game.from_log
            self.game.apply(question)
            self.passed.append(question)
        self._before, self._last = moment(self.game.table.state), action
        return True

    def _leads_nowhere(self, action: Pass) -> bool:
        if self.game.why_not(Wish.of(action)) is None:
            return False
        return is_over(self.game, action.entity, self._before, self._last)

    def _question(self) -> Action | None:
        """The pass that answers what is asked now, where it only ends what somebody has begun."""
        now = self.game.table.state.round
        begun = isinstance(now, Operating) or (isinstance(now, Stock) and now.acted)
        offers = [offer for offer in self.game.offers() if offer.kind == "pass" and offer.blocking]
        return offers[0].fill() if begun and offers else None


def apply_earlier(game: Game, actions: Iterable[Action]) -> list[Action]:
    """Do all these recorded moves; what was done. Raises ReplayDiverged at the first that is refused."""
    moves, done = EarlierMoves(game), list[Action]()
    for number, action in enumerate(actions, 1):
        try:
            if moves.makes_way(action):
                game.apply(action)
                done += [*moves.passed, action]
        except IllegalAction as problem:
            raise ReplayDiverged(number, problem.reason) from problem
    return done
