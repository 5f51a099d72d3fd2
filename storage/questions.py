"""Questions to a database: a SELECT and how its rows are read, so that several are asked in one round trip."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar, overload

from storage.contract import Cells, Query

T = TypeVar("T")
A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")
D = TypeVar("D")
E = TypeVar("E")
F = TypeVar("F")
G = TypeVar("G")


@dataclass(frozen=True, slots=True)
class Question(Generic[T]):
    """A SELECT, and what its rows mean."""

    query: Query
    read: Callable[[list[Cells]], T]


class Source(Protocol):
    """What answers queries: a database, or a transaction."""

    async def ask(self, *queries: Query) -> list[list[Cells]]:
        """Return the rows of each query, from one picture of the database, in one trip."""


@overload
async def ask(source: Source, a: Question[A], /) -> A: ...
@overload
async def ask(source: Source, a: Question[A], b: Question[B], /) -> tuple[A, B]: ...
@overload
async def ask(source: Source, a: Question[A], b: Question[B], c: Question[C], /) -> tuple[A, B, C]: ...
@overload
async def ask(
    source: Source, a: Question[A], b: Question[B], c: Question[C], d: Question[D], /
) -> tuple[A, B, C, D]: ...
@overload
async def ask(
    source: Source, a: Question[A], b: Question[B], c: Question[C], d: Question[D], e: Question[E], /
) -> tuple[A, B, C, D, E]: ...
@overload
async def ask(
    source: Source,
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
    source: Source,
    a: Question[A],
    b: Question[B],
    c: Question[C],
    d: Question[D],
    e: Question[E],
    f: Question[F],
    g: Question[G],
    /,
) -> tuple[A, B, C, D, E, F, G]: ...
async def ask(source: Source, *questions: Question[Any]) -> Any:
    """Return the answers, in one trip: of one question alone, of several as a tuple."""
    found = await source.ask(*(question.query for question in questions))
    answers = tuple(question.read(rows) for question, rows in zip(questions, found, strict=True))
    return answers[0] if len(answers) == 1 else answers
