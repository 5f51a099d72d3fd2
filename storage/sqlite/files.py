"""The work before an SQLite file is opened: locking it, checking its format and completeness, and migration."""

import logging
import os
import sqlite3
from contextlib import closing, suppress
from os import getpid
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from storage.errors import DatabaseInUse, DatabaseUnreadable, StorageError
from storage.migrations.schema_versions import migrations_from, require_known_version
from storage.sqlite.transactions import COMPLETE_MARK, INCOMPLETE_MARK, OUR_MARKS, header_mark, transaction

MAX_PROCESS_ID_DIGITS: Final = 20
"""Maximum number of digits read as a process id from a lock file."""


def acquire_lock(database_path: Path) -> FileLock:
    """Lock the file `database_path` for this process and return the lock.

    Raises DatabaseInUse if it is already locked, StorageError if the lock file cannot be created.
    """
    if (
        not database_path.parent.is_dir()
    ):  # the library would create it, and a misspelt path would hide the games
        raise StorageError(
            f"The database {database_path} cannot be opened: there is no folder {database_path.parent}. "
            f"Check STATIONMASTER_DATABASE."
        )
    # The kernel releases the lock when the process ends, even if killed, so a leftover file locks nothing.
    lock_file = lock_path(database_path)
    lock = FileLock(lock_file, thread_local=False)
    try:
        lock.acquire(timeout=0)
    except Timeout as error:
        if (
            not lock_file.exists()
        ):  # if the system reports the folder as missing, the library only keeps trying
            raise _lock_error(lock_file, "no file can be made there") from error
        raise DatabaseInUse(
            f"A bot is already running with the database {database_path}{_lock_holder(lock_file)}. "
            "Stop that bot first, "
            f"or give this one another file with STATIONMASTER_DATABASE."
        ) from error
    except OSError as error:
        raise _lock_error(lock_file, error.strerror) from error
    _write_process_id(lock_file)
    return lock


def lock_path(database_path: Path) -> Path:
    """Return the path of the lock file of `database_path`."""
    return database_path.with_name(database_path.name + ".lock")


def _lock_error(path: Path, reason: str | None) -> StorageError:
    return StorageError(
        f"The lock file {path} cannot be written ({reason}). Check that STATIONMASTER_DATABASE names a file in a "
        f"folder that may be written."
    )


def _write_process_id(path: Path) -> None:
    with suppress(OSError):
        path.write_text(f"{getpid()}\n", "ascii")


def _lock_holder(path: Path) -> str:
    """The process that holds the lock, as text such as ` (process 42)`; empty if unknown."""
    with suppress(OSError, UnicodeDecodeError):
        number = path.read_text("ascii")[:MAX_PROCESS_ID_DIGITS].strip()
        if number.isdecimal():
            return f" (process {number})"
    return ""


_log = logging.getLogger("stationmaster.storage")


def schema_version(conn: sqlite3.Connection) -> int:
    """Return the number of the last migration applied, 0 in an empty database."""
    return int(conn.execute("PRAGMA user_version").fetchone()[0])


def check_version(conn: sqlite3.Connection, path: str) -> None:
    """Raise DatabaseTooNew or DatabaseUnreadable if this release cannot migrate the database."""
    file_mark = header_mark(conn)
    if file_mark not in OUR_MARKS:
        if file_mark or conn.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone():
            raise DatabaseUnreadable(
                f"The database {path} belongs to another program. Use another file for the bot."
            )
        return
    require_known_version(schema_version(conn), path)


def migrate(conn: sqlite3.Connection) -> None:
    """Migrate the tables to the latest schema version; each step is logged, except in a new database."""
    old_version = schema_version(conn)
    for migration in migrations_from(old_version):
        with transaction(conn):
            for statement in migration.sqlite_statements:
                conn.execute(statement)
            # PRAGMA takes no parameters. Both values are in the file's header, which is part of the transaction.
            conn.execute(f"PRAGMA application_id = {COMPLETE_MARK}")
            conn.execute(f"PRAGMA user_version = {migration.number}")
        if old_version > 0:
            _log.info("the tables of the database are now at version %d", migration.number)


BUSY_TIMEOUT_SECONDS: Final = 5.0
"""Seconds to wait while the file is busy because a backup program has locked it."""


def inspect_file(path: Path) -> None:
    """Raise a StorageError if the file is missing, damaged, incomplete, too new or of another program.

    The file is not changed.
    """
    require_file(path)
    uri = f"{path.resolve().as_uri()}?{_least_locking_mode(path)}"
    with closing(sqlite3.connect(uri, uri=True, timeout=BUSY_TIMEOUT_SECONDS)) as conn:
        check_version(conn, str(path))
        require_complete(conn, path)
        check_result = conn.execute("PRAGMA quick_check(1)").fetchone()[0]
    if check_result != "ok":
        raise DatabaseUnreadable(
            f"The database {path} is damaged ({check_result}). Move it away and restore a backup."
        )


def require_file(path: Path) -> None:
    """Raise StorageError if the file is missing, DatabaseUnreadable if it is empty."""
    if path.is_dir():
        raise StorageError(f"The database {path} is a folder; name a file.")
    if not file_exists(path):
        raise StorageError(
            f"There is no database {path}: the file is missing. Name another file with STATIONMASTER_DATABASE."
        )
    if _file_size(path) == 0:
        raise DatabaseUnreadable(
            f"The database {path} is empty: its games are gone. Restore a backup with `stationmaster restore`, "
            "or delete the file to start without games."
        )


def require_complete(conn: sqlite3.Connection, path: Path) -> None:
    """Raise DatabaseUnreadable if the file is incomplete: it needs a write-ahead log that is missing."""
    if header_mark(conn) == INCOMPLETE_MARK and not _file_size(side_file(path, "-wal")):
        raise DatabaseUnreadable(
            f"The latest moves of the database {path} are in the file {path.name}-wal, which is missing. Put that file "
            "back next to it, or restore a backup. To continue without those moves: "
            f"`stationmaster restore {path}`."
        )


def file_exists(path: Path) -> bool:
    """True if the database file exists; raises DatabaseUnreadable if only its write-ahead log exists."""
    if path.exists():
        return True
    if _file_size(side_file(path, "-wal")):
        raise DatabaseUnreadable(
            f"The database {path} is gone, but its latest moves are still in {side_file(path, '-wal').name}. "
            "Put the database back next to it, or move that file away and restore a backup."
        )
    return False


def side_file(path: Path, ending: str) -> Path:
    """The path of the file next to the database with this ending, such as "-wal"."""
    return path.with_name(path.name + ending)


def discard_file(path: Path) -> None:
    """Delete a file if it exists."""
    path.unlink(missing_ok=True)


def sync_to_disk(path: Path) -> None:
    """Flush the file and its directory entry to disk."""
    _sync_path(path, os.O_RDWR)
    if os.name != "nt":  # Windows cannot open a folder, and stores names safely without it
        _sync_path(path.parent, os.O_RDONLY)


def _sync_path(path: Path, mode: int) -> None:
    descriptor = os.open(path, mode)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _least_locking_mode(path: Path) -> str:
    if _file_size(side_file(path, "-journal")):
        # A start or a shutdown was interrupted; SQLite must write to the file to undo the unfinished transaction.
        return "mode=rw"
    if _file_size(side_file(path, "-wal")):
        # After a crash the write-ahead log has committed moves. SQLite can read them without changing the log.
        return "mode=ro"
    return "mode=ro&immutable=1"


def _file_size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0
