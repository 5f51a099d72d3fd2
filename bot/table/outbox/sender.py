"""The sender: a task that posts notices from the outbox to Discord, with a queue for each game."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final, TypeAlias

from bot.table.log_context import bind
from bot.table.outbox.circuit_breaker import PROBE_TIMEOUT_SECONDS, CircuitBreaker, Timer
from bot.table.outbox.notices import POSTING_ORDER
from storage import ALL_SHARDS, Database, GameRow, Posting, ShardSet, StorageError, ThreadMessage, outbox

_log = logging.getLogger("stationmaster.outbox")

FIRST_PAUSE_SECONDS: Final = 1.0
"""Pause before the first retry, in seconds; it doubles after each failure."""
MAX_PAUSE_SECONDS: Final = 15.0
"""Maximum pause between retries, in seconds."""
DATABASE_RETRY_SECONDS: Final = 5.0
"""Seconds until the sender reads the outbox again after a database error."""
MAX_PARALLEL_CATCH_UPS: Final = 8
"""Maximum number of games whose old rows are posted in parallel: about Discord's limit of parallel requests."""
OUTBOX_CHECK_SECONDS: Final = 60.0
"""Seconds between reads of the whole outbox. They find rows for which nobody called `wake`."""
PARKED_RETRY_SECONDS: Final = 3600.0
"""Seconds after which rows that failed too often (parked rows) are tried again even if their game has not changed."""
MIN_PROBE_PAUSE_SECONDS: Final = 0.1
"""Minimum pause between probes (single test requests during an outage), in seconds."""
SECONDS_TO_FINISH_POSTS: Final = 5.0
"""Seconds that running posts get to finish when the sender stops."""

RunLater: TypeAlias = Callable[[Callable[..., object]], object]
"""A function that calls its argument (a callback) later."""


@dataclass
class PostLater(Exception):  # noqa: N818 - nothing has failed
    """Raised if these rows of a game must be posted later; newer rows may be posted before them."""

    retry_after: RunLater


MarkSent: TypeAlias = Callable[[Sequence[Posting], int | None, Sequence[ThreadMessage]], Awaitable[None]]
"""A function that marks outbox rows as posted.

Its arguments are the rows, the id of the message that shows them (None if no message does), and the messages of the
thread with their new contents.
"""
PostRows: TypeAlias = Callable[[GameRow, Sequence[Posting], MarkSent], Awaitable[None]]
"""A function that posts outbox rows of one game, and marks each row once it is posted.

After a crash, some of the rows may have been posted without a mark. May raise PostLater.
"""


@dataclass
class _GameQueue:
    """The outbox queue of a game. It exists only while rows are being posted or wait for a retry."""

    game_id: int
    task: asyncio.Task[None] | None = None
    has_untried_rows: bool = True
    pause: float = 0.0
    has_just_parked_row: bool = False
    """True if the last row was parked: set aside because posting it failed too often."""
    parked_row_ids: set[int] = field(default_factory=set)
    """Ids of rows that were set aside because posting them failed too often. They wait until the game changes."""


