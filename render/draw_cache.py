"""Sharing of cached drawings between processes, and a limit on the time spent on new drawings."""

from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, Final, TypeAlias, TypeVar

LABEL_PLAN_EFFORT: Final = 2
"""Effort of placing one hex's labels. An effort of 1 is one small drawing, about half a millisecond."""

_effort_left: ContextVar[list[int] | None] = ContextVar("left", default=None)


class DrawingLimitReached(Exception):  # noqa: N818 - nothing is wrong
    """New drawings have used up the effort that `limit_new_drawings` allows; finished drawings stay cached."""


@contextmanager
def limit_new_drawings(effort: int) -> Iterator[None]:
    """Within the context, raise DrawingLimitReached once new drawings exceed this effort; cached drawings are free."""
    reset_token = _effort_left.set([effort])
    try:
        yield
    finally:
        _effort_left.reset(reset_token)


def spend_effort(effort: int) -> None:
    """Subtract a new drawing's effort from the effort that is left; raises DrawingLimitReached if none is left."""
    effort_left = _effort_left.get()
    if effort_left is None:
        return
    if effort_left[0] <= 0:
        raise DrawingLimitReached
    effort_left[0] -= effort


T = TypeVar("T")
DrawingResults: TypeAlias = dict[tuple[str, tuple[Hashable, ...]], Any]
"""Results of cached drawing functions by (function name, arguments)."""

_received_results: Final[DrawingResults] = {}
_result_collectors: Final[list[DrawingResults]] = []


def cached_drawing(function: Callable[..., T]) -> Callable[..., T]:
    """Decorate a drawing function so that it uses results from another process (see `use_results`).

    Each such result is used once; afterwards it is in the function's own `lru_cache`.
    """
    name = f"{function.__module__}.{function.__qualname__}"

    @wraps(function)
    def received_or_new_result(*args: Hashable) -> T:
        key = (name, args)
        result: T = _received_results.pop(key) if key in _received_results else function(*args)
        for collector in _result_collectors:
            collector[key] = result
        return result

    return received_or_new_result


@contextmanager
def collect_results() -> Iterator[DrawingResults]:
    """Yield a dict that collects the results of all new drawings within the context."""
    new_results: DrawingResults = {}
    _result_collectors.append(new_results)
    try:
        yield new_results
    finally:
        _result_collectors.remove(new_results)


@contextmanager
def use_results(results: Mapping[tuple[str, tuple[Hashable, ...]], Any]) -> Iterator[None]:
    """Within the context, let drawing functions use these results of another process."""
    _received_results.update(results)
    try:
        yield
    finally:
        _received_results.clear()
