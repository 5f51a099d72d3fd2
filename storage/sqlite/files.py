"""Checks of a database file before opening: lock, format, completeness, migrations."""

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
from storage.sqlite.transactions import MORE_FOLLOWS_MARK, OUR_MARKS, WHOLE_MARK, mark_of, transaction

MAX_PROCESS_DIGITS: Final = 20
"""The most digits that the number of a process has."""


def acquire_lock(database: Path) -> FileLock:
    """Lock `database` for this process and return the lock.

    Raises DatabaseInUse if it is locked already, StorageError if the lock file cannot be made.
    """
    if not database.parent.is_dir():  # the library would make the folder, and a misspelt one hides the games
        raise StorageError(
            f"The database {database} cannot be opened: there is no folder {database.parent}. "
            f"Check STATIONMASTER_DATABASE."
        )
    # The kernel drops the lock when the process dies, however it dies, so a left-over file locks nothing.
    lock_file = lock_path(database)
    lock = FileLock(lock_file, thread_local=False)
    try:
        lock.acquire(timeout=0)
    except Timeout as error:
        if (
            not lock_file.exists()
        ):  # where the system denies that the folder is there, the library keeps trying
            raise _lock_error(lock_file, "no file can be made there") from error
        raise DatabaseInUse(
            f"A bot is already running with the database {database}{_lock_holder(lock_file)}. Stop that one first, "
            f"or give this one a file of its own by STATIONMASTER_DATABASE."
        ) from error
    except OSError as error:
        raise _lock_error(lock_file, error.strerror) from error
    _sign_lock(lock_file)
    return lock


def lock_path(database: Path) -> Path:
    """Return where the lock file of `database` lies."""
    return database.with_name(database.name + ".lock")


def _lock_error(path: Path, reason: str | None) -> StorageError:
    return StorageError(
        f"The lock file {path} cannot be written ({reason}). Check that STATIONMASTER_DATABASE names a file in a "
        f"folder that may be written."
    )


def _sign_lock(path: Path) -> None:
    """Write this process's number into the lock file, if the system allows it."""
    with suppress(OSError):
        path.write_text(f"{getpid()}\n", "ascii")


def _lock_holder(path: Path) -> str:
    """The process that holds the lock, if the file names it."""
    with suppress(OSError, UnicodeDecodeError):
        number = path.read_text("ascii")[:MAX_PROCESS_DIGITS].strip()
        if number.isdecimal():
            return f" (process {number})"
    return ""


_log = logging.getLogger("stationmaster.storage")


def schema_version(conn: sqlite3.Connection) -> int:
    """Return the number of the last migration applied, 0 in an empty database."""
    return int(conn.execute("PRAGMA user_version").fetchone()[0])


def check_version(conn: sqlite3.Connection, path: str) -> None:
    """Raise DatabaseTooNew or DatabaseUnreadable unless this release can bring the database up to date."""
    mark = mark_of(conn)
    if mark not in OUR_MARKS:
        if mark or conn.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone():
            raise DatabaseUnreadable(
                f"The database {path} belongs to another program. Give this one a file of its own."
            )
        return
    require_known_version(schema_version(conn), path)


def migrate(conn: sqlite3.Connection) -> None:
    """Migrate the tables; each step is logged, except in a new database."""
    old_version = schema_version(conn)
    for migration in migrations_from(old_version):
        with transaction(conn):
            for statement in migration.sqlite:
                conn.execute(statement)
            # Both live in the file's header and are part of the transaction; PRAGMA takes no parameters.
            conn.execute(f"PRAGMA application_id = {WHOLE_MARK}")
            conn.execute(f"PRAGMA user_version = {migration.number}")
        if old_version > 0:
            _log.info("the tables of the database are now at version %d", migration.number)


BUSY_SECONDS: Final = 5.0
"""Seconds to wait for a backup program that holds the file."""


def inspect_file(path: Path) -> None:
    """Raise if the file is missing, damaged, foreign, newer or incomplete; it is not changed."""
    require_file(path)
    uri = f"{path.resolve().as_uri()}?{_gentlest_mode(path)}"
    with closing(sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS)) as conn:
        check_version(conn, str(path))
        require_complete(conn, path)
        verdict = conn.execute("PRAGMA quick_check(1)").fetchone()[0]
    if verdict != "ok":
        raise DatabaseUnreadable(
            f"The database {path} is damaged ({verdict}). Put it aside and restore a backup."
        )


def require_file(path: Path) -> None:
    """Raise StorageError, or DatabaseUnreadable, for a missing or empty file."""
    if path.is_dir():
        raise StorageError(f"The database {path} is a folder; name a file.")
    if not file_exists(path):
        raise StorageError(
            f"There is no database {path}: the file is missing. STATIONMASTER_DATABASE names another."
        )
    if _file_size(path) == 0:
        raise DatabaseUnreadable(
            f"The database {path} is empty: its games are gone. Restore a backup with `stationmaster restore`, "
            "or remove the file to begin anew."
        )


def require_complete(conn: sqlite3.Connection, path: Path) -> None:
    """Raise if the file's header promises later moves in a write-ahead log that is empty or missing."""
    if mark_of(conn) == MORE_FOLLOWS_MARK and not _file_size(side_file(path, "-wal")):
        raise DatabaseUnreadable(
            f"The database {path} has lost its latest moves: its own header says that they are in {path.name}-wal, "
            "which is missing. Put that file back next to it, or restore a backup; to continue without those moves, "
            f"`stationmaster restore {path}`."
        )


def file_exists(path: Path) -> bool:
    """True if the file exists; raises DatabaseUnreadable if only its write-ahead log is left."""
    if path.exists():
        return True
    if _file_size(side_file(path, "-wal")):
        raise DatabaseUnreadable(
            f"The database {path} is gone, but its latest moves are still in {side_file(path, '-wal').name}. "
            "Put the database back next to it, or put that file aside and restore a backup."
        )
    return False


def side_file(path: Path, ending: str) -> Path:
    """The file next to the database with this ending, such as "-wal"."""
    return path.with_name(path.name + ending)


def discard_file(path: Path) -> None:
    """Remove a file, if it is there."""
    path.unlink(missing_ok=True)


def sync_to_disk(path: Path) -> None:
    """Wait until the file and its name are safely on the disk."""
    _sync_path(path, os.O_RDWR)
    if os.name != "nt":  # there a folder cannot be opened, and its names are safe without that
        _sync_path(path.parent, os.O_RDONLY)


def _sync_path(path: Path, mode: int) -> None:
    descriptor = os.open(path, mode)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _gentlest_mode(path: Path) -> str:
    if _file_size(side_file(path, "-journal")):
        # A start or an end was cut off; only with the right to write can SQLite undo what is half done.
        return "mode=rw"
    if _file_size(side_file(path, "-wal")):
        # A crash left committed moves in the write-ahead log. Reading needs them, and leaves them there.
        return "mode=ro"
    return "mode=ro&immutable=1"


def _file_size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0
