"""Another game of the same table by one press."""

import asyncio

from bot.sandbox.guild import permissions, seed, threads
from bot.sandbox.guild.world import Change
from bot.sandbox.model import ChannelKind
from bot.table.lobby import OPEN_OF_ONE
from storage import GAMES, games, seats
from tests.bot.orders.ended_table import agree, over, rematch
from tests.bot.support import changes
from tests.bot.support.places import forum_of
from tests.bot.support.sandbox_bot import TABLE, SandboxBot, Seated


async def lobbies(sandbox: SandboxBot) -> list[games.GameRow]:
    return await games.list_games(sandbox.db, seed.GUILD_ID, "lobby")


async def running(sandbox: SandboxBot) -> Seated:
    [row] = await games.games_in(sandbox.db, "running")
    return Seated(sandbox, row.id, row.thread_id or 0)


async def test_two_presses_at_once_open_one_game(sandbox: SandboxBot) -> None:
    game = await over(sandbox, "Ann", "Bob", "Cy")
    await sandbox.restart()
    answers = await asyncio.gather(rematch(game, "Ann"), rematch(game, "Bob"))
    channel = sandbox.lobby().channel_id
    assert set(answers) == {
        f"Game 2 is open in <#{channel}>. You have a seat.",
        f"You have a seat in game 2, in <#{channel}>.",
    }
    [row] = await lobbies(sandbox)
    lobby, cy = sandbox.lobby(), sandbox.person("Cy")
    assert (row.id, row.title, row.thread_id) == (2, "18chesapeake", lobby.id)
    assert "2 joined" in lobby.content
    assert f"Once more, {cy.mention}?" in lobby.content
    assert cy.id in lobby.pinged
    await rematch(game, "Cy")
    assert "3 joined" in sandbox.lobby().content
    assert "Once more" not in sandbox.lobby().content
    assert "Game 2 is open for you all" in await rematch(game, "Cy")
    await cy.press(sandbox.lobby(), "Start")
    await sandbox.settled()
    assert "Game 2 plays this one again: <#" in await rematch(game, "Cy")
    assert sandbox.rung.count((lobby.channel_id, cy.id)) == 1


async def test_rematch_keeps_rules_and_settings(sandbox: SandboxBot) -> None:
    ann = sandbox.person("Ann")
    await ann.slash(TABLE, "game new", title="18tn", profile="18xx.games", options="salvage_3")
    for name in ("Bob", "Cy"):
        await sandbox.person(name).press(sandbox.lobby(), "Join")
    await GAMES.put(sandbox.db, 1, "reminders", "slow")
    await GAMES.put(sandbox.db, 1, "something of the bot's own", "7")
    await ann.press(sandbox.lobby(), "Start")
    await sandbox.settled()
    game = await running(sandbox)
    await agree(game, "Ann", "Bob", "Cy")
    await rematch(game, "Bob")
    [new] = await lobbies(sandbox)
    assert (new.title, new.profile, new.options) == ("18tn", "18xx.games", '["salvage_3"]')
    assert await GAMES.get(sandbox.db, new.id, "reminders") == "slow"
    assert await GAMES.get(sandbox.db, new.id, "something of the bot's own") is None
    assert "Reminders: after 24, 48 and 96 hours" in sandbox.lobby().content


async def test_computer_plays_again(sandbox: SandboxBot) -> None:
    ann = sandbox.person("Ann")
    await ann.slash(TABLE, "game new", title="18chesapeake")
    await ann.press(sandbox.lobby(), "Computer: Conductor")
    await ann.press(sandbox.lobby(), "Start")
    await sandbox.settled()
    game = await running(sandbox)
    await agree(game, "Ann")
    await rematch(game, "Ann")
    [new] = await lobbies(sandbox)
    names = [seat.display_name for seat in await seats.seats(sandbox.db, new.id)]
    assert names == ["Ann", "Adler (Conductor)"]
    assert "Once more" not in sandbox.lobby().content
    assert "Conductor" not in (await ann.slash(TABLE, "stats")).text


async def test_abandoned_rematch_is_opened_again(sandbox: SandboxBot) -> None:
    """As is one whose lobby could not be posted; also from an archived thread."""
    game, ann = await over(sandbox, "Ann", "Bob"), sandbox.person("Ann")
    await rematch(game, "Ann")
    await ann.slash(TABLE, "game abandon", number=2)
    assert await lobbies(sandbox) == []
    assert "Games: 1 finished." in (await sandbox.person("Bob").slash(TABLE, "stats")).text
    sandbox.server.faults.fail(f"POST /api/v10/channels/{sandbox.lobby_channel}/messages", times=1000)
    assert "The game was not opened, and nothing is left of it." in await rematch(game, "Ann")
    sandbox.server.faults.clear()
    threads.change(sandbox.world, sandbox.world.channel(game.thread), {"archived": True})
    await sandbox.restart()
    assert "Game 4 is open" in await rematch(game, "Bob")


async def test_rematch_is_refused(sandbox: SandboxBot) -> None:
    """To onlookers, to those who have too many games open, and where a permission is missing."""
    game = await over(sandbox, "Ann", "Bob")
    assert "You have no seat in game 1" in await rematch(game, "Eve")
    for _ in range(OPEN_OF_ONE):
        await sandbox.person("Ann").slash(TABLE, "game new", title="18chesapeake")
    before = await lobbies(sandbox)
    assert "as many as one person may" in await rematch(game, "Ann")
    guild, channel = sandbox.world.guilds[seed.GUILD_ID], sandbox.world.channel_named(TABLE)
    for target in (guild.id + seed.BOT_ROLE, guild.id):
        changes.overwrite(sandbox.world, channel, target, deny=permissions.CREATE_THREADS)
    sandbox.world.tell(Change("channel_update", channel=channel))
    known = sandbox.client.guilds[0].get_channel(channel.id)
    assert known is not None
    await sandbox.learns(lambda: not known.permissions_for(known.guild.me).create_public_threads)
    answer = await rematch(game, "Bob")
    assert "The game was not opened." in answer
    assert "Create Public Threads" in answer
    assert await lobbies(sandbox) == before


async def test_rematch_opens_where_games_are(sandbox: SandboxBot) -> None:
    game = await over(sandbox, "Ann", "Bob")
    guild = sandbox.world.guilds[seed.GUILD_ID]
    other = changes.add_channel(sandbox.world, guild, ChannelKind.TEXT, "games")
    await sandbox.learns(lambda: sandbox.client.guilds[0].get_channel(other.id) is not None)
    await sandbox.person("Ann").slash(TABLE, "setup", channel="games")
    assert f"Game 2 is open in <#{other.id}>" in await rematch(game, "Ann")
    [row] = await lobbies(sandbox)
    assert row.channel_id == other.id


async def test_rematch_in_a_forum_is_a_new_post(sandbox: SandboxBot) -> None:
    await forum_of(sandbox)
    await sandbox.person("Ann").slash(TABLE, "game new", title="18chesapeake")
    [row] = await lobbies(sandbox)
    lobby = sandbox.world.messages[row.thread_id or 0]
    await sandbox.person("Bob").press(lobby, "Join")
    await sandbox.person("Ann").press(lobby, "Start")
    await sandbox.settled()
    game = Seated(sandbox, row.id, row.thread_id or 0)
    await agree(game, "Ann", "Bob")
    answer = await rematch(game, "Bob")
    [new] = await lobbies(sandbox)
    assert f"Game {new.id} is open in <#{new.thread_id}>" in answer
    assert new.thread_id != row.thread_id
    assert sandbox.person("Ann").id in sandbox.world.messages[new.thread_id or 0].pinged
