"""Statistics of a server: its games, who has played them, ratings, and two players compared."""

import sqlite3
from contextlib import closing
from functools import partial

import pytest

from bot.table.errors import Refused
from bot.table.lobby import LobbyOpener
from bot.table.past.statistics import (
    MAX_LISTED_USERS,
    STATISTICS_NOTE,
    add_missing_results,
    head_to_head,
    statistics,
)
from bot.table.votes.moderation import EndProposal
from bot.table.votes.proposals import Proposals
from storage import (
    ANONYMISED_USER,
    CARETAKER_USER,
    FORMER_PLAYER_NAME,
    GUILD_SETTINGS,
    GameResult,
    NewLogRow,
    games,
    log,
    results,
    seats,
)
from tests.bot.support.table_service import ANN, BOB, CHANNEL, CY, GUILD, TableService

NOON = "2099-01-01T12:{:02}:00.000+00:00"
NAMES = {ANN: "Ann", BOB: "Bob", CY: "Cy"}
PLACE = "1 win in 1 game, average place 1.0"
TIMES = [f"; thinking time {count} min (median of 1 turn)" for count in (5, 10)]


def change(service: TableService, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(service.db.name)) as conn, conn:
        assert conn.execute(statement, values).rowcount > 0


async def placed(service: TableService, *places: tuple[int, int], title: str = "18al") -> int:
    about = {"profile": "rulebook", "options": "[]", "seed": 5, "name": title, "now": NOON.format(0)}
    row = await games.create_game(service.db, guild_id=GUILD, channel_id=CHANNEL, title=title, **about)  # type: ignore[arg-type]
    for user, _ in places:
        await seats.join_game(service.db, row.id, user, NAMES.get(user, f"P{user:03}"), now=NOON.format(0))
    await service.db.write(lambda tx: seats.record_start(tx, row.id, NOON.format(0)))
    change(service, "UPDATE games SET status = 'finished' WHERE id = ?", row.id)
    found = [GameResult(f"p{seat}", rank, 100, rank == 1) for seat, (_, rank) in enumerate(places, 1)]
    await results.add_results(service.db, row.id, found)
    return row.id


async def rated(service: TableService, game: int, user: int, mu: int, sigma: int) -> None:
    await GUILD_SETTINGS.put(service.db, GUILD, results.RATINGS_KEY, results.RATINGS_ON)
    given = results.RatingUpdate(((user, 1),), lambda *_: [results.Rating(mu, sigma)], NOON.format(1))
    await service.db.write(lambda tx: given.write(tx, game, 0))


async def said(service: TableService, user: int | None = None, title: str | None = None) -> list[str]:
    text = await statistics(service.tables, GUILD, user, title)
    assert text.endswith(f"\n{STATISTICS_NOTE}")
    return text.removesuffix(f"\n{STATISTICS_NOTE}").split("\n")


async def played(service: TableService) -> int:
    """A game of today that ended before results were stored: two have decided, after 5 and 10 minutes."""
    service.tables.clock = partial(NOON.format, 0)
    game = await service.game()
    for minute in (5, 15):
        service.tables.clock = partial(NOON.format, minute)
        await service.pass_on(game)
    for person in (ANN, BOB, CY):
        await Proposals(service.tables).propose_or_vote(game, person, lambda live: EndProposal())
    change(service, "DELETE FROM results WHERE game_id = ?", game)
    return game


async def test_earlier_results_are_stored(service: TableService) -> None:
    """Those of damaged games are not."""
    damaged, sound = await service.game(), await played(service)
    await log.commit_move(
        service.db, damaged, 1, [NewLogRow("action", "{", "", "p1", ANN)], now=NOON.format(0)
    )
    change(service, "UPDATE games SET status = 'finished' WHERE id = ?", damaged)
    await add_missing_results(TableService.on(service.db).tables)
    found = await results.places_of_server(service.db, GUILD)
    assert found == [results.PlacedUser(sound, "18chesapeake", user, 1, True) for user in (ANN, BOB, CY)]
    assert await results.games_without_results(service.db) == [damaged]


async def test_games_are_counted_by_state_and_title(service: TableService) -> None:
    assert (await said(service))[0] == "Games: none yet."
    await service.lobbies.open_lobby(GUILD, LobbyOpener(ANN, "Ann", CHANNEL), "18tn", "rulebook")
    assert (await said(service))[0] == "Games: 1 open."
    for title in ("18xx", "18al"):
        await placed(service, (ANN, 1), title=title)
    change(
        service, "UPDATE games SET status = 'abandoned', title = '18tn' WHERE id = ?", await service.game()
    )
    change(service, "UPDATE games SET title = '18al' WHERE id = ?", await service.game())
    expected = "Games: 1 open, 1 running, 2 finished and 1 abandoned. Played: 18AL 2, 18xx 1."
    assert (await said(service))[0] == expected


