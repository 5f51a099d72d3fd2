"""Brings the tables on a server up to date, in one transaction."""

import logging

from storage.contract import Transaction
from storage.errors import DatabaseTooNew, DatabaseUnreadable
from storage.migrations.migrations import LATEST, MIGRATIONS

_log = logging.getLogger("stationmaster.storage")

_ONE_AT_A_TIME = 0x31387858
"""The number of the lock that processes starting together take: the letters "18xX"."""


async def migrate(tx: Transaction, name: str) -> None:
    """Bring the tables up to date; raises DatabaseTooNew, and DatabaseUnreadable if they are another program's."""
    await tx.run("SELECT pg_advisory_xact_lock(?)", _ONE_AT_A_TIME)
    found = await version(tx, name)
    if found > LATEST:
        raise DatabaseTooNew(name, found, LATEST)
    # A migration may take long where there are many rows.
    await tx.run("SET LOCAL statement_timeout = 0")
    for migration in (migration for migration in MIGRATIONS if migration.number > found):
        for statement in migration.postgres:
            await tx.run(statement)
        if found:
            _log.info("the tables of the database are brought to version %d", migration.number)
    await tx.run("UPDATE schema_version SET number = ?", MIGRATIONS[-1].number)


async def version(tx: Transaction, name: str) -> int:
    """Return the number of the last migration applied, 0 in an empty database; raises DatabaseUnreadable."""
    tables = await tx.rows("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")
    if ("schema_version",) in tables:
        found = await tx.row("SELECT number FROM schema_version")
        assert found is not None
        return int(found[0])
    if tables:
        raise DatabaseUnreadable(f"{name} belongs to another program. Give this one a database of its own.")
    return 0
