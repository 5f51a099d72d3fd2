"""When the write-ahead log is brought into the file, and the mark by which the file says whether it is whole."""

import asyncio
import logging
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from storage import Database, backups, open_database
from storage.errors import DatabaseUnreadable
from storage.games import finish_game
from storage.sqlite.transactions import (
    COMPLETE_MARK,
    INCOMPLETE_MARK,
    MAX_WAL_BYTES,
    TRANSACTIONS_PER_CHECKPOINT,
    Checkpoints,
    header_mark,
    set_mark,
)
from tests.storage.makers import act, move, running_game
from tests.storage.sqlite.places import killed, last_moves, opened, run


def test_failed_checkpoint_is_tried_again(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """No move fails for it."""
    due = Checkpoints()
    caplog.set_level(logging.WARNING, "stationmaster.storage")
    with closing(sqlite3.connect(path, isolation_level=None)) as conn:
        conn.execute("PRAGMA journal_mode = WAL")
        conn.execute("BEGIN")
        conn.execute("CREATE TABLE t (n INTEGER)")
        for _ in range(2 * TRANSACTIONS_PER_CHECKPOINT):
            due.count_transaction(conn)
        conn.execute("COMMIT")
        for _ in range(TRANSACTIONS_PER_CHECKPOINT):
            due.count_transaction(conn)
    assert [record.levelname for record in caplog.records] == ["WARNING", "WARNING"]
    assert "locked" in caplog.text


async def test_closed_file_needs_no_log(path: Path) -> None:
    """It says itself that it is whole."""
    async with await open_database(path) as db:
        await running_game(db)
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as conn:
        assert header_mark(conn) == COMPLETE_MARK
        assert conn.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    run(path, "PRAGMA journal_mode = WAL")
    assert await last_moves(path) == 1


async def test_program_that_reads_at_the_end(path: Path) -> None:
    """Nobody waits for it as long as for a move, and nothing is lost."""
    db = await open_database(path)
    game = await running_game(db)
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM games").fetchall()
        await finish_game(db, game)
        async with asyncio.timeout(4):
            await db.close()
        assert await last_moves(path) == 1


@pytest.mark.parametrize(
    "statement", ["SELECT * FROM games", "VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)", "ANALYZE"]
)
async def test_tool_that_closes_a_killed_file(
    db: Database, path: Path, tmp_path: Path, game_id: int, statement: str
) -> None:
    """SQLite brings the log into the file when the last program closes it, and removes the log."""
    await move(db, game_id, 1, act(), act())
    left = killed(path, tmp_path / "killed")
    run(left, statement)
    assert not left.with_name(f"{left.name}-wal").exists()
    assert backups.integrity_check_result(left) == "ok"
    assert await last_moves(left) == 3


@pytest.mark.parametrize("rewritten", [False, True])
async def test_parted_file_is_refused(
    db: Database, path: Path, tmp_path: Path, game_id: int, rewritten: bool
) -> None:
    """Whatever is done to it; with its log it has every move."""
    await move(db, game_id, 1)
    alone = killed(path, tmp_path / "alone", log=False)
    if rewritten:
        run(alone, "VACUUM")
    with pytest.raises(DatabaseUnreadable, match="The latest moves of the database"):
        backups.integrity_check_result(alone)
    with pytest.raises(
        DatabaseUnreadable, match=r"The latest moves of the database.*games.sqlite-wal.*restore"
    ):
        await opened(alone)
    assert await last_moves(killed(path, tmp_path / "killed")) == 2


@pytest.mark.parametrize("read", [False, True])
async def test_parted_file_is_known_after_checkpoints(
    db: Database, path: Path, tmp_path: Path, game_id: int, read: bool
) -> None:
    """Also where a reader held them up; without one, the log is begun anew each time."""
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, isolation_level=None)) as reader:
        if read:
            reader.execute("BEGIN")
            reader.execute("SELECT * FROM games").fetchall()
        for seq in range(1, 2 * TRANSACTIONS_PER_CHECKPOINT + 10):
            await move(db, game_id, seq, act("x" * 60_000))
        size = path.with_name(f"{path.name}-wal").stat().st_size
        assert read or (
            size < 2 * MAX_WAL_BYTES and path.stat().st_size > 2 * TRANSACTIONS_PER_CHECKPOINT * 50_000
        )
        with pytest.raises(DatabaseUnreadable, match="The latest moves of the database"):
            await opened(killed(path, tmp_path / "alone", log=False))
        left = killed(path, tmp_path / "killed")
    run(left, "SELECT * FROM games")
    assert await last_moves(left) == 2 * TRANSACTIONS_PER_CHECKPOINT + 10


@pytest.mark.parametrize("checkpointed", [False, True])
async def test_kill_in_the_middle_of_a_checkpoint(
    db: Database, path: Path, tmp_path: Path, game_id: int, checkpointed: bool
) -> None:
    """After the mark that more follows, and after the file has it, the log is still there."""
    await move(db, game_id, 1)
    with closing(sqlite3.connect(path, isolation_level=None)) as same:
        set_mark(same, INCOMPLETE_MARK)
        if checkpointed:
            same.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        left = killed(path, tmp_path / "killed")
    assert await last_moves(left) == 2
    assert backups.integrity_check_result(left) == "ok"
