"""Messages older than an hour: Discord takes three edits of them in six seconds, as was reported."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from discord.utils import time_snowflake

from bot.client.requests import old_edits
from bot.client.requests.old_edits import OldEdits, is_old_message
from bot.sandbox.http import rate_limits
from bot.sandbox.model import Message
from bot.table.moves.moves import TypedMove
from bot.table.outbox.sender import PostLater
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
def test_message_is_old_before_the_hour(minutes: int, old: bool) -> None:
    assert is_old_message(time_snowflake(datetime.now(UTC) - timedelta(minutes=minutes))) == old


class Editing:
    """Edits of old messages, and when each was made; it is answered once all may be."""

    def __init__(self) -> None:
        self.timer, self.answered, self.made = ManualTimer(), asyncio.Event(), dict[int, list[float]]()
        self.answered.set()
        self.places = OldEdits(lambda: self.timer)

    def begin(self, channel_id: int = THREAD, message_id: int = OLD) -> asyncio.Task[None]:
        return asyncio.create_task(self._edit(channel_id, message_id))

    async def _edit(self, channel_id: int, message_id: int) -> None:
        async with self.places.edit_slot(channel_id, message_id):
            self.made.setdefault(channel_id, []).append(self.timer.now)
            await self.answered.wait()

    async def passes(self, seconds: float) -> None:
        await self.timer.lets_tasks_work(seconds, rounds=9)


async def test_old_edits_keep_below_the_limit() -> None:
    editing = Editing()
    tasks = [editing.begin(channel) for channel in (8, 9, *[THREAD] * 9)]
    tasks += [editing.begin(10, time_snowflake(datetime.now(UTC))) for _ in range(9)]
    await editing.passes(9 * SECONDS)
    assert all(task.done() for task in tasks)
    assert editing.made.pop(8) == editing.made.pop(9) == [0.0], "other threads wait for nothing"
    assert editing.made.pop(10) == [0.0] * 9, "nor do young messages"
    made = editing.made[THREAD]
    assert made[:2] == [0.0, 0.0], "the first ones wait for nothing"
    for begun in made:
        assert sum(begun <= at < begun + SECONDS for at in made) < TAKEN, "one is left for other posts"


async def test_edit_counts_until_after_its_answer() -> None:
    """However late it comes to Discord, which counts from then on: a third one is not made meanwhile, or put off."""
    editing, young = Editing(), time_snowflake(datetime.now(UTC))
    editing.answered.clear()
    tasks = [editing.begin() for _ in range(3)]
    await editing.passes(3 * SECONDS)
    with pytest.raises(PostLater):
        editing.places.require_slot(THREAD, OLD)
    editing.places.require_slot(THREAD, young)
    editing.places.require_slot(8, OLD)
    editing.answered.set()
    await editing.passes(SECONDS)
    await asyncio.gather(*tasks)
    assert editing.made == {THREAD: [0.0, 0.0, 4 * SECONDS]}


async def test_cancelled_edit_takes_no_place() -> None:
    editing = Editing()
    for _ in range(TAKEN):
        tasks = [editing.begin() for _ in range(TAKEN)]
        await editing.passes(0)
        tasks[-1].cancel()
        await editing.passes(SECONDS)
    assert editing.made == {THREAD: [0.0, 0.0, 6.0, 6.0, 12.0, 12.0]}


# --- a board ---------------------------------------------------------------------------------------------------------


async def bids(sandbox: SandboxBot, game: Seated, numbers: range, pause: float = 0.0) -> None:
    """People bid in turn."""
    for number in numbers:
        person = sandbox.person(("Ann", "Bob", "Cy")[number % 3])
        bid = TypedMove("bid", {"private": "CV", "amount": 205 + 5 * number})
        await sandbox.client.tables.submit(game.number, person.id, bid)
        await asyncio.sleep(pause)


def board_of(game: Seated) -> Message:
    return next(m for m in game.messages if m.embeds)


async def test_old_board_is_edited_within_the_limits(
    sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing of many moves in a row is refused, and the board says whose turn it is. Time goes FASTER than ours."""
    game = await sandbox.game()
    board = board_of(game)
    monkeypatch.setattr(old_edits, "OLD_MESSAGE_AGE", timedelta(0))
    monkeypatch.setattr(old_edits, "OLD_EDIT_SECONDS", old_edits.OLD_EDIT_SECONDS / FASTER)
    monkeypatch.setattr(rate_limits, "OLD_MESSAGE_SECONDS", 0)
    limits = [limit._replace(seconds=limit.seconds / FASTER) for limit in rate_limits.ROUTE_LIMITS]
    monkeypatch.setattr(rate_limits, "ROUTE_LIMITS", limits)
    sandbox.server.rates.is_enforced = True
    for _ in range(2):
        await sandbox.person("Ann").slash(game.thread, "map")
    await bids(sandbox, game, range(11), pause=0.3 / FASTER)
    await sandbox.settled()
    assert sandbox.server.rates.refused_count == 0
    assert "It is **Cy**'s turn." in board.content
