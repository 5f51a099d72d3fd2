"""`python -m tests.bot.support.held_bot FILE`: `stationmaster run`, noting how long callbacks hold its event loop.

Counted is processor time of the loop's own thread, so that neighbours on a busy machine, workers and other threads do
not matter; a collection of garbage counts for the callback in which it happens.
"""

import asyncio
import gc
import json
import sys
import threading
import time
import traceback
from collections import Counter
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from bot.tools.environment import read_settings
from bot.tools.run import run

NOTED: Final = 0.02
"""Seconds from which a callback is written down."""
LOOK: Final = 0.005
"""Seconds between two looks at what a callback is doing."""
PLACES: Final = 12
"""Functions of the project that are named for a callback: those that were seen most."""


class Held:
    """Writes a line of JSON for each callback that holds the event loop of this thread."""

    def __init__(self, record: Path) -> None:
        self._told = record
        self._thread = threading.get_ident()
        self._execute = asyncio.events.Handle._run
        self._running = False
        self._seen: Counter[str] = Counter()
        self._collecting = self._collected = 0.0
        self._callbacks = 0
        self._over = threading.Event()

    def __enter__(self) -> Self:
        held = self

        def timed(handle: asyncio.Handle) -> None:
            held.time(handle)

        asyncio.events.Handle._run = timed  # type: ignore[method-assign, assignment]
        gc.callbacks.append(self._collects)
        threading.Thread(target=self._look, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        gc.callbacks.remove(self._collects)
        asyncio.events.Handle._run = self._execute  # type: ignore[method-assign]

    def time(self, handle: asyncio.Handle) -> None:
        """Run a callback."""
        self._seen, self._collected, self._running = Counter(), 0.0, True
        before = time.thread_time()
        try:
            self._execute(handle)
        finally:
            spent = time.thread_time() - before
            self._running = False
            self._callbacks += 1
            if spent > NOTED:
                self._report(handle, spent)

    def _collects(self, phase: str, _: dict[str, int]) -> None:
        if threading.get_ident() != self._thread:
            return
        if phase == "start":
            self._collecting = time.thread_time()
        else:
            self._collected += time.thread_time() - self._collecting

    def _look(self) -> None:
        while not self._over.wait(LOOK):
            frame = sys._current_frames().get(self._thread)
            if self._running and frame is not None:
                self._seen.update({f"{at.filename}:{at.name}" for at in traceback.extract_stack(frame)})

    def _report(self, handle: asyncio.Handle, spent: float) -> None:
        ours = [place for place, _ in self._seen.most_common() if "site-packages" not in place]
        found: dict[str, Any] = {
            "seconds": spent,
            "collecting": self._collected,
            "callback": self._callbacks,
            "what": repr(handle)[:200],
            "seen": ours[:PLACES],
        }
        with self._told.open("a") as out:
            out.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    with Held(Path(sys.argv[1])):
        run(read_settings())
