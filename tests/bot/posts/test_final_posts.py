"""The end of a process: nothing new is begun, what is under way is finished, for a while."""

import asyncio
from collections.abc import Callable
from typing import Final

import pytest

from bot.client.entry.admission import RESTARTING
from bot.sandbox.guild.world import Change, Interaction
from bot.table.outbox import sender
from tests.bot.sandbox.faults import Faults
from tests.bot.support.harness import House

LONG: Final = 60.0
"""Seconds, longer than a test takes."""


async def test_requests_at_the_end_are_answered_with_the_restart(house: House) -> None:
    game = await house.game()
    ann = house.person("Ann")
    await house.client.admission.close(1.0)
    assert (await ann.slash(game.thread, "help")).text == RESTARTING
    assert (await ann.press(game.turn, "Pass")).text == RESTARTING
    assert await ann.autocomplete(game.thread, "bid", focused="private", private="") == []
    assert await game.seq() == 1
    await house.stop()
    await house.start()
    await game.press("Ann", "Pass")
    assert await game.seq() == 2


async def test_a_move_under_way_is_stored_and_answered_before_the_end(house: House) -> None:
    game = await house.game()
    tables = house.client.tables
    async with tables.lock(game.number):
        pressed = asyncio.create_task(house.person("Ann").slash(game.thread, "pass"))
        await house.world.until(lambda: any(i.answer is not None for i in _asked(house, "pass")))
        stopped = asyncio.create_task(house.stop())
        await asyncio.sleep(0.05)
        assert not stopped.done()
    await stopped
    assert "Done, move 2" in (await pressed).text
    await house.start()
    await house.settled()
    assert await game.seq() == 2
    assert sum("Ann" in line and "passes" in line for line in game.lines) == 1


async def test_posts_under_way_are_finished_before_the_end(house: House) -> None:
    game = await house.game()
    begun = asyncio.Event()

    def note(change: Change) -> None:
        if change.message is not None and "passes" in change.message.content:
            begun.set()

    house.world.listen(note)
    await house.person("Ann").press(game.turn, "Pass")
    await asyncio.wait_for(begun.wait(), 20)
    await house.stop()
    assert sum("passes" in line for line in game.lines) == 1
    assert game.turn.content.startswith(house.person("Bob").mention)


@pytest.mark.parametrize("hangs", [Faults.hold_up, Faults.answer_late])
async def test_a_post_that_hangs_does_not_keep_the_process(
    house: House, monkeypatch: pytest.MonkeyPatch, hangs: Callable[[Faults, str, float], None]
) -> None:
    """A post that may have arrived is there once after the next start."""
    monkeypatch.setattr(sender, "FINISHING_SECONDS", 0.05)
    game, faults = await house.game(), house.server.faults
    hangs(faults, f"POST /api/v10/channels/{game.thread}/messages", LONG)
    await house.person("Ann").press(game.turn, "Pass")
    await house.learns(lambda: faults.served == 1)
    await asyncio.wait_for(house.stop(), 20)
    await house.start()
    await house.settled()
    assert sum("passes" in line for line in game.lines) == 1
    assert [message for message in game.messages if message.buttons] == [game.turn]


def _asked(house: House, name: str) -> list[Interaction]:
    return [one for one in house.world.interactions.values() if one.name == name]
