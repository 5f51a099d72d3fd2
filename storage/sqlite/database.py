"""A database in an SQLite file with durable transactions; only one process can open it at a time."""

import asyncio
import logging
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Final, Self, TypeVar

import aiosqlite
from filelock import FileLock

from storage.contract import Database, Query, RowValues, Transaction
from storage.errors import StorageError
from storage.sqlite import files
from storage.sqlite.files import (
    BUSY_TIMEOUT_SECONDS,
    discard_file,
    file_exists,
    inspect_file,
    migrate,
    side_file,
    sync_to_disk,
)
from storage.sqlite.transactions import (
    COMPLETE_MARK,
    Checkpoints,
    ReadOnlyStatements,
    Statements,
    read_only_snapshot,
    run_to_end,
    set_mark,
    storage_error_for,
    transaction,
    truncate_wal,
)

T = TypeVar("T")

_log = logging.getLogger("stationmaster.storage")

CLOSING_TIMEOUT_MILLISECONDS: Final = 200
"""Milliseconds for which closing waits for other programs that read the file."""


class FileDatabase(Database):
    """An open SQLite file with its own thread; each transaction runs in that thread without interruption."""

    def __init__(self, path: Path, worker: aiosqlite.Connection, file_lock: FileLock) -> None:
        self.path = path
        self.name = str(path)
        self.is_shared = False
        self._worker = worker
        self._lock = file_lock
        self._checkpoints = Checkpoints()
        self._is_closed = False

    @classmethod
    async def open(cls, path: str | Path) -> Self:
        """Open the database at `path`, creating it if missing, and migrate it.

        Raises DatabaseInUse, DatabaseUnreadable, DatabaseTooNew or another StorageError; the file is not changed then.
        """
        full_path = await asyncio.to_thread(Path(path).resolve)
        file_lock = files.acquire_lock(full_path)
        try:
            db = cls(full_path, await _connect(full_path), file_lock)
        except BaseException:
            file_lock.release()
            raise
        try:
            await db._run_on_worker(db._checkpoints.disable_automatic_checkpoints)
        except BaseException:
            await db.close()
            raise
        return db

    async def write(self, change: Callable[[Transaction], Awaitable[T]]) -> T:
        """Run `change` in one transaction, commit it durably, and return its result; see `Database.write`."""

        def run(conn: sqlite3.Connection) -> T:
            with transaction(conn):
                result = run_to_end(change, Statements(conn))
            self._checkpoints.count_transaction(conn)
            return result

        return await self._run_on_worker(run)

    async def read(self, query: Callable[[Transaction], Awaitable[T]]) -> T:
        def run(conn: sqlite3.Connection) -> T:
            with read_only_snapshot(conn):
                return run_to_end(query, ReadOnlyStatements(conn))

        return await self._run_on_worker(run)

    async def fetch(self, *queries: Query) -> list[list[RowValues]]:
        return await self.read(lambda tx: tx.fetch(*queries))

    async def vacuum(self) -> None:
        """Rewrite the file without deleted data, and empty the write-ahead log."""
        await self._run_on_worker(_vacuum_file)

    async def close(self) -> None:
        """Finish pending work, close the file and release its lock; closing twice is harmless."""
        if self._is_closed:
            return
        self._is_closed = True
        try:
            await _run_in_worker_thread(self._worker, _merge_wal)
            await self._worker.close()
        finally:
            self._lock.release()

    async def _run_on_worker(self, work: Callable[[sqlite3.Connection], T]) -> T:
        if self._is_closed:
            raise StorageError("The database is closed.")
        try:
            return await _run_in_worker_thread(self._worker, work)
        except sqlite3.Error as error:
            raise storage_error_for(error, self.name) from error


async def _run_in_worker_thread(worker: aiosqlite.Connection, work: Callable[[sqlite3.Connection], T]) -> T:
    # Each public method of aiosqlite costs a trip to its thread: a move would need a dozen, and statements of other
    # tasks could come in between. It has no public way to run a function there, so this line uses the private method on
    # which all public ones are built.
    result: T = await worker._execute(lambda: work(worker._conn))  # type: ignore[no-untyped-call]
    return result


async def _connect(path: Path) -> aiosqlite.Connection:
    try:
        await asyncio.to_thread(_prepare_file, path)
        worker = await aiosqlite.connect(path, isolation_level=None, timeout=BUSY_TIMEOUT_SECONDS)
        try:
            await _run_in_worker_thread(worker, _prepare_connection)
        except BaseException:
            await worker.close()
            raise
    except sqlite3.Error as error:
        raise storage_error_for(error, str(path)) from error
    return worker


def _prepare_file(path: Path) -> None:
    if file_exists(path):
        inspect_file(path)
    else:
        _make_file(path)


def _make_file(path: Path) -> None:
    """Create an empty database under a temporary name, and rename it once it is complete."""
    new_file = side_file(path, "-new")
    for leftover_file in (new_file, side_file(new_file, "-journal")):
        discard_file(leftover_file)
    with closing(sqlite3.connect(new_file, isolation_level=None)) as conn:
        # An unfinished file is worth nothing, so it need not be synced before it is complete.
        conn.execute("PRAGMA synchronous = OFF")
        conn.execute("PRAGMA journal_mode = MEMORY")
        migrate(conn)
    sync_to_disk(new_file)
    new_file.replace(path)
    sync_to_disk(path)


def _merge_wal(conn: sqlite3.Connection) -> None:
    """Copy the write-ahead log into the file and empty the log, unless another program reads the file."""
    conn.execute(f"PRAGMA busy_timeout = {CLOSING_TIMEOUT_MILLISECONDS}")
    try:
        set_mark(conn, COMPLETE_MARK)
        conn.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as error:
        _log.warning("the moves stay in the write-ahead log next to the database: %s", error)


def _vacuum_file(conn: sqlite3.Connection) -> None:
    conn.execute("VACUUM")
    truncate_wal(conn)


def _prepare_connection(conn: sqlite3.Connection) -> None:
    conn.execute("PRAGMA journal_mode = WAL")
    # FULL: in WAL mode, any other value may lose committed moves when the power fails.
    conn.execute("PRAGMA synchronous = FULL")
    conn.execute("PRAGMA foreign_keys = ON")
    migrate(conn)
