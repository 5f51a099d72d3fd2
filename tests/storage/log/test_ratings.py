"""Ratings: stored with the move that ends a game, gone with the one that takes the end back."""

from collections.abc import Sequence

from storage import Database, log, results
from storage.results import RATED, RATINGS, Rated, Rating
from storage.settings import GUILDS
from tests.storage.makers import Act, NewGame, RunningGame, Undo

ANN, BOB = 100, 200
GUILD = 10
NOW, LATER = "2026-01-02T03:04:05Z", "2026-02-02T03:04:05Z"


def rate(before: Sequence[Rating | None], places: Sequence[int]) -> list[Rating]:
    """Each place below the last is worth ten more than before."""
    found = [Rating(1000, 100) if one is None else one for one in before]
    return [
        Rating(one.mu + 10 * (len(places) - place), one.sigma - 1)
        for one, place in zip(found, places, strict=True)
    ]


def won(at: str = NOW) -> Rated:
    """Ann before Bob."""
    return Rated(((ANN, 1), (BOB, 2)), rate, at)


async def test_ratings_come_with_the_end_of_a_game_where_the_server_wants_them(
    db: Database, running_game: RunningGame, act: Act
) -> None:
    game = await running_game(db)
    await log.commit_move(db, game, 1, [act()], now=NOW, status="finished", changes=won())
    await GUILDS.put(db, GUILD, RATINGS, RATED)
    assert await results.ratings_of_server(db, GUILD) == {}
    other = await running_game(db)
    await log.commit_move(db, other, 1, [act()], now=NOW, status="finished", changes=won())
    [title] = {title for _, title in await results.ratings_of_server(db, GUILD)}
    assert await results.ratings_of_server(db, GUILD) == {
        (ANN, title): Rating(1010, 99),
        (BOB, title): Rating(1000, 99),
    }


async def test_a_game_builds_on_the_newest_ratings_and_takes_its_own_back(
    db: Database, running_game: RunningGame, act: Act, undo: Undo
) -> None:
    await GUILDS.put(db, GUILD, RATINGS, RATED)
    first, second = [await running_game(db) for _ in range(2)]
    await log.commit_move(db, first, 1, [act()], now=NOW, status="finished", changes=won())
    await log.commit_move(db, second, 1, [act()], now=LATER, status="finished", changes=won(LATER))
    assert {one.mu for one in (await results.ratings_of_server(db, GUILD)).values()} == {1020, 1000}
    await log.commit_move(db, second, 2, [undo(1)], now=LATER, status="running")
    assert {one.mu for one in (await results.ratings_of_server(db, GUILD)).values()} == {1010, 1000}
    await log.commit_move(db, second, 3, [act()], now=LATER, status="finished", changes=won(LATER))
    for mu in (1030, 1040):
        game = await running_game(db)
        await log.commit_move(db, game, 1, [act()], now=LATER, status="finished", changes=won(LATER))
        assert {one.mu for one in (await results.ratings_of_server(db, GUILD)).values()} == {mu, 1000}


async def test_servers_know_nothing_of_each_others_ratings(db: Database, new_game: NewGame, act: Act) -> None:
    for guild in (GUILD, GUILD + 1):
        await GUILDS.put(db, guild, RATINGS, RATED)
        game = (await new_game(db, guild_id=guild)).id
        await log.commit_start(db, game, [log.Entry("start", "{}", "d1", "")], now=NOW)
        await log.commit_move(db, game, 1, [act()], now=NOW, status="finished", changes=won())
    for guild in (GUILD, GUILD + 1):
        assert {one.mu for one in (await results.ratings_of_server(db, guild)).values()} == {1010, 1000}
