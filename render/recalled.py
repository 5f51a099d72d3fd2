"""What takes long the first time and was done before, maybe by another process: results by what they are made of."""

from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from typing import Any, Final, TypeAlias, TypeVar

T = TypeVar("T")
Results: TypeAlias = dict[tuple[str, tuple[Hashable, ...]], Any]
"""By the name of a function, and what it was given."""

_known: Final[Results] = {}
_notes: Final[list[Results]] = []


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
def noted() -> Iterator[Results]:
    """All that is found meanwhile and was not kept before."""
    notes: Results = {}
    _notes.append(notes)
    try:
        yield notes
    finally:
        _notes.remove(notes)


@contextmanager
def knowing(results: Mapping[tuple[str, tuple[Hashable, ...]], Any]) -> Iterator[None]:
    """Find these at once for as long as this lasts."""
    _known.update(results)
    try:
        yield
    finally:
        _known.clear()
