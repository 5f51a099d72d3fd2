"""The database file before it is opened: its lock, whether it is ours, whole and readable, and its migrations."""

import logging
import os
import sqlite3
from contextlib import closing, suppress
from os import getpid
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from storage.errors import DatabaseInUse, DatabaseUnreadable, StorageError
from storage.migrations.schema_versions import require_known, upgrades
from storage.sqlite.transactions import MORE_FOLLOWS, OURS, WHOLE, marked, transaction

LONGEST_NUMBER: Final = 20
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
    place = lock_path(database)
    lock = FileLock(place, thread_local=False)
    try:
        lock.acquire(timeout=0)
    except Timeout as error:
        if not place.exists():  # where the system denies that the folder is there, the library keeps trying
            raise _cannot_be_made(place, "no file can be made there") from error
        raise DatabaseInUse(
            f"A bot is already running with the database {database}{_lock_holder(place)}. Stop that one first, or give "
            f"this one a file of its own by STATIONMASTER_DATABASE."
        ) from error
    except OSError as error:
        raise _cannot_be_made(place, error.strerror) from error
    _sign_lock(place)
    return lock


def lock_path(database: Path) -> Path:
    """Return where the lock file of `database` lies."""
    return database.with_name(database.name + ".lock")


def _cannot_be_made(place: Path, why: str | None) -> StorageError:
    return StorageError(
        f"The lock file {place} cannot be written ({why}). Check that STATIONMASTER_DATABASE names a file in a folder "
        f"that may be written."
    )


def _sign_lock(place: Path) -> None:
    """Leave the number of this process in the lock file, where the system lets a locked file be written."""
    with suppress(OSError):
        place.write_text(f"{getpid()}\n", "ascii")


def _lock_holder(place: Path) -> str:
    """The process that holds the lock, as far as the file says so."""
    with suppress(OSError, UnicodeDecodeError):
        number = place.read_text("ascii")[:LONGEST_NUMBER].strip()
        if number.isdecimal():
            return f" (process {number})"
    return ""


_log = logging.getLogger("stationmaster.storage")


def version(conn: sqlite3.Connection) -> int:
    """Return the number of the last migration applied, 0 in an empty database."""
    return int(conn.execute("PRAGMA user_version").fetchone()[0])


def check_version(conn: sqlite3.Connection, path: str) -> None:
    """Raise DatabaseTooNew or DatabaseUnreadable unless this release can bring the database up to date."""
    application = marked(conn)
    if application not in OURS:
        if application or conn.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone():
            raise DatabaseUnreadable(
                f"The database {path} belongs to another program. Give this one a file of its own."
            )
        return
    require_known(version(conn), path)


def migrate(conn: sqlite3.Connection) -> None:
    """Bring the tables up to date: each step is a line in the log, except those that make a new database."""
    before = version(conn)
    for migration in upgrades(before):
        with transaction(conn):
            for statement in migration.sqlite:
                conn.execute(statement)
            # Both live in the file's header and are part of the transaction; PRAGMA takes no parameters.
            conn.execute(f"PRAGMA application_id = {WHOLE}")
            conn.execute(f"PRAGMA user_version = {migration.number}")
        if before > 0:
            _log.info("the tables of the database are now at version %d", migration.number)


BUSY_SECONDS: Final = 5.0
"""Seconds to wait for a backup program that holds the file."""


def inspect(place: Path) -> None:
    """Raise if the file is missing, damaged, foreign, newer or not whole; it stays as it is."""
    require_file(place)
    uri = f"{place.resolve().as_uri()}?{_gentlest_mode(place)}"
    with closing(sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS)) as conn:
        check_version(conn, str(place))
        require_whole(conn, place)
        verdict = conn.execute("PRAGMA quick_check(1)").fetchone()[0]
    if verdict != "ok":
        raise DatabaseUnreadable(
            f"The database {place} is damaged ({verdict}). Put it aside and restore a backup."
        )


def require_file(place: Path) -> None:
    """Raise StorageError, or DatabaseUnreadable, where there is no file, or nothing in it."""
    if place.is_dir():
        raise StorageError(f"The database {place} is a folder; name a file.")
    if not file_exists(place):
        raise StorageError(
            f"There is no database {place}: the file is missing. STATIONMASTER_DATABASE names another."
        )
    if _size(place) == 0:
        raise DatabaseUnreadable(
            f"The database {place} is empty: its games are gone. Restore a backup with `stationmaster restore`, "
            "or remove the file to begin anew."
        )


def require_whole(conn: sqlite3.Connection, place: Path) -> None:
    """Raise if the file itself says that later moves are in its write-ahead log, and that log is empty or gone."""
    if marked(conn) == MORE_FOLLOWS and not _size(side_file(place, "-wal")):
        raise DatabaseUnreadable(
            f"The database {place} has lost its latest moves: its own header says that they are in {place.name}-wal, "
            "which is missing. Put that file back next to it, or restore a backup; to continue without those moves, "
            f"`stationmaster restore {place}`."
        )


def file_exists(place: Path) -> bool:
    """True if there is a file; raises DatabaseUnreadable if only its write-ahead log is left."""
    if place.exists():
        return True
    if _size(side_file(place, "-wal")):
        raise DatabaseUnreadable(
            f"The database {place} is gone, but its latest moves are still in {side_file(place, '-wal').name}. "
            "Put the database back next to it, or put that file aside and restore a backup."
        )
    return False


def side_file(place: Path, ending: str) -> Path:
    """The file next to the database that SQLite names so, such as "-wal"."""
    return place.with_name(place.name + ending)


def discard(place: Path) -> None:
    """Remove a file, if it is there."""
    place.unlink(missing_ok=True)


def durable(place: Path) -> None:
    """Return once the file and its name are safely on the disk."""
    _to_disk(place, os.O_RDWR)
    if os.name != "nt":  # there a folder cannot be opened, and its names are safe without that
        _to_disk(place.parent, os.O_RDONLY)


def _to_disk(path: Path, mode: int) -> None:
    descriptor = os.open(path, mode)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _gentlest_mode(place: Path) -> str:
    if _size(side_file(place, "-journal")):
        # A start or an end was cut off; only with the right to write can SQLite undo what is half done.
        return "mode=rw"
    if _size(side_file(place, "-wal")):
        # A crash left committed moves in the write-ahead log. Reading needs them, and leaves them there.
        return "mode=ro"
    return "mode=ro&immutable=1"


def _size(place: Path) -> int:
    return place.stat().st_size if place.exists() else 0
