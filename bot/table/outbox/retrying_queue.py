"""One queue of the outbox: rows of one game that are posted in order, until all are posted or parked.

Its rows are read alone or with other processes.
"""

import asyncio
import logging
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, Protocol

from bot.table.game_cache import Locks
from bot.table.log_context import bind
from bot.table.outbox.circuit_breaker import CircuitBreaker
from bot.table.outbox.notices import ORDER, queue_name
from storage import Database, Posting, ShardLost, StorageError, outbox

_log = logging.getLogger("stationmaster.outbox")

CLAIM: Final = 5.0
"""Seconds for which what a game has to post is kept from other processes."""


class ClaimedElsewhere(Exception):  # noqa: N818 - not an error: one waits
    """Another process posts what the game has to post."""


class RowSource:
    """The outbox as queues read it; of a database that other processes use, a game's rows are claimed for a time."""

    def __init__(self, db: Database, seconds: float = CLAIM) -> None:
        self._db = db
        self._seconds = seconds
        self._holder = secrets.token_hex()
        # What one queue holds in a transaction the other would skip, as if another process had it.
        self._locks = Locks()
        self._coming: dict[int, asyncio.Task[list[Posting]]] = {}

    async def fetch(self, game_id: int) -> list[Posting]:
        """The rows that a game has to post, in order; raises ClaimedElsewhere, StorageError.

        Queues that are woken together look once: a request before the look begins shares it.
        """
        coming = self._coming.get(game_id)
        if coming is None:
            coming = self._coming[game_id] = asyncio.create_task(self._look(game_id))
        # One of them may be stopped while the others continue.
        return await asyncio.shield(coming)

    async def _look(self, game_id: int) -> list[Posting]:
        del self._coming[game_id]
        if not self._db.shared:
            return await outbox.of_game(self._db, game_id)
        async with self._locks.of(game_id):
            rows = await outbox.claim(self._db, game_id, self._holder, seconds=self._seconds)
            if not rows and await outbox.of_game(self._db, game_id):
                raise ClaimedElsewhere
            return rows

    async def mark(
        self, game_id: int, posting_ids: Sequence[int], now: str, message_id: int | None = None
    ) -> None:
        """Tick rows of a game off as sent, with the message that tells of them; raises StorageError."""
        async with self._locks.of(game_id):
            await outbox.mark_sent(self._db, *posting_ids, now=now, message_id=message_id)

    async def give_up(self) -> None:
        """Let another process post the rest at once; what cannot be given up is free when its time is over."""
        if not self._db.shared:
            return
        try:
            await outbox.give_up(self._db, self._holder)
        except StorageError as error:
            _log.warning("what was claimed from the outbox stays so for a while: %s", error)


FIRST_PAUSE: Final = 1.0
"""Seconds between the first two attempts; each pause after is twice as long."""
LONGEST_PAUSE: Final = 15.0
"""Seconds between attempts, at most, where Discord fails for this game alone: posted within 20 s of the end."""
TRIES: Final = 6
"""Failures of its own making after which a row rests, half a minute after the first."""
TAKEN_PAUSE: Final = 0.2
"""Seconds until a game is looked at again whose posts another process has begun."""
UNREAD_PAUSE: Final = 5.0
"""Seconds until the outbox is read again when the database did not answer."""


class Mark(Protocol):
    """Ticks postings off as sent."""

    async def __call__(self, postings: Sequence[Posting], message_id: int | None = None) -> None:
        """Tick these off, with the message that tells of them, if it is one."""


class Deliver(Protocol):
    """Posts rows of one game; `unsure` says that some of them may have been posted before a crash."""

    async def __call__(self, game_id: int, postings: Sequence[Posting], mark: Mark, *, unsure: bool) -> None:
        """Post these, and tick each off."""


@dataclass
class QueueWork:
    """The common parts of all queues."""

    db: Database
    source: RowSource
    deliver: Deliver
    clock: Callable[[], str]
    breaker: CircuitBreaker
    passing: Callable[[Exception], bool]
    """True if a failure says nothing about the row: the network, or Discord as a whole."""
    posted: Callable[[int], None]
    """Run with the game where a post has succeeded."""
    rests: Callable[[int], None]
    """Run with the game where rows have been parked."""


