"""Transactions on PostgreSQL: statements without an answer are batched by psycopg's pipeline."""

from collections.abc import Awaitable, Callable, Sequence
from functools import cache
from itertools import count
from typing import Any, Final, TypeAlias, TypeVar

import psycopg
from psycopg.pq import TransactionStatus

from storage.contract import Cells, Query, Transaction
from storage.errors import OutcomeUnknown, StorageReadOnly
from storage.postgres.failures import FAILURES, was_cut_off

T = TypeVar("T")

Link: TypeAlias = psycopg.AsyncConnection[Cells]
"""A connection in autocommit mode: psycopg begins no transactions itself."""

# With READ COMMITTED, a read after locking a row sees what the previous owner of the lock committed.
BEGIN_WRITING: Final = "BEGIN ISOLATION LEVEL READ COMMITTED"
_BEGIN_READING: Final = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"


STATEMENTS_PER_TRIP: Final = 200
"""The most statements in one round trip; reading 200 results blocks the event loop for 10 ms."""


class ServerStatements:
    """The statements of a transaction; it begins with the first statement sent."""

    for_update = " FOR UPDATE"

    def __init__(self, link: Link, begin_sql: str) -> None:
        self._link = link
        self._batched = [Query(begin_sql)]
        self._has_begun = False

    async def rows(self, sql: str, *values: object) -> list[Cells]:
        return (await self.ask(Query(sql, values)))[0]

    async def row(self, sql: str, *values: object) -> Cells | None:
        return next(iter(await self.rows(sql, *values)), None)

    async def run(self, sql: str, *values: object) -> int:
        (cursor,) = await self._send(Query(sql, values))
        return max(0, cursor.rowcount)

    async def ask(self, *queries: Query) -> list[list[Cells]]:
        return [await _fetched_rows(cursor) for cursor in await self._send(*queries)]

    async def put(self, sql: str, *values: object) -> None:
        self._batched.append(Query(sql, values))

    async def run_many(self, sql: str, values: Sequence[Sequence[object]]) -> None:
        self._batched += [Query(sql, tuple(each)) for each in values]

    @property
    def are_open(self) -> bool:
        """True unless the transaction was ended by one of its own statements."""
        return not self._has_begun or self._link.info.transaction_status != TransactionStatus.IDLE

    async def commit(self) -> None:
        """Send the batched statements and commit; raises RuntimeError if an earlier statement failed."""
        if not self._has_begun and len(self._batched) == 1:
            return  # the transaction has not begun
        (cursor,) = await self._send(Query("COMMIT"))
        if cursor.statusmessage != "COMMIT":
            raise RuntimeError("a statement failed, and the transaction went on as if it had not")

    async def _send(self, *queries: Query) -> "list[psycopg.AsyncCursor[Cells]]":
        """Send the batched statements, then `queries`; return the results of `queries`."""
        batched, self._batched = self._batched, []
        self._has_begun = True
        return await _run_in_trips(self._link, [*batched, *queries], len(batched))


async def ask_on_link(link: Link, queries: Sequence[Query]) -> list[list[Cells]]:
    """Return the rows of each query from one snapshot, in one round trip."""
    for sql, _ in queries:
        if not sql.startswith("SELECT"):
            raise StorageReadOnly(f"Only a SELECT can be asked here, not: {sql}")
    try:
        return [await _fetched_rows(cursor) for cursor in await _run_in_one_trip(link, queries)]
    except BaseException:
        # psycopg may think that a statement was prepared though the server skipped it.
        await link.close()
        raise


async def write_on_link(link: Link, change: Callable[[Transaction], Awaitable[T]], name: str) -> T:
    """Run `change` and commit; an exception rolls everything back. Raises OutcomeUnknown."""
    statements = ServerStatements(link, BEGIN_WRITING)
    result = await _run_in_transaction(statements, change)
    try:
        await statements.commit()
    except FAILURES as error:
        if was_cut_off(error):
            raise OutcomeUnknown(name) from error
        raise
    return result


async def read_on_link(link: Link, query: Callable[[Transaction], Awaitable[T]]) -> T:
    """Run `query` on one read-only snapshot and return its result."""
    statements = ServerStatements(link, _BEGIN_READING)
    result = await _run_in_transaction(statements, query)
    await statements.commit()
    return result


async def roll_back(link: Link) -> None:
    """Roll back any open transaction; close the connection if that fails."""
    if link.closed or link.info.transaction_status == TransactionStatus.IDLE:
        return
    try:
        await link.rollback()
    except FAILURES:
        await link.close()


async def _run_in_transaction(statements: ServerStatements, work: Callable[[Transaction], Awaitable[T]]) -> T:
    result = await work(statements)
    if not statements.are_open:
        raise RuntimeError("the transaction was ended from within")
    return result


async def _run_in_trips(
    link: Link, batch: Sequence[Query], first_result: int
) -> "list[psycopg.AsyncCursor[Cells]]":
    """Run statements in order, up to STATEMENTS_PER_TRIP per round trip; return the results from `first_result` on.

    Reading thousands of results at once would block the event loop.
    """
    cursors = list["psycopg.AsyncCursor[Cells]"]()
    for start in range(0, len(batch), STATEMENTS_PER_TRIP):
        results = await _run_in_one_trip(link, batch[start : start + STATEMENTS_PER_TRIP])
        cursors += results[max(0, first_result - start) :]
    return cursors


async def _run_in_one_trip(link: Link, batch: Sequence[Query]) -> "list[psycopg.AsyncCursor[Cells]]":
    """Run statements in order, in one round trip; raises the error of the first failed statement."""
    if len(batch) == 1:
        return [await link.execute(with_numbered_places(batch[0].sql), batch[0].values)]
    try:
        async with link.pipeline():
            return [await link.execute(with_numbered_places(sql), values) for sql, values in batch]
    except psycopg.errors.PipelineAborted as aborted:
        # If an early statement fails while later ones are sent, psycopg raises PipelineAborted for a later one.
        raise (aborted.__context__ or aborted) from None


async def _fetched_rows(cursor: "psycopg.AsyncCursor[Any]") -> list[Cells]:
    return await cursor.fetchall() if cursor.rownumber is not None else []


@cache
def with_numbered_places(sql: str) -> bytes:
    """Return a statement with $1, $2 and so on instead of `?`."""
    first_piece, *pieces = sql.split("?")
    places = (f"${number}" for number in count(1))
    return (
        first_piece + "".join(place + piece for place, piece in zip(places, pieces, strict=False))
    ).encode()
