"""Transactions on an SQLite connection, checkpoints, and error translation.

While a bot runs, the file stands at the last checkpoint and its header says that more follows; the last
transaction in the log says that the database is whole. A program that brings the log into the file brings
that mark along; a copy of the file without its log does not have it.
"""

import logging
import sqlite3
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final, Literal, TypeVar

from storage.contract import Cells, Query, Transaction
from storage.errors import (
    ConstraintBroken,
    DatabaseInUse,
    DatabaseUnreadable,
    StorageError,
    StorageFull,
    StorageReadOnly,
)

T = TypeVar("T")

READING: Final = ("SELECT", "EXPLAIN", "PRAGMA")
"""First words of statements that change no row."""


@contextmanager
def transaction(conn: sqlite3.Connection) -> Iterator[None]:
    """Commit everything done within, or roll all of it back on an error."""
    # IMMEDIATE takes the right to write at once, so that what was read before writing cannot change.
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
def reading(conn: sqlite3.Connection) -> Iterator[None]:
    """Show one snapshot to everything done within; writes are discarded."""
    # `PRAGMA query_only` would let SQLite compile every statement anew, those of the next transaction, too.
    conn.execute("BEGIN")
    try:
        yield
    finally:
        if conn.in_transaction:
            conn.execute("ROLLBACK")


class Statements:
    """The statements of a transaction; awaiting them never suspends."""

    for_update = ""

    def __init__(self, conn: sqlite3.Connection) -> None:
        self._conn = conn

    def _execute(self, sql: str, values: Sequence[object]) -> sqlite3.Cursor:
        return self._conn.execute(sql, values)

    async def rows(self, sql: str, *values: object) -> list[Cells]:
        return self._execute(sql, values).fetchall()

    async def row(self, sql: str, *values: object) -> Cells | None:
        # All are fetched: a statement that is left half-way would still be running at the commit.
        return next(iter(await self.rows(sql, *values)), None)

    async def run(self, sql: str, *values: object) -> int:
        return self._execute(sql, values).rowcount

    async def ask(self, *queries: Query) -> list[list[Cells]]:
        return [await self.rows(sql, *values) for sql, values in queries]

    async def put(self, sql: str, *values: object) -> None:
        # A statement that is left half-way would still be running at the commit.
        self._execute(sql, values).fetchall()

    async def run_many(self, sql: str, values: Sequence[Sequence[object]]) -> None:
        self._conn.executemany(sql, values)


class ReadOnlyStatements(Statements):
    """The statements of a read-only transaction; a write raises SQLite's error."""

    async def run_many(self, sql: str, values: Sequence[Sequence[object]]) -> None:
        """Refuse it: only writes run many times."""
        raise _not_written(sql)

    def _execute(self, sql: str, values: Sequence[object]) -> sqlite3.Cursor:
        if not sql.startswith(READING):
            raise _not_written(sql)
        return super()._execute(sql, values)


def _not_written(sql: str) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError(f"not while reading: {sql.split()[0]}")
    error.sqlite_errorcode = sqlite3.SQLITE_READONLY
    return error


def run_to_end(work: Callable[[Transaction], Awaitable[T]], statements: Statements) -> T:
    """Run the coroutine `work` to its end in this thread; raises RuntimeError if it suspends."""

    async def whole() -> T:
        return await work(statements)

    running = whole()
    try:
        running.send(None)
    except StopIteration as end:
        result: T = end.value
        return result
    running.close()
    raise RuntimeError("a transaction may wait for nothing but its own statements")


_log = logging.getLogger("stationmaster.storage")

WHOLE: Final = 0x31387858
"""Marks a file as ours, in SQLite's header (`application_id`): the letters "18xX"."""
MORE_FOLLOWS: Final = 0x3138782B
"""The same for a file whose latest moves are in its write-ahead log: "18x+"."""
OURS: Final = (WHOLE, MORE_FOLLOWS)
LOG_BYTES: Final = 4 * 1024 * 1024
"""To this the log is cut back after a checkpoint, and not further, since to let it grow again costs time."""
WRITES: Final = 64
"""Transactions between two checkpoints: about as many moves as fit into LOG_BYTES."""


