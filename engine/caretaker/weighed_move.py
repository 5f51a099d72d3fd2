"""Moves with the values that the caretaker gives them."""

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Final, NamedTuple, TypeAlias

from engine.core.offers import IntRange, Offer, OfferCursor, Routes
from engine.seat import SeatedPlayer

MAX_FILLINGS: Final = 1000
"""The most fillings of an offer that are considered."""


class WeighedMove(NamedTuple):
    """A complete move and its value: dollars that the player gains over doing nothing."""

    worth: float
    cursor: OfferCursor


WeighOffer: TypeAlias = Callable[[SeatedPlayer, Offer], Iterator[WeighedMove]]
"""View of an offer: some ways to take it; those left out are not worth taking."""
WeighersByKind: TypeAlias = Mapping[str, WeighOffer]
"""Views by kind of action."""


def complete_fillings(offer: Offer) -> Iterator[OfferCursor]:
    """Complete fillings of an offer, in the order of its menus; amounts at their lowest, suggested routes first."""
    return islice(_all_fillings(OfferCursor(offer)), MAX_FILLINGS)


def _all_fillings(cursor: OfferCursor) -> Iterator[OfferCursor]:
    if cursor.slot is None:
        yield cursor
        return
    for next_filling in _next_fillings(cursor):
        yield from _all_fillings(next_filling)


def _next_fillings(cursor: OfferCursor) -> Iterator[OfferCursor]:
    """The next partial fillings: one for each value worth a look."""
    domain = cursor.domain
    if isinstance(domain, IntRange):
        yield cursor.pick(domain.low)
    elif isinstance(domain, Routes):
        suggested = [suggestion.chosen["routes"] for suggestion in cursor.offer.suggest()]
        yield from (cursor.pick(routes) for routes in (*suggested, ()) if routes in domain)
    else:
        yield from cursor.next_cursors()
