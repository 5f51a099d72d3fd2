"""The sender: posts the outbox, each game separately, so that no game waits for another."""

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol, TypeAlias

from bot.table.log_context import bind
from bot.table.outbox.circuit_breaker import NO_ANSWER, CircuitBreaker, Timer
from bot.table.outbox.notices import ORDER, QUEUES, queue_name
from storage import WHOLE, Database, Posting, ShardSet, ShownMessage, StorageError, outbox

_log = logging.getLogger("stationmaster.outbox")

FIRST_PAUSE: Final = 1.0
"""Seconds between the first two attempts; each pause after is twice as long."""
LONGEST_PAUSE: Final = 15.0
"""Seconds between attempts, at most, where Discord fails for this game alone."""
UNREAD_PAUSE: Final = 5.0
"""Seconds until the outbox is read again when the database did not answer."""
CATCHING_UP: Final = 8
"""Queues of a kind that catch up at the same time: about as many as requests may be under way."""
LOOK_AGAIN: Final = 60.0
"""Seconds until the outbox is looked through again, for rows that no notice announced."""
UNPARK: Final = 3600.0
"""Seconds after which parked rows are tried again, although nobody has acted in their game."""
LEAST_REST: Final = 0.1
"""Seconds between two probes, at least, where the first one has sent nothing."""
FINISHING_SECONDS: Final = 5.0
"""How long posts under way may take to finish when sending ends."""

QueueKey: TypeAlias = tuple[int, str]
"""A game, and the name of one of its queues."""


class MarkSent(Protocol):
    """Records that rows are posted."""

    async def __call__(
        self,
        postings: Sequence[Posting],
        message_id: int | None = None,
        noted: Sequence[ShownMessage] = (),
        /,
    ) -> None:
        """Record it, with the message that shows them, if it is one, and with what messages show now."""


class Deliver(Protocol):
    """Posts rows of one game, some of which may have been posted before a crash."""

    async def __call__(self, game_id: int, postings: Sequence[Posting], mark: MarkSent) -> None:
        """Post these, and mark each."""


@dataclass(eq=False)
class _Queue:
    """Rows of one game that are posted in order; it is there while it works or pauses."""

    key: QueueKey
    task: asyncio.Task[None] = field(init=False)
    woken: asyncio.Event = field(default_factory=asyncio.Event)
    tried: asyncio.Event = field(default_factory=asyncio.Event)
    """Set once every row there was has been tried."""
    pause: float = 0.0
    """The last pause after failures in a row that say nothing about the rows."""
    stuck: bool = False
    """True if the row before the next has been parked."""


