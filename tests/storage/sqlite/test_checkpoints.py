"""When the write-ahead log is brought into the file, and the mark by which the file says whether it is whole."""

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from storage.sqlite import transactions
from storage.sqlite.transactions import (
    LOG_BYTES,
    MORE_FOLLOWS,
    WHOLE,
    Checkpoints,
    checkpoint,
    empty_log,
    mark,
    marked,
)


@pytest.fixture
def conn(path: Path) -> Iterator[sqlite3.Connection]:
    """An open file with a log."""
    with closing(sqlite3.connect(path, isolation_level=None)) as found:
        found.execute("PRAGMA journal_mode = WAL")
        found.execute("CREATE TABLE t (n INTEGER)")
        yield found


def limit(conn: sqlite3.Connection) -> int:
    """To how many bytes the log is cut back."""
    return int(conn.execute("PRAGMA journal_size_limit").fetchone()[0])


def after_each_of(count: int, due: Checkpoints, conn: sqlite3.Connection, made: list[object]) -> list[int]:
    """The number of checkpoints made after each of N transactions."""
    found = []
    for _ in range(count):
        due.written(conn)
        found.append(len(made))
    return found


def test_the_log_is_brought_into_the_file_after_each_sixty_four_transactions(
    conn: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[object] = []
    monkeypatch.setattr(transactions, "checkpoint", made.append)
    assert after_each_of(129, Checkpoints(), conn, made) == [0] * 63 + [1] * 64 + [2, 2]


def test_a_checkpoint_that_fails_is_logged_and_tried_again_later(
    conn: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tried: list[object] = []

    def fails(conn: sqlite3.Connection) -> None:
        tried.append(conn)
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr(transactions, "checkpoint", fails)
    with caplog.at_level(logging.WARNING, "stationmaster.storage"):
        assert after_each_of(129, Checkpoints(), conn, tried)[-3:] == [1, 2, 2]
    assert [record.levelname for record in caplog.records] == ["WARNING", "WARNING"]
    assert "disk I/O error" in caplog.text


def test_who_begins_takes_over_from_sqlite_and_bounds_the_log(conn: sqlite3.Connection) -> None:
    Checkpoints().begin(conn)
    assert conn.execute("PRAGMA wal_autocheckpoint").fetchone()[0] == 0
    assert limit(conn) == LOG_BYTES == 4 * 1024 * 1024
    assert marked(conn) == WHOLE


def test_after_a_checkpoint_the_file_says_that_more_follows_and_the_log_that_all_is_whole(
    conn: sqlite3.Connection, path: Path
) -> None:
    statements: list[str] = []
    conn.set_trace_callback(statements.append)
    checkpoint(conn)
    conn.set_trace_callback(None)
    assert statements == [
        *("PRAGMA application_id", f"PRAGMA application_id = {MORE_FOLLOWS}"),
        "PRAGMA wal_checkpoint(PASSIVE)",
        *("PRAGMA application_id", f"PRAGMA application_id = {WHOLE}"),
    ]
    assert marked(conn) == WHOLE
    header = path.read_bytes()[68:72]
    assert int.from_bytes(header, "big") == MORE_FOLLOWS


def test_a_mark_that_is_there_is_not_written_again(conn: sqlite3.Connection) -> None:
    mark(conn, WHOLE)
    statements: list[str] = []
    conn.set_trace_callback(statements.append)
    mark(conn, WHOLE)
    assert statements == ["PRAGMA application_id"]
    mark(conn, MORE_FOLLOWS)
    conn.set_trace_callback(None)
    assert marked(conn) == MORE_FOLLOWS


def test_the_log_is_emptied_once_and_bounded_as_before(conn: sqlite3.Connection, path: Path) -> None:
    """Also where that fails."""
    Checkpoints().begin(conn)
    conn.executemany("INSERT INTO t VALUES (?)", [(number,) for number in range(100)])
    log = path.with_name(path.name + "-wal")
    assert log.stat().st_size > 100 * 4096
    empty_log(conn)
    assert log.stat().st_size < 2 * 4096  # the mark that all is whole
    assert limit(conn) == LOG_BYTES
    conn.execute("BEGIN")
    with pytest.raises(sqlite3.OperationalError):
        empty_log(conn)
    conn.execute("ROLLBACK")
    assert limit(conn) == LOG_BYTES
