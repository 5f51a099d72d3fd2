"""A database on a PostgreSQL server: transactions on pooled connections, repeated after conflicts."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final, Self, TypeVar

import psycopg

from storage.contract import Database, Ownership, Query, RowValues, Transaction
from storage.errors import DatabaseUnreachable, DatabaseUnreadable, ShardLost, StorageError
from storage.migrations.schema_versions import LATEST_VERSION, migrations_from, require_known_version
from storage.postgres.connections import Pool, url_without_secrets
from storage.postgres.failures import DRIVER_ERRORS, may_retry, storage_error_for
from storage.postgres.ownership import ShardClaim, shard_holders
from storage.postgres.statements import (
    Connection,
    fetch_on_connection,
    read_on_connection,
    write_on_connection,
)
from storage.shards import ALL_SHARDS, ShardSet

_log = logging.getLogger("stationmaster.storage")

T = TypeVar("T")

MAX_ATTEMPTS: Final = 4
"""Maximum number of attempts at a transaction that conflicts with other transactions."""
TABLES_TO_VACUUM: Final = (
    "seats, memberships, seat_history, log, states, positions, outbox, proposals, votes, pauses, orders, "
    "orders_before, pings, direct_messages, turns, person_settings, guild_settings"
)
"""Tables to vacuum, since anonymising a user leaves old rows in them."""


class ServerDatabase(Database):
    """A database on a PostgreSQL server, which other processes may use at the same time."""

    is_shared = True

    def __init__(self, pool: Pool) -> None:
        self.name = url_without_secrets(pool.url)
        self.pool = pool

    @classmethod
    async def open(cls, url: str) -> Self:
        """Connect to the database at a `postgresql://` URL and migrate its tables.

        Raises DatabaseUnreachable, DatabaseUnreadable, DatabaseTooNew, StorageReadOnly, or StorageError.
        """
        db = cls(Pool(url))
        try:
            async with db.pool.connection():
                pass
        except psycopg.ProgrammingError as error:
            # A parser that splits at the first @ would put part of the password into its error message.
            raise StorageError(f"{db.name} cannot be opened; check DATABASE_URL.") from error
        except DRIVER_ERRORS as error:
            reason = "" if url.count("@") > 1 else f" (PostgreSQL: {error})"
            raise DatabaseUnreachable(
                f"No connection to {db.name}: check DATABASE_URL, and that the server runs and has this database, "
                f"user and password{reason}."
            ) from error
        try:
            await db.write(lambda tx: migrate(tx, db.name))
        except BaseException:
            await db.close()
            raise
        return db

    async def write(self, change: Callable[[Transaction], Awaitable[T]]) -> T:
        """Run `change` in one transaction, commit it durably, and return its result; see `Database.write`."""
        return await self._with_retry(lambda connection: write_on_connection(connection, change, self.name))

    async def read(self, query: Callable[[Transaction], Awaitable[T]]) -> T:
        return await self._with_retry(lambda connection: read_on_connection(connection, query))

    async def fetch(self, *queries: Query) -> list[list[RowValues]]:
        return await self._with_retry(lambda connection: fetch_on_connection(connection, queries))

    @asynccontextmanager
    async def own_shards(
        self, shards: ShardSet = ALL_SHARDS, on_waiting: Callable[[], None] = lambda: None
    ) -> AsyncIterator[Ownership]:
        async with ShardClaim(self.pool, shards) as claim:
            epochs = await claim.acquire(on_waiting)
            async with claim.keep_alive() as shard_lost:
                yield Ownership(FencedDatabase(self.pool, epochs, shards, shard_lost), shards, shard_lost)

    async def is_owned(self) -> bool:
        return bool(await self._with_retry(shard_holders))

    async def vacuum(self) -> None:
        """Free the space of deleted rows for reuse.

        The server's write-ahead log keeps the old data for some time.
        """
        await self._with_retry(_vacuum_tables)

    async def close(self) -> None:
        """Finish pending work and close the connections; closing twice is harmless."""
        await self.pool.close()

    async def _with_retry(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Run `work` on a connection, repeatedly if it conflicts with other transactions.

        Raises StorageError for an error of the server, and other exceptions unchanged.
        """
        if self.pool.closed:
            raise StorageError("The database is closed.")
        earlier_cancellations = _cancellation_count()
        for attempts_left in reversed(range(MAX_ATTEMPTS)):
            try:
                async with self.pool.connection() as connection:
                    return await work(connection)
            except DRIVER_ERRORS as error:
                if _cancellation_count() > earlier_cancellations:
                    # The task was cancelled; the server's answer to the cancelled statement arrived first.
                    raise asyncio.CancelledError from error
                if not attempts_left or not may_retry(error):
                    raise storage_error_for(error, self.name) from error
            await asyncio.sleep(0.02 * (MAX_ATTEMPTS - attempts_left))
        raise AssertionError("unreachable: the last try returns or raises")


class FencedDatabase(ServerDatabase):
    """A PostgreSQL database whose `write` raises ShardLost after another process has taken over one of the shards."""

    def __init__(
        self, pool: Pool, epochs: dict[int, int], shards: ShardSet, shard_lost: asyncio.Event
    ) -> None:
        super().__init__(pool)
        self._epochs = sorted(epochs.items())
        self._shards = shards
        self._shard_lost = shard_lost

    def owns(self, guild_id: int) -> bool:
        return self._shards.holds(guild_id) and not self._shard_lost.is_set()

    async def write(self, change: Callable[[Transaction], Awaitable[T]]) -> T:
        """Check the shards' epochs and run `change` in one transaction; see `Database.write`.

        No other process can take over these shards until the transaction ends.
        """

        async def fenced_change(tx: Transaction) -> T:
            for shard, epoch in self._epochs:
                await tx.put("SELECT require_epoch(?, ?)", shard, epoch)
            return await change(tx)

        try:
            return await super().write(fenced_change)
        except ShardLost:
            self._shard_lost.set()
            raise


def _cancellation_count() -> int:
    task = asyncio.current_task()
    return 0 if task is None else task.cancelling()


async def _vacuum_tables(connection: Connection) -> None:
    await connection.execute(f"VACUUM {TABLES_TO_VACUUM}".encode())


_MIGRATION_LOCK: Final = 0x31387858
"""The advisory lock ("18xX") held while migrating, so that only one of several starting processes migrates."""


async def migrate(tx: Transaction, name: str) -> None:
    """Migrate the tables to the latest version.

    Raises DatabaseTooNew, and DatabaseUnreadable if the tables belong to another program.
    """
    await tx.run("SELECT pg_advisory_xact_lock(?)", _MIGRATION_LOCK)
    found_version = await schema_version(tx, name)
    require_known_version(found_version, name)
    # A migration of many rows may take long.
    await tx.put("SET LOCAL statement_timeout = 0")
    for migration in migrations_from(found_version):
        for statement in migration.postgres_statements:
            await tx.put(statement)
        if found_version:
            _log.info("the tables of the database are now at version %d", migration.number)
    await tx.run("UPDATE schema_version SET number = ?", LATEST_VERSION)


async def schema_version(tx: Transaction, name: str) -> int:
    """Return the number of the last migration applied, 0 in an empty database; raises DatabaseUnreadable."""
    tables = await tx.rows("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")
    if ("schema_version",) in tables:
        row = await tx.row("SELECT number FROM schema_version")
        assert row is not None
        return int(row[0])
    if tables:
        raise DatabaseUnreadable(f"{name} belongs to another program. Use another database for the bot.")
    return 0
