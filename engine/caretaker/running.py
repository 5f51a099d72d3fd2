"""Running trains and paying dividends."""

from collections.abc import Iterator
from itertools import islice
from typing import Final

from engine.caretaker.outlook import reserve, shortage
from engine.caretaker.seat import Idea, Seat, ways
from engine.core.offers import Offer
from engine.play.shares.block_sales import liquidity
from engine.play.table import Table

LIKED: Final = 10.0
"""What a move that is simply right is worth."""
SOLD: Final = 0.5
"""What a dollar of all that a player could sell brings in need."""


def runs(seat: Seat, offer: Offer) -> Iterator[Idea]:
    """The best run, as it is suggested."""
    return (Idea(LIKED, walk) for walk in islice(ways(offer), 1))


def dividends(seat: Seat, offer: Offer) -> Iterator[Idea]:
    """To pay; to keep everything only where a train that must be bought could not be paid otherwise."""
    keeps = _needs_money(seat.table, seat)
    likings = {"pay": LIKED, "half": LIKED / 2, "withhold": 2 * LIKED if keeps else LIKED / 4}
    return (Idea(likings[walk.chosen["option"]], walk) for walk in ways(offer))


def _needs_money(t: Table, seat: Seat) -> bool:
    """Whether the company will lack money for a train, and its president has not enough for all such companies."""
    have = liquidity(t, t.state.player(seat.player)) * SOLD
    return shortage(t, t.company) > 0 and reserve(t, seat.player) > have
