"""Posting that fails is tried again after a pause that doubles, up to five minutes, and is kept until it succeeds."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.table.notices import lane
from bot.table.sender import Mark, Sender
from storage import outbox
from storage.outbox import Posting
from tests.bot.tables import ANN, Bench

SOON = 10.0
"""Seconds a test waits for what happens at once."""


class Post:
    """Where postings are delivered: fails as long as it is closed, and counts the attempts."""

    def __init__(self) -> None:
        self.closed = True
        self.attempts: list[str] = []

    async def deliver(self, game_id: int, postings: Sequence[Posting], mark: Mark, *, unsure: bool) -> None:
        """Take these, or fail."""
        del game_id, unsure
        self.attempts.append(lane(postings[0].kind))
        if self.closed:
            raise ConnectionError("closed")
        await mark(postings)


@asynccontextmanager
async def sending(bench: Bench, post: Post) -> AsyncIterator[Sender]:
    """A sender at work."""
    sender = Sender(bench.db, post.deliver, lambda: "2026-01-02T03:04:05+00:00", lane)
    task = asyncio.create_task(sender.run())
    try:
        yield sender
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def until(condition: Callable[[], bool]) -> None:
    """Wait until it holds."""
    async with asyncio.timeout(SOON):
        while not condition():  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.005)


def pauses(caplog: pytest.LogCaptureFixture) -> list[float]:
    """The pauses in seconds that were announced, in order."""
    failures = [record for record in caplog.records if "next attempt" in record.msg]
    return [float(record.args[3]) for record in failures]  # type: ignore[index,arg-type]


def failed_before(tmp_path: Path, times: int) -> None:
    """Everything in the outbox has failed so often."""
    with sqlite3.connect(tmp_path / "games.db") as conn:
        conn.execute("UPDATE outbox SET attempts = ?", (times,))


@pytest.mark.parametrize(
    ("times", "pause"), [(0, 1), (1, 2), (2, 4), (5, 32), (8, 256), (9, 300), (17, 300), (5000, 300)]
)
async def test_each_failure_doubles_the_pause_up_to_five_minutes(
    bench: Bench, tmp_path: Path, caplog: pytest.LogCaptureFixture, times: int, pause: float
) -> None:
    await bench.game()
    failed_before(tmp_path, times)
    post = Post()
    async with sending(bench, post):
        await until(lambda: len(pauses(caplog)) == 2)
    assert pauses(caplog) == [pause, pause]
    assert sorted(post.attempts) == ["board", "words"]


async def test_nothing_is_tried_again_before_the_pause_is_over(bench: Bench, tmp_path: Path) -> None:
    game = await bench.game()
    failed_before(tmp_path, 9)
    post = Post()
    async with sending(bench, post) as sender:
        await until(lambda: len(post.attempts) == 2)
        await bench.do(game, ANN, "pass")
        for _ in range(20):
            sender.wake()
            await asyncio.sleep(0.01)
    assert len(post.attempts) == 2


async def test_a_failure_is_counted_once_and_the_next_pause_is_longer(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    await bench.game()
    post = Post()
    async with sending(bench, post):
        await until(lambda: len(pauses(caplog)) == 4)
    assert sorted(pauses(caplog)) == [1, 1, 2, 2]
    rows = await outbox.pending(bench.db)
    assert sorted(row.attempts for row in rows if row.attempts) == [2, 2]


async def test_what_failed_is_delivered_once_the_way_is_free(bench: Bench) -> None:
    await bench.game()
    post = Post()
    async with sending(bench, post):
        await until(lambda: len(post.attempts) == 2)
        post.closed = False
        await until(lambda: len(post.attempts) == 4)
        async with asyncio.timeout(SOON):
            while await outbox.pending(bench.db):  # noqa: ASYNC110 - the database tells nobody
                await asyncio.sleep(0.005)
