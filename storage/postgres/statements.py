"""Transactions on PostgreSQL; statements without a result are batched by psycopg's pipeline mode."""

from collections.abc import Awaitable, Callable, Sequence
from functools import cache
from itertools import count
from typing import Any, Final, TypeAlias, TypeVar

import psycopg
from psycopg.pq import TransactionStatus

from storage.contract import Query, RowValues, Transaction
from storage.errors import OutcomeUnknown, StorageReadOnly
from storage.postgres.failures import DRIVER_ERRORS, is_connection_error

T = TypeVar("T")

Connection: TypeAlias = psycopg.AsyncConnection[RowValues]
"""A database connection in autocommit mode: a transaction begins only with an explicit BEGIN."""

# With READ COMMITTED, a read after locking a row sees what the previous owner of the lock committed.
BEGIN_WRITING_SQL: Final = "BEGIN ISOLATION LEVEL READ COMMITTED"
_BEGIN_READING_SQL: Final = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"


STATEMENTS_PER_TRIP: Final = 200
"""Maximum number of statements in one round trip. Reading 200 results blocks the event loop for 10 ms."""


class ServerStatements:
    """A transaction on a PostgreSQL connection; it begins with the first round trip."""

    for_update = " FOR UPDATE"

    def __init__(self, connection: Connection, begin_sql: str) -> None:
        self._connection = connection
        self._batched_queries = [Query(begin_sql)]
        self._has_begun = False

    async def rows(self, sql: str, *values: object) -> list[RowValues]:
        return (await self.fetch(Query(sql, values)))[0]

    async def row(self, sql: str, *values: object) -> RowValues | None:
        return next(iter(await self.rows(sql, *values)), None)

    async def run(self, sql: str, *values: object) -> int:
        (cursor,) = await self._send(Query(sql, values))
        return max(0, cursor.rowcount)

    async def fetch(self, *queries: Query) -> list[list[RowValues]]:
        return [await _fetch_rows(cursor) for cursor in await self._send(*queries)]

    async def put(self, sql: str, *values: object) -> None:
        self._batched_queries.append(Query(sql, values))

    async def run_many(self, sql: str, values: Sequence[Sequence[object]]) -> None:
        self._batched_queries += [Query(sql, tuple(row_values)) for row_values in values]

    @property
    def is_open(self) -> bool:
        """True unless a statement inside the transaction, such as COMMIT, has ended it."""
        return not self._has_begun or self._connection.info.transaction_status != TransactionStatus.IDLE

    async def commit(self) -> None:
        """Send the queued statements and commit; raises RuntimeError if an earlier statement failed."""
        if not self._has_begun and len(self._batched_queries) == 1:
            return  # the transaction has not begun
        (cursor,) = await self._send(Query("COMMIT"))
        if cursor.statusmessage != "COMMIT":
            raise RuntimeError("a statement failed, and the transaction went on as if it had not")

    async def _send(self, *queries: Query) -> "list[psycopg.AsyncCursor[RowValues]]":
        """Send the queued statements, then `queries`; return only the results of `queries`."""
        batched_queries, self._batched_queries = self._batched_queries, []
        self._has_begun = True
        return await _run_in_trips(self._connection, [*batched_queries, *queries], len(batched_queries))


async def fetch_on_connection(connection: Connection, queries: Sequence[Query]) -> list[list[RowValues]]:
    """Return the rows of each query from one snapshot, in one round trip on this connection."""
    for sql, _ in queries:
        if not sql.startswith("SELECT"):
            raise StorageReadOnly(f"Only a SELECT can be asked here, not: {sql}")
    try:
        return [await _fetch_rows(cursor) for cursor in await _run_in_one_trip(connection, queries)]
    except BaseException:
        # psycopg may think that a statement was prepared though the server skipped it.
        await connection.close()
        raise


async def write_on_connection(
    connection: Connection, change: Callable[[Transaction], Awaitable[T]], name: str
) -> T:
    """Run the function `change` in a transaction on this connection; an exception rolls everything back.

    Raises OutcomeUnknown.
    """
    statements = ServerStatements(connection, BEGIN_WRITING_SQL)
    result = await _run_in_transaction(statements, change)
    try:
        await statements.commit()
    except DRIVER_ERRORS as error:
        if is_connection_error(error):
            raise OutcomeUnknown(name) from error
        raise
    return result


async def read_on_connection(connection: Connection, query: Callable[[Transaction], Awaitable[T]]) -> T:
    """Run the function `query` on one read-only snapshot and return its result."""
    statements = ServerStatements(connection, _BEGIN_READING_SQL)
    result = await _run_in_transaction(statements, query)
    await statements.commit()
    return result


async def roll_back(connection: Connection) -> None:
    """Roll back any open transaction; close the connection if that fails."""
    if connection.closed or connection.info.transaction_status == TransactionStatus.IDLE:
        return
    try:
        await connection.rollback()
    except DRIVER_ERRORS:
        await connection.close()


async def _run_in_transaction(statements: ServerStatements, work: Callable[[Transaction], Awaitable[T]]) -> T:
    result = await work(statements)
    if not statements.is_open:
        raise RuntimeError("the transaction was ended from within")
    return result


async def _run_in_trips(
    connection: Connection, batch: Sequence[Query], first_result_index: int
) -> "list[psycopg.AsyncCursor[RowValues]]":
    """Run statements in order, at most STATEMENTS_PER_TRIP per round trip; return results from `first_result_index` on.

    Reading thousands of results at once would block the event loop.
    """
    cursors = list["psycopg.AsyncCursor[RowValues]"]()
    for start in range(0, len(batch), STATEMENTS_PER_TRIP):
        results = await _run_in_one_trip(connection, batch[start : start + STATEMENTS_PER_TRIP])
        cursors += results[max(0, first_result_index - start) :]
    return cursors


async def _run_in_one_trip(
    connection: Connection, batch: Sequence[Query]
) -> "list[psycopg.AsyncCursor[RowValues]]":
    if len(batch) == 1:
        return [await connection.execute(with_numbered_placeholders(batch[0].sql), batch[0].values)]
    try:
        async with connection.pipeline():
            return [
                await connection.execute(with_numbered_placeholders(sql), values) for sql, values in batch
            ]
    except psycopg.errors.PipelineAborted as aborted:
        # If an early statement fails while later ones are sent, psycopg raises PipelineAborted for a later one.
        raise (aborted.__context__ or aborted) from None


async def _fetch_rows(cursor: "psycopg.AsyncCursor[Any]") -> list[RowValues]:
    return await cursor.fetchall() if cursor.rownumber is not None else []


@cache
def with_numbered_placeholders(sql: str) -> bytes:
    """Return a statement with PostgreSQL's placeholders `$1`, `$2` and so on instead of `?`."""
    first_piece, *pieces = sql.split("?")
    dollar_placeholders = (f"${number}" for number in count(1))
    return (
        first_piece
        + "".join(
            placeholder + piece for placeholder, piece in zip(dollar_placeholders, pieces, strict=False)
        )
    ).encode()
