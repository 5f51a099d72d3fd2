"""Workers with queues: separate ones for moves and questions, guilds in turn, with limits and cancellation."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from enum import IntEnum
from typing import Any, Final, Generic, NamedTuple, TypeVar

from bot.workers.errors import NotDone, PositionGone, TookTooLong, TooManyQuestions, WorkerDied, WorkersClosed
from bot.workers.worker import Prepare, ProcessKind, ProcessWorker, ThreadWorker, Worker

T = TypeVar("T")

MAX_GUILD_QUESTIONS: Final = 8
"""The most waiting questions of one guild."""
MAX_USER_QUESTIONS: Final = 3
"""The most questions of one user that wait or are being answered."""
NOBODY: Final = 0
"""Stands for a user or guild if there is none."""


class Priority(IntEnum):
    """The purpose of a job; each purpose has its own workers."""

    MOVE = 0
    """Pictures after a move, which take milliseconds."""
    SEARCH = 1
    """Jobs on which a move in one game waits, possibly for seconds: best routes, orders, caretakers."""
    QUESTION = 2
    """Answers to questions of users."""


MAX_SECONDS: Final = {Priority.MOVE: 300.0, Priority.SEARCH: 300.0, Priority.QUESTION: 60.0}
"""The most seconds that one job may take, without its time in the queue."""
NICENESS: Final = {Priority.MOVE: 0, Priority.SEARCH: 5, Priority.QUESTION: 10}
"""The niceness of the worker processes (`os.nice`)."""
ATTEMPTS: Final = {Priority.MOVE: 3, Priority.SEARCH: 3, Priority.QUESTION: 1}
"""The most attempts at a job whose worker dies."""
MIN_PROCESSES: Final = 3
"""The fewest worker processes: one for each purpose."""
USUAL_PROCESSES: Final = 4
"""The default number of worker processes: one for each purpose and a second one for searches."""
MAX_PROCESSES: Final = 64
"""The most worker processes that can be configured."""


class Queue(NamedTuple):
    """The queue for a job: its purpose, and the guild and user for whom it is done."""

    priority: Priority
    guild: int = NOBODY
    person: int = NOBODY
    game: int | None = None
    """The game whose current position the job needs, so that a move stops the job. None: moves do not stop it."""


class FairPool(Generic[T]):
    """A pool of things, each used by one task at a time; waiting guilds take turns, tasks of one guild queue up."""

    def __init__(self, free_items: Iterable[T]) -> None:
        self._free = deque(free_items)
        self._waiting_by_guild: OrderedDict[int, deque[asyncio.Future[T]]] = OrderedDict()

    def __len__(self) -> int:
        return sum(self.of_guild(guild) for guild in self._waiting_by_guild)

    def of_guild(self, guild: int) -> int:
        return sum(not future.done() for future in self._waiting_by_guild.get(guild, ()))

    async def take(self, guild: int) -> T:
        """Wait for a thing and return it; the caller must give it back."""
        if self._free:
            return self._free.popleft()
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting_by_guild.setdefault(guild, deque()).append(future)
        try:
            return await future
        except asyncio.CancelledError:
            if future.done() and not future.cancelled():
                self.give_back(future.result())  # the cancelled task was given a thing already
            raise

    def give_back(self, item: T) -> None:
        """Give a thing back, to the next waiting task if there is one."""
        while self._waiting_by_guild:
            guild, queue = self._waiting_by_guild.popitem(last=False)
            future = queue.popleft()
            if queue:
                self._waiting_by_guild[guild] = queue  # behind the other guilds
            if not future.done():
                future.set_result(item)
                return
        self._free.append(item)


def require_room(queue: Queue, guild_questions: int, user_questions: int) -> None:
    """Raise TooManyQuestions if a guild or user has the most questions allowed; jobs for moves always pass."""
    if queue.priority is not Priority.QUESTION:
        return
    if guild_questions >= MAX_GUILD_QUESTIONS:
        raise TooManyQuestions(
            "Too many requests from this server are waiting. Please try again in a minute."
        )
    if queue.person != NOBODY and user_questions >= MAX_USER_QUESTIONS:
        raise TooManyQuestions(
            f"I am still working on {MAX_USER_QUESTIONS} of your requests. Wait for an answer, then try again."
        )


class Workers:
    """All workers, in a crew for each purpose."""

    def __init__(self, worker_groups: "dict[Priority, WorkerGroup] | None" = None) -> None:
        """`worker_groups` by purpose; None: all jobs run in threads of this process, for tests and short commands."""
        self._worker_groups = (
            {priority: WorkerGroup(priority, [ThreadWorker()]) for priority in Priority}
            if worker_groups is None
            else worker_groups
        )

    @classmethod
    def of_processes(
        cls, count: int = USUAL_PROCESSES, prepare: Prepare | None = None, modules: Sequence[str] = ()
    ) -> "Workers":
        """Workers in `count` processes: a third for each purpose, and the rest for searches.

        Each process calls `prepare` first; the fork server loads `modules`.
        """
        process_counts = dict.fromkeys(Priority, count // len(Priority))
        process_counts[Priority.SEARCH] += count % len(Priority)
        process_kinds = {priority: ProcessKind(NICENESS[priority], prepare, modules) for priority in Priority}
        return cls(
            {
                priority: WorkerGroup(
                    priority,
                    [ProcessWorker(process_kinds[priority]) for _ in range(process_counts[priority])],
                )
                for priority in Priority
            }
        )

    def __len__(self) -> int:
        """The number of waiting jobs."""
        return sum(worker_group.waiting for worker_group in self._worker_groups.values())

    async def start(self) -> None:
        """Start all processes."""
        await asyncio.gather(*(worker_group.start() for worker_group in self._worker_groups.values()))

    async def run(self, queue: Queue, function: Callable[..., T], *args: Any) -> T:
        """Call `function(*args)` in a worker and return its result; everything is pickled.

        The function must be in a module. Raises the function's error, or NotDone. The job is stopped if the calling
        task is cancelled.
        """
        return await self._worker_groups[queue.priority].run(queue, function, args)

    def end_questions(self, game: int) -> None:
        """Stop answering questions about a game's position, which has changed."""
        self._worker_groups[Priority.QUESTION].end_questions(game)

    async def close(self, *priorities: Priority) -> None:
        """Stop all jobs of these purposes (default: all) and end their workers; waiting tasks get WorkersClosed."""
        await asyncio.gather(*(self._worker_groups[priority].close() for priority in priorities or Priority))


