"""Seats: taken and left in the lobby, put in order, and handed over while the game runs."""

import asyncio

import pytest

from storage import Database, clocks, games, log, seats
from storage.clocks import ClockChanges, ClockTurn, Pause
from storage.contract import fetch
from storage.errors import InvalidSeatingOrder, LobbyFull, NoSuchGame, NotSeated, WrongStatus
from storage.overviews import Overview, overviews_of_server, overviews_of_user
from storage.personal_data import CARETAKER_USER
from storage.seats import SeatEntry
from tests.storage.makers import ANN, BOB, LATER, NOW, START, line, move, new_game
from tests.support.unsent import unsent

CAL, DEE = 300, 400


@pytest.fixture
async def lobby(db: Database) -> int:
    game = await new_game(db)
    for user, name in ((ANN, "Ann"), (BOB, "Bob"), (CAL, "Cal")):
        await seats.join_game(db, game.id, user, name, now=NOW)
    return game.id


async def started(db: Database) -> int:
    """A game of Ann and Bob with two rows that waits for Bob."""
    game = (await new_game(db)).id
    for user, name in ((ANN, "Ann"), (BOB, "Bob")):
        await seats.join_game(db, game, user, name, now=NOW)
    await log.commit_start(db, game, [START], now=NOW)
    await move(db, game, 1)
    insert = "INSERT INTO notifications (game_id, player_id, seq, since, stage, at, due_at)"
    await db.write(lambda tx: tx.run(f"{insert} VALUES (?, 'p2', 1, ?, 0, ?, ?)", game, NOW, NOW, NOW))
    return game


@pytest.fixture
async def played(db: Database) -> int:
    return await started(db)


def entry(role: seats.SeatRole, user: int, player: str = "p1", until: str | None = None) -> SeatEntry:
    return SeatEntry(player, role, user, f"User {user}", 2, until, NOW)


async def assign(db: Database, game: int, one: SeatEntry) -> list[SeatEntry]:
    """Somebody plays for a seat from now on; all that did."""
    await seats.record_seat_change(db, game, one, notices=[])
    return await seats.seat_entries(db, game)


async def layout(db: Database, game: int) -> list[tuple[str, int]]:
    taken = await seats.seats(db, game)
    assert [seat.seat for seat in taken] == list(range(1, len(taken) + 1))
    return [(seat.player_id, seat.user_id) for seat in taken]


async def test_seats_close_up(db: Database, lobby: int) -> None:
    """A person may hold several, and leaves the last; coming and going is remembered."""
    await seats.join_game(db, lobby, ANN, "Ann", now=NOW)
    assert await layout(db, lobby) == [("p1", ANN), ("p2", BOB), ("p3", CAL), ("p4", ANN)]
    assert (await seats.leave_game(db, lobby, ANN, now=LATER)).seat == 4
    assert await seats.leave_game(db, lobby, BOB, now=LATER) == seats.Seat(lobby, 2, "p2", BOB, "Bob")
    assert await layout(db, lobby) == [("p1", ANN), ("p2", CAL)]
    assert (await seats.join_game(db, lobby, DEE, "Dee", now=LATER)).seat == 3
    with pytest.raises(NotSeated, match="no seat"):
        await seats.leave_game(db, lobby, 99, now=NOW)
    known = [(one.user_id, one.event, one.at) for one in await seats.lobby_changes(db, lobby)]
    came, left = (
        [(user, "joined", NOW) for user in (ANN, BOB, CAL, ANN)],
        [(ANN, "left", LATER), (BOB, "left", LATER)],
    )
    assert known == [*came, *left, (DEE, "joined", LATER)]
    with pytest.raises(NoSuchGame):
        await seats.lobby_changes(db, 99)


async def test_full_table_takes_nobody(db: Database, lobby: int) -> None:
    """However many come at once."""
    coming = (seats.join_game(db, lobby, user, "New", max_seats=4, now=NOW) for user in range(10, 15))
    outcomes = await asyncio.gather(*coming, return_exceptions=True)
    full = [str(outcome) for outcome in outcomes if isinstance(outcome, LobbyFull)]
    assert full == [f"All 4 seats of game {lobby} are taken."] * 4
    assert len(await seats.seats(db, lobby)) == 4


async def test_order_is_given_by_people(db: Database, lobby: int) -> None:
    for order in ([ANN, BOB], [ANN, BOB, DEE], [ANN, BOB, CAL, CAL], [ANN, ANN, BOB]):
        with pytest.raises(InvalidSeatingOrder):
            await seats.reorder_seats(db, lobby, order)
    assert await layout(db, lobby) == [("p1", ANN), ("p2", BOB), ("p3", CAL)]
    await seats.join_game(db, lobby, ANN, "Ann once more", now=NOW)
    after = await seats.reorder_seats(db, lobby, [CAL, ANN, ANN, BOB])
    assert after == await seats.seats(db, lobby)
    assert [seat.display_name for seat in after] == ["Cal", "Ann", "Ann once more", "Bob"]


