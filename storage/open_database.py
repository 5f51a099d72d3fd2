"""Opens the database that a setting names."""

from pathlib import Path

from storage.contract import Database
from storage.errors import StorageError

URL_SCHEMES = ("postgresql://", "postgres://")
"""Prefixes of the URL of a PostgreSQL database."""


async def open_database(location: str | Path) -> Database:
    """Open the database at a `postgresql://` URL or a file's path, and migrate it.

    A file is made if there is none. Raises DatabaseInUse, DatabaseUnreachable, DatabaseUnreadable,
    DatabaseTooNew, or StorageError; each leaves what is there alone.
    """
    if is_server_url(location):
        return await _open_url(str(location))
    from storage.sqlite.database import FileDatabase  # most of what `storage` loads, and needed here alone

    return await FileDatabase.open(location)


def is_server_url(location: str | Path) -> bool:
    """True if this names a database on a server, rather than a file."""
    return isinstance(location, str) and location.startswith(URL_SCHEMES)


async def _open_url(url: str) -> Database:
    try:
        from storage.postgres.database import ServerDatabase
    except ModuleNotFoundError as error:
        if error.name != "psycopg":
            raise
        raise StorageError(
            "PostgreSQL needs one more package: pip install 'stationmaster[postgres]'."
        ) from error
    return await ServerDatabase.open(url)
