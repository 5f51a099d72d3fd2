"""Functions for the operating system's process: limit of open files, garbage collection, and stopping in time."""

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

STOP_SECONDS: Final = 22.0
"""Seconds after which a stopping bot is ended. Requests may take 10 and posts 5; systemd kills it after 25."""
TOO_LATE_EXIT_CODE: Final = 1
"""Exit code of a bot that stops too late.

No move is lost, since moves are stored before they are answered.
"""
WANTED_OPEN_FILES: Final = 16_384
"""Limit of open files that suffices for a bot with many games and open web pages."""
WINDOWS_OPEN_FILES: Final = 2_048
"""Number of files that a process can open on Windows, where this limit cannot be raised."""
GC_THRESHOLDS: Final = (5_000, 4, 1_000_000)
"""Arguments of `gc.set_threshold` while the bot runs. They prevent automatic full collections in practice."""
SECONDS_BETWEEN_FREEZES: Final = 60.0
"""Seconds between calls of `gc.freeze`. Frozen objects are not examined, which keeps collections near 5 ms."""
SECONDS_BETWEEN_COLLECTIONS: Final = 3600.0
"""Seconds between full garbage collections. They take up to 0.2 s and run only while the bot is idle."""


@contextmanager
def without_garbage_collection() -> Iterator[None]:
    """Context manager that turns garbage collection off, for faster imports."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


async def keep_garbage_collections_short(
    is_idle: Callable[[], bool],
    seconds_between_freezes: float = SECONDS_BETWEEN_FREEZES,
    seconds_between_collections: float = SECONDS_BETWEEN_COLLECTIONS,
) -> None:
    """Freeze live objects regularly, and run full garbage collections while the bot is idle, until cancelled.

    A frozen object is still freed when its last reference is gone. Only reference cycles wait for a full collection.
    """
    loop = asyncio.get_running_loop()
    last_collection_time = loop.time()
    while True:
        await asyncio.sleep(seconds_between_freezes)
        if loop.time() - last_collection_time >= seconds_between_collections and is_idle():
            gc.unfreeze()
            gc.collect()
            last_collection_time = loop.time()
        gc.freeze()


def raise_file_limit() -> int:
    """Raise this process's limit of open files as far as possible; returns the resulting limit."""
    if sys.platform == "win32":
        return WINDOWS_OPEN_FILES
    import resource

    soft_limit, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    no_limit = resource.RLIM_INFINITY
    wanted_limit = WANTED_OPEN_FILES if hard_limit == no_limit else min(WANTED_OPEN_FILES, hard_limit)
    if soft_limit == no_limit or soft_limit >= wanted_limit:
        return WANTED_OPEN_FILES if soft_limit == no_limit else soft_limit
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted_limit, hard_limit))
    except (OSError, ValueError):  # macOS may have a lower limit of its own
        return soft_limit
    return wanted_limit


def stop_signal() -> "asyncio.Future[None]":
    """A future that is done after SIGTERM or SIGINT."""
    loop = asyncio.get_running_loop()
    stop_future: asyncio.Future[None] = loop.create_future()

    def on_signal() -> None:
        if not stop_future.done():
            stop_future.set_result(None)

    for number in (signal.SIGTERM, signal.SIGINT):
        # loop.add_signal_handler does not exist on Windows.
        signal.signal(number, lambda *_: loop.call_soon_threadsafe(on_signal))
    return stop_future


@contextmanager
def enforce_stop_time(stop_future: "asyncio.Future[None]", seconds: float = STOP_SECONDS) -> Iterator[None]:
    """Context manager: end this process if its block still runs `seconds` after the future `stop_future` is done."""
    loop = asyncio.get_running_loop()
    timer = threading.Timer(seconds, _exit_now, (loop,))
    timer.daemon = True

    def start_timer(_: "asyncio.Future[None]") -> None:
        timer.start()

    stop_future.add_done_callback(start_timer)
    try:
        yield
    finally:
        stop_future.remove_done_callback(start_timer)
        timer.cancel()


async def run_unless_done(stop_future: "asyncio.Future[Any]", coroutine: Coroutine[Any, Any, T]) -> T | None:
    """Run `coroutine` and return its result. If the future `stop_future` is done earlier, cancel `coroutine` and
    return None.
    """
    task = asyncio.create_task(coroutine)
    futures: set[asyncio.Future[Any]] = {task, stop_future}
    await asyncio.wait(futures, return_when=asyncio.FIRST_COMPLETED)
    if not task.done():
        task.cancel()
        await asyncio.wait({task})
        return None
    return await task


def _exit_now(loop: asyncio.AbstractEventLoop) -> None:
    _log.error(
        "the bot did not stop in time and is ended now; no move is lost. It was waiting for:\n%s",
        _waiting_stacks(loop),
    )
    logging.shutdown()
    os._exit(TOO_LATE_EXIT_CODE)


def _waiting_stacks(loop: asyncio.AbstractEventLoop) -> str:
    """The stacks of all waiting asyncio tasks, as text."""
    stack_output = io.StringIO()
    for task in asyncio.all_tasks(loop):
        task.print_stack(limit=3, file=stack_output)
    return stack_output.getvalue()
