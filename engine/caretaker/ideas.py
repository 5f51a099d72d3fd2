"""Moves and what the caretaker thinks of them."""

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Final, NamedTuple, TypeAlias

from engine.core.offers import Cursor, IntRange, Offer, Routes
from engine.seat import SeatedPlayer

MOST_WAYS: Final = 1000
"""The most ways to fill an offer that are looked at."""


class Idea(NamedTuple):
    """A whole move, and how many dollars more it seems worth to the player than doing nothing."""

    worth: float
    walk: Cursor


View: TypeAlias = Callable[[SeatedPlayer, Offer], Iterator[Idea]]
"""View of an offer: some ways to take it; those left out are not worth taking."""
Views: TypeAlias = Mapping[str, View]
"""By kind of action."""


def ways(offer: Offer) -> Iterator[Cursor]:
    """Whole walks through an offer, as menus list them; of amounts the lowest, of routes first the suggested."""
    return islice(_filled(Cursor(offer)), MOST_WAYS)


def _filled(walk: Cursor) -> Iterator[Cursor]:
    if walk.slot is None:
        yield walk
        return
    for further in _next(walk):
        yield from _filled(further)


def _next(walk: Cursor) -> Iterator[Cursor]:
    """The walk after each value of the next slot that is looked at."""
    domain = walk.domain
    if isinstance(domain, IntRange):
        yield walk.pick(domain.low)
    elif isinstance(domain, Routes):
        suggested = [suggestion.chosen["routes"] for suggestion in walk.offer.suggest()]
        yield from (walk.pick(routes) for routes in (*suggested, ()) if routes in domain)
    else:
        yield from walk.onward()
