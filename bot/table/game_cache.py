"""Recently used games in memory, a lock for each game, and an index from Discord threads to games."""

import asyncio
from typing import Final
from weakref import WeakValueDictionary

from bot.table.bounded_caches import BoundedDict
from bot.table.live import LiveGame

MAX_LIVE_GAMES: Final = 200
"""Maximum number of games in memory; the least recently used one is dropped first."""
MAX_CACHED_ROWS: Final = 200_000
"""Maximum number of log rows in memory, 0.6 KB each: enough for 200 average games or 50 long ones."""
MAX_DAMAGED_GAMES: Final = 1_000
"""Maximum number of games that are remembered as damaged."""


class GameLocks:
    """A lock for each game. A lock exists only while a task holds it or waits for it."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    def __contains__(self, game_id: int) -> bool:
        """True if a task holds a game's lock or waits for it."""
        return game_id in self._locks

    def lock_of(self, game_id: int) -> asyncio.Lock:
        lock = self._locks.get(game_id)
        if lock is None:
            lock = self._locks[game_id] = asyncio.Lock()
        return lock

    async def drain(self) -> None:
        """Wait until every lock that is held now has been released."""
        for lock in list(self._locks.values()):
            async with lock:
                continue


class GameCache:
    """An LRU cache of games, limited by the number of games and of log rows. Locked games are never dropped."""

    def __init__(
        self, locks: GameLocks, max_games: int = MAX_LIVE_GAMES, max_rows: int = MAX_CACHED_ROWS
    ) -> None:
        self._locks = locks
        self._max_games = max_games
        self._max_rows = max_rows
        self._games: dict[int, LiveGame] = {}

    def __len__(self) -> int:
        return len(self._games)

    def find(self, game_id: int) -> LiveGame | None:
        """The game if it is in memory; else None."""
        return self._games.get(game_id)

    def add(self, live: LiveGame) -> None:
        """Add a game, or mark it as just used; drops other games beyond the limits."""
        is_new = self._games.pop(live.id, None) is None
        self._games[live.id] = live
        if is_new and self._is_full():
            self._make_room()

    def forget(self, game_id: int) -> None:
        self._games.pop(game_id, None)

    def _is_full(self) -> bool:
        row_count = sum(len(live.effective_rows) for live in self._games.values())
        return len(self._games) > self._max_games or row_count > self._max_rows

    def _make_room(self) -> None:
        for game_id in [number for number in self._games if number not in self._locks]:
            self.forget(game_id)
            if not self._is_full():
                return


MAX_CACHED_THREADS: Final = 50_000
"""Maximum number of cached threads; the one recorded longest ago is dropped first."""


class GameThreads:
    """An index from Discord threads to games. It is in memory, so that autocomplete needs no database."""

    def __init__(self) -> None:
        self._game_by_thread: BoundedDict[int, int] = BoundedDict(MAX_CACHED_THREADS)
        self._channel_by_lost_game: dict[int, int] = {}
        """For each game whose thread was deleted, the channel of that thread."""

    def record_thread(self, thread_id: int, game_id: int) -> None:
        """Record that this thread shows this game."""
        self._game_by_thread[thread_id] = game_id

    def forget_thread(self, thread_id: int) -> None:
        """Record that this thread shows no game any more."""
        self._game_by_thread.pop(thread_id, None)

    def record_lost_thread(self, game_id: int, channel_id: int) -> None:
        """Record that a game's thread was deleted. Commands in the thread's channel can then mean this game."""
        self._channel_by_lost_game[game_id] = channel_id

    def forget_lost_thread(self, game_id: int) -> None:
        """Record that a game has a thread again, or no longer needs one."""
        self._channel_by_lost_game.pop(game_id, None)

    def game_shown_in(self, thread_or_channel: int | None) -> int | None:
        """The id of the game that a thread shows; None if it shows none.

        For a channel, the id of the game whose thread was deleted there, if there is exactly one.
        """
        if thread_or_channel is not None and thread_or_channel in self._game_by_thread:
            return self._game_by_thread[thread_or_channel]
        lost_games = self.games_without_thread(thread_or_channel)
        return lost_games[0] if len(lost_games) == 1 else None

    def has_lost_thread(self, game_id: int) -> bool:
        """True if a game's thread was deleted and has not been replaced."""
        return game_id in self._channel_by_lost_game

    def games_without_thread(self, channel_id: int | None) -> list[int]:
        """Games of a channel whose threads were deleted."""
        return [game_id for game_id, channel in self._channel_by_lost_game.items() if channel == channel_id]
