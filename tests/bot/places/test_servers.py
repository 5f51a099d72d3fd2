"""Several servers: none sees anything of another; one that is left waits, and comes back as it was, or is removed."""

import asyncio
from datetime import datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from bot.client.features.game_lists import games_of_person
from bot.client.features.privacy import FORGOTTEN, REMOVALS, guild_is_back, guild_removed
from bot.sandbox.guild import seed
from bot.sandbox.model import Channel, ChannelKind, Guild
from bot.table.games.loading import load
from bot.table.past.game_record import record_of
from bot.table.settings.themes import theme_of
from bot.table.tables import Tables
from engine.record import write_record
from storage import GUILDS, ShardSet, games, log, outbox, seats, settings
from tests.bot.support import changes
from tests.bot.support.harness import TABLE, House
from tests.bot.support.tables import ANN, GUILD, Bench


async def _another(house: House) -> tuple[Guild, Channel]:
    """A second server that the bot knows, with Ann and Bob, and a channel."""
    people = [house.person(name).id for name in ("Ann", "Bob")]
    guild = changes.open_server(house.world, "Elsewhere", people[0], people)
    channel = changes.add_channel(house.world, guild, ChannelKind.TEXT, "elsewhere")
    await house.learns(lambda: house.client.get_channel(channel.id) is not None)
    return guild, channel


async def _left(house: House, guild_id: int) -> str | None:
    return await GUILDS.get(house.db, guild_id, settings.LEFT)


async def _until_left(house: House, guild_id: int, *, left: bool) -> None:
    async with asyncio.timeout(20):
        while (await _left(house, guild_id) is not None) != left:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)


# --- nothing leaks ---------------------------------------------------------------------------------------------------


async def test_lists_and_suggestions_show_one_server_alone(house: House) -> None:
    _, elsewhere = await _another(house)
    await house.person("Ann").slash(TABLE, "game new", title="18chesapeake")
    await house.person("Bob").slash(elsewhere.id, "game new", title="18al")
    listed = (await house.person("Bob").slash(elsewhere.id, "game list")).text
    assert "18AL" in listed
    assert "18Chesapeake" not in listed
    offered = await house.person("Bob").autocomplete(elsewhere.id, "game join", focused="number", number="")
    assert [name for name, _ in offered] == ["2: 18AL"]
    assert "18AL" not in (await house.person("Ann").slash(TABLE, "game list")).text


async def test_mine_shows_everybody_their_own_games_alone(house: House) -> None:
    _, elsewhere = await _another(house)
    await house.person("Ann").slash(TABLE, "game new", title="18chesapeake")
    assert "18Chesapeake" in (await house.person("Ann").slash(elsewhere.id, "mine")).text
    assert "in no game" in (await house.person("Bob").slash(elsewhere.id, "mine")).text


async def test_a_game_is_not_reached_by_its_number_from_another_server(house: House) -> None:
    _, elsewhere = await _another(house)
    await house.game()
    await house.person("Ann").slash(TABLE, "game new", title="18al")
    for command, number in (("game join", 2), ("game start", 2), ("game repair", 1)):
        answer = (await house.person("Ann").slash(elsewhere.id, command, number=number)).text
        assert "not played on this server" in answer, command
    await house.person("Ann").slash(elsewhere.id, "game move-here", number=1)
    assert (await games.get_game(house.db, 1)).channel_id == seed.TABLE_ID


async def test_what_a_server_chooses_holds_there_alone(house: House) -> None:
    guild, elsewhere = await _another(house)
    await house.person("Ann").slash(elsewhere.id, "setup", title="18al", pings="quiet", look="dark")
    assert await theme_of(house.db, seed.GUILD_ID, None) is None
    assert await theme_of(house.db, guild.id, None) == "dark"
    assert "no title is offered before the others" in (await house.person("Ann").slash(TABLE, "setup")).text


async def test_a_channel_of_another_server_is_not_chosen(house: House) -> None:
    guild, elsewhere = await _another(house)
    await GUILDS.put(house.db, seed.GUILD_ID, "channel", str(elsewhere.id))
    answer = await house.person("Ann").slash(TABLE, "game new", title="18al")
    assert "chosen for games is gone" in answer.text
    assert await games.list_games(house.db, guild.id) == []


# --- leaving ---------------------------------------------------------------------------------------------------------


async def test_a_server_that_is_left_comes_back_as_it_was(house: House) -> None:
    game = await house.game()
    guild = house.world.guilds[seed.GUILD_ID]
    changes.leave(house.world, guild, seed.BOT_ID)
    await _until_left(house, guild.id, left=True)
    assert "not on its server any more" in await games_of_person(
        house.client.tables, house.client.delivery_problems, house.person("Ann").id
    )
    await REMOVALS.look(house.client)
    changes.join(house.world, guild, seed.BOT_ID)
    await _until_left(house, guild.id, left=False)
    await game.press("Ann", "Pass")
    assert "Ann" in game.lines[-1]