async def test_statistics_are_of_a_title_or_a_person(service: TableService) -> None:
    """A rating is of one title; what was abandoned before it started counts for nothing."""
    game = await played(service)
    await add_missing_results(service.tables)
    await rated(service, game, ANN, 27100, 6200)
    change(service, "UPDATE games SET status = 'abandoned' WHERE id = ?", await service.lobby())
    await service.lobbies.open_lobby(GUILD, LobbyOpener(ANN, "Ann", CHANNEL), "18al", "rulebook")
    bob_and_cy, rating = [f"**Bob**: {PLACE}{TIMES[1]}", f"**Cy**: {PLACE}"], "; rating 27.1 ± 6.2"
    counted = "1 finished. Played: 18Chesapeake 1."
    for user, title, lines in (
        (None, None, [f"Games: 1 open and {counted}", f"**Ann**: {PLACE}{TIMES[0]}", *bob_and_cy]),
        (None, "18chesapeake", [f"Games: {counted}", f"**Ann**: {PLACE}{rating}{TIMES[0]}", *bob_and_cy]),
        (None, "18al", ["Games: 1 open."]),
        (ANN, None, [f"**Ann**: {PLACE}{TIMES[0]}", f"- 18Chesapeake: {PLACE}{rating}"]),
        (ANN, "18al", ["**Ann**: no finished game"]),
        (99, None, ["**<@99>**: no finished game"]),
    ):
        assert await said(service, user, title) == lines
    await service.forget(BOB)
    assert (await said(service))[1:] == [
        *(f"**Ann**: {PLACE}{TIMES[0]}", f"**Cy**: {PLACE}", f"**{FORMER_PLAYER_NAME}**: 1 win in 1 game"),
    ]


async def test_people_are_ranked_by_wins(service: TableService) -> None:
    """Then by games and by name; of several seats in a game the best counts, and former players are last."""
    await placed(service, (BOB, 1), (ANN, 2), (CARETAKER_USER, 3), (ANONYMISED_USER, 4))
    await placed(service, (ANN, 3), (ANN, 2), (CY, 4), (ANONYMISED_USER, 1))
    await placed(service, (120, 1), (119, 1))
    assert (await said(service))[1:] == [
        "**Bob**: 1 win in 1 game, average place 1.0",
        "**P119**: 1 win in 1 game, average place 1.0",
        "**P120**: 1 win in 1 game, average place 1.0",
        "**Ann**: 0 wins in 2 games, average place 2.0",
        "**Cy**: 0 wins in 1 game, average place 4.0",
        f"**{FORMER_PLAYER_NAME}, or several**: 1 win in 2 games",
    ]


@pytest.mark.parametrize(
    ("people", "more"),
    [
        (MAX_LISTED_USERS, None),
        (MAX_LISTED_USERS + 1, "1 more player: "),
        (MAX_LISTED_USERS + 2, "2 more players: "),
    ],
)
async def test_long_rankings_are_cut(service: TableService, people: int, more: str | None) -> None:
    await placed(service, *((100 + number, number) for number in range(people)))
    _, *lines = await said(service)
    assert len(lines) == MAX_LISTED_USERS + (more is not None)
    assert more is None or lines[-1].startswith(more)


async def test_two_players_are_compared(service: TableService) -> None:
    """In the games that both have finished; of several seats the best counts."""
    await placed(service, (ANN, 1), (BOB, 2))
    await placed(service, (ANN, 3), (ANN, 1), (BOB, 2))
    await placed(service, (ANN, 2), (BOB, 1), title="18tn")
    await placed(service, (ANN, 1), (BOB, 1), title="18tn")
    await placed(service, (ANN, 1))
    assert (await head_to_head(service.tables, GUILD, (ANN, BOB), None)).split("\n") == [
        "**Ann** against **Bob**: 4 games, **Ann** ahead in 2, **Bob** in 1, equal in 1",
        "- 18AL: 2 games, **Ann** ahead in 2, **Bob** in 0",
        "- 18TN: 2 games, **Ann** ahead in 0, **Bob** in 1, equal in 1",
    ]
    of_one = await head_to_head(service.tables, GUILD, (BOB, ANN), "18al")
    assert of_one.startswith("**Bob** against **Ann**: 2 games, **Bob** ahead in 0, **Ann** in 2\n- 18AL")
    none = "**Ann** and **<@99>** have not finished a game together here."
    assert await head_to_head(service.tables, GUILD, (ANN, 99), None) == none
    with pytest.raises(Refused, match="against yourself"):
        await head_to_head(service.tables, GUILD, (ANN, ANN), None)
