"""Positions on the way of a game: stored with their row or not at all, bounded, gone with what is undone."""

import pytest

from storage import ConstraintBroken, Database, NoSuchGame, StaleSequence, Transaction, log, positions
from storage.log import Entry
from storage.positions import AddPosition, DropPositions, Position, PositionMark, StoredState
from tests.storage.makers import Act, RunningGame, Undo

NOW = "2026-01-02T03:04:05+00:00"
TEXT = '{"players": [["p1", "Zoë"]]}'


@pytest.fixture
async def stored(db: Database, game_id: int, act: Act) -> int:
    """A running game of three rows, with the position after the last."""
    await log.commit_move(db, game_id, 1, [act(), act(digest="d3")], now=NOW, changes=AddPosition("d3", TEXT))
    return game_id


def chapter(seq: int, since: int, state: str | None = TEXT) -> Position:
    """A chapter that ends with a row, whose digest is that of the fixture's last."""
    return Position(seq, f"d{seq}", state, since, "1", "[]")


async def test_a_position_is_that_after_the_last_row_it_is_stored_with(db: Database, stored: int) -> None:
    assert await positions.marks(db, stored) == [PositionMark(3, "d3", True, None, None)]
    assert await positions.state(db, stored, 3) == TEXT
    assert await positions.state(db, stored, 2) is None


async def test_a_refused_move_keeps_no_position(db: Database, stored: int, act: Act) -> None:
    with pytest.raises(StaleSequence):
        await log.commit_move(db, stored, 2, [act()], now=NOW, changes=AddPosition("d4", TEXT))
    assert [mark.seq for mark in await positions.marks(db, stored)] == [3]


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
    assert [mark.seq for mark in await positions.marks(db, stored)] == [3, 4]
    assert [mark.seq for mark in await positions.marks(db, other)] == [2]


async def test_no_game_keeps_more_positions_than_it_may(
    db: Database, stored: int, act: Act, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its moves are stored all the same."""
    monkeypatch.setattr(positions, "MOST", 2)
    for seq in (4, 5):
        await log.commit_move(
            db, stored, seq - 1, [act(digest=f"d{seq}")], now=NOW, changes=AddPosition(f"d{seq}", TEXT)
        )
    assert [mark.seq for mark in await positions.marks(db, stored)] == [3, 4]
    assert await log.last_seq(db, stored) == 5


async def test_the_nearest_position_is_the_last_up_to_a_row(db: Database, stored: int, act: Act) -> None:
    await log.commit_move(db, stored, 3, [act(), act(digest="d5")], now=NOW, changes=AddPosition("d5", "{}"))
    assert await positions.nearest(db, stored, 2) is None
    assert await positions.nearest(db, stored, 3) == StoredState(3, "d3", TEXT)
    assert await positions.nearest(db, stored, 4) == StoredState(3, "d3", TEXT)
    assert await positions.nearest(db, stored, 9) == StoredState(5, "d5", "{}")


async def test_a_chapter_joins_the_position_that_is_there(db: Database, stored: int) -> None:
    assert await positions.add(db, stored, 3, [chapter(2, 1), chapter(3, 2)])
    assert await positions.marks(db, stored) == [
        PositionMark(2, "d2", True, 1, "1"),
        PositionMark(3, "d3", True, 2, "1"),
    ]
    assert await positions.chapters(db, stored, [3]) == {3: "[]"}
    assert await positions.chapters(db, stored, []) == {}


async def test_a_chapter_without_a_position_leaves_the_one_that_is_there(db: Database, stored: int) -> None:
    await positions.add(db, stored, 3, [chapter(2, 1, None), chapter(3, 2, None)])
    assert [mark.has_state for mark in await positions.marks(db, stored)] == [False, True]
    assert await positions.state(db, stored, 3) == TEXT


async def test_what_was_made_of_a_log_is_not_stored_once_an_undo_may_have_struck_it(
    db: Database, stored: int, act: Act, undo: Undo
) -> None:
    await log.commit_move(db, stored, 3, [undo(2)], now=NOW, changes=DropPositions(2))
    assert not await positions.add(db, stored, 3, [chapter(3, 1)])
    assert await positions.marks(db, stored) == []
    await log.commit_move(db, stored, 4, [act()], now=NOW)
    assert await positions.add(db, stored, 4, [chapter(2, 1)])


async def test_of_a_game_that_is_not_there_nothing_is_stored(db: Database) -> None:
    with pytest.raises(NoSuchGame):
        await positions.add(db, 99, 3, [chapter(3, 1)])


async def test_what_is_torn_is_not_there(db: Database, stored: int) -> None:
    """The reader makes it anew."""
    await positions.add(db, stored, 3, [chapter(3, 1)])

    async def tear(tx: Transaction) -> None:
        await tx.run("UPDATE positions SET state = ?, chapter = ?", b"torn", b"torn")

    await db.write(tear)
    assert await positions.state(db, stored, 3) is None
    assert await positions.nearest(db, stored, 3) is None
    assert await positions.chapters(db, stored, [3]) == {}


async def test_what_is_thrown_away_is_gone_after_those_rows_alone(db: Database, stored: int) -> None:
    await positions.add(db, stored, 3, [chapter(2, 1), chapter(3, 2)])
    await positions.drop(db, stored, [2])
    assert [mark.seq for mark in await positions.marks(db, stored)] == [3]


async def test_without_positions_a_game_is_stored_as_before(db: Database, game_id: int, act: Act) -> None:
    entries: list[Entry] = [act(), act()]
    assert await log.commit_move(db, game_id, 1, entries, now=NOW) == 3
    assert await positions.marks(db, game_id) == []
