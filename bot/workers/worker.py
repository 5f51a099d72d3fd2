"""A worker process: one piece of work at a time, killed if that must stop.

Workers are forked from a nursery: a process that loads what all of them need, as early as the bot begins. A
process and a pipe to it, not an executor: one that is killed while it writes its answer leaves half of it
in the pipe, on which an executor waits for ever, even when the bot ends. Here only the worker holds the far
end of its pipe, which ends with it. All that crosses is pickled here, so that an error that cannot be
pickled harms nothing but the work it belongs to.
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
"""Start method of processes: never by forking the bot, whose threads would hold locks for ever in the copy."""
PRELOADED_MODULES: Final = (
    "bot.table.past.game_record",
    "bot.table.imports",
    "bot.web.position_as_json",
    "engine.caretaker",
    "engine.orders",
    "engine.record",
    "bot.table.preloaded",
)
"""Modules that workers of the bot need."""
MAX_TASKS: Final = 20_000
"""Pieces of work after which a process is replaced, to free its memory."""
KILL_RETRY_SECONDS: Final = 0.05
"""Seconds between attempts to kill a process that is still starting."""

Prepare: TypeAlias = Callable[[], object]
"""First work of a process, such as to correct titles."""


def process_context(modules: Sequence[str]) -> BaseContext:
    """The context that starts worker processes, with these modules loaded once."""
    context = multiprocessing.get_context(START_METHOD)
    context.set_forkserver_preload(list(modules))
    return context


def start_nursery() -> None:
    """Start loading the workers' modules in the nursery, where the system can; returns immediately."""
    if START_METHOD == "forkserver":
        process_context(PRELOADED_MODULES)
        with _ignored_signals(signal.SIGINT, signal.SIGTERM):
            forkserver.ensure_running()


def end_nursery() -> None:
    """End the nursery at once; workers forked from it count as dead."""
    pid = getattr(forkserver, "_forkserver")._forkserver_pid  # noqa: B009 - nothing public says which process it is
    if pid is not None:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


@contextmanager
def _ignored_signals(*signals: signal.Signals) -> Iterator[None]:
    """Let processes started within this block ignore signals, which reach the bot, too."""
    old_handlers = [signal.signal(number, signal.SIG_IGN) for number in signals]
    try:
        yield
    finally:
        for number, handler in zip(signals, old_handlers, strict=True):
            signal.signal(number, handler)


class ProcessKind(NamedTuple):
    """Settings shared by worker processes of one kind."""

    niceness: int = 0
    """Niceness of the process, where the system has it."""
    prepare: Prepare | None = None
    modules: Sequence[str] = ()
    """Modules that are loaded once, for all processes, where the system can do that."""


class _Process:
    """A worker process with the near end of its pipe."""

    def __init__(self, kind: ProcessKind) -> None:
        context = process_context(kind.modules)
        self.pipe, self._far_end = context.Pipe()
        self.process: BaseProcess = context.Process(  # type: ignore[attr-defined]
            target=_serve, args=(self._far_end, kind.niceness, kind.prepare), daemon=True
        )

    def start(self) -> "_Process":
        """Start the process and wait until it is ready; raises WorkerDied if it failed or was ended."""
        try:
            self.process.start()
            self._far_end.close()
            self.pipe.recv_bytes()
        except (EOFError, ConnectionError) as error:
            raise WorkerDied from error
        return self

    def end_start(self) -> None:
        """Kill the process before it is ready, with the nursery if necessary."""
        if self.process.pid is None:
            end_nursery()
        else:
            self.process.kill()

    def do(self, function: Callable[..., Any], args: Sequence[Any]) -> Any:
        """Wait for a function's result; raises its error, or WorkerDied."""
        pickled_work = pickle.dumps((function, args))
        try:
            self.pipe.send_bytes(pickled_work)
            pickled_answer = self.pipe.recv_bytes()
        except (EOFError, OSError) as error:
            raise WorkerDied from error
        return _result_or_error(pickle.loads(pickled_answer))

    def clean_up(self) -> None:
        """Clean up after a killed process."""
        self.process.join()
        self.process.close()
        self.pipe.close()


