"""`python -m benchmarks.load.watched`: `stationmaster run`, which says for each line it reads how it has fared.

With `LOAD_PROFILE` set it is profiled as well, which makes it about twice as slow.
"""

import json
import os
import sys
import threading

from benchmarks.load.rooms import Profile
from bot.tools.environment import read_settings
from bot.tools.process import without_garbage_collection
from bot.workers import worker

LOOK = 0.02
"""Seconds between two looks at whether the event loop still runs."""


class Watch:
    """The event loop's longest delay since the last reading."""

    def __init__(self) -> None:
        self._stall = 0.0
        self._profile = Profile()

    def start(self) -> None:
        """Measure from now on, and answer readings."""
        from bot.client.features import health

        watch = self

        class Lag(health.EventLoopLag):
            def add_measurement(self, seconds: float) -> None:
                watch._stall = max(watch._stall, seconds)
                super().add_measurement(seconds)

        health.MEASUREMENT_SECONDS = LOOK  # type: ignore[misc]
        health.EventLoopLag = Lag  # type: ignore[misc]
        threading.Thread(target=self._answer, daemon=True).start()
        if "LOAD_PROFILE" in os.environ:
            self._profile.start()

    def _answer(self) -> None:
        for _ in sys.stdin:
            stall, self._stall = self._stall, 0.0
            rooms, functions = self._profile.since()
            sys.stdout.write(json.dumps({"stall": stall, "rooms": rooms, "functions": functions}) + "\n")
            sys.stdout.flush()


def main() -> None:
    """Run the bot as `stationmaster run` does; workers load nothing of it."""
    worker.start_fork_server()
    with without_garbage_collection():
        from bot.tools.run import run

        Watch().start()
    run(read_settings())


if __name__ == "__main__":
    main()
