"""After the game: its story in words, its results, and another game of the same table by one press."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from bot.client.places.threads import HOUR_MINUTES
from bot.client.thread.final_posts import TURNING_POINTS_HEADING
from bot.sandbox.guild import permissions, seed, threads
from bot.sandbox.guild.person import InteractionResult
from bot.sandbox.guild.world import Change
from bot.sandbox.model import Message
from bot.table.lobby import MAX_LOBBIES_OF_USER
from bot.table.markdown import markdown_teller
from bot.table.past.past_views import turning_points
from storage import GAME_SETTINGS, games, results
from tests.bot.support import changes
from tests.bot.support.positions import actor_of, recorded, ruined, seated_at
from tests.bot.support.records import history_of
from tests.bot.support.sandbox_bot import TABLE, SandboxBot, Seated, has_moves

pytestmark = pytest.mark.usefixtures("undrawn", "unfilmed")


def ends(game: Seated) -> list[Message]:
    """The last messages of a game; several, where its end was undone."""
    return [message for message in game.messages if "Thank you for the game" in message.content]


def papers(game: Seated) -> list[Message]:
    return [message for message in game.messages if message.content.startswith("The game in pictures")]


async def over(sandbox: SandboxBot, *names: str) -> Seated:
    game = await sandbox.game(names)
    await game.press(names[0], "Pass")
    await agree(game, *names)
    return game


async def agree(game: Seated, *names: str) -> None:
    for name in names:
        await game.slash(name, "game abandon")
    world = game.sandbox.world
    assert await world.wait_until(lambda: world.channel(game.thread).archive_minutes == HOUR_MINUTES)


async def ruin(game: Seated) -> Callable[[], Awaitable[InteractionResult]]:
    """The last move of a game that ends by a bankruptcy, under way."""
    name = actor_of(game)
    [label] = [button.label for button in game.turn.buttons if "bankruptcy" in button.label]
    asked = (await game.press(name, label)).ephemeral[0]
    return game.sandbox.person(name).prepare_press(asked, asked.buttons[0].label)


async def rematch(game: Seated, name: str) -> str:
    result = await game.sandbox.person(name).press(ends(game)[0], "Rematch")
    await game.sandbox.world.wait_until(lambda: bool(result.text), timeout=20)
    return result.text


async def winners(sandbox: SandboxBot) -> list[bool]:
    return [one.won for one in await results.places_of_server(sandbox.db, seed.GUILD_ID)]


async def test_end_names_turning_points(sandbox: SandboxBot) -> None:
    game = await seated_at(sandbox, recorded("18al-price-3p"))
    assert await sandbox.world.wait_until(lambda: len(papers(game)) == 1, timeout=20)
    [end], [below] = ends(game), papers(game)
    [embed] = below.embeds
    assert embed["title"] == TURNING_POINTS_HEADING
    history = await history_of(sandbox.client.tables, game.number)
    async with sandbox.client.tables.reading(game.number) as live:
        points = turning_points(history, live.game)
        assert embed["description"].splitlines() == [
            f"- {markdown_teller(live.game).say(point)}" for point in points
        ]
    assert "- Biggest run: $600 by **WRA** in OR 13.2, under Ann." in embed["description"]
    assert [button.label for button in end.buttons] == ["Rematch"]
    assert [file.filename for file in end.attachments] == ["scores.png"]
    names = ["chart.png", "map.gif", "scores.csv", f"game-{game.number}.json"]
    assert [file.filename for file in below.attachments] == names


async def test_restart_posts_the_end_once(sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.table.outbox.sender.SECONDS_TO_FINISH_POSTS", 0.1)  # time
    game = await ruined(sandbox)
    last = await ruin(game)
    sandbox.server.faults.fail(f"POST /api/v10/channels/{game.thread}/messages", status=500, times=1000)
    await last()
    assert (await games.get_game(sandbox.db, game.number)).status == "finished"
    assert ends(game) == []
    await sandbox.stop()
    sandbox.server.faults.clear()
    await sandbox.start()
    await sandbox.settled()
    [end] = ends(game)
    assert "Bankrupt: " in papers(game)[0].embeds[0]["description"]
    assert sorted(await winners(sandbox)) == [False, False, True]
    await sandbox.restart()
    assert (ends(game), len(papers(game))) == ([end], 1)


async def test_earlier_results_are_counted(sandbox: SandboxBot) -> None:
    last = await ruin(await ruined(sandbox))
    await last()
    await sandbox.settled()
    there = await results.places_of_server(sandbox.db, seed.GUILD_ID)
    await sandbox.db.write(lambda tx: tx.run("DELETE FROM results"))
    await sandbox.restart()
    async with asyncio.timeout(15):
        while await results.places_of_server(sandbox.db, seed.GUILD_ID) != there:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)


async def test_undone_end_counts_no_more(sandbox: SandboxBot) -> None:
    game = await over(sandbox, "Ann", "Bob")
    assert await winners(sandbox) == [True, True]
    await game.slash("Bob", "undo")
    assert await winners(sandbox) == []
    assert "1 running" in (await sandbox.person("Eve").slash(TABLE, "stats")).text
    assert "Game 1 is not over, because its end was undone." in await rematch(game, "Ann")
    await sandbox.restart()
    assert len(ends(game)) == 1
    await game.slash("Bob", "game abandon")
    await game.slash("Ann", "game abandon")
    assert await sandbox.world.wait_until(lambda: len(ends(game)) == 2)
    assert len(await winners(sandbox)) == 2
    assert not any(has_moves(message) for message in game.messages)


# --- statistics ------------------------------------------------------------------------------------------------------


async def lobbies(sandbox: SandboxBot) -> list[games.GameRow]:
    return await games.list_games(sandbox.db, seed.GUILD_ID, "lobby")


async def running(sandbox: SandboxBot) -> Seated:
    [row] = await games.games_with_status(sandbox.db, "running")
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
    assert f"Play again, {cy.mention}?" in lobby.content
    assert cy.id in lobby.pinged
    await rematch(game, "Cy")
    assert "3 joined" in sandbox.lobby().content
    assert "Play again" not in sandbox.lobby().content
    assert "Game 2 is open for a rematch" in await rematch(game, "Cy")
    await cy.press(sandbox.lobby(), "Start")
    await sandbox.settled()
    assert "Game 2 is the rematch of this one: <#" in await rematch(game, "Cy")
    assert sandbox.rung.count((lobby.channel_id, cy.id)) == 1


async def test_rematch_keeps_rules_and_settings(sandbox: SandboxBot) -> None:
    ann = sandbox.person("Ann")
    await ann.slash(TABLE, "game new", title="18tn", profile="18xx.games", options="salvage_3")
    for name in ("Bob", "Cy"):
        await sandbox.person(name).press(sandbox.lobby(), "Join")
    await GAME_SETTINGS.put(sandbox.db, 1, "reminders", "slow")
    await GAME_SETTINGS.put(sandbox.db, 1, "something of the bot's own", "7")
    await ann.press(sandbox.lobby(), "Start")
    await sandbox.settled()
    game = await running(sandbox)
    await agree(game, "Ann", "Bob", "Cy")
    await rematch(game, "Bob")
    [new] = await lobbies(sandbox)
    assert (new.title, new.profile, new.options) == ("18tn", "18xx.games", '["salvage_3"]')
    assert await GAME_SETTINGS.get(sandbox.db, new.id, "reminders") == "slow"
    assert await GAME_SETTINGS.get(sandbox.db, new.id, "something of the bot's own") is None
    assert "Reminders: after 24, 48 and 96 hours" in sandbox.lobby().content


async def test_abandoned_rematch_is_opened_again(sandbox: SandboxBot) -> None:
    """As is one whose lobby could not be posted; also from an archived thread."""
    game, ann = await over(sandbox, "Ann", "Bob"), sandbox.person("Ann")
    await rematch(game, "Ann")
    await ann.slash(TABLE, "game abandon", number=2)
    assert await lobbies(sandbox) == []
    assert "Games: 1 finished." in (await sandbox.person("Bob").slash(TABLE, "stats")).text
    sandbox.server.faults.fail(f"POST /api/v10/channels/{sandbox.lobby_channel}/messages", times=1000)
    assert "The game was not opened." in await rematch(game, "Ann")
    sandbox.server.faults.clear()
    threads.change_channel(sandbox.world, sandbox.world.channel(game.thread), {"archived": True})
    await sandbox.restart()
    assert "Game 4 is open" in await rematch(game, "Bob")


async def test_rematch_is_refused(sandbox: SandboxBot) -> None:
    """To onlookers, to those who have too many games open, and where a permission is missing."""
    game = await over(sandbox, "Ann", "Bob")
    assert "You have no seat in game 1" in await rematch(game, "Eve")
    for _ in range(MAX_LOBBIES_OF_USER):
        await sandbox.person("Ann").slash(TABLE, "game new", title="18chesapeake")
    before = await lobbies(sandbox)
    assert "open games waiting for players" in await rematch(game, "Ann")
    guild, channel = sandbox.world.guilds[seed.GUILD_ID], sandbox.world.channel_named(TABLE)
    for target in (guild.id + seed.BOT_ROLE_OFFSET, guild.id):
        changes.overwrite(sandbox.world, channel, target, deny=permissions.CREATE_THREADS)
    sandbox.world.publish(Change("channel_update", channel=channel))
    known = sandbox.client.guilds[0].get_channel(channel.id)
    assert known is not None
    await sandbox.learns(lambda: not known.permissions_for(known.guild.me).create_public_threads)
    answer = await rematch(game, "Bob")
    assert "The game was not opened." in answer
    assert "Create Public Threads" in answer
    assert await lobbies(sandbox) == before
