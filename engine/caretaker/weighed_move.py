"""Moves with the values that the computer player gives them.

The computer player receives legal moves as offers, whose fields (such as the hex and tile of a lay) are still open. It
fills in the fields and rates the complete moves.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Final, NamedTuple, TypeAlias

from engine.core.offers import IntRange, Offer, OfferCursor, Routes
from engine.seat import SeatedPlayer

MAX_COMPLETED_MOVES: Final = 1000
"""Maximum number of ways to complete an offer that are considered."""


class WeighedMove(NamedTuple):
    """A complete move, and its value: dollars that the player gains compared with passing."""

    worth: float
    cursor: OfferCursor


Weigher: TypeAlias = Callable[[SeatedPlayer, Offer], Iterator[WeighedMove]]
"""Function that weighs an offer: it returns complete moves with values, and leaves out moves not worth making."""
WeighersByKind: TypeAlias = Mapping[str, Weigher]
"""The weighers by kind of action: the functions that rate moves of this kind."""


def completed_moves(offer: Offer) -> Iterator[OfferCursor]:
    """Complete moves of an offer, in menu order.

    Amounts have their lowest value; suggested routes come first.
    """
    return islice(_completed_cursors(OfferCursor(offer)), MAX_COMPLETED_MOVES)


def _completed_cursors(cursor: OfferCursor) -> Iterator[OfferCursor]:
    if cursor.slot is None:
        yield cursor
        return
    for next_cursor in _next_cursors(cursor):
        yield from _completed_cursors(next_cursor)


def _next_cursors(cursor: OfferCursor) -> Iterator[OfferCursor]:
    domain = cursor.domain
    if isinstance(domain, IntRange):
        yield cursor.pick(domain.low)
    elif isinstance(domain, Routes):
        suggested_routes = [suggestion.chosen["routes"] for suggestion in cursor.offer.suggest()]
        yield from (cursor.pick(routes) for routes in (*suggested_routes, ()) if routes in domain)
    else:
        yield from cursor.next_cursors()