class ProcessWorker:
    """A worker process that is replaced when it dies or is ended."""

    def __init__(self, kind: ProcessKind) -> None:
        self._kind = kind
        self._process: asyncio.Future[_Process] | None = None
        self._starting_process: _Process | None = None
        """The process while it is being started."""
        self._tasks_done = 0
        self._thread = ThreadPoolExecutor(1, "worker")
        """Waits for the process: what it does is done in order, a burial before the next start."""

    @property
    def pid(self) -> int | None:
        """The process id, once started."""
        process = self._process
        return process.result().process.pid if process is not None and _has_started(process) else None

    async def start(self) -> None:
        """Start the process, unless it is there."""
        await self._started_process()

    async def do(self, function: Callable[..., Any], args: Sequence[Any]) -> Any:
        """Run the function in the process; raises what it raises, or WorkerDied."""
        process = await self._started_process()
        if not process.process.is_alive():
            # It died while it had nothing to do.
            self._replace_dead(process)
            process = await self._started_process()
        try:
            answer = await asyncio.get_running_loop().run_in_executor(
                self._thread, process.do, function, args
            )
        except WorkerDied:
            self._replace_dead(process)
            raise
        self._tasks_done += 1
        if self._tasks_done >= MAX_TASKS:
            self.end()
        return answer

    def end(self) -> None:
        """Kill the process, and start another one."""
        process = self._process
        if process is None or not process.done():
            return
        if _has_started(process):
            self._kill(process.result())
        self._start_process()

    async def close(self) -> None:
        """Kill the process, and wait until nothing is left of it."""
        process, self._process = self._process, None
        if process is not None:
            while not process.done() and self._starting_process is not None:
                self._starting_process.end_start()
                await asyncio.wait({process}, timeout=KILL_RETRY_SECONDS)
            if _has_started(process):
                await asyncio.wrap_future(self._kill(process.result()))
        self._thread.shutdown(wait=False)

    def _kill(self, process: _Process) -> Future[None]:
        process.process.kill()
        return self._thread.submit(process.clean_up)

    def _replace_dead(self, dead: _Process) -> None:
        current_process = self._process
        if current_process is not None and _has_started(current_process) and current_process.result() is dead:
            self.end()

    async def _started_process(self) -> _Process:
        if self._process is None or (self._process.done() and not _has_started(self._process)):
            self._start_process()
        assert self._process is not None
        # The task that waits may be cancelled; the next one needs the process all the same.
        return await asyncio.shield(self._process)

    def _start_process(self) -> None:
        # Before the first process starts its modules are loaded, which takes a part of a second.
        self._starting_process = _Process(self._kind)
        self._process = asyncio.get_running_loop().run_in_executor(self._thread, self._starting_process.start)
        self._tasks_done = 0


class ThreadWorker:
    """Work in a thread of this process; it cannot be ended, and holds the interpreter."""

    async def start(self) -> None:
        """Do nothing: a thread needs no start."""

    async def do(self, function: Callable[..., Any], args: Sequence[Any]) -> Any:
        """Run the function; arguments and result are pickled as for a process."""
        pickled_work = pickle.dumps((function, args))
        return _result_or_error(pickle.loads(await asyncio.to_thread(run_pickled, pickled_work)))

    def end(self) -> None:
        """Stop waiting for the work, which continues."""

    async def close(self) -> None:
        """Do nothing: nothing is left."""


Worker: TypeAlias = ProcessWorker | ThreadWorker
"""A worker: does one piece of work at a time."""


def run_pickled(pickled_work: bytes) -> bytes:
    """Do a pickled piece of work; returns the pickled result or error."""
    try:
        function, args = pickle.loads(pickled_work)
        return _pickle_answer((True, function(*args)))
    except Exception as error:  # noqa: BLE001 - it is raised where the work was asked for
        error.add_note(f"in a worker:\n{''.join(traceback.format_tb(error.__traceback__))}")
        return _pickle_answer((False, error))


def _pickle_answer(answer: tuple[bool, Any]) -> bytes:
    """A pickled answer that can surely be read; other errors become words."""
    done, result = answer
    packed = pickle.dumps(answer)
    if not done:
        try:
            pickle.loads(packed)
        except Exception:  # noqa: BLE001 - whatever its constructor makes of what was pickled
            return pickle.dumps((False, RuntimeError("".join(traceback.format_exception(result)))))
    return packed


def _result_or_error(answer: tuple[bool, Any]) -> Any:
    done, result = answer
    if done:
        return result
    raise result


def _has_started(process: "asyncio.Future[_Process]") -> bool:
    return process.done() and not process.cancelled() and process.exception() is None


def _serve(pipe: Connection, niceness: int, prepare: Prepare | None) -> None:
    _prepare_process(niceness, prepare)
    with suppress(EOFError, OSError):  # the bot has ended
        pipe.send_bytes(b"ready")
        while True:
            pipe.send_bytes(run_pickled(pipe.recv_bytes()))


def _prepare_process(niceness: int, prepare: Prepare | None) -> None:
    # A system that stops the bot tells all its processes at once; the bot ends its workers when it needs them no more.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(niceness)
    threading.Thread(target=_end_with_the_bot, daemon=True).start()
    if prepare is not None:
        prepare()


def _end_with_the_bot() -> None:
    """End this process when the bot has died."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