class OutboxQueue:
    """The rows of one game whose kinds belong together; works while there is something to do."""

    def __init__(self, work: QueueWork, game_id: int, name: str) -> None:
        self._work = work
        self._game_id = game_id
        self._name = name
        self._woken = asyncio.Event()
        self._tried = asyncio.Event()
        self._sure = False
        self._stuck = False
        self._passing = 0.0
        """The last pause after failures in a row that say nothing about the rows; 0 where there is none."""
        self._place = 0
        """Its place in the order of resuming after an outage; 0 where there is none to wait for."""
        self._still = asyncio.Event()
        self._still.set()
        self._ending = False
        self._task: asyncio.Task[None] | None = None

    @property
    def idle(self) -> bool:
        """True if there is nothing to post, as far as this queue knows."""
        return self._task is None

    def wake(self) -> None:
        """Look for rows now, even in a pause after a failure."""
        self._woken.set()
        if self._task is None:
            self._tried.clear()
            self._task = asyncio.create_task(self._run())

    async def tried(self) -> None:
        """Wait until every row there was has been tried once."""
        await self._tried.wait()

    async def stop(self, finishing: float) -> None:
        """Stop: the post under way has N seconds; rows not ticked off stay in the outbox."""
        self._ending = True
        with suppress(TimeoutError):
            async with asyncio.timeout(finishing):
                await self._still.wait()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        try:
            while self._woken.is_set() and not self._ending:
                if self._work.breaker.is_open:
                    self._tried.set()  # nobody waits for the end of an outage
                    self._place = self._place or self._work.breaker.place()
                async with self._work.breaker.turn(self._name, self._place):
                    self._woken.clear()
                    self._still.clear()
                    pause = await self._once()
                self._still.set()
                self._tried.set()
                await self._wait(pause)
        finally:
            self._tried.set()
            self._task = None

    async def _wait(self, pause: float) -> None:
        if not pause:
            return
        try:
            async with asyncio.timeout(pause):
                await self._woken.wait()
        except TimeoutError:
            self._woken.set()

    async def _once(self) -> float:
        """Try all rows; the seconds to wait before the next attempt, 0 where none is needed."""
        try:
            waiting = await self._work.source.fetch(self._game_id)
            mine = (row for row in waiting if queue_name(row.kind) == self._name)
            # As they are posted, so that the first that is left after a failure is the one that failed.
            rows = sorted(mine, key=_place)
            return await self._try(rows) if rows else 0.0
        except ClaimedElsewhere:
            return TAKEN_PAUSE
        except ShardLost:
            _log.warning("game %s: another process has taken over, and posts the rest", self._game_id)
            return UNREAD_PAUSE
        except Exception:  # noqa: BLE001 - whatever it is, the rows are looked at again
            _log.exception("game %s: the outbox cannot be read or written", self._game_id)
            return UNREAD_PAUSE

    async def _try(self, rows: list[Posting]) -> float:
        bind(game=self._game_id, seq=max(row.seq for row in rows))
        left = {row.id: row for row in rows}

        async def mark(postings: Sequence[Posting], message_id: int | None = None) -> None:
            ids = [row.id for row in postings]
            await self._work.source.mark(self._game_id, ids, self._work.clock(), message_id)
            for number in ids:
                left.pop(number, None)
            self._stuck = False

        unsure, self._sure = not self._sure, False
        try:
            await self._work.deliver(self._game_id, rows, mark, unsure=unsure)
        except StorageError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever went wrong, the rows stay and are tried again
            return await self._failed(list(left.values()) or rows[-1:], error)
        self._sure = True
        self._passing, self._place = 0.0, 0
        if len(left) < len(rows):
            self._work.posted(self._game_id)
        return 0.0

    async def _failed(self, left: list[Posting], error: Exception) -> float:
        row = left[0]
        if self._work.passing(error):
            self._passing = min(2 * self._passing or FIRST_PAUSE, LONGEST_PAUSE)
            return self._pause(row, error, self._passing)
        self._passing = 0.0
        await outbox.mark_failed(self._work.db, row.id, repr(error))
        if row.attempts + 1 < TRIES:
            return self._pause(row, error, FIRST_PAUSE * 2.0**row.attempts)
        # A single row may be at fault; when the next one fails, too, it is the thread, and all of them rest.
        resting = left if self._stuck else left[:1]
        self._stuck = True
        await outbox.park(
            self._work.db, *(each.id for each in resting), error=repr(error), now=self._work.clock()
        )
        _log.warning(
            "game %s: %s rows are parked until the next move, from posting %s (%s) on",
            self._game_id,
            len(resting),
            row.id,
            row.kind,
            exc_info=error,
        )
        self._work.rests(self._game_id)
        self._woken.set()
        return 0.0

    def _pause(self, row: Posting, error: Exception, pause: float) -> float:
        if self._work.breaker.is_open:
            self._woken.set()  # its next turn comes after everybody else's
            return 0.0
        _log.warning(
            "game %s: posting %s (%s) failed; next attempt in %.0f s",
            self._game_id,
            row.id,
            row.kind,
            pause,
            exc_info=error,
        )
        return pause


def _place(row: Posting) -> int:
    return ORDER.index(row.kind) if row.kind in ORDER else len(ORDER)
