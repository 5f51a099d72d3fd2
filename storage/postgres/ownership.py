"""Ownership of shards on PostgreSQL: advisory locks, which end with their connection, and epochs (fencing tokens).

Each write checks the epochs. The owner's connection sends a heartbeat twice a second, and the server records the time.
A standby process considers an owner without heartbeats as stopped, and makes the server end all its connections.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Final, NamedTuple, Self

from storage.errors import ShardCountMismatch
from storage.postgres.connections import Pool
from storage.postgres.failures import DRIVER_ERRORS
from storage.postgres.statements import BEGIN_WRITING_SQL, Connection
from storage.shards import ShardSet

_log = logging.getLogger("stationmaster.shards")

FIRST_LOCK_NUMBER: Final = 0x31380000
"""An advisory lock's first key is this number plus the shard count; its second key is the shard."""
MAX_SHARDS: Final = 0xFFFF
"""Maximum number of shards into which servers can be divided."""
HEARTBEAT_INTERVAL_SECONDS: Final = 0.5
"""Seconds between two heartbeats of a shard's owner."""
MAX_SILENCE_SECONDS: Final = 3.5
"""Seconds without a heartbeat after which an owner is considered stopped."""
TAKEOVER_RETRY_SECONDS: Final = 0.25
"""Seconds between a standby process's attempts to take over shards."""
RECONNECT_GRACE_SECONDS: Final = 1.0
"""Seconds for which an owner whose connection broke may reconnect before another process takes over."""

_HOLDERS_SQL: Final = b"""
    SELECT pid, application_name, CAST(classid AS BIGINT) - $1::bigint, CAST(objid AS BIGINT),
        state_change < clock_timestamp() - $2::float8 * INTERVAL '1 second'
    FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE locktype = 'advisory' AND granted AND objsubid = 2
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND CAST(classid AS BIGINT) BETWEEN $1::bigint AND $1::bigint + $3::bigint
"""
_CONNECTIONS_SQL: Final = b"SELECT pid FROM pg_stat_activity WHERE application_name = $1"
_DISCONNECT_SQL: Final = (
    b"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1 OR application_name = $2"
)
_NEXT_EPOCH_SQL: Final = b"""
    INSERT INTO shards (shard, shard_count, epoch) VALUES ($1, $2, 1) ON CONFLICT (shard)
    DO UPDATE SET shard_count = excluded.shard_count, epoch = shards.epoch + 1 RETURNING epoch
"""


class _ShardHolder(NamedTuple):
    """A database connection that holds a shard's lock; `is_silent` is true if its heartbeats have stopped."""

    pid: int
    process_name: str
    shard_count: int
    shard: int
    is_silent: bool


