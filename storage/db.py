"""The database file: opened once, written in whole transactions, each durable before it is answered."""

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

import aiosqlite

from storage import lock
from storage.errors import DatabaseUnreadable, StorageError, translated
from storage.migrations import check_version, migrate
from storage.transactions import reading, transaction

T = TypeVar("T")

BUSY_SECONDS = 5.0
"""How long to wait for a backup program that holds the file, in seconds."""


class Database:
    """An open database: `write`, `read`, and in the end `close` it, or use it as an async context manager.

    It has a thread of its own, which keeps a process that forgets to close it from ending.
    """

    def __init__(self, path: Path, worker: aiosqlite.Connection, lock_descriptor: int) -> None:
        self.path = path
        self._worker = worker
        self._lock = lock_descriptor
        self._closed = False

    @classmethod
    async def open(cls, path: str | Path) -> Self:
        """Open the database at `path`, create it if there is none, and bring its tables up to date.

        Raises DatabaseInUse, DatabaseUnreadable, DatabaseTooNew, or StorageError; each leaves the file alone.
        """
        place = await asyncio.to_thread(Path(path).resolve)
        descriptor = lock.acquire(place)
        try:
            return cls(place, await _connect(place), descriptor)
        except BaseException:
            lock.release(descriptor)
            raise

    async def write(self, change: Callable[[sqlite3.Connection], T]) -> T:
        """Run `change` in one transaction and return its result once that is safely on the disk.

        Anything raised by `change` rolls all of it back. A caller that is cancelled while waiting does not
        know whether the transaction was committed, and must read before it relies on either.
        Raises StorageError and its kinds.
        """

        def run(conn: sqlite3.Connection) -> T:
            with transaction(conn):
                return change(conn)

        return await self._hop(run)

    async def execute(self, sql: str, *values: object) -> int:
        """Run one statement, as `write` does, and return how many rows it changed."""
        return await self.write(lambda conn: conn.execute(sql, values).rowcount)

    async def read(self, query: Callable[[sqlite3.Connection], T]) -> T:
        """Run `query` against one unchanging picture of the database and return its result.

        Raises StorageReadOnly if `query` tries to write, and other kinds of StorageError.
        """

        def run(conn: sqlite3.Connection) -> T:
            with reading(conn):
                return query(conn)

        return await self._hop(run)

    async def close(self) -> None:
        """Finish what was begun, close the file and give up its lock; closing twice is harmless."""
        if self._closed:
            return
        self._closed = True
        try:
            await self._worker.close()
        finally:
            lock.release(self._lock)

    async def _hop(self, work: Callable[[sqlite3.Connection], T]) -> T:
        if self._closed:
            raise StorageError("The database is closed.")
        try:
            return await _on_worker(self._worker, work)
        except sqlite3.Error as error:
            raise translated(error, str(self.path)) from error

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


async def _on_worker(worker: aiosqlite.Connection, work: Callable[[sqlite3.Connection], T]) -> T:
    # aiosqlite's public methods are one trip to its thread per statement: a move would take a dozen, and
    # others' statements could come between. It has no public way to run a function there, so this one line
    # uses the method that all the public ones are made of.
    result: T = await worker._execute(lambda: work(worker._conn))  # type: ignore[no-untyped-call]
    return result


async def _connect(place: Path) -> aiosqlite.Connection:
    try:
        await asyncio.to_thread(_inspect, place)
        worker = await aiosqlite.connect(place, isolation_level=None, timeout=BUSY_SECONDS)
        try:
            await _on_worker(worker, _prepare)
        except BaseException:
            await worker.close()
            raise
    except sqlite3.Error as error:
        raise translated(error, str(place)) from error
    return worker


def _inspect(place: Path) -> None:
    """Raise if the file is damaged, foreign or newer; without writing, so that such a file stays as it is."""
    if place.is_dir():
        raise StorageError(f"The database {place} is a folder; name a file.")
    if _size(place) == 0:
        return
    uri = f"{place.as_uri()}?{_gentlest_mode(place)}"
    with closing(sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS)) as conn:
        check_version(conn, str(place))
        verdict = conn.execute("PRAGMA quick_check(1)").fetchone()[0]
    if verdict != "ok":
        raise DatabaseUnreadable(
            f"The database {place} is damaged ({verdict}). Put it aside and restore a backup."
        )


def _gentlest_mode(place: Path) -> str:
    if _size(place.with_name(place.name + "-journal")):
        # The very first start was cut off; only with the right to write can SQLite undo what is half done.
        return "mode=rw"
    if _size(place.with_name(place.name + "-wal")):
        # A crash left committed moves beside the file. Reading needs them, and leaves them there.
        return "mode=ro"
    return "mode=ro&immutable=1"


def _size(place: Path) -> int:
    return place.stat().st_size if place.exists() else 0


def _prepare(conn: sqlite3.Connection) -> None:
    conn.execute("PRAGMA journal_mode = WAL")
    # FULL: in WAL mode anything less may lose committed moves when the power fails.
    conn.execute("PRAGMA synchronous = FULL")
    conn.execute("PRAGMA foreign_keys = ON")
    migrate(conn)
