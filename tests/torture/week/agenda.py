"""Simulated time: what happens next, and what time it is then."""

import heapq
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from itertools import count
from typing import TypeAlias

Deed: TypeAlias = Callable[[], Awaitable[None]]
"""Something that happens."""


class Agenda:
    """Everything that is going to happen, in order; time stands still while it does."""

    def __init__(self, begins: datetime) -> None:
        self.now = begins
        self._order = count()
        self._waiting: list[tuple[datetime, int, Deed]] = []

    def at(self, when: datetime, deed: Deed) -> None:
        """Do this then, or next if that is over."""
        heapq.heappush(self._waiting, (max(when, self.now), next(self._order), deed))

    def after(self, span: timedelta, deed: Deed) -> None:
        """Do this so much later."""
        self.at(self.now + span, deed)

    async def run(self, until: datetime) -> None:
        """Do all that is to be done before a time."""
        while self._waiting and self._waiting[0][0] < until:
            self.now, _, deed = heapq.heappop(self._waiting)
            await deed()
        self.now = until

    def clock(self) -> str:
        """The time as the bot is given it."""
        return self.now.isoformat(timespec="milliseconds")
