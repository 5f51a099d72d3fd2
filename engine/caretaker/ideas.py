"""Moves with the values that the caretaker gives them."""

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Final, NamedTuple, TypeAlias

from engine.core.offers import Cursor, IntRange, Offer, Routes
from engine.seat import SeatedPlayer

MOST_WAYS: Final = 1000
"""The most ways to fill an offer that are looked at."""


class Idea(NamedTuple):
    """A complete move and its value: dollars that the player gains over doing nothing."""

    worth: float
    walk: Cursor


View: TypeAlias = Callable[[SeatedPlayer, Offer], Iterator[Idea]]
"""View of an offer: some ways to take it; those left out are not worth taking."""
Views: TypeAlias = Mapping[str, View]
"""By kind of action."""


def complete_fillings(offer: Offer) -> Iterator[Cursor]:
    """Complete fillings of an offer, as menus list them: of amounts the lowest, of routes the suggested first."""
    return islice(_filled(Cursor(offer)), MOST_WAYS)


def _filled(cursor: Cursor) -> Iterator[Cursor]:
    if cursor.slot is None:
        yield cursor
        return
    for further in _next_fillings(cursor):
        yield from _filled(further)


def _next_fillings(cursor: Cursor) -> Iterator[Cursor]:
    """The next partial fillings: one for each value worth a look."""
    domain = cursor.domain
    if isinstance(domain, IntRange):
        yield cursor.pick(domain.low)
    elif isinstance(domain, Routes):
        suggested = [suggestion.chosen["routes"] for suggestion in cursor.offer.suggest()]
        yield from (cursor.pick(routes) for routes in (*suggested, ()) if routes in domain)
    else:
        yield from cursor.onward()
