"""Running trains and paying dividends."""

from collections.abc import Iterator
from typing import Final

from engine.caretaker.outlook import doomed
from engine.caretaker.seat import Idea, Seat, ways
from engine.core.offers import Offer
from engine.play.shares.holdings import liquidity
from engine.play.table import Table
from engine.play.trains.emergency import cheapest_price

LIKED: Final = 10.0
"""What a move that is simply right is worth."""


def runs(seat: Seat, offer: Offer) -> Iterator[Idea]:
    """The best run, as it is suggested."""
    legal = offer.slots[0].domain({})
    return (Idea(LIKED, walk) for walk in ways(offer) if walk.chosen["routes"] in legal)


def dividends(seat: Seat, offer: Offer) -> Iterator[Idea]:
    """To pay; to keep everything only where a train that must be bought could not be paid otherwise."""
    keeps = _needs_money(seat.table, seat)
    likings = {"pay": LIKED, "half": LIKED / 2, "withhold": 2 * LIKED if keeps else LIKED / 4}
    return (Idea(likings[walk.chosen["option"]], walk) for walk in ways(offer))


def _needs_money(t: Table, seat: Seat) -> bool:
    """Whether the company is about to stand without a train, and all the president has would not buy one."""
    price = cheapest_price(t)
    if price is None or not doomed(t, t.company):
        return False
    return t.company.cash + liquidity(t, t.state.player(seat.player)) // 2 < price
