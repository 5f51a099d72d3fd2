"""How this process ends: asked by a signal, with what it waits for given up, and in time."""

import asyncio
import io
import logging
import os
import signal
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeVar

T = TypeVar("T")

_log = logging.getLogger("stationmaster")

STOPPING: Final = 22.0
"""Seconds to stop in: requests take 10 at most, posts 5; systemd kills after 25 (deploy/stationmaster.service)."""
TOO_LATE: Final = 1
"""Exit status of a process that did not stop in time: its games are safe, as everything answered is stored."""


def stop_signal() -> "asyncio.Future[None]":
    """Done when the process gets SIGTERM or SIGINT."""
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
def in_time(stop: "asyncio.Future[None]", seconds: float = STOPPING) -> Iterator[None]:
    """End this process if the block is not left N seconds after `stop` is done."""
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


async def stopped_or_lost(stop: "asyncio.Future[None]", lost: asyncio.Event) -> None:
    """Wait until the process is stopped, or another has taken over."""
    taken_over = asyncio.create_task(lost.wait())
    either: set[asyncio.Future[Any]] = {stop, taken_over}
    try:
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
    finally:
        taken_over.cancel()


async def unless(over: "asyncio.Future[None]", work: Coroutine[Any, Any, T]) -> T | None:
    """Return the result of some work; None if `over` is done first: then the work is cancelled."""
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
        "the bot has not stopped in time, and ends; no move is lost. It still waits for:\n%s", _waiting(loop)
    )
    logging.shutdown()
    os._exit(TOO_LATE)


def _waiting(loop: asyncio.AbstractEventLoop) -> str:
    """Where each task waits, as Python prints it."""
    written = io.StringIO()
    for task in asyncio.all_tasks(loop):
        task.print_stack(limit=3, file=written)
    return written.getvalue()
