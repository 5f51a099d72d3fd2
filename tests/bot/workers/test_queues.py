"""Queues for workers: moves never behind questions, guilds in turn, nobody with too many questions."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from pathlib import Path

import pytest

from bot.table.errors import Refused
from bot.table.live import ask_about_position, search_queue
from bot.workers.errors import PositionOutdated, TooManyQuestions
from bot.workers.workers import MAX_GUILD_QUESTIONS, MAX_USER_QUESTIONS, Priority, QueuePlace, Workers
from engine.core.errors import IllegalAction
from engine.core.facts import fact
from engine.game import Game
from tests.bot.support.table_service import ANN, GUILD, TableService
from tests.bot.workers import pieces

MOVE, QUESTION = Priority.MOVE, Priority.QUESTION
Job = asyncio.Task[object]


class Busy:
    """Workers that each have something to do until released; what is asked then is noted when it is done."""

    def __init__(self, folder: Path) -> None:
        self.workers = Workers()
        self._gate, self._noted = folder / "gate", folder / "noted"
        self._noted.touch()
        self._jobs: list[Job] = []

    async def begin(self, *priorities: Priority) -> None:
        """Let workers be busy."""
        for priority in priorities:
            await self._add(self.workers.run(QueuePlace(priority), pieces.wait_for, str(self._gate)))

    async def ask(self, name: str, queue: QueuePlace) -> Job:
        """Ask for a piece of work."""
        return await self._add(self.workers.run(queue, pieces.note, name, str(self._noted)))

    async def done(self) -> list[str]:
        """Let go, and wait for everything; in which order it was done."""
        self._gate.touch()
        await asyncio.gather(*self._jobs, return_exceptions=True)
        return self.so_far

    @property
    def so_far(self) -> list[str]:
        return self._noted.read_text().split()

    async def _add(self, work: Coroutine[object, None, object]) -> Job:
        job = asyncio.create_task(work)
        self._jobs.append(job)
        await asyncio.sleep(0)
        return job


@pytest.fixture
async def busy(tmp_path: Path) -> AsyncIterator[Busy]:
    made = Busy(tmp_path)
    yield made
    await made.done()


async def test_move_waits_for_no_question(busy: Busy) -> None:
    await busy.begin(QUESTION)
    await busy.ask("question", QueuePlace(QUESTION, 1))
    await (await busy.ask("move", QueuePlace(MOVE, 1)))
    assert busy.so_far == ["move"]


async def test_guilds_take_turns(busy: Busy) -> None:
    await busy.begin(MOVE)
    for _ in range(5):
        await busy.ask("flood", QueuePlace(MOVE, 666))
    await busy.ask("other", QueuePlace(MOVE, 1))
    assert (await busy.done())[:2] == ["flood", "other"]


async def test_guild_has_few_questions(busy: Busy) -> None:
    await busy.begin(QUESTION, MOVE)
    for person in range(MAX_GUILD_QUESTIONS):
        await busy.ask("question", QueuePlace(QUESTION, 666, person + 1))
    with pytest.raises(TooManyQuestions, match="try again in a minute"):
        await (await busy.ask("refused", QueuePlace(QUESTION, 666, 77)))
    await busy.ask("other", QueuePlace(QUESTION, 1, 77))
    await busy.ask("move", QueuePlace(MOVE, 666))
    assert len(await busy.done()) == MAX_GUILD_QUESTIONS + 2


async def test_person_has_few_questions(busy: Busy) -> None:
    await busy.begin(QUESTION)
    for guild in range(MAX_USER_QUESTIONS):
        await busy.ask("question", QueuePlace(QUESTION, guild, 77))
    with pytest.raises(TooManyQuestions, match="Wait for an answer"):
        await (await busy.ask("refused", QueuePlace(QUESTION, 5, 77)))
    await busy.ask("other", QueuePlace(QUESTION, 5, 78))
    assert len(await busy.done()) == MAX_USER_QUESTIONS + 1


async def test_cancelled_job_is_passed_over(busy: Busy) -> None:
    await busy.begin(MOVE)
    gone = await busy.ask("gone", QueuePlace(MOVE))
    await busy.ask("next", QueuePlace(MOVE))
    gone.cancel()
    assert (await busy.done(), len(busy.workers)) == (["next"], 0)


async def test_job_cancelled_in_its_turn() -> None:
    """It passes the worker on."""
    workers = Workers()
    jobs: list[asyncio.Task[int]] = []

    async def first() -> None:
        assert await workers.run(QueuePlace(MOVE), pieces.double, 1) == 2
        jobs[0].cancel()

    begun = asyncio.create_task(first())
    await asyncio.sleep(0)
    jobs += [asyncio.create_task(workers.run(QueuePlace(MOVE), pieces.double, number)) for number in (2, 3)]
    await begun
    async with asyncio.timeout(20):
        assert await jobs[1] == 6
    assert jobs[0].cancelled()


async def test_waiting_question_ends_with_its_position(busy: Busy) -> None:
    await busy.begin(QUESTION)
    gone = await busy.ask("gone", QueuePlace(QUESTION, game_id=3))
    await busy.ask("other", QueuePlace(QUESTION, game_id=4))
    await busy.ask("past", QueuePlace(QUESTION))
    busy.workers.end_questions(3)
    with pytest.raises(PositionOutdated, match="has moved on"):
        await gone
    assert await busy.done() == ["other", "past"]


async def test_move_ends_questions_of_its_game(service: TableService, busy: Busy) -> None:
    service.tables.workers = busy.workers
    game, other = await service.game(), await service.game()
    await busy.begin(QUESTION)
    about, beside = [await busy.ask("question", QueuePlace(QUESTION, game_id=one)) for one in (game, other)]
    await service.do(game, ANN, "pass")
    with pytest.raises(PositionOutdated, match="Please ask again"):
        await about
    assert not beside.done()


def _refuse(_: Game) -> None:
    raise IllegalAction(fact("offer.end_game"))


async def test_rules_refuse_in_words(service: TableService) -> None:
    """In the queue of the server, for what a move waits for."""
    async with service.tables.reading(await service.game()) as live:
        queue = search_queue(live)
        assert (queue.priority, queue.guild_id) == (Priority.SEARCH, GUILD)
        with pytest.raises(Refused, match="game"):
            await ask_about_position(Workers(), queue, live.game.dump(), _refuse)
