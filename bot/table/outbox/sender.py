"""The sender of the outbox, with a queue for each game."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final, TypeAlias

from bot.table.log_context import bind
from bot.table.outbox.circuit_breaker import NO_ANSWER, CircuitBreaker, Timer
from bot.table.outbox.notices import ORDER
from storage import WHOLE, Database, GameRow, Posting, ShardSet, ShownMessage, StorageError, outbox

_log = logging.getLogger("stationmaster.outbox")

FIRST_PAUSE: Final = 1.0
"""Seconds between the first two attempts; each pause after is twice as long."""
LONGEST_PAUSE: Final = 15.0
"""Seconds between attempts, at most."""
UNREAD_PAUSE: Final = 5.0
"""Seconds until the outbox is read again when the database did not answer."""
CATCHING_UP: Final = 8
"""Games that catch up at the same time: about as many as requests may be under way."""
LOOK_AGAIN: Final = 60.0
"""Seconds until the outbox is looked through again, for rows that no notice announced."""
UNPARK: Final = 3600.0
"""Seconds after which parked rows are tried again, although nobody has acted in their game."""
LEAST_REST: Final = 0.1
"""Seconds between two probes, at least, where the first one has sent nothing."""
FINISHING_SECONDS: Final = 5.0
"""Seconds that posts under way may take to finish when sending ends."""

Later: TypeAlias = Callable[[Callable[..., object]], object]
"""Runs a callback at a later time."""


@dataclass
class NotYet(Exception):  # noqa: N818 - nothing has failed
    """Rows of a game that must be posted later; new rows are posted first."""

    retry_after: Later


MarkSent: TypeAlias = Callable[[Sequence[Posting], int | None, Sequence[ShownMessage]], Awaitable[None]]
"""Records that rows are posted, with the message that shows them, if it is one, and what messages show now."""
Deliver: TypeAlias = Callable[[GameRow, Sequence[Posting], MarkSent], Awaitable[None]]
"""Posts rows of one game, some of which may have been posted before a crash, and marks each; may raise NotYet."""


@dataclass
class _Queue:
    """A game's queue of rows, which exists while it works or waits."""

    game_id: int
    task: asyncio.Task[None] | None = None
    asked: bool = True
    """True if there may be rows that were not tried."""
    pause: float = 0.0
    """The last pause, after failures in a row."""
    stuck: bool = False
    """True if the row before the next has been parked."""
    parked: set[int] = field(default_factory=set)
    """The rows that are not tried any more."""


