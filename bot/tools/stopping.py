"""A bot that was asked to stop does not stay for ever."""

import asyncio
import io
import logging
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_log = logging.getLogger("stationmaster")

STOPPING: Final = 22.0
"""Seconds to stop in: requests take 10 at most, posts 5; systemd kills after 25 (deploy/stationmaster.service)."""
TOO_LATE: Final = 1
"""Exit status of a process that did not stop in time: its games are safe, as everything answered is stored."""


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
