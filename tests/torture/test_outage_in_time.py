"""Outages in simulated time: how much is refused in any second, and how long after the end the last post comes."""

import asyncio
from bisect import bisect_left
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from bot.client.requests.invalid_requests import MOST_INVALID, InvalidRequestBudget
from bot.table.outbox import notices
from bot.table.outbox.circuit_breaker import JITTER, LONGEST_PAUSE, CircuitBreaker
from bot.table.outbox.sender import MarkSent
from storage import GameRow, Posting, open_database, outbox
from tests.bot.support.table_service import ANN, TableService
from tests.support.manual_timer import ManualTimer
from tests.torture.sending import sending

SOON = 20.0
"""Seconds after the end within which everything is posted."""
TAKES = 0.2
"""Seconds that Discord takes for an answer."""
TICK = 0.1
"""Seconds of the simulation between two looks at the machine."""
MOVES_A_SECOND = 4
HOUR = 3600.0
RESTS = 8
"""Turns of the event loop without any work of the database after which the machine has done what was due."""
NAP = 0.001
"""Real seconds between two looks whether the database has done its work."""
PATIENCE = 120.0
"""Seconds of simulated time after which a test gives up."""


class Fails(Exception):  # noqa: N818 - what Discord does
    """Discord has refused a request, or it was not sent."""


class Discord:
    """A Discord in simulated time, behind the breaker and the limit, as the bot's requests are."""

    def __init__(self) -> None:
        self.timer = ManualTimer()
        self.breaker = CircuitBreaker(lambda: self.timer)
        self.limit = InvalidRequestBudget(timer=lambda: self.timer)
        self.down = False
        self.refused: list[float] = []
        self.posted: list[float] = []
        """When something was posted."""

    async def deliver(self, game: GameRow, postings: Sequence[Posting], mark: MarkSent) -> None:
        """As the real one: lines together, the newest turn, the newest board."""
        for kinds in ((notices.OPEN, notices.PING, notices.LINE), (notices.TURN,), (notices.BOARD,)):
            rows = [posting for posting in postings if posting.kind in kinds]
            if rows:
                await self.request()
                self.posted.append(self.timer.now)
                await mark(rows, None, ())

    async def request(self, *, answer: bool = False) -> None:
        """Send a request; raises Fails."""
        await self.limit.enter(answer=answer)
        if not answer and not self.breaker.admits():
            self.limit.leave(answer=answer, refused=False)
            raise Fails
        down, answered = self.down, asyncio.Event()
        self.timer.call_later(TAKES, answered.set)
        await answered.wait()
        self.limit.leave(answer=answer, refused=down)
        self.refused += [self.timer.now] if down else []
        if not answer and not down:
            self.breaker.record_success(writes=True)
        if not answer and down:
            self.breaker.record_failure("refuses", "it answers 503")
        if down:
            raise Fails

    def most_refused(self) -> int:
        """The most that were refused in any second."""
        at = self.refused  # in order
        return max((bisect_left(at, first + 1) - bisect_left(at, first) for first in at), default=0)


class Play:
    """Tables whose players keep moving, whatever Discord does."""

    def __init__(self, service: TableService, discord: Discord, games: Sequence[int]) -> None:
        self.service, self.discord, self.games = service, discord, games
        self.answers: set[asyncio.Task[None]] = set()
        self.working: set[object] = set()
        """Calls of the database that have not returned."""
        self._moves = 0

    def watch(self, call: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        """The same call of the database, known while it has not returned."""

        async def watched(*arguments: Any) -> Any:
            mine = object()
            self.working.add(mine)
            try:
                return await call(*arguments)
            finally:
                self.working.remove(mine)

        return watched

    async def passes(self, seconds: float, *, moves: bool = True, tick: float = TICK) -> None:
        """This many simulated seconds pass."""
        until = self.discord.timer.now + seconds
        while self.discord.timer.now < until:
            due = self.discord.timer.now * MOVES_A_SECOND
            if moves and self._moves < due:
                self._moves = int(due) + 1
                await self._move(self.games[self._moves % len(self.games)])
            self.discord.timer.passes(tick)
            await self._rests()

    async def _move(self, game_id: int) -> None:
        await self.service.do(game_id, ANN, "pass")
        await self.service.undo(game_id, ANN)
        # A click is answered, too: that is tried whatever happens to posts.
        task = asyncio.create_task(self._answer())
        self.answers.add(task)
        task.add_done_callback(self.answers.discard)

    async def _answer(self) -> None:
        try:
            await self.discord.request(answer=True)
        except Fails:
            return  # the window says that the bot does not answer

    async def _rests(self) -> None:
        """Let the machine do what is due: simulated time stands still while the database works, however slowly."""
        quiet = 0
        while quiet < RESTS:
            await asyncio.sleep(NAP if self.working else 0)
            quiet = 0 if self.working else quiet + 1

    async def until_posted(self) -> float:
        """Wait until nothing is to be posted; the simulated seconds until the last post."""
        ended = self.discord.timer.now
        while (await outbox.backlog(self.service.db)).rows:
            assert self.discord.timer.now < ended + PATIENCE
            await self.passes(1.0, moves=False)
        return max(self.discord.posted, default=ended) - ended


@pytest.fixture
async def play(where: str | Path, tables: int, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Play]:
    """Running tables on a database of each kind, all posted."""
    async with await open_database(where) as db:
        service, discord = TableService.on(db), Discord()
        games = [await service.game() for _ in range(tables)]
        passing, timer = (lambda error: isinstance(error, Fails)), (lambda: discord.timer)
        more = {"ask": discord.request, "timer": timer}
        async with sending(service.tables, discord.deliver, passing, discord.breaker, **more):
            found = Play(service, discord, games)
            # Simulated time stands still while a real database works: nothing else says when that is.
            for name in ("ask", "read", "write"):
                monkeypatch.setattr(db, name, found.watch(getattr(db, name)))
            await found.until_posted()
            yield found
            for task in found.answers:
                task.cancel()


async def outage(play: Play, seconds: float, *, tick: float = TICK) -> float:
    """An outage during which people play for half a minute; the seconds from its end to the last post."""
    play.discord.down = True
    await play.passes(min(seconds, 30.0))
    await play.passes(max(0.0, seconds - 30.0), moves=False, tick=tick)
    play.discord.down = False
    return await play.until_posted()


async def test_all_is_posted_soon_after_an_outage(play: Play) -> None:
    assert await outage(play, 20.0) <= SOON
    assert 0 < play.discord.most_refused() <= MOST_INVALID


async def test_hour_is_over_as_soon_as_half_a_minute(play: Play) -> None:
    """Nothing gives up, and no pause has grown."""
    assert await outage(play, HOUR, tick=0.5) <= SOON
    assert play.discord.most_refused() <= MOST_INVALID
    calm = [at for at in play.discord.refused if at > play.discord.refused[0] + 60]
    assert len(calm) <= HOUR / (LONGEST_PAUSE * (1 - JITTER))


async def test_flapping_outage_draws_few_refusals(play: Play) -> None:
    """Two seconds of work, two of trouble: every table gets all its posts in the end."""
    for _ in range(8):
        play.discord.down = not play.discord.down
        await play.passes(2.0)
    play.discord.down = False
    assert await play.until_posted() <= SOON
    assert play.discord.most_refused() <= MOST_INVALID
