"""Opens the database that a setting names."""

from pathlib import Path

from storage.contract import Database
from storage.sqlite.database import FileDatabase


async def open_database(where: str | Path) -> Database:
    """Open the database file at a path, make it if there is none, and bring its tables up to date.

    Raises DatabaseInUse, DatabaseUnreadable, DatabaseTooNew, or StorageError; each leaves what is there alone.
    """
    return await FileDatabase.open(where)
