"""How much may be drawn at a time for the first time: the rest is drawn when the picture is asked for again."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

PLAN: Final = 2
"""What it costs to plan the writing of a hex, where drawing a small part of a picture costs 1: half a
millisecond or so."""

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