class _Job:
    """A running or waiting job, which can be stopped with a reason."""

    def __init__(self, queue: Queue) -> None:
        task = asyncio.current_task()
        assert task is not None
        self.queue = queue
        self._task = task
        self._cancelling = task.cancelling()
        self._reason: NotDone | None = None

    def stop(self, reason: NotDone) -> None:
        """Cancel the task of the job; it raises the reason."""
        if self._reason is None:
            self._reason = reason
            self._task.cancel()

    @contextmanager
    def stoppable(self) -> Iterator[None]:
        """Within the context, turn a cancellation by `stop` into the reason given there."""
        try:
            yield
        except asyncio.CancelledError:
            if self._reason is not None and self._task.uncancel() <= self._cancelling:
                raise self._reason from None
            raise


class WorkerGroup:
    """The workers for one purpose, with their queue."""

    def __init__(self, priority: Priority, workers: Sequence[Worker]) -> None:
        self._priority = priority
        self._workers = workers
        self._turns = FairPool(workers)
        self._jobs: set[_Job] = set()
        self._closed = False

    @property
    def waiting(self) -> int:
        """The number of waiting jobs."""
        return len(self._turns)

    async def start(self) -> None:
        await asyncio.gather(*(worker.start() for worker in self._workers))

    async def run(self, queue: Queue, function: Callable[..., T], args: Sequence[Any]) -> T:
        """Call `function(*args)` in the next free worker; raises the function's error, or NotDone."""
        if self._closed:
            raise WorkersClosed
        user_questions = sum(job.queue.person == queue.person for job in self._jobs)
        require_room(queue, self._turns.of_guild(queue.guild), user_questions)
        job = _Job(queue)
        with job.stoppable():
            self._jobs.add(job)
            try:
                return await self._run_in_turn(queue.guild, function, args)
            finally:
                self._jobs.discard(job)

    def end_questions(self, game: int) -> None:
        """Stop jobs that need a game's position, which has changed."""
        for job in self._jobs:
            if job.queue.game == game:
                job.stop(PositionGone())

    async def close(self) -> None:
        """Stop all jobs and end the workers."""
        self._closed = True
        for job in self._jobs:
            job.stop(WorkersClosed())
        await asyncio.gather(*(worker.close() for worker in self._workers))

    async def _run_in_turn(self, guild: int, function: Callable[..., T], args: Sequence[Any]) -> T:
        worker = await self._turns.take(guild)
        try:
            for _ in range(1, ATTEMPTS[self._priority]):
                with suppress(WorkerDied):
                    return await self._run_in_time(worker, function, args)
            return await self._run_in_time(worker, function, args)
        finally:
            self._turns.give_back(worker)

    async def _run_in_time(self, worker: Worker, function: Callable[..., T], args: Sequence[Any]) -> T:
        seconds, timeout = MAX_SECONDS[self._priority], asyncio.timeout(MAX_SECONDS[self._priority])
        try:
            async with timeout:
                answer: T = await worker.run_job(function, args)
                return answer
        except asyncio.CancelledError:
            if not self._closed:  # closing ends the process without a replacement
                worker.end()
            raise
        except TimeoutError as error:
            if not timeout.expired():
                raise
            worker.end()
            raise TookTooLong(seconds) from error
