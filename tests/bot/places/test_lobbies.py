"""The lobby of a game: its message shows who has joined and what has become of it; a full one pings its host."""

import asyncio
import re
from datetime import UTC, datetime, timedelta

import pytest

from bot.client.features import lobby_messages
from bot.client.features.lobby_messages import EXPIRY_CHECK
from bot.client.features.lobby_start import START_CHECK
from bot.client.features.pings import ping_due_users
from bot.client.lobby_panel import START_AT_A_DATE
from bot.sandbox.guild import seed
from bot.sandbox.model import Message
from bot.table.lobby import LOBBY_LIFETIME, lobby_expiry
from bot.table.settings.lobby_starts import STARTING_KEY, forget_missed_start, record_missed_start
from bot.table.settings.person_settings import NO_DIRECT_MESSAGES_KEY
from bot.table.settings.server_settings import choose_server_setting
from bot.table.settings.table_settings import (
    START_BY_HAND,
    START_DATE_FORMAT,
    START_WHEN_FULL,
    setting_value,
    start_time,
)
from storage import GAME_SETTINGS, PERSON_SETTINGS, format_timestamp, games, log
from tests.bot.support.sandbox_bot import TABLE, SandboxBot
from tests.support.unsent import unsent

OTHERS = ("Bob", "Cy", "Dee", "Eve", "Fay")
"""The players of a full lobby, but for the one who has opened it."""
NAMED = "**Game 1: 18Chesapeake**"


async def opened(sandbox: SandboxBot) -> Message:
    """The lobby that Ann has opened."""
    await sandbox.person("Ann").slash(TABLE, "game new", title="18chesapeake")
    return sandbox.lobby()


async def posted(sandbox: SandboxBot, lobby: Message) -> list[Message]:

    def there() -> list[Message]:
        return [
            m for m in sandbox.world.history(sandbox.lobby_channel) if m.id != lobby.id and not m.ephemeral
        ]

    await sandbox.world.wait_until(lambda: bool(there()), timeout=0.3)
    return there()


async def filled(sandbox: SandboxBot, lobby: Message) -> None:
    """The others join."""
    for name in OTHERS:
        await sandbox.person(name).press(lobby, "Join")


async def status(sandbox: SandboxBot, number: int = 1) -> str:
    return (await games.get_game(sandbox.db, number)).status


# --- its message -----------------------------------------------------------------------------------------------------


async def test_message_says_what_became_of_the_game(sandbox: SandboxBot) -> None:
    """It has started, who has won, that the end was undone; the channel hears nothing else."""
    game, started = await sandbox.game(), f"{NAMED} has started. Ann, Bob and Cy"
    [lobby] = [m for m in sandbox.world.history(sandbox.lobby_channel) if m.id == game.thread]
    assert (lobby.content, lobby.buttons) == (started, [])
    await lobby_messages.update_message(sandbox.client, game.number)
    assert lobby.content == started, "nor is it shown as open any more"
    for name in ("Ann", "Bob", "Cy"):
        await game.slash(name, "game abandon")
    await sandbox.settled()
    assert lobby.content == f"{NAMED} has ended: **Ann**, **Bob** and **Cy** win with $800. Ann, Bob and Cy"
    assert await posted(sandbox, lobby) == []
    for command, values, said in (
        ("mod undo", {"to": 1}, started),
        ("mod abandon", {}, f"{NAMED} was abandoned. Ann, Bob and Cy"),
    ):
        question = (await game.slash("Ann", command, **values)).ephemeral[0]
        await game.press("Ann", question.buttons[0].label, question)
        assert lobby.content == said


async def test_lobby_without_a_message_starts(sandbox: SandboxBot) -> None:
    """The thread is made from another."""
    lobby = await opened(sandbox)
    await sandbox.person("Bob").press(lobby, "Join")
    del sandbox.world.messages[lobby.id]
    await sandbox.person("Ann").slash(TABLE, "game start", number=1)
    await sandbox.settled()
    row = await games.get_game(sandbox.db, 1)
    assert (row.status, row.thread_id == lobby.id) == ("running", False)
    assert sandbox.world.messages[row.thread_id or 0].content == NAMED