class Sender:
    """Posts the outbox of a process's shards: the queues of all games in parallel, each in order.

    In an outage one queue at a time tries, the one that has waited longest, then the next. After it, as after a start,
    queues catch up a few at a time, oldest first; a game with news waits for none of them.
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
        share: ShardSet = WHOLE,
        timer: Callable[[], Timer] = asyncio.get_running_loop,
    ) -> None:
        """`passing` is true for a failure that says nothing about a row; `ask` sends Discord any request."""
        self._db = db
        self._deliver = deliver
        self._clock = clock
        self._passing = passing
        self._breaker = breaker
        self._ask = ask
        self._share = share
        self._timer = timer
        self._open = False
        self._queues: dict[QueueKey, _Queue] = {}
        self._reads: dict[int, asyncio.Task[list[Posting]]] = {}
        self._parked: dict[int, set[int]] = {}
        """By game, the rows that are not tried any more."""
        self._unpark_at = 0.0
        self._catching_up: list[asyncio.Task[None]] = []
        self._probes: Counter[QueueKey] = Counter()

    def wake(self, game_id: int) -> None:
        """Post what a game has to post now: what failed or is parked there is tried again at once."""
        self._parked.pop(game_id, None)
        if self._open and not self._breaker.is_open:
            for name in QUEUES:
                self._start((game_id, name))

    def nudge(self, game_id: int) -> None:
        """A player acts in a game, without a move: what failed or is parked there is tried again at once."""
        if game_id in self._parked or any((game_id, name) in self._queues for name in QUEUES):
            self.wake(game_id)

    async def run(self) -> None:
        """Send until cancelled; first what was left."""
        self._open = True
        try:
            while True:
                if self._breaker.is_open:
                    await self._rest(max(self._breaker.due_in, LEAST_REST))
                    await self._probe()
                else:
                    await self._catch_up()
                    if not self._breaker.is_open:
                        await self._rest(LOOK_AGAIN)
        finally:
            await self._stop()

    async def _rest(self, seconds: float) -> None:
        """Wait, but not beyond the start or the end of an outage."""
        changed = asyncio.Event()
        self._breaker.on_change = changed.set
        self._timer().call_later(seconds, changed.set)
        await changed.wait()

    # -- all games --

    async def _catch_up(self) -> None:
        """Have all that waits posted, each kind by a few tasks; those of the last look that are slow give way."""
        now = self._timer().time()
        if now >= self._unpark_at:
            self._parked.clear()
            self._unpark_at = now + UNPARK
        try:
            waiting = await self._waiting()
        except Exception:  # noqa: BLE001 - were this to end, every table would be silent until the next start
            _log.exception("the outbox cannot be read")
            return
        self._probes.clear()
        for task in self._catching_up:
            task.cancel()
        lines = [iter([key for key in waiting if key[1] == name]) for name in QUEUES]
        self._catching_up = [
            asyncio.create_task(self._serve(line)) for line in lines for _ in range(CATCHING_UP)
        ]

    async def _serve(self, line: Iterator[QueueKey]) -> None:
        for key in line:
            if self._breaker.is_open:
                return
            is_new = key not in self._queues
            queue = self._start(key)
            if is_new:
                await queue.tried.wait()

    async def _probe(self) -> None:
        """In an outage, try a queue: of those tried least, the one that has waited longest. If none waits, ask."""
        if not self._breaker.is_open:
            return
        self._unpark_at = 0.0  # after an outage, as after a start
        try:
            waiting = [key for key in await self._waiting() if key not in self._queues]
            async with asyncio.timeout(NO_ANSWER):
                if waiting:
                    key = min(waiting, key=self._probes.__getitem__)
                    self._probes[key] += 1
                    await self._start(key).tried.wait()
                else:
                    await self._ask()
                    self._breaker.worked(writes=True)  # no post says otherwise
        except Exception as error:  # noqa: BLE001 - whatever it is, the next probe follows
            _log.info("Discord still fails: %r", error)

    async def _waiting(self) -> list[QueueKey]:
        """The queues that have something to post, the longest wait first."""
        kinds = await outbox.waiting(self._db, self._share)
        return list(dict.fromkeys((game_id, queue_name(kind)) for game_id, kind in kinds))

    async def _stop(self) -> None:
        """Stop: posts under way have some seconds; rows that are not marked stay in the outbox."""
        self._open = False
        for task in self._catching_up:
            task.cancel()
        for queue in self._queues.values():
            queue.woken.set()  # its pause is over
        tasks = [*self._catching_up, *(queue.task for queue in self._queues.values())]
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=FINISHING_SECONDS)
            for task in late:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    # -- one queue --

    def _start(self, key: QueueKey) -> _Queue:
        queue = self._queues.get(key)
        if queue is None:
            queue = self._queues[key] = _Queue(key)
            queue.task = asyncio.create_task(self._run(queue))
        queue.woken.set()
        return queue

    async def _run(self, queue: _Queue) -> None:
        try:
            while queue.woken.is_set() and self._open:
                queue.woken.clear()
                pause = await self._attempt(queue)
                queue.tried.set()
                if pause:
                    self._timer().call_later(pause, queue.woken.set)
                    await queue.woken.wait()
        finally:
            queue.tried.set()
            del self._queues[queue.key]

    async def _attempt(self, queue: _Queue) -> float:
        """Try all rows; the seconds to wait before the next attempt, 0 where none is needed."""
        game_id, name = queue.key
        try:
            waiting, parked = await self._read(game_id), self._parked.get(game_id, ())
            rows = [row for row in waiting if queue_name(row.kind) == name and row.id not in parked]
            # As they are posted, so that the first that is left after a failure is the one that failed.
            return await self._post(queue, sorted(rows, key=_place)) if rows else 0.0
        except Exception:  # noqa: BLE001 - whatever it is, the rows are looked at again
            _log.exception("game %s: the outbox cannot be read or written", game_id)
            return UNREAD_PAUSE

    async def _read(self, game_id: int) -> list[Posting]:
        """The rows that a game has to post; queues that are woken together read them once."""
        if game_id not in self._reads:
            self._reads[game_id] = asyncio.create_task(self._read_now(game_id))
        return await asyncio.shield(self._reads[game_id])  # one of them may be stopped

    async def _read_now(self, game_id: int) -> list[Posting]:
        del self._reads[game_id]
        return await outbox.of_game(self._db, game_id)

    async def _post(self, queue: _Queue, rows: list[Posting]) -> float:
        game_id, _ = queue.key
        bind(game=game_id, seq=max(row.seq for row in rows))
        left = {row.id: row for row in rows}

        async def mark(
            postings: Sequence[Posting], message_id: int | None = None, noted: Sequence[ShownMessage] = ()
        ) -> None:
            ids = [row.id for row in postings]
            await outbox.mark_sent(self._db, *ids, now=self._clock(), message_id=message_id, noted=noted)
            for number in ids:
                left.pop(number, None)
            queue.stuck = False

        try:
            await self._deliver(game_id, rows, mark)
        except StorageError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever went wrong, the rows stay and are tried again
            return await self._failed(queue, list(left.values()) or rows[-1:], error)
        queue.pause = 0.0
        if len(left) < len(rows) and game_id in self._parked:
            self.wake(game_id)
        return 0.0

    async def _failed(self, queue: _Queue, left: Sequence[Posting], error: Exception) -> float:
        if self._breaker.is_open:
            return 0.0  # the rows are found again
        row, pause = left[0], 0.0
        if self._passing(error):
            pause = queue.pause = min(2 * queue.pause or FIRST_PAUSE, LONGEST_PAUSE)
        elif row.attempts + 1 < outbox.TRIES:
            pause, queue.pause = FIRST_PAUSE * 2.0**row.attempts, 0.0
            await outbox.mark_failed(self._db, row.id, error=repr(error))
        else:
            # A single row may be at fault; when the next one fails, too, it is the thread, and all of them are parked.
            parked = [each.id for each in (left if queue.stuck else left[:1])]
            await outbox.mark_failed(self._db, *parked, error=repr(error), times=outbox.TRIES)
            self._parked.setdefault(row.game_id, set()).update(parked)
            queue.pause, queue.stuck = 0.0, True
            queue.woken.set()
        then = f"next attempt in {pause:.0f} s" if pause else "parked until the next move"
        _log.warning(
            "game %s: posting %s (%s) failed; %s", row.game_id, row.id, row.kind, then, exc_info=error
        )
        return pause


def _place(row: Posting) -> int:
    return ORDER.index(row.kind) if row.kind in ORDER else len(ORDER)
