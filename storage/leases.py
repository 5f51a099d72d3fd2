"""Leases: which process writes for which part of the servers, so that one that was paused cannot write late.

A server (guild) belongs to shard `shard_of(guild, shard_count)`, as Discord divides them. A lease has a fence, a number
that grows with every claim: what is written through `Fenced` looks at it within the very transaction.
"""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Final, TypeVar

from storage.contract import Cells, Database, Query, Transaction, query
from storage.errors import (
    DividedOtherwise,
    LeaseLost,
)

LEASE: Final = 5.0
"""Seconds for which a lease is taken; after so long another process takes over from one that says nothing."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Lease:
    """The right of `holder`, a name that no other process has, to write for a shard."""

    shard: int
    holder: str
    fence: int


def shard_of(guild_id: int, shard_count: int) -> int:
    """Return the shard in which Discord tells of a server."""
    return (guild_id >> 22) % shard_count


@dataclass(frozen=True, slots=True)
class ShardSet:
    """The part of the servers for which a process answers: those in `shards`, of `shard_count` in all."""

    shards: tuple[int, ...] = (0,)
    shard_count: int = 1

    def holds(self, guild_id: int) -> bool:
        """Return whether a server is in it."""
        return shard_of(guild_id, self.shard_count) in self.shards

    def where(self) -> str:
        """Return the same in SQL, about a column `guild_id`."""
        if not self.shards:
            return "1 = 0"
        return f"(guild_id >> 22) % {self.shard_count} IN ({', '.join(map(str, self.shards))})"


WHOLE: Final = ShardSet()
"""All servers."""
NOWHERE: Final = ShardSet(())
"""No server: the share of a process that stands by."""


async def claim(
    db: Database, shard: int, shard_count: int, holder: str, *, seconds: float, silence: float | None = None
) -> Lease | None:
    """Take a shard for so long, counted by the database's clock; None while another process has it.

    With `silence` it is free, too, once a holder that is gone has not renewed it for N seconds. Raises
    DividedOtherwise while running processes divide the servers into another number of shards.
    """
    early = _milliseconds(0.0 if silence is None else seconds - silence)

    def free(tx: Transaction) -> str:
        return (
            f"(leases.expires <= {tx.clock()} OR leases.holder = ? "
            f"OR leases.expires <= {tx.clock()} + ? AND NOT {tx.holder_alive('leases.shard', 'leases.holder')})"
        )

    async def is_held(tx: Transaction) -> bool:
        held = f"SELECT 1 FROM leases, sharding WHERE shard = ? AND shard_count = ? AND NOT {free(tx)}"
        return await tx.row(held, shard, shard_count, holder, early) is not None

    async def change(tx: Transaction) -> Lease | None:
        await _agree(tx, shard_count)
        taken = await tx.row(
            "INSERT INTO leases (shard, holder, fence, expires) "
            f"VALUES (?, ?, 1, {tx.clock()} + ?) ON CONFLICT (shard) DO UPDATE "
            "SET holder = excluded.holder, fence = leases.fence + 1, expires = excluded.expires "
            f"WHERE {free(tx)} RETURNING fence",
            *(shard, holder, _milliseconds(seconds), holder, early),
        )
        return None if taken is None else Lease(shard, holder, taken[0])

    # To try would lock the lease, which the moves of its holder wait for.
    return None if await db.read(is_held) else await db.write(change)


async def holder_alive(db: Database, shard: int) -> bool:
    """Return whether the last holder of a shard shows that it is there."""

    async def query(tx: Transaction) -> bool:
        there = tx.holder_alive("leases.shard", "leases.holder")
        return await tx.row(f"SELECT 1 FROM leases WHERE shard = ? AND {there}", shard) is not None

    return await db.read(query)


async def renew(db: Database, lease: Lease, *, seconds: float) -> None:
    """Keep a lease for so long from now on; raises LeaseLost."""

    async def change(tx: Transaction) -> None:
        kept = await tx.run(
            f"UPDATE leases SET expires = {tx.clock()} + ? WHERE shard = ? AND holder = ? AND fence = ?",
            *(_milliseconds(seconds), lease.shard, lease.holder, lease.fence),
        )
        if not kept:
            raise LeaseLost(lease.shard)

    await db.write(change)


async def release(db: Database, lease: Lease) -> None:
    """Give a lease up, so that the next process need not wait; harmless if it was lost."""
    # The row stays, and with it the fence: it must never be smaller than one that somebody still has.
    statement = (
        "UPDATE leases SET expires = 0, fence = fence + 1 WHERE shard = ? AND holder = ? AND fence = ?"
    )
    await db.write(lambda tx: tx.run(statement, lease.shard, lease.holder, lease.fence))


async def any_held(db: Database) -> bool:
    """Return whether any process holds a lease that has not run out."""
    return await db.read(_anybody)


async def check(tx: Transaction, lease: Lease) -> None:
    """Hold a lease until the transaction ends: nobody takes it over before. Raises LeaseLost.

    One that has run out still holds as long as nobody else has claimed it.
    """
    held = "SELECT 1 FROM leases WHERE shard = ? AND holder = ? AND fence = ?"
    await tx.require(
        query(held, lease.shard, lease.holder, lease.fence), "SHARE", otherwise=LeaseLost(lease.shard)
    )


class Fenced(Database):
    """A database through which nothing is written any more once one of these leases is lost: raises LeaseLost."""

    def __init__(self, db: Database, leases: Iterable[Lease]) -> None:
        self.name = db.name
        self.shared = db.shared
        self._db = db
        self._leases = sorted(leases, key=lambda lease: lease.shard)

    async def write(self, change: Callable[[Transaction], Awaitable[T]]) -> T:
        """Look at the leases and run `change` in one transaction; see the contract."""

        async def fenced(tx: Transaction) -> T:
            for lease in self._leases:
                await check(tx, lease)
            return await change(tx)

        return await self._db.write(fenced)

    async def read(self, query: Callable[[Transaction], Awaitable[T]]) -> T:
        """Run `query`; who lost a lease may still read."""
        return await self._db.read(query)

    async def ask(self, *queries: Query) -> list[list[Cells]]:
        return await self._db.ask(*queries)

    def advertise(self, shards: Sequence[int], holder: str) -> AbstractAsyncContextManager[None]:
        return self._db.advertise(shards, holder)

    async def vacuum(self) -> None:
        await self._db.vacuum()

    async def close(self) -> None:
        """Close the database; the leases are left as they are."""
        await self._db.close()


async def _agree(tx: Transaction, shard_count: int) -> None:
    """Let one claim come after the other, and all divide the servers alike."""
    found = await tx.row(f"SELECT shard_count FROM sharding{tx.locking('UPDATE')}")
    assert found is not None
    if found[0] == shard_count:
        return
    if await _anybody(tx):
        raise DividedOtherwise(found[0], shard_count)
    await tx.run("UPDATE sharding SET shard_count = ?", shard_count)


async def _anybody(tx: Transaction) -> bool:
    return await tx.row(f"SELECT 1 FROM leases WHERE expires > {tx.clock()} LIMIT 1") is not None


def _milliseconds(seconds: float) -> int:
    return round(seconds * 1000)
