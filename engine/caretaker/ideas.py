"""Moves with the values that the caretaker gives them."""

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Final, NamedTuple, TypeAlias

from engine.core.offers import Cursor, IntRange, Offer, Routes
from engine.seat import SeatedPlayer

MAX_FILLINGS: Final = 1000
"""The most fillings of an offer that are considered."""


class Idea(NamedTuple):
    """A complete move and its value: dollars that the player gains over doing nothing."""

    worth: float
    walk: Cursor


View: TypeAlias = Callable[[SeatedPlayer, Offer], Iterator[Idea]]
"""View of an offer: some ways to take it; those left out are not worth taking."""
Views: TypeAlias = Mapping[str, View]
"""Views by kind of action."""


def complete_fillings(offer: Offer) -> Iterator[Cursor]:
    """Complete fillings of an offer, in the order of its menus; amounts at their lowest, suggested routes first."""
    return islice(_all_fillings(Cursor(offer)), MAX_FILLINGS)


def _all_fillings(cursor: Cursor) -> Iterator[Cursor]:
    if cursor.slot is None:
        yield cursor
        return
    for next_filling in _next_fillings(cursor):
        yield from _all_fillings(next_filling)


def _next_fillings(cursor: Cursor) -> Iterator[Cursor]:
    """The next partial fillings: one for each value worth a look."""
    domain = cursor.domain
    if isinstance(domain, IntRange):
        yield cursor.pick(domain.low)
    elif isinstance(domain, Routes):
        suggested = [suggestion.chosen["routes"] for suggestion in cursor.offer.suggest()]
        yield from (cursor.pick(routes) for routes in (*suggested, ()) if routes in domain)
    else:
        yield from cursor.next_cursors()
