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
"""A connection; psycopg begins no transaction of its own on it."""

# With READ COMMITTED, what is read once a row is held is what the one who held it before has left.
WRITING: Final = "BEGIN ISOLATION LEVEL READ COMMITTED"
_READING: Final = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"


AT_ONCE: Final = 200
"""The most statements in a trip: reading the results of 200 holds up the event loop for 10 ms."""


class ServerStatements:
    """The statements of a transaction, which begins with the first one sent."""

    for_update = " FOR UPDATE"

    def __init__(self, link: Link, begin: str) -> None:
        self._link = link
        self._waiting = [Query(begin)]
        self._begun = False

    async def rows(self, sql: str, *values: object) -> list[Cells]:
        return (await self.ask(Query(sql, values)))[0]

    async def row(self, sql: str, *values: object) -> Cells | None:
        return next(iter(await self.rows(sql, *values)), None)

    async def run(self, sql: str, *values: object) -> int:
        (done,) = await self._send(Query(sql, values))
        return max(0, done.rowcount)

    async def ask(self, *queries: Query) -> list[list[Cells]]:
        return [await _rows(done) for done in await self._send(*queries)]

    async def put(self, sql: str, *values: object) -> None:
        self._waiting.append(Query(sql, values))

    async def run_many(self, sql: str, values: Sequence[Sequence[object]]) -> None:
        self._waiting += [Query(sql, tuple(each)) for each in values]

    @property
    def are_open(self) -> bool:
        """True while the transaction can be committed: it has not begun, or not ended."""
        return not self._begun or self._link.info.transaction_status != TransactionStatus.IDLE

    async def commit(self) -> None:
        """Send the batched statements, and commit; RuntimeError if a statement had failed before."""
        if not self._begun and len(self._waiting) == 1:
            return  # nothing was done
        (done,) = await self._send(Query("COMMIT"))
        if done.statusmessage != "COMMIT":
            raise RuntimeError("a statement failed, and the transaction went on as if it had not")

    async def _send(self, *queries: Query) -> "list[psycopg.AsyncCursor[Cells]]":
        """Send the batched statements and these; return the results of these."""
        waiting, self._waiting = self._waiting, []
        self._begun = True
        return await _piped(self._link, [*waiting, *queries], len(waiting))


async def ask_on_link(link: Link, queries: Sequence[Query]) -> list[list[Cells]]:
    """Return the rows of each query from one snapshot, in one trip."""
    for sql, _ in queries:
        if not sql.startswith("SELECT"):
            raise StorageReadOnly(f"This is asked, and nothing is written: {sql}")
    try:
        return [await _rows(done) for done in await _trip(link, queries)]
    except BaseException:
        # What the server has passed over, psycopg may take for prepared there.
        await link.close()
        raise


async def write_on_link(link: Link, change: Callable[[Transaction], Awaitable[T]], name: str) -> T:
    """Run `change` and commit; what it raises rolls everything back. Raises OutcomeUnknown."""
    statements = ServerStatements(link, WRITING)
    result = await _whole(statements, change)
    try:
        await statements.commit()
    except FAILURES as error:
        if was_cut_off(error):
            raise OutcomeUnknown(name) from error
        raise
    return result


async def read_on_link(link: Link, query: Callable[[Transaction], Awaitable[T]]) -> T:
    """Run `query` on one read-only snapshot."""
    statements = ServerStatements(link, _READING)
    result = await _whole(statements, query)
    await statements.commit()
    return result


async def roll_back(link: Link) -> None:
    """Roll back what is open; a connection on which that fails is closed."""
    if link.closed or link.info.transaction_status == TransactionStatus.IDLE:
        return
    try:
        await link.rollback()
    except FAILURES:
        await link.close()


async def _whole(statements: ServerStatements, work: Callable[[Transaction], Awaitable[T]]) -> T:
    result = await work(statements)
    if not statements.are_open:
        raise RuntimeError("the transaction was ended from within")
    return result


async def _piped(link: Link, batch: Sequence[Query], first: int) -> "list[psycopg.AsyncCursor[Cells]]":
    """Run statements in order, up to AT_ONCE in one trip, and return the results from `first` on.

    To let go of thousands at a time would hold up the event loop.
    """
    done = list["psycopg.AsyncCursor[Cells]"]()
    for begin in range(0, len(batch), AT_ONCE):
        results = await _trip(link, batch[begin : begin + AT_ONCE])
        done += results[max(0, first - begin) :]
    return done


async def _trip(link: Link, batch: Sequence[Query]) -> "list[psycopg.AsyncCursor[Cells]]":
    """Run statements in one trip to the server, in order; raises the error of the first that fails."""
    if len(batch) == 1:
        return [await link.execute(numbered(batch[0].sql), batch[0].values)]
    try:
        async with link.pipeline():
            return [await link.execute(numbered(sql), values) for sql, values in batch]
    except psycopg.errors.PipelineAborted as aborted:
        # The first error may come while the rest is sent; then those after it are raised in its place.
        raise (aborted.__context__ or aborted) from None


async def _rows(done: "psycopg.AsyncCursor[Any]") -> list[Cells]:
    return await done.fetchall() if done.rownumber is not None else []


@cache
def numbered(sql: str) -> bytes:
    """Return a statement with $1, $2 and so on instead of `?`."""
    first, *pieces = sql.split("?")
    places = (f"${number}" for number in count(1))
    return (first + "".join(place + piece for place, piece in zip(places, pieces, strict=False))).encode()
