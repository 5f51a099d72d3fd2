"""A recorded game that a table begins with is played on from where the game of another test has come.

Tests begin at many moves of a few games: each move is made and its position named once in a process that runs tests.
The position that a table begins at is the one to which its moves lead, read from the nearest that was written.
"""

from collections import defaultdict
from collections.abc import Sequence
from threading import Lock
from typing import Final

from bot.table import imports
from bot.table.games.game_log import GameStart
from bot.table.past.past_games import ROWS_PER_STORED_POSITION
from engine.core.actions import Action
from engine.game import Game
from storage import NewLogRow
from storage.positions import StoredState

played: Final = imports._rows_and_positions
"""Plays a game from its first move."""


class Course:
    """The moves of one game as far as any table has begun with them, their rows, and positions on the way."""

    def __init__(self) -> None:
        self._actions: list[Action] = []
        self._entries: list[NewLogRow] = []
        self._written: dict[int, str] = {}

    def begun(
        self, opening: GameStart, game: Game, actions: Sequence[Action]
    ) -> tuple[list[NewLogRow], list[StoredState]]:
        """The rows of a game with these moves, which are made in it, and the positions kept on the way."""
        same = self._as_far_as(actions)
        near = max((number for number in self._written if number <= same), default=0)
        if near:
            _bring(game, self._written[near])
        for action in actions[near:same]:
            game.apply(action)
        if same < len(self._actions):
            found = self._entries[: same + 1]
            return [*found, *played(opening, game, actions[same:])[0][1:]], self._kept(same)
        if not self._entries:
            self._entries += played(opening, game, ())[0]
        while (made := len(self._actions)) < len(actions):
            to_the_next = ROWS_PER_STORED_POSITION - len(self._entries) % ROWS_PER_STORED_POSITION
            self._extend(opening, game, actions[made : made + to_the_next])
        return list(self._entries), self._kept(len(actions))

    def _kept(self, moves: int) -> list[StoredState]:
        """The positions that are kept in the first moves; where another game has gone on, not all of it."""
        return [
            StoredState(made + 1, self._entries[made].digest, text)
            for made, text in sorted(self._written.items())
            if made <= moves and (made + 1) % ROWS_PER_STORED_POSITION == 0
        ]

    def _as_far_as(self, actions: Sequence[Action]) -> int:
        pairs = enumerate(zip(self._actions, actions, strict=False))
        return next((n for n, (old, new) in pairs if old != new), min(len(self._actions), len(actions)))

    def _extend(self, opening: GameStart, game: Game, actions: Sequence[Action]) -> None:
        self._entries += played(opening, game, actions)[0][1:]
        self._actions += actions
        self._written[len(self._actions)] = game.dump()


_courses: Final[defaultdict[str, Course]] = defaultdict(Course)
_one_at_a_time: Final = Lock()


def played_on(
    opening: GameStart, game: Game, actions: Sequence[Action]
) -> tuple[list[NewLogRow], list[StoredState]]:
    with _one_at_a_time:
        return _courses[opening.payload()].begun(opening, game, actions)


def _bring(game: Game, written: str) -> None:
    """Let a game that has just begun be where it was when this was written."""
    vars(game).clear()
    vars(game).update(vars(Game.load(written)))
