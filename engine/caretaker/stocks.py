"""Buying shares, selling them where it must be, and selling weak ones for better ones."""

from collections.abc import Iterator
from typing import Final

from engine.caretaker.ideas import Idea, ways
from engine.caretaker.outlook import climbs, pays, reserve, rises, rounds_left
from engine.core.offers import Cursor, Offer
from engine.core.state import Company, Stock
from engine.play.shares.holdings import certificates, holding_limit
from engine.play.shares.limits import certificate_limit
from engine.play.shares.selling import cell_after_sale
from engine.play.shares.share_purchases import purchase_places, purchase_price
from engine.seat import Seat

FLOATS_IT: Final = 2_000.0
"""What a share is worth that helps one's own company to its capital."""
DOUBT: Final = 0.5
"""What shares are worth of a company that may never get its capital."""
TRUST: Final = 0.8
"""What dividends count when another president decides them."""
PRESIDENCY: Final = 500.0
"""What it is worth to stay president."""
CLIMB: Final = 0.6
"""How much of the rise counts that a company has if it pays in each round."""
PLAINLY: Final = 40.0
"""By how many dollars another share must be better than the one that is sold for it."""


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
    """Dollars that a hundred dollars bring, or where there is more money than room, what the room for them brings."""
    t = seat.table
    gain = _brings(seat, company) + t.price(company) - price
    whole = gain * 100 / max(price, _money_for_each(seat))
    if company.floated:
        return whole
    return FLOATS_IT if company.president == seat.player else whole * DOUBT


def _brings(seat: Seat, company: Company) -> float:
    """Dollars that a share pays and gains while the game lasts."""
    t = seat.table
    left = rounds_left(t)
    trust = 1.0 if company.president == seat.player else TRUST
    return pays(t, company) * trust * left + climbs(t, company, left) * CLIMB


def _money_for_each(seat: Seat) -> float:
    """Dollars that the player has for each certificate that they may still get."""
    t = seat.table
    room = certificate_limit(t) - certificates(t, seat.player)
    return (seat.cash - reserve(t, seat.player)) / max(1, room)


def sales(seat: Seat, offer: Offer) -> Iterator[Idea]:
    """The block that costs least of what it would have brought: where it must be, or for a better share."""
    best = _best_on_sale(seat)
    for walk in ways(offer):
        company = seat.table.state.companies[walk.chosen["company"]]
        gain = best - _brings(seat, company) - _fall(seat, company)
        if gain > PLAINLY and walk.chosen["shares"] == 1 and _may_go(seat, company):
            yield Idea(FLOATS_IT / 2 + gain, walk)
        else:
            yield Idea(-_loss(seat, company, walk), walk)


def forced_sales(seat: Seat, offer: Offer) -> Iterator[Idea]:
    """The block that costs least, where it must be."""
    for walk in ways(offer):
        yield Idea(-_loss(seat, seat.table.state.companies[walk.chosen["company"]], walk), walk)


def _best_on_sale(seat: Seat) -> float:
    """Dollars that the best share brings that could be had now if only there were room for it; 0: there is none."""
    t = seat.table
    if not _lacks_room(seat):
        return 0.0
    spare = seat.cash - reserve(t, seat.player)
    found = 0.0
    for company in t.state.companies.values():
        for place in purchase_places(t, company) if _has_room(seat, company) else ():
            price = purchase_price(t, company, place)
            if price <= spare:
                found = max(found, _brings(seat, company) + t.price(company) - price)
    return found


def _lacks_room(seat: Seat) -> bool:
    """Whether only the limit keeps the player, who need not sell, from a purchase in this turn."""
    t = seat.table
    if not isinstance(t.state.round, Stock) or t.state.round.bought is not None or seat.decline() is None:
        return False
    return certificates(t, seat.player) >= certificate_limit(t)


def _has_room(seat: Seat, company: Company) -> bool:
    t = seat.table
    if not company.floated or company.closed or company.id in t.stock.sold.get(seat.player, []):
        return False
    return company.percent(seat.player) + company.share <= holding_limit(t, company)


def _may_go(seat: Seat, company: Company) -> bool:
    """Whether a share can be sold without the danger that another becomes president."""
    if company.president != seat.player:
        return True
    others = max(company.percent(one.id) for one in seat.table.state.players if one.id != seat.player)
    return company.percent(seat.player) - company.share > others


def _fall(seat: Seat, company: Company) -> float:
    """Dollars that the player's other shares of the company lose by the sale."""
    t = seat.table
    after = t.price(company, cell_after_sale(t, seat.player, company, 1))
    return (t.price(company) - after) * (seat.shares(company.id) - 1)


def _loss(seat: Seat, company: Company, walk: Cursor) -> float:
    t = seat.table
    count = int(walk.chosen["shares"])
    presidency = PRESIDENCY if company.president == seat.player else 0.0
    return 1.0 + presidency + count * (pays(t, company) * rounds_left(t) + rises(t, company))
