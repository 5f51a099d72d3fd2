"""One process per database: a lock file beside it, held for as long as the database is open."""

from pathlib import Path

from filelock import FileLock, Timeout

from storage.errors import DatabaseInUse, StorageError


def acquire(database: Path) -> FileLock:
    """Lock `database` for this process and return the lock, for `release`.

    Raises DatabaseInUse if it is locked already, StorageError if the lock file cannot be made.
    """
    if not database.parent.is_dir():  # the library would make the folder, and a misspelt one hides the games
        raise StorageError(f"The database {database} cannot be opened: there is no folder {database.parent}.")
    # The kernel drops the lock when the process dies, however it dies, so a left-over file locks nothing.
    lock = FileLock(lock_path(database), thread_local=False)
    try:
        lock.acquire(timeout=0)
    except Timeout as error:
        raise DatabaseInUse(
            f"The database {database} is in use by another running bot. "
            f"Stop that one first, or give this one a file of its own."
        ) from error
    except OSError as error:
        raise StorageError(
            f"The database {database} cannot be opened; check that its folder may be written "
            f"({error.strerror})."
        ) from error
    return lock


def release(lock: FileLock) -> None:
    """Give up a lock from `acquire`."""
    lock.release(force=True)


def lock_path(database: Path) -> Path:
    """Return where the lock file of `database` lies."""
    return database.with_name(database.name + ".lock")
