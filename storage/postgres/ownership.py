"""Ownership of shards: advisory locks, which end with their connection, and epochs that writes check.

That connection asks something twice a second, and the server knows when it did so last. One that is silent
belongs to a process that was stopped, and a process that stands by lets the server end all connections of
that one.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Final, NamedTuple, Self

from storage.errors import DividedOtherwise
from storage.postgres.connections import Pool
from storage.postgres.failures import FAILURES
from storage.postgres.statements import WRITING, Link
from storage.shards import ShardSet

_log = logging.getLogger("stationmaster.shards")

LOCKS: Final = 0x31380000
"""The first number of the locks, to which the count of shards is added; the second is the shard."""
MOST: Final = 0xFFFF
"""The most shards."""
BEAT: Final = 0.5
"""Seconds between two signs of life of an owner."""
SILENCE: Final = 3.5
"""Seconds without one, after which a process counts as stopped."""
LOOK: Final = 0.25
"""Seconds between two looks of a process that stands by."""
GRACE: Final = 1.0
"""Seconds in which an owner whose connection was cut may come back."""

_HOLDERS: Final = b"""
    SELECT pid, application_name, CAST(classid AS BIGINT) - $1::bigint, CAST(objid AS BIGINT),
        state_change < clock_timestamp() - $2::float8 * INTERVAL '1 second'
    FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE locktype = 'advisory' AND granted AND objsubid = 2
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND CAST(classid AS BIGINT) BETWEEN $1::bigint AND $1::bigint + $3::bigint
"""
_CONNECTIONS: Final = b"SELECT pid FROM pg_stat_activity WHERE application_name = $1"
_END: Final = (
    b"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1 OR application_name = $2"
)
_NEXT_EPOCH: Final = b"""
    INSERT INTO shards (shard, shard_count, epoch) VALUES ($1, $2, 1) ON CONFLICT (shard)
    DO UPDATE SET shard_count = excluded.shard_count, epoch = shards.epoch + 1 RETURNING epoch
"""


class _Holder(NamedTuple):
    """A connection that holds a shard's lock, with its process; `silent`: the process was stopped."""

    pid: int
    process: str
    shard_count: int
    shard: int
    silent: bool


