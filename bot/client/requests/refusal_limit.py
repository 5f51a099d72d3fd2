"""The limit of refused requests: so few are under way at once that not even all of them may be refused."""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final

from bot.table.outbox.circuit_breaker import Timer
from storage.leases import ShardSet

MOST: Final = 9
"""Requests that may be refused within SECONDS. Discord bans an address after 10,000 in ten minutes, 16 a second
(docs/discord.md, rate limits); processes on the same servers share them. As many may also be under way: answered
within 0.18 s they are the 50 a second that Discord takes.
"""
SECONDS: Final = 1.0
SPARE: Final = 0.01
"""Seconds by which a look comes later, so that no rounding makes it come too early."""
KEPT: Final = 2
"""Of MOST are kept for answers to people, and as many for everything else: neither keeps the other from being sent."""
FEWEST: Final = 2
"""For a process with a small share: one for answers, and one for everything else."""


def of_share(share: ShardSet) -> int:
    """How many requests may be refused of those that the process with this share of the servers sends."""
    return max(FEWEST, MOST * len(share.shards) // share.shard_count)


class _Kind:
    """Requests of a kind: those that wait, how many are under way, and when those were refused that count still."""

    def __init__(self) -> None:
        self.waiting: deque[asyncio.Future[None]] = deque()
        self.under_way = 0
        self.refused: deque[float] = deque()

    @property
    def used(self) -> int:
        """What is refused, or may be."""
        return self.under_way + len(self.refused)


class RefusalLimit:
    """Counts each request as refused until it is known not to be, so that the limit holds whatever happens."""

    def __init__(self, most: int = MOST, timer: Callable[[], Timer] = asyncio.get_running_loop) -> None:
        self._most = most
        self._kept = min(KEPT, most // FEWEST)
        self._timer = timer
        self._answers, self._others = _Kind(), _Kind()
        self._looking = False

    async def enter(self, *, answer: bool) -> None:
        """Wait until one more request may be sent; in order, answers to people before everything else."""
        kind = self._answers if answer else self._others
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        kind.waiting.append(mine)
        self._admit_waiting()
        try:
            await mine
        except asyncio.CancelledError:
            if mine in kind.waiting:
                kind.waiting.remove(mine)
            if not mine.cancelled():
                self.leave(answer=answer, refused=False)
            raise

    def leave(self, *, answer: bool, refused: bool) -> None:
        """A request is over."""
        kind = self._answers if answer else self._others
        kind.under_way -= 1
        if refused:
            kind.refused.append(self._timer().time())
        self._admit_waiting()

    def _admit_waiting(self) -> None:
        """Admit as many as there is room for."""
        now, kinds = self._timer().time(), (self._answers, self._others)
        for kind in kinds:
            while kind.refused and kind.refused[0] <= now - SECONDS:
                kind.refused.popleft()
        for kind in kinds:
            while kind.waiting and self._has_room(kind):
                first = kind.waiting.popleft()
                if not first.done():
                    kind.under_way += 1
                    first.set_result(None)
        refused = [kind.refused[0] for kind in kinds if kind.refused]
        if refused and any(kind.waiting for kind in kinds) and not self._looking:
            self._looking = True
            self._timer().call_later(min(refused) + SECONDS - now + SPARE, self._look_again)

    def _has_room(self, kind: _Kind) -> bool:
        return kind.used < self._most - self._kept and self._answers.used + self._others.used < self._most

    def _look_again(self) -> None:
        self._looking = False
        self._admit_waiting()
