"""Transactions on an SQLite connection, checkpoints, and translation of errors.

A checkpoint copies the write-ahead log into the database file. Between checkpoints, the latest moves are only in the
log, so a copy of the file alone is incomplete and must be recognised as such. Therefore each checkpoint writes
MORE_FOLLOWS_MARK into the file's header. The next transaction sets WHOLE_MARK, but only in the log; closing the
database copies it into the file.
"""

import logging
import sqlite3
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final, Literal, TypeVar

from storage.contract import Query, RowValues, Transaction
from storage.errors import (
    ConstraintBroken,
    DatabaseInUse,
    DatabaseUnreadable,
    StorageError,
    StorageFull,
    StorageReadOnly,
)

T = TypeVar("T")

READ_ONLY_KEYWORDS: Final = ("SELECT", "EXPLAIN", "PRAGMA")
"""First words of SQL statements that only read."""


@contextmanager
def transaction(conn: sqlite3.Connection) -> Iterator[None]:
    """Commit the statements run within the context, or roll all of them back on an error."""
    # IMMEDIATE locks the database for writing at once, so that rows read in this transaction cannot change.
    conn.execute("BEGIN IMMEDIATE")
    try:
        yield
        if not conn.in_transaction:
            raise RuntimeError("the transaction was ended from within")
        conn.execute("COMMIT")
    except BaseException:
        # A full disk may have made SQLite roll back on its own.
        if conn.in_transaction:
            conn.execute("ROLLBACK")
        raise


@contextmanager
def read_only_snapshot(conn: sqlite3.Connection) -> Iterator[None]:
    """Run the statements within the context on one snapshot; writes are rolled back."""
    # `PRAGMA query_only` would make SQLite recompile every statement, also those of the next transaction.
    conn.execute("BEGIN")
    try:
        yield
    finally:
        if conn.in_transaction:
            conn.execute("ROLLBACK")


class Statements:
    """A transaction on an SQLite connection. Its methods are coroutines, but they never suspend."""

    for_update = ""

    def __init__(self, conn: sqlite3.Connection) -> None:
        self._conn = conn

    def _execute(self, sql: str, values: Sequence[object]) -> sqlite3.Cursor:
        return self._conn.execute(sql, values)

    async def rows(self, sql: str, *values: object) -> list[RowValues]:
        return self._execute(sql, values).fetchall()

    async def row(self, sql: str, *values: object) -> RowValues | None:
        # All rows are fetched, since an unfinished statement would block the commit.
        return next(iter(await self.rows(sql, *values)), None)

    async def run(self, sql: str, *values: object) -> int:
        return self._execute(sql, values).rowcount

    async def fetch(self, *queries: Query) -> list[list[RowValues]]:
        return [await self.rows(sql, *values) for sql, values in queries]

    async def put(self, sql: str, *values: object) -> None:
        # All rows are fetched, since an unfinished statement would block the commit.
        self._execute(sql, values).fetchall()

    async def run_many(self, sql: str, values: Sequence[Sequence[object]]) -> None:
        self._conn.executemany(sql, values)


class ReadOnlyStatements(Statements):
    """A read-only transaction on an SQLite connection; a write raises SQLite's error."""

    async def run_many(self, sql: str, values: Sequence[Sequence[object]]) -> None:
        """Raise an error, since `run_many` is only for writes."""
        raise _write_refusal(sql)

    def _execute(self, sql: str, values: Sequence[object]) -> sqlite3.Cursor:
        if not sql.startswith(READ_ONLY_KEYWORDS):
            raise _write_refusal(sql)
        return super()._execute(sql, values)


def _write_refusal(sql: str) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError(f"not while reading: {sql.split()[0]}")
    error.sqlite_errorcode = sqlite3.SQLITE_READONLY
    return error


def run_to_end(work: Callable[[Transaction], Awaitable[T]], statements: Statements) -> T:
    """Run the coroutine `work` to its end in this thread; raises RuntimeError if it suspends."""

    async def awaited_work() -> T:
        return await work(statements)

    coroutine = awaited_work()
    try:
        coroutine.send(None)
    except StopIteration as end:
        result: T = end.value
        return result
    coroutine.close()
    raise RuntimeError("a transaction may wait for nothing but its own statements")


_log = logging.getLogger("stationmaster.storage")

COMPLETE_MARK: Final = 0x31387858
"""Mark of a whole (complete) database file of this program: "18xX" in the header field `application_id`."""
INCOMPLETE_MARK: Final = 0x3138782B
"""Mark of a file whose latest moves are in its write-ahead log: "18x+" in the header field `application_id`."""
OUR_MARKS: Final = (COMPLETE_MARK, INCOMPLETE_MARK)
MAX_WAL_BYTES: Final = 4 * 1024 * 1024
"""Size to which the write-ahead log is cut after a checkpoint; not 0, since it takes time to grow again."""
TRANSACTIONS_PER_CHECKPOINT: Final = 64
"""Number of transactions between two checkpoints: about as many moves as fit into MAX_LOG_BYTES."""


