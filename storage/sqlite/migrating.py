"""Brings the tables of a file up to date, each migration in a transaction of its own."""

import logging
import sqlite3
from collections.abc import Sequence

from storage.errors import DatabaseTooNew, DatabaseUnreadable
from storage.migrations.migration import Migration
from storage.migrations.schema_versions import LATEST, MIGRATIONS
from storage.sqlite.checkpoints import OURS, WHOLE, marked
from storage.sqlite.transactions import transaction

_log = logging.getLogger("stationmaster.storage")


def version(conn: sqlite3.Connection) -> int:
    """Return the number of the last migration applied, 0 in an empty database."""
    return int(conn.execute("PRAGMA user_version").fetchone()[0])


def check_version(conn: sqlite3.Connection, path: str) -> None:
    """Raise DatabaseTooNew or DatabaseUnreadable unless this release can bring the database up to date."""
    application = marked(conn)
    if application not in OURS:
        if application or conn.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone():
            raise DatabaseUnreadable(
                f"The database {path} belongs to another program. Give this one a file of its own."
            )
        return
    if version(conn) > LATEST:
        raise DatabaseTooNew(path, version(conn), LATEST)


def migrate(conn: sqlite3.Connection, migrations: Sequence[Migration] = MIGRATIONS) -> None:
    """Apply those of `migrations` (by default all of them) that `conn` does not have yet, in order.

    Each is a line in the log, except those that make the tables of a new database.
    """
    before = version(conn)
    for migration in migrations:
        if migration.number <= before:
            continue
        with transaction(conn):
            for statement in migration.sqlite:
                conn.execute(statement)
            # Both live in the file's header and are part of the transaction; PRAGMA takes no parameters.
            conn.execute(f"PRAGMA application_id = {WHOLE}")
            conn.execute(f"PRAGMA user_version = {migration.number}")
        if before > 0:
            _log.info("the tables of the database are now at version %d", migration.number)
