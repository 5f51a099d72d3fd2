"""One worker, a process of its own: it does one piece of work at a time, and is ended where that must stop.

An executor of the standard library for each process, so that to end one concerns no other. All that crosses is pickled
here, so that an error that cannot be pickled harms nothing but the work it belongs to.
"""

import asyncio
import multiprocessing
import os
import pickle
import signal
import threading
import traceback
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

from bot.workers.errors import WorkerDied

METHOD: Final = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
"""How processes start: never by forking the bot, whose threads would hold locks for ever in the copy."""
TASKS: Final = 20_000
"""Pieces of work after which a process is replaced, so that what it has gathered in memory goes."""
_SMALL: Final = 1 << 20
"""Bytes of an answer that is opened at once: a few pictures, or texts."""

Prepare: TypeAlias = Callable[[], object]
"""What a process does first, such as to correct titles."""


class Kind(NamedTuple):
    """What all processes of one kind have in common."""

    niceness: int = 0
    """How much the process gives way to others, where the system knows of that."""
    prepare: Prepare | None = None
    modules: Sequence[str] = ()
    """Modules that are loaded once, for all processes, where the system can do that."""


class Worker(Protocol):
    """Whatever does one piece of work at a time."""

    async def start(self) -> None:
        """Be ready for work."""

    async def do(self, function: Callable[..., Any], args: Sequence[Any]) -> Any:
        """What the function returns; raises what it raises, or WorkerDied."""

    def end(self) -> None:
        """Stop at once, whatever is done just now; the next piece of work starts anew."""

    async def close(self) -> None:
        """Stop for good."""


class _Process(NamedTuple):
    """A process that takes work."""

    pool: ProcessPoolExecutor
    pid: int

    def kill(self) -> None:
        """End it, whatever it does."""
        for process in multiprocessing.active_children():
            if process.pid == self.pid:
                process.kill()
        self.pool.shutdown(wait=False, cancel_futures=True)


class ProcessWorker:
    """A worker process; one that has died, or was ended, is replaced."""

    def __init__(self, kind: Kind) -> None:
        self._kind = kind
        self._process: asyncio.Task[_Process] | None = None
        self._done = 0

    @property
    def pid(self) -> int | None:
        """The number of the process, once it has started."""
        process = self._process
        return process.result().pid if process is not None and _succeeded(process) else None

    async def start(self) -> None:
        """Start the process, unless it is there."""
        await self._started()

    async def do(self, function: Callable[..., Any], args: Sequence[Any]) -> Any:
        """What the function returns, done in the process; raises what it raises, or WorkerDied."""
        asked = (function, args)
        # Texts and bytes are packed before a thread would have begun.
        packed = pickle.dumps(asked) if _is_packed(args) else await asyncio.to_thread(pickle.dumps, asked)
        answered = await self._answered(packed)
        self._done += 1
        if self._done >= TASKS:
            self.end()
        small = len(answered) <= _SMALL
        return _opened(pickle.loads(answered) if small else await asyncio.to_thread(pickle.loads, answered))

    def end(self) -> None:
        """Kill the process, and start another one."""
        process = self._process
        if process is None or not process.done():
            return
        if _succeeded(process):
            process.result().kill()
        self._begin()

    async def close(self) -> None:
        """Kill the process, and wait until nothing is left of it."""
        process, self._process = self._process, None
        if process is None:
            return
        await asyncio.wait({process})
        if _succeeded(process):
            process.result().kill()
            await asyncio.to_thread(process.result().pool.shutdown)

    async def _answered(self, asked: bytes) -> bytes:
        process = await self._started()
        try:
            answer = process.pool.submit(work, asked)
        except BrokenProcessPool:
            # It died while it had nothing to do.
            self._replace(process)
            process = await self._started()
            answer = process.pool.submit(work, asked)
        try:
            return await asyncio.wrap_future(answer)
        except BrokenProcessPool as error:
            self._replace(process)
            raise WorkerDied from error

    def _replace(self, dead: _Process) -> None:
        """Start another process, unless that was done already."""
        if self.pid == dead.pid:
            self.end()

    async def _started(self) -> _Process:
        if self._process is None or (self._process.done() and not _succeeded(self._process)):
            self._begin()
        assert self._process is not None
        # The task that waits may be cancelled; the next one needs the process all the same.
        return await asyncio.shield(self._process)

    def _begin(self) -> None:
        # Before the first process starts its modules are loaded, which takes a part of a second.
        self._process = asyncio.create_task(asyncio.to_thread(_start, self._kind))
        self._done = 0


class ThreadWorker:
    """Work in a thread of this process: nothing to start, but it cannot be ended, and holds the interpreter."""

    async def start(self) -> None:
        """Nothing is to be started."""

    async def do(self, function: Callable[..., Any], args: Sequence[Any]) -> Any:
        """What the function returns; arguments and result cross as they would to a process."""
        asked = pickle.dumps((function, args))
        return _opened(pickle.loads(await asyncio.to_thread(work, asked)))

    def end(self) -> None:
        """What is done just now goes on, and nobody waits for it."""

    async def close(self) -> None:
        """Nothing is left."""


def work(asked: bytes) -> bytes:
    """Do a pickled piece of work; the pickled answer, or what was raised."""
    try:
        function, args = pickle.loads(asked)
        return _pickled((True, function(*args)))
    except Exception as error:  # noqa: BLE001 - it is raised where the work was asked for
        error.add_note(f"in a worker:\n{''.join(traceback.format_tb(error.__traceback__))}")
        return _pickled((False, error))


def _pickled(answer: tuple[bool, Any]) -> bytes:
    """An answer that can be read again for certain: an error of which that is not true is told in words."""
    done, what = answer
    packed = pickle.dumps(answer)
    if not done:
        try:
            pickle.loads(packed)
        except Exception:  # noqa: BLE001 - whatever its constructor makes of what was pickled
            return pickle.dumps((False, RuntimeError("".join(traceback.format_exception(what)))))
    return packed


def _opened(answer: tuple[bool, Any]) -> Any:
    done, what = answer
    if done:
        return what
    raise what


def _is_packed(args: Sequence[Any]) -> bool:
    """Whether these are texts and bytes, or lists of them."""
    parts = (part for arg in args for part in (arg if isinstance(arg, list) else [arg]))
    return all(isinstance(part, str | bytes) for part in parts)


def _succeeded(process: "asyncio.Task[_Process]") -> bool:
    return process.done() and not process.cancelled() and process.exception() is None


def _start(kind: Kind) -> _Process:
    """A process that is ready for work."""
    context = multiprocessing.get_context(METHOD)
    context.set_forkserver_preload(list(kind.modules))
    pool = ProcessPoolExecutor(1, context, partial(_begin, kind.niceness, kind.prepare))
    return _Process(pool, pool.submit(os.getpid).result())


def _begin(niceness: int, prepare: Prepare | None) -> None:
    """What a process does first."""
    # A system that stops the bot tells all its processes at once; the bot ends its workers when it needs them no more.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(niceness)
    threading.Thread(target=_end_with_the_bot, daemon=True).start()
    if prepare is not None:
        prepare()


def _end_with_the_bot() -> None:
    """End this process when the bot has died without closing it."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