class Checkpoints:
    """Runs a checkpoint of the write-ahead log after every TRANSACTIONS_PER_CHECKPOINT transactions."""

    def __init__(self) -> None:
        self._transactions_left = TRANSACTIONS_PER_CHECKPOINT

    def disable_automatic_checkpoints(self, conn: sqlite3.Connection) -> None:
        """Turn off SQLite's automatic checkpoints, which would not mark the file as incomplete."""
        conn.execute("PRAGMA wal_autocheckpoint = 0")
        conn.execute(f"PRAGMA journal_size_limit = {MAX_WAL_BYTES}")
        checkpoint(conn)

    def count_transaction(self, conn: sqlite3.Connection) -> None:
        """Count a transaction, and run a checkpoint if it is due; a failure is logged, and tried again later."""
        self._transactions_left -= 1
        if self._transactions_left > 0:
            return
        self._transactions_left = TRANSACTIONS_PER_CHECKPOINT
        try:
            checkpoint(conn)
        except sqlite3.Error as error:
            _log.warning("cannot copy the write-ahead log into the database: %s", error)


def checkpoint(conn: sqlite3.Connection, mode: Literal["PASSIVE", "RESTART"] = "PASSIVE") -> None:
    """Copy the write-ahead log into the file with MORE_FOLLOWS_MARK, then set WHOLE_MARK in the log.

    The mode RESTART waits for readers. Neither mode empties the log, so file and log stay complete together even if the
    process is killed in between.
    """
    set_mark(conn, INCOMPLETE_MARK)
    conn.execute(f"PRAGMA wal_checkpoint({mode})").fetchall()
    set_mark(conn, COMPLETE_MARK)


def truncate_wal(conn: sqlite3.Connection) -> None:
    """Copy the write-ahead log into the file and empty the log, unless another program reads the file."""
    conn.execute("PRAGMA journal_size_limit = 0")
    try:
        checkpoint(conn, "RESTART")
    finally:
        conn.execute(f"PRAGMA journal_size_limit = {MAX_WAL_BYTES}")


def set_mark(conn: sqlite3.Connection, mark: int) -> None:
    """Write a mark into the file's header in a separate transaction, unless the header has it already."""
    if header_mark(conn) != mark:
        conn.execute(f"PRAGMA application_id = {mark}")


def header_mark(conn: sqlite3.Connection) -> int:
    """The mark in a database's header, as changed by its write-ahead log; 0 if it has none."""
    return int(conn.execute("PRAGMA application_id").fetchone()[0])


_FILE_DAMAGED = (
    DatabaseUnreadable,
    "The database {path} is damaged, or is not a database. Move it away and restore a backup.",
)
_FILE_IN_USE = (
    DatabaseInUse,
    "The database {path} is in use by another program. Close that program and try again.",
)
_NO_ACCESS = (
    StorageError,
    "The database {path} cannot be opened. Check that its folder exists and that you may read and write there.",
)

_STORAGE_ERRORS_BY_CODE: dict[int, tuple[type[StorageError], str]] = {
    sqlite3.SQLITE_CORRUPT: _FILE_DAMAGED,
    sqlite3.SQLITE_NOTADB: _FILE_DAMAGED,
    sqlite3.SQLITE_BUSY: _FILE_IN_USE,
    sqlite3.SQLITE_LOCKED: _FILE_IN_USE,
    sqlite3.SQLITE_CANTOPEN: _NO_ACCESS,
    sqlite3.SQLITE_PERM: _NO_ACCESS,
    sqlite3.SQLITE_FULL: (StorageFull, "There is no room left to write to {path}; nothing was changed."),
    sqlite3.SQLITE_READONLY: (
        StorageReadOnly,
        "The database {path} is read-only. Nothing was changed.",
    ),
    sqlite3.SQLITE_IOERR: (StorageError, "The disk failed while using {path}; nothing was changed."),
    sqlite3.SQLITE_CONSTRAINT: (
        ConstraintBroken,
        "The database {path} does not accept this data. Nothing was changed.",
    ),
}


def storage_error_for(error: sqlite3.Error, path: str) -> Exception:
    """Return the storage error for an exception of SQLite, or the exception itself if it indicates a bug."""
    # The low byte is the primary code; the rest refines it. Errors raised by Python's sqlite3 module itself, such as a
    # wrong number of parameters, have no code.
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if code not in _STORAGE_ERRORS_BY_CODE:
        return error
    error_class, sentence = _STORAGE_ERRORS_BY_CODE[code]
    return error_class(f"{sentence.format(path=path)} (SQLite: {error})")
