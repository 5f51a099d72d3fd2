"""Work in the background after a game has changed: its caretakers move, and its chronicle is written.

Caretakers move whenever they must act, also after a restart; nobody who looks back waits for the chronicle.
"""

import logging
from collections.abc import Callable, Coroutine
from typing import Any, Final

from bot.table.bounded import BoundedDict
from bot.table.errors import Refused
from bot.table.orders.caretakers import play_caretakers
from bot.table.past.chronicle import PastGame, Work
from bot.table.tables import Tables
from bot.workers.errors import NotDone
from bot.workers.workers import Priority, Queue
from storage import StorageError, positions, seats

_log = logging.getLogger("stationmaster.background")


class Caretakers:
    """Lets them move, each game independently, in the background."""

    def __init__(self, tables: Tables, aside: Callable[[Coroutine[Any, Any, None]], object]) -> None:
        self._tables = tables
        self._aside = aside
        self._going: set[int] = set()
        self._resting: set[int] = set()
        """Games that wait for somebody else, and have not changed since that was found."""

    async def look(self) -> None:
        """Wake the caretakers of all games of this share, but those that are known to wait for somebody."""
        found = await seats.games_with_caretaker(self._tables.db, self._tables.share)
        self._resting.intersection_update(found)
        for game_id in found:
            if game_id not in self._resting:
                self.wake(game_id)

    def wake(self, game_id: int) -> None:
        """Something has changed in a game."""
        self._resting.discard(game_id)
        live = self._tables.cached(game_id)
        if game_id not in self._going and (live is None or live.by_caretaker):
            self._going.add(game_id)
            self._aside(self._play(game_id))

    async def _play(self, game_id: int) -> None:
        # Whatever changes from here on takes it out again.
        self._resting.add(game_id)
        try:
            if await play_caretakers(self._tables, game_id):
                self._resting.discard(game_id)
        except Exception as error:  # noqa: BLE001 - no user asked for this; users who open the game are notified
            self._resting.discard(game_id)
            _log.info("game %s: its caretakers do not move: %r", game_id, error)
        finally:
            self._going.discard(game_id)


# --- chronicles ------------------------------------------------------------------------------------------------------

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
        kept = len(live.counting) // positions.EVERY
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
