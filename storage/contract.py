"""The interface that every database implements: transactions, queries batched into one round trip, and timestamps."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from types import TracebackType
from typing import Any, Generic, NamedTuple, Protocol, Self, TypeAlias, TypeVar, overload

from storage.shards import ALL_SHARDS, ShardSet

T = TypeVar("T")

RowValues: TypeAlias = tuple[Any, ...]
"""The values of one row of a query's result, in the order of the selected columns."""


class Query(NamedTuple):
    """A SELECT statement, with the values for its `?` placeholders."""

    sql: str
    values: tuple[object, ...] = ()


def query(sql: str, *values: object) -> Query:
    """Return a Query with this SQL and these values."""
    return Query(sql, values)


def value_placeholders(*rows: Sequence[object]) -> str:
    """Return placeholders for several rows of values, such as `(?, ?), (?, ?)`."""
    return ", ".join(f"({', '.join('?' * len(row))})" for row in rows)


class Transaction(Protocol):
    """One atomic transaction; `?` in SQL stands for a value.

    Within a transaction, await only the transaction's methods. On a database server, each `rows`, `row`, `run` and
    `fetch` costs a round trip. Statements given to `put` and `run_many` are sent, in order, with the next round trip
    or the commit; their errors are raised then.
    """

    for_update: str
    """SQL at the end of a SELECT that locks the rows until the transaction ends; empty if only one process writes."""

    async def rows(self, sql: str, *values: object) -> list[RowValues]:
        """Run one statement and return all its rows."""

    async def row(self, sql: str, *values: object) -> RowValues | None:
        """Run one statement and return its first row, None if there is none."""

    async def run(self, sql: str, *values: object) -> int:
        """Run one statement and return the number of rows it changed."""

    async def fetch(self, *queries: Query) -> list[list[RowValues]]:
        """Run several queries in one round trip and return the rows of each."""

    async def put(self, sql: str, *values: object) -> None:
        """Queue one statement to run later in this transaction, without a result."""

    async def run_many(self, sql: str, values: Sequence[Sequence[object]]) -> None:
        """Run one statement repeatedly, once for each tuple in `values`."""


