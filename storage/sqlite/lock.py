"""One process per database: a lock file next to it, held for as long as the database is open."""

from contextlib import suppress
from os import getpid
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from storage.errors import DatabaseInUse, StorageError

LONGEST_NUMBER: Final = 20
"""The most digits that the number of a process has."""


def acquire(database: Path) -> FileLock:
    """Lock `database` for this process and return the lock, for `release`.

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
            f"A bot is already running with the database {database}{_holder(place)}. Stop that one first, or give "
            f"this one a file of its own by STATIONMASTER_DATABASE."
        ) from error
    except OSError as error:
        raise _cannot_be_made(place, error.strerror) from error
    _sign(place)
    return lock


def release(lock: FileLock) -> None:
    """Give up a lock from `acquire`."""
    lock.release()


def lock_path(database: Path) -> Path:
    """Return where the lock file of `database` lies."""
    return database.with_name(database.name + ".lock")


def _cannot_be_made(place: Path, why: str | None) -> StorageError:
    return StorageError(
        f"The lock file {place} cannot be written ({why}). Check that STATIONMASTER_DATABASE names a file in a folder "
        f"that may be written."
    )


def _sign(place: Path) -> None:
    """Leave the number of this process in the lock file, where the system lets a locked file be written."""
    with suppress(OSError):
        place.write_text(f"{getpid()}\n", "ascii")


def _holder(place: Path) -> str:
    """Who holds the lock, as far as the file says so."""
    with suppress(OSError, UnicodeDecodeError):
        number = place.read_text("ascii")[:LONGEST_NUMBER].strip()
        if number.isdecimal():
            return f" (process {number})"
    return ""
