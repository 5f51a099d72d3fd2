"""The bot as `stationmaster run` runs it, with measurements for the load benchmarks.

`python -m benchmarks.load.watched` answers each line on standard input with a line of measurements since the last one.
With `LOAD_PROFILE` set, the bot is also profiled, which makes it about twice as slow.
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
"""Seconds between two measurements of the event loop's delay."""


class Watch:
    """Measures the event loop's longest delay since the last reading."""

    def __init__(self) -> None:
        self._stall = 0.0
        self._profile = Profile()

    def start(self) -> None:
        """Start measuring, and answering requests for a reading."""
        from bot.client.features import health

        watch = self

        class Lag(health.EventLoopLag):
            def add_measurement(self, seconds: float) -> None:
                watch._stall = max(watch._stall, seconds)
                super().add_measurement(seconds)

        health.MEASUREMENT_INTERVAL_SECONDS = LOOK  # type: ignore[misc]
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
    """Run the bot as `stationmaster run` does; worker processes load none of the measuring code."""
    worker.start_fork_server()
    with without_garbage_collection():
        from bot.tools.run import run

        Watch().start()
    run(read_settings())


if __name__ == "__main__":
    main()