class Sender:
    """Posts the outbox of a process's shards: games in parallel, each in order.

    In an outage one game at a time tries, the one that has waited longest, then the next. After it, as
    after a start, games catch up a few at a time, oldest first; a game with news waits for none of them.
    """

    def __init__(
        self,
        db: Database,
        deliver: Deliver,
        clock: Callable[[], str],
        passing: Callable[[Exception], bool],
        breaker: CircuitBreaker,
        *,
        ask: Callable[[], Awaitable[object]],
        shards: ShardSet = WHOLE,
        timer: Callable[[], Timer] = asyncio.get_running_loop,
    ) -> None:
        """`passing` is true for a failure that says nothing about a row; `ask` sends Discord any request."""
        self._db, self._deliver, self._clock = db, deliver, clock
        self._passing, self._breaker, self._ask = passing, breaker, ask
        self._share, self._timer = shards, timer
        self._open = False
        self._queues: dict[int, _Queue] = {}
        self._catching_up: list[asyncio.Task[None]] = []
        self._probes = 0
        """The number of games tried in this outage."""

    def wake(self, game_id: int, *, news: bool = True) -> None:
        """Post a game's rows; failed and parked ones are retried. Without `news` only waiting ones are."""
        if self._open and not self._breaker.is_open and (news or game_id in self._queues):
            self._start_attempt(game_id)
            self._queues[game_id].parked.clear()

    async def run(self) -> None:
        """Run until cancelled, starting with leftover rows."""
        self._open = True
        try:
            while True:
                if self._breaker.is_open:
                    await self._wait_for(max(self._breaker.due_in, LEAST_REST))
                    await self._probe()
                else:
                    await self._catch_up()
                    if not self._breaker.is_open:
                        await self._wait_for(LOOK_AGAIN)
        finally:
            await self._stop()

    async def _wait_for(self, seconds: float) -> None:
        """Wait, up to the start or end of an outage."""
        changed = asyncio.Event()
        self._breaker.on_change = changed.set
        self._timer().call_later(seconds, changed.set)
        await changed.wait()

    # -- all games --

    async def _catch_up(self) -> None:
        """Post all waiting rows by a few tasks."""
        try:
            line = iter(await outbox.waiting_games(self._db, self._share))
        except Exception:  # noqa: BLE001 - were this to end, every table would be silent until the next start
            _log.exception("cannot read the outbox")
            return
        self._probes = 0
        for task in self._catching_up:
            task.cancel()
        self._catching_up = [asyncio.create_task(self._serve(line)) for _ in range(CATCHING_UP)]

    async def _serve(self, line: Iterator[int]) -> None:
        for game_id in line:
            if self._breaker.is_open:
                return
            if game_id not in self._queues:
                await asyncio.wait({self._start_attempt(game_id)})

    async def _probe(self) -> None:
        """Probe in an outage with the longest-waiting game, then the next; without any, by a plain request."""
        if not self._breaker.is_open:
            return
        # Pauses are over: after an outage, as after a start, all rows are tried.
        self._queues = {game_id: queue for game_id, queue in self._queues.items() if queue.task}
        try:
            waiting = await outbox.waiting_games(self._db, self._share)
            waiting = [game_id for game_id in waiting if game_id not in self._queues]
            async with asyncio.timeout(NO_ANSWER):
                if waiting:
                    self._probes += 1
                    await asyncio.wait({self._start_attempt(waiting[(self._probes - 1) % len(waiting)])})
                else:
                    await self._ask()
                    self._breaker.record_success(writes=True)  # no post says otherwise
        except Exception as error:  # noqa: BLE001 - whatever it is, the next probe follows
            _log.info("Discord is still failing: %r", error)

    async def _stop(self) -> None:
        """Stop after a few seconds for current posts; unmarked rows stay in the outbox."""
        self._open = False
        for task in self._catching_up:
            task.cancel()
        tasks = [*self._catching_up, *(queue.task for queue in self._queues.values() if queue.task)]
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=FINISHING_SECONDS)
            for task in late:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    # -- one game --

    def _start_attempt(self, game_id: int) -> asyncio.Task[None]:
        """Post a game's rows, after its current attempt."""
        queue = self._queues.setdefault(game_id, _Queue(game_id))
        queue.asked = True
        if queue.task is None:
            queue.task = asyncio.create_task(self._run(queue))
        return queue.task

    def _retry(self, queue: _Queue) -> None:
        if self._open and self._queues.get(queue.game_id) is queue:
            self._start_attempt(queue.game_id)

    async def _run(self, queue: _Queue) -> None:
        then = None
        try:
            while queue.asked and self._open:
                queue.asked = False
                then = await self._attempt(queue)
        finally:
            queue.task = None
            if then is None:
                del self._queues[queue.game_id]
            else:
                then(lambda *_: self._retry(queue))

    async def _attempt(self, queue: _Queue) -> Later | None:
        """Post all rows; returns the wait before the next attempt, None if none is needed."""
        try:
            game, waiting = await outbox.game_and_postings(self._db, queue.game_id)
            # As they are posted, so that the first that is left after a failure is the one that failed.
            rows = sorted((row for row in waiting if row.id not in queue.parked), key=_log_place)
            if game and rows:
                return await self._post(queue, game, rows)
        except Exception:  # noqa: BLE001 - whatever it is, the rows are looked at again
            _log.exception("game %s: cannot read the outbox or written", queue.game_id)
            return partial(self._timer().call_later, UNREAD_PAUSE)
        is_parked = bool(queue.parked)
        queue.parked.clear()
        return partial(self._timer().call_later, UNPARK) if is_parked else None

    async def _post(self, queue: _Queue, game: GameRow, rows: list[Posting]) -> Later | None:
        bind(game=queue.game_id, seq=max(row.seq for row in rows))
        left, then = {row.id: row for row in rows}, None

        async def mark(
            done_postings: Sequence[Posting], message: int | None, shown_messages: Sequence[ShownMessage]
        ) -> None:
            ids = [row.id for row in done_postings]
            await outbox.mark_sent(
                self._db, *ids, now=self._clock(), message_id=message, shown_messages=shown_messages
            )
            for number in ids:
                left.pop(number, None)
            queue.stuck = False

        try:
            await self._deliver(game, rows, mark)
        except StorageError:
            raise
        except NotYet as wait:
            then = wait.retry_after
        except Exception as error:  # noqa: BLE001 - whatever went wrong, the rows stay and are tried again
            return await self._failed(queue, list(left.values()) or rows[-1:], error)
        queue.pause = 0.0
        if len(left) < len(rows) and queue.parked:
            self.wake(queue.game_id)
        return then

    async def _failed(self, queue: _Queue, left: Sequence[Posting], error: Exception) -> Later | None:
        if self._breaker.is_open:
            return None  # the rows are found again
        row, is_counted = left[0], not self._passing(error)
        queue.pause = min(2 * queue.pause or FIRST_PAUSE, LONGEST_PAUSE)
        outlook = f"next attempt in {queue.pause:.0f} s"
        if is_counted and row.attempts + 1 >= outbox.TRIES:
            outlook = "parked until the next move"
            # A single row may be at fault; when the next one fails, too, it is the thread, and all of them are parked.
            parked = [each.id for each in (left if queue.stuck else left[:1])]
            await outbox.mark_failed(self._db, *parked, error=repr(error), times=outbox.TRIES)
            queue.parked.update(parked)
            queue.pause, queue.stuck, queue.asked = 0.0, True, True
        elif is_counted:
            await outbox.mark_failed(self._db, row.id, error=repr(error))
        _log.warning(
            "game %s: posting %s (%s) failed; %s", row.game_id, row.id, row.kind, outlook, exc_info=error
        )
        return partial(self._timer().call_later, queue.pause) if queue.pause else None


def _log_place(row: Posting) -> int:
    return ORDER.index(row.kind) if row.kind in ORDER else len(ORDER)
