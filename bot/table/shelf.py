"""The games in memory: those asked for last, and a lock for each that is in use."""

import asyncio
from typing import Final
from weakref import WeakValueDictionary

from bot.table.live import Live

MOST_LIVE: Final = 200
"""How many games are kept in memory; the next one asked for takes the place of the longest idle."""
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


class Shelf:
    """Live games by number, up to a limit; the longest idle leaves first, and none whose lock is in use."""

    def __init__(self, locks: Locks, most: int = MOST_LIVE) -> None:
        self._locks = locks
        self._most = most
        self._games: dict[int, Live] = {}
        """The longest idle first."""

    def __len__(self) -> int:
        """How many are in memory."""
        return len(self._games)

    def find(self, game_id: int) -> Live | None:
        """The game if it is in memory."""
        return self._games.get(game_id)

    def keep(self, live: Live) -> None:
        """Keep a game that is asked for now; whichever are too many then leave."""
        self.forget(live.id)
        self._games[live.id] = live
        too_many = len(self._games) - self._most
        if too_many > 0:
            idle = [game_id for game_id in self._games if game_id not in self._locks]
            for game_id in idle[:too_many]:
                self.forget(game_id)

    def forget(self, game_id: int) -> None:
        """Drop a game from memory."""
        self._games.pop(game_id, None)
