"""Ownership of shards: advisory locks, which end with their connection, and epochs, which each write checks.

The owner's connection sends a heartbeat twice a second, and the server records the time. A process that stands by
counts an owner without heartbeats as stopped, and has the server end all its connections.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Final, NamedTuple, Self

from storage.errors import ShardCountMismatch
from storage.postgres.connections import Pool
from storage.postgres.failures import FAILURES
from storage.postgres.statements import BEGIN_WRITING, Link
from storage.shards import ShardSet

_log = logging.getLogger("stationmaster.shards")

FIRST_LOCK_NUMBER: Final = 0x31380000
"""First key of an advisory lock, before the shard count is added; the second key is the shard."""
MAX_SHARDS: Final = 0xFFFF
"""The greatest number of shards."""
HEARTBEAT_SECONDS: Final = 0.5
"""Seconds between two heartbeats of an owner."""
MAX_SILENCE_SECONDS: Final = 3.5
"""Seconds without a heartbeat after which a process counts as stopped."""
STANDBY_SECONDS: Final = 0.25
"""Seconds between two attempts of a standby process to take the shards."""
RETURN_SECONDS: Final = 1.0
"""Seconds in which an owner whose connection broke may reconnect before another process takes over."""

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
    """A connection that holds the lock of a shard; `is_silent` is true if its heartbeats have stopped."""

    pid: int
    process: str
    shard_count: int
    shard: int
    is_silent: bool


class ShardClaim:
    """A process's claim to shards, held by one connection. Leaving the context gives the shards up."""

    def __init__(self, pool: Pool, shards: ShardSet) -> None:
        self._pool = pool
        self._shards = shards
        self._link: Link | None = None
        self._lost_pid: int | None = None
        """The backend pid of a lost connection of this process, which may still hold the locks on the server."""
        self._epochs: dict[int, int] = {}
        self._last_held_at = float("-inf")
        """Event loop time when another process last held one of these shards;

        `_last_holder` is the name of that process.
        """
        self._last_holder = ""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._give_up_locks()
        await self._close_link()

    async def acquire(self, standing_by: Callable[[], None]) -> dict[int, int]:
        """Wait until no other process owns these shards, take them, and return their epochs.

        `standing_by` is called once if this must wait. Raises ShardCountMismatch.
        """
        has_waited = False
        while not await self._try_to_acquire():
            if not has_waited:
                _log.info("standing by, because another process holds some of the shards %s", self._shards)
                standing_by()
            has_waited = True
            await asyncio.sleep(STANDBY_SECONDS)
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
        """Try to take the shards; True if this process owns them now."""
        now = asyncio.get_running_loop().time()
        try:
            link = await self._open_link()
            for other in await self._other_holders(link):
                self._last_held_at, self._last_holder = now, other.process
            if self._last_held_at == now or (
                now - self._last_held_at < RETURN_SECONDS and await self._may_holder_return(link)
            ):
                return False
            return await self._take_all_locks(link) and await self._begin_epochs(link)
        except FAILURES as error:
            _log.warning("cannot take over the shards: %s", error)
            # The owner from before the outage of the server may reconnect first.
            self._last_held_at, self._last_holder = now, ""
            await self._close_link()
            return False

    async def _may_holder_return(self, link: Link) -> bool:
        """True while the last holder may reconnect: it has other connections, or its name is unknown."""
        if not self._last_holder:
            return True
        rows = await link.execute(_CONNECTIONS_SQL, (self._last_holder,))
        return await rows.fetchone() is not None

    async def _begin_epochs(self, link: Link) -> bool:
        """Store the next epoch of each shard, which invalidates writes under earlier ones. Always returns True."""
        shard_count = self._shards.shard_count
        await link.execute(BEGIN_WRITING.encode())
        await link.execute(b"UPDATE shards SET epoch = epoch + 1 WHERE shard_count <> $1", (shard_count,))
        for shard in sorted(self._shards.shards):
            (epoch,) = await (await link.execute(_NEXT_EPOCH_SQL, (shard, shard_count))).fetchone() or (0,)
            self._epochs[shard] = epoch
        await link.execute(b"COMMIT")
        return True

    async def _send_heartbeats(self, shard_lost: asyncio.Event) -> None:
        while not shard_lost.is_set():
            try:
                link = await self._open_link()
                async for _ in link.notifies(
                    timeout=HEARTBEAT_SECONDS
                ):  # returns early if the connection breaks; no notifications are sent
                    pass
                await link.execute(b"SELECT 1")
                continue
            except FAILURES as error:
                _log.warning("lost the connection that holds the shards: %s", error)
            await self._close_link()
            while not shard_lost.is_set():
                try:
                    if not await self._reclaim():
                        shard_lost.set()
                    break
                except FAILURES:
                    await self._close_link()
                    await asyncio.sleep(STANDBY_SECONDS / 2)

    async def _reclaim(self) -> bool:
        """Reconnect and take the locks again; False if another process has owned the shards meanwhile."""
        link = await self._open_link()
        try:
            if await self._other_holders(link) or not await self._take_all_locks(link):
                return False
        except ShardCountMismatch:
            return False
        rows = await link.execute(b"SELECT shard, epoch FROM shards")
        return self._epochs.items() <= dict(await rows.fetchall()).items()

    async def _other_holders(self, link: Link) -> list[_ShardHolder]:
        """Return the other processes that hold these shards, and disconnect silent ones. Raises ShardCountMismatch."""
        other_holders = [holder for holder in await shard_holders(link) if holder.pid != self._lost_pid]
        await link.execute(_DISCONNECT_SQL, (self._lost_pid, None))
        for holder in other_holders:
            if holder.is_silent:
                _log.warning(
                    "cutting off the process that holds shard %d, because it is silent", holder.shard
                )
                await link.execute(_DISCONNECT_SQL, (holder.pid, holder.process))
            elif holder.shard_count != self._shards.shard_count:
                raise ShardCountMismatch(holder.shard_count, self._shards.shard_count)
        return [holder for holder in other_holders if holder.shard in self._shards.shards]

    async def _take_all_locks(self, link: Link) -> bool:
        """Try to take the locks of all shards; if one is held by another process, release all and return False."""
        for shard in sorted(self._shards.shards):
            lock_numbers = (FIRST_LOCK_NUMBER + self._shards.shard_count, shard)
            lock_row = await (
                await link.execute(b"SELECT pg_try_advisory_lock($1::int, $2::int)", lock_numbers)
            ).fetchone()
            if lock_row != (True,):
                await link.execute(b"SELECT pg_advisory_unlock_all()")
                return False
        if any(holder.shard_count != self._shards.shard_count for holder in await shard_holders(link)):
            # Another process took locks for another shard count at the same time, and will find ours.
            await link.execute(b"SELECT pg_advisory_unlock_all()")
            return False
        return True

    async def _open_link(self) -> Link:
        if self._link is None:
            self._link = await self._pool.connect()
        return self._link

    async def _give_up_locks(self) -> None:
        """Release all locks at once, so that the next process need not wait for the server to end this connection."""
        if self._link is not None:
            try:
                await self._link.execute(b"SELECT pg_advisory_unlock_all()")
            except FAILURES as error:
                _log.warning(
                    "cannot release the locks of the shards; they end with the connection: %s", error
                )

    async def _close_link(self) -> None:
        if self._link is not None:
            self._lost_pid = self._link.info.backend_pid
            await self._link.close()
            self._link = None


async def shard_holders(link: Link) -> list[_ShardHolder]:
    """Return the connections that hold locks of any shards."""
    rows = await link.execute(_HOLDERS_SQL, (FIRST_LOCK_NUMBER, MAX_SILENCE_SECONDS, MAX_SHARDS))
    return [_ShardHolder(*row) for row in await rows.fetchall()]
