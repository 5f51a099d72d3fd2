"""Who plays for which seat from which move on: a replacement changes the seat, and keeps who sat there before."""

import pytest

from storage import Database, NotSeated, StorageError, WrongStatus, clocks, games, log, proposals, seats
from storage.clocks import Ticking, Turn
from storage.contract import ask
from storage.outbox import OutboxMessage
from storage.personal_data import CARETAKER
from storage.seats import SeatEntry
from storage.shards import ShardSet
from tests.storage.full_games import ANN, full_game
from tests.storage.makers import Act, NewGame
from tests.support.unsent import unsent

NOW = "2026-01-02T03:04:05+00:00"
LATER = "2026-02-03T04:05:06+00:00"
DEE = SeatEntry("p1", "holder", 4, "Dee", 2, None, LATER)


@pytest.fixture
async def played(db: Database, new_game: NewGame, act: Act) -> int:
    """A game of Ann and Bob with its start and one move."""
    game = await new_game(db)
    for user_id, name in ((1, "Ann"), (2, "Bob")):
        await seats.join(db, game.id, user_id, name, now=NOW)
    await log.commit_start(db, game.id, [log.Entry("start", "{}", "d1", "")], now=NOW)
    await log.commit_move(db, game.id, 1, [act()], now=NOW)
    return game.id


async def test_a_start_says_who_sits_where(db: Database, played: int) -> None:
    found = await seats.entries(db, played)
    assert [(s.player_id, s.role, s.user_id, s.display_name, s.since) for s in found] == [
        ("p1", "holder", 1, "Ann", 0), ("p2", "holder", 2, "Bob", 0),
    ]  # fmt: skip


async def test_a_replacement_has_the_seat_and_who_sat_there_before_stays_known(
    db: Database, played: int
) -> None:
    before = await log.read(db, played)
    await seats.replace_holder(
        db, played, DEE, leaving=1, notices=[OutboxMessage("line", "Dee plays for Ann")]
    )
    assert [(s.player_id, s.user_id) for s in await seats.seats(db, played)] == [("p1", 4), ("p2", 2)]
    assert [(s.user_id, s.since) for s in await seats.entries(db, played)] == [(1, 0), (2, 0), (4, 2)]
    assert [(row.seq, row.payload) for row in await unsent(db)] == [(2, "Dee plays for Ann")]
    assert await log.read(db, played) == before
    assert [game.id for game in await games.games_of_user(db, 4)] == [played]
    assert await games.games_of_user(db, 1) == []


async def test_a_seat_that_changed_hands_meanwhile_is_not_given_away(db: Database, played: int) -> None:
    await seats.replace_holder(db, played, DEE, leaving=1, notices=[])
    with pytest.raises(NotSeated, match="has a new player"):
        await seats.replace_holder(db, played, DEE, leaving=1, notices=[OutboxMessage("line", "twice")])
    assert len(await seats.entries(db, played)) == 3
    assert await unsent(db) == []


async def test_whoever_takes_over_a_seat_begins_with_a_fresh_clock(db: Database, played: int) -> None:
    ended, runs, of_bob = Turn("p1", 1, NOW, ended=2), Turn("p1", 2, NOW), Turn("p2", 2, NOW)
    await clocks.tick(db, played, Ticking((ended, runs, of_bob)), seq=2, now=NOW)
    await seats.replace_holder(db, played, DEE, leaving=1, notices=[])
    assert await ask(db, clocks.turns_question(played)) == [ended, of_bob]


async def test_a_seat_is_given_away_in_a_running_game_only(db: Database, played: int) -> None:
    await games.finish(db, played)
    with pytest.raises(WrongStatus):
        await seats.replace_holder(db, played, DEE, leaving=1, notices=[])


async def test_a_substitute_plays_until_the_time_set_or_until_the_holder_is_back(
    db: Database, played: int
) -> None:
    eve = SeatEntry("p2", "substitute", 5, "Eve", 2, LATER, NOW)
    await seats.assign(db, played, eve, notices=[])
    found = await seats.entries(db, played)
    assert seats.substitutes(found, NOW) == {"p2": eve}
    assert seats.substitutes(found, LATER) == {}
    await seats.assign(db, played, SeatEntry("p2", "holder", 2, "Bob", 2, None, NOW), notices=[])
    assert seats.substitutes(await seats.entries(db, played), NOW) == {}
    assert [s.user_id for s in await seats.seats(db, played)] == [1, 2]


