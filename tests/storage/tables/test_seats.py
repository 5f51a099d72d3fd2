"""Seats: taken and left in the lobby, put in order, and handed over while the game runs."""

import asyncio

import pytest

from storage import Database, LobbyFull, NoSuchGame, NotSeated, WrongOrder, WrongStatus, log, seats
from tests.storage.makers import NewGame

NOW = "2026-01-02T03:04:05+00:00"
LATER = "2026-02-03T04:05:06+00:00"


@pytest.fixture
async def lobby(db: Database, new_game: NewGame) -> int:
    game = await new_game(db)
    for user_id, name in ((1, "Ann"), (2, "Bob"), (3, "Cal")):
        await seats.join(db, game.id, user_id, name, now=NOW)
    return game.id


async def start(db: Database, game_id: int) -> None:
    await log.commit_start(db, game_id, [log.Entry("start", "{}", "d", "")], now=NOW)


async def layout(db: Database, game_id: int) -> list[tuple[int, str, int]]:
    return [(seat.seat, seat.player_id, seat.user_id) for seat in await seats.seats(db, game_id)]


async def test_seats_are_numbered_as_people_come(db: Database, lobby: int) -> None:
    assert await layout(db, lobby) == [(1, "p1", 1), (2, "p2", 2), (3, "p3", 3)]


async def test_who_leaves_closes_the_row(db: Database, lobby: int) -> None:
    freed = await seats.leave(db, lobby, 2, now=LATER)
    assert freed == seats.Seat(lobby, 2, "p2", 2, "Bob")
    assert await layout(db, lobby) == [(1, "p1", 1), (2, "p2", 3)]
    assert (await seats.join(db, lobby, 4, "Dee", now=LATER)).seat == 3


async def test_one_person_may_hold_several_seats_and_leaves_the_last(db: Database, lobby: int) -> None:
    await seats.join(db, lobby, 1, "Ann", now=NOW)
    assert (await seats.leave(db, lobby, 1, now=LATER)).seat == 4
    assert await layout(db, lobby) == [(1, "p1", 1), (2, "p2", 2), (3, "p3", 3)]


async def test_who_is_not_there_cannot_leave(db: Database, lobby: int) -> None:
    with pytest.raises(NotSeated, match="no seat"):
        await seats.leave(db, lobby, 99, now=NOW)


async def test_a_full_table_takes_nobody_however_many_come_at_once(db: Database, lobby: int) -> None:
    outcomes = await asyncio.gather(
        *(seats.join(db, lobby, user_id, "New", most=4, now=NOW) for user_id in range(10, 15)),
        return_exceptions=True,
    )
    full = [str(outcome) for outcome in outcomes if isinstance(outcome, LobbyFull)]
    assert full == [f"All 4 seats of game {lobby} are taken."] * 4
    assert len(await seats.seats(db, lobby)) == 4


async def test_the_order_is_given_by_people(db: Database, lobby: int) -> None:
    after = await seats.reorder(db, lobby, [3, 1, 2])
    assert after == await seats.seats(db, lobby)
    assert [(seat.player_id, seat.display_name) for seat in after] == [
        ("p1", "Cal"), ("p2", "Ann"), ("p3", "Bob"),
    ]  # fmt: skip


@pytest.mark.parametrize("order", [[1, 2], [1, 2, 4], [1, 2, 3, 3], [1, 1, 2]])
async def test_an_order_that_does_not_fit_changes_nothing(db: Database, lobby: int, order: list[int]) -> None:
    with pytest.raises(WrongOrder):
        await seats.reorder(db, lobby, order)
    assert await layout(db, lobby) == [(1, "p1", 1), (2, "p2", 2), (3, "p3", 3)]


async def test_who_holds_two_seats_is_named_twice_in_an_order(db: Database, lobby: int) -> None:
    await seats.join(db, lobby, 1, "Ann once more", now=NOW)
    after = await seats.reorder(db, lobby, [1, 1, 3, 2])
    assert [seat.display_name for seat in after] == ["Ann", "Ann once more", "Cal", "Bob"]


async def test_a_running_game_keeps_its_seats(db: Database, lobby: int) -> None:
    await start(db, lobby)
    before = await layout(db, lobby)
    for attempt in (
        seats.join(db, lobby, 9, "Eve", now=NOW),
        seats.leave(db, lobby, 1, now=NOW),
        seats.reorder(db, lobby, [3, 2, 1]),
    ):
        with pytest.raises(WrongStatus):
            await attempt
    assert await layout(db, lobby) == before


async def test_coming_and_going_is_remembered(db: Database, lobby: int) -> None:
    await seats.leave(db, lobby, 2, now=LATER)
    assert [(line.user_id, line.event, line.at) for line in await seats.memberships(db, lobby)] == [
        (1, "joined", NOW), (2, "joined", NOW), (3, "joined", NOW), (2, "left", LATER),
    ]  # fmt: skip


async def test_a_game_that_is_not_there_has_no_history(db: Database) -> None:
    with pytest.raises(NoSuchGame):
        await seats.memberships(db, 99)
