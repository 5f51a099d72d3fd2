"""The sender, which posts the outbox with a queue for each game."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final, TypeAlias

from bot.table.log_context import bind
from bot.table.outbox.circuit_breaker import PROBE_TIMEOUT_SECONDS, CircuitBreaker, Timer
from bot.table.outbox.notices import POSTING_ORDER
from storage import ALL_SHARDS, Database, GameRow, Posting, ShardSet, ShownMessage, StorageError, outbox

_log = logging.getLogger("stationmaster.outbox")

FIRST_PAUSE_SECONDS: Final = 1.0
"""Seconds between the first two attempts; each later pause is twice as long."""
MAX_PAUSE_SECONDS: Final = 15.0
"""The most seconds between attempts."""
UNREAD_PAUSE_SECONDS: Final = 5.0
"""Seconds until the outbox is read again after the database failed."""
MAX_CATCHING_UP: Final = 8
"""Games that catch up at the same time: about as many as requests can run in parallel."""
OUTBOX_CHECK_SECONDS: Final = 60.0
"""Seconds between full reads of the outbox, for rows that `wake` did not announce."""
UNPARK_SECONDS: Final = 3600.0
"""Seconds after which parked rows are tried again even without a change of their game."""
MIN_PROBE_PAUSE: Final = 0.1
"""The shortest pause before the next probe, in seconds."""
FINISHING_SECONDS: Final = 5.0
"""Seconds that running posts may take when the sender stops."""

RunLater: TypeAlias = Callable[[Callable[..., object]], object]
"""A function that calls a callback later."""


@dataclass
class PostLater(Exception):  # noqa: N818 - nothing has failed
    """Raised when rows of a game must be posted later; new rows may be posted before."""

    retry_after: RunLater


MarkSent: TypeAlias = Callable[[Sequence[Posting], int | None, Sequence[ShownMessage]], Awaitable[None]]
"""Marks rows as posted, with the message that shows them, if any, and changed contents of messages."""
PostRows: TypeAlias = Callable[[GameRow, Sequence[Posting], MarkSent], Awaitable[None]]
"""Posts rows of one game and marks each.

