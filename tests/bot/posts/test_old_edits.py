"""Messages older than an hour: Discord takes three edits of them in six seconds, as was reported."""

import asyncio
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count

import pytest
from discord.utils import time_snowflake

from bot.client.requests import old_edits
from bot.client.requests.old_edits import OldEdits, is_old
from bot.sandbox.http import rate_limits
from bot.table.moves.moves import Typed
from tests.bot.support.sandbox_bot import SandboxBot, Seated
from tests.support.manual_timer import ManualTimer

OLD = time_snowflake(datetime.now(UTC) - timedelta(hours=2))
TAKEN = 3
SECONDS = 6.0
"""N edits of old messages are accepted in a channel within a number of seconds."""
THREAD = 7
FASTER = 10
"""This many times."""


@pytest.mark.parametrize(("minutes", "old"), [(1, False), (54, False), (55, True), (6000, True)])
def test_a_message_is_old_some_minutes_before_the_hour_from_which_discord_counts(
    minutes: int, old: bool
) -> None:
    assert is_old(time_snowflake(datetime.now(UTC) - timedelta(minutes=minutes))) == old


async def edits(timer: ManualTimer, count: int, message_id: int = OLD) -> list[float]:
    """Edits in a thread, all wanted at once, each answered at once; when they were made."""
    places, made = OldEdits(lambda: timer), list[float]()

    async def edit(channel_id: int) -> None:
        async with places.place(channel_id, message_id):
            made.append(timer.now)

    others = [edit(other) for other in range(THREAD + 1, THREAD + 9)]
    tasks = [asyncio.create_task(one) for one in (*others, *(edit(THREAD) for _ in range(count)))]
    await timer.lets_tasks_work(SECONDS * count, rounds=9)
    assert all(task.done() for task in tasks)
    assert made[: len(others)] == [0.0] * len(others), "other threads wait for nothing"
    return made[len(others) :]


async def test_old_edits_keep_below_the_limit() -> None:
    made = await edits(ManualTimer(), 9)
    assert made[:2] == [0.0, 0.0], "the first ones wait for nothing"
    for begun in made:
        assert sum(begun <= at < begun + SECONDS for at in made) < TAKEN, "one is left for other posts"


async def test_young_messages_wait_for_nothing() -> None:
    assert await edits(ManualTimer(), 9, time_snowflake(datetime.now(UTC))) == [0.0] * 9


async def test_edit_counts_until_some_time_after_its_answer() -> None:
    """However late it comes to Discord, which counts from then on: a third one is not made meanwhile."""
    timer = ManualTimer()
    places, answered, made = OldEdits(lambda: timer), asyncio.Event(), list[float]()

    async def edit() -> None:
        async with places.place(THREAD, OLD):
            made.append(timer.now)
            await answered.wait()

    tasks = [asyncio.create_task(edit()) for _ in range(3)]
    await timer.lets_tasks_work(3 * SECONDS, rounds=9)
    answered.set()
    await timer.lets_tasks_work(SECONDS, rounds=9)
    await asyncio.gather(*tasks)
    assert made == [0.0, 0.0, 4 * SECONDS]


async def test_cancelled_edit_takes_no_place() -> None:
    timer = ManualTimer()
    places, made = OldEdits(lambda: timer), list[float]()

    async def edit() -> None:
        async with places.place(THREAD, OLD):
            made.append(timer.now)

    for _ in range(TAKEN):
        tasks = [asyncio.create_task(edit()) for _ in range(TAKEN)]
        await timer.lets_tasks_work(0, rounds=9)
        tasks[-1].cancel()
        await timer.lets_tasks_work(SECONDS, rounds=9)
    assert made == [0.0, 0.0, 6.0, 6.0, 12.0, 12.0]


async def test_of_ten_moves_in_a_row_an_old_board_shows_the_last_after_few_edits(
    sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if each of them changed what is to be seen there."""
    game = await sandbox.game()
    numbers = count()
    monkeypatch.setattr("bot.client.thread.board_post.digest", lambda _: str(next(numbers)))
    board = next(m for m in game.messages if m.embeds)
    monkeypatch.setattr(old_edits, "OLD", timedelta(0))
    monkeypatch.setattr(old_edits, "OLD_EDIT_SECONDS", 1.0)
    begun = len(sandbox.server.requests)
    await _ten_bids(sandbox, game)
    await sandbox.settled()
    edit = f"PATCH /api/v10/channels/{game.thread}/messages/{board.id}"
    assert sandbox.server.requests[begun:].count(edit) <= TAKEN
    assert "After move 11 " in board.content


async def test_a_board_that_must_wait_holds_up_no_text(
    sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await sandbox.game()
    numbers = count()
    monkeypatch.setattr("bot.client.thread.board_post.digest", lambda _: str(next(numbers)))
    board = next(m for m in game.messages if m.embeds)
    monkeypatch.setattr(old_edits, "is_old", lambda number: number == board.id)
    monkeypatch.setattr(old_edits, "OLD_EDIT_SECONDS", 3600.0)
    begun = len(sandbox.server.requests)
    for bid in range(5):
        await _bids(sandbox, game, bid)
        move = f"`{bid + 2}`"
        assert await sandbox.world.until(partial(_tells, game, move), timeout=20)
    edit = f"PATCH /api/v10/channels/{game.thread}/messages/{board.id}"
    assert sandbox.server.requests[begun:].count(edit) == old_edits.OLD_EDITS


async def test_nothing_is_refused_within_every_limit(
    sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Time goes FASTER than ours."""
    game = await sandbox.game()
    numbers = count()
    monkeypatch.setattr("bot.client.thread.board_post.digest", lambda _: str(next(numbers)))
    monkeypatch.setattr(old_edits, "OLD", timedelta(0))
    monkeypatch.setattr(old_edits, "OLD_EDIT_SECONDS", old_edits.OLD_EDIT_SECONDS / FASTER)
    monkeypatch.setattr(rate_limits, "OLD_SECONDS", 0)
    monkeypatch.setattr(
        rate_limits,
        "LIMITS",
        [limit._replace(seconds=limit.seconds / FASTER) for limit in rate_limits.LIMITS],
    )
    sandbox.server.rates.kept = True
    for _ in range(2):
        await sandbox.person("Ann").slash(game.thread, "map")
    await _ten_bids(sandbox, game, pause=0.3 / FASTER)
    await sandbox.settled()
    assert sandbox.server.rates.refused == 0


async def _ten_bids(sandbox: SandboxBot, game: Seated, pause: float = 0.0) -> None:
    for number in range(10):
        await _bids(sandbox, game, number)
        await asyncio.sleep(pause)


def _tells(game: Seated, move: str) -> bool:
    return any(move in line for line in game.lines)


async def _bids(sandbox: SandboxBot, game: Seated, number: int) -> None:
    person = sandbox.person(("Ann", "Bob", "Cy")[number % 3])
    bid = Typed("bid", {"private": "CV", "amount": 205 + 5 * number})
    await sandbox.client.tables.submit(game.number, person.id, bid)
