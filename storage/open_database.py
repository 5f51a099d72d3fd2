"""Opening a database by its URL or file path."""

from pathlib import Path

from storage.contract import Database
from storage.errors import StorageError

URL_SCHEMES = ("postgresql://", "postgres://")
"""Prefixes by which the URL of a PostgreSQL database is recognised."""


async def open_database(location: str | Path) -> Database:
    """Open the database at a `postgresql://` URL or a file path, and migrate it to the latest schema version.

    A missing file is created. Raises DatabaseInUse, DatabaseUnreachable, DatabaseUnreadable, DatabaseTooNew or another
    StorageError; the database is not changed then.
    """
    if is_server_url(location):
        return await _open_url(str(location))
    from storage.sqlite.database import FileDatabase  # the slowest import of `storage`, needed only here

    return await FileDatabase.open(location)


def is_server_url(location: str | Path) -> bool:
    """True for the URL of a PostgreSQL server, False for a file path."""
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