async def test_a_server_that_was_left_while_the_bot_was_away_is_noted(house: House) -> None:
    await house.game()
    await GUILDS.put(house.db, 77, "pings", "quiet")
    await REMOVALS.look(house.client)
    assert await _left(house, 77) is not None
    assert await _left(house, seed.GUILD_ID) is None


async def test_an_outage_is_no_departure(house: House) -> None:
    """Discord says that a server is not available, and keeps it listed."""
    await house.game()
    await house.server.gateway.drop()
    await REMOVALS.look(house.client)
    assert await _left(house, seed.GUILD_ID) is None


async def test_after_that_time_all_but_the_games_is_forgotten(house: House) -> None:
    game = await house.game()
    await game.press("Ann", "Pass")
    await house.person("Ann").slash(TABLE, "game new", title="18al")
    await house.person("Ann").slash(TABLE, "setup", pings="quiet")
    before = await game.digest()
    guild = house.world.guilds[seed.GUILD_ID]
    changes.leave(house.world, guild, seed.BOT_ID)
    await _until_left(house, guild.id, left=True)
    since = datetime.fromisoformat(await _left(house, guild.id) or "")
    kept = timedelta(days=90)
    for days, status in ((kept - timedelta(minutes=1), "running"), (kept, "abandoned")):
        house.client.tables.clock = lambda days=days: (since + days).isoformat()  # type: ignore[misc]
        await REMOVALS.look(house.client)
        assert (await games.get_game(house.db, game.number)).status == status
    assert (await games.get_game(house.db, 2)).status == "abandoned"
    assert await GUILDS.all_of(house.db, guild.id) == {settings.LEFT: FORGOTTEN}
    names = [seat.display_name for seat in await seats.seats(house.db, game.number)]
    assert names == ["a former player", "a former player (2)", "a former player (3)"]
    live = await load(house.db, game.number, house.client.tables.workers)
    assert live.game.digest() == before
    assert "Ann" not in write_record(record_of(live))
    assert len(await log.read(house.db, game.number)) == 2
    await REMOVALS.look(house.client)
    assert await _left(house, guild.id) == FORGOTTEN


def client_of(tables: Tables, *present: int) -> Any:
    """A bot that is on these servers."""

    async def take(_: object) -> None:
        """No direct message is there."""

    guilds = [SimpleNamespace(id=number) for number in present]
    return SimpleNamespace(tables=tables, guilds=guilds, expired_direct_messages=SimpleNamespace(take=take))


async def test_only_servers_of_ones_own_share_are_noted_as_left(bench: Bench) -> None:
    """Zero stands for all servers."""
    present, of_another, absent = GUILD, 1 << 22, 2 << 22
    for number in (0, present, of_another, absent):
        await GUILDS.put(bench.db, number, "pings", "quiet")
    await GUILDS.put(bench.db, present, settings.LEFT, "2026-01-01T00:00:00+00:00")
    await REMOVALS.look(client_of(Tables(bench.db, share=ShardSet((0,), 2)), present))
    assert await GUILDS.having(bench.db, settings.LEFT) == [absent]


async def test_what_waited_while_the_bot_was_away_is_posted_when_it_is_back(bench: Bench) -> None:
    game = await bench.game()
    await bench.pass_on(game)
    client = client_of(bench.tables)
    woken = bench.woken()
    await guild_is_back(client, GUILD)
    assert woken == [], "it was not left"
    await guild_removed(client, GUILD)
    await guild_is_back(client, GUILD)
    assert woken == [game]
    assert await GUILDS.get(bench.db, GUILD, settings.LEFT) is None


async def test_nothing_of_people_is_left_of_a_server_that_is_forgotten(bench: Bench, tmp_path: Path) -> None:
    """Nor in memory, nor in unused parts of the file."""
    game = await bench.game()
    await bench.pass_on(game)
    client = client_of(bench.tables)
    await GUILDS.put(bench.db, GUILD, settings.LEFT, "2026-01-01T00:00:00+00:00")
    await GUILDS.put(bench.db, GUILD, f"theme:{ANN}", "dark")
    bench.tables.clock = lambda: "2026-04-01T00:00:00+00:00"
    await guild_removed(client, GUILD)
    assert bench.tables.cached(game) is None
    assert await outbox.of_game(bench.db, game) == []
    found = await asyncio.to_thread(
        lambda: b"".join(part.read_bytes() for part in tmp_path.glob("games.db*"))
    )
    assert b"theme:" not in found
    assert b"Cy" not in found
