"""Buying shares, and selling them where it must be."""

from collections.abc import Iterator
from typing import Final

from engine.caretaker.ideas import Idea, ways
from engine.caretaker.outlook import pays, reserve, rises, rounds_left
from engine.core.cursor import Cursor
from engine.core.offers import Offer
from engine.core.state import Company
from engine.play.shares.buying import purchase_price
from engine.seat import Seat

FLOATS_IT: Final = 2_000.0
"""What a share is worth that helps one's own company to its capital."""
DOUBT: Final = 0.5
"""What shares are worth of a company that may never get its capital."""
TRUST: Final = 0.8
"""What dividends count when another president decides them."""
PRESIDENCY: Final = 500.0
"""What it is worth to stay president."""


def purchases(seat: Seat, offer: Offer) -> Iterator[Idea]:
    """Shares, by what they pay and gain while the game lasts."""
    t = seat.table
    spare = seat.cash - reserve(t, seat.player)
    for walk in ways(offer):
        company = t.state.companies[walk.chosen["company"]]
        price = purchase_price(t, company, walk.chosen["source"])
        worth = _share_worth(seat, company, price)
        if price <= spare or worth >= FLOATS_IT:
            yield Idea(worth, walk)


def _share_worth(seat: Seat, company: Company, price: int) -> float:
    """Dollars that a hundred dollars bring."""
    t = seat.table
    left = rounds_left(t)
    trust = 1.0 if company.president == seat.player else TRUST
    gain = (pays(t, company) * trust + rises(t, company) / 2) * left + t.price(company) - price
    if company.floated:
        return gain * 100 / max(1, price)
    if company.president == seat.player:
        return FLOATS_IT
    return gain * DOUBT * 100 / max(1, price)


def sales(seat: Seat, offer: Offer) -> Iterator[Idea]:
    """Only where nothing else is left: the block that costs least of what it would have brought."""
    t = seat.table
    for walk in ways(offer):
        company = t.state.companies[walk.chosen["company"]]
        yield Idea(-_loss(seat, company, walk), walk)


def _loss(seat: Seat, company: Company, walk: Cursor) -> float:
    t = seat.table
    count = int(walk.chosen["shares"])
    presidency = PRESIDENCY if company.president == seat.player else 0.0
    return 1.0 + presidency + count * (pays(t, company) * rounds_left(t) + rises(t, company))