class Database(ABC):
    """An open database; also an async context manager that closes it.

    Without `close`, a process may hang at exit, since the database may run a thread.
    """

    name: str
    """Name of the database for messages and logs; never includes a password."""

    is_shared: bool
    """True if other processes may write to this database at the same time."""

    @abstractmethod
    async def write(self, change: Callable[[Transaction], Awaitable[T]]) -> T:
        """Run the function `change` in one transaction, commit it durably, and return the function's result.

        An exception in `change` rolls everything back. After a conflict with another transaction, `change` is run again
        from its start. If the caller is cancelled while waiting, the transaction may or may not be committed; read the
        database to find out. Raises StorageError and its subclasses.
        """

    @abstractmethod
    async def read(self, query: Callable[[Transaction], Awaitable[T]]) -> T:
        """Run the function `query` on one snapshot of the database and return its result.

        Raises StorageReadOnly if `query` tries to write, and other StorageErrors.
        """

    @abstractmethod
    async def fetch(self, *queries: Query) -> list[list[RowValues]]:
        """Run several queries on one snapshot, in one round trip, and return the rows of each.

        Raises StorageReadOnly for anything but a SELECT, and other StorageErrors.
        """

    async def rows(self, sql: str, *values: object) -> list[RowValues]:
        """Run one SELECT and return all its rows."""
        (rows,) = await self.fetch(Query(sql, values))
        return rows

    async def row(self, sql: str, *values: object) -> RowValues | None:
        """Run one SELECT and return its first row, None if there is none."""
        return next(iter(await self.rows(sql, *values)), None)

    async def numbers(self, sql: str, *values: object) -> list[int]:
        """Return the values of a SELECT with a single integer column, such as game ids."""
        return [number for (number,) in await self.rows(sql, *values)]

    @asynccontextmanager
    async def own_shards(
        self, shards: ShardSet = ALL_SHARDS, on_waiting: Callable[[], None] = lambda: None
    ) -> "AsyncIterator[Ownership]":
        """Within the context, be the only process that writes for these shards.

        Waits until no other process owns them, and calls `on_waiting` once if it must wait. Releases the shards on
        exit, so that the next process need not wait. Raises StorageError.
        """
        del on_waiting
        yield Ownership(self, shards)

    def owns(self, guild_id: int) -> bool:
        """True if, as far as this process knows, it is the only one that writes for this server (guild)."""
        del guild_id
        return not self.is_shared

    async def is_owned(self) -> bool:
        """True if a process owns shards now: a bot is running on this database."""
        return False

    @abstractmethod
    async def vacuum(self) -> None:
        """Remove deleted and overwritten data from the disk as far as possible.

        May block the database for about a second per hundred megabytes. Raises StorageError.
        """

    @abstractmethod
    async def close(self) -> None:
        """Finish pending work and close the database; closing twice is harmless."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


@dataclass(frozen=True, slots=True)
class Ownership:
    """The shards that this process owns, and the database with which to write for them.

    `shard_lost` is set when another process has taken over one of the shards.
    """

    db: Database
    shards: ShardSet = ALL_SHARDS
    shard_lost: asyncio.Event = field(default_factory=asyncio.Event)


A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")
D = TypeVar("D")
E = TypeVar("E")
F = TypeVar("F")
G = TypeVar("G")


@dataclass(frozen=True, slots=True)
class ParsedQuery(Generic[T]):
    """A SELECT, with a function that parses the rows of its result.

    `fetch` runs several of them in one round trip.
    """

    query: Query
    read: Callable[[list[RowValues]], T]


class QuerySource(Protocol):
    """Anything that can run queries: a database or a transaction."""

    async def fetch(self, *queries: Query) -> list[list[RowValues]]:
        """Run several queries on one snapshot, in one round trip, and return the rows of each."""


@overload
async def fetch(source: QuerySource, a: ParsedQuery[A], /) -> A: ...
@overload
async def fetch(source: QuerySource, a: ParsedQuery[A], b: ParsedQuery[B], /) -> tuple[A, B]: ...
@overload
async def fetch(
    source: QuerySource, a: ParsedQuery[A], b: ParsedQuery[B], c: ParsedQuery[C], /
) -> tuple[A, B, C]: ...
@overload
async def fetch(
    source: QuerySource, a: ParsedQuery[A], b: ParsedQuery[B], c: ParsedQuery[C], d: ParsedQuery[D], /
) -> tuple[A, B, C, D]: ...
@overload
async def fetch(
    source: QuerySource,
    a: ParsedQuery[A],
    b: ParsedQuery[B],
    c: ParsedQuery[C],
    d: ParsedQuery[D],
    e: ParsedQuery[E],
    /,
) -> tuple[A, B, C, D, E]: ...
@overload
async def fetch(
    source: QuerySource,
    a: ParsedQuery[A],
    b: ParsedQuery[B],
    c: ParsedQuery[C],
    d: ParsedQuery[D],
    e: ParsedQuery[E],
    f: ParsedQuery[F],
    /,
) -> tuple[A, B, C, D, E, F]: ...
@overload
async def fetch(
    source: QuerySource,
    a: ParsedQuery[A],
    b: ParsedQuery[B],
    c: ParsedQuery[C],
    d: ParsedQuery[D],
    e: ParsedQuery[E],
    f: ParsedQuery[F],
    g: ParsedQuery[G],
    /,
) -> tuple[A, B, C, D, E, F, G]: ...
async def fetch(source: QuerySource, *parsed_queries: ParsedQuery[Any]) -> Any:
    """Run one or several ParsedQueries in one round trip; return the parsed result, or a tuple of them."""
    rows_by_query = await source.fetch(*(parsed_query.query for parsed_query in parsed_queries))
    results = tuple(
        parsed_query.read(rows) for parsed_query, rows in zip(parsed_queries, rows_by_query, strict=True)
    )
    return results[0] if len(results) == 1 else results


def parse_timestamp(text: str) -> datetime:
    """Parse a stored timestamp, as UTC if it has no time zone; raises ValueError for invalid text."""
    moment = datetime.fromisoformat(text)
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def format_timestamp(moment: datetime) -> str:
    """Return the time as a stored timestamp: ISO 8601 in UTC with milliseconds."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds")


def later_timestamp(text: str, duration: timedelta) -> str:
    """Return a stored timestamp moved later by `duration`; raises ValueError for invalid text."""
    return format_timestamp(parse_timestamp(text) + duration)
