"""A worker process, which does one job at a time. A job is stopped by killing its process.

Workers are forked from the fork server of `multiprocessing`, which has loaded the modules that they need.

A ProcessPoolExecutor is not used, since it would wait for ever for the answer of a process killed while writing it.
The pipe to a killed worker just ends. Jobs and answers are pickled in this module, so an answer that cannot be pickled
fails only its own job.
"""

import asyncio
import multiprocessing
import os
import pickle
import signal
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from typing import Any, Final, NamedTuple, TypeAlias

from bot.workers.errors import WorkerDied

START_METHOD: Final = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
"""The `multiprocessing` start method for workers.

The bot's process is never forked, because locks held by its threads would stay locked in the copy.
"""
PRELOADED_MODULES: Final = (
    "bot.table.past.game_record",
    "bot.table.imports",
    "bot.web.position_as_json",
    "engine.caretaker",
    "engine.orders",
    "engine.record",
    "bot.table.preloaded",
)
"""Modules that the fork server loads because workers need them."""
MAX_JOBS_PER_PROCESS: Final = 20_000
"""Maximum number of tasks (jobs) of a worker process. It is then replaced, to free its memory."""
KILL_RETRY_PAUSE_SECONDS: Final = 0.05
"""Seconds between attempts to kill a worker process that is still starting."""

Prepare: TypeAlias = Callable[[], object]
"""A function that each worker process calls first, such as one that applies corrections of titles."""


def process_context(modules: Sequence[str]) -> BaseContext:
    """The multiprocessing context for workers. Its fork server loads these modules once."""
    context = multiprocessing.get_context(START_METHOD)
    context.set_forkserver_preload(list(modules))
    return context


def start_fork_server() -> None:
    """Start the fork server if the system has one. Does not wait until it has loaded the modules."""
    if START_METHOD == "forkserver":
        process_context(PRELOADED_MODULES)
        with _ignored_signals(signal.SIGINT, signal.SIGTERM):
            forkserver.ensure_running()


def end_fork_server() -> None:
    """Kill the fork server, from which worker processes are forked."""
    pid = getattr(forkserver, "_forkserver")._forkserver_pid  # noqa: B009 - no public name has the process id
    if pid is not None:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


@contextmanager
def _ignored_signals(*signals: signal.Signals) -> Iterator[None]:
    """Context manager: processes started inside it ignore these signals."""
    old_handlers = [signal.signal(signal_number, signal.SIG_IGN) for signal_number in signals]
    try:
        yield
    finally:
        for signal_number, handler in zip(signals, old_handlers, strict=True):
            signal.signal(signal_number, handler)


class ProcessKind(NamedTuple):
    """Settings for worker processes: niceness, preparation, and modules to load."""

    niceness: int = 0
    """Niceness of the process (`os.nice`), if the system supports it."""
    prepare: Prepare | None = None
    modules: Sequence[str] = ()
    """Modules that the fork server loads once for all worker processes."""


class _Process:
    """A worker process, and the bot's end of the pipe to it."""

    def __init__(self, kind: ProcessKind) -> None:
        context = process_context(kind.modules)
        self.pipe, self._worker_pipe_end = context.Pipe()
        self.process: BaseProcess = context.Process(  # type: ignore[attr-defined]
            target=_serve, args=(self._worker_pipe_end, kind.niceness, kind.prepare), daemon=True
        )

    def start(self) -> "_Process":
        """Start the worker process and wait until it is ready; raises WorkerDied if that fails."""
        try:
            self.process.start()
            self._worker_pipe_end.close()
            self.pipe.recv_bytes()
        except (EOFError, ConnectionError) as error:
            raise WorkerDied from error
        return self

    def kill_while_starting(self) -> None:
        """Kill a worker process that is still starting. If it has no process id yet, kill the fork server."""
        if self.process.pid is None:
            end_fork_server()
        else:
            self.process.kill()

    def run_job(self, function: Callable[..., Any], args: Sequence[Any]) -> Any:
        """Call `function(*args)` in the worker process and return its result.

        Raises the function's error, or WorkerDied.
        """
        pickled_work = pickle.dumps((function, args))
        try:
            self.pipe.send_bytes(pickled_work)
            pickled_answer = self.pipe.recv_bytes()
        except (EOFError, OSError) as error:
            raise WorkerDied from error
        return _result_or_error(pickle.loads(pickled_answer))

    def clean_up(self) -> None:
        self.process.join()
        self.process.close()
        self.pipe.close()


