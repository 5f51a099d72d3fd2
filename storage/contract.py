"""The contract of a database: whole transactions in SQL, questions asked in one round trip, timestamps as text."""

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
"""The values of a row, in the order in which they were asked for."""


class Query(NamedTuple):
    """A SELECT and its values; `?` stands for a value."""

    sql: str
    values: tuple[object, ...] = ()


def query(sql: str, *values: object) -> Query:
    """Return a SELECT with these values."""
    return Query(sql, values)


def value_places(*rows: Sequence[object]) -> str:
    """Return placeholders for the values of these rows: `(?, ?), (?, ?)`."""
    return ", ".join(f"({', '.join('?' * len(row))})" for row in rows)


class Transaction(Protocol):
    """One atomic transaction; `?` stands for a value.

    Nothing but its methods may be awaited within a transaction. To a server `rows`, `row`, `run` and `ask`
    are a round trip each. What `put` and `run_many` are given goes with the next of these, or with the
    commit, in order: what is wrong with it is raised then.
    """

    for_update: str
    """The end of a SELECT that holds its rows until the transaction ends; empty where only one can write."""

    async def rows(self, sql: str, *values: object) -> list[Cells]:
        """Run one statement and return all its rows."""

    async def row(self, sql: str, *values: object) -> Cells | None:
        """Run one statement and return its first row, None if there is none."""

    async def run(self, sql: str, *values: object) -> int:
        """Run one statement and return how many rows it changed."""

    async def ask(self, *queries: Query) -> list[list[Cells]]:
        """Return the rows of each query, in one trip."""

    async def put(self, sql: str, *values: object) -> None:
        """Run one statement without waiting for its result."""

    async def run_many(self, sql: str, values: Sequence[Sequence[object]]) -> None:
        """Run one statement once for each of `values`."""


class Database(ABC):
    """An open database: `write`, `read`, and in the end `close` it, or use it as an async context manager.

    It may have a thread of its own, which keeps a process that forgets to close it from ending.
    """

    name: str
    """Its name in messages; never with a password."""

    shared: bool
    """True if other processes may write to it while it is open here."""

    @abstractmethod
    async def write(self, change: Callable[[Transaction], Awaitable[T]]) -> T:
        """Run `change` in one transaction and return its result once that is safely stored.

        Anything raised by `change` rolls all of it back. A caller that is cancelled while waiting does not
        know whether the transaction was committed, and must read before it relies on either. `change` may be
        run again from its start when another transaction came between. Raises StorageError and its kinds.
        """

    @abstractmethod
    async def read(self, query: Callable[[Transaction], Awaitable[T]]) -> T:
        """Run `query` against one unchanging picture of the database and return its result.

        Raises StorageReadOnly if `query` tries to write, and other kinds of StorageError.
        """

    @abstractmethod
    async def ask(self, *queries: Query) -> list[list[Cells]]:
        """Return the rows of each query, from one unchanging picture of the database, in one trip.

        Raises StorageReadOnly for what is no SELECT, and other kinds of StorageError.
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
        """Own these shards, once no other process owns any of them.

        `standing_by` is called once if this must wait. The shards are given up at the end, so that the next
        process need not wait. Raises StorageError.
        """
        del standing_by
        yield Ownership(self, shards)

    def owns(self, guild_id: int) -> bool:
        """True if this process alone writes for a server, as far as it knows."""
        del guild_id
        return not self.shared

    async def is_owned(self) -> bool:
        """True if any process owns shards now."""
        return False

    @abstractmethod
    async def vacuum(self) -> None:
        """Remove deleted and replaced data from the disk, as far as the database can.

        May take a second for each hundred megabytes, in which nothing else is done. Raises StorageError.
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
    """The shards that this process owns, and the database for writing; `shard_lost` is set when another takes over."""

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
    """A SELECT with a function that reads its rows."""

    query: Query
    read: Callable[[list[Cells]], T]


class QuerySource(Protocol):
    """A database or a transaction: both answer queries."""

    async def ask(self, *queries: Query) -> list[list[Cells]]:
        """Return the rows of each query from one snapshot, in one trip."""


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
    """Return the answer to one question, or a tuple of the answers to several, in one trip."""
    rows_by_question = await source.ask(*(question.query for question in questions))
    answers = tuple(question.read(rows) for question, rows in zip(questions, rows_by_question, strict=True))
    return answers[0] if len(answers) == 1 else answers


def parse_timestamp(text: str) -> datetime:
    """A stored timestamp as a datetime; UTC by default. Raises ValueError for other texts."""
    moment = datetime.fromisoformat(text)
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def format_timestamp(moment: datetime) -> str:
    """A datetime as a stored timestamp."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds")


def later_timestamp(text: str, duration: timedelta) -> str:
    """A stored timestamp later by this duration; raises ValueError for other texts."""
    return format_timestamp(parse_timestamp(text) + duration)
