"""Statements on a connection to PostgreSQL, and the transaction around them."""

from collections.abc import Awaitable, Callable, Sequence
from functools import cache
from itertools import count
from typing import TypeAlias, TypeVar

import asyncpg
from asyncpg.pool import PoolConnectionProxy

from storage.contract import Cells, Lock, Transaction
from storage.errors import OutcomeUnknown
from storage.postgres.failures import FAILURES, was_cut_off

T = TypeVar("T")

Link: TypeAlias = "asyncpg.Connection[asyncpg.Record] | PoolConnectionProxy[asyncpg.Record]"
"""A connection, of a pool or not."""


class Statements:
    """A transaction's statements on a connection."""

    def __init__(self, link: Link) -> None:
        self._link = link

    async def rows(self, sql: str, *values: object) -> list[Cells]:
        """Run one statement and return all its rows."""
        return [tuple(record) for record in await self._link.fetch(numbered(sql), *values)]

    async def row(self, sql: str, *values: object) -> Cells | None:
        """Run one statement and return its first row, None if there is none."""
        record = await self._link.fetchrow(numbered(sql), *values)
        return None if record is None else tuple(record)

    async def run(self, sql: str, *values: object) -> int:
        """Run one statement and return how many rows it changed."""
        answer = await self._link.execute(numbered(sql), *values)
        last = answer.rpartition(" ")[2]
        return int(last) if last.isdigit() else 0

    async def run_many(self, sql: str, values: Sequence[Sequence[object]]) -> None:
        """Run one statement once for each of `values`."""
        await self._link.executemany(numbered(sql), values)

    def locking(self, lock: Lock) -> str:
        """Hold the rows: others write at the same time."""
        return f" FOR {lock}"

    def clock(self) -> str:
        """Return the time of the server, in milliseconds, as SQL; it goes on within a transaction."""
        return "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)"


@cache
def numbered(sql: str) -> str:
    """Return a statement whose places for values are $1, $2 and so on instead of `?`."""
    pieces = sql.split("?")
    places = (f"${number}" for number in count(1))
    return pieces[0] + "".join(place + piece for place, piece in zip(places, pieces[1:], strict=False))


async def written(link: Link, change: Callable[[Transaction], Awaitable[T]], name: str) -> T:
    """Run `change` and commit; what it raises rolls everything back. Raises OutcomeUnknown."""
    # With READ COMMITTED, what is read once a row is held is what the one who held it before has left.
    result = await _whole(link, "BEGIN ISOLATION LEVEL READ COMMITTED", change)
    await _commit(link, name)
    return result


async def read(link: Link, query: Callable[[Transaction], Awaitable[T]]) -> T:
    """Run `query` on one unchanging picture of the database, where nothing can be written."""
    result = await _whole(link, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", query)
    await link.execute("ROLLBACK")
    return result


async def vacuumed(link: Link) -> None:
    """Free what was deleted in the tables that hold anything of people; outside of any transaction."""
    await link.execute("VACUUM seats, memberships, sittings, log, states, outbox, motions, voices, pauses")


async def _whole(link: Link, begin: str, work: Callable[[Transaction], Awaitable[T]]) -> T:
    await link.execute(begin)
    try:
        result = await work(Statements(link))
        if not link.is_in_transaction():
            raise RuntimeError("the transaction was ended from within")
    except BaseException:
        await undo(link)
        raise
    return result


async def _commit(link: Link, name: str) -> None:
    try:
        answer = await link.execute("COMMIT")
    except Exception as error:
        if was_cut_off(error):
            raise OutcomeUnknown(name) from error
        await undo(link)
        raise
    if answer != "COMMIT":
        raise RuntimeError("a statement failed, and the transaction went on as if it had not")


async def undo(link: Link) -> None:
    """Roll back what is open; a connection that is gone has done so already."""
    if link.is_closed() or not link.is_in_transaction():
        return
    try:
        await link.execute("ROLLBACK")
    except FAILURES:
        # The server rolls back what a connection leaves; what was raised before this is what matters.
        link.terminate()
