"""After the game: its story in words, statistics of the server, and another game by one press."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from bot.client.game_texts import LONGEST_MESSAGE
from bot.client.places.threads import HOUR
from bot.client.thread import final_posts
from bot.client.thread.final_posts import TURNING_POINTS
from bot.sandbox.guild import permissions, seed, threads
from bot.sandbox.guild.person import InteractionResult
from bot.sandbox.guild.world import Change
from bot.sandbox.model import ChannelKind, Message
from bot.table.lobby import OPEN_OF_ONE
from bot.table.markdown import marked
from bot.table.outbox import notices
from bot.table.past.past_views import turning_points
from bot.table.past.statistics import SAID_ALIKE
from engine.play.rules import RULES_VERSION
from engine.record import load_record
from engine.tell.view_builders import company_view, score_view
from engine.tell.views import HoldingView
from storage import GAMES, Row, games, log, personal_data, results, seats
from tests.bot.pings.test_posted_once import crashed, dies_before_ticking_off
from tests.bot.support import changes
from tests.bot.support.positions import actor_of, ruined, seated_at
from tests.bot.support.records import history_of
from tests.bot.support.sandbox_bot import TABLE, SandboxBot, Seated, has_moves

PRICE = Path(__file__).parents[2] / "golden" / "18al-price-3p.json"
"""A recorded game of three to its end."""


def ends(game: Seated) -> list[Message]:
    """The last messages of a game; several, where its end was undone."""
    return [message for message in game.messages if "Thank you for the game" in message.content]


def papers(game: Seated) -> list[Message]:
    """What is posted below the results: chart, timelapse, turning points and files."""
    return [message for message in game.messages if message.content.startswith("The game in pictures")]


async def over(sandbox: SandboxBot, names: tuple[str, ...] = ("Ann", "Bob", "Cy")) -> Seated:
    """A game that all have agreed to end, after a pass of the first."""
    game = await sandbox.game(names)
    await game.press(names[0], "Pass")
    await agree(game, names)
    return game


async def agree(game: Seated, names: tuple[str, ...]) -> None:
    """All agree to end a game."""
    for name in names:
        await game.slash(name, "game abandon")
    assert await game.sandbox.world.until(
        lambda: game.sandbox.world.channel(game.thread).archive_minutes == HOUR
    )


async def ruin(game: Seated) -> Callable[[], Awaitable[InteractionResult]]:
    """The last move of a game that ends by a bankruptcy, under way."""
    name = actor_of(game)
    [label] = [button.label for button in game.turn.buttons if "bankruptcy" in button.label]
    asked = (await game.press(name, label)).ephemeral[0]
    return game.sandbox.person(name).hold(asked, asked.buttons[0].label)


async def again(sandbox: SandboxBot) -> None:
    """The bot is stopped and started."""
    await sandbox.stop()
    await sandbox.start()
    await sandbox.settled()


# --- the story -------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("unfilmed")
async def test_the_final_post_names_the_turning_points_of_the_game(sandbox: SandboxBot) -> None:
    game = await seated_at(sandbox, load_record(PRICE.read_text("utf-8")))
    assert await sandbox.world.until(lambda: len(papers(game)) == 1, timeout=20)
    [end], [below] = ends(game), papers(game)
    [embed] = below.embeds
    assert embed["title"] == TURNING_POINTS
    history = await history_of(sandbox.client.tables, game.number)
    async with sandbox.client.tables.reading(game.number) as live:
        points = turning_points(history, live.game)
        assert embed["description"].splitlines() == [f"- {marked(live.game).say(point)}" for point in points]
    assert "- Biggest run: $600 by **WRA** in OR 13.2, under Ann." in embed["description"]
    assert [button.label for button in end.buttons] == ["Rematch"]
    assert [file.filename for file in end.attachments] == ["scores.png"]
    names = ["chart.png", "map.gif", "scores.csv", f"game-{game.number}.json"]
    assert [file.filename for file in below.attachments] == names


@pytest.mark.usefixtures("unfilmed")
async def test_a_restart_between_the_storing_of_the_end_and_its_posting_posts_everything_once(
    sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.table.outbox.sender.FINISHING_SECONDS", 0.1)
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
    assert len(await results.places_of_server(sandbox.db, seed.GUILD_ID)) == 3
    await again(sandbox)
    assert ends(game) == [end]
    assert len(papers(game)) == 1


@pytest.mark.usefixtures("unfilmed")
async def test_a_crash_between_the_posting_of_the_end_and_its_ticking_off_posts_nothing_twice(
    sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await ruined(sandbox)
    last = await ruin(game)
    dies_before_ticking_off(monkeypatch, notices.END)
    await last()
    await crashed(sandbox, monkeypatch, game, lambda: bool(ends(game)))
    assert len(ends(game)) == 1
    assert [button.label for button in ends(game)[0].buttons] == ["Rematch"]


async def test_an_end_that_is_undone_counts_no_more_and_again_when_it_comes_again(
    sandbox: SandboxBot,
) -> None:
    game = await over(sandbox, ("Ann", "Bob"))
    assert [one.won for one in await results.places_of_server(sandbox.db, seed.GUILD_ID)] == [True, True]
    await game.slash("Bob", "undo")
    assert await results.places_of_server(sandbox.db, seed.GUILD_ID) == []
    assert "1 running" in (await sandbox.person("Eve").slash(TABLE, "stats")).text
    answer = await sandbox.person("Ann").press(ends(game)[0], "Rematch")
    assert await sandbox.hears(answer, "Game 1 is not over: its end was undone.")
    await again(sandbox)
    assert len(ends(game)) == 1
    await game.slash("Bob", "game abandon")
    await game.slash("Ann", "game abandon")
    assert await sandbox.world.until(lambda: len(ends(game)) == 2)
    assert len(await results.places_of_server(sandbox.db, seed.GUILD_ID)) == 2
    assert not any(has_moves(message) for message in game.messages)


async def test_a_game_that_is_abandoned_after_its_end_was_undone_has_no_winner_and_is_played_again(
    sandbox: SandboxBot,
) -> None:
    game = await over(sandbox, ("Ann", "Bob"))
    await game.slash("Bob", "undo")
    asked = (await game.slash("Ann", "mod abandon")).ephemeral[0]
    await game.press("Ann", asked.buttons[0].label, asked)
    await again(sandbox)
    assert (await sandbox.person("Eve").slash(TABLE, "stats")).text == f"Games: 1 abandoned.\n{SAID_ALIKE}"
    assert (await personal_data.rows_about(sandbox.db, sandbox.person("Bob").id))["results"] == []
    assert "Game 2 is open" in (await sandbox.person("Bob").press(ends(game)[0], "Rematch")).text


async def test_the_same_table_plays_again_in_one_game(sandbox: SandboxBot) -> None:
    [end] = ends(await over(sandbox, ("Ann", "Bob")))
    ann, bob = sandbox.person("Ann"), sandbox.person("Bob")
    assert "Game 2 is open" in (await ann.press(end, "Rematch")).text
    assert (await bob.press(end, "Rematch")).text.startswith("You have a seat in game 2, in <#")
    assert "Game 2 is open for you all" in (await bob.press(end, "Rematch")).text
    await ann.slash(TABLE, "game start")
    assert "Game 2 plays this one again: <#" in (await bob.press(end, "Rematch")).text


async def test_a_score_sheet_that_is_too_long_leaves_the_shares_to_the_picture(
    sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await sandbox.game()
    async with sandbox.client.tables.reading(game.number) as live:
        view = score_view(live.game)
        badge = company_view(live.game, "PRR").badge
        many = (HoldingView(badge, 50, 100, 500, True),) * 40
        long = replace(view, rows=tuple(replace(row, shares=many) for row in view.rows))
        assert "no shares" in final_posts.farewell(live)
        monkeypatch.setattr(final_posts, "score_view", lambda _: long)
        post = final_posts.farewell(live)
    assert len(post) <= LONGEST_MESSAGE
    assert "Thank you for the game" in post
    assert "\n1 Ann " in post
    assert "PRR 5 x" not in post


async def test_an_end_that_is_posted_late_thanks_nobody_anonymised_since(sandbox: SandboxBot) -> None:
    game = await sandbox.game(("Ann", "Bob"))
    async with sandbox.client.tables.reading(game.number) as live:
        ann, bob = (
            replace(seat, user_id=personal_data.ANONYMISED, display_name=personal_data.FORMER)
            for seat in live.seats
        )
        post = final_posts.farewell(replace(live, seats=(ann, live.seats[1])))
        assert post.endswith(f"Thank you for the game, <@{sandbox.person('Bob').id}>!")
        assert final_posts.farewell(replace(live, seats=(ann, bob))).endswith("Thank you for the game, all!")


async def test_a_story_of_changed_rules_says_that_moves_are_left_out(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    async with sandbox.client.tables.reading(game.number) as live:
        position = log.accept_payload(RULES_VERSION, live.game.dump())
        accept = Row(live.id, 2, "accept", position, live.game.digest(), "", None, live.row.created_at)
        went_on = replace(live, counting=[*live.counting, accept])
    [usual] = (await final_posts.papers(live, sandbox.client.tables, sandbox.client.pictures)).embeds
    [changed] = (await final_posts.papers(went_on, sandbox.client.tables, sandbox.client.pictures)).embeds
    assert usual.footer.text is None
    assert "left out" in (changed.footer.text or "")
    assert usual.description == changed.description


# --- statistics ------------------------------------------------------------------------------------------------------


async def test_statistics_show_games_wins_and_decision_times_to_the_user_who_asks_alone(
    sandbox: SandboxBot,
) -> None:
    day = "2026-01-01T{}:00.000+00:00"
    sandbox.client.tables.clock = lambda: day.format("00:00")
    game = await sandbox.game(("Ann", "Bob"))
    for name, time in (("Ann", "02:00"), ("Bob", "02:10"), ("Ann", "06:10")):
        sandbox.client.tables.clock = lambda now=time: day.format(now)  # type: ignore[misc]
        await game.press(name, "Pass")
    sandbox.client.tables.clock = lambda: day.format("23:00")
    await agree(game, ("Ann", "Bob"))
    await again(sandbox)
    answer = await sandbox.person("Eve").slash(TABLE, "stats")
    assert answer.public == []
    assert answer.text.splitlines()[:3] == [
        "Games: 1 finished. Played: 18Chesapeake 1.",
        "**Ann**: 1 win in 1 game, average place 1.0; decides within 3 h (median of 2)",
        "**Bob**: 1 win in 1 game, average place 1.0; decides within 10 min (median of 1)",
    ]
    of_bob = await sandbox.person("Eve").slash(TABLE, "stats", player=sandbox.person("Bob").id)
    assert "Ann" not in of_bob.text
    assert "- 18Chesapeake: 1 win in 1 game, average place 1.0" in of_bob.text
    other = await sandbox.person("Eve").slash(TABLE, "stats", title="18AL")
    assert other.text.startswith("Games: none yet.")
    assert "Ann" not in other.text


async def test_who_was_forgotten_stays_in_the_statistics_as_a_former_player(sandbox: SandboxBot) -> None:
    await over(sandbox)
    ann = sandbox.person("Ann")
    asked = await ann.slash(TABLE, "privacy")
    sure = await ann.press(asked.ephemeral[-1], "Remove my name")
    await ann.press(sure.ephemeral[-1], "Remove my name for good")
    answer = (await sandbox.person("Bob").slash(TABLE, "stats")).text
    assert "Ann" not in answer
    assert "**a former player**: 1 win in 1 game" in answer
    assert "**Bob**: 1 win in 1 game" in answer


@pytest.mark.usefixtures("unfilmed")
async def test_games_that_ended_before_results_were_stored_are_counted_after_a_restart(
    sandbox: SandboxBot,
) -> None:
    game = await ruined(sandbox)
    last = await ruin(game)
    await last()
    await sandbox.settled()
    there = await results.places_of_server(sandbox.db, seed.GUILD_ID)
    await sandbox.db.write(lambda tx: tx.run("DELETE FROM results"))
    await again(sandbox)
    async with asyncio.timeout(15):
        while await results.places_of_server(sandbox.db, seed.GUILD_ID) != there:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)
    assert sum(one.won for one in there) == 1


# --- another game ----------------------------------------------------------------------------------------------------


async def _lobbies(sandbox: SandboxBot) -> list[games.GameRow]:
    return await games.list_games(sandbox.db, seed.GUILD_ID, "lobby")


async def test_two_people_press_rematch_at_once_and_sit_at_one_table(sandbox: SandboxBot) -> None:
    game = await over(sandbox)
    [end] = ends(game)
    await again(sandbox)
    answers = await asyncio.gather(*(sandbox.person(name).press(end, "Rematch") for name in ("Ann", "Bob")))
    assert {one.text for one in answers} == {
        f"Game 2 is open in <#{sandbox.lobby().channel_id}>. You have a seat.",
        f"You have a seat in game 2, in <#{sandbox.lobby().channel_id}>.",
    }
    [row] = await _lobbies(sandbox)
    lobby, cy = sandbox.lobby(), sandbox.person("Cy")
    assert (row.id, row.title, row.thread_id) == (2, "18chesapeake", lobby.id)
    assert "2 joined" in lobby.content
    assert f"Once more, {cy.mention}?" in lobby.content
    assert cy.id in lobby.pinged
    await cy.press(end, "Rematch")
    assert "3 joined" in sandbox.lobby().content
    assert "Once more" not in sandbox.lobby().content
    later = await cy.press(end, "Rematch")
    assert "Game 2 is open for you all" in later.text
    await cy.press(sandbox.lobby(), "Start")
    await sandbox.settled()
    started = await cy.press(end, "Rematch")
    assert "Game 2 plays this one again: <#" in started.text
    assert sandbox.rung.count((lobby.channel_id, cy.id)) == 1


async def test_a_rematch_has_the_rules_and_the_settings_of_the_table(sandbox: SandboxBot) -> None:
    ann, bob = sandbox.person("Ann"), sandbox.person("Bob")
    await ann.slash(TABLE, "game new", title="18tn", profile="18xx.games", options="salvage_3")
    await bob.press(sandbox.lobby(), "Join")
    await sandbox.person("Cy").press(sandbox.lobby(), "Join")
    await GAMES.put(sandbox.db, 1, "reminders", "slow")
    await GAMES.put(sandbox.db, 1, "something of the bot's own", "7")
    await ann.press(sandbox.lobby(), "Start")
    await sandbox.settled()
    [row] = await games.games_in(sandbox.db, "running")
    game = Seated(sandbox, 1, row.thread_id or 0)
    await agree(game, ("Ann", "Bob", "Cy"))
    await bob.press(ends(game)[0], "Rematch")
    [new] = await _lobbies(sandbox)
    assert (new.title, new.profile, new.options) == ("18tn", "18xx.games", '["salvage_3"]')
    assert await GAMES.get(sandbox.db, new.id, "reminders") == "slow"
    assert await GAMES.get(sandbox.db, new.id, "something of the bot's own") is None
    assert "Reminders: after 24, 48 and 96 hours" in sandbox.lobby().content


async def test_the_computer_plays_again_and_nobody_is_asked_in_its_name(sandbox: SandboxBot) -> None:
    ann = sandbox.person("Ann")
    await ann.slash(TABLE, "game new", title="18chesapeake")
    await ann.press(sandbox.lobby(), "Computer: Conductor")
    await ann.press(sandbox.lobby(), "Start")
    await sandbox.settled()
    [row] = await games.games_in(sandbox.db, "running")
    game = Seated(sandbox, row.id, row.thread_id or 0)
    await agree(game, ("Ann",))
    await ann.press(ends(game)[0], "Rematch")
    [new] = await _lobbies(sandbox)
    assert [seat.display_name for seat in await seats.seats(sandbox.db, new.id)] == [
        "Ann",
        "Adler (Conductor)",
    ]
    assert "Once more" not in sandbox.lobby().content
    assert "Conductor" not in (await ann.slash(TABLE, "stats")).text


async def test_a_rematch_that_was_given_up_can_be_opened_once_more(sandbox: SandboxBot) -> None:
    game = await over(sandbox, ("Ann", "Bob"))
    [end] = ends(game)
    await sandbox.person("Ann").press(end, "Rematch")
    await sandbox.person("Ann").slash(TABLE, "game abandon", number=2)
    assert await _lobbies(sandbox) == []
    assert "Games: 1 finished." in (await sandbox.person("Bob").slash(TABLE, "stats")).text
    answer = await sandbox.person("Bob").press(end, "Rematch")
    assert "Game 3 is open" in answer.text


async def test_a_crash_before_the_lobby_is_shown_leaves_no_rematch_behind(sandbox: SandboxBot) -> None:
    game = await over(sandbox, ("Ann", "Bob"))
    [end] = ends(game)
    table = sandbox.world.channel_named(TABLE).id
    sandbox.server.faults.fail(f"POST /api/v10/channels/{table}/messages", status=403, times=1000)
    answer = await sandbox.person("Ann").press(end, "Rematch")
    assert await sandbox.hears(answer, "The game was not opened, and nothing is left of it.")
    sandbox.server.faults.clear()
    await again(sandbox)
    assert "Game 3 is open" in (await sandbox.person("Ann").press(end, "Rematch")).text


async def test_rematch_is_pressed_in_an_archived_thread_too(sandbox: SandboxBot) -> None:
    game = await over(sandbox, ("Ann", "Bob"))
    threads.change(sandbox.world, sandbox.world.channel(game.thread), {"archived": True})
    await again(sandbox)
    assert "Game 2 is open" in (await sandbox.person("Bob").press(ends(game)[0], "Rematch")).text


async def test_onlookers_ask_for_no_rematch(sandbox: SandboxBot) -> None:
    game = await over(sandbox, ("Ann", "Bob"))
    answer = await sandbox.person("Eve").press(ends(game)[0], "Rematch")
    assert "You have no seat in game 1" in answer.text
    assert await _lobbies(sandbox) == []


async def test_where_a_permission_is_missing_no_rematch_is_opened(sandbox: SandboxBot) -> None:
    game = await over(sandbox, ("Ann", "Bob"))
    guild, channel = sandbox.world.guilds[seed.GUILD_ID], sandbox.world.channel_named(TABLE)
    changes.overwrite(sandbox.world, channel, guild.id + seed.BOT_ROLE, deny=permissions.CREATE_THREADS)
    changes.overwrite(sandbox.world, channel, guild.id, deny=permissions.CREATE_THREADS)
    sandbox.world.tell(Change("channel_update", channel=channel))
    known = sandbox.client.guilds[0].get_channel(channel.id)
    assert known is not None
    await sandbox.learns(lambda: not known.permissions_for(known.guild.me).create_public_threads)
    answer = await sandbox.person("Ann").press(ends(game)[0], "Rematch")
    assert "The game was not opened." in answer.text
    assert "Create Public Threads" in answer.text
    assert await _lobbies(sandbox) == []


async def test_a_rematch_is_opened_where_the_server_has_its_games(sandbox: SandboxBot) -> None:
    game = await over(sandbox, ("Ann", "Bob"))
    other = changes.add_channel(sandbox.world, sandbox.world.guilds[seed.GUILD_ID], ChannelKind.TEXT, "games")
    await sandbox.learns(lambda: sandbox.client.guilds[0].get_channel(other.id) is not None)
    await sandbox.person("Ann").slash(TABLE, "setup", channel="games")
    answer = await sandbox.person("Ann").press(ends(game)[0], "Rematch")
    assert f"Game 2 is open in <#{other.id}>" in answer.text
    [row] = await _lobbies(sandbox)
    assert row.channel_id == other.id


async def test_in_a_forum_a_rematch_is_a_post_of_its_own_that_pings_the_others(sandbox: SandboxBot) -> None:
    forum = changes.add_channel(
        sandbox.world, sandbox.world.guilds[seed.GUILD_ID], ChannelKind.FORUM, "forum"
    )
    await sandbox.learns(lambda: sandbox.client.guilds[0].get_channel(forum.id) is not None)
    await sandbox.person("Ann").slash(TABLE, "setup", channel="forum")
    await sandbox.person("Ann").slash(TABLE, "game new", title="18chesapeake")
    [row] = await _lobbies(sandbox)
    lobby = sandbox.world.messages[row.thread_id or 0]
    await sandbox.person("Bob").press(lobby, "Join")
    await sandbox.person("Ann").press(lobby, "Start")
    await sandbox.settled()
    game = Seated(sandbox, row.id, row.thread_id or 0)
    await agree(game, ("Ann", "Bob"))
    answer = await sandbox.person("Bob").press(ends(game)[0], "Rematch")
    [new] = await _lobbies(sandbox)
    assert f"Game {new.id} is open in <#{new.thread_id}>" in answer.text
    post = sandbox.world.messages[new.thread_id or 0]
    assert new.thread_id != row.thread_id
    assert sandbox.person("Ann").id in post.pinged


async def test_a_rematch_while_too_many_games_wait_is_refused_and_leaves_nothing(sandbox: SandboxBot) -> None:
    game = await over(sandbox, ("Ann", "Bob"))
    for _ in range(OPEN_OF_ONE):
        await sandbox.person("Ann").slash(TABLE, "game new", title="18chesapeake")
    before = await _lobbies(sandbox)
    answer = await sandbox.person("Ann").press(ends(game)[0], "Rematch")
    assert "as many as one person may" in answer.text
    assert await _lobbies(sandbox) == before
    assert "is open" in (await sandbox.person("Bob").press(ends(game)[0], "Rematch")).text
