"""Replays moves recorded under version 1 of our rules, when some steps asked more or fewer questions than today.

Where today's rules ask an additional question, a pass answers it. A recorded pass for a question that no longer exists
is skipped. A move that today's corrected rules forbid is made anyway. Any other difference stops the replay.
"""

from collections.abc import Iterable
from typing import Final

from engine.core.actions import Action, Pass
from engine.core.errors import EngineError, IllegalAction, ReplayDiverged, Unreadable
from engine.core.events import Event
from engine.core.facts import fact
from engine.core.state import Operating, Stock
from engine.game import Game
from engine.interchange.implied_passes import is_implied_pass, turn_snapshot
from engine.play.steps.base import Request

FIRST_RULES_VERSION: Final = "1"
"""Rules version of recorded games that do not name one."""
MAX_PASSES: Final = 8
"""Maximum number of passes inserted before a recorded move; if more are needed, the replay stops."""


class OldRulesReplay:
    """Plays recorded moves of an older rules version one by one in a game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._previous_turn = turn_snapshot(game.table.state)
        self._last_action: Action | None = None
        self._has_broken_rules = False
        """True after a move that breaks today's rules; later positions may be impossible under today's rules."""

    def apply(self, action: Action) -> tuple[Event, ...]:
        """Make a recorded move, after passing at questions that the older rules did not ask.

        Returns the move's events; empty for a recorded pass that is skipped. Raises IllegalAction if the move stays
        illegal, and Unreadable if the game has become impossible after moves that break today's rules. Some passes may
        have been made by then.
        """
        try:
            return self._apply(action)
        except EngineError:
            raise
        except Exception as unexpected_error:
            if not self._has_broken_rules:
                raise
            raise Unreadable(fact("log.impossible")) from unexpected_error

    def _apply(self, action: Action) -> tuple[Event, ...]:
        if isinstance(action, Pass) and self._is_without_effect(action):
            return ()
        refusal = self._pass_until_legal(action)
        self._previous_turn, self._last_action = turn_snapshot(self.game.table.state), action
        if refusal is None:
            return self.game.apply(action)
        # Steps rely on the check in `Game.apply`, which this move bypasses: a move that no rules allow can raise any
        # error.
        self._has_broken_rules = True
        return self.game.apply_unchecked(action)

    def _pass_until_legal(self, action: Action) -> IllegalAction | None:
        """Pass as long as a pass can make the move legal; returns the error if the move is still illegal."""
        pass_count = 0
        while (refusal := self.game.obstacle(Request.of_action(action))) is not None:
            answering_pass = None if self._answers_current_question(action) else self._answering_pass()
            if answering_pass is None or pass_count == MAX_PASSES:
                return refusal
            # Actions that were read with leniency for logs still are, although there is one more action before them.
            self.game.from_log += self.game.seq < self.game.from_log
            self.game.apply(answering_pass)
            pass_count += 1
        return None

    def _answers_current_question(self, action: Action) -> bool:
        step = self.game.step()
        offers = [offer for offer in self.game.offers() if offer.blocking and offer.actor == action.actor]
        is_for_others = isinstance(action, Pass) and all(offer.entity != action.entity for offer in offers)
        return step is not None and action.kind in step.kinds and bool(offers) and not is_for_others

    def _is_without_effect(self, action: Pass) -> bool:
        if self.game.obstacle(Request.of_action(action)) is None:
            return False
        return is_implied_pass(self.game, action.entity, self._previous_turn, self._last_action)

    def _answering_pass(self) -> Action | None:
        """The pass that answers the current question; None if the player cannot pass or the turn has not begun."""
        current_round = self.game.table.state.round
        has_turn_begun = isinstance(current_round, Operating) or (
            isinstance(current_round, Stock) and current_round.acted
        )
        offers = [offer for offer in self.game.offers() if offer.kind == "pass" and offer.blocking]
        return offers[0].fill() if has_turn_begun and offers else None


def replay_old_rules(game: Game, actions: Iterable[Action]) -> None:
    """Make all these recorded moves. Raises ReplayDiverged at the first one that is refused."""
    old_rules_replay = OldRulesReplay(game)
    for number, action in enumerate(actions, 1):
        try:
            old_rules_replay.apply(action)
        except IllegalAction as problem:
            raise ReplayDiverged(number, problem.reason) from problem