class Sender:
    """Posts the outbox of this process's shards: games in parallel, but each game's notices in order.

    During an outage it tries one game at a time, the longest-waiting one first. At the start and after an outage, it
    posts old rows of a few games at a time, oldest first. Games with new rows are posted at once.
    """

    def __init__(
        self,
        db: Database,
        post_rows: PostRows,
        clock: Callable[[], str],
        is_temporary_failure: Callable[[Exception], bool],
        breaker: CircuitBreaker,
        *,
        send_probe: Callable[[], Awaitable[object]],
        shards: ShardSet = ALL_SHARDS,
        get_timer: Callable[[], Timer] = asyncio.get_running_loop,
    ) -> None:
        """`is_temporary_failure(error)` is true if an error is temporary and not the fault of a row.

        `send_probe` sends a plain request to Discord.
        """
        self._db, self._post_rows, self._clock = db, post_rows, clock
        self._is_temporary_failure, self._breaker, self._send_probe = (
            is_temporary_failure,
            breaker,
            send_probe,
        )
        self._shards, self._get_timer = shards, get_timer
        self._is_running = False
        self._queues: dict[int, _GameQueue] = {}
        self._catch_up_tasks: list[asyncio.Task[None]] = []
        self._probed_game_count = 0

    def wake(self, game_id: int, *, has_new_rows: bool = True) -> None:
        """Post the rows of a game now, and retry its failed rows, even those that were set aside.

        If `has_new_rows` is false, this happens only if rows of the game are waiting for a retry. During an outage of
        Discord, nothing happens.
        """
        if self._is_running and not self._breaker.is_open and (has_new_rows or game_id in self._queues):
            self._start_posting(game_id)
            self._queues[game_id].parked_row_ids.clear()

    async def run(self) -> None:
        """Post the outbox until this task is cancelled."""
        self._is_running = True
        try:
            while True:
                if self._breaker.is_open:
                    await self._wait_seconds(max(self._breaker.seconds_to_probe, MIN_PROBE_PAUSE_SECONDS))
                    await self._probe()
                else:
                    await self._catch_up()
                    if not self._breaker.is_open:
                        await self._wait_seconds(OUTBOX_CHECK_SECONDS)
        finally:
            await self._stop()

    async def _wait_seconds(self, seconds: float) -> None:
        wake_event = asyncio.Event()
        self._breaker.on_change = wake_event.set
        self._get_timer().call_later(seconds, wake_event.set)
        await wake_event.wait()

    # -- all games --

    async def _catch_up(self) -> None:
        try:
            game_ids = iter(await outbox.games_with_unposted_notices(self._db, self._shards))
        except Exception:  # noqa: BLE001 - if this ended, no game would be posted until the next start
            _log.exception("cannot read the outbox")
            return
        self._probed_game_count = 0
        for task in self._catch_up_tasks:
            task.cancel()
        self._catch_up_tasks = [
            asyncio.create_task(self._post_games(game_ids)) for _ in range(MAX_PARALLEL_CATCH_UPS)
        ]

    async def _post_games(self, game_ids: Iterator[int]) -> None:
        for game_id in game_ids:
            if self._breaker.is_open:
                return
            if game_id not in self._queues:
                await asyncio.wait({self._start_posting(game_id)})

    async def _probe(self) -> None:
        if not self._breaker.is_open:
            return
        # Pauses no longer matter: after an outage all rows are tried.
        self._queues = {game_id: queue for game_id, queue in self._queues.items() if queue.task}
        try:
            waiting_game_ids = await outbox.games_with_unposted_notices(self._db, self._shards)
            waiting_game_ids = [game_id for game_id in waiting_game_ids if game_id not in self._queues]
            async with asyncio.timeout(PROBE_TIMEOUT_SECONDS):
                if waiting_game_ids:
                    self._probed_game_count += 1
                    await asyncio.wait(
                        {
                            self._start_posting(
                                waiting_game_ids[(self._probed_game_count - 1) % len(waiting_game_ids)]
                            )
                        }
                    )
                else:
                    await self._send_probe()
                    self._breaker.record_success(was_write=True)  # no post can show that writes work
        except Exception as error:  # noqa: BLE001 - the next probe follows
            _log.info("Discord is still failing: %r", error)

    async def _stop(self) -> None:
        """Stop posting. Running posts get a few seconds to finish; all other rows stay in the outbox."""
        self._is_running = False
        for task in self._catch_up_tasks:
            task.cancel()
        tasks = [*self._catch_up_tasks, *(queue.task for queue in self._queues.values() if queue.task)]
        if tasks:
            _, unfinished_tasks = await asyncio.wait(tasks, timeout=SECONDS_TO_FINISH_POSTS)
            for task in unfinished_tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    # -- one game --

    def _start_posting(self, game_id: int) -> asyncio.Task[None]:
        queue = self._queues.setdefault(game_id, _GameQueue(game_id))
        queue.has_untried_rows = True
        if queue.task is None:
            queue.task = asyncio.create_task(self._run_queue(queue))
        return queue.task

    def _retry_queue(self, queue: _GameQueue) -> None:
        if self._is_running and self._queues.get(queue.game_id) is queue:
            self._start_posting(queue.game_id)

    async def _run_queue(self, queue: _GameQueue) -> None:
        run_later = None
        try:
            while queue.has_untried_rows and self._is_running:
                queue.has_untried_rows = False
                run_later = await self._post_waiting_rows(queue)
        finally:
            queue.task = None
            if run_later is None:
                del self._queues[queue.game_id]
            else:
                run_later(lambda *_: self._retry_queue(queue))

    async def _post_waiting_rows(self, queue: _GameQueue) -> RunLater | None:
        """Post the rows of a queue; returns a function that schedules the retry, or None if no retry is needed."""
        try:
            game, waiting_rows = await outbox.game_and_unposted_notices(self._db, queue.game_id)
            # In posting order, so that the first unposted row after a failure is the one that failed.
            rows = sorted(
                (row for row in waiting_rows if row.id not in queue.parked_row_ids), key=_posting_rank
            )
            if game and rows:
                return await self._post(queue, game, rows)
        except Exception:  # noqa: BLE001 - the outbox is read again later
            _log.exception("game %s: cannot read or update its outbox", queue.game_id)
            return partial(self._get_timer().call_later, DATABASE_RETRY_SECONDS)
        has_parked_rows = bool(queue.parked_row_ids)
        queue.parked_row_ids.clear()
        return partial(self._get_timer().call_later, PARKED_RETRY_SECONDS) if has_parked_rows else None

    async def _post(self, queue: _GameQueue, game: GameRow, rows: list[Posting]) -> RunLater | None:
        bind(game=queue.game_id, seq=max(row.seq for row in rows))
        unposted_rows, run_later = {row.id: row for row in rows}, None

        async def mark_posted(
            posted_rows: Sequence[Posting], message_id: int | None, shown_messages: Sequence[ThreadMessage]
        ) -> None:
            ids = [row.id for row in posted_rows]
            await outbox.mark_sent(
                self._db, *ids, now=self._clock(), message_id=message_id, shown_messages=shown_messages
            )
            for number in ids:
                unposted_rows.pop(number, None)
            queue.has_just_parked_row = False

        try:
            await self._post_rows(game, rows, mark_posted)
        except StorageError:
            raise
        except PostLater as postponement:
            run_later = postponement.retry_after
        except Exception as error:  # noqa: BLE001 - rows stay in the outbox and are tried again
            return await self._record_failure(queue, list(unposted_rows.values()) or rows[-1:], error)
        queue.pause = 0.0
        if len(unposted_rows) < len(rows) and queue.parked_row_ids:
            self.wake(queue.game_id)
        return run_later

    async def _record_failure(
        self, queue: _GameQueue, unposted_rows: Sequence[Posting], error: Exception
    ) -> RunLater | None:
        if self._breaker.is_open:
            return None  # the outage's end finds the rows again
        first_row, counts_as_attempt = unposted_rows[0], not self._is_temporary_failure(error)
        queue.pause = min(2 * queue.pause or FIRST_PAUSE_SECONDS, MAX_PAUSE_SECONDS)
        next_try_text = f"next attempt in {queue.pause:.0f} s"
        if counts_as_attempt and first_row.attempts + 1 >= outbox.MAX_ATTEMPTS:
            next_try_text = "parked until the next move"
            # One row may be at fault; if the next one fails too, the thread is at fault, and all rows are parked.
            newly_parked_ids = [
                row.id for row in (unposted_rows if queue.has_just_parked_row else unposted_rows[:1])
            ]
            await outbox.mark_failed(
                self._db, *newly_parked_ids, error=repr(error), attempt_count=outbox.MAX_ATTEMPTS
            )
            queue.parked_row_ids.update(newly_parked_ids)
            queue.pause, queue.has_just_parked_row, queue.has_untried_rows = 0.0, True, True
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
        return partial(self._get_timer().call_later, queue.pause) if queue.pause else None


def _posting_rank(row: Posting) -> int:
    return POSTING_ORDER.index(row.kind) if row.kind in POSTING_ORDER else len(POSTING_ORDER)
