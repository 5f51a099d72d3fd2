"""A cache of drawings, shared between processes, and a limit on new ones at a time."""

from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, Final, TypeAlias, TypeVar

PLAN: Final = 2
"""Cost of planning the writing of a hex, where drawing a small part of a picture costs 1: half a millisecond or so."""

_left: ContextVar[list[int] | None] = ContextVar("left", default=None)


class DrawingLimitReached(Exception):  # noqa: N818 - nothing is wrong
    """The limit of new drawings was reached; what was drawn is cached."""


@contextmanager
def limit_new_drawings(effort: int) -> Iterator[None]:
    """Raise TooMuch beyond this effort of new drawings; cached ones are free."""
    before = _left.set([effort])
    try:
        yield
    finally:
        _left.reset(before)


def spend(effort: int) -> None:
    """Charge the effort of a new drawing; raises TooMuch if none is left."""
    left = _left.get()
    if left is None:
        return
    if left[0] <= 0:
        raise DrawingLimitReached
    left[0] -= effort


T = TypeVar("T")
KnownResults: TypeAlias = dict[tuple[str, tuple[Hashable, ...]], Any]
"""By the name of a function, and what it was given."""

_known: Final[KnownResults] = {}
_notes: Final[list[KnownResults]] = []


def cached_drawing(function: Callable[..., T]) -> Callable[..., T]:
    """A function whose results may come from another process; each is used once, as the caller caches it."""
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
    """Collect the new results of this block."""
    notes: KnownResults = {}
    _notes.append(notes)
    try:
        yield notes
    finally:
        _notes.remove(notes)


@contextmanager
def use_results(results: Mapping[tuple[str, tuple[Hashable, ...]], Any]) -> Iterator[None]:
    """Use these results within this block."""
    _known.update(results)
    try:
        yield
    finally:
        _known.clear()
