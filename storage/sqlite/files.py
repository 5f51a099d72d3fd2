"""What a file is before it is opened: ours, another program's, damaged, newer, or without its latest moves."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from storage.errors import DatabaseUnreadable, StorageError
from storage.sqlite.migrations import check_version

BUSY_SECONDS = 5.0
"""How long to wait for a backup program that holds the file, in seconds."""


_SINCE: Final = 6
"""The version of the tables since which a file that is closed is in no need of its write-ahead log."""


def inspect(place: Path) -> None:
    """Raise if the file is damaged, foreign, newer or alone; without writing, so that it stays as it is."""
    if place.is_dir():
        raise StorageError(f"The database {place} is a folder; name a file.")
    if _size(place) == 0:
        raise DatabaseUnreadable(
            f"The database {place} is empty: its games are gone. Restore a backup with `stationmaster restore`, "
            "or remove the file to begin anew."
        )
    _require_log(place)
    uri = f"{place.as_uri()}?{_gentlest_mode(place)}"
    with closing(sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS)) as conn:
        check_version(conn, str(place))
        verdict = conn.execute("PRAGMA quick_check(1)").fetchone()[0]
    if verdict != "ok":
        raise DatabaseUnreadable(
            f"The database {place} is damaged ({verdict}). Put it aside and restore a backup."
        )


def is_there(place: Path) -> bool:
    """Whether there is a file; raises DatabaseUnreadable where only its write-ahead log is left."""
    if place.exists():
        return True
    if _size(beside(place, "-wal")):
        raise DatabaseUnreadable(
            f"The database {place} is gone, but its latest moves are still in {beside(place, '-wal').name}. "
            "Put the file back beside it, or put that file aside and restore a backup."
        )
    return False


def beside(place: Path, ending: str) -> Path:
    """The file beside the database that SQLite names so, such as "-wal"."""
    return place.with_name(place.name + ending)


def durable(place: Path) -> None:
    """Return once the file and its name are safely on the disk."""
    _to_disk(place, os.O_RDWR)
    if os.name != "nt":  # there a folder cannot be opened, and its names are safe by themselves
        _to_disk(place.parent, os.O_RDONLY)


def _to_disk(path: Path, mode: int) -> None:
    descriptor = os.open(path, mode)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _require_log(place: Path) -> None:
    """Raise if this is the file of a bot that runs or was killed, without the log that has its latest moves.

    A file that was closed says in its header (bytes 18 and 19) that there is no such log.
    """
    with place.open("rb") as file:
        header = file.read(100)
    version = int.from_bytes(header[60:64], "big")
    alone = header[18:20] == b"\x02\x02" and not beside(place, "-wal").exists()
    if alone and version >= _SINCE:
        raise DatabaseUnreadable(
            f"The database {place} has lost its latest moves: the file {place.name}-wal belongs to it and is not "
            "there. Put it back, or restore a backup; to go on with what is left, "
            f"`stationmaster restore {place.name}`."
        )


def _gentlest_mode(place: Path) -> str:
    if _size(beside(place, "-journal")):
        # A start or an end was cut off; only with the right to write can SQLite undo what is half done.
        return "mode=rw"
    if _size(beside(place, "-wal")):
        # A crash left committed moves beside the file. Reading needs them, and leaves them there.
        return "mode=ro"
    return "mode=ro&immutable=1"


def _size(place: Path) -> int:
    return place.stat().st_size if place.exists() else 0
