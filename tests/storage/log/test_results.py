"""How games came out: stored with the move that ends them, gone with the one that takes the end back."""

import pytest

from storage import Database, WrongStatus, games, log, personal_data, results, seats
from storage.errors import StaleSequence
from storage.orders import Changes
from storage.results import PlacedUser, Result, decisions_of_game, newest_games, user_names
from tests.storage.makers import Act, NewGame, RunningGame, Undo

ANN, BOB = 100, 200
NOW = "2026-01-02T03:04:05Z"
WON = (Result("p1", 1, 900, True), Result("p2", 2, 400, False))


async def test_a_result_is_stored_with_the_end_or_not_at_all(
    db: Database, running_game: RunningGame, act: Act
) -> None:
    game = await running_game(db)
    with pytest.raises(StaleSequence):
        await log.commit_move(db, game, 7, [act()], now=NOW, status="finished", scored=WON)
    assert await _stored(db, game) == []
    await log.commit_move(db, game, 1, [act()], now=NOW, status="finished", scored=WON)
    assert await _stored(db, game) == [("p1", 1, 900, 1), ("p2", 2, 400, 0)]


async def test_a_game_that_ends_with_its_first_rows_is_stored_with_its_result(
    db: Database, new_game: NewGame, act: Act
) -> None:
    game = (await new_game(db)).id
    start = log.Entry("start", "{}", "d", "")
    await log.commit_start(db, game, [start, act()], now=NOW, scored=WON)
    assert await _stored(db, game) == [("p1", 1, 900, 1), ("p2", 2, 400, 0)]
    assert (await games.get_game(db, game)).status == "finished"


async def test_a_result_goes_with_the_undo_of_the_end_and_comes_with_the_next(
    db: Database, running_game: RunningGame, act: Act, undo: Undo
) -> None:
    game = await running_game(db)
    await log.commit_move(db, game, 1, [act()], now=NOW, status="finished", scored=WON)
    await log.commit_move(db, game, 2, [undo(1)], now=NOW, status="running")
    assert await _stored(db, game) == []
    other = (Result("p1", 2, 1, False), Result("p2", 1, 2, True))
    await log.commit_move(db, game, 3, [act()], now=NOW, status="finished", scored=other)
    assert await _stored(db, game) == [("p1", 2, 1, 0), ("p2", 1, 2, 1)]


async def test_a_game_that_continues_has_no_result(db: Database, running_game: RunningGame) -> None:
    game = await running_game(db)
    with pytest.raises(WrongStatus):
        await results.add(db, game, WON)
    assert await results.missing(db) == []


async def test_a_finished_game_without_a_result_is_found_until_it_has_one(
    db: Database, running_game: RunningGame
) -> None:
    game = await running_game(db)
    await games.finish(db, game)
    assert await results.missing(db) == [game]
    await results.add(db, game, WON)
    assert await results.missing(db) == []


async def test_a_result_is_that_of_whoever_had_the_seat(db: Database, new_game: NewGame) -> None:
    game = await _finished(db, new_game)
    assert await results.places_of_server(db, 10) == [
        PlacedUser(game, "t18al", ANN, 1, True),
        PlacedUser(game, "t18al", BOB, 2, False),
    ]
    assert await results.places_of_server(db, 11) == []
    assert (await personal_data.rows_about(db, BOB))["results"] == [
        {"game_id": game, "place": 2, "total": 400, "won": 0}
    ]


async def test_the_result_of_somebody_who_was_forgotten_names_nobody(db: Database, new_game: NewGame) -> None:
    await _finished(db, new_game)
    await personal_data.anonymise(db, ANN, lambda where, text, somebody: text)
    assert [(one.user_id, one.won) for one in await results.places_of_server(db, 10)] == [
        (personal_data.ANONYMISED, True),
        (BOB, False),
    ]
    assert (await personal_data.rows_about(db, ANN))["results"] == []


async def test_the_newest_games_come_first_and_no_more_than_asked_for(
    db: Database, running_game: RunningGame
) -> None:
    made = [await running_game(db) for _ in range(3)]
    assert await newest_games(db, 10, 2) == [made[2], made[1]]
    assert await newest_games(db, 10, 2, "18al") == []
    assert await newest_games(db, 11, 2) == []


async def test_players_are_named_as_in_their_last_game(db: Database, new_game: NewGame) -> None:
    await _finished(db, new_game, "Ann")
    await _finished(db, new_game, "Annie")
    assert await user_names(db, 10) == {ANN: "Annie", BOB: "Bob"}


async def _stored(db: Database, game: int) -> list[tuple[object, ...]]:
    rows = await db.read(
        lambda tx: tx.rows(
            "SELECT player_id, place, total, won FROM results WHERE game_id = ? ORDER BY player_id", game
        )
    )
    return [tuple(row) for row in rows]


async def _finished(db: Database, new_game: NewGame, name: str = "Ann") -> int:
    """A game of two that the first of them has won."""
    game = (await new_game(db)).id
    await seats.join(db, game, ANN, name, now=NOW)
    await seats.join(db, game, BOB, "Bob", now=NOW)
    await log.commit_start(db, game, [log.Entry("start", "{}", "d", "", ANN)], now=NOW)
    end = log.Entry("action", "{}", "e", "p1", ANN)
    await log.commit_move(db, game, 1, [end], now=NOW, status="finished", scored=WON)
    return game


async def test_a_decision_is_own_where_somebody_made_it_by_hand_for_a_seat_of_theirs(
    db: Database, new_game: NewGame
) -> None:
    game = (await new_game(db)).id
    await seats.join(db, game, ANN, "Ann", now=NOW)
    [seat] = await seats.seats(db, game)
    await log.commit_start(db, game, [log.Entry("start", "{}", "d", "", ANN)], now=NOW)
    end = '{"actor":"p1","entity":"p1","kind":"end_game"}'
    rows = [("{}", ANN), ("{}", BOB), ("{}", None), ("{}", ANN), (end, ANN)]
    entries = [log.Entry("action", payload, "e", seat.player_id, user) for payload, user in rows]
    automatic = Changes(automatic=((5, None),))
    await log.commit_move(db, game, 1, entries, now=NOW, changes=automatic)
    found = await decisions_of_game(db, game)
    assert [(one.user_id, one.own) for one in found] == [
        (ANN, False),
        (ANN, True),
        (BOB, False),
        (0, False),
        (ANN, False),
        (ANN, False),
    ]


async def test_decisions_of_a_game_are_those_of_its_own_rows_from_the_one_asked_for(
    db: Database, running_game: RunningGame, act: Act
) -> None:
    game, other = await running_game(db), await running_game(db)
    for number in (game, other):
        await log.commit_move(db, number, 1, [act(), act()], now=NOW)
    assert [one.seq for one in await decisions_of_game(db, game)] == [1, 2, 3]
    assert [one.seq for one in await decisions_of_game(db, game, since=3)] == [3]
