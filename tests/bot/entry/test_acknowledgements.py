"""Presses: each shows at once that it was taken, however long the answer takes, and none is done twice."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from bot.client.entry import replies
from bot.client.entry.replies import ACK_AFTER_SECONDS, SLOW_CLICK_TEXT
from bot.sandbox.guild.interactions import ResponseKind
from bot.sandbox.message_limits import ANSWER_SECONDS
from tests.bot.support.sandbox_bot import TABLE, SandboxBot, Seated

pytestmark = pytest.mark.usefixtures("undrawn")


@pytest.fixture
async def game(sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch) -> Seated:
    """A game in which a press that is not answered soon is acknowledged (time)."""
    begun = await sandbox.game()
    monkeypatch.setattr(replies, "ACK_AFTER_SECONDS", 0.05)
    return begun


@asynccontextmanager
async def busy(game: Seated) -> AsyncIterator[None]:
    """Meanwhile all that asks for the game waits."""
    async with game.sandbox.client.tables.reading(game.number):
        yield


def callbacks(sandbox: SandboxBot) -> int:
    return sum("/callback" in str(request) for request in sandbox.server.requests)


def test_time_to_acknowledge() -> None:
    assert ACK_AFTER_SECONDS * 2 <= ANSWER_SECONDS


async def test_slow_press_says_it_was_taken(sandbox: SandboxBot, game: Seated) -> None:
    async with busy(game):
        reply = await sandbox.person("Ann").press(game.turn, "Pass")
        assert reply.interaction.response_kind == ResponseKind.DEFER_UPDATE
        assert await sandbox.hears(reply, SLOW_CLICK_TEXT)
        assert len(game.moves) == 1
    assert await sandbox.world.wait_until(lambda: SLOW_CLICK_TEXT not in reply.text, timeout=20)
    await sandbox.settled()
    assert await game.seq() == 2


async def test_double_press_is_one_move(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    turn, ann = game.turn, sandbox.person("Ann")
    async with busy(game):
        presses = [asyncio.create_task(ann.press(turn, "Pass")) for _ in range(2)]
        await asyncio.sleep(0.05)
    answers = await asyncio.gather(*presses)
    await sandbox.settled()
    assert await game.seq() == 2
    assert await sandbox.world.wait_until(lambda: any("moved on" in a.text for a in answers), timeout=20)


async def test_answer_waits_for_acknowledgement(sandbox: SandboxBot, game: Seated) -> None:
    """Else there might be two first responses."""
    sandbox.server.faults.hold_up("/callback", 0.3)
    before, turn = callbacks(sandbox), game.turn
    async with busy(game):
        pressed = asyncio.create_task(sandbox.person("Bob").press(turn, "Pass"))
        await asyncio.sleep(0.2)
    reply = await pressed
    assert reply.interaction.response_kind == ResponseKind.DEFER_UPDATE
    assert await sandbox.hears(reply, "Ann's turn")
    assert callbacks(sandbox) == before + 1


async def test_late_acknowledgement_harms_nothing(
    sandbox: SandboxBot, game: Seated, caplog: pytest.LogCaptureFixture
) -> None:
    sandbox.world.answer_seconds = 0.2
    sandbox.server.faults.fail("/callback", status=404, code=10062, times=2)
    async with busy(game):
        await sandbox.person("Ann").press(game.turn, "Pass")
    assert await sandbox.world.wait_until(lambda: len(game.moves) == 2, timeout=20)
    await sandbox.settled()
    assert "cannot acknowledge a slow click" in caplog.text


async def test_late_form_is_refused(
    sandbox: SandboxBot, game: Seated, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with busy(game):
        result = await sandbox.person("Ann").press(game.turn, "CV: another bid …")
    assert await sandbox.hears(result, "Please press again")
    monkeypatch.setattr(replies, "ACK_AFTER_SECONDS", 20.0)
    assert (await sandbox.person("Ann").press(game.turn, "CV: another bid …")).modal is not None


async def test_lobby_press_edits_its_message(sandbox: SandboxBot) -> None:
    """In the answer: few edits of a channel are allowed when the message is old."""
    await sandbox.person("Ann").slash(TABLE, "game new", title="18chesapeake")
    begun, lobby = len(sandbox.server.requests), sandbox.lobby()
    reply = await sandbox.person("Bob").press(lobby, "Join")
    assert reply.interaction.response_kind == ResponseKind.UPDATE
    names = ("Cy", "Dee", "Eve")
    await asyncio.gather(*(sandbox.person(name).press(lobby, "Join") for name in names))
    assert all(name in lobby.content for name in names)
    await sandbox.person("Ann").press(lobby, "Start")
    assert not lobby.buttons
    edits = [str(line) for line in sandbox.server.requests[begun:] if str(line).startswith("PATCH")]
    assert not [line for line in edits if "channels" in line]
    await sandbox.settled()


async def test_lobby_press_whose_answer_is_lost(sandbox: SandboxBot) -> None:
    await sandbox.person("Ann").slash(TABLE, "game new", title="18chesapeake")
    sandbox.server.faults.lose_answer("/callback")
    await sandbox.person("Bob").press(sandbox.lobby(), "Join")
    assert await sandbox.world.wait_until(lambda: "Bob" in sandbox.lobby().content, timeout=20)


async def test_lobby_press_that_comes_twice(sandbox: SandboxBot) -> None:
    await sandbox.person("Ann").slash(TABLE, "game new", title="18chesapeake")
    sandbox.server.faults.sockets.copies = 2
    reply = await sandbox.person("Ann").press(sandbox.lobby(), "Computer: Apprentice")
    assert await sandbox.world.wait_until(lambda: "3 joined" in sandbox.lobby().content, timeout=20)
    assert await sandbox.hears(await sandbox.person("Bob").press(sandbox.lobby(), "Join"), "already")
    await sandbox.client.admission.close(20)
    assert reply.text == "", "both computers are shown"
