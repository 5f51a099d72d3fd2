"""The games in memory: those asked for last, and a lock for each that is in use."""

import asyncio
from typing import Final
from weakref import WeakValueDictionary

from bot.table.live import LiveGame

MOST_LIVE: Final = 200
"""How many games are kept in memory; the next one asked for takes the place of the longest idle."""
MOST_ROWS: Final = 200_000
"""How many rows of their logs together, some 0.6 KB each: 200 games of usual length, or 50 of the longest there are."""
DAMAGED: Final = 1_000
"""How many games are known to be damaged without looking again."""


class Locks:
    """A lock for each game, there as long as somebody holds it or waits for it."""

    def __init__(self) -> None:
        self._used: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    def __contains__(self, game_id: int) -> bool:
        """Whether the game's lock is held or waited for."""
        return game_id in self._used

    def of(self, game_id: int) -> asyncio.Lock:
        """The lock of one game."""
        lock = self._used.get(game_id)
        if lock is None:
            lock = self._used[game_id] = asyncio.Lock()
        return lock

    async def drain(self) -> None:
        """Wait until nobody holds any."""
        for lock in list(self._used.values()):
            async with lock:
                continue


class GameCache:
    """Live games by number, up to a limit of them and of their rows; the longest idle leaves first, and none whose lock
    is in use.
    """

    def __init__(self, locks: Locks, most: int = MOST_LIVE, most_rows: int = MOST_ROWS) -> None:
        self._locks = locks
        self._most = most
        self._most_rows = most_rows
        self._games: dict[int, LiveGame] = {}
        """The longest idle first."""

    def __len__(self) -> int:
        """How many are in memory."""
        return len(self._games)

    def find(self, game_id: int) -> LiveGame | None:
        """The game if it is in memory."""
        return self._games.get(game_id)

    def keep(self, live: LiveGame) -> None:
        """Keep a game that is asked for now; whichever are too many then leave."""
        self.forget(live.id)
        self._games[live.id] = live
        games, rows = len(self._games), sum(len(one.counting) for one in self._games.values())
        for one in list(self._games.values()):
            if games <= self._most and rows <= self._most_rows:
                break
            if one.id not in self._locks:
                games, rows = games - 1, rows - len(one.counting)
                self.forget(one.id)

    def forget(self, game_id: int) -> None:
        """Drop a game from memory."""
        self._games.pop(game_id, None)
