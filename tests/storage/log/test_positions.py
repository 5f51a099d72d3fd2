"""Positions on the way of a game: stored with their row or not at all, bounded, gone with what is undone."""

import pytest

from storage import ConstraintBroken, Database, StaleSequence, log, positions
from storage.log import Entry
from storage.positions import AddPosition, DropPositions, StoredState
from tests.storage.makers import Act, RunningGame, Undo

NOW = "2026-01-02T03:04:05+00:00"
TEXT = '{"players": [["p1", "Zoë"]]}'


@pytest.fixture
async def stored(db: Database, game_id: int, act: Act) -> int:
    """A running game of three rows, with the position after the last."""
    await log.commit_move(db, game_id, 1, [act(), act(digest="d3")], now=NOW, changes=AddPosition("d3", TEXT))
    return game_id


async def kept(db: Database, game_id: int) -> list[int]:
    return await db.numbers("SELECT seq FROM positions WHERE game_id = ? ORDER BY seq", game_id)


async def test_a_position_is_that_after_the_last_row_it_is_stored_with(db: Database, stored: int) -> None:
    assert await kept(db, stored) == [3]
    assert await positions.last_up_to(db, stored, 9) == StoredState(3, "d3", TEXT)


async def test_a_refused_move_keeps_no_position(db: Database, stored: int, act: Act) -> None:
    with pytest.raises(StaleSequence):
        await log.commit_move(db, stored, 2, [act()], now=NOW, changes=AddPosition("d4", TEXT))
    assert await kept(db, stored) == [3]


async def test_a_position_that_is_refused_takes_the_move_with_it(db: Database, stored: int, act: Act) -> None:
    with pytest.raises(ConstraintBroken):
        await log.commit_move(db, stored, 3, [act()], now=NOW, changes=AddPosition(None, TEXT))  # type: ignore[arg-type]
    assert await log.last_seq(db, stored) == 3


async def test_an_undo_drops_the_positions_it_undoes_and_no_others(
    db: Database, stored: int, act: Act, undo: Undo, running_game: RunningGame
) -> None:
    other = await running_game(db)
    await log.commit_move(db, other, 1, [act(digest="d2")], now=NOW, changes=AddPosition("d2", TEXT))
    for seq in (4, 5):
        await log.commit_move(
            db, stored, seq - 1, [act(digest=f"d{seq}")], now=NOW, changes=AddPosition(f"d{seq}", TEXT)
        )
    await log.commit_move(db, stored, 5, [undo(4)], now=NOW, changes=DropPositions(4))
    assert await kept(db, stored) == [3, 4]
    assert await kept(db, other) == [2]


async def test_no_game_keeps_more_positions_than_it_may(
    db: Database, stored: int, act: Act, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its moves are stored all the same."""
    monkeypatch.setattr(positions, "MOST", 2)
    for seq in (4, 5):
        await log.commit_move(
            db, stored, seq - 1, [act(digest=f"d{seq}")], now=NOW, changes=AddPosition(f"d{seq}", TEXT)
        )
    assert await kept(db, stored) == [3, 4]
    assert await log.last_seq(db, stored) == 5


async def test_position_is_found_from_both_sides(db: Database, stored: int, act: Act) -> None:
    await log.commit_move(db, stored, 3, [act(), act(digest="d5")], now=NOW, changes=AddPosition("d5", "{}"))
    third, fifth = StoredState(3, "d3", TEXT), StoredState(5, "d5", "{}")
    before = [await positions.last_up_to(db, stored, seq) for seq in (2, 3, 4, 5, 9)]
    assert before == [None, third, third, fifth, fifth]
    after = [await positions.first_from(db, stored, seq) for seq in (1, 3, 4, 5, 6)]
    assert after == [third, third, fifth, fifth, None]


async def test_positions_are_added_to_a_new_game(
    db: Database, game_id: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(positions, "MOST", 2)
    made = [StoredState(seq, f"d{seq}", TEXT) for seq in (8, 16, 24)]
    await positions.add(db, game_id, made)
    assert await positions.first_from(db, game_id, 1) == made[0]
    assert await kept(db, game_id) == [8, 16]


async def test_torn_position_is_empty(db: Database, stored: int) -> None:
    await db.write(lambda tx: tx.run("UPDATE positions SET state = ?", b"torn"))
    assert await positions.last_up_to(db, stored, 3) == StoredState(3, "d3", "")


async def test_dropped_position_is_gone(db: Database, stored: int) -> None:
    await positions.add(db, stored, [StoredState(2, "d2", TEXT)])
    await positions.drop(db, stored, 2)
    assert await kept(db, stored) == [3]


async def test_without_positions_a_game_is_stored_as_before(db: Database, game_id: int, act: Act) -> None:
    entries: list[Entry] = [act(), act()]
    assert await log.commit_move(db, game_id, 1, entries, now=NOW) == 3
    assert await kept(db, game_id) == []