class ShardClaim:
    """A process's claim to shards, with its connection; closing it gives them up."""

    def __init__(self, pool: Pool, shards: ShardSet) -> None:
        self._pool = pool
        self._share = shards
        self._link: Link | None = None
        self._lost_pid: int | None = None
        """The server's process for a connection that was lost; it may still hold the locks."""
        self._epochs: dict[int, int] = {}
        self._last_held = float("-inf")
        """When another process last held some of the share, by the time of the event loop, and its name."""
        self._last_holder = ""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._hang_up()

    async def acquire(self, standing_by: Callable[[], None]) -> dict[int, int]:
        """Wait until nobody else owns these shards, own them, and return their epochs.

        `standing_by` is run once if others do. Raises DividedOtherwise.
        """
        waited = False
        while not await self._is_acquired():
            if not waited:
                _log.info("standing by: another process holds some of the shards %s", self._share)
                standing_by()
            waited = True
            await asyncio.sleep(LOOK)
        _log.info("running for the shards %s", self._share)
        return self._epochs

    @asynccontextmanager
    async def keep_alive(self) -> AsyncIterator[asyncio.Event]:
        """Keep the claim alive; the event is set when another process has taken over."""
        lost = asyncio.Event()
        beating = asyncio.create_task(self._beat(lost))
        try:
            yield lost
        finally:
            beating.cancel()
            await asyncio.gather(beating, return_exceptions=True)

    async def _is_acquired(self) -> bool:
        """True if the shards are ours now."""
        now = asyncio.get_running_loop().time()
        try:
            link = await self._connected()
            for other in await self._other_holders(link):
                self._last_held, self._last_holder = now, other.process
            if self._last_held == now or (now - self._last_held < GRACE and await self._holder_alive(link)):
                return False
            return await self._locked(link) and await self._is_begun(link)
        except FAILURES as error:
            _log.warning("no shard can be taken: %s", error)
            # Their owner from before the server was away comes first.
            self._last_held, self._last_holder = now, ""
            await self._hang_up()
            return False

    async def _holder_alive(self, link: Link) -> bool:
        """True while the last holder may come back: it has other connections, or is unknown."""
        if not self._last_holder:
            return True
        rows = await link.execute(_CONNECTIONS, (self._last_holder,))
        return await rows.fetchone() is not None

    async def _is_begun(self, link: Link) -> bool:
        """True once no write under earlier epochs is possible."""
        count = self._share.shard_count
        await link.execute(WRITING.encode())
        await link.execute(b"UPDATE shards SET epoch = epoch + 1 WHERE shard_count <> $1", (count,))
        for shard in sorted(self._share.shards):
            (epoch,) = await (await link.execute(_NEXT_EPOCH, (shard, count))).fetchone() or (0,)
            self._epochs[shard] = epoch
        await link.execute(b"COMMIT")
        return True

    async def _beat(self, lost: asyncio.Event) -> None:
        while not lost.is_set():
            try:
                link = await self._connected()
                async for _ in link.notifies(timeout=BEAT):  # hears at once of an end; nobody notifies
                    pass
                await link.execute(b"SELECT 1")
                continue
            except FAILURES as error:
                _log.warning("the connection that holds the shards was lost: %s", error)
            await self._hang_up()
            while not lost.is_set():
                try:
                    if not await self._still_ours():
                        lost.set()
                    break
                except FAILURES:
                    await self._hang_up()
                    await asyncio.sleep(LOOK / 2)

    async def _still_ours(self) -> bool:
        """True if the locks could be taken back before another process had them."""
        link = await self._connected()
        try:
            if await self._other_holders(link) or not await self._locked(link):
                return False
        except DividedOtherwise:
            return False
        rows = await link.execute(b"SELECT shard, epoch FROM shards")
        return self._epochs.items() <= dict(await rows.fetchall()).items()

    async def _other_holders(self, link: Link) -> list[_Holder]:
        """The other holders of these shards; silent ones are disconnected. Raises DividedOtherwise."""
        others = [holder for holder in await holders(link) if holder.pid != self._lost_pid]
        await link.execute(_END, (self._lost_pid, None))
        for holder in others:
            if holder.silent:
                _log.warning("the process that holds shard %d is silent, and is cut off", holder.shard)
                await link.execute(_END, (holder.pid, holder.process))
            elif holder.shard_count != self._share.shard_count:
                raise DividedOtherwise(holder.shard_count, self._share.shard_count)
        return [holder for holder in others if holder.shard in self._share.shards]

    async def _locked(self, link: Link) -> bool:
        """True if all locks of the shards are held now; else none is."""
        for shard in sorted(self._share.shards):
            place = (LOCKS + self._share.shard_count, shard)
            got = await (
                await link.execute(b"SELECT pg_try_advisory_lock($1::int, $2::int)", place)
            ).fetchone()
            if got != (True,):
                await link.execute(b"SELECT pg_advisory_unlock_all()")
                return False
        if any(holder.shard_count != self._share.shard_count for holder in await holders(link)):
            # Another process took its locks at the same time, and finds these.
            await link.execute(b"SELECT pg_advisory_unlock_all()")
            return False
        return True

    async def _connected(self) -> Link:
        if self._link is None:
            self._link = await self._pool.connect()
        return self._link

    async def _hang_up(self) -> None:
        if self._link is not None:
            self._lost_pid = self._link.info.backend_pid
            await self._link.close()
            self._link = None


async def holders(link: Link) -> list[_Holder]:
    """Return the connections that hold locks of shards."""
    rows = await link.execute(_HOLDERS, (LOCKS, SILENCE, MOST))
    return [_Holder(*row) for row in await rows.fetchall()]
