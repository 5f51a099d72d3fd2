"""The parameters of the fixtures that make games and rows."""

from collections.abc import Awaitable, Callable
from typing import Protocol, TypeAlias

from storage import Database, games, log


class NewGame(Protocol):
    """Makes a game in the lobby."""

    def __call__(
        self, db: Database, *, guild_id: int = 10, name: str = "Friday"
    ) -> Awaitable[games.GameRow]: ...


RunningGame: TypeAlias = Callable[[Database], Awaitable[int]]
"""Makes a game with its first row, and returns its number."""


class Act(Protocol):
    """Makes the row of an action."""

    def __call__(self, payload: str = '{"type": "pass"}', digest: str = "d") -> log.Entry: ...


Damage: TypeAlias = Callable[[str], Awaitable[object]]
"""Does to the database what its tables would refuse."""

Undo: TypeAlias = Callable[[int], log.Entry]
"""Makes the row of an undo to a move."""
