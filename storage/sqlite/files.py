"""What a file is before it is opened: ours, another program's, damaged, or newer."""

import sqlite3
from contextlib import closing
from pathlib import Path

from storage.errors import DatabaseUnreadable, StorageError
from storage.sqlite.migrations import check_version

BUSY_SECONDS = 5.0
"""How long to wait for a backup program that holds the file, in seconds."""


def inspect(place: Path) -> None:
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
