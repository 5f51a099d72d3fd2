"""The sender: posts the outbox, each game independently, so that no game waits for another."""

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from bot.table.outbox.circuit_breaker import CircuitBreaker
from bot.table.outbox.notices import QUEUES
from bot.table.outbox.retrying_queue import CLAIM, Deliver, OutboxQueue, QueueWork, RowSource
from storage import WHOLE, Database, ShardSet, StorageError, outbox

_log = logging.getLogger("stationmaster.outbox")

GENTLY: Final = 3
"""Games that catch up at the same time after a start; active games are served in addition."""
PATIENCE: Final = 30.0
"""Seconds after which a slow game no longer keeps the next one from catching up."""
FINISHING_SECONDS: Final = 5.0
"""How long posts under way may take to finish when sending ends."""
LOOK_AGAIN: Final = 60.0
"""Seconds until the outbox is looked through again, for rows that no notice announced."""
TAKE_UP: Final = 60
"""After N looks, parked rows are tried again, although nobody has acted in their game."""
KEPT: Final = 1000
"""Games whose queues are kept while they are idle."""


class Sender:
    """Posts the outbox of a process's shards: the queues of all games in parallel, each serially.

    `claim` is for how many seconds other processes are kept from a game, where there are others.
    """

    def __init__(
        self,
        db: Database,
        deliver: Deliver,
        clock: Callable[[], str],
        passing: Callable[[Exception], bool],
        breaker: CircuitBreaker,
        *,
        share: ShardSet = WHOLE,
        claim: float = CLAIM,
    ) -> None:
        self._db = db
        self._share = share
        self._source = RowSource(db, claim)
        breaker.on_close = self._wake_all
        self._resting: set[int] = set()
        self._work = QueueWork(
            db, self._source, deliver, clock, breaker, passing, self._posted, self._resting.add
        )
        self._queues: dict[int, tuple[OutboxQueue, ...]] = {}
        self._jobs: set[asyncio.Task[None]] = set()
        self._open = False

    def wake(self, game_id: int) -> None:
        """Post what a game has to post now: what failed or rests there is tried again at once."""
        if not self._open:
            return
        if game_id in self._resting:
            self._retry(game_id)  # what is newer waits for it
            return
        for queue in self._of(game_id):
            queue.wake()

    def nudge(self, game_id: int) -> None:
        """Somebody acts in a game, without a move: what failed or rests there is tried again at once."""
        if game_id in self._resting or not all(queue.idle for queue in self._queues.get(game_id, ())):
            self.wake(game_id)

    async def run(self) -> None:
        """Send until cancelled; first what has been left, a few games at a time."""
        self._open = True
        looks = 0
        try:
            while True:
                # A look that fails is not counted: what rests is tried at the start in any case.
                looks += await self._look_through(again=looks % TAKE_UP == 0)
                await asyncio.sleep(LOOK_AGAIN)
        finally:
            await self._stop()

    async def _look_through(self, *, again: bool) -> bool:
        """Start every game that has something to post; `again`: what rests, too. False where nothing can be read."""
        try:
            if again:
                await outbox.requeue(self._db, share=self._share)
                self._resting.clear()
            waiting = await outbox.waiting(self._db, self._share)
        except Exception:  # noqa: BLE001 - were this to end, every table would be silent until the next start
            _log.exception("the outbox cannot be read")
            return False
        trying: set[asyncio.Task[None]] = set()
        for game_id in waiting:
            trying.add(asyncio.create_task(self._start(game_id)))
            if len(trying) >= GENTLY:
                _, trying = await asyncio.wait(trying, timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
                trying = set() if len(trying) >= GENTLY else trying
        return True

    async def _start(self, game_id: int) -> None:
        """Wake the idle queues of a game, and wait until they have tried once."""
        queues = [queue for queue in self._of(game_id) if queue.idle]
        for queue in queues:
            queue.wake()
        for queue in queues:
            await queue.tried()

    def _of(self, game_id: int) -> tuple[OutboxQueue, ...]:
        if game_id not in self._queues:
            self._forget_idle()
            self._queues[game_id] = tuple(OutboxQueue(self._work, game_id, name) for name in QUEUES)
        return self._queues[game_id]

    def _forget_idle(self) -> None:
        if len(self._queues) < KEPT:
            return
        idle = [game_id for game_id, queues in self._queues.items() if all(queue.idle for queue in queues)]
        for game_id in idle:
            del self._queues[game_id]

    def _wake_all(self) -> None:
        """An outage is over: queues that pause after a failure resume at once."""
        for queues in self._queues.values():
            for queue in queues:
                if self._open and not queue.idle:
                    queue.wake()

    def _posted(self, game_id: int) -> None:
        if game_id in self._resting:
            self._retry(game_id)

    def _retry(self, game_id: int) -> None:
        self._resting.discard(game_id)
        job = asyncio.create_task(self._take_up(game_id))
        self._jobs.add(job)
        job.add_done_callback(self._jobs.discard)

    async def _take_up(self, game_id: int) -> None:
        try:
            await outbox.requeue(self._db, game_id)
        except StorageError:
            _log.exception("game %s: what rests in the outbox cannot be taken up", game_id)
            self._resting.add(game_id)
            return
        for queue in self._of(game_id):
            queue.wake()

    async def _stop(self) -> None:
        self._open = False
        for job in self._jobs:
            job.cancel()
        await asyncio.gather(
            *(queue.stop(FINISHING_SECONDS) for queues in self._queues.values() for queue in queues),
            *self._jobs,
            return_exceptions=True,
        )
        await self._source.give_up()
