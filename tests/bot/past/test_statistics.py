"""What `/stats` says of a server: its games, and who has played them."""

import asyncio
import sqlite3
from contextlib import closing
from functools import partial
from types import SimpleNamespace

import pytest

from bot.table.lobby import Opener
from bot.table.past import statistics
from bot.table.past.statistics import SAID_ALIKE, score_earlier
from bot.table.tables import GENTLY
from bot.table.votes.moderation import EndProposal
from bot.table.votes.proposals import Proposals
from storage import FORMER, Entry, log, results
from tests.bot.support.tables import ANN, BOB, CHANNEL, CY, GUILD, Bench

NOON = "2099-01-01T12:{:02}:00.000+00:00"


@pytest.fixture
def rests(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long it was waited between two games."""
    found: list[float] = []

    async def sleep(seconds: float) -> None:
        found.append(seconds)

    monkeypatch.setattr(statistics, "asyncio", SimpleNamespace(sleep=sleep, to_thread=asyncio.to_thread))
    return found


def change(bench: Bench, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(bench.db.name)) as conn, conn:
        assert conn.execute(statement, values).rowcount > 0


async def finished(bench: Bench) -> int:
    """A game that ended before it was stored how games come out: two have decided, after 5 and 10 minutes."""
    bench.tables.clock = partial(NOON.format, 0)
    game = await bench.game()
    for minute in (5, 15):
        bench.tables.clock = partial(NOON.format, minute)
        await bench.pass_on(game)
    for person in (ANN, BOB, CY):
        await Proposals(bench.tables).put_or_join(game, person, lambda live: EndProposal())
    change(bench, "DELETE FROM results WHERE game_id = ?", game)
    return game


async def test_games_that_ended_before_places_were_stored_are_counted_but_for_those_that_are_damaged(
    bench: Bench, rests: list[float]
) -> None:
    """After each there is a rest for what else is to do."""
    damaged, sound = await bench.game(), await finished(bench)
    await log.commit_move(bench.db, damaged, 1, [Entry("action", "{", "", "p1", ANN)], now=NOON.format(0))
    change(bench, "UPDATE games SET status = 'finished' WHERE id = ?", damaged)
    await score_earlier(Bench.on(bench.db).tables)
    placed = await results.places_of_server(bench.db, GUILD)
    assert placed == [results.PlacedUser(sound, "18chesapeake", user, 1, True) for user in (ANN, BOB, CY)]
    assert await results.missing(bench.db) == [damaged]
    assert rests == [GENTLY, GENTLY]


@pytest.mark.usefixtures("rests")
async def test_a_server_sees_its_games_and_people_of_each_title_or_of_all(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was abandoned before it started counts for nothing; a rating is of one title."""
    await finished(bench)
    await score_earlier(bench.tables)
    change(bench, "UPDATE games SET status = 'abandoned' WHERE id = ?", await bench.lobby())
    await bench.lobbies.new(GUILD, Opener(ANN, "Ann", CHANNEL), "18al", "rulebook")

    async def rated(*_: object) -> dict[tuple[int, str], results.Rating]:
        return {
            (ANN, "18chesapeake"): results.Rating(27100, 6200),
            (BOB, "18al"): results.Rating(25000, 8000),
        }

    monkeypatch.setattr("storage.results.ratings_of_server", rated)

    async def said(user: int | None, title: str | None) -> list[str]:
        text = await statistics.statistics(bench.tables, GUILD, user, title)
        assert text.endswith(f"\n{SAID_ALIKE}")
        return text.removesuffix(f"\n{SAID_ALIKE}").split("\n")

    place, rating = "1 win in 1 game, average place 1.0", "; rating 27.1 ± 6.2"
    times = [f"; decides within {count} min (median of 1)" for count in (5, 10)]
    assert await said(None, None) == [
        "Games: 1 open and 1 finished. Played: 18Chesapeake 1.",
        f"**Ann**: {place}{times[0]}",
        f"**Bob**: {place}{times[1]}",
        f"**Cy**: {place}",
    ]
    assert await said(None, "18chesapeake") == [
        "Games: 1 finished. Played: 18Chesapeake 1.",
        f"**Ann**: {place}{rating}{times[0]}",
        f"**Bob**: {place}{times[1]}",
        f"**Cy**: {place}",
    ]
    assert await said(None, "18al") == ["Games: 1 open."]
    assert await said(ANN, None) == [f"**Ann**: {place}{times[0]}", f"- 18Chesapeake: {place}{rating}"]
    assert await said(ANN, "18al") == ["**Ann**: no finished game"]
    await bench.forget(BOB)
    assert await said(None, "18chesapeake") == [
        "Games: 1 finished. Played: 18Chesapeake 1.",
        f"**Ann**: {place}{rating}{times[0]}",
        f"**Cy**: {place}",
        f"**{FORMER}**: 1 win in 1 game",
    ]
