"""The database on a server: a pool of connections, its migrations, and locks that show which processes are alive."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import Final, Self, TypeVar
from urllib.parse import urlsplit

import asyncpg

from storage.contract import Cells, Database, Query, Transaction
from storage.errors import (
    DatabaseTooNew,
    DatabaseUnreachable,
    DatabaseUnreadable,
    StorageError,
    StorageReadOnly,
)
from storage.migrations.schema_versions import LATEST, MIGRATIONS
from storage.postgres.statements import (
    FAILURES,
    PRESENCE,
    Link,
    asked,
    read,
    translated,
    undo,
    vacuumed,
    waited_in_vain,
    was_cut_off,
    worth_another_try,
    written,
)

_log = logging.getLogger("stationmaster.storage")

RECONNECT: Final = 0.25
"""Seconds until a connection that was lost is made anew."""
VANISHED: Final = {"tcp_keepalives_idle": "2", "tcp_keepalives_interval": "1", "tcp_keepalives_count": "2"}
"""So soon the server finds out that a machine is gone, whose connections nobody could close."""


@asynccontextmanager
async def advertise(
    url: str, shards: Sequence[int], holder: str, settings: dict[str, str]
) -> AsyncIterator[None]:
    """Give signs for these shards; a connection that is lost is made anew."""
    tried = asyncio.Event()
    keeping = asyncio.create_task(_keep_showing(url, shards, holder, settings, tried))
    await tried.wait()
    try:
        yield
    finally:
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)


async def _keep_showing(
    url: str, shards: Sequence[int], holder: str, settings: dict[str, str], tried: asyncio.Event
) -> None:
    while True:
        try:
            await _show_once(url, shards, holder, settings, tried)
        except FAILURES as error:
            # A process that renews its leases keeps them all the same.
            _log.warning("no sign of life can be given: %s", error)
        finally:
            tried.set()
        await asyncio.sleep(RECONNECT)


async def _show_once(
    url: str, shards: Sequence[int], holder: str, settings: dict[str, str], given: asyncio.Event
) -> None:
    """Give signs as long as a connection lasts."""
    lost = asyncio.Event()
    link = await asyncpg.connect(url, server_settings=settings)
    try:
        link.add_termination_listener(lambda _: lost.set())
        for shard in shards:
            await link.execute("SELECT pg_advisory_lock($1, hashtext($2))", PRESENCE + shard, holder)
        given.set()
        await lost.wait()
    finally:
        with suppress(*FAILURES):
            await link.close(timeout=1.0)


T = TypeVar("T")

CONNECTIONS: Final = 8
"""The most connections a process holds."""
TRIES: Final = 4
"""Attempts at a transaction that collides with others."""
PATIENCE: Final = 10.0
"""Seconds to wait for a connection."""
FAREWELL: Final = 3.0
"""Seconds that closing waits for the server: no statement is under way then."""
STATEMENT: Final = 30.0
"""Seconds that a statement may take."""
SILENCE: Final = 5
"""Seconds after which a process that leaves a statement half said counts as stopped."""

STATEMENTS: Final = 500
"""Prepared statements that a connection keeps: more than there are."""

_SETTINGS = {
    "application_name": "stationmaster",
    # Anything less may lose committed moves when the power fails.
    "synchronous_commit": "on",
    # A process that is stopped in the middle of a transaction holds its rows no longer than this. One that was only
    # slow runs the transaction again.
    "idle_in_transaction_session_timeout": "3s",
    # None of ours takes so long.
    "statement_timeout": "10s",
    # Longer than a process may be idle, so that who waits for one that was stopped gets through.
    "lock_timeout": "4s",
    **VANISHED,
}
# While the server has parsed a statement and waits for its values, it counts as busy, not as idle, and no time
# limit of its own applies. So a process that waited for it in vain ends its connection.
_END_SILENT = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()
      AND application_name = current_setting('application_name')
      AND state = 'active' AND wait_event = 'ClientRead' AND state_change < clock_timestamp() - $1 * INTERVAL '1 second'
"""
_UNREADABLE = "postgresql://..."
"""Shown in place of a URL in which the end of the password is unclear."""


