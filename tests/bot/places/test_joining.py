"""The channel of a lobby: its post shows who has joined and what has become of it; a full one pings its host."""

import pytest

from bot.client.features.pings import ping_due
from bot.sandbox.model import Message
from bot.table.settings.person_settings import CLOSED
from storage import PEOPLE
from tests.bot.support.sandbox_bot import TABLE, SandboxBot
from tests.support.unsent import unsent

OTHERS = ("Bob", "Cy", "Dee", "Eve", "Fay")
"""The players of a full lobby, but for the one who has opened it."""


async def opened(sandbox: SandboxBot) -> Message:
    """The lobby that Ann has opened."""
    await sandbox.person("Ann").slash(TABLE, "game new", title="18chesapeake")
    return sandbox.lobby()


async def posted(sandbox: SandboxBot, lobby: Message) -> list[Message]:
    """What the channel has apart from the lobby's own post, soon: a press is answered before."""

    def there() -> list[Message]:
        return [
            m for m in sandbox.world.history(sandbox.lobby_channel) if m.id != lobby.id and not m.ephemeral
        ]

    await sandbox.world.until(lambda: bool(there()), timeout=0.3)
    return there()


async def filled(sandbox: SandboxBot, lobby: Message) -> None:
    """The others join."""
    for name in OTHERS:
        await sandbox.person(name).press(lobby, "Join")


async def test_who_joins_or_leaves_is_only_seen_in_the_post(sandbox: SandboxBot) -> None:
    lobby = await opened(sandbox)
    await sandbox.person("Bob").press(lobby, "Join")
    await sandbox.person("Cy").slash(TABLE, "game join")
    assert "1. Ann\n2. Bob\n3. Cy\n-# 3 joined" in sandbox.world.messages[lobby.id].content
    await sandbox.person("Bob").slash(TABLE, "game leave")
    assert "1. Ann\n2. Cy\n-# 2 joined" in sandbox.world.messages[lobby.id].content
    assert await posted(sandbox, lobby) == []


async def test_the_host_is_pinged_once_when_the_lobby_is_full(sandbox: SandboxBot) -> None:
    lobby, ann = await opened(sandbox), sandbox.person("Ann")
    await filled(sandbox, lobby)
    [ping] = await posted(sandbox, lobby)
    assert ping.content == f"{ann.mention} **Game 1: 18Chesapeake** has all its 6 players; *Start* begins it."
    assert list(ping.pinged) == [ann.id]
    await sandbox.person("Fay").press(lobby, "Leave")
    await sandbox.person("Fay").press(lobby, "Join")
    assert await posted(sandbox, lobby) == [ping]


async def test_a_host_who_has_filled_it_or_left_is_not_pinged(sandbox: SandboxBot) -> None:
    lobby = await opened(sandbox)
    await sandbox.person("Ann").press(lobby, "Leave")
    await filled(sandbox, lobby)
    await sandbox.person("Ann").press(lobby, "Join")
    assert await posted(sandbox, lobby) == []


async def test_a_server_that_pings_quietly_hears_it_without_a_sound(sandbox: SandboxBot) -> None:
    await sandbox.person("Ann").slash(TABLE, "setup", pings="quiet")
    lobby = await opened(sandbox)
    await filled(sandbox, lobby)
    [ping] = await posted(sandbox, lobby)
    assert list(ping.pinged) == []


@pytest.mark.parametrize(
    ("how", "closed", "pinged", "written"),
    [("thread", False, 1, 0), ("both", False, 1, 1), ("direct", False, 0, 1), ("direct", True, 1, 0)],
)
async def test_the_host_is_pinged_where_they_have_chosen(
    sandbox: SandboxBot, how: str, closed: bool, pinged: int, written: int
) -> None:
    """In the channel, too, where Discord has refused a direct message."""
    ann, lobby = sandbox.person("Ann"), await opened(sandbox)
    await ann.slash(TABLE, "pings", how=how)
    if closed:
        await PEOPLE.put(sandbox.db, ann.id, CLOSED, "yes")
    await filled(sandbox, lobby)
    assert len(await posted(sandbox, lobby)) == pinged
    await ping_due(sandbox.client)
    assert [f"<#{sandbox.lobby_channel}>" in said.content for said in ann.direct()] == [True] * written
    assert not await unsent(sandbox.db), "a lobby has no thread to post anything in"


async def test_a_host_who_is_away_is_not_pinged(sandbox: SandboxBot) -> None:
    lobby = await opened(sandbox)
    await sandbox.person("Ann").slash(TABLE, "away", until="10")
    await filled(sandbox, lobby)
    assert await posted(sandbox, lobby) == []


async def test_the_post_says_what_has_become_of_the_game(sandbox: SandboxBot) -> None:
    """It has started, who has won, that the end was undone; the channel hears nothing else."""
    game = await sandbox.game()
    [lobby] = [m for m in sandbox.world.history(sandbox.lobby_channel) if m.id == game.thread]
    assert lobby.content == "**Game 1: 18Chesapeake** has started. Ann, Bob and Cy"
    for name in ("Ann", "Bob", "Cy"):
        await game.slash(name, "game abandon")
    await sandbox.settled()
    assert lobby.content == (
        "**Game 1: 18Chesapeake** has ended: **Ann**, **Bob** and **Cy** win with $800. Ann, Bob and Cy"
    )
    assert await posted(sandbox, lobby) == []
    question = (await game.slash("Ann", "mod undo", to=1)).ephemeral[0]
    await game.press("Ann", question.buttons[0].label, question)
    assert lobby.content == "**Game 1: 18Chesapeake** has started. Ann, Bob and Cy"
    question = (await game.slash("Ann", "mod abandon")).ephemeral[0]
    await game.press("Ann", question.buttons[0].label, question)
    assert lobby.content == "**Game 1: 18Chesapeake** was abandoned. Ann, Bob and Cy"
