"""Messages older than an hour: Discord takes three edits of them in six seconds, as was reported."""

import asyncio
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest
from discord.utils import time_snowflake

from bot.client.requests import request_limits
from bot.client.requests.request_limits import OldEdits, is_old
from bot.sandbox.http import rate_limits
from bot.table.moves.moves import Typed
from tests.bot.support.harness import House, Seated

OLD = time_snowflake(datetime.now(UTC) - timedelta(hours=2))
TAKEN = 3
SECONDS = 6.0
"""N edits of old messages are accepted in a channel within a number of seconds."""
THREAD = 7
FASTER = 10
"""This many times."""


class _Time:
    """A clock that advances by sleeping alone."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += max(0.0, seconds)


@pytest.mark.parametrize(("minutes", "old"), [(1, False), (54, False), (55, True), (6000, True)])
def test_a_message_is_old_some_minutes_before_the_hour_from_which_discord_counts(
    minutes: int, old: bool
) -> None:
    assert is_old(time_snowflake(datetime.now(UTC) - timedelta(minutes=minutes))) == old


async def test_edits_of_old_messages_keep_below_what_discord_takes() -> None:
    time, made = _Time(), []
    edits = OldEdits(time, time.sleep)
    for _ in range(9):
        async with edits.place(THREAD, OLD):
            made.append(time())
    assert made[:2] == [100.0, 100.0], "the first ones wait for nothing"
    for begun in made:
        assert sum(begun <= at < begun + SECONDS for at in made) < TAKEN, "one is left for other posts"


async def test_an_edit_counts_until_it_was_answered_some_seconds_ago() -> None:
    """However late it comes to Discord, which counts from then on: a third one is not made meanwhile."""
    time, made = _Time(), asyncio.Event()
    edits = OldEdits(time, time.sleep)

    async def third() -> None:
        async with edits.place(THREAD, OLD):
            made.set()

    async with edits.place(THREAD, OLD):
        async with edits.place(THREAD, OLD):
            another = asyncio.create_task(third())
            await time.sleep(3 * SECONDS)
            await _others()
            assert not made.is_set(), "two of them are on the way"
        await another
    assert time() == 100.0 + 4 * SECONDS


async def test_an_edit_that_is_given_up_while_it_waits_leaves_its_place_as_it_was() -> None:
    time, never = _Time(), asyncio.Event()

    async def sleep(seconds: float) -> None:
        await (never.wait() if seconds > 0 else time.sleep(seconds))

    edits = OldEdits(time, sleep)
    for _ in range(TAKEN - 1):
        async with edits.place(THREAD, OLD):
            pass
    waiting = asyncio.create_task(_edited(edits))
    await _others()
    waiting.cancel()
    await asyncio.wait([waiting])
    await time.sleep(SECONDS)
    await _edited(edits)
    assert time() == 100.0 + SECONDS


async def _edited(edits: OldEdits) -> None:
    async with edits.place(THREAD, OLD):
        pass


async def _others() -> None:
    """Let all run that can."""
    for _ in range(9):
        await asyncio.sleep(0)


async def test_neither_young_messages_nor_other_channels_wait() -> None:
    time = _Time()
    edits = OldEdits(time, time.sleep)
    for channel in range(9):
        async with edits.place(channel, OLD):
            pass
    for _ in range(9):
        async with edits.place(THREAD, time_snowflake(datetime.now(UTC))):
            pass
    assert time() == 100.0


async def test_of_ten_moves_in_a_row_an_old_board_shows_the_last_after_few_edits(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if each of them changed what is to be seen there."""
    game = await house.game()
    numbers = count()
    monkeypatch.setattr("bot.client.thread.board_post.digest", lambda _: str(next(numbers)))
    board = next(m for m in game.messages if m.embeds)
    monkeypatch.setattr(request_limits, "OLD", timedelta(0))
    monkeypatch.setattr(request_limits, "OLD_EDIT_SECONDS", 1.0)
    begun = len(house.server.requests)
    await _ten_bids(house, game)
    await house.settled()
    edit = f"PATCH /api/v10/channels/{game.thread}/messages/{board.id}"
    assert house.server.requests[begun:].count(edit) <= TAKEN
    assert "After move 11 " in board.content


async def test_nothing_is_refused_within_every_limit(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Time goes FASTER than ours."""
    game = await house.game()
    numbers = count()
    monkeypatch.setattr("bot.client.thread.board_post.digest", lambda _: str(next(numbers)))
    monkeypatch.setattr(request_limits, "OLD", timedelta(0))
    monkeypatch.setattr(request_limits, "OLD_EDIT_SECONDS", request_limits.OLD_EDIT_SECONDS / FASTER)
    monkeypatch.setattr(rate_limits, "OLD_SECONDS", 0)
    monkeypatch.setattr(
        rate_limits,
        "LIMITS",
        [limit._replace(seconds=limit.seconds / FASTER) for limit in rate_limits.LIMITS],
    )
    house.server.rates.kept = True
    for _ in range(2):
        await house.person("Ann").slash(game.thread, "map")
    await _ten_bids(house, game, pause=0.3 / FASTER)
    await house.settled()
    assert house.server.rates.refused == 0


async def _ten_bids(house: House, game: Seated, pause: float = 0.0) -> None:
    for number in range(10):
        person = house.person(("Ann", "Bob", "Cy")[number % 3])
        bid = Typed("bid", {"private": "CV", "amount": 205 + 5 * number})
        await house.client.tables.submit(game.number, person.id, bid)
        await asyncio.sleep(pause)