async def test_no_bot_takes_a_seat(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    assert "A bot cannot take a seat." in (await game.slash("Bob", "game substitute", who=seed.BOT_ID)).text


# --- pings of the host -----------------------------------------------------------------------------------------------


async def test_host_of_a_full_lobby_is_pinged_once(sandbox: SandboxBot) -> None:
    lobby, ann = await opened(sandbox), sandbox.person("Ann")
    await filled(sandbox, lobby)
    [ping] = await posted(sandbox, lobby)
    assert ping.content == f"{ann.mention} {NAMED} has all its 6 players. Press *Start* to begin."
    assert list(ping.pinged) == [ann.id]
    for button in ("Leave", "Join"):
        await sandbox.person("Fay").press(lobby, button)
    assert await posted(sandbox, lobby) == [ping]


@pytest.mark.parametrize(
    ("command", "values", "posts"),
    [("away", {"until": "10"}, []), ("game leave", {}, []), ("setup", {"pings": "quiet"}, [[]])],
)
async def test_host_is_not_pinged_in_vain(
    sandbox: SandboxBot, command: str, values: dict[str, str], posts: list[list[int]]
) -> None:
    """Nor who is away, has left or fills the lobby; a quiet server makes no sound."""
    ann, lobby = sandbox.person("Ann"), await opened(sandbox)
    await ann.slash(TABLE, command, **values)
    await filled(sandbox, lobby)
    if command == "game leave":
        await ann.press(lobby, "Join")
    assert [list(message.pinged) for message in await posted(sandbox, lobby)] == posts


@pytest.mark.parametrize(
    ("how", "closed", "pinged", "written"),
    [("thread", False, 1, 0), ("both", False, 1, 1), ("direct", False, 0, 1), ("direct", True, 1, 0)],
)
async def test_host_is_pinged_where_they_have_chosen(
    sandbox: SandboxBot, how: str, closed: bool, pinged: int, written: int
) -> None:
    """In the channel, too, where Discord has refused a direct message."""
    ann, lobby = sandbox.person("Ann"), await opened(sandbox)
    await ann.slash(TABLE, "pings", how=how)
    if closed:
        await PERSON_SETTINGS.put(sandbox.db, ann.id, NO_DIRECT_MESSAGES_KEY, "yes")
    await filled(sandbox, lobby)
    assert len(await posted(sandbox, lobby)) == pinged
    await ping_due_users(sandbox.client)
    assert [f"<#{sandbox.lobby_channel}>" in said.content for said in ann.direct_messages()] == [
        True
    ] * written
    assert not await unsent(sandbox.db), "a lobby has no thread to post anything in"


async def test_lobby_does_not_say_closed_messages(sandbox: SandboxBot) -> None:
    """It has no thread."""
    ann, lobby = sandbox.person("Ann"), await opened(sandbox)
    await ann.slash(TABLE, "pings", how="direct")
    ann.user.refuses_dms = True
    await filled(sandbox, lobby)
    await ping_due_users(sandbox.client)
    assert await PERSON_SETTINGS.get(sandbox.db, ann.id, NO_DIRECT_MESSAGES_KEY) == "closed"
    assert not await unsent(sandbox.db)


# --- starts without a press ------------------------------------------------------------------------------------------


async def looks(sandbox: SandboxBot, **later: float) -> None:
    """Look for lobbies to start, so much later."""
    now = datetime.now(UTC) + timedelta(**later)
    sandbox.client.tables.clock = lambda: format_timestamp(now)
    await START_CHECK.check(sandbox.client)


async def dated(sandbox: SandboxBot, lobby: Message, **form: str) -> datetime:
    """Ann chooses a date for the start, by the form as it is filled in."""
    asked = await sandbox.person("Ann").select(lobby, "ls:1", [START_AT_A_DATE])
    assert asked.modal is not None
    await sandbox.person("Ann").submit(asked.modal, **form)
    at = start_time(await setting_value(sandbox.db, 1, "start"))
    assert at is not None, lobby.content
    return at


async def test_full_lobby_starts_once(sandbox: SandboxBot) -> None:
    """Without a ping of its host; one that is not full waits."""
    lobby = await opened(sandbox)
    await sandbox.person("Ann").select(lobby, "ls:1", [START_WHEN_FULL])
    assert "\nStart: when all seats are taken.\n" in lobby.content
    await looks(sandbox)
    assert await status(sandbox) == "lobby"
    await filled(sandbox, lobby)
    for _ in range(2):
        await looks(sandbox)
    await sandbox.settled()
    assert (await status(sandbox), lobby.content[: len(NAMED) + 13]) == ("running", f"{NAMED} has started.")
    assert not lobby.buttons
    assert await posted(sandbox, lobby) == []
    first = (await log.read_rows(sandbox.db, 1))[0]
    assert (first.kind, first.user_id) == ("start", None)


async def test_lobby_starts_at_its_date(sandbox: SandboxBot) -> None:
    """By the clock of the user's zone; a press before it starts the game, too."""
    ann, lobby = sandbox.person("Ann"), await opened(sandbox)
    await ann.slash(TABLE, "pings", zone="Tokyo")
    at = await dated(sandbox, lobby, time="09:30")
    assert f"\nStart: at <t:{int(at.timestamp())}:f>, if enough players have joined.\n" in lobby.content
    assert f"{at:%H:%M}" == "00:30"
    await sandbox.person("Bob").press(lobby, "Join")
    await looks(sandbox)
    assert await status(sandbox) == "lobby"
    await looks(sandbox, days=3)
    assert await status(sandbox) == "running"
    assert lobby.content == f"{NAMED} has started. Ann and Bob"


async def test_date_without_players_is_cleared(sandbox: SandboxBot) -> None:
    """The lobby stays open and says why it did not start; also after a kill in between, and until another choice."""
    lobby = await opened(sandbox)
    at = await dated(sandbox, lobby)
    await record_missed_start(sandbox.db, 1, "another date", "This is no longer true.")
    await record_missed_start(sandbox.db, 1, f"{at:{START_DATE_FORMAT}}", "It did not start. Ann was alone.")
    await sandbox.person("Bob").press(lobby, "Join")
    await looks(sandbox, days=3)
    assert (await status(sandbox), await setting_value(sandbox.db, 1, "start")) == ("lobby", START_BY_HAND)
    assert "\nIt did not start. Ann was alone.\n1. Ann\n2. Bob\n" in lobby.content
    await dated(sandbox, lobby)
    await forget_missed_start(sandbox.db, 1)
    await sandbox.person("Bob").press(lobby, "Leave")
    await looks(sandbox, days=5)
    assert (await status(sandbox), await setting_value(sandbox.db, 1, "start")) == ("lobby", START_BY_HAND)
    assert re.search(
        r"\nIt did not start <t:\d+:f>: 18Chesapeake is for 2 to 6 players; 1 has joined\.\n", lobby.content
    )
    await sandbox.person("Ann").select(lobby, "ls:1", [START_WHEN_FULL])
    assert "It did not start" not in lobby.content
    await looks(sandbox, days=9)
    assert await posted(sandbox, lobby) == []


async def test_start_is_marked_after_a_kill(sandbox: SandboxBot) -> None:
    lobby = await opened(sandbox)
    await dated(sandbox, lobby)
    await sandbox.person("Bob").press(lobby, "Join")
    await GAME_SETTINGS.put(sandbox.db, 1, STARTING_KEY, "yes")
    await sandbox.client.lobbies.start(1, sandbox.person("Ann").id)
    assert lobby.buttons, "nobody has marked it"
    for _ in range(2):
        await looks(sandbox)
        assert (lobby.content, lobby.buttons) == (f"{NAMED} has started. Ann and Bob", [])


@pytest.mark.parametrize(
    ("day", "why"),
    [
        ("2020-01-01", "is in the past. Choose a later time"),
        ("2999-01-01", "This lobby closes"),
        ("soon", "is not a date"),
    ],
)
async def test_date_of_a_start_is_possible(sandbox: SandboxBot, day: str, why: str) -> None:
    asked = await sandbox.person("Ann").select(await opened(sandbox), "ls:1", [START_AT_A_DATE])
    assert asked.modal is not None
    assert why in (await sandbox.person("Ann").submit(asked.modal, day=day)).text


async def test_stale_lobby_is_marked_at_a_press(sandbox: SandboxBot) -> None:
    """For a bot that was killed before it could mark it."""
    lobby = await opened(sandbox)
    await sandbox.client.lobbies.withdraw(1)
    assert await sandbox.hears(await sandbox.person("Bob").press(lobby, "Join"), "no longer open")
    assert (lobby.content, lobby.buttons, lobby.selects) == (f"{NAMED} was abandoned. Ann", [], [])


async def test_role_is_pinged_for_a_new_lobby_once(sandbox: SandboxBot) -> None:
    role, server = seed.GUILD_ID + seed.PLAYERS_ROLE_OFFSET, sandbox.world.guilds[seed.GUILD_ID]
    server.roles[role].mentionable = True
    await choose_server_setting(sandbox.db, seed.GUILD_ID, "pinged_role", str(role))
    lobby = await opened(sandbox)
    assert lobby.content.startswith(f"<@&{role}>\n{NAMED} for 2 to 6 players")
    pinged = [*lobby.pinged]
    assert pinged == [member for member in server.members if role in server.members[member]]
    await sandbox.person("Bob").press(lobby, "Join")
    assert (lobby.content.startswith(NAMED), lobby.pinged) == (True, pinged)
    del sandbox.world.messages[lobby.id]
    await sandbox.person("Cy").slash(TABLE, "game join")
    assert (sandbox.lobby().pinged, sandbox.lobby().content.startswith(NAMED)) == ([], True)


# --- expiry ----------------------------------------------------------------------------------------------------------


async def expires(sandbox: SandboxBot, number: int = 1, **after: float) -> None:
    """Look for expired lobbies, so long after this one does."""
    row = await games.get_game(sandbox.db, number)
    sandbox.client.tables.clock = lambda: (lobby_expiry(row.created_at) + timedelta(**after)).isoformat()
    await EXPIRY_CHECK.check(sandbox.client)


async def test_lobby_says_when_it_expires(sandbox: SandboxBot) -> None:
    game, _ = await sandbox.game(), await opened(sandbox)
    lobby, row = sandbox.lobby(), await games.get_game(sandbox.db, 2)
    assert f"<t:{int(lobby_expiry(row.created_at).timestamp())}:R>" in lobby.content
    await expires(sandbox, 2, seconds=-1)
    assert await status(sandbox, 2) == "lobby"
    await expires(sandbox, 2, seconds=1)
    assert [await status(sandbox, number) for number in (game.number, 2)] == ["running", "abandoned"]
    assert f"expired, because it did not start within {LOBBY_LIFETIME.days} days" in lobby.content
    assert not lobby.buttons


async def test_lobby_out_of_reach_expires(sandbox: SandboxBot) -> None:
    """And keeps no other from it."""
    first, _ = await opened(sandbox), await opened(sandbox)
    sandbox.server.faults.fail(f"/channels/{first.channel_id}/messages/{first.id}", status=403, times=9)
    await expires(sandbox, 2, seconds=1)
    assert [await status(sandbox, number) for number in (1, 2)] == ["abandoned"] * 2


async def test_lobby_that_starts_meanwhile_stays(sandbox: SandboxBot) -> None:
    await opened(sandbox)
    async with sandbox.client.tables.lock(1):
        closing = asyncio.create_task(expires(sandbox, seconds=1))
        done, _ = await asyncio.wait({closing}, timeout=0.2)
        assert not done, "it waits for the table"
        await sandbox.db.write(lambda tx: games.start_game(tx, 1))
    await closing
    assert await status(sandbox) == "running"
