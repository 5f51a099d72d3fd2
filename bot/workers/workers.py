"""Queues of jobs for workers: separate queues for moves and questions, turns for servers, limits, and cancellation."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from enum import IntEnum
from typing import Any, Final, Generic, NamedTuple, TypeVar

from bot.workers.errors import (
    NotDone,
    PositionOutdated,
    TookTooLong,
    TooManyQuestions,
    WorkerDied,
    WorkersClosed,
)
from bot.workers.worker import Prepare, ProcessKind, ProcessWorker, ThreadWorker, Worker

T = TypeVar("T")

MAX_GUILD_QUESTIONS: Final = 8
"""Limit of waiting questions from one server."""
MAX_USER_QUESTIONS: Final = 3
"""Limit of a user's questions, including those being answered."""
NO_ID: Final = 0
"""Used in place of a user id or server id if there is none."""


class Priority(IntEnum):
    """The priority of a job: needed for a move, a search, or a question. Each priority has its own group of workers."""

    MOVE = 0
    """Jobs that take milliseconds and are needed after a move, such as pictures."""
    SEARCH = 1
    """Jobs that can take seconds and that a move needs: searches for best routes, and moves of computer players."""
    QUESTION = 2
    """Answers to users' questions, such as `/map`."""


MAX_JOB_SECONDS_BY_PRIORITY: Final = {Priority.MOVE: 300.0, Priority.SEARCH: 300.0, Priority.QUESTION: 60.0}
"""By priority: the time limit of a job in seconds. Time in the queue does not count."""
NICENESS_BY_PRIORITY: Final = {Priority.MOVE: 0, Priority.SEARCH: 5, Priority.QUESTION: 10}
"""By priority: the niceness (`os.nice`) of the worker processes."""
MAX_ATTEMPTS_BY_PRIORITY: Final = {Priority.MOVE: 3, Priority.SEARCH: 3, Priority.QUESTION: 1}
"""By priority: the number of attempts at a job if its worker dies."""
MIN_PROCESSES: Final = 3
"""Smallest number of worker processes: one each for moves, searches and questions."""
DEFAULT_PROCESSES: Final = 4
"""Default number of worker processes: one each for moves and questions, two for searches."""
MAX_PROCESSES: Final = 64
"""Largest number of worker processes that can be configured."""


class QueuePlace(NamedTuple):
    """A job's place in the queues: its priority, and the server and user for whom it is done."""

    priority: Priority
    guild_id: int = NO_ID
    user_id: int = NO_ID
    game_id: int | None = None
    """Id of the game whose current position the job needs. A move in it stops the job. None: no move stops the job."""


class FairPool(Generic[T]):
    """A pool of shared items, such as workers. Each item is used by one task at a time.

    When all items are in use, servers take turns, and the tasks of each server form a queue.
    """

    def __init__(self, free_items: Iterable[T]) -> None:
        self._free_items = deque(free_items)
        self._waiting_by_guild: OrderedDict[int, deque[asyncio.Future[T]]] = OrderedDict()

    def __len__(self) -> int:
        return sum(self.waiting_count_of_guild(guild) for guild in self._waiting_by_guild)

    def waiting_count_of_guild(self, guild: int) -> int:
        return sum(not future.done() for future in self._waiting_by_guild.get(guild, ()))

    async def take(self, guild: int) -> T:
        """Wait for a free item and return it. The caller must give it back."""
        if self._free_items:
            return self._free_items.popleft()
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting_by_guild.setdefault(guild, deque()).append(future)
        try:
            return await future
        except asyncio.CancelledError:
            if future.done() and not future.cancelled():
                self.give_back(future.result())  # the cancelled task was given a thing already
            raise

    def give_back(self, item: T) -> None:
        """Return an item to the pool, for the next waiting task."""
        while self._waiting_by_guild:
            guild, queue = self._waiting_by_guild.popitem(last=False)
            future = queue.popleft()
            if queue:
                self._waiting_by_guild[guild] = queue  # behind the other guilds
            if not future.done():
                future.set_result(item)
                return
        self._free_items.append(item)


def require_room_for_question(queue: QueuePlace, guild_questions: int, user_questions: int) -> None:
    """Raise TooManyQuestions if the server or user has no room for another question. Moves always have room."""
    if queue.priority is not Priority.QUESTION:
        return
    if guild_questions >= MAX_GUILD_QUESTIONS:
        raise TooManyQuestions(
            "Too many requests from this server are waiting. Please try again in a minute."
        )
    if queue.user_id != NO_ID and user_questions >= MAX_USER_QUESTIONS:
        raise TooManyQuestions(
            f"I am still working on {MAX_USER_QUESTIONS} of your requests. Wait for an answer, then try again."
        )


