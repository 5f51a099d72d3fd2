"""The state after the last row of a log: always that one, or none; stored with its row or not at all."""

from collections.abc import Awaitable, Callable

import pytest

from storage import ConstraintBroken, Database, NoSuchGame, StaleSequence, StateDamaged, games, log, positions
from storage.log import Entry
from storage.positions import StoredState
from tests.storage.makers import Damage

NOW = "2026-01-02T03:04:05+00:00"

Act = Callable[..., Entry]


@pytest.fixture
async def stored(db: Database, game_id: int, act: Act) -> StoredState:
    """A running game whose second move was stored with the state after it."""
    await log.commit_move(db, game_id, 1, [act(), act(digest="d3")], now=NOW, state="after 3")
    return StoredState(3, "d3", "after 3")


async def count(db: Database) -> int:
    found = await db.read(lambda tx: tx.row("SELECT COUNT(*) FROM states"))
    assert found is not None
    return int(found[0])


async def test_a_game_can_be_taken_up_from_its_first_row(
    db: Database, new_game: Callable[[Database], Awaitable[games.GameRow]]
) -> None:
    game = await new_game(db)
    assert await log.kept_state(db, game.id) is None
    await log.commit_start(db, game.id, [Entry("start", "{}", "d1", "")], now=NOW, state="{}")
    assert await log.kept_state(db, game.id) == StoredState(1, "d1", "{}")


async def test_the_state_is_that_after_the_last_of_the_rows_stored_with_it(
    db: Database, game_id: int, stored: StoredState
) -> None:
    assert await log.kept_state(db, game_id) == stored


async def test_each_move_replaces_the_state_of_the_one_before(
    db: Database, game_id: int, stored: StoredState, act: Act
) -> None:
    await log.commit_move(db, game_id, stored.seq, [act(digest="d4")], now=NOW, state="é– after 4")
    assert await log.kept_state(db, game_id) == StoredState(4, "d4", "é– after 4")
    assert await count(db) == 1


async def test_an_undo_keeps_the_state_the_game_went_back_to(
    db: Database, game_id: int, stored: StoredState
) -> None:
    undo = Entry("undo", log.undo_payload(1), "d1", "p1", 7)
    await log.commit_move(db, game_id, stored.seq, [undo], now=NOW, state="after 1")
    assert await log.kept_state(db, game_id) == StoredState(4, "d1", "after 1")


async def test_a_move_without_a_state_leaves_no_stale_one(
    db: Database, game_id: int, stored: StoredState, act: Act
) -> None:
    await log.commit_move(db, game_id, stored.seq, [act()], now=NOW)
    assert await log.kept_state(db, game_id) is None


async def test_each_game_keeps_its_own(
    db: Database,
    game_id: int,
    stored: StoredState,
    running_game: Callable[[Database], Awaitable[int]],
    act: Act,
) -> None:
    other = await running_game(db)
    await log.commit_move(db, other, 1, [act()], now=NOW, state="of the other")
    await log.commit_move(db, other, 2, [act()], now=NOW)
    assert await log.kept_state(db, game_id) == stored


async def test_a_game_that_is_not_there_has_no_state(db: Database) -> None:
    with pytest.raises(NoSuchGame):
        await log.kept_state(db, 99)


async def test_a_refused_move_leaves_the_state_before_it(
    db: Database, game_id: int, stored: StoredState, act: Act
) -> None:
    with pytest.raises(StaleSequence):
        await log.commit_move(db, game_id, 2, [act()], now=NOW, state="of nothing stored")
    assert await log.kept_state(db, game_id) == stored


async def test_a_state_that_is_refused_takes_the_move_with_it(
    db: Database, game_id: int, stored: StoredState, act: Act
) -> None:
    with pytest.raises(ConstraintBroken):
        await log.commit_move(db, game_id, stored.seq, [act()], now=NOW, state=b"no text")  # type: ignore[arg-type]
    assert await log.last_seq(db, game_id) == stored.seq
    assert await log.kept_state(db, game_id) == stored


async def test_a_state_belongs_to_a_row_that_is_there(db: Database, game_id: int) -> None:
    with pytest.raises(ConstraintBroken, match=r"(?i)foreign key"):
        await db.write(lambda tx: positions.replace_last(tx, game_id, StoredState(2, "d2", "of no row")))


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO log SELECT game_id, 4, kind, payload, digest, actor, user_id, created_at "
        "FROM log WHERE seq = 3",
        "UPDATE states SET seq = 2",
        "UPDATE states SET digest = 'other'",
        "UPDATE log SET digest = 'other' WHERE seq = 3",
        "DELETE FROM log WHERE seq = 3",
    ],
)
async def test_a_state_that_is_not_that_of_the_last_row_is_never_returned(
    damage: Damage, db: Database, game_id: int, stored: StoredState, statement: str
) -> None:
    await damage(statement)
    with pytest.raises(StateDamaged, match=f"position kept for game {game_id} is not the one after its last"):
        await log.kept_state(db, game_id)


async def test_the_next_move_repairs_what_was_damaged(
    db: Database, game_id: int, stored: StoredState, act: Act
) -> None:
    await db.write(lambda tx: tx.run("UPDATE states SET digest = 'other'"))
    await log.commit_move(db, game_id, stored.seq, [act(digest="d4")], now=NOW, state="after 4")
    assert await log.kept_state(db, game_id) == StoredState(4, "d4", "after 4")
