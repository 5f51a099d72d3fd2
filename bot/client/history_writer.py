"""Writes the chronicle of a game in the background, so that nobody who looks back waits for it."""

import logging
from collections.abc import Callable, Coroutine
from typing import Any, Final

from bot.table.bounded import BoundedDict
from bot.table.errors import Refused
from bot.table.past.chronicle import PastGame, Work
from bot.table.tables import Tables
from bot.workers.errors import NotDone
from bot.workers.workers import Priority, Queue
from storage.errors import StorageError
from storage.positions import EVERY

_log = logging.getLogger("stationmaster.past")

KNOWN: Final = 2_000
"""Games for which the length of the chronicle is cached; for others the database is asked."""


class Chronicling:
    """Brings the chronicles of games up to date: one piece of work at a time for each."""

    def __init__(self, tables: Tables, aside: Callable[[Coroutine[Any, Any, None]], object]) -> None:
        self._tables = tables
        self._aside = aside
        self._under_way: set[int] = set()
        self._written: BoundedDict[int, int] = BoundedDict(KNOWN)
        """After how many positions that are kept each game was looked at."""

    @property
    def is_writing(self) -> bool:
        """Whether any is being written."""
        return bool(self._under_way)

    def wake(self, game_id: int) -> None:
        """Something has changed in a game that is in memory."""
        live = self._tables.cached(game_id)
        if live is None or game_id in self._under_way:
            return
        kept = len(live.counting) // EVERY
        if self._written.get(game_id) != kept:
            self._written[game_id] = kept
            self._under_way.add(game_id)
            self._aside(self._write(game_id, live.row.guild_id))

    async def _write(self, game_id: int, guild_id: int) -> None:
        try:
            async with self._tables.reading(game_id) as live:
                game = PastGame.of(live)
            work = Work(self._tables.workers, Queue(Priority.QUESTION, guild_id))
            await self._tables.chronicle.complete(game, work)
        except (NotDone, Refused, StorageError) as error:
            _log.info("game %s: its history will be written on the next question: %s", game_id, error)
        finally:
            self._under_way.discard(game_id)
