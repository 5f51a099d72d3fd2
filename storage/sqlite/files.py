"""What a file is before it is opened: ours, another program's, damaged, newer, or without its latest moves."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from storage.errors import DatabaseUnreadable, StorageError
from storage.sqlite.checkpoints import MORE_FOLLOWS, marked
from storage.sqlite.migrating import check_version

BUSY_SECONDS: Final = 5.0
"""How long to wait for a backup program that holds the file, in seconds."""


def inspect(place: Path) -> None:
    """Raise if the file is missing, damaged, foreign, newer or not whole; it stays as it is."""
    require(place)
    uri = f"{place.resolve().as_uri()}?{_gentlest_mode(place)}"
    with closing(sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS)) as conn:
        check_version(conn, str(place))
        require_whole(conn, place)
        verdict = conn.execute("PRAGMA quick_check(1)").fetchone()[0]
    if verdict != "ok":
        raise DatabaseUnreadable(
            f"The database {place} is damaged ({verdict}). Put it aside and restore a backup."
        )


def require(place: Path) -> None:
    """Raise StorageError, or DatabaseUnreadable, where there is no file, or nothing in it."""
    if place.is_dir():
        raise StorageError(f"The database {place} is a folder; name a file.")
    if not is_there(place):
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


def is_there(place: Path) -> bool:
    """Whether there is a file; raises DatabaseUnreadable where only its write-ahead log is left."""
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
