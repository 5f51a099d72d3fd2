"""The sender: what is in the outbox gets posted, in order per game and lane, again and again until it is."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Final, Protocol, TypeAlias

from bot.table.trail import about
from storage import outbox
from storage.db import Database
from storage.errors import StorageError
from storage.outbox import Posting

_log = logging.getLogger("stationmaster.outbox")

Lane: TypeAlias = tuple[int, str]
"""A game, and what its rows are kept in order with: pictures must not keep words waiting."""

LONGEST_PAUSE: Final = 300.0
"""Seconds between attempts, at most."""
FINISHING_SECONDS: Final = 5.0
"""How long posts under way may take to finish when sending ends."""
AT_ONCE: Final = 500
"""Rows read at a time."""


class Mark(Protocol):
    """Ticks postings off as sent."""

    async def __call__(self, postings: Sequence[Posting]) -> None:
        """Tick these off."""


class Deliver(Protocol):
    """Posts rows of one game; `unsure` says that some of them may have been posted before a crash."""

    async def __call__(self, game_id: int, postings: Sequence[Posting], mark: Mark, *, unsure: bool) -> None:
        """Post these, and tick each off."""


class Sender:
    """Posts the outbox: lanes side by side, each serially; a failure is tried again after a pause."""

    def __init__(
        self, db: Database, deliver: Deliver, clock: Callable[[], str], lane: Callable[[str], str]
    ) -> None:
        self._db = db
        self._deliver = deliver
        self._lane = lane
        self._clock = clock
        self._wake = asyncio.Event()
        self._busy: dict[Lane, asyncio.Task[None]] = {}
        self._not_before: dict[Lane, float] = {}
        self._sure: set[Lane] = set()

    def wake(self) -> None:
        """Look into the outbox now."""
        self._wake.set()

    async def run(self) -> None:
        """Send until cancelled."""
        try:
            while True:
                self._wake.clear()
                await self._start_deliveries()
                await self._pause()
        finally:
            if self._busy:
                await asyncio.wait(self._busy.values(), timeout=FINISHING_SECONDS)
            for task in self._busy.values():
                task.cancel()
            await asyncio.gather(*self._busy.values(), return_exceptions=True)

    async def _start_deliveries(self) -> None:
        try:
            rows = await outbox.pending(self._db, AT_ONCE)
        except StorageError:
            _log.exception("the outbox cannot be read")
            asyncio.get_running_loop().call_later(5, self.wake)
            return
        lanes: dict[Lane, list[Posting]] = {}
        for row in rows:
            lanes.setdefault((row.game_id, self._lane(row.kind)), []).append(row)
        for lane, group in lanes.items():
            if lane not in self._busy and self._waiting_time(lane) <= 0:
                self._busy[lane] = asyncio.create_task(self._send(lane, group))

    async def _send(self, lane: Lane, rows: list[Posting]) -> None:
        about(game=lane[0], seq=rows[-1].seq)
        left = {row.id: row for row in rows}

        async def mark(postings: Sequence[Posting]) -> None:
            await outbox.mark_sent(self._db, *(row.id for row in postings), now=self._clock())
            for row in postings:
                left.pop(row.id, None)

        unsure = lane not in self._sure
        self._sure.discard(lane)
        try:
            await self._deliver(lane[0], rows, mark, unsure=unsure)
            self._sure.add(lane)
            self._not_before.pop(lane, None)
        except Exception as error:  # noqa: BLE001 - whatever went wrong, the rows stay and are tried again
            await self._failed(lane, next(iter(left.values()), rows[-1]), error)
        finally:
            del self._busy[lane]
            self.wake()

    async def _failed(self, lane: Lane, row: Posting, error: Exception) -> None:
        pause = min(2.0 ** min(row.attempts, 16), LONGEST_PAUSE)
        self._not_before[lane] = asyncio.get_running_loop().time() + pause
        _log.warning(
            "game %s: posting %s (%s) failed; next attempt in %.0f s",
            lane[0],
            row.id,
            row.kind,
            pause,
            exc_info=error,
        )
        try:
            await outbox.mark_failed(self._db, row.id, repr(error))
        except StorageError:
            _log.exception("game %s: the failure of posting %s cannot be recorded", lane[0], row.id)

    def _waiting_time(self, lane: Lane) -> float:
        return self._not_before.get(lane, 0.0) - asyncio.get_running_loop().time()

    async def _pause(self) -> None:
        waits = [self._waiting_time(lane) for lane in self._not_before if lane not in self._busy]
        try:
            async with asyncio.timeout(max(0.05, min(waits)) if waits else None):
                await self._wake.wait()
        except TimeoutError:
            return
