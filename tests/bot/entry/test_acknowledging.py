"""Presses: each shows at once that it was taken, however long the answer takes, and none is done twice."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from bot.client.entry import replies
from bot.client.entry.replies import ACK_AFTER, TAKEN
from bot.client.features import wizard
from bot.sandbox.guild.interactions import ResponseKind
from bot.sandbox.message_limits import ANSWER_SECONDS
from bot.table.tables import Tables
from tests.bot.support.sandbox_bot import TABLE, SandboxBot


def _slow(monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """Storing a move waits until this is set, and the user soon learns so."""
    submit, go_on = Tables.submit, asyncio.Event()

    async def later(*args: object, **values: object) -> object:
        await go_on.wait()
        return await submit(*args, **values)  # type: ignore[arg-type]

    monkeypatch.setattr(Tables, "submit", later)
    monkeypatch.setattr(replies, "ACK_AFTER", 0.05)
    return go_on


def test_a_press_is_answered_well_before_discord_gives_up() -> None:
    """In the other tests of the table a slow answer is no wrong one, and nothing is said before it."""
    assert ACK_AFTER * 2 <= ANSWER_SECONDS


async def test_a_press_that_takes_seconds_says_that_it_was_taken(
    sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await sandbox.game()
    go_on = _slow(monkeypatch)
    reply = await sandbox.person("Ann").press(game.turn, "Pass")
    assert reply.interaction.answer == ResponseKind.DEFER_UPDATE
    assert await sandbox.hears(reply, TAKEN)
    assert await game.seq() == 1
    go_on.set()
    assert await sandbox.world.until(lambda: TAKEN not in reply.text, timeout=20)
    await sandbox.settled()
    assert await game.seq() == 2


async def test_two_presses_on_one_button_are_one_move(
    sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await sandbox.game()
    go_on = _slow(monkeypatch)
    turn, ann = game.turn, sandbox.person("Ann")
    first = asyncio.create_task(ann.press(turn, "Pass"))
    second = asyncio.create_task(ann.press(turn, "Pass"))
    await asyncio.sleep(0)
    go_on.set()
    answers = await asyncio.gather(first, second)
    await sandbox.settled()
    assert await game.seq() == 2
    assert await sandbox.world.until(
        lambda: any("moved on" in answer.text for answer in answers), timeout=20
    ), "whoever came later reads why nothing was done"


class UnderWay:
    """A press whose acknowledgement is on its way to Discord until it has arrived; what was done, in order."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(replies, "ACK_AFTER", 0)
        self.done: list[str] = []
        self.arrived, self._begun = asyncio.Event(), asyncio.Event()
        response = SimpleNamespace(defer=self._defer, is_done=lambda: "deferred" in self.done)
        self.press: Any = SimpleNamespace(
            extras={}, response=response, followup=SimpleNamespace(send=self._send)
        )

    async def begins(self) -> None:
        """Wait until it is on its way."""
        replies.ack_later(self.press)
        await self._begun.wait()

    async def _defer(self) -> None:
        self._begun.set()
        await self.arrived.wait()
        self.done.append("deferred")

    async def _send(self, content: str, **_: object) -> None:
        self.done.append(content)


async def test_an_acknowledgement_under_way_is_finished_before_the_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Cut off, it might have reached Discord, and the answer would be a second first response."""
    ack = UnderWay(monkeypatch)
    await ack.begins()
    answering = asyncio.create_task(replies.before_responding(ack.press))
    await asyncio.sleep(0)
    assert not answering.done()
    ack.arrived.set()
    await answering
    assert ack.done == ["deferred", TAKEN]


async def test_a_private_answer_waits_for_an_acknowledgement_under_way(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And is no first response then."""
    ack = UnderWay(monkeypatch)
    await ack.begins()
    answering = asyncio.create_task(replies._send(ack.press, content="An answer."))
    await asyncio.sleep(0)
    ack.arrived.set()
    await answering
    assert ack.done == ["deferred", TAKEN, "An answer."]


async def test_a_form_that_comes_too_late_is_asked_for_again(
    sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await sandbox.game()
    step = wizard._step

    async def later(*args: object) -> object:
        await asyncio.sleep(0.2)
        return await step(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(wizard, "_step", later)
    monkeypatch.setattr(replies, "ACK_AFTER", 0.05)
    answer = await sandbox.person("Ann").press(game.turn, "CV: another bid …")
    assert await sandbox.hears(answer, "Please press again")
    monkeypatch.setattr(replies, "ACK_AFTER", 20.0)
    assert (await sandbox.person("Ann").press(game.turn, "CV: another bid …")).modal is not None


async def test_a_press_in_the_lobby_changes_its_message_in_the_answer(sandbox: SandboxBot) -> None:
    """Not by an edit of the channel: few of those are allowed when the message is old."""
    await sandbox.person("Ann").slash(TABLE, "game new", title="18chesapeake")
    begun = len(sandbox.server.requests)
    reply = await sandbox.person("Bob").press(sandbox.lobby(), "Join")
    assert reply.interaction.answer == ResponseKind.UPDATE
    await sandbox.person("Cy").press(sandbox.lobby(), "Join")
    assert "Cy" in sandbox.lobby().content
    lobby = sandbox.lobby()
    await sandbox.person("Ann").press(lobby, "Start")
    assert not lobby.buttons
    assert not [
        line for line in sandbox.server.requests[begun:] if line.startswith("PATCH") and "channels" in line
    ]
    await sandbox.settled()


async def test_presses_in_the_lobby_at_the_same_time_end_with_the_last_picture(sandbox: SandboxBot) -> None:
    await sandbox.person("Ann").slash(TABLE, "game new", title="18chesapeake")
    lobby = sandbox.lobby()
    names = ("Bob", "Cy", "Dee")
    await asyncio.gather(*(sandbox.person(name).press(lobby, "Join") for name in names))
    assert all(name in lobby.content for name in names)
