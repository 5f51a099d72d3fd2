"""The state after the last row of a log, and positions on the way there: stored with their rows, never stale."""

import pytest

from storage import Database, log, positions
from storage.errors import ConstraintBroken, NoSuchGame, StateDamaged
from storage.positions import AddPosition, DropPositions, StoredState
from tests.storage.makers import NOW, START, Damage, act, change, move, new_game, running_game, undo

TEXT = '{"players": [["p1", "Zoë"]]}'


@pytest.fixture
async def game_id(db: Database) -> int:
    """A running game of three rows, with the state and the position after the last."""
    game = await running_game(db)
    position = AddPosition("d3", TEXT)
    await move(db, game, 1, act(), act(digest="d3"), state="after 3", changes=position)
    return game


async def test_state_is_that_after_the_last_row(db: Database, game_id: int) -> None:
    game = (await new_game(db)).id
    assert await log.stored_state(db, game) is None
    await log.commit_start(db, game, [START], now=NOW, state="{}")
    kept = StoredState(1, "d1", "{}")
    for seq, entry in ((2, act(digest="d2")), (3, undo(1, "d1"))):
        assert await log.stored_state(db, game) == kept
        kept = StoredState(seq, entry.digest, f"é– after {seq}")
        await move(db, game, seq - 1, entry, state=kept.state)
    assert await log.stored_state(db, game) == kept
    assert await db.row("SELECT COUNT(*) FROM states WHERE game_id = ?", game) == (1,)
    await move(db, game, 3)
    assert await log.stored_state(db, game) is None, "a move without a state leaves no stale one"
    assert await log.stored_state(db, game_id) == StoredState(3, "d3", "after 3")
    with pytest.raises(NoSuchGame):
        await log.stored_state(db, 99)


async def test_state_is_stored_again_unless_rows_came(db: Database, game_id: int) -> None:
    again = StoredState(3, "d3", "again")
    await log.store_state(db, game_id, again)
    assert await log.stored_state(db, game_id) == again
    await log.store_state(db, game_id, StoredState(2, "d2", "earlier"))
    assert await log.stored_state(db, game_id) == again
    with pytest.raises(ConstraintBroken, match=r"(?i)foreign key"):
        await db.write(
            lambda tx: positions.replace_last_state(tx, game_id, StoredState(4, "d2", "of no row"))
        )


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO log SELECT game_id, 4, kind, payload, digest, actor, user_id, created_at FROM log WHERE seq = 3",
        "UPDATE states SET seq = 2",
        "UPDATE states SET digest = 'other'",
        "UPDATE log SET digest = 'other' WHERE seq = 3",
        "DELETE FROM log WHERE seq = 3",
    ],
)
async def test_damaged_state_is_never_returned(
    damage: Damage, db: Database, game_id: int, statement: str
) -> None:
    await damage(statement)
    with pytest.raises(StateDamaged, match=f"stored position of game {game_id} does not belong to its last"):
        await log.stored_state(db, game_id)
    seq = await log.last_seq(db, game_id)
    await move(db, game_id, seq, act(digest="new"), state="new")
    assert await log.stored_state(db, game_id) == StoredState(seq + 1, "new", "new"), (
        "the next move repairs it"
    )


async def kept(db: Database, game: int) -> list[int]:
    return await db.numbers("SELECT seq FROM positions WHERE game_id = ? ORDER BY seq", game)


async def test_position_is_found_from_both_sides(db: Database, game_id: int) -> None:
    await move(db, game_id, 3, act(), act(digest="d5"), changes=AddPosition("d5", "{}"))
    third, fifth = StoredState(3, "d3", TEXT), StoredState(5, "d5", "{}")
    before = [await positions.last_position_up_to(db, game_id, seq) for seq in (2, 3, 4, 5, 9)]
    assert before == [None, third, third, fifth, fifth]
    after = [await positions.first_position_from(db, game_id, seq) for seq in (1, 3, 4, 5, 6)]
    assert after == [third, third, fifth, fifth, None]


async def test_undo_drops_the_positions_it_undoes(db: Database, game_id: int) -> None:
    for seq in (4, 5):
        digest = f"d{seq}"
        await move(db, game_id, seq - 1, act(digest=digest), changes=AddPosition(digest, TEXT))
    await move(db, game_id, 5, undo(4), changes=DropPositions(4))
    assert await kept(db, game_id) == [3, 4]
    await positions.drop_position(db, game_id, 3)
    assert await kept(db, game_id) == [4]


async def test_torn_position_is_empty(db: Database, game_id: int) -> None:
    await change(db, "UPDATE positions SET state = ?", b"torn")
    assert await positions.last_position_up_to(db, game_id, 3) == StoredState(3, "d3", "")
