"""Whole transactions on a plain SQLite connection in autocommit mode."""

import sqlite3
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final, TypeVar

from storage.contract import Cells, Lock, Query, Transaction

T = TypeVar("T")

READING: Final = ("SELECT", "EXPLAIN", "PRAGMA")
"""How statements begin that change no row."""


@contextmanager
def transaction(conn: sqlite3.Connection) -> Iterator[None]:
    """Commit everything done within, or, if anything is raised, roll all of it back."""
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
    """Show one unchanging picture of the database to everything done within; nothing of it is ever kept."""
    # `PRAGMA query_only` would let SQLite compile every statement anew, those of the next transaction, too.
    conn.execute("BEGIN")
    try:
        yield
    finally:
        if conn.in_transaction:
            conn.execute("ROLLBACK")


class Statements:
    """A transaction's statements on a connection; awaiting them never waits, so one step runs them all."""

    def __init__(self, conn: sqlite3.Connection) -> None:
        self._conn = conn

    def _execute(self, sql: str, values: Sequence[object]) -> sqlite3.Cursor:
        return self._conn.execute(sql, values)

    async def rows(self, sql: str, *values: object) -> list[Cells]:
        """Run one statement and return all its rows."""
        return self._execute(sql, values).fetchall()

    async def row(self, sql: str, *values: object) -> Cells | None:
        """Run one statement and return its first row, None if there is none."""
        # All are fetched: a statement that is left half-way would still be running at the commit.
        return next(iter(await self.rows(sql, *values)), None)

    async def run(self, sql: str, *values: object) -> int:
        """Run one statement and return how many rows it changed."""
        return self._execute(sql, values).rowcount

    async def ask(self, *queries: Query) -> list[list[Cells]]:
        """Return the rows of each query."""
        return [await self.rows(sql, *values) for sql, values in queries]

    async def put(self, sql: str, *values: object) -> None:
        """Run one statement whose result does not matter."""
        # A statement that is left half-way would still be running at the commit.
        self._execute(sql, values).fetchall()

    async def run_many(self, sql: str, values: Sequence[Sequence[object]]) -> None:
        """Run one statement once for each of `values`."""
        self._conn.executemany(sql, values)

    async def require(self, wanted: Query, lock: Lock, otherwise: Exception) -> None:
        """Raise this where there is no such row: nobody else could change it before the transaction ends."""
        del lock
        if await self.row(wanted.sql, *wanted.values) is None:
            raise otherwise

    def locking(self, lock: Lock) -> str:
        """Hold nothing: the transaction that writes is the only one."""
        return ""

    def clock(self) -> str:
        """Return the time of this machine, in milliseconds, as SQL."""
        return "CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER)"

    def is_there(self, shard: str, holder: str) -> str:
        """Return that it is: nobody else could look."""
        del shard, holder
        return "TRUE"


class Selects(Statements):
    """The statements of a read-only transaction; raises what SQLite says of a write."""

    async def run_many(self, sql: str, values: Sequence[Sequence[object]]) -> None:
        """Refuse it: nothing but writing is done many times."""
        raise _not_written(sql)

    def _execute(self, sql: str, values: Sequence[object]) -> sqlite3.Cursor:
        if not sql.startswith(READING):
            raise _not_written(sql)
        return super()._execute(sql, values)


def _not_written(sql: str) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError(f"not while reading: {sql.split()[0]}")
    error.sqlite_errorcode = sqlite3.SQLITE_READONLY
    return error


def driven(work: Callable[[Transaction], Awaitable[T]], statements: Statements) -> T:
    """Run `work` to its end in this very thread; raises RuntimeError if it waits for anything else."""

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
