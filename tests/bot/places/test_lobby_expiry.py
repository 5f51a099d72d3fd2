"""A lobby does not wait for ever: its message says when it is closed, and that it was."""

import asyncio
from datetime import timedelta

from bot.client.features.lobby_messages import EXPIRY
from bot.table.lobby import LOBBY_LASTS, lobby_expires
from storage import games
from tests.bot.support.harness import TABLE, House


async def _opened(house: House) -> games.GameRow:
    await house.person("Ann").slash(TABLE, "game new", title="18chesapeake")
    return (await games.games_in(house.db, "lobby"))[-1]


async def test_a_lobby_says_when_it_is_closed_and_then_is(house: House) -> None:
    row, message = await _opened(house), house.lobby()
    assert f"<t:{int(lobby_expires(row.created_at).timestamp())}:R>" in message.content
    house.client.tables.clock = lambda: (lobby_expires(row.created_at) + timedelta(seconds=1)).isoformat()
    await EXPIRY.look(house.client)
    assert (await games.get_game(house.db, row.id)).status == "abandoned"
    closed = house.world.messages[message.id]
    assert f"has expired: it did not start within {LOBBY_LASTS.days} days" in closed.content
    assert not closed.buttons


async def test_a_lobby_that_is_young_or_has_started_is_left_alone(house: House) -> None:
    game = await house.game()
    row = await _opened(house)
    await EXPIRY.look(house.client)
    assert (await games.get_game(house.db, row.id)).status == "lobby"
    house.client.tables.clock = lambda: (lobby_expires(row.created_at) + timedelta(days=1)).isoformat()
    await EXPIRY.look(house.client)
    assert (await games.get_game(house.db, game.number)).status == "running"


async def test_a_lobby_without_a_message_expires(house: House) -> None:
    row = await _opened(house)
    house.server.faults.fail(f"/api/v10/channels/{row.channel_id}/messages", status=403, times=9)
    house.client.tables.clock = lambda: (lobby_expires(row.created_at) + timedelta(seconds=1)).isoformat()
    await EXPIRY.look(house.client)
    assert (await games.get_game(house.db, row.id)).status == "abandoned"


async def test_a_lobby_whose_message_is_out_of_reach_keeps_no_other(house: House) -> None:
    first, message = await _opened(house), house.lobby()
    second = await _opened(house)
    house.server.faults.fail(f"/api/v10/channels/{first.channel_id}/messages/{message.id}", status=403)
    house.client.tables.clock = lambda: (lobby_expires(second.created_at) + timedelta(seconds=1)).isoformat()
    await EXPIRY.look(house.client)
    for row in (first, second):
        assert (await games.get_game(house.db, row.id)).status == "abandoned"


async def test_a_lobby_that_starts_meanwhile_stays(house: House) -> None:
    row = await _opened(house)
    house.client.tables.clock = lambda: (lobby_expires(row.created_at) + timedelta(seconds=1)).isoformat()
    async with house.client.tables.lock(row.id):
        closing = asyncio.ensure_future(EXPIRY.look(house.client))
        done, _ = await asyncio.wait({closing}, timeout=0.2)
        assert not done, "it waits for the table"
        await house.db.write(lambda tx: games.start(tx, row.id))
    await closing
    assert (await games.get_game(house.db, row.id)).status == "running"
