"""Starting companies, buying their shares, and selling where it must be."""

from collections.abc import Iterator
from typing import Final

from engine.caretaker.outlook import doomed, pays, rises, rounds_left
from engine.caretaker.seat import Idea, Seat, ways
from engine.core.cursor import Cursor
from engine.core.ids import OFFERING
from engine.core.offers import Offer
from engine.core.state import Company
from engine.play.shares.buying import purchase_price
from engine.play.table import Table
from engine.play.trains.phases import next_train

FLOATS_IT: Final = 2_000.0
"""What a share is worth that helps one's own company to its capital."""
DOUBT: Final = 0.5
"""What shares are worth of a company that may never get its capital."""
TRUST: Final = 0.8
"""What dividends count of which another president decides."""
START: Final = 500.0
"""What a company of one's own is worth."""


def starts(seat: Seat, offer: Offer) -> Iterator[Idea]:
    """A company that can be floated with one's own money, at the highest price at which that is so."""
    t = seat.table
    for walk in ways(offer):
        company, price = t.state.companies[walk.chosen["company"]], int(walk.chosen["price"])
        yield Idea(_start_worth(seat, company, price), walk)


def _start_worth(seat: Seat, company: Company, price: int) -> float:
    t = seat.table
    due = company.certificate_holder != OFFERING
    if due:
        return START - abs(price - seat.cash / _shares_to_float(t, company))
    mine = [c for c in t.state.companies.values() if c.president == seat.player and not c.closed]
    if any(not c.floated or doomed(t, c) for c in mine):
        return -1.0
    cost = price * _shares_to_float(t, company)
    capital = price * 100 // company.share
    if cost > seat.cash - reserve(seat) or capital < 2 * _next_price(t):
        return -1.0
    return START + price - len(mine) * START / 2


def _shares_to_float(t: Table, company: Company) -> int:
    return t.spec.companies[company.id].float_percent // company.share


def _next_price(t: Table) -> int:
    coming = next_train(t)
    return t.spec.train(coming).price if coming else 0


def reserve(seat: Seat) -> float:
    """Dollars to be kept for trains that the player's companies will have to buy."""
    t = seat.table
    mine = [c for c in t.state.companies.values() if c.president == seat.player and c.floated]
    price = _next_price(t)
    return sum(max(0, price - c.cash) for c in mine if doomed(t, c))


def purchases(seat: Seat, offer: Offer) -> Iterator[Idea]:
    """Shares, by what they pay and gain while the game lasts."""
    t = seat.table
    spare = seat.cash - reserve(seat)
    for walk in ways(offer):
        company = t.state.companies[walk.chosen["company"]]
        price = purchase_price(t, company, walk.chosen["source"])
        worth = _share_worth(seat, company, price)
        if price <= spare or worth >= FLOATS_IT:
            yield Idea(worth, walk)


def _share_worth(seat: Seat, company: Company, price: int) -> float:
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
    presidency = START if company.president == seat.player else 0.0
    return 1.0 + presidency + count * (pays(t, company) * rounds_left(t) + rises(t, company))
