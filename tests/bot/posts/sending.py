"""A sender in simulated time, with a Discord that fails as a test wants it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

from bot.table.outbox.circuit_breaker import FAILURES_TO_OPEN, MIN_FAILING_SECONDS, CircuitBreaker
from bot.table.outbox.sender import MarkSent, PostLater, Sender
from storage import DatabaseUnreachable, GameRow, OutboxMessage, Posting, outbox
from tests.bot.support.table_service import TableService
from tests.support.manual_timer import ManualTimer

ROUNDS = 100
"""Rounds of the event loop; all that follows from one thing takes fewer."""


class Sending:
    """Posts of some games: where they are posted, and what becomes of each attempt."""

    def __init__(self, service: TableService) -> None:
        self.service, self.timer = service, ManualTimer()
        self.breaker = CircuitBreaker(lambda: self.timer, random_between=lambda low, high: (low + high) / 2)
        self.down = False
        """True if Discord as a whole fails."""
        self.cut_off: set[int] = set()
        """Games for which alone the network fails."""
        self.broken: set[int | str] = set()
        """Games, and payloads, that can never be posted."""
        self.held: set[int] = set()
        """Games whose requests have no answer."""
        self.unready: set[str] = set()
        """Kinds of rows that cannot be posted yet."""
        self.unmarked = 0
        self.attempts: list[tuple[float, int]] = []
        """When which game was tried."""
        self.sent: list[str] = []
        self.asked = 0
        self._go_on = asyncio.Event()
        self._waiting: list[Callable[..., object]] = []
        self.sender = self._sender()

    def _sender(self) -> Sender:
        return Sender(
            self.service.db,
            self.deliver,
            lambda: "2026-01-02T03:04:05+00:00",
            lambda error: isinstance(error, ConnectionError),
            self.breaker,
            send_probe=self.ask,
            get_timer=lambda: self.timer,
        )

    async def games(self, *payloads: str, count: int = 1, kind: str = "line") -> list[int]:
        """Running games that have these to post, and nothing else."""
        found = [await self.service.game() for _ in range(count)]
        await self.service.db.write(lambda tx: tx.run("DELETE FROM outbox WHERE payload NOT LIKE 'own %'"))
        for game_id in found:
            await self.add(game_id, *payloads, kind=kind)
        return found

    async def add(self, game_id: int, *payloads: str, kind: str = "line") -> None:
        """A game has more to post."""
        rows = [OutboxMessage(kind, f"own {payload}") for payload in payloads]
        await outbox.queue_notices(self.service.db, game_id, 1, rows, "2026")

    async def news(self, game_id: int, *payloads: str, kind: str = "line") -> None:
        """The same, after a move."""
        await self.add(game_id, *payloads, kind=kind)
        self.sender.wake(game_id)
        await self.passes(0)

    async def deliver(self, game: GameRow, postings: Sequence[Posting], mark: MarkSent) -> None:
        """Post these, each by a request."""
        self.attempts.append((self.timer.now, game.id))
        while game.id in self.held:
            await self._go_on.wait()
        for posting in postings:
            if posting.kind in self.unready:
                raise PostLater(self._waiting.append)
            self._request()
            payload = posting.payload.removeprefix("own ")
            if game.id in self.cut_off:
                raise ConnectionError("cut off")
            if {game.id, payload} & self.broken:
                raise RuntimeError("no such thread")
            if self.unmarked:
                self.unmarked -= 1
                raise DatabaseUnreachable("gone")
            await mark([posting], None, ())
            self.sent.append(payload)

    async def ask(self) -> None:
        """Ask Discord whether it is there."""
        self.asked += 1
        self._request()

    def _request(self) -> None:
        if not self.breaker.admits_request():
            raise ConnectionError("not sent")
        if self.down:
            self.breaker.record_failure("refuses", "it answers 503")
            raise ConnectionError("it answers 503")
        self.breaker.record_success(was_write=True)

    async def breaks_down(self) -> None:
        """Discord as a whole fails from now on, and the bot has noticed it."""
        self.down = True
        self.breaker.record_failure("refuses", "it answers 503")
        self.timer.passes(MIN_FAILING_SECONDS)
        for _ in range(FAILURES_TO_OPEN - 1):
            self.breaker.record_failure("refuses", "it answers 503")
        await self.passes(0)

    def releases(self) -> None:
        """Posts that are held get their answer, and all is ready."""
        self.held.clear()
        self.unready.clear()
        self._go_on.set()
        for go_on in self._waiting:
            go_on()

    async def passes(self, seconds: float) -> None:
        """Seconds pass; whenever something was due, all that can happen happens."""
        await self.timer.lets_tasks_work(seconds, ROUNDS)

    @asynccontextmanager
    async def runs(self) -> AsyncIterator[None]:
        """A process sends."""
        task = asyncio.create_task(self.sender.run())
        await self.passes(0)
        try:
            yield
        finally:
            task.cancel()
            await asyncio.wait({task})
            self.sender = self._sender()

    def tried_at(self, game_id: int) -> list[float]:
        """When a game was tried."""
        return [at for at, tried in self.attempts if tried == game_id]

    async def left(self) -> outbox.Backlog:
        return await outbox.backlog(self.service.db)
