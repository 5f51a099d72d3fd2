"""The end of a process: nothing new is begun, what is under way is finished, for a while."""

import asyncio
from collections.abc import Callable
from typing import Final

import pytest

from bot.client.entry.admission import RESTARTING_TEXT
from tests.bot.sandbox.faults import Faults
from tests.bot.support.sandbox_bot import SandboxBot

LONG: Final = 60.0
"""Seconds, longer than a test takes."""


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopping waits only a moment for what cannot be posted."""
    monkeypatch.setattr("bot.table.outbox.sender.SECONDS_TO_FINISH_POSTS", 0.1)


async def test_requests_are_refused_at_the_end(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    ann = sandbox.person("Ann")
    await sandbox.client.admission.close(1.0)
    assert (await ann.slash(game.thread, "help")).text == RESTARTING_TEXT
    assert (await ann.press(game.turn, "Pass")).text == RESTARTING_TEXT
    assert await ann.autocomplete(game.thread, "bid", focused="private", private="") == []
    assert await game.seq() == 1
    await sandbox.stop()
    await sandbox.start()
    await game.press("Ann", "Pass")
    assert await game.seq() == 2


async def test_move_under_way_is_finished(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    tables = sandbox.client.tables
    async with tables.lock(game.number):
        pressed = asyncio.create_task(sandbox.person("Ann").slash(game.thread, "pass"))
        await sandbox.learns(lambda: not sandbox.client.admission.is_idle)
        stopped = asyncio.create_task(sandbox.stop())
        await asyncio.sleep(0.05)
        assert not stopped.done()
    await stopped
    assert "Done, move 2" in (await pressed).text
    await sandbox.start()
    await sandbox.settled()
    assert await game.seq() == 2
    assert sum("Ann" in line and "passes" in line for line in game.lines) == 1


@pytest.mark.parametrize("hangs", [Faults.hold_up, Faults.answer_late])
async def test_hanging_post_does_not_keep_the_process(
    sandbox: SandboxBot, hangs: Callable[[Faults, str, float], None]
) -> None:
    """A post that may have arrived is there once after the next start."""
    game, faults = await sandbox.game(), sandbox.server.faults
    hangs(faults, f"POST /api/v10/channels/{game.thread}/messages", LONG)
    await sandbox.person("Ann").press(game.turn, "Pass")
    await sandbox.learns(lambda: faults.served == 1)
    await asyncio.wait_for(sandbox.stop(), 20)
    await sandbox.start()
    await sandbox.settled()
    assert sum("passes" in line for line in game.lines) == 1
    assert [message for message in game.messages if message.buttons] == [game.turn]
