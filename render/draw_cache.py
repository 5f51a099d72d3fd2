"""A cache of drawings, shared between processes, and a limit on new drawings in one block."""

from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, Final, TypeAlias, TypeVar

LABEL_PLAN_EFFORT: Final = 2
"""Effort of placing a hex's labels; drawing a small sprite is an effort of 1, about half a millisecond."""

_effort_left: ContextVar[list[int] | None] = ContextVar("left", default=None)


class DrawingLimitReached(Exception):  # noqa: N818 - nothing is wrong
    """The limit of new drawings was reached; what was drawn is cached."""


@contextmanager
def limit_new_drawings(effort: int) -> Iterator[None]:
    """Raise DrawingLimitReached when new drawings exceed this effort; cached drawings are free."""
    outer_limit = _effort_left.set([effort])
    try:
        yield
    finally:
        _effort_left.reset(outer_limit)


def spend_effort(effort: int) -> None:
    """Charge the effort of a new drawing; raises DrawingLimitReached if none is left."""
    effort_left = _effort_left.get()
    if effort_left is None:
        return
    if effort_left[0] <= 0:
        raise DrawingLimitReached
    effort_left[0] -= effort


T = TypeVar("T")
DrawingResults: TypeAlias = dict[tuple[str, tuple[Hashable, ...]], Any]
"""Results of drawing functions, by the function's name and its arguments."""

_received_results: Final[DrawingResults] = {}
_result_collectors: Final[list[DrawingResults]] = []


def cached_drawing(function: Callable[..., T]) -> Callable[..., T]:
    """The function, with results from another process used first; each is used once, since the caller caches it."""
    name = f"{function.__module__}.{function.__qualname__}"

    @wraps(function)
    def received_or_drawn(*args: Hashable) -> T:
        key = (name, args)
        result: T = _received_results.pop(key) if key in _received_results else function(*args)
        for collector in _result_collectors:
            collector[key] = result
        return result

    return received_or_drawn


@contextmanager
def collect_results() -> Iterator[DrawingResults]:
    """Collect the new results of this block."""
    new_results: DrawingResults = {}
    _result_collectors.append(new_results)
    try:
        yield new_results
    finally:
        _result_collectors.remove(new_results)


@contextmanager
def use_results(results: Mapping[tuple[str, tuple[Hashable, ...]], Any]) -> Iterator[None]:
    """Use these results of another process within this block."""
    _received_results.update(results)
    try:
        yield
    finally:
        _received_results.clear()
