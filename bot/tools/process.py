"""This process: open files, short garbage collections, and a timely end."""

import asyncio
import gc
import io
import logging
import os
import signal
import sys
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeVar

T = TypeVar("T")

_log = logging.getLogger("stationmaster")

STOPPING: Final = 22.0
"""Seconds to stop in: requests take 10 at most, posts 5; systemd kills after 25 (deploy/stationmaster.service)."""
TOO_LATE: Final = 1
"""Exit status of a process that did not stop in time: its games are safe, as everything answered is stored."""
WANTED_FILES: Final = 16_384
"""Files that a bot with many games and open pages has a use for."""
WINDOWS_FILES: Final = 2_048
"""There is no limit there that could be asked for."""
GC_THRESHOLDS: Final = (5_000, 4, 1_000_000)
"""Objects made since the last collection that bring the next one, which takes some milliseconds; every fifth looks at
what the four before left, too; all others wait for the whole collection (see `gc.set_threshold`)."""
FREEZE_SECONDS: Final = 60.0
"""Between two times at which all that lives is left out of collections: what comes meanwhile takes some 5 ms."""
WHOLE_SECONDS: Final = 3600.0
"""Between two collections of everything: up to 0.2 s with many games in memory, at a moment when nobody waits."""


@contextmanager
def without_collections() -> Iterator[None]:
    """Suspend garbage collection within this block, for loading of libraries."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


async def keep_collections_short(
    idle: Callable[[], bool], freeze_seconds: float = FREEZE_SECONDS, whole_seconds: float = WHOLE_SECONDS
) -> None:
    """Freeze live objects periodically, until cancelled; full collections run when the bot is idle.

    Most objects die when nothing refers to them any more, frozen or not. Only cycles wait for the whole
    collection.
    """
    loop = asyncio.get_running_loop()
    collected = loop.time()
    while True:
        await asyncio.sleep(freeze_seconds)
        if loop.time() - collected >= whole_seconds and idle():
            gc.unfreeze()
            gc.collect()
            collected = loop.time()
        gc.freeze()


def raise_file_limit() -> int:
    """Raise this process's limit of open files; returns the limit."""
    if sys.platform == "win32":
        return WINDOWS_FILES
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    unlimited = resource.RLIM_INFINITY
    most = WANTED_FILES if hard == unlimited else min(WANTED_FILES, hard)
    if soft == unlimited or soft >= most:
        return WANTED_FILES if soft == unlimited else soft
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    except (OSError, ValueError):  # as on macOS, whose own limit may be lower
        return soft
    return most


def stop_signal() -> "asyncio.Future[None]":
    """A future that is done on SIGTERM or SIGINT."""
    loop = asyncio.get_running_loop()
    stop: asyncio.Future[None] = loop.create_future()

    def on_signal() -> None:
        if not stop.done():
            stop.set_result(None)

    for number in (signal.SIGTERM, signal.SIGINT):
        # Not the loop's own handler, which Windows does not have.
        signal.signal(number, lambda *_: loop.call_soon_threadsafe(on_signal))
    return stop


@contextmanager
def end_in_time(stop: "asyncio.Future[None]", seconds: float = STOPPING) -> Iterator[None]:
    """End this process if the block is still running N seconds after `stop` is done."""
    loop = asyncio.get_running_loop()
    timer = threading.Timer(seconds, _give_up, (loop,))
    timer.daemon = True

    def asked(_: "asyncio.Future[None]") -> None:
        timer.start()

    stop.add_done_callback(asked)
    try:
        yield
    finally:
        stop.remove_done_callback(asked)
        timer.cancel()


async def unless_over(over: "asyncio.Future[Any]", work: Coroutine[Any, Any, T]) -> T | None:
    """The result of some work; None if `over` is done first, which cancels the work."""
    task = asyncio.create_task(work)
    either: set[asyncio.Future[Any]] = {task, over}
    await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
    if not task.done():
        task.cancel()
        await asyncio.wait({task})
        return None
    return await task


def _give_up(loop: asyncio.AbstractEventLoop) -> None:
    _log.error(
        "the bot did not stop in time and is ended now; no move is lost. It was waiting for:\n%s",
        _waiting_stacks(loop),
    )
    logging.shutdown()
    os._exit(TOO_LATE)


def _waiting_stacks(loop: asyncio.AbstractEventLoop) -> str:
    """Stacks of the waiting tasks, as Python prints them."""
    written = io.StringIO()
    for task in asyncio.all_tasks(loop):
        task.print_stack(limit=3, file=written)
    return written.getvalue()