class Workers:
    """All workers of the bot, in a group for each priority of jobs."""

    def __init__(self, worker_groups: "dict[Priority, WorkerGroup] | None" = None) -> None:
        """Without `worker_groups`, all jobs run in threads of this process; tests and short commands use this."""
        self._worker_groups = (
            {priority: WorkerGroup(priority, [ThreadWorker()]) for priority in Priority}
            if worker_groups is None
            else worker_groups
        )

    @classmethod
    def of_processes(
        cls, count: int = DEFAULT_PROCESSES, prepare: Prepare | None = None, modules: Sequence[str] = ()
    ) -> "Workers":
        """Workers in `count` processes: a third for each priority, and the remainder for searches.

        Each process first calls `prepare`. The fork server loads `modules`.
        """
        process_counts = dict.fromkeys(Priority, count // len(Priority))
        process_counts[Priority.SEARCH] += count % len(Priority)
        process_kinds = {
            priority: ProcessKind(NICENESS_BY_PRIORITY[priority], prepare, modules) for priority in Priority
        }
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
        """The number of jobs that wait for a worker."""
        return sum(worker_group.waiting_count for worker_group in self._worker_groups.values())

    async def start(self) -> None:
        """Start all worker processes."""
        await asyncio.gather(*(worker_group.start() for worker_group in self._worker_groups.values()))

    async def run(self, queue: QueuePlace, function: Callable[..., T], *args: Any) -> T:
        """Call `function(*args)` in a worker and return its result. Function, arguments and result are pickled.

        The function must be defined at module level. Raises the function's error, or NotDone. If the task that called
        this is cancelled, the job is stopped.
        """
        return await self._worker_groups[queue.priority].run(queue, function, args)

    def end_questions(self, game: int) -> None:
        """Stop the answering of questions about a game's position, because a move has changed it."""
        self._worker_groups[Priority.QUESTION].end_questions(game)

    async def close(self, *priorities: Priority) -> None:
        """Stop the jobs of these priorities (default: all) and end their workers. Waiting tasks get WorkersClosed."""
        await asyncio.gather(*(self._worker_groups[priority].close() for priority in priorities or Priority))


class _Job:
    """A running or waiting job."""

    def __init__(self, queue: QueuePlace) -> None:
        task = asyncio.current_task()
        assert task is not None
        self.queue = queue
        self._task = task
        self._earlier_cancel_count = task.cancelling()
        self._reason: NotDone | None = None

    def stop(self, reason: NotDone) -> None:
        """Stop the job. Its task raises `reason`."""
        if self._reason is None:
            self._reason = reason
            self._task.cancel()

    @contextmanager
    def stoppable(self) -> Iterator[None]:
        """Context manager for the job's task: after `stop`, it raises the reason given to `stop`."""
        try:
            yield
        except asyncio.CancelledError:
            if self._reason is not None and self._task.uncancel() <= self._earlier_cancel_count:
                raise self._reason from None
            raise


class WorkerGroup:
    """The workers for jobs of one priority, and their queue."""

    def __init__(self, priority: Priority, workers: Sequence[Worker]) -> None:
        self._priority = priority
        self._workers = workers
        self._worker_pool = FairPool(workers)
        self._jobs: set[_Job] = set()
        self._is_closed = False

    @property
    def waiting_count(self) -> int:
        """The number of jobs that wait for a worker of this group."""
        return len(self._worker_pool)

    async def start(self) -> None:
        await asyncio.gather(*(worker.start() for worker in self._workers))

    async def run(self, queue: QueuePlace, function: Callable[..., T], args: Sequence[Any]) -> T:
        """Call `function(*args)` in the next free worker. Raises the function's error, or NotDone."""
        if self._is_closed:
            raise WorkersClosed
        user_questions = sum(job.queue.user_id == queue.user_id for job in self._jobs)
        require_room_for_question(
            queue, self._worker_pool.waiting_count_of_guild(queue.guild_id), user_questions
        )
        job = _Job(queue)
        with job.stoppable():
            self._jobs.add(job)
            try:
                return await self._run_in_turn(queue.guild_id, function, args)
            finally:
                self._jobs.discard(job)

    def end_questions(self, game: int) -> None:
        """Stop the jobs that need a game's position, because a move has changed it."""
        for job in self._jobs:
            if job.queue.game_id == game:
                job.stop(PositionOutdated())

    async def close(self) -> None:
        """Stop all jobs and workers of this group."""
        self._is_closed = True
        for job in self._jobs:
            job.stop(WorkersClosed())
        await asyncio.gather(*(worker.close() for worker in self._workers))

    async def _run_in_turn(self, guild: int, function: Callable[..., T], args: Sequence[Any]) -> T:
        worker = await self._worker_pool.take(guild)
        try:
            for _ in range(1, MAX_ATTEMPTS_BY_PRIORITY[self._priority]):
                with suppress(WorkerDied):
                    return await self._run_in_time(worker, function, args)
            return await self._run_in_time(worker, function, args)
        finally:
            self._worker_pool.give_back(worker)

    async def _run_in_time(self, worker: Worker, function: Callable[..., T], args: Sequence[Any]) -> T:
        max_seconds, timeout = (
            MAX_JOB_SECONDS_BY_PRIORITY[self._priority],
            asyncio.timeout(MAX_JOB_SECONDS_BY_PRIORITY[self._priority]),
        )
        try:
            async with timeout:
                answer: T = await worker.run_job(function, args)
                return answer
        except asyncio.CancelledError:
            if not self._is_closed:  # closing ends the process without a replacement
                worker.end()
            raise
        except TimeoutError as error:
            if not timeout.expired():
                raise
            worker.end()
            raise TookTooLong(max_seconds) from error