Some may have been posted before a crash. May raise PostLater.
"""


@dataclass
class _GameQueue:
    """The queue of a game; it exists while rows are being posted or wait for another attempt."""

    game_id: int
    task: asyncio.Task[None] | None = None
    has_untried_rows: bool = True
    """True if rows may have come that were not tried."""
    pause: float = 0.0
    """Seconds of the last pause; 0 after a success."""
    has_just_parked: bool = False
    """True if the row before the next one was parked."""
    parked_rows: set[int] = field(default_factory=set)
    """Rows that are not tried until the game changes."""


class Sender:
    """Posts the outbox of a process's shards: games in parallel, each game in order.

    In an outage only one game at a time is tried, the longest-waiting one first. After it, and at the start, a few
    games catch up at a time, oldest first; a game with new rows need not wait for them.
    """

    def __init__(
        self,
        db: Database,
        post_rows: PostRows,
        clock: Callable[[], str],
        is_passing_failure: Callable[[Exception], bool],
        breaker: CircuitBreaker,
        *,
        send_probe: Callable[[], Awaitable[object]],
        shards: ShardSet = ALL_SHARDS,
        timer: Callable[[], Timer] = asyncio.get_running_loop,
    ) -> None:
        """`is_passing_failure(error)` is true if a row is not at fault; `send_probe` sends any request to Discord."""
        self._db, self._post_rows, self._clock = db, post_rows, clock
        self._is_passing_failure, self._breaker, self._send_probe = is_passing_failure, breaker, send_probe
        self._share, self._timer = shards, timer
        self._open = False
        self._queues: dict[int, _GameQueue] = {}
        self._catching_up: list[asyncio.Task[None]] = []
        self._games_probed = 0
        """The number of games tried in this outage."""

    def wake(self, game_id: int, *, has_new_rows: bool = True) -> None:
        """Post a game's rows, and retry failed and parked ones. Without `has_new_rows`, only if rows of it wait."""
        if self._open and not self._breaker.is_open and (has_new_rows or game_id in self._queues):
            self._start_attempt(game_id)
            self._queues[game_id].parked_rows.clear()

    async def run(self) -> None:
        """Post the outbox until cancelled."""
        self._open = True
        try:
            while True:
                if self._breaker.is_open:
                    await self._wait_for(max(self._breaker.seconds_to_probe, MIN_PROBE_PAUSE))
                    await self._probe()
                else:
                    await self._catch_up()
                    if not self._breaker.is_open:
                        await self._wait_for(OUTBOX_CHECK_SECONDS)
        finally:
            await self._stop()

    async def _wait_for(self, seconds: float) -> None:
        """Wait this long, or until an outage begins or ends."""
        changed = asyncio.Event()
        self._breaker.on_change = changed.set
        self._timer().call_later(seconds, changed.set)
        await changed.wait()

    # -- all games --

    async def _catch_up(self) -> None:
        """Start tasks that post all unposted rows."""
        try:
            game_ids = iter(await outbox.games_with_postings(self._db, self._share))
        except Exception:  # noqa: BLE001 - if this ended, no game would be posted until the next start
            _log.exception("cannot read the outbox")
            return
        self._games_probed = 0
        for task in self._catching_up:
            task.cancel()
        self._catching_up = [asyncio.create_task(self._post_games(game_ids)) for _ in range(MAX_CATCHING_UP)]

    async def _post_games(self, game_ids: Iterator[int]) -> None:
        for game_id in game_ids:
            if self._breaker.is_open:
                return
            if game_id not in self._queues:
                await asyncio.wait({self._start_attempt(game_id)})

    async def _probe(self) -> None:
        """Test in an outage if Discord works again: post for the longest-waiting game, or send a plain request."""
        if not self._breaker.is_open:
            return
        # Pauses no longer matter: after an outage all rows are tried.
        self._queues = {game_id: queue for game_id, queue in self._queues.items() if queue.task}
        try:
            waiting_ids = await outbox.games_with_postings(self._db, self._share)
            waiting_ids = [game_id for game_id in waiting_ids if game_id not in self._queues]
            async with asyncio.timeout(PROBE_TIMEOUT_SECONDS):
                if waiting_ids:
                    self._games_probed += 1
                    await asyncio.wait(
                        {self._start_attempt(waiting_ids[(self._games_probed - 1) % len(waiting_ids)])}
                    )
                else:
                    await self._send_probe()
                    self._breaker.record_success(was_write=True)  # no post can show that writes work
        except Exception as error:  # noqa: BLE001 - the next probe follows
            _log.info("Discord is still failing: %r", error)

    async def _stop(self) -> None:
        """Stop; running posts may finish for a few seconds, and unmarked rows stay in the outbox."""
        self._open = False
        for task in self._catching_up:
            task.cancel()
        tasks = [*self._catching_up, *(queue.task for queue in self._queues.values() if queue.task)]
        if tasks:
            _, unfinished = await asyncio.wait(tasks, timeout=FINISHING_SECONDS)
            for task in unfinished:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    # -- one game --

    def _start_attempt(self, game_id: int) -> asyncio.Task[None]:
        """Post a game's rows now, or after its running attempt."""
        queue = self._queues.setdefault(game_id, _GameQueue(game_id))
        queue.has_untried_rows = True
        if queue.task is None:
            queue.task = asyncio.create_task(self._run_queue(queue))
        return queue.task

    def _retry_queue(self, queue: _GameQueue) -> None:
        if self._open and self._queues.get(queue.game_id) is queue:
            self._start_attempt(queue.game_id)

    async def _run_queue(self, queue: _GameQueue) -> None:
        run_later = None
        try:
            while queue.has_untried_rows and self._open:
                queue.has_untried_rows = False
                run_later = await self._post_waiting_rows(queue)
        finally:
            queue.task = None
            if run_later is None:
                del self._queues[queue.game_id]
            else:
                run_later(lambda *_: self._retry_queue(queue))

    async def _post_waiting_rows(self, queue: _GameQueue) -> RunLater | None:
        """Post the rows of a queue; returns a function that schedules the next attempt, None if none is needed."""
        try:
            game, waiting_rows = await outbox.game_and_postings(self._db, queue.game_id)
            # In posting order, so that the first unposted row after a failure is the one that failed.
            rows = sorted((row for row in waiting_rows if row.id not in queue.parked_rows), key=_posting_rank)
            if game and rows:
                return await self._post(queue, game, rows)
        except Exception:  # noqa: BLE001 - the outbox is read again later
            _log.exception("game %s: cannot read or update its outbox", queue.game_id)
            return partial(self._timer().call_later, UNREAD_PAUSE_SECONDS)
        has_parked_rows = bool(queue.parked_rows)
        queue.parked_rows.clear()
        return partial(self._timer().call_later, UNPARK_SECONDS) if has_parked_rows else None

    async def _post(self, queue: _GameQueue, game: GameRow, rows: list[Posting]) -> RunLater | None:
        bind(game=queue.game_id, seq=max(row.seq for row in rows))
        unposted_rows, run_later = {row.id: row for row in rows}, None

        async def mark_posted(
            posted_rows: Sequence[Posting], message: int | None, shown_messages: Sequence[ShownMessage]
        ) -> None:
            ids = [row.id for row in posted_rows]
            await outbox.mark_sent(
                self._db, *ids, now=self._clock(), message_id=message, shown_messages=shown_messages
            )
            for number in ids:
                unposted_rows.pop(number, None)
            queue.has_just_parked = False

        try:
            await self._post_rows(game, rows, mark_posted)
        except StorageError:
            raise
        except PostLater as wait:
            run_later = wait.retry_after
        except Exception as error:  # noqa: BLE001 - rows stay in the outbox and are tried again
            return await self._record_failure(queue, list(unposted_rows.values()) or rows[-1:], error)
        queue.pause = 0.0
        if len(unposted_rows) < len(rows) and queue.parked_rows:
            self.wake(queue.game_id)
        return run_later

    async def _record_failure(
        self, queue: _GameQueue, unposted_rows: Sequence[Posting], error: Exception
    ) -> RunLater | None:
        if self._breaker.is_open:
            return None  # the outage's end finds the rows again
        first_row, counts_as_attempt = unposted_rows[0], not self._is_passing_failure(error)
        queue.pause = min(2 * queue.pause or FIRST_PAUSE_SECONDS, MAX_PAUSE_SECONDS)
        next_try_text = f"next attempt in {queue.pause:.0f} s"
        if counts_as_attempt and first_row.attempts + 1 >= outbox.MAX_ATTEMPTS:
            next_try_text = "parked until the next move"
            # One row may be at fault; if the next one fails too, the thread is at fault, and all rows are parked.
            newly_parked = [
                each.id for each in (unposted_rows if queue.has_just_parked else unposted_rows[:1])
            ]
            await outbox.mark_failed(self._db, *newly_parked, error=repr(error), times=outbox.MAX_ATTEMPTS)
            queue.parked_rows.update(newly_parked)
            queue.pause, queue.has_just_parked, queue.has_untried_rows = 0.0, True, True
        elif counts_as_attempt:
            await outbox.mark_failed(self._db, first_row.id, error=repr(error))
        _log.warning(
            "game %s: posting %s (%s) failed; %s",
            first_row.game_id,
            first_row.id,
            first_row.kind,
            next_try_text,
            exc_info=error,
        )
        return partial(self._timer().call_later, queue.pause) if queue.pause else None


def _posting_rank(row: Posting) -> int:
    return POSTING_ORDER.index(row.kind) if row.kind in POSTING_ORDER else len(POSTING_ORDER)
