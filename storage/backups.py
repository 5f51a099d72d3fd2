"""Backups of the database file: made while it is in use, checked, kept for a while, and restored."""

import sqlite3
from contextlib import closing
from datetime import datetime
from glob import escape
from pathlib import Path
from typing import Final

from storage.errors import DatabaseUnreadable, StorageError, StorageFull
from storage.sqlite import files
from storage.sqlite.files import (
    BUSY_SECONDS,
    check_version,
    discard,
    inspect,
    require_file,
    require_whole,
    side_file,
    sync_to_disk,
)
from storage.sqlite.transactions import WHOLE, set_mark, translated

DAYS: Final = 7
"""Days whose last copy is kept."""
WEEKS: Final = 4
"""Weeks, the running one among them, whose last copy is kept."""
_NAME: Final = "%Y-%m-%dT%H-%M-%SZ"
_NO_ROOM: Final = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_FSYNC)
"""SQLite's codes when the disk takes no more; a database that is copied is only read."""


def copy(database: Path, target: Path) -> None:
    """Write a consistent copy of `database` to `target`; its bot may keep running.

    The copy is one file, sound, and on the disk when this returns. Raises StorageError and its kinds, also
    where `target` is there already, and where the latest moves are missing.
    """
    require_file(database)
    try:
        with closing(_reader(database)) as conn:
            require_whole(conn, database)
    except sqlite3.Error as error:
        raise translated(error, str(database)) from error
    _copy_what_is_there(database, target)


def _copy_what_is_there(database: Path, target: Path) -> None:
    """Write as much of `database` as there is to `target`, even if later moves are missing."""
    require_file(database)
    if target.exists():
        raise StorageError(f"{target} is there already; name a file that is not.")
    if not target.parent.is_dir():
        raise StorageError(f"The copy {target} cannot be written: there is no folder {target.parent}.")
    unfinished = side_file(target, "-unfinished")
    try:
        discard(unfinished)
        _write_copy(database, unfinished)
        sync_to_disk(unfinished)
        unfinished.replace(target)
        sync_to_disk(target)
    except sqlite3.Error as error:
        raise _refusal(error, database, target) from error
    except OSError as error:
        raise StorageError(f"The copy {target} cannot be written ({error.strerror}).") from error
    finally:
        discard(unfinished)


def _refusal(error: sqlite3.Error, database: Path, target: Path) -> Exception:
    """The error of a database that cannot be copied, or of the place for the copy."""
    if getattr(error, "sqlite_errorcode", None) in _NO_ROOM:
        return StorageFull(f"The copy {target} cannot be written: the disk is full, or fails.")
    error_text = translated(error, str(database))
    # Whatever else SQLite does not understand of a file that it only reads is damage.
    return (
        error_text
        if isinstance(error_text, StorageError)
        else DatabaseUnreadable(f"{database} is damaged: {error}.")
    )


def copy_for(folder: Path, database: Path, now: datetime) -> Path:
    """Back `database` up into `folder` under the time `now` (UTC), and delete expired backups."""
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{database.stem}-{now.strftime(_NAME)}.db"
    copy(database, target)
    for old in _expired_backups(_dated_backups(folder, database)):
        discard(old)
    return target


def last_copy(folder: Path, database: Path) -> datetime | None:
    """Return the time (UTC) of the newest copy in `folder`, None if there is none."""
    dated = _dated_backups(folder, database)
    return dated[-1][0] if dated else None


def restore(source: Path, database: Path, now: datetime) -> Path | None:
    """Put a sound copy of `source` in place of `database`; return where what was there has been put.

    A source that has lost its latest moves is taken as it is. Raises DatabaseInUse while a bot has the database open,
    DatabaseUnreadable and StorageError; nothing changes then.
    """
    held = files.acquire_lock(database)
    new = side_file(database, "-restored")
    try:
        discard(new)
        _copy_what_is_there(source, new)
        aside = _moved_aside(database, now)
        new.replace(database)
        sync_to_disk(database)
        return aside
    finally:
        discard(new)
        held.release()


def verdict(database: Path) -> str:
    """Return SQLite's verdict on the file, "ok" if it is sound; raises StorageError and its kinds."""
    try:
        inspect(database)
        with closing(_reader(database)) as conn:
            return "; ".join(str(row[0]) for row in conn.execute("PRAGMA integrity_check(20)"))
    except sqlite3.Error as error:
        raise translated(error, str(database)) from error


def _write_copy(database: Path, target: Path) -> None:
    with closing(_reader(database)) as conn:
        check_version(conn, str(database))
        # Unlike SQLite's backup interface, this does not begin anew whenever the bot writes.
        conn.execute("VACUUM INTO ?", (str(target),))
    with closing(sqlite3.connect(target, isolation_level=None)) as conn:
        set_mark(conn, WHOLE)
        verdict = conn.execute("PRAGMA quick_check(1)").fetchone()[0]
    if verdict != "ok":
        raise DatabaseUnreadable(f"The database {database} is damaged ({verdict}); no copy was made.")


def _reader(database: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{database.resolve().as_uri()}?mode=ro", uri=True, timeout=BUSY_SECONDS)


def _moved_aside(database: Path, now: datetime) -> Path | None:
    if not any(side_file(database, ending).exists() for ending in ("", "-wal")):
        return None
    aside = side_file(database, f"-before-{now.strftime(_NAME)}")
    # The log first: with the file in its place and no log, a cut in between is noticed at the next start.
    for ending in ("-wal", "-journal", "-shm", ""):
        there = side_file(database, ending)
        if there.exists():
            there.replace(side_file(aside, ending))
    return aside


def _dated_backups(folder: Path, database: Path) -> list[tuple[datetime, Path]]:
    """The copies of a database in a folder with their times, oldest first."""
    dated = ((_backup_time(path, database), path) for path in folder.glob(f"{escape(database.stem)}-*.db"))
    return sorted((made, path) for made, path in dated if made is not None)


def _backup_time(path: Path, database: Path) -> datetime | None:
    """The time of a copy, from its name; None for another file."""
    try:
        return datetime.strptime(path.stem.removeprefix(f"{database.stem}-") + "+0000", f"{_NAME}%z")
    except ValueError:
        return None


def _expired_backups(dated: list[tuple[datetime, Path]]) -> list[Path]:
    """Backups that are neither the last of a recent day nor of a recent week."""
    by_day = {made.date(): path for made, path in dated}
    by_week = {made.isocalendar()[:2]: path for made, path in dated}
    kept = {*list(by_day.values())[-DAYS:], *list(by_week.values())[-WEEKS:]}
    return [path for _, path in dated if path not in kept]
