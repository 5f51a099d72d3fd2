"""Work that keeps a processor busy: one piece at a time, that of moves first, and servers in turn."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from enum import IntEnum
from typing import Final, NamedTuple, TypeVar

from bot.table.errors import Refused

T = TypeVar("T")

MOST_WAITING: Final = 8
"""Questions of one server that may wait here at a time."""
MOVES_IN_A_ROW: Final = 3
"""Pieces of work for moves before one for a question is done, if any waits."""


class Rank(IntEnum):
    """What a piece of work is for, the first to be done first."""

    MOVE = 0
    QUESTION = 1


class Line(NamedTuple):
    """Where a piece of work waits: its rank, and the server it is for."""

    rank: Rank
    server: int


class Workbench:
    """One piece of work at a time, in a worker thread: a second at once would only slow the first."""

    def __init__(self) -> None:
        self._waiting: dict[Rank, OrderedDict[int, deque[asyncio.Future[None]]]] = {
            rank: OrderedDict() for rank in Rank
        }
        self._busy = False
        self._in_a_row = 0

    async def do(self, line: Line, work: Callable[[], T]) -> T:
        """Do a piece of work when it is its turn; raises Refused where too many questions wait."""
        async with self.turn(line):
            return await asyncio.to_thread(work)

    @asynccontextmanager
    async def turn(self, line: Line) -> AsyncIterator[None]:
        """Wait for the turn and have the bench alone; raises Refused where too many questions wait."""
        await self._wait(line)
        self._in_a_row = self._in_a_row + 1 if line.rank is Rank.MOVE else 0
        try:
            yield
        finally:
            self._next()

    def __len__(self) -> int:
        return sum(len(queue) for servers in self._waiting.values() for queue in servers.values())

    async def _wait(self, line: Line) -> None:
        if not self._busy:
            self._busy = True
            return
        queue = self._waiting[line.rank].setdefault(line.server, deque())
        if line.rank is Rank.QUESTION and len(queue) >= MOST_WAITING:
            raise Refused(
                "Many pictures and answers are in the making for this server. Ask again in a moment."
            )
        called: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        queue.append(called)
        try:
            await called
        except asyncio.CancelledError:
            if called.done() and not called.cancelled():
                self._next()  # it was called, and will not come
            raise

    def _next(self) -> None:
        """Call whoever is next; those who have given up waiting are passed over."""
        while (called := self._first()) is not None:
            if not called.done():
                called.set_result(None)
                return
        self._busy = False

    def _first(self) -> asyncio.Future[None] | None:
        ranks = sorted(Rank, reverse=self._in_a_row >= MOVES_IN_A_ROW)
        servers = next((self._waiting[rank] for rank in ranks if self._waiting[rank]), None)
        if servers is None:
            return None
        server, queue = servers.popitem(last=False)
        called = queue.popleft()
        if queue:
            servers[server] = queue  # behind the other servers
        return called
