"""After the game: its story in words, its results, and statistics of the server."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from bot.client.thread import final_posts
from bot.client.thread.final_posts import TURNING_POINTS
from bot.sandbox.guild import seed
from bot.table.markdown import marked
from bot.table.past.past_views import turning_points
from bot.table.past.statistics import SAID_ALIKE
from engine.play.rules import RULES_VERSION
from engine.record import load_record
from storage import Row, games, log, personal_data, results
from tests.bot.orders.ended_table import agree, ends, over, papers, rematch, ruin
from tests.bot.support.positions import ruined, seated_at
from tests.bot.support.records import history_of
from tests.bot.support.sandbox_bot import TABLE, SandboxBot, Seated, has_moves

PRICE = Path(__file__).parents[2] / "golden" / "18al-price-3p.json"
"""A recorded game of three to its end."""


async def winners(sandbox: SandboxBot) -> list[bool]:
    return [one.won for one in await results.places_of_server(sandbox.db, seed.GUILD_ID)]


@pytest.mark.usefixtures("unfilmed")
async def test_end_names_turning_points(sandbox: SandboxBot) -> None:
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
async def test_restart_posts_the_end_once(sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch) -> None:
    # How long the bot tries before it stops is a matter of time.
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
    assert sorted(await winners(sandbox)) == [False, False, True]
    await sandbox.restart()
    assert (ends(game), len(papers(game))) == ([end], 1)


@pytest.mark.usefixtures("unfilmed")
async def test_earlier_results_are_counted(sandbox: SandboxBot) -> None:
    """Those of games that ended before results were stored."""
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
    """Until it comes again."""
    game = await over(sandbox, "Ann", "Bob")
    assert await winners(sandbox) == [True, True]
    await game.slash("Bob", "undo")
    assert await winners(sandbox) == []
    assert "1 running" in (await sandbox.person("Eve").slash(TABLE, "stats")).text
    assert "Game 1 is not over: its end was undone." in await rematch(game, "Ann")
    await sandbox.restart()
    assert len(ends(game)) == 1
    await game.slash("Bob", "game abandon")
    await game.slash("Ann", "game abandon")
    assert await sandbox.world.until(lambda: len(ends(game)) == 2)
    assert len(await winners(sandbox)) == 2
    assert not any(has_moves(message) for message in game.messages)


async def test_abandoned_game_has_no_winner(sandbox: SandboxBot) -> None:
    """Although it had one until its end was undone; it is played again."""
    game = await over(sandbox, "Ann", "Bob")
    await game.slash("Bob", "undo")
    asked = (await game.slash("Ann", "mod abandon")).ephemeral[0]
    await game.press("Ann", asked.buttons[0].label, asked)
    await sandbox.restart()
    assert (await sandbox.person("Eve").slash(TABLE, "stats")).text == f"Games: 1 abandoned.\n{SAID_ALIKE}"
    assert (await personal_data.rows_about(sandbox.db, sandbox.person("Bob").id))["results"] == []
    assert "Game 2 is open" in await rematch(game, "Bob")


async def test_late_farewell_thanks_no_former_player(sandbox: SandboxBot) -> None:
    game = await sandbox.game(("Ann", "Bob"))
    async with sandbox.client.tables.reading(game.number) as live:
        gone = {"user_id": personal_data.ANONYMISED, "display_name": personal_data.FORMER}
        ann, bob = (replace(seat, **gone) for seat in live.seats)
        post = final_posts.farewell(replace(live, seats=(ann, live.seats[1])))
        assert post.endswith(f"Thank you for the game, <@{sandbox.person('Bob').id}>!")
        assert final_posts.farewell(replace(live, seats=(ann, bob))).endswith("Thank you for the game, all!")


async def test_story_says_that_moves_are_left_out(sandbox: SandboxBot) -> None:
    """Where the rules have changed meanwhile."""
    game, client = await sandbox.game(), sandbox.client
    async with client.tables.reading(game.number) as live:
        position = log.accept_payload(RULES_VERSION, live.game.dump())
        accept = Row(live.id, 2, "accept", position, live.game.digest(), "", None, live.row.created_at)
        went_on = replace(live, counting=[*live.counting, accept])
    [usual] = (await final_posts.papers(live, client.tables, client.pictures)).embeds
    [changed] = (await final_posts.papers(went_on, client.tables, client.pictures)).embeds
    assert usual.footer.text is None
    assert "left out" in (changed.footer.text or "")
    assert usual.description == changed.description


# --- statistics ------------------------------------------------------------------------------------------------------


def at(sandbox: SandboxBot, time: str) -> None:
    """Let it be this time of a day."""
    sandbox.clock = lambda: f"2026-01-01T{time}:00.000+00:00"


async def passes(game: Seated, name: str, time: str) -> None:
    at(game.sandbox, time)
    await game.press(name, "Pass")


async def test_statistics_have_wins_and_decision_times(sandbox: SandboxBot) -> None:
    at(sandbox, "00:00")
    game = await sandbox.game(("Ann", "Bob"))
    for name, time in (("Ann", "02:00"), ("Bob", "02:10"), ("Ann", "06:10")):
        await passes(game, name, time)
    at(sandbox, "23:00")
    await agree(game, "Ann", "Bob")
    await sandbox.restart()
    eve = sandbox.person("Eve")
    answer = await eve.slash(TABLE, "stats")
    assert answer.public == []
    assert answer.text.splitlines()[:3] == [
        "Games: 1 finished. Played: 18Chesapeake 1.",
        "**Ann**: 1 win in 1 game, average place 1.0; decides within 3 h (median of 2)",
        "**Bob**: 1 win in 1 game, average place 1.0; decides within 10 min (median of 1)",
    ]
    of_bob = await eve.slash(TABLE, "stats", player=sandbox.person("Bob").id)
    assert "Ann" not in of_bob.text
    assert "- 18Chesapeake: 1 win in 1 game, average place 1.0" in of_bob.text
    other = await eve.slash(TABLE, "stats", title="18AL")
    assert other.text.startswith("Games: none yet.")
    assert "Ann" not in other.text


async def test_statistics_name_no_former_player(sandbox: SandboxBot) -> None:
    await over(sandbox, "Ann", "Bob", "Cy")
    ann = sandbox.person("Ann")
    asked = await ann.slash(TABLE, "privacy")
    sure = await ann.press(asked.ephemeral[-1], "Remove my name")
    await ann.press(sure.ephemeral[-1], "Remove my name for good")
    answer = (await sandbox.person("Bob").slash(TABLE, "stats")).text
    assert "Ann" not in answer
    assert "**a former player**: 1 win in 1 game" in answer
    assert "**Bob**: 1 win in 1 game" in answer
