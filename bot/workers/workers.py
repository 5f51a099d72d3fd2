"""The workers: what moves need is done apart from questions, and a question ends where it has become useless."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final, TypeVar

from bot.workers.errors import Closed, NotDone, PositionGone, TookTooLong, WorkerDied
from bot.workers.queues import Priority, Queue, Turns, require_room
from bot.workers.worker import Kind, Prepare, ProcessWorker, ThreadWorker, Worker

T = TypeVar("T")

SECONDS: Final = {Priority.MOVE: 300.0, Priority.SEARCH: 300.0, Priority.QUESTION: 60.0}
"""How long one piece of work may take, waiting left out."""
NICENESS: Final = {Priority.MOVE: 0, Priority.SEARCH: 5, Priority.QUESTION: 10}
"""How much work gives way to whatever else the machine does."""
ATTEMPTS: Final = {Priority.MOVE: 3, Priority.SEARCH: 3, Priority.QUESTION: 1}
"""How often work is begun whose worker dies."""
FEWEST: Final = 3
"""Processes without which moves would wait behind searches or questions."""
USUAL: Final = 4
"""Processes that two cores keep busy, one more for searches: two tables may search for long at the same time."""
MOST: Final = 64
"""Processes that could be of use on any machine."""


class Workers:
    """Does pieces of work, in processes that are there for moves, and in others that are there for questions."""

    def __init__(self, crews: "dict[Priority, Crew] | None" = None) -> None:
        """Without crews all work is done in threads of this process, such as for tests and single commands."""
        self._crews = {one: Crew(one, [ThreadWorker()]) for one in Priority} if crews is None else crews

    @classmethod
    def processes(
        cls, count: int = USUAL, prepare: Prepare | None = None, modules: Sequence[str] = ()
    ) -> "Workers":
        """N processes, a third of them for each kind of work; the rest is for searches.

        Each does `prepare` first, and has these modules at hand.
        """
        counts = dict.fromkeys(Priority, count // len(Priority))
        counts[Priority.SEARCH] += count % len(Priority)
        kinds = {one: Kind(NICENESS[one], prepare, modules) for one in Priority}
        return cls(
            {one: Crew(one, [ProcessWorker(kinds[one]) for _ in range(counts[one])]) for one in Priority}
        )

    def __len__(self) -> int:
        """Pieces of work that wait for a worker."""
        return sum(crew.waiting for crew in self._crews.values())

    async def start(self) -> None:
        """Let every process start, so that nobody's work waits for that."""
        for crew in self._crews.values():
            await crew.start()

    async def run(self, queue: Queue, function: Callable[..., T], *args: Any) -> T:
        """What a function of a module returns, done by a worker; arguments and result are pickled.

        Raises what the function raises, or NotDone; ends the work where the task that waits for it is cancelled.
        """
        return await self._crews[queue.priority].run(queue, function, args)

    def moved_on(self, game: int) -> None:
        """A game has another position: questions about the one before end."""
        self._crews[Priority.QUESTION].moved_on(game)

    async def close(self, *priorities: Priority) -> None:
        """End all work of these priorities (none named: of all) and its processes; waiting tasks get an error."""
        await asyncio.gather(*(self._crews[one].close() for one in priorities or Priority))


class _Job:
    """A piece of work that a task waits for; it may be stopped for a reason, which that task gets."""

    def __init__(self, queue: Queue) -> None:
        task = asyncio.current_task()
        assert task is not None
        self.queue = queue
        self._task = task
        self._cancelling = task.cancelling()
        self._why: NotDone | None = None

    def stop(self, why: NotDone) -> None:
        """Nobody needs it any more."""
        if self._why is None:
            self._why = why
            self._task.cancel()

    @contextmanager
    def stoppable(self) -> Iterator[None]:
        """Where the work may be stopped; raises why it was, as NotDone."""
        try:
            yield
        except asyncio.CancelledError:
            if self._why is not None and self._task.uncancel() <= self._cancelling:
                raise self._why from None
            raise


class Crew:
    """Workers for one kind of work, and who waits for them."""

    def __init__(self, priority: Priority, workers: Sequence[Worker]) -> None:
        self._priority = priority
        self._workers = workers
        self._turns = Turns(workers)
        self._jobs: set[_Job] = set()
        self._closed = False

    @property
    def waiting(self) -> int:
        """How many pieces of work wait for a worker."""
        return len(self._turns)

    async def start(self) -> None:
        """Let every worker start."""
        for worker in self._workers:
            await worker.start()

    async def run(self, queue: Queue, function: Callable[..., T], args: Sequence[Any]) -> T:
        """What the function returns, done by the next worker that is free; raises NotDone."""
        if self._closed:
            raise Closed
        of_person = sum(job.queue.person == queue.person for job in self._jobs)
        require_room(queue, self._turns.of_guild(queue.guild), of_person)
        job = _Job(queue)
        with job.stoppable():
            self._jobs.add(job)
            try:
                return await self._in_turn(queue.guild, function, args)
            finally:
                self._jobs.discard(job)

    def moved_on(self, game: int) -> None:
        """Stop what is about a position that is gone."""
        for job in self._jobs:
            if job.queue.game == game:
                job.stop(PositionGone())

    async def close(self) -> None:
        """Stop all work, and end the workers."""
        self._closed = True
        for job in self._jobs:
            job.stop(Closed())
        await asyncio.gather(*(worker.close() for worker in self._workers))

    async def _in_turn(self, guild: int, function: Callable[..., T], args: Sequence[Any]) -> T:
        worker = await self._turns.take(guild)
        try:
            for _ in range(1, ATTEMPTS[self._priority]):
                with suppress(WorkerDied):
                    return await self._done(worker, function, args)
            return await self._done(worker, function, args)
        finally:
            self._turns.give(worker)

    async def _done(self, worker: Worker, function: Callable[..., T], args: Sequence[Any]) -> T:
        seconds, limit = SECONDS[self._priority], asyncio.timeout(SECONDS[self._priority])
        try:
            async with limit:
                answer: T = await worker.do(function, args)
                return answer
        except asyncio.CancelledError:
            if not self._closed:  # closing ends its process, and none is to take its place
                worker.end()
            raise
        except TimeoutError as error:
            if not limit.expired():
                raise
            worker.end()
            raise TookTooLong(seconds) from error
