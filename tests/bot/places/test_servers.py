"""Several servers: none sees anything of another; one that is left waits, and comes back as it was, or is removed."""

import asyncio
from datetime import datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from bot.client.features.game_lists import games_of_person
from bot.client.features.left_servers import FORGOTTEN, REMOVALS, guild_is_back, guild_removed
from bot.sandbox.guild import seed
from bot.sandbox.model import Channel, ChannelKind, Guild
from bot.table.games.loading import load
from bot.table.past.game_record import record_of
from bot.table.settings.themes import theme_of
from bot.table.tables import Tables
from engine.record import write_record
from storage import GUILDS, ShardSet, games, log, outbox, seats, settings
from tests.bot.support import changes
from tests.bot.support.sandbox_bot import TABLE, SandboxBot
from tests.bot.support.table_service import ANN, GUILD, TableService


async def _another(sandbox: SandboxBot) -> tuple[Guild, Channel]:
    """A second server that the bot knows, with Ann and Bob, and a channel."""
    people = [sandbox.person(name).id for name in ("Ann", "Bob")]
    guild = changes.open_server(sandbox.world, "Elsewhere", people[0], people)
    channel = changes.add_channel(sandbox.world, guild, ChannelKind.TEXT, "elsewhere")
    await sandbox.learns(lambda: sandbox.client.get_channel(channel.id) is not None)
    return guild, channel


async def _left(sandbox: SandboxBot, guild_id: int) -> str | None:
    return await GUILDS.get(sandbox.db, guild_id, settings.LEFT)


async def _until_left(sandbox: SandboxBot, guild_id: int, *, left: bool) -> None:
    async with asyncio.timeout(20):
        while (await _left(sandbox, guild_id) is not None) != left:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)


# --- nothing leaks ---------------------------------------------------------------------------------------------------


async def test_lists_and_suggestions_show_one_server_alone(sandbox: SandboxBot) -> None:
    _, elsewhere = await _another(sandbox)
    await sandbox.person("Ann").slash(TABLE, "game new", title="18chesapeake")
    await sandbox.person("Bob").slash(elsewhere.id, "game new", title="18al")
    listed = (await sandbox.person("Bob").slash(elsewhere.id, "game list")).text
    assert "18AL" in listed
    assert "18Chesapeake" not in listed
    offered = await sandbox.person("Bob").autocomplete(elsewhere.id, "game join", focused="number", number="")
    assert [name for name, _ in offered] == ["2: 18AL"]
    assert "18AL" not in (await sandbox.person("Ann").slash(TABLE, "game list")).text


async def test_mine_shows_everybody_their_own_games_alone(sandbox: SandboxBot) -> None:
    _, elsewhere = await _another(sandbox)
    await sandbox.person("Ann").slash(TABLE, "game new", title="18chesapeake")
    assert "18Chesapeake" in (await sandbox.person("Ann").slash(elsewhere.id, "mine")).text
    assert "in no game" in (await sandbox.person("Bob").slash(elsewhere.id, "mine")).text


async def test_a_game_is_not_reached_by_its_number_from_another_server(sandbox: SandboxBot) -> None:
    _, elsewhere = await _another(sandbox)
    await sandbox.game()
    await sandbox.person("Ann").slash(TABLE, "game new", title="18al")
    for command, number in (("game join", 2), ("game start", 2), ("game repair", 1)):
        answer = (await sandbox.person("Ann").slash(elsewhere.id, command, number=number)).text
        assert "not played on this server" in answer, command
    await sandbox.person("Ann").slash(elsewhere.id, "game move-here", number=1)
    assert (await games.get_game(sandbox.db, 1)).channel_id == seed.TABLE_ID


async def test_what_a_server_chooses_holds_there_alone(sandbox: SandboxBot) -> None:
    guild, elsewhere = await _another(sandbox)
    await sandbox.person("Ann").slash(elsewhere.id, "setup", title="18al", pings="quiet", look="dark")
    assert await theme_of(sandbox.db, seed.GUILD_ID, None) is None
    assert await theme_of(sandbox.db, guild.id, None) == "dark"
    assert "no title is offered before the others" in (await sandbox.person("Ann").slash(TABLE, "setup")).text


async def test_a_channel_of_another_server_is_not_chosen(sandbox: SandboxBot) -> None:
    guild, elsewhere = await _another(sandbox)
    await GUILDS.put(sandbox.db, seed.GUILD_ID, "channel", str(elsewhere.id))
    answer = await sandbox.person("Ann").slash(TABLE, "game new", title="18al")
    assert "chosen for games is gone" in answer.text
    assert await games.list_games(sandbox.db, guild.id) == []


# --- leaving ---------------------------------------------------------------------------------------------------------


