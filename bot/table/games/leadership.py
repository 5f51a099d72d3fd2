"""Leases: which shards this process owns, and whether it still does."""

import asyncio
import logging
import os
import secrets
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final, TypeVar

from storage import (
    WHOLE,
    Database,
    DatabaseInUse,
    DatabaseUnreachable,
    DividedOtherwise,
    LeaseLost,
    OutcomeUnknown,
    ShardSet,
    StorageError,
    Transaction,
    leases,
)

_log = logging.getLogger("stationmaster.duty")

T = TypeVar("T")

RENEWALS: Final = 10
"""How often a lease is renewed while it would last."""
MISSED: Final = 3
"""This many missed renewals show that a process is gone before another one takes over."""
LOOKS: Final = 10
"""How often a process that stands by looks while a lease lasts."""


@dataclass(frozen=True, slots=True)
class Leadership:
    """The shards of a process, and the database through which it writes; `lost` is set once another has taken over."""

    db: Database
    share: ShardSet = WHOLE
    lost: asyncio.Event = field(default_factory=asyncio.Event)


class Watched(leases.Fenced):
    """A fenced database that tells of a lease it finds lost, at once."""

    def __init__(self, db: Database, held: Sequence[leases.Lease], lost: asyncio.Event) -> None:
        super().__init__(db, held)
        self._lost = lost

    async def write(self, change: Callable[[Transaction], Awaitable[T]]) -> T:
        """Run `change` in one transaction; see the contract."""
        try:
            return await super().write(change)
        except LeaseLost:
            self._lost.set()
            raise


@asynccontextmanager
async def leading(
    db: Database,
    share: ShardSet = WHOLE,
    seconds: float = leases.LEASE,
    standing_by: Callable[[], None] = lambda: None,
) -> AsyncIterator[Leadership]:
    """Answer for a share of the servers: alone if the database is shared, after waiting until nobody else does.

    `standing_by` is run once where it has to wait. Given up at the end, so that the next process need not wait.
    Raises StorageError.
    """
    if not db.shared:
        yield Leadership(db, share)
        return
    lost, holder = asyncio.Event(), f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(4)}"
    async with db.advertise(sorted(share.shards), holder):
        held = await _Standby(db, share, holder, seconds).wait(standing_by)
        renewing = asyncio.create_task(_keep(db, held, seconds, lost))
        try:
            yield Leadership(Watched(db, held, lost), share, lost)
        finally:
            renewing.cancel()
            await asyncio.gather(renewing, return_exceptions=True)
            await _release(db, held)


class _Standby:
    """A process that wants the leases of a share."""

    def __init__(self, db: Database, share: ShardSet, holder: str, seconds: float) -> None:
        self._db = db
        self._share = share
        self._holder = holder
        self._seconds = seconds
        self._silence = seconds * MISSED / RENEWALS
        self._gone: dict[int, float] = {}
        """Since when the holders of shards are seen to be gone, by the time of the event loop."""

    async def wait(self, standing_by: Callable[[], None] = lambda: None) -> list[leases.Lease]:
        """Wait until every lease of the share is ours; `standing_by` is run once if that takes more than a try."""
        waited = False
        while not (held := await self._tried()):
            if not waited:
                _log.info("standing by: another process holds some of the shards %s", _words(self._share))
                standing_by()
            waited = True
            await asyncio.sleep(self._seconds / LOOKS)
        _log.info("running for the shards %s", _words(self._share))
        return held

    async def _tried(self) -> list[leases.Lease]:
        """All leases of the share, or none of them, also where the database cannot say; raises DividedOtherwise."""
        try:
            return await self._claimed()
        except DividedOtherwise:
            raise
        except (DatabaseUnreachable, DatabaseInUse, OutcomeUnknown) as error:
            # A process that was stopped in the middle of a transaction holds its leases until the server ends that.
            _log.warning("no shard can be taken: %s", error)
            # Where the server was away, so were the signs.
            self._gone.clear()
            return []

    async def _claimed(self) -> list[leases.Lease]:
        held: list[leases.Lease] = []
        try:
            for shard in sorted(self._share.shards):
                lease = await leases.claim(
                    *(self._db, shard, self._share.shard_count, self._holder),
                    seconds=self._seconds,
                    silence=self._silence if await self._is_gone(shard) else None,
                )
                if lease is None:
                    break
                held.append(lease)
            else:
                return held
        except BaseException:
            await _release(self._db, held)
            raise
        await _release(self._db, held)
        return []

    async def _is_gone(self, shard: int) -> bool:
        """True if the holder of a shard has been gone at every look for long enough."""
        now = asyncio.get_running_loop().time()
        if await leases.holder_alive(self._db, shard):
            self._gone.pop(shard, None)
            return False
        return now - self._gone.setdefault(shard, now) >= self._silence


async def _keep(db: Database, held: Sequence[leases.Lease], seconds: float, lost: asyncio.Event) -> None:
    """Renew leases until they are lost, or until cancelled."""
    while not lost.is_set():
        await asyncio.sleep(seconds / RENEWALS)
        try:
            for lease in held:
                await leases.renew(db, lease, seconds=seconds)
        except LeaseLost as error:
            _log.warning("%s", error)
            lost.set()
        except StorageError as error:
            _log.warning("a lease cannot be renewed: %s", error)


async def _release(db: Database, held: Sequence[leases.Lease]) -> None:
    for lease in held:
        try:
            await leases.release(db, lease)
        except StorageError as error:
            _log.warning("shard %s is free only when its lease runs out: %s", lease.shard, error)


def _words(share: ShardSet) -> str:
    return f"{', '.join(map(str, share.shards))} of {share.shard_count}"