class ShardClaim:
    """A process's claim to own shards, held by one database connection. Leaving the context releases the claim."""

    def __init__(self, pool: Pool, shards: ShardSet) -> None:
        self._pool = pool
        self._shards = shards
        self._connection: Connection | None = None
        self._lost_pid: int | None = None
        self._epochs: dict[int, int] = {}
        self._last_held_at = float("-inf")
        self._last_holder = ""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._release_locks()
        await self._close_connection()

    async def acquire(self, on_waiting: Callable[[], None]) -> dict[int, int]:
        """Wait until no other process owns these shards, take them over, and return their epochs.

        Calls `on_waiting` once if it must wait. Raises ShardCountMismatch.
        """
        has_waited = False
        while not await self._try_to_acquire():
            if not has_waited:
                _log.info("standing by, because another process holds some of the shards %s", self._shards)
                on_waiting()
            has_waited = True
            await asyncio.sleep(TAKEOVER_RETRY_SECONDS)
        _log.info("running with the shards %s", self._shards)
        return self._epochs

    @asynccontextmanager
    async def keep_alive(self) -> AsyncIterator[asyncio.Event]:
        """Send heartbeats within the context; yields an event that is set when another process has taken over."""
        shard_lost = asyncio.Event()
        heartbeat_task = asyncio.create_task(self._send_heartbeats(shard_lost))
        try:
            yield shard_lost
        finally:
            heartbeat_task.cancel()
            await asyncio.gather(heartbeat_task, return_exceptions=True)

    async def _try_to_acquire(self) -> bool:
        now = asyncio.get_running_loop().time()
        try:
            connection = await self._open_connection()
            for holder in await self._other_holders(connection):
                self._last_held_at, self._last_holder = now, holder.process_name
            if self._last_held_at == now or (
                now - self._last_held_at < RECONNECT_GRACE_SECONDS
                and await self._may_holder_reconnect(connection)
            ):
                return False
            return await self._take_all_locks(connection) and await self._increase_epochs(connection)
        except DRIVER_ERRORS as error:
            _log.warning("cannot take over the shards: %s", error)
            # The owner from before the outage of the server may reconnect first.
            self._last_held_at, self._last_holder = now, ""
            await self._close_connection()
            return False

    async def _may_holder_reconnect(self, connection: Connection) -> bool:
        """True if the last holder may still reconnect.

        This is so while it has other connections, or if its name is unknown.
        """
        if not self._last_holder:
            return True
        rows = await connection.execute(_CONNECTIONS_SQL, (self._last_holder,))
        return await rows.fetchone() is not None

    async def _increase_epochs(self, connection: Connection) -> bool:
        """Increase each shard's stored epoch, so that writes by earlier owners fail.

        Always returns True, so that the call can be the last part of a condition.
        """
        shard_count = self._shards.shard_count
        await connection.execute(BEGIN_WRITING_SQL.encode())
        await connection.execute(
            b"UPDATE shards SET epoch = epoch + 1 WHERE shard_count <> $1", (shard_count,)
        )
        for shard in sorted(self._shards.shards):
            (epoch,) = await (await connection.execute(_NEXT_EPOCH_SQL, (shard, shard_count))).fetchone() or (
                0,
            )
            self._epochs[shard] = epoch
        await connection.execute(b"COMMIT")
        return True

    async def _send_heartbeats(self, shard_lost: asyncio.Event) -> None:
        while not shard_lost.is_set():
            try:
                connection = await self._open_connection()
                async for _ in connection.notifies(
                    timeout=HEARTBEAT_INTERVAL_SECONDS
                ):  # returns early if the connection breaks; no notifications are sent
                    pass
                await connection.execute(b"SELECT 1")
                continue
            except DRIVER_ERRORS as error:
                _log.warning("lost the connection that holds the shards: %s", error)
            await self._close_connection()
            while not shard_lost.is_set():
                try:
                    if not await self._reclaim():
                        shard_lost.set()
                    break
                except DRIVER_ERRORS:
                    await self._close_connection()
                    await asyncio.sleep(TAKEOVER_RETRY_SECONDS / 2)

    async def _reclaim(self) -> bool:
        """Reconnect and take the locks again; return False if another process owned the shards in between."""
        connection = await self._open_connection()
        try:
            if await self._other_holders(connection) or not await self._take_all_locks(connection):
                return False
        except ShardCountMismatch:
            return False
        rows = await connection.execute(b"SELECT shard, epoch FROM shards")
        return self._epochs.items() <= dict(await rows.fetchall()).items()

    async def _other_holders(self, connection: Connection) -> list[_ShardHolder]:
        """Return the connections of other processes that hold these shards, and end silent ones.

        Raises ShardCountMismatch.
        """
        other_holders = [holder for holder in await shard_holders(connection) if holder.pid != self._lost_pid]
        await connection.execute(_DISCONNECT_SQL, (self._lost_pid, None))
        for holder in other_holders:
            if holder.is_silent:
                _log.warning(
                    "cutting off the process that holds shard %d, because it is silent", holder.shard
                )
                await connection.execute(_DISCONNECT_SQL, (holder.pid, holder.process_name))
            elif holder.shard_count != self._shards.shard_count:
                raise ShardCountMismatch(holder.shard_count, self._shards.shard_count)
        return [holder for holder in other_holders if holder.shard in self._shards.shards]

    async def _take_all_locks(self, connection: Connection) -> bool:
        """Try to take the locks of all shards. If another process holds one of them, release all and return False."""
        for shard in sorted(self._shards.shards):
            lock_numbers = (FIRST_LOCK_NUMBER + self._shards.shard_count, shard)
            lock_row = await (
                await connection.execute(b"SELECT pg_try_advisory_lock($1::int, $2::int)", lock_numbers)
            ).fetchone()
            if lock_row != (True,):
                await connection.execute(b"SELECT pg_advisory_unlock_all()")
                return False
        if any(holder.shard_count != self._shards.shard_count for holder in await shard_holders(connection)):
            # Another process took locks for another shard count at the same time, and will find ours.
            await connection.execute(b"SELECT pg_advisory_unlock_all()")
            return False
        return True

    async def _open_connection(self) -> Connection:
        if self._connection is None:
            self._connection = await self._pool.connect()
        return self._connection

    async def _release_locks(self) -> None:
        if self._connection is not None:
            try:
                await self._connection.execute(b"SELECT pg_advisory_unlock_all()")
            except DRIVER_ERRORS as error:
                _log.warning(
                    "cannot release the locks of the shards; they end with the connection: %s", error
                )

    async def _close_connection(self) -> None:
        if self._connection is not None:
            self._lost_pid = self._connection.info.backend_pid
            await self._connection.close()
            self._connection = None


async def shard_holders(connection: Connection) -> list[_ShardHolder]:
    """Return all connections that hold the lock of any shard."""
    rows = await connection.execute(_HOLDERS_SQL, (FIRST_LOCK_NUMBER, MAX_SILENCE_SECONDS, MAX_SHARDS))
    return [_ShardHolder(*row) for row in await rows.fetchall()]