async def test_a_server_that_is_left_comes_back_as_it_was(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    guild = sandbox.world.guilds[seed.GUILD_ID]
    changes.leave(sandbox.world, guild, seed.BOT_ID)
    await _until_left(sandbox, guild.id, left=True)
    assert "not on its server any more" in await games_of_person(
        sandbox.client.tables, sandbox.client.delivery_problems, sandbox.person("Ann").id
    )
    await REMOVALS.look(sandbox.client)
    changes.join(sandbox.world, guild, seed.BOT_ID)
    await _until_left(sandbox, guild.id, left=False)
    await game.press("Ann", "Pass")
    assert "Ann" in game.lines[-1]


async def test_a_server_that_was_left_while_the_bot_was_away_is_noted(sandbox: SandboxBot) -> None:
    await sandbox.game()
    await GUILDS.put(sandbox.db, 77, "pings", "quiet")
    await REMOVALS.look(sandbox.client)
    assert await _left(sandbox, 77) is not None
    assert await _left(sandbox, seed.GUILD_ID) is None


async def test_an_outage_is_no_departure(sandbox: SandboxBot) -> None:
    """Discord says that a server is not available, and keeps it listed."""
    await sandbox.game()
    await sandbox.server.gateway.drop()
    await REMOVALS.look(sandbox.client)
    assert await _left(sandbox, seed.GUILD_ID) is None


async def test_after_that_time_all_but_the_games_is_forgotten(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    await game.press("Ann", "Pass")
    await sandbox.person("Ann").slash(TABLE, "game new", title="18al")
    await sandbox.person("Ann").slash(TABLE, "setup", pings="quiet")
    before = await game.digest()
    guild = sandbox.world.guilds[seed.GUILD_ID]
    changes.leave(sandbox.world, guild, seed.BOT_ID)
    await _until_left(sandbox, guild.id, left=True)
    since = datetime.fromisoformat(await _left(sandbox, guild.id) or "")
    kept = timedelta(days=90)
    for days, status in ((kept - timedelta(minutes=1), "running"), (kept, "abandoned")):
        sandbox.client.tables.clock = lambda days=days: (since + days).isoformat()  # type: ignore[misc]
        await REMOVALS.look(sandbox.client)
        assert (await games.get_game(sandbox.db, game.number)).status == status
    assert (await games.get_game(sandbox.db, 2)).status == "abandoned"
    assert await GUILDS.all_of(sandbox.db, guild.id) == {settings.LEFT: FORGOTTEN}
    names = [seat.display_name for seat in await seats.seats(sandbox.db, game.number)]
    assert names == ["a former player", "a former player (2)", "a former player (3)"]
    live = await load(sandbox.db, game.number, sandbox.client.tables.workers)
    assert live.game.digest() == before
    assert "Ann" not in write_record(record_of(live))
    assert len(await log.read(sandbox.db, game.number)) == 2
    await REMOVALS.look(sandbox.client)
    assert await _left(sandbox, guild.id) == FORGOTTEN


def client_of(tables: Tables, *present: int) -> Any:
    """A bot that is on these servers."""

    async def take(_: object) -> None:
        """No direct message is there."""

    guilds = [SimpleNamespace(id=number) for number in present]
    return SimpleNamespace(tables=tables, guilds=guilds, expired_direct_messages=SimpleNamespace(take=take))


async def test_only_servers_of_ones_own_share_are_noted_as_left(service: TableService) -> None:
    """Zero stands for all servers."""
    present, of_another, absent = GUILD, 1 << 22, 2 << 22
    for number in (0, present, of_another, absent):
        await GUILDS.put(service.db, number, "pings", "quiet")
    await GUILDS.put(service.db, present, settings.LEFT, "2026-01-01T00:00:00+00:00")
    await REMOVALS.look(client_of(Tables(service.db, share=ShardSet((0,), 2)), present))
    assert await GUILDS.having(service.db, settings.LEFT) == [absent]


async def test_what_waited_while_the_bot_was_away_is_posted_when_it_is_back(service: TableService) -> None:
    game = await service.game()
    await service.pass_on(game)
    client = client_of(service.tables)
    woken = service.woken()
    await guild_is_back(client, GUILD)
    assert woken == [], "it was not left"
    await guild_removed(client, GUILD)
    await guild_is_back(client, GUILD)
    assert woken == [game]
    assert await GUILDS.get(service.db, GUILD, settings.LEFT) is None


async def test_nothing_of_people_is_left_of_a_server_that_is_forgotten(
    service: TableService, tmp_path: Path
) -> None:
    """Nor in memory, nor in unused parts of the file."""
    game = await service.game()
    await service.pass_on(game)
    client = client_of(service.tables)
    await GUILDS.put(service.db, GUILD, settings.LEFT, "2026-01-01T00:00:00+00:00")
    await GUILDS.put(service.db, GUILD, f"theme:{ANN}", "dark")
    service.tables.clock = lambda: "2026-04-01T00:00:00+00:00"
    await guild_removed(client, GUILD)
    assert service.tables.cached(game) is None
    assert await outbox.of_game(service.db, game) == []
    found = await asyncio.to_thread(
        lambda: b"".join(part.read_bytes() for part in tmp_path.glob("games.db*"))
    )
    assert b"theme:" not in found
    assert b"Cy" not in found