async def test_the_table_plays_a_seat_from_a_row_on_and_the_proposal_is_accepted_with_it(
    db: Database, played: int
) -> None:
    proposal = await proposals.propose(db, played, "absence", "{}", by_user=2, now=NOW, until=LATER, seq=2)
    away = SeatEntry("p1", "group", 1, "Ann", 2, None, NOW)
    await seats.assign(db, played, away, proposal=proposal, notices=[OutboxMessage("line", "by agreement")])
    assert seats.played_by("group", await seats.entries(db, played)) == {"p1"}
    assert seats.substitutes(await seats.entries(db, played), NOW) == {}
    found = await proposals.find(db, played, 1)
    assert found is not None
    assert found[0].state == "accepted"
    assert [s.user_id for s in await seats.seats(db, played)] == [1, 2]
    await seats.assign(db, played, SeatEntry("p1", "holder", 1, "Ann", 2, None, NOW), notices=[])
    assert seats.played_by("group", await seats.entries(db, played)) == frozenset()


async def test_a_substitute_whose_time_is_over_is_found_once(db: Database, played: int) -> None:
    eve = SeatEntry("p2", "substitute", 5, "Eve", 2, LATER, NOW)
    await seats.assign(db, played, eve, notices=[])
    assert await seats.ended_substitutions(db, NOW) == []
    assert await seats.ended_substitutions(db, LATER) == [(played, "p2")]
    assert await seats.ended_substitutions(db, LATER, ShardSet((1,), 2)) == []
    await seats.assign(db, played, SeatEntry("p2", "holder", 2, "Bob", 2, None, LATER), notices=[])
    assert await seats.ended_substitutions(db, LATER) == []


@pytest.mark.parametrize("statement", ["DELETE FROM seat_history", "UPDATE seat_history SET since = 9"])
async def test_no_sitting_is_changed_or_taken_away(db: Database, played: int, statement: str) -> None:
    with pytest.raises(StorageError):
        await db.write(lambda tx: tx.run(statement))
    assert len(await seats.entries(db, played)) == 2


async def test_a_caretaker_sits_from_the_start_where_nobody_has_the_seat(
    db: Database, new_game: NewGame
) -> None:
    game = await new_game(db)
    for user_id, name in ((1, "Ann"), (CARETAKER, "Caretaker"), (CARETAKER, "Caretaker (2)")):
        await seats.join(db, game.id, user_id, name, now=NOW)
    await log.commit_start(db, game.id, [log.Entry("start", "{}", "d1", "")], now=NOW)
    found = await seats.entries(db, game.id)
    assert [one.role for one in found] == ["holder", "caretaker", "caretaker"]
    assert seats.played_by("caretaker", found) == {"p2", "p3"}


async def test_games_with_a_caretaker_are_found_while_it_plays_and_they_run(
    db: Database, played: int
) -> None:
    assert await seats.games_with_caretaker(db) == []
    await seats.assign(db, played, SeatEntry("p1", "caretaker", 1, "Ann", 2, None, LATER), notices=[])
    assert await seats.games_with_caretaker(db) == [played]
    assert await seats.games_with_caretaker(db, ShardSet((1,), 2)) == []
    await seats.assign(db, played, SeatEntry("p1", "holder", 1, "Ann", 2, None, LATER), notices=[])
    assert await seats.games_with_caretaker(db) == []


async def test_the_proposal_that_gives_a_seat_to_somebody_is_accepted_with_it(
    db: Database, new_game: NewGame
) -> None:
    game = await full_game(db, new_game, 10)
    newcomer = SeatEntry("p1", "holder", 300, "Cy", 4, None, LATER)
    [proposal, *_] = await proposals.standing(db, game, NOW)
    await seats.replace_holder(db, game, newcomer, leaving=ANN, proposal=proposal, notices=[])
    found = await proposals.find(db, game, proposal.number)
    assert found is not None
    assert found[0].state == "accepted"


async def test_nobody_substitutes_in_a_game_that_is_over(db: Database, game_id: int) -> None:
    await games.finish(db, game_id)
    with pytest.raises(WrongStatus):
        await seats.assign(db, game_id, SeatEntry("p1", "substitute", 300, "Cy", 1, None, LATER), notices=[])