class Checkpoints:
    """Checkpoints the write-ahead log after every WRITES transactions."""

    def __init__(self) -> None:
        self._transactions_left = WRITES

    def take_over(self, conn: sqlite3.Connection) -> None:
        """Turn SQLite's own checkpoints off, which leave no mark."""
        conn.execute("PRAGMA wal_autocheckpoint = 0")
        conn.execute(f"PRAGMA journal_size_limit = {LOG_BYTES}")
        checkpoint(conn)

    def count_transaction(self, conn: sqlite3.Connection) -> None:
        """Count a transaction, and checkpoint if due; a failure is logged and retried."""
        self._transactions_left -= 1
        if self._transactions_left > 0:
            return
        self._transactions_left = WRITES
        try:
            checkpoint(conn)
        except sqlite3.Error as error:
            _log.warning("the write-ahead log could not be brought into the database: %s", error)


def checkpoint(conn: sqlite3.Connection, mode: Literal["PASSIVE", "RESTART"] = "PASSIVE") -> None:
    """Checkpoint, with a mark in the file that more follows; RESTART waits for readers.

    Neither mode empties the log, so a kill in between leaves file and log as a whole.
    """
    set_mark(conn, MORE_FOLLOWS)
    conn.execute(f"PRAGMA wal_checkpoint({mode})").fetchall()
    set_mark(conn, WHOLE)


def empty_log(conn: sqlite3.Connection) -> None:
    """Checkpoint and empty the log, if no program reads it."""
    conn.execute("PRAGMA journal_size_limit = 0")
    try:
        checkpoint(conn, "RESTART")
    finally:
        conn.execute(f"PRAGMA journal_size_limit = {LOG_BYTES}")


def set_mark(conn: sqlite3.Connection, application: int) -> None:
    """Set the mark, in its own transaction, unless it is set."""
    if mark_of(conn) != application:
        conn.execute(f"PRAGMA application_id = {application}")


def mark_of(conn: sqlite3.Connection) -> int:
    """The mark of a database, its log included; 0 for none."""
    return int(conn.execute("PRAGMA application_id").fetchone()[0])


_UNREADABLE = (
    DatabaseUnreadable,
    "The database {path} is damaged, or is not a database. Put it aside and restore a backup.",
)
_IN_USE = (DatabaseInUse, "The database {path} is in use by another program; close that one and try again.")
_NO_ACCESS = (
    StorageError,
    "The database {path} cannot be opened; check that its folder exists and its rights.",
)

_MEANINGS: dict[int, tuple[type[StorageError], str]] = {
    sqlite3.SQLITE_CORRUPT: _UNREADABLE,
    sqlite3.SQLITE_NOTADB: _UNREADABLE,
    sqlite3.SQLITE_BUSY: _IN_USE,
    sqlite3.SQLITE_LOCKED: _IN_USE,
    sqlite3.SQLITE_CANTOPEN: _NO_ACCESS,
    sqlite3.SQLITE_PERM: _NO_ACCESS,
    sqlite3.SQLITE_FULL: (StorageFull, "There is no room left to write to {path}; nothing was changed."),
    sqlite3.SQLITE_READONLY: (
        StorageReadOnly,
        "The database {path} may not be written; nothing was changed.",
    ),
    sqlite3.SQLITE_IOERR: (StorageError, "The disk failed while using {path}; nothing was changed."),
    sqlite3.SQLITE_CONSTRAINT: (ConstraintBroken, "The database {path} refuses this; nothing was changed."),
}


def translated(error: sqlite3.Error, path: str) -> Exception:
    """Return the storage error for SQLite's `error`, or `error` itself if it is a bug."""
    # The low byte is the primary code; the rest only refines it. Errors that Python itself raises, such as
    # a wrong number of parameters, have no code at all.
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if code not in _MEANINGS:
        return error
    kind, sentence = _MEANINGS[code]
    return kind(f"{sentence.format(path=path)} (SQLite: {error})")
