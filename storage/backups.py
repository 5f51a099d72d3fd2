"""Backups of an SQLite database file: creation, checks, expiry and restoring. The bot may keep running meanwhile."""

import sqlite3
from contextlib import closing
from datetime import datetime
from glob import escape
from pathlib import Path
from typing import Final

from storage.errors import DatabaseUnreadable, StorageError, StorageFull
from storage.sqlite import files
from storage.sqlite.files import (
    BUSY_TIMEOUT_SECONDS,
    check_version,
    discard_file,
    inspect_file,
    require_complete,
    require_file,
    side_file,
    sync_to_disk,
)
from storage.sqlite.transactions import COMPLETE_MARK, set_mark, storage_error_for

DAYS_WITH_BACKUP: Final = 7
"""Number of recent days that keep their last backup."""
WEEKS_WITH_BACKUP: Final = 4
"""Number of recent weeks, including the current one, that keep their last backup."""
_TIME_FORMAT: Final = "%Y-%m-%dT%H-%M-%SZ"
_DISK_FULL_CODES: Final = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_FSYNC)
"""SQLite's error codes for a full or failing disk.

During a copy they can only mean the disk of the copy, since the original is only read.
"""


def copy_database(database: Path, target: Path) -> None:
    """Write a consistent, checked copy of `database` to the file `target`, even while a bot uses `database`.

    The copy is flushed to disk on return. Raises StorageError and its subclasses, also if `target` exists, or if the
    latest moves are missing from `database` (because its write-ahead log was lost).
    """
    require_file(database)
    try:
        with closing(_read_only_connection(database)) as conn:
            require_complete(conn, database)
    except sqlite3.Error as error:
        raise storage_error_for(error, str(database)) from error
    _copy_available_data(database, target)


def _copy_available_data(database: Path, target: Path) -> None:
    """Write `database` to `target`, even if the latest moves are missing from `database`."""
    require_file(database)
    if target.exists():
        raise StorageError(f"{target} already exists; name a new file.")
    if not target.parent.is_dir():
        raise StorageError(f"The copy {target} cannot be written: there is no folder {target.parent}.")
    unfinished_copy = side_file(target, "-unfinished")
    try:
        discard_file(unfinished_copy)
        _write_copy(database, unfinished_copy)
        sync_to_disk(unfinished_copy)
        unfinished_copy.replace(target)
        sync_to_disk(target)
    except sqlite3.Error as error:
        raise _copy_error(error, database, target) from error
    except OSError as error:
        raise StorageError(f"The copy {target} cannot be written ({error.strerror}).") from error
    finally:
        discard_file(unfinished_copy)


def _copy_error(error: sqlite3.Error, database: Path, target: Path) -> Exception:
    """The StorageError for a failed copy; its text says if the original or the copy caused it."""
    if getattr(error, "sqlite_errorcode", None) in _DISK_FULL_CODES:
        return StorageFull(f"The copy {target} cannot be written: the disk is full, or has failed.")
    storage_error = storage_error_for(error, str(database))
    # Any other error of SQLite while it only reads means a damaged file.
    return (
        storage_error
        if isinstance(storage_error, StorageError)
        else DatabaseUnreadable(f"{database} is damaged: {error}.")
    )


def back_up(folder: Path, database: Path, now: datetime) -> Path:
    """Copy `database` into `folder` under a name with the time `now` (UTC), and delete expired backups."""
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{database.stem}-{now.strftime(_TIME_FORMAT)}.db"
    copy_database(database, target)
    for expired_backup in _expired_backups(_dated_backups(folder, database)):
        discard_file(expired_backup)
    return target


def newest_backup_time(folder: Path, database: Path) -> datetime | None:
    """Return the time (UTC) of the newest backup of `database` in `folder`; None if there is none."""
    dated_backups = _dated_backups(folder, database)
    return dated_backups[-1][0] if dated_backups else None


def restore_database(source: Path, database: Path, now: datetime) -> Path | None:
    """Replace `database` by a checked copy of the backup `source`; return the old file's new path, if any.

    The latest moves may be missing from the backup. Raises DatabaseInUse while a bot has the database open,
    DatabaseUnreadable and StorageError; nothing is changed then.
    """
    database_lock = files.acquire_lock(database)
    restored_file = side_file(database, "-restored")
    try:
        discard_file(restored_file)
        _copy_available_data(source, restored_file)
        old_database = _rename_old_database(database, now)
        restored_file.replace(database)
        sync_to_disk(database)
        return old_database
    finally:
        discard_file(restored_file)
        database_lock.release()


def integrity_check_result(database: Path) -> str:
    """Return the result of SQLite's integrity check, "ok" if the file is sound; raises StorageError."""
    try:
        inspect_file(database)
        with closing(_read_only_connection(database)) as conn:
            return "; ".join(str(row[0]) for row in conn.execute("PRAGMA integrity_check(20)"))
    except sqlite3.Error as error:
        raise storage_error_for(error, str(database)) from error


def _write_copy(database: Path, target: Path) -> None:
    with closing(_read_only_connection(database)) as conn:
        check_version(conn, str(database))
        # SQLite's backup interface would start again whenever the bot writes.
        conn.execute("VACUUM INTO ?", (str(target),))
    with closing(sqlite3.connect(target, isolation_level=None)) as conn:
        set_mark(conn, COMPLETE_MARK)
        check_result = conn.execute("PRAGMA quick_check(1)").fetchone()[0]
    if check_result != "ok":
        raise DatabaseUnreadable(f"The database {database} is damaged ({check_result}); no copy was made.")


def _read_only_connection(database: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{database.resolve().as_uri()}?mode=ro", uri=True, timeout=BUSY_TIMEOUT_SECONDS)


def _rename_old_database(database: Path, now: datetime) -> Path | None:
    if not any(side_file(database, suffix).exists() for suffix in ("", "-wal")):
        return None
    new_path = side_file(database, f"-before-{now.strftime(_TIME_FORMAT)}")
    # The log is removed first: if the program is cut off in between, the next start notices the missing log.
    for suffix in ("-wal", "-journal", "-shm", ""):
        old_file = side_file(database, suffix)
        if old_file.exists():
            old_file.replace(side_file(new_path, suffix))
    return new_path


def _dated_backups(folder: Path, database: Path) -> list[tuple[datetime, Path]]:
    dated_paths = (
        (_backup_time(path, database), path) for path in folder.glob(f"{escape(database.stem)}-*.db")
    )
    return sorted((made_at, path) for made_at, path in dated_paths if made_at is not None)


def _backup_time(path: Path, database: Path) -> datetime | None:
    """The time in a backup's file name; None for another file."""
    try:
        return datetime.strptime(path.stem.removeprefix(f"{database.stem}-") + "+0000", f"{_TIME_FORMAT}%z")
    except ValueError:
        return None


def _expired_backups(dated_backups: list[tuple[datetime, Path]]) -> list[Path]:
    """Backups to delete: those that are neither the last of a recent day nor the last of a recent week."""
    last_backup_by_day = {made_at.date(): path for made_at, path in dated_backups}
    last_backup_by_week = {made_at.isocalendar()[:2]: path for made_at, path in dated_backups}
    kept_paths = {
        *list(last_backup_by_day.values())[-DAYS_WITH_BACKUP:],
        *list(last_backup_by_week.values())[-WEEKS_WITH_BACKUP:],
    }
    return [path for _, path in dated_backups if path not in kept_paths]
