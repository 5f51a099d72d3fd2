"""Results and ratings: stored with the move that ends a game, gone with the one that takes the end back."""

from collections.abc import Sequence

import pytest

from storage import Database, games, log, personal_data, results, seats
from storage.errors import WrongStatus
from storage.results import GameResult, PlacedUser, Rating, RatingUpdate
from storage.settings import GUILD_SETTINGS
from tests.storage.makers import ANN, BOB, LATER, NOW, START, act, move, new_game, running_game, undo

GUILD = 10
WON = (GameResult("p1", 1, 900, True), GameResult("p2", 2, 400, False))


async def stored(db: Database, game: int) -> list[tuple[object, ...]]:
    asked = "SELECT player_id, place, total, won FROM results WHERE game_id = ? ORDER BY player_id"
    return [tuple(row) for row in await db.rows(asked, game)]


async def end(db: Database, game: int, seq: int = 1, **more: object) -> None:
    """The last move."""
    await move(db, game, seq, **{"status": "finished", "results_of_game": WON, **more})


async def finished(db: Database, anns_name: str = "Ann") -> int:
    """A game of two that the first of them has won."""
    game = (await new_game(db)).id
    for user, name in ((ANN, anns_name), (BOB, "Bob")):
        await seats.join_game(db, game, user, name, now=NOW)
    await log.commit_start(db, game, [START], now=NOW)
    await end(db, game)
    return game


async def test_result_goes_with_the_end(db: Database, game_id: int) -> None:
    with pytest.raises(WrongStatus):
        await results.add_results(db, game_id, WON)
    await end(db, game_id)
    assert await stored(db, game_id) == [("p1", 1, 900, 1), ("p2", 2, 400, 0)]
    await move(db, game_id, 2, undo(1), status="running")
    assert await stored(db, game_id) == []
    await end(db, game_id, 3, results_of_game=(GameResult("p1", 2, 1, False), GameResult("p2", 1, 2, True)))
    assert await stored(db, game_id) == [("p1", 2, 1, 0), ("p2", 1, 2, 1)]


async def test_imported_game_ends_with_its_first_rows(db: Database) -> None:
    game = (await new_game(db)).id
    await log.commit_start(db, game, [START, act()], now=NOW, results_of_game=WON)
    assert await stored(db, game) == [("p1", 1, 900, 1), ("p2", 2, 400, 0)]
    assert (await games.get_game(db, game)).status == "finished"


async def test_result_is_that_of_the_seat(db: Database) -> None:
    """Once they were anonymised, it names nobody."""
    game = await finished(db)
    places = [PlacedUser(game, "t18al", ANN, 1, True), PlacedUser(game, "t18al", BOB, 2, False)]
    assert await results.places_of_server(db, GUILD) == places
    assert await results.places_of_server(db, GUILD + 1) == []
    mine = {"game_id": game, "place": 1, "total": 900, "won": 1}
    assert (await personal_data.rows_about_user(db, ANN))["results"] == [mine]
    await personal_data.anonymise(db, ANN, lambda where, text, somebody: text)
    assert [one.user_id for one in await results.places_of_server(db, GUILD)] == [
        personal_data.ANONYMISED_USER,
        BOB,
    ]
    assert (await personal_data.rows_about_user(db, ANN))["results"] == []


async def test_newest_games_come_first(db: Database) -> None:
    made = [await running_game(db) for _ in range(3)]
    assert await results.newest_games(db, GUILD, 2) == [made[2], made[1]]
    assert await results.newest_games(db, GUILD, 2, "18al") == []
    assert await results.newest_games(db, GUILD + 1, 2) == []


async def test_users_are_named_as_in_their_last_game(db: Database) -> None:
    await finished(db)
    await finished(db, "Annie")
    assert await results.user_names(db, GUILD) == {ANN: "Annie", BOB: "Bob"}


def rate(before: Sequence[Rating | None], places: Sequence[int]) -> list[Rating]:
    """Each place below the last is worth ten more than before."""
    found = [Rating(1000, 100) if one is None else one for one in before]
    return [
        Rating(one.mu + 10 * (len(places) - place), one.sigma - 1)
        for one, place in zip(found, places, strict=True)
    ]


async def rated(db: Database, game: int, seq: int = 1, at: str = NOW) -> None:
    """Ann wins before Bob."""
    await end(db, game, seq, changes=RatingUpdate(((ANN, 1), (BOB, 2)), rate, at))


async def anns(db: Database, guild: int = GUILD) -> set[int]:
    return {one.mu for one in (await results.ratings_of_server(db, guild)).values()}


async def test_game_builds_on_the_newest_ratings(db: Database) -> None:
    """And an undo of its end takes its own back."""
    await GUILD_SETTINGS.put(db, GUILD, results.RATINGS_KEY, results.RATINGS_ON)
    first, second = [await running_game(db) for _ in range(2)]
    await rated(db, first)
    await rated(db, second, at=LATER)
    assert await anns(db) == {1020, 1000}
    await move(db, second, 2, undo(1), status="running")
    assert await anns(db) == {1010, 1000}
    await rated(db, second, 3, at=LATER)
    for mu in (1030, 1040):
        await rated(db, await running_game(db), at=LATER)
        assert await anns(db) == {mu, 1000}