class ServerDatabase(Database):
    """A database on a PostgreSQL server, which other processes may use at the same time."""

    def __init__(self, name: str, url: str, pool: "asyncpg.Pool[asyncpg.Record]") -> None:
        self.name = name
        self._url = url
        self.shared = True
        self._pool = pool
        self._closed = False

    @classmethod
    async def open(cls, url: str) -> Self:
        """Connect to the database at a `postgresql://` URL and bring its tables up to date.

        Raises DatabaseUnreachable, DatabaseUnreadable, DatabaseTooNew, StorageReadOnly, or StorageError.
        """
        name = nameless(url)
        try:
            pool = await _pool(url)
        except (OSError, TimeoutError) as error:
            raise DatabaseUnreachable(
                f"No PostgreSQL server answers at {name}; check DATABASE_URL and that it runs ({error})."
            ) from error
        except (*FAILURES, ValueError) as error:
            raise _said(error, name) from error
        db = cls(name, url, pool)
        try:
            await db.write(lambda tx: migrate(tx, name))
        except BaseException:
            await db.close()
            raise
        return db

    async def write(self, change: Callable[[Transaction], Awaitable[T]]) -> T:
        """Run `change` in one transaction, which is on the server's disk when this returns; see the contract."""
        return await self._tried(lambda link: written(link, change, self.name))

    async def read(self, query: Callable[[Transaction], Awaitable[T]]) -> T:
        return await self._tried(lambda link: read(link, query))

    async def ask(self, *queries: Query) -> list[list[Cells]]:
        refused = next((sql for sql, _ in queries if not sql.startswith("SELECT ")), None)
        if refused is not None:
            raise StorageReadOnly(
                f"{self.name} may not be written by a question; nothing was changed ({refused})."
            )
        return await self._tried(lambda link: asked(link, queries))

    def advertise(self, shards: Sequence[int], holder: str) -> AbstractAsyncContextManager[None]:
        return advertise(self._url, shards, holder, _SETTINGS)

    async def vacuum(self) -> None:
        """Free what was deleted; the server itself writes over it in time, and keeps its own log of writes."""
        await self._tried(vacuumed)

    async def close(self) -> None:
        """Finish what was begun and close the connections; closing twice is harmless."""
        if not self._closed:
            self._closed = True
            try:
                async with asyncio.timeout(FAREWELL):
                    await self._pool.close()
            except FAILURES as error:
                # The server takes no farewell, and the pool has cut the connections off; what was stored is stored.
                _log.warning("%s: the connections were cut off: %r", self.name, error)

    async def _tried(self, work: Callable[[Link], Awaitable[T]]) -> T:
        """Do the work, once more if others came across it; as a bug is raised what is none of the server's."""
        if self._closed:
            raise StorageError("The database is closed.")
        for left in reversed(range(TRIES)):
            try:
                return await self._once(work)
            except FAILURES as error:
                if not left or not (worth_another_try(error) or await self._freed(error)):
                    raise translated(error, self.name) from error
            await asyncio.sleep(0.02 * (TRIES - left))
        raise AssertionError("unreachable: the last try returns or raises")

    async def _freed(self, error: Exception) -> bool:
        """True if what was waited for is free now, because its silent holder was cut off."""
        if not waited_in_vain(error):
            return False
        try:
            async with self._pool.acquire(timeout=PATIENCE) as link:
                return await end_silent(link)
        except FAILURES:
            return False  # what was waited for in vain is what is said

    async def _once(self, work: Callable[[Link], Awaitable[T]]) -> T:
        async with self._pool.acquire(timeout=PATIENCE) as link:
            try:
                return await work(link)
            except FAILURES as error:
                if was_cut_off(error):
                    link.terminate()
                raise


async def end_silent(link: Link) -> bool:
    """End the connections that have fallen silent; return whether there were any.

    What they had begun is rolled back. A process that was only slow hears that it was cut off, and runs it again.
    """
    return any(ended for (ended,) in await link.fetch(_END_SILENT, SILENCE))


async def _pool(url: str) -> "asyncpg.Pool[asyncpg.Record]":
    return await asyncpg.create_pool(
        url,
        min_size=1,
        max_size=CONNECTIONS,
        timeout=PATIENCE,
        command_timeout=STATEMENT,
        # To prepare a statement is a trip of its own: each is prepared once for each connection.
        statement_cache_size=STATEMENTS,
        max_cached_statement_lifetime=0,
        server_settings=_SETTINGS,
        # The usual reset is a trip to the server after each transaction, for things that are not used here.
        reset=undo,
    )


def nameless(url: str) -> str:
    """Return a URL as it may be shown and logged: without password, and without what else may hold one."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return _UNREADABLE
    if "@" in parts.path + parts.query + parts.fragment:
        return _UNREADABLE  # a password with a sign that ends the address for some readers
    where = parts.netloc.rpartition("@")[2]
    user = f"{parts.username}@" if parts.username else ""
    return f"{parts.scheme}://{user}{where}{parts.path}"


def _said(error: Exception, name: str) -> Exception:
    found = translated(error, name)
    if found is error:
        return StorageError(f"{name} cannot be opened; check DATABASE_URL ({error}).")
    return found


_ONE_AT_A_TIME: Final = 0x31387858
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
