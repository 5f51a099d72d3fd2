"""What storage asks of a database: whole transactions, in SQL that every one of them understands."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from types import TracebackType
from typing import Any, Literal, NamedTuple, Protocol, Self, TypeAlias, TypeVar

T = TypeVar("T")

Cells: TypeAlias = tuple[Any, ...]
"""The values of a row, in the order in which they were asked for."""

Lock = Literal["UPDATE", "SHARE", "UPDATE SKIP LOCKED"]
"""How rows that are read are held against others until the transaction ends."""


class Query(NamedTuple):
    """A SELECT and its values; `?` stands for a value."""

    sql: str
    values: tuple[object, ...] = ()


def query(sql: str, *values: object) -> Query:
    """Return a SELECT with these values."""
    return Query(sql, values)


class Transaction(Protocol):
    """What happens in one transaction, and for all others at once or not at all; `?` stands for a value.

    Nothing but its methods may be awaited within a transaction. To a server `rows`, `row`, `run` and `ask` are a round
    trip each. What `put`, `run_many` and `require` are given goes with the next of these, or with the commit, in order:
    what is wrong with it is raised then.
    """

    async def rows(self, sql: str, *values: object) -> list[Cells]:
        """Run one statement and return all its rows."""

    async def row(self, sql: str, *values: object) -> Cells | None:
        """Run one statement and return its first row, None if there is none."""

    async def run(self, sql: str, *values: object) -> int:
        """Run one statement and return how many rows it changed."""

    async def ask(self, *queries: Query) -> list[list[Cells]]:
        """Return the rows of each query: one picture of the database, in one trip."""

    async def put(self, sql: str, *values: object) -> None:
        """Run one statement whose result does not matter."""

    async def run_many(self, sql: str, values: Sequence[Sequence[object]]) -> None:
        """Run one statement once for each of `values`."""

    async def require(self, wanted: Query, lock: Lock, otherwise: Exception) -> None:
        """Hold the row that is wanted to the end; where there is none, store nothing, and raise this."""

    def locking(self, lock: Lock) -> str:
        """Return what to put at the end of a SELECT that holds its rows; nothing where only one can write."""

    def clock(self) -> str:
        """Return the database's own time in SQL, in milliseconds since 1970: all processes share it."""

    def is_there(self, shard: str, holder: str) -> str:
        """Return in SQL whether the holder of a shard, both in SQL, shows that it is there."""


class Database(ABC):
    """An open database: `write`, `read`, and in the end `close` it, or use it as an async context manager.

    It may have a thread of its own, which keeps a process that forgets to close it from ending.
    """

    name: str
    """Its name in messages; never with a password."""

    shared: bool
    """Whether other processes may write to it while it is open here."""

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
        (found,) = await self.ask(Query(sql, values))
        return found

    async def row(self, sql: str, *values: object) -> Cells | None:
        """Return the first row of one SELECT, None if there is none."""
        return next(iter(await self.rows(sql, *values)), None)

    def shown(self, shards: Sequence[int], holder: str) -> AbstractAsyncContextManager[None]:
        """Show within this that the holder of these shards is there; where there is one process, nobody looks.

        It ends with the process, however that ends, and not because that is slow or stopped.
        """
        del shards, holder
        return nullcontext()

    @abstractmethod
    async def sweep(self) -> None:
        """Let nothing that was deleted or replaced be found in what this database has on disk, as far as it can.

        May take a second for each hundred megabytes, in which nothing else is done. Raises StorageError.
        """

    @abstractmethod
    async def close(self) -> None:
        """Finish what was begun and let the database go; closing twice is harmless."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