async def test_running_game_keeps_its_seats(db: Database, lobby: int) -> None:
    await log.commit_start(db, lobby, [START], now=NOW)
    before = await layout(db, lobby)
    for attempt in (
        seats.join_game(db, lobby, 9, "Eve", now=NOW),
        seats.leave_game(db, lobby, ANN, now=NOW),
        seats.reorder_seats(db, lobby, [CAL, BOB, ANN]),
    ):
        with pytest.raises(WrongStatus):
            await attempt
    assert await layout(db, lobby) == before


async def test_start_says_who_sits_where(db: Database) -> None:
    """A caretaker where nobody has the seat."""
    game = await new_game(db)
    for user, name in ((ANN, "Ann"), (CARETAKER_USER, "Caretaker"), (CARETAKER_USER, "Caretaker (2)")):
        await seats.join_game(db, game.id, user, name, now=NOW)
    await log.commit_start(db, game.id, [START], now=LATER)
    found = await seats.seat_entries(db, game.id)
    assert found[0] == SeatEntry("p1", "holder", ANN, "Ann", 0, None, LATER)
    assert [one.role for one in found] == ["holder", "caretaker", "caretaker"]
    assert seats.players_with_role("caretaker", found) == {"p2", "p3"}


async def test_seat_changes_hands_once(db: Database, played: int) -> None:
    ended, runs, of_bob = ClockTurn("p1", 1, NOW, ended=2), ClockTurn("p1", 2, NOW), ClockTurn("p2", 2, NOW)
    await clocks.store_clock_changes(db, played, ClockChanges((ended, runs, of_bob)), seq=2, now=NOW)
    dee, said = entry("holder", DEE), [line("Dee plays for Ann")]
    before = await log.read_rows(db, played)
    await seats.replace_holder(db, played, dee, leaving_user=ANN, notices=said)
    with pytest.raises(NotSeated, match="now has another player"):
        await seats.replace_holder(db, played, dee, leaving_user=ANN, notices=said)
    assert await layout(db, played) == [("p1", DEE), ("p2", BOB)]
    assert [(one.user_id, one.since) for one in await seats.seat_entries(db, played)] == [
        (ANN, 0),
        (BOB, 0),
        (DEE, 2),
    ]
    assert [(row.seq, row.payload) for row in await unsent(db)] == [(2, "Dee plays for Ann")]
    assert await log.read_rows(db, played) == before
    assert [[game.id for game in await games.games_of_user(db, user)] for user in (DEE, ANN)] == [
        [played],
        [],
    ]
    assert await fetch(db, clocks.turns_query(played)) == [ended, of_bob]


async def test_finished_game_keeps_its_seats(db: Database, played: int) -> None:
    await games.finish_game(db, played)
    dee = entry("holder", DEE)
    for attempt in (
        seats.replace_holder(db, played, dee, leaving_user=ANN, notices=[]),
        seats.record_seat_change(db, played, dee, notices=[]),
    ):
        with pytest.raises(WrongStatus):
            await attempt


async def test_overview_of_a_persons_games(db: Database) -> None:
    """Open and running ones, with a seat or where they stand in: with players, whom they wait for, and the pause."""
    held, stood_in, ended, foreign = [await started(db) for _ in range(4)]
    await games.finish_game(db, ended)
    lobby, other = [(await new_game(db)).id for _ in range(2)]
    for game, user, name in ((lobby, DEE, "Dee"), (other, BOB, "Bob")):
        await seats.join_game(db, game, user, name, now=NOW)
    for game, until in ((stood_in, LATER), (foreign, NOW)):
        await assign(db, game, entry("substitute", DEE, "p2", until))
    dee, pause = SeatEntry("p1", "holder", DEE, "Dee", 2, None, NOW), Pause(ANN, LATER, NOW)
    await seats.replace_holder(db, held, dee, leaving_user=ANN, notices=[])
    await clocks.start_pause(db, stood_in, pause, seq=1, notices=[])
    assert [one.row.id for one in await overviews_of_user(db, BOB, NOW)] == [held, stood_in, foreign, other]
    rows = [await games.get_game(db, game) for game in (held, stood_in, lobby)]
    assert await overviews_of_user(db, DEE, NOW) == [
        Overview(rows[0], {"p1": "Dee", "p2": "Bob"}, {"p1": DEE, "p2": BOB}, ("p2",), None),
        Overview(rows[1], {"p1": "Ann", "p2": "Bob"}, {"p1": ANN, "p2": DEE}, ("p2",), pause),
        Overview(rows[2], {"p1": "Dee"}, {"p1": DEE}, (), None),
    ]
    assert [one.row.id for one in await overviews_of_server(db, 10, NOW)] == [
        held,
        stood_in,
        foreign,
        lobby,
        other,
    ]
    assert await overviews_of_server(db, 11, NOW) == []
