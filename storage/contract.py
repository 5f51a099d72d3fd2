"""The contract of a database: transactions, queries that share one round trip, and timestamps as text."""

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

Cells: TypeAlias = tuple[Any, ...]
"""The values of a row, in the order of the selected columns."""


class Query(NamedTuple):
    """A SELECT with a value for each `?`."""

    sql: str
    values: tuple[object, ...] = ()


def query(sql: str, *values: object) -> Query:
    """Return a SELECT with these values."""
    return Query(sql, values)


def value_places(*rows: Sequence[object]) -> str:
    """Return placeholders for rows of values, such as `(?, ?), (?, ?)`."""
    return ", ".join(f"({', '.join('?' * len(row))})" for row in rows)


class Transaction(Protocol):
    """One atomic transaction; `?` stands for a value.

    Await nothing but its methods within a transaction. On a server, each `rows`, `row`, `run` and `ask` costs a round
    trip. Statements given to `put` and `run_many` are sent in order with the next round trip or the commit; their
    errors are raised there.
    """

    for_update: str
    """The clause at the end of a SELECT that locks its rows for this transaction; empty if only one process writes."""

    async def rows(self, sql: str, *values: object) -> list[Cells]:
        """Run one statement and return all its rows."""

    async def row(self, sql: str, *values: object) -> Cells | None:
        """Run one statement and return its first row, None if there is none."""

    async def run(self, sql: str, *values: object) -> int:
        """Run one statement and return how many rows it changed."""

    async def ask(self, *queries: Query) -> list[list[Cells]]:
        """Return the rows of each query, in one round trip."""

    async def put(self, sql: str, *values: object) -> None:
        """Run one statement without waiting for its result."""

    async def run_many(self, sql: str, values: Sequence[Sequence[object]]) -> None:
        """Run one statement once for each of `values`."""


class Database(ABC):
    """An open database, also usable as an async context manager.

    It may run a thread, so a process that does not call `close` may never exit.
    """

    name: str
    """The database's name in messages, never with a password."""

    shared: bool
    """True if other processes may write to the database while it is open here."""

    @abstractmethod
    async def write(self, change: Callable[[Transaction], Awaitable[T]]) -> T:
        """Run `change` in one transaction, commit it durably, and return the result of `change`.

        An exception in `change` rolls everything back. If the caller is cancelled while waiting, the transaction may or
        may not be committed: read the database to find out. `change` may run again from its start after a conflict with
        another transaction. Raises StorageError and its subclasses.
        """

    @abstractmethod
    async def read(self, query: Callable[[Transaction], Awaitable[T]]) -> T:
        """Run `query` on one snapshot of the database and return its result.

        Raises StorageReadOnly if `query` tries to write, and other kinds of StorageError.
        """

    @abstractmethod
    async def ask(self, *queries: Query) -> list[list[Cells]]:
        """Return the rows of each query from one snapshot of the database, in one round trip.

        Raises StorageReadOnly for anything but a SELECT, and other kinds of StorageError.
        """

    async def rows(self, sql: str, *values: object) -> list[Cells]:
        """Return all rows of one SELECT."""
        (rows,) = await self.ask(Query(sql, values))
        return rows

    async def row(self, sql: str, *values: object) -> Cells | None:
        """Return the first row of one SELECT, None if there is none."""
        return next(iter(await self.rows(sql, *values)), None)

    async def numbers(self, sql: str, *values: object) -> list[int]:
        """Return the only column of one SELECT, such as game numbers."""
        return [number for (number,) in await self.rows(sql, *values)]

    @asynccontextmanager
    async def own_shards(
        self, shards: ShardSet = ALL_SHARDS, standing_by: Callable[[], None] = lambda: None
    ) -> "AsyncIterator[Ownership]":
        """Own these shards for the duration of the context, after waiting until no other process owns any of them.

        `standing_by` is called once if this must wait. On exit the shards are released, so the next process need not
        wait. Raises StorageError.
        """
        del standing_by
        yield Ownership(self, shards)

    def owns(self, guild_id: int) -> bool:
        """True if this process alone writes for a server (guild), as far as it knows."""
        del guild_id
        return not self.shared

    async def is_owned(self) -> bool:
        """True if any process owns shards at the moment."""
        return False

    @abstractmethod
    async def vacuum(self) -> None:
        """Remove deleted and replaced data from the disk, as far as the database can.

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
    """The shards that this process owns, and the database for writing;

    `shard_lost` is set when another process takes over.
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
class Question(Generic[T]):
    """A SELECT with a function that turns its rows into an answer; see `ask`."""

    query: Query
    read: Callable[[list[Cells]], T]


class QuerySource(Protocol):
    """A database or a transaction: both answer queries."""

    async def ask(self, *queries: Query) -> list[list[Cells]]:
        """Return the rows of each query from one snapshot, in one round trip."""


@overload
async def ask(source: QuerySource, a: Question[A], /) -> A: ...
@overload
async def ask(source: QuerySource, a: Question[A], b: Question[B], /) -> tuple[A, B]: ...
@overload
async def ask(source: QuerySource, a: Question[A], b: Question[B], c: Question[C], /) -> tuple[A, B, C]: ...
@overload
async def ask(
    source: QuerySource, a: Question[A], b: Question[B], c: Question[C], d: Question[D], /
) -> tuple[A, B, C, D]: ...
@overload
async def ask(
    source: QuerySource, a: Question[A], b: Question[B], c: Question[C], d: Question[D], e: Question[E], /
) -> tuple[A, B, C, D, E]: ...
@overload
async def ask(
    source: QuerySource,
    a: Question[A],
    b: Question[B],
    c: Question[C],
    d: Question[D],
    e: Question[E],
    f: Question[F],
    /,
) -> tuple[A, B, C, D, E, F]: ...
@overload
async def ask(
    source: QuerySource,
    a: Question[A],
    b: Question[B],
    c: Question[C],
    d: Question[D],
    e: Question[E],
    f: Question[F],
    g: Question[G],
    /,
) -> tuple[A, B, C, D, E, F, G]: ...
async def ask(source: QuerySource, *questions: Question[Any]) -> Any:
    """Return the answer to one question, or a tuple of answers to several, in one round trip."""
    rows_by_question = await source.ask(*(question.query for question in questions))
    answers = tuple(question.read(rows) for question, rows in zip(questions, rows_by_question, strict=True))
    return answers[0] if len(answers) == 1 else answers


def parse_timestamp(text: str) -> datetime:
    """Return a stored timestamp as a datetime, in UTC if it names no zone; raises ValueError for invalid text."""
    moment = datetime.fromisoformat(text)
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def format_timestamp(moment: datetime) -> str:
    """Return a datetime as a stored timestamp."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds")


def later_timestamp(text: str, duration: timedelta) -> str:
    """Return the stored timestamp this duration later; raises ValueError for invalid text."""
    return format_timestamp(parse_timestamp(text) + duration)
