"""Who waits for a worker: moves never behind questions, guilds in turn, nobody with too many questions."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from pathlib import Path

import pytest

from bot.workers.errors import Closed, PositionGone, TooMany
from bot.workers.workers import MOST_OF_GUILD, MOST_OF_PERSON, Priority, Queue, Workers
from tests.bot.support.sandbox_bot import SandboxBot
from tests.bot.support.table_service import ANN, TableService
from tests.bot.workers import pieces

MOVE, QUESTION = Priority.MOVE, Priority.QUESTION


class Busy:
    """Workers that each have something to do until released; what is asked then is noted when it is done."""

    def __init__(self, folder: Path) -> None:
        self.workers = Workers()
        self._gate, self._noted = folder / "gate", folder / "noted"
        self._noted.touch()
        self._jobs: list[asyncio.Task[object]] = []

    async def begin(self, *priorities: Priority) -> None:
        """Let workers be busy."""
        for priority in priorities:
            await self._add(self.workers.run(Queue(priority), pieces.wait_for, str(self._gate)))

    async def ask(self, name: str, queue: Queue) -> "asyncio.Task[object]":
        """Ask for a piece of work."""
        return await self._add(self.workers.run(queue, pieces.note, name, str(self._noted)))

    async def done(self) -> list[str]:
        """Let go, and wait for everything; in which order it was done."""
        self._gate.touch()
        await asyncio.gather(*self._jobs, return_exceptions=True)
        return self._noted.read_text().split()

    @property
    def so_far(self) -> list[str]:
        """What is done."""
        return self._noted.read_text().split()

    async def _add(self, work: Coroutine[object, None, object]) -> "asyncio.Task[object]":
        job = asyncio.create_task(work)
        self._jobs.append(job)
        await asyncio.sleep(0)
        return job


@pytest.fixture
async def busy(tmp_path: Path) -> AsyncIterator[Busy]:
    made = Busy(tmp_path)
    yield made
    await made.done()


async def test_a_move_does_not_wait_for_a_question(busy: Busy) -> None:
    await busy.begin(QUESTION)
    await busy.ask("question", Queue(QUESTION, 1))
    await (await busy.ask("move", Queue(MOVE, 1)))
    assert busy.so_far == ["move"]


async def test_guilds_take_turns(busy: Busy) -> None:
    await busy.begin(MOVE)
    for _ in range(5):
        await busy.ask("flood", Queue(MOVE, 666))
    await busy.ask("other", Queue(MOVE, 1))
    assert (await busy.done())[:2] == ["flood", "other"]


async def test_a_guild_has_only_that_many_questions_waiting(busy: Busy) -> None:
    await busy.begin(QUESTION, MOVE)
    for person in range(MOST_OF_GUILD):
        await busy.ask("question", Queue(QUESTION, 666, person + 1))
    with pytest.raises(TooMany, match="Ask again soon"):
        await (await busy.ask("refused", Queue(QUESTION, 666, 77)))
    await busy.ask("other", Queue(QUESTION, 1, 77))
    await busy.ask("move", Queue(MOVE, 666))
    assert len(await busy.done()) == MOST_OF_GUILD + 2


async def test_a_person_has_only_that_many_questions_at_a_time(busy: Busy) -> None:
    await busy.begin(QUESTION)
    for guild in range(MOST_OF_PERSON):
        await busy.ask("question", Queue(QUESTION, guild, 77))
    with pytest.raises(TooMany, match="Wait for an answer"):
        await (await busy.ask("refused", Queue(QUESTION, 5, 77)))
    await busy.ask("other", Queue(QUESTION, 5, 78))
    assert len(await busy.done()) == MOST_OF_PERSON + 1


async def test_a_cancelled_job_is_passed_over(busy: Busy) -> None:
    await busy.begin(MOVE)
    gone = await busy.ask("gone", Queue(MOVE))
    await busy.ask("next", Queue(MOVE))
    gone.cancel()
    assert await busy.done() == ["next"]
    assert len(busy.workers) == 0


async def test_a_question_about_a_position_that_is_gone_ends_while_it_waits(busy: Busy) -> None:
    await busy.begin(QUESTION)
    gone = await busy.ask("gone", Queue(QUESTION, game=3))
    await busy.ask("other", Queue(QUESTION, game=4))
    await busy.ask("past", Queue(QUESTION))
    busy.workers.moved_on(3)
    with pytest.raises(PositionGone, match="has moved on"):
        await gone
    assert await busy.done() == ["other", "past"]


async def test_a_job_cancelled_just_when_its_turn_comes_passes_the_worker_on() -> None:
    workers = Workers()
    first = asyncio.create_task(workers.run(Queue(MOVE), pieces.double, 1))
    await asyncio.sleep(0)
    called = asyncio.create_task(workers.run(Queue(MOVE), pieces.double, 2))
    other = asyncio.create_task(workers.run(Queue(MOVE), pieces.double, 3))
    first.add_done_callback(lambda _: called.cancel())
    assert await first == 2
    async with asyncio.timeout(20):
        assert await other == 6
    assert called.cancelled()


async def test_an_error_is_raised_where_the_work_was_asked_for_and_frees_the_worker() -> None:
    workers = Workers()
    for _ in range(2):
        with pytest.raises(LookupError, match="no such hex"):
            await workers.run(Queue(QUESTION), pieces.fail)


async def test_an_error_that_cannot_cross_is_raised_in_words() -> None:
    with pytest.raises(RuntimeError, match="one and two"):
        await Workers().run(Queue(MOVE), pieces.fail_strangely)


async def test_a_thread_refuses_what_could_not_cross_to_a_process() -> None:
    workers = Workers()
    with pytest.raises((AttributeError, TypeError)):
        await workers.run(Queue(MOVE), pieces.double, lambda: 1)
    with pytest.raises((AttributeError, TypeError)):
        await workers.run(Queue(MOVE), pieces.unpicklable)


async def test_a_move_ends_questions_about_its_game_and_no_others(service: TableService, busy: Busy) -> None:
    service.tables.workers = busy.workers
    game, other = await service.game(), await service.game()
    await busy.begin(QUESTION)
    about, beside = [await busy.ask("question", Queue(QUESTION, game=one)) for one in (game, other)]
    await service.do(game, ANN, "pass")
    with pytest.raises(PositionGone, match="Please ask again"):
        await about
    assert not beside.done()


async def test_a_bot_that_is_closed_takes_no_work(sandbox: SandboxBot) -> None:
    workers = sandbox.client.tables.workers
    await sandbox.stop()
    with pytest.raises(Closed, match="being restarted"):
        await workers.run(Queue(QUESTION), pieces.double, 1)
