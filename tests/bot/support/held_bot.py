"""`python -m tests.bot.support.held_bot FILE`: `stationmaster run`, noting how long callbacks hold its event loop.

Counted is processor time of the loop's own thread, so that neighbours on a busy machine, workers and other threads do
not matter; a collection of garbage counts for the callback in which it happens.
"""

import asyncio
import json
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from bot.tools.environment import read_settings
from bot.tools.run import run

NOTED: Final = 0.02
"""Seconds from which a callback is written down."""


class Held:
    """Writes a line of JSON for each callback that holds the event loop of this thread."""

    def __init__(self, record: Path) -> None:
        self._record = record
        self._execute = asyncio.events.Handle._run

    def __enter__(self) -> Self:
        held = self

        def timed(handle: asyncio.Handle) -> None:
            held.time(handle)

        # The loop offers no other way to time its callbacks.
        asyncio.events.Handle._run = timed  # type: ignore[method-assign, assignment]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        asyncio.events.Handle._run = self._execute  # type: ignore[method-assign]

    def time(self, handle: asyncio.Handle) -> None:
        """Run a callback."""
        before = time.thread_time()
        try:
            self._execute(handle)
        finally:
            spent = time.thread_time() - before
            if spent > NOTED:
                with self._record.open("a") as out:
                    out.write(json.dumps({"seconds": spent, "what": repr(handle)[:200]}) + "\n")


if __name__ == "__main__":
    with Held(Path(sys.argv[1])):
        run(read_settings())