class ProcessWorker:
    """A worker that runs jobs in a process. If the process dies or is killed, a new one replaces it."""

    def __init__(self, kind: ProcessKind) -> None:
        self._kind = kind
        self._process: asyncio.Future[_Process] | None = None
        self._starting_process: _Process | None = None
        """The process that was started last. It may still be starting."""
        self._finished_job_count = 0
        self._thread = ThreadPoolExecutor(1, "worker")
        """The thread in which the bot waits for the process.

        It cleans up an old process before it starts the next one.
        """

    @property
    def pid(self) -> int | None:
        """Id of the worker process; None before the process has started."""
        process = self._process
        return process.result().process.pid if process is not None and _has_started(process) else None

    async def start(self) -> None:
        """Start the worker process if it is not running."""
        await self._started_process()

    async def run_job(self, function: Callable[..., Any], args: Sequence[Any]) -> Any:
        """Call `function(*args)` in the worker process and return its result.

        Raises the function's error, or WorkerDied.
        """
        process = await self._started_process()
        if not process.process.is_alive():
            # The process died between two jobs.
            self._replace_dead(process)
            process = await self._started_process()
        try:
            answer = await asyncio.get_running_loop().run_in_executor(
                self._thread, process.run_job, function, args
            )
        except WorkerDied:
            self._replace_dead(process)
            raise
        self._finished_job_count += 1
        if self._finished_job_count >= MAX_JOBS_PER_PROCESS:
            self.end()
        return answer

    def end(self) -> None:
        """Kill the worker process together with its job, and start a new process."""
        process = self._process
        if process is None or not process.done():
            return
        if _has_started(process):
            self._kill(process.result())
        self._start_process()

    async def close(self) -> None:
        """Kill the worker process and wait until its resources are free."""
        process, self._process = self._process, None
        if process is not None:
            while not process.done() and self._starting_process is not None:
                self._starting_process.kill_while_starting()
                await asyncio.wait({process}, timeout=KILL_RETRY_PAUSE_SECONDS)
            if _has_started(process):
                await asyncio.wrap_future(self._kill(process.result()))
        self._thread.shutdown(wait=False)

    def _kill(self, process: _Process) -> Future[None]:
        process.process.kill()
        return self._thread.submit(process.clean_up)

    def _replace_dead(self, dead_process: _Process) -> None:
        current_process = self._process
        if (
            current_process is not None
            and _has_started(current_process)
            and current_process.result() is dead_process
        ):
            self.end()

    async def _started_process(self) -> _Process:
        if self._process is None or (self._process.done() and not _has_started(self._process)):
            self._start_process()
        assert self._process is not None
        # If the waiting task is cancelled, the process must still start, since the next job needs it.
        return await asyncio.shield(self._process)

    def _start_process(self) -> None:
        # Returns at once; starting takes a fraction of a second if the fork server must load its modules first.
        self._starting_process = _Process(self._kind)
        self._process = asyncio.get_running_loop().run_in_executor(self._thread, self._starting_process.start)
        self._finished_job_count = 0


class ThreadWorker:
    """A worker that runs jobs in a thread of the bot's process.

    Its jobs cannot be stopped, and slow the event loop down.
    """

    async def start(self) -> None:
        """Do nothing, since a thread needs no start."""

    async def run_job(self, function: Callable[..., Any], args: Sequence[Any]) -> Any:
        """Call `function(*args)` in a thread and return its result. Function, arguments and result are pickled."""
        pickled_work = pickle.dumps((function, args))
        return _result_or_error(pickle.loads(await asyncio.to_thread(run_pickled, pickled_work)))

    def end(self) -> None:
        """Do nothing. The thread continues to the end of its job."""

    async def close(self) -> None:
        """Do nothing, since a thread has no resources to free."""


Worker: TypeAlias = ProcessWorker | ThreadWorker
"""A worker, which does one job at a time: in a process or in a thread."""


def run_pickled(pickled_work: bytes) -> bytes:
    """Unpickle a job and run it. Returns the pickled result or error."""
    try:
        function, args = pickle.loads(pickled_work)
        return _pickle_answer((True, function(*args)))
    except Exception as error:  # noqa: BLE001 - it is raised in the bot
        error.add_note(f"in a worker:\n{''.join(traceback.format_tb(error.__traceback__))}")
        return _pickle_answer((False, error))


def _pickle_answer(answer: tuple[bool, Any]) -> bytes:
    """The pickled result or error of a job. If an error cannot be unpickled, its text becomes a RuntimeError."""
    has_succeeded, result = answer
    pickled_answer = pickle.dumps(answer)
    if not has_succeeded:
        try:
            pickle.loads(pickled_answer)
        except Exception:  # noqa: BLE001 - the error's constructor may raise anything
            return pickle.dumps((False, RuntimeError("".join(traceback.format_exception(result)))))
    return pickled_answer


def _result_or_error(answer: tuple[bool, Any]) -> Any:
    has_succeeded, result = answer
    if has_succeeded:
        return result
    raise result


def _has_started(process: "asyncio.Future[_Process]") -> bool:
    return process.done() and not process.cancelled() and process.exception() is None


def _serve(pipe: Connection, niceness: int, prepare: Prepare | None) -> None:
    _prepare_process(niceness, prepare)
    with suppress(EOFError, OSError):  # the bot's end of the pipe is closed
        pipe.send_bytes(b"ready")
        while True:
            pipe.send_bytes(run_pickled(pipe.recv_bytes()))


def _prepare_process(niceness: int, prepare: Prepare | None) -> None:
    # A stop signal goes to all processes at once; the workers continue until the bot ends them.
    for signal_number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(signal_number, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(niceness)
    threading.Thread(target=_exit_when_bot_ends, daemon=True).start()
    if prepare is not None:
        prepare()


def _exit_when_bot_ends() -> None:
    """Wait until the bot's process has ended, then exit this process."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
