"""Replays moves recorded under version 1 of our rules, in which some steps asked fewer or more questions than today.

A question that was not asked had only one answer, to continue; it is now answered with a pass. A pass of a step or turn
that is already over is left out. A move that a corrected rule refuses is made anyway. Anything else means that the game
took another course.
"""

from collections.abc import Iterable
from typing import Final

from engine.core.actions import Action, Pass
from engine.core.errors import EngineError, IllegalAction, ReplayDiverged, Unreadable
from engine.core.events import Event
from engine.core.facts import fact
from engine.core.state import Operating, Stock
from engine.game import Game
from engine.interchange.implied_passes import is_implied_pass, turn_moment
from engine.play.steps.base import Request

FIRST_RULES: Final = "1"
"""The rules version of records that do not contain one."""
MAX_PASSES: Final = 8
"""Maximum number of passes inserted before a recorded move; if more are needed, the game took another course."""


class EarlierMoves:
    """Applies the recorded moves of a game one by one."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._previous_moment = turn_moment(game.table.state)
        self._last_action: Action | None = None
        self._unchecked = False
        """True after a move that today's rules refuse; the position may then be impossible under today's rules."""

    def apply(self, action: Action) -> tuple[Event, ...]:
        """Do a recorded move, after passes for questions not asked then; returns the events, empty for a move without
        effect.

        Raises IllegalAction; some passes may have been made by then.
        """
        try:
            return self._apply(action)
        except EngineError:
            raise
        except Exception as unexpected_error:
            if not self._unchecked:
                raise
            raise Unreadable(fact("log.impossible")) from unexpected_error

    def _apply(self, action: Action) -> tuple[Event, ...]:
        if isinstance(action, Pass) and self._is_without_effect(action):
            return ()
        refusal = self._pass_until_legal(action)
        self._previous_moment, self._last_action = turn_moment(self.game.table.state), action
        if refusal is None:
            return self.game.apply(action)
        # Steps rely on the check in `Game.apply`, which this move bypasses: a move that no rules allow can raise any
        # error.
        self._unchecked = True
        return self.game.redo(action)

    def _pass_until_legal(self, action: Action) -> IllegalAction | None:
        """Pass as long as that can lead to the move; returns the refusal if the move is still illegal."""
        pass_count = 0
        while (refusal := self.game.obstacle(Request.of_action(action))) is not None:
            answering_pass = None if self._is_waited_for(action) else self._answering_pass()
            if answering_pass is None or pass_count == MAX_PASSES:
                return refusal
            # Actions that were read with leniency for logs still are, although there is one more action before them.
            self.game.from_log += self.game.seq < self.game.from_log
            self.game.apply(answering_pass)
            pass_count += 1
        return None

    def _is_waited_for(self, action: Action) -> bool:
        """True if the waiting step accepts this kind of move from this player."""
        step = self.game.step()
        offers = [offer for offer in self.game.offers() if offer.blocking and offer.actor == action.actor]
        is_for_others = isinstance(action, Pass) and all(offer.entity != action.entity for offer in offers)
        return step is not None and action.kind in step.kinds and bool(offers) and not is_for_others

    def _is_without_effect(self, action: Pass) -> bool:
        if self.game.obstacle(Request.of_action(action)) is None:
            return False
        return is_implied_pass(self.game, action.entity, self._previous_moment, self._last_action)

    def _answering_pass(self) -> Action | None:
        """The pass that answers the current question, in a turn that has already begun; else None."""
        current_round = self.game.table.state.round
        has_begun = isinstance(current_round, Operating) or (
            isinstance(current_round, Stock) and current_round.acted
        )
        offers = [offer for offer in self.game.offers() if offer.kind == "pass" and offer.blocking]
        return offers[0].fill() if has_begun and offers else None


def apply_earlier(game: Game, actions: Iterable[Action]) -> None:
    """Do all these recorded moves. Raises ReplayDiverged at the first one that is refused."""
    moves = EarlierMoves(game)
    for number, action in enumerate(actions, 1):
        try:
            moves.apply(action)
        except IllegalAction as problem:
            raise ReplayDiverged(number, problem.reason) from problem
