"""One process per database: a lock file beside it, held for as long as the database is open."""

import fcntl
import os
from pathlib import Path

from storage.errors import DatabaseInUse, StorageError


def acquire(database: Path) -> int:
    """Lock `database` for this process and return the descriptor to give to `release`.

    Raises DatabaseInUse if it is locked already, StorageError if the lock file cannot be made.
    """
    # The kernel drops the lock when the process dies, however it dies, so a left-over file locks nothing.
    # The file is never deleted: somebody could be about to lock the very file that is being removed.
    try:
        descriptor = os.open(lock_path(database), os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise StorageError(
            f"The database {database} cannot be opened; check that its folder exists and may be written "
            f"({error.strerror})."
        ) from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(descriptor)
        if isinstance(error, BlockingIOError):
            raise DatabaseInUse(
                f"The database {database} is in use by another running bot. "
                f"Stop that one first, or give this one a file of its own."
            ) from error
        raise StorageError(f"The database {database} cannot be locked ({error.strerror}).") from error
    return descriptor


def release(descriptor: int) -> None:
    """Give up a lock from `acquire`."""
    os.close(descriptor)


def lock_path(database: Path) -> Path:
    """Return where the lock file of `database` lies."""
    return database.with_name(database.name + ".lock")
