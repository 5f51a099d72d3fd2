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
from tests.bot.support.table_service import ANN, BOB, CHANNEL, CY, GUILD, TableService

NOON = "2099-01-01T12:{:02}:00.000+00:00"


@pytest.fixture
def rests(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long it was waited between two games."""
    found: list[float] = []

    async def sleep(seconds: float) -> None:
        found.append(seconds)

    monkeypatch.setattr(statistics, "asyncio", SimpleNamespace(sleep=sleep, to_thread=asyncio.to_thread))
    return found


def change(service: TableService, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(service.db.name)) as conn, conn:
        assert conn.execute(statement, values).rowcount > 0


async def finished(service: TableService) -> int:
    """A game that ended before it was stored how games come out: two have decided, after 5 and 10 minutes."""
    service.tables.clock = partial(NOON.format, 0)
    game = await service.game()
    for minute in (5, 15):
        service.tables.clock = partial(NOON.format, minute)
        await service.pass_on(game)
    for person in (ANN, BOB, CY):
        await Proposals(service.tables).put_or_join(game, person, lambda live: EndProposal())
    change(service, "DELETE FROM results WHERE game_id = ?", game)
    return game


async def test_games_that_ended_before_places_were_stored_are_counted_but_for_those_that_are_damaged(
    service: TableService, rests: list[float]
) -> None:
    """After each there is a rest for what else is to do."""
    damaged, sound = await service.game(), await finished(service)
    await log.commit_move(service.db, damaged, 1, [Entry("action", "{", "", "p1", ANN)], now=NOON.format(0))
    change(service, "UPDATE games SET status = 'finished' WHERE id = ?", damaged)
    await score_earlier(TableService.on(service.db).tables)
    placed = await results.places_of_server(service.db, GUILD)
    assert placed == [results.PlacedUser(sound, "18chesapeake", user, 1, True) for user in (ANN, BOB, CY)]
    assert await results.missing(service.db) == [damaged]
    assert rests == [GENTLY, GENTLY]


@pytest.mark.usefixtures("rests")
async def test_a_server_sees_its_games_and_people_of_each_title_or_of_all(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was abandoned before it started counts for nothing; a rating is of one title."""
    await finished(service)
    await score_earlier(service.tables)
    change(service, "UPDATE games SET status = 'abandoned' WHERE id = ?", await service.lobby())
    await service.lobbies.new(GUILD, Opener(ANN, "Ann", CHANNEL), "18al", "rulebook")

    async def rated(*_: object) -> dict[tuple[int, str], results.Rating]:
        return {
            (ANN, "18chesapeake"): results.Rating(27100, 6200),
            (BOB, "18al"): results.Rating(25000, 8000),
        }

    monkeypatch.setattr("storage.results.ratings_of_server", rated)

    async def said(user: int | None, title: str | None) -> list[str]:
        text = await statistics.statistics(service.tables, GUILD, user, title)
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
    await service.forget(BOB)
    assert await said(None, "18chesapeake") == [
        "Games: 1 finished. Played: 18Chesapeake 1.",
        f"**Ann**: {place}{rating}{times[0]}",
        f"**Cy**: {place}",
        f"**{FORMER}**: 1 win in 1 game",
    ]
