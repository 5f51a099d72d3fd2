"""A timer that a test moves on: what is due runs in order, and nobody waits."""

import asyncio
import heapq
import itertools
from collections.abc import Callable
from typing import Any


class ManualTimer:
    """Like an event loop, as far as it knows of time."""

    def __init__(self) -> None:
        self.now = 0.0
        self._due: list[tuple[float, int, Callable[..., object], tuple[Any, ...]]] = []
        self._numbers = itertools.count()

    def time(self) -> float:
        return self.now

    def call_later(self, delay: float, callback: Callable[..., object], /, *args: Any) -> None:
        heapq.heappush(self._due, (self.now + delay, next(self._numbers), callback, args))

    def passes(self, seconds: float) -> None:
        until = self.now + seconds
        while self.reaches_next(until):
            pass
        self.now = until

    async def lets_tasks_work(self, seconds: float, rounds: int) -> None:
        """This many seconds pass; whenever something was due, tasks have as many rounds of the event loop as this."""
        until = self.now + seconds
        await _rounds(rounds)
        while self.reaches_next(until):
            await _rounds(rounds)
        self.now = until
        await _rounds(rounds)

    def reaches_next(self, until: float) -> bool:
        """It is as late as the next call that is due by then, and that is made; False where none is."""
        if not self._due or self._due[0][0] > until:
            return False
        self.now, _, callback, args = heapq.heappop(self._due)
        callback(*args)
        return True


async def _rounds(count: int) -> None:
    for _ in range(count):
        await asyncio.sleep(0)
