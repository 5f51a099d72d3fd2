"""The database on a server: transactions on pooled connections, retried on conflicts."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final, Self, TypeVar

import psycopg

from storage.contract import Cells, Database, Ownership, Query, Transaction
from storage.errors import DatabaseUnreachable, DatabaseUnreadable, ShardLost, StorageError
from storage.migrations.schema_versions import LATEST, require_known, upgrades
from storage.postgres.connections import Pool, url_without_secrets
from storage.postgres.failures import FAILURES, translated, worth_another_try
from storage.postgres.ownership import ShardClaim, holders
from storage.postgres.statements import Link, ask_on_link, read_on_link, write_on_link
from storage.shards import WHOLE, ShardSet

_log = logging.getLogger("stationmaster.storage")

T = TypeVar("T")

TRIES: Final = 4
"""Attempts at a transaction that collides with others."""
PERSONAL: Final = (
    "seats, memberships, seat_history, log, states, positions, outbox, proposals, votes, pauses, orders, "
    "orders_before, pings, direct_messages, turns, person_settings, guild_settings"
)
"""The tables from which something goes when somebody is removed."""


class ServerDatabase(Database):
    """A database on a PostgreSQL server, which other processes may use at the same time."""

    shared = True

    def __init__(self, pool: Pool) -> None:
        self.name = url_without_secrets(pool.url)
        self.pool = pool

    @classmethod
    async def open(cls, url: str) -> Self:
        """Connect to the database at a `postgresql://` URL and bring its tables up to date.

        Raises DatabaseUnreachable, DatabaseUnreadable, DatabaseTooNew, StorageReadOnly, or StorageError.
        """
        db = cls(Pool(url))
        try:
            async with db.pool.link():
                pass
        except psycopg.ProgrammingError as error:
            # As where the URL has a second @, its words may hold a part of the password.
            raise StorageError(f"{db.name} cannot be opened; check DATABASE_URL.") from error
        except FAILURES as error:
            words = "" if url.count("@") > 1 else f" (PostgreSQL: {error})"
            raise DatabaseUnreachable(
                f"No connection to {db.name}: check DATABASE_URL, and that the server runs and has this database, "
                f"user and password{words}."
            ) from error
        try:
            await db.write(lambda tx: migrate(tx, db.name))
        except BaseException:
            await db.close()
            raise
        return db

    async def write(self, change: Callable[[Transaction], Awaitable[T]]) -> T:
        """Run `change` in one transaction, which is on the server's disk when this returns; see the contract."""
        return await self._with_retry(lambda link: write_on_link(link, change, self.name))

    async def read(self, query: Callable[[Transaction], Awaitable[T]]) -> T:
        return await self._with_retry(lambda link: read_on_link(link, query))

    async def ask(self, *queries: Query) -> list[list[Cells]]:
        return await self._with_retry(lambda link: ask_on_link(link, queries))

    @asynccontextmanager
    async def owning(
        self, shards: ShardSet = WHOLE, standing_by: Callable[[], None] = lambda: None
    ) -> AsyncIterator[Ownership]:
        async with ShardClaim(self.pool, shards) as claim:
            epochs = await claim.acquire(standing_by)
            async with claim.keep_alive() as lost:
                yield Ownership(FencedDatabase(self.pool, epochs, shards, lost), shards, lost)

    async def is_owned(self) -> bool:
        return bool(await self._with_retry(holders))

    async def vacuum(self) -> None:
        """Free what was deleted; the server itself writes over it in time, and keeps its own log of writes."""
        await self._with_retry(_vacuumed)

    async def close(self) -> None:
        """Finish pending work and close the connections; closing twice is harmless."""
        await self.pool.close()

    async def _with_retry(self, work: Callable[[Link], Awaitable[T]]) -> T:
        """Run the work, once more on a conflict; an error that is not the server's is raised as a bug."""
        if self.pool.closed:
            raise StorageError("The database is closed.")
        stops = _stops()
        for left in reversed(range(TRIES)):
            try:
                async with self.pool.link() as link:
                    return await work(link)
            except FAILURES as error:
                if _stops() > stops:
                    # The server has stopped what was cancelled, and its answer came in place of that.
                    raise asyncio.CancelledError from error
                if not left or not worth_another_try(error):
                    raise translated(error, self.name) from error
            await asyncio.sleep(0.02 * (TRIES - left))
        raise AssertionError("unreachable: the last try returns or raises")


class FencedDatabase(ServerDatabase):
    """The same database, which refuses writes once a shard is lost: raises ShardLost."""

    def __init__(self, pool: Pool, epochs: dict[int, int], shards: ShardSet, lost: asyncio.Event) -> None:
        super().__init__(pool)
        self._epochs = sorted(epochs.items())
        self._share = shards
        self._shard_lost = lost

    def owns(self, guild_id: int) -> bool:
        return self._share.holds(guild_id) and not self._shard_lost.is_set()

    async def write(self, change: Callable[[Transaction], Awaitable[T]]) -> T:
        """Check the epochs and run `change` in one transaction; see the contract.

        Until that ends, nobody else takes these shards over.
        """

        async def fenced(tx: Transaction) -> T:
            for shard, epoch in self._epochs:
                await tx.put("SELECT require_epoch(?, ?)", shard, epoch)
            return await change(tx)

        try:
            return await super().write(fenced)
        except ShardLost:
            self._shard_lost.set()
            raise


def _stops() -> int:
    """Number of times that the current task was cancelled."""
    task = asyncio.current_task()
    return 0 if task is None else task.cancelling()


async def _vacuumed(link: Link) -> None:
    await link.execute(f"VACUUM {PERSONAL}".encode())


_ONE_AT_A_TIME: Final = 0x31387858
"""The number of the lock that processes starting together take: the letters "18xX"."""


async def migrate(tx: Transaction, name: str) -> None:
    """Bring the tables up to date; raises DatabaseTooNew, and DatabaseUnreadable if they are another program's."""
    await tx.run("SELECT pg_advisory_xact_lock(?)", _ONE_AT_A_TIME)
    number = await version(tx, name)
    require_known(number, name)
    # A migration may take long where there are many rows.
    await tx.put("SET LOCAL statement_timeout = 0")
    for migration in upgrades(number):
        for statement in migration.postgres:
            await tx.put(statement)
        if number:
            _log.info("the tables of the database are brought to version %d", migration.number)
    await tx.run("UPDATE schema_version SET number = ?", LATEST)


async def version(tx: Transaction, name: str) -> int:
    """Return the number of the last migration applied, 0 in an empty database; raises DatabaseUnreadable."""
    tables = await tx.rows("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")
    if ("schema_version",) in tables:
        row = await tx.row("SELECT number FROM schema_version")
        assert row is not None
        return int(row[0])
    if tables:
        raise DatabaseUnreadable(f"{name} belongs to another program. Give this one a database of its own.")
    return 0
