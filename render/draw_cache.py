"""Drawings known from before, maybe by another process, and how much is drawn at a time for the first time."""

from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, Final, TypeAlias, TypeVar

PLAN: Final = 2
"""Cost of planning the writing of a hex, where drawing a small part of a picture costs 1: half a millisecond or so."""

_left: ContextVar[list[int] | None] = ContextVar("left", default=None)


class TooMuch(Exception):  # noqa: N818 - nothing is wrong
    """As much was drawn for the first time as may be at a time; it is kept."""


@contextmanager
def at_most(effort: int) -> Iterator[None]:
    """Raise TooMuch where more is drawn for the first time; what is kept already costs nothing."""
    before = _left.set([effort])
    try:
        yield
    finally:
        _left.reset(before)


def spend(effort: int) -> None:
    """Say before something is drawn for the first time what it costs; raises TooMuch where nothing is left."""
    left = _left.get()
    if left is None:
        return
    if left[0] <= 0:
        raise TooMuch
    left[0] -= effort


T = TypeVar("T")
KnownResults: TypeAlias = dict[tuple[str, tuple[Hashable, ...]], Any]
"""By the name of a function, and what it was given."""

_known: Final[KnownResults] = {}
_notes: Final[list[KnownResults]] = []


def recalled(function: Callable[..., T]) -> Callable[..., T]:
    """A function of values whose results may be known; each is used once, as the caller keeps what it uses."""
    name = f"{function.__module__}.{function.__qualname__}"

    @wraps(function)
    def found(*args: Hashable) -> T:
        key = (name, args)
        result: T = _known.pop(key) if key in _known else function(*args)
        for notes in _notes:
            notes[key] = result
        return result

    return found


@contextmanager
def collect_results() -> Iterator[KnownResults]:
    """All that is found meanwhile and was not kept before."""
    notes: KnownResults = {}
    _notes.append(notes)
    try:
        yield notes
    finally:
        _notes.remove(notes)


@contextmanager
def use_results(results: Mapping[tuple[str, tuple[Hashable, ...]], Any]) -> Iterator[None]:
    """Find these at once for as long as this lasts."""
    _known.update(results)
    try:
        yield
    finally:
        _known.clear()
