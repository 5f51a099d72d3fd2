"""Starting companies: which, at what price, and whether they will get their capital."""

from collections.abc import Iterator
from typing import Final

from engine.caretaker.ahead import around, lays_to_run
from engine.caretaker.ideas import Idea, ways
from engine.caretaker.outlook import next_price, reserve, shut
from engine.core.ids import CompanyId
from engine.core.offers import Offer
from engine.core.state import Company, Draft
from engine.play.shares.holdings import certificates
from engine.play.shares.limits import certificate_limit
from engine.play.table import Table
from engine.seat import Seat

START: Final = 500.0
"""What a company of one's own is worth."""
ONE_SHORT: Final = 250.0
"""What it is worth where a single share is wanting to its capital, which somebody will buy."""
TOGETHER: Final = 100.0
"""What it is worth where others must help it to its capital."""
ANOTHER: Final = 120.0
"""How much less each further one is worth."""
ENOUGH: Final = 1.2
"""How many times the price of the next train the capital of a company must be."""
HOME: Final = 0.2
"""What a dollar of the places around its home counts."""
DELAY: Final = 60.0
"""What it costs to lay one tile more before the first run."""
LEAST: Final = 1.0
"""What a company is worth at least that is to be started at all."""
NO_START: Final = -1.0
"""What a company is worth that will get no capital, or not enough."""


def starts(seat: Seat, offer: Offer) -> Iterator[Idea]:
    """A company that can be floated with one's own money, at the highest price at which that is so.

    Where nobody can alone, one that others may help, at a low price.
    """
    t = seat.table
    for walk in ways(offer):
        company, price = t.state.companies[walk.chosen["company"]], int(walk.chosen["price"])
        look = _received if company.certificate_holder == seat.player else _bought
        worth = look(seat, company, price)
        yield Idea(max(LEAST, worth + _home(seat, company.id)), walk) if worth > 0 else Idea(NO_START, walk)


def _received(seat: Seat, company: Company, price: int) -> float:
    """The certificate came with a private: the rest of what must be sold is to be paid."""
    more = _shares_to_float(seat.table, company) - company.certificate / company.share
    most = seat.cash / max(1, more)
    return START + price if price <= most else max(1.0, START - (price - most))


def _bought(seat: Seat, company: Company, price: int) -> float:
    t = seat.table
    spare = seat.cash - reserve(t, seat.player)
    mine = [c for c in t.state.companies.values() if c.president == seat.player and not c.closed]
    if not all(c.floated for c in mine) or price * 100 / company.share < ENOUGH * next_price(t):
        return NO_START
    if (
        certificate_limit(t) - certificates(t, seat.player)
        <= _shares_to_float(t, company) - company.certificate / company.share
    ):
        return NO_START
    cost = price * _shares_to_float(t, company)
    if cost <= spare:
        return START + price - len(mine) * ANOTHER
    if cost <= spare + price:
        return ONE_SHORT - price / 10 - len(mine) * ANOTHER
    return _with_help(seat, company, price, cost)


def _with_help(seat: Seat, company: Company, price: int, cost: float) -> float:
    """Only one company at a time waits for the help of others."""
    t = seat.table
    if any(c.started and not c.floated and not c.closed for c in t.state.companies.values()):
        return NO_START
    mine = price * (company.certificate / company.share + 1)
    spare = seat.cash - reserve(t, seat.player)
    return TOGETHER - price / 10 if mine <= spare and cost <= 2 * spare else NO_START


def least_start(t: Table) -> float:
    """Dollars for which the cheapest company can be started with one share short of its capital."""
    cheapest, _ = t.grid.pars()[0]
    shares = [_shares_to_float(t, company) for company in t.state.companies.values() if not company.started]
    return cheapest * (min(shares) - 1) if shares else 0.0


def _shares_to_float(t: Table, company: Company) -> float:
    return t.spec.companies[company.id].float_percent / company.share


def _home(seat: Seat, company: CompanyId) -> float:
    t = seat.table
    home = t.spec.companies[company].home
    if home is None:
        return 0.0
    closed = shut(t, seat.player)
    waits = lays_to_run(t.map, (home.hex, home.stop), closed)
    return around(t.map, home.hex, t.phase.revenue_step, closed) * HOME - waits * DELAY


# --- small companies ---------------------------------------------------------------------------------------------


def reservations(seat: Seat, offer: Offer) -> Iterator[Idea]:
    """As many companies as can be paid for, those with the best homes."""
    t = seat.table
    kept = _reserved(seat)
    for walk in ways(offer):
        able = seat.cash >= (kept + 1) * ENOUGH * next_price(t)
        yield Idea(START + _home(seat, walk.chosen["company"]) if able else NO_START, walk)


def small_starts(seat: Seat, offer: Offer) -> Iterator[Idea]:
    """At the highest value that leaves money for the others one has reserved, if its money buys a train."""
    t = seat.table
    cash, kept = seat.cash - reserve(t, seat.player), max(1, _reserved(seat))
    costs: dict[int, int] = {}
    for walk in ways(offer):
        value = int(walk.chosen["value"])
        if value not in costs:
            costs[value] = seat.cash - seat.game.after(walk).cash(seat.player)
        able = next_price(t) <= costs[value] <= cash / kept
        yield Idea(START / 2 + costs[value] + _home(seat, walk.chosen["company"]) if able else NO_START, walk)


def _reserved(seat: Seat) -> int:
    """How many companies the player has reserved and not started."""
    now = seat.table.state.round
    owners = now.reserved.values() if isinstance(now, Draft) else ()
    return sum(owner == seat.player for owner in owners)
