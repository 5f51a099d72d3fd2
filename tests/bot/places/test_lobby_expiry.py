"""A lobby does not wait for ever: its message says when it is closed, and that it was."""

import asyncio
from datetime import timedelta

from bot.client.features.lobby_messages import EXPIRY
from bot.table.lobby import LOBBY_LASTS, lobby_expires
from storage import games
from tests.bot.support.sandbox_bot import TABLE, SandboxBot


async def _opened(sandbox: SandboxBot) -> games.GameRow:
    await sandbox.person("Ann").slash(TABLE, "game new", title="18chesapeake")
    return (await games.games_in(sandbox.db, "lobby"))[-1]


async def test_a_lobby_says_when_it_is_closed_and_then_is(sandbox: SandboxBot) -> None:
    row, message = await _opened(sandbox), sandbox.lobby()
    assert f"<t:{int(lobby_expires(row.created_at).timestamp())}:R>" in message.content
    sandbox.client.tables.clock = lambda: (lobby_expires(row.created_at) + timedelta(seconds=1)).isoformat()
    await EXPIRY.look(sandbox.client)
    assert (await games.get_game(sandbox.db, row.id)).status == "abandoned"
    closed = sandbox.world.messages[message.id]
    assert f"has expired: it did not start within {LOBBY_LASTS.days} days" in closed.content
    assert not closed.buttons


async def test_a_lobby_that_is_young_or_has_started_is_left_alone(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    row = await _opened(sandbox)
    await EXPIRY.look(sandbox.client)
    assert (await games.get_game(sandbox.db, row.id)).status == "lobby"
    sandbox.client.tables.clock = lambda: (lobby_expires(row.created_at) + timedelta(days=1)).isoformat()
    await EXPIRY.look(sandbox.client)
    assert (await games.get_game(sandbox.db, game.number)).status == "running"


async def test_a_lobby_without_a_message_expires(sandbox: SandboxBot) -> None:
    row = await _opened(sandbox)
    sandbox.server.faults.fail(f"/api/v10/channels/{row.channel_id}/messages", status=403, times=9)
    sandbox.client.tables.clock = lambda: (lobby_expires(row.created_at) + timedelta(seconds=1)).isoformat()
    await EXPIRY.look(sandbox.client)
    assert (await games.get_game(sandbox.db, row.id)).status == "abandoned"


async def test_a_lobby_whose_message_is_out_of_reach_keeps_no_other(sandbox: SandboxBot) -> None:
    first, message = await _opened(sandbox), sandbox.lobby()
    second = await _opened(sandbox)
    sandbox.server.faults.fail(f"/api/v10/channels/{first.channel_id}/messages/{message.id}", status=403)
    sandbox.client.tables.clock = lambda: (
        lobby_expires(second.created_at) + timedelta(seconds=1)
    ).isoformat()
    await EXPIRY.look(sandbox.client)
    for row in (first, second):
        assert (await games.get_game(sandbox.db, row.id)).status == "abandoned"


async def test_a_lobby_that_starts_meanwhile_stays(sandbox: SandboxBot) -> None:
    row = await _opened(sandbox)
    sandbox.client.tables.clock = lambda: (lobby_expires(row.created_at) + timedelta(seconds=1)).isoformat()
    async with sandbox.client.tables.lock(row.id):
        closing = asyncio.ensure_future(EXPIRY.look(sandbox.client))
        done, _ = await asyncio.wait({closing}, timeout=0.2)
        assert not done, "it waits for the table"
        await sandbox.db.write(lambda tx: games.start(tx, row.id))
    await closing
    assert (await games.get_game(sandbox.db, row.id)).status == "running"
