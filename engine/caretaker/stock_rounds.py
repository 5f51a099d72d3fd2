"""Starting companies, buying shares, and selling them."""

from collections.abc import Iterator
from typing import Final

from engine.caretaker.ideas import Idea, complete_fillings
from engine.caretaker.outlook import (
    expected_dividend,
    expected_rise,
    expected_rises,
    hexes_closed_to,
    next_price,
    rounds_left,
    train_reserve,
)
from engine.caretaker.railway import lays_to_run, places_around
from engine.core.ids import CompanyId
from engine.core.offers import Cursor, Offer
from engine.core.state import Company, Draft, Stock
from engine.play.shares.certificate_and_holding_limits import certificate_limit
from engine.play.shares.holdings import certificates, holding_limit
from engine.play.shares.selling import cell_after_sale
from engine.play.shares.share_purchases import purchase_places, purchase_price
from engine.play.table import Table
from engine.seat import SeatedPlayer

START: Final = 500.0
"""Value of a company of one's own."""
ONE_SHORT: Final = 250.0
"""Its value where a single share, which somebody will buy, is wanting to its capital."""
TOGETHER: Final = 100.0
"""Its value where others must help it to its capital."""
ANOTHER: Final = 120.0
"""Reduction of the value of each further one."""
ENOUGH: Final = 1.2
"""Capital that a company needs, as a multiple of the price of the next train."""
HOME: Final = 0.2
"""Weight of a dollar of the places around its home."""
DELAY: Final = 60.0
"""Cost of each tile more before the first run."""
LEAST: Final = 1.0
"""The least value of a company that is to be started at all."""
NO_START: Final = -1.0
"""Value of a company that will get no capital, or not enough."""


def starts(seat: SeatedPlayer, offer: Offer) -> Iterator[Idea]:
    """Starts of a company that the player's money can float, at the highest such price.

    Where nobody can alone, a company that others may help to float, at a low price.
    """
    t = seat.table
    for walk in complete_fillings(offer):
        company, price = t.state.companies[walk.chosen["company"]], int(walk.chosen["price"])
        look = _received if company.certificate_holder == seat.player else _bought
        worth = look(seat, company, price)
        yield Idea(max(LEAST, worth + _home(seat, company.id)), walk) if worth > 0 else Idea(NO_START, walk)


def _received(seat: SeatedPlayer, company: Company, price: int) -> float:
    """Pars for a company whose certificate came with a private: the player must afford the shares until it floats."""
    most = seat.cash / max(1, _further_shares(seat.table, company))
    return START + price if price <= most else max(1.0, START - (price - most))


def _bought(seat: SeatedPlayer, company: Company, price: int) -> float:
    t = seat.table
    spare = _spare_cash(seat)
    mine = [c for c in t.state.companies.values() if c.president == seat.player and not c.closed]
    if not all(c.floated for c in mine) or price * 100 / company.share < ENOUGH * next_price(t):
        return NO_START
    if _certificate_room(seat) <= _further_shares(t, company):
        return NO_START
    cost = price * _shares_to_float(t, company)
    if cost <= spare:
        return START + price - len(mine) * ANOTHER
    if cost <= spare + price:
        return ONE_SHORT - price / 10 - len(mine) * ANOTHER
    return _with_help(seat, company, price, cost)


def _with_help(seat: SeatedPlayer, company: Company, price: int, cost: float) -> float:
    """Starts at a low price that rely on others buying; only one company at a time."""
    t = seat.table
    if any(c.started and not c.floated and not c.closed for c in t.state.companies.values()):
        return NO_START
    mine = price * (company.certificate / company.share + 1)
    spare = _spare_cash(seat)
    return TOGETHER - price / 10 if mine <= spare and cost <= 2 * spare else NO_START


def least_start(t: Table) -> float:
    """Cheapest start of a company in dollars, up to one share short of floating."""
    cheapest, _ = t.grid.pars()[0]
    shares = [_shares_to_float(t, company) for company in t.state.companies.values() if not company.started]
    return cheapest * (min(shares) - 1) if shares else 0.0


def _shares_to_float(t: Table, company: Company) -> float:
    return t.spec.companies[company.id].float_percent / company.share


def _further_shares(t: Table, company: Company) -> float:
    """Shares to be sold after the president's certificate before the company floats."""
    return _shares_to_float(t, company) - company.certificate / company.share


def _home(seat: SeatedPlayer, company: CompanyId) -> float:
    t = seat.table
    home = t.spec.companies[company].home
    if home is None:
        return 0.0
    closed = hexes_closed_to(t, seat.player)
    waits = lays_to_run(t.map, (home.hex, home.stop), closed)
    return places_around(t.map, home.hex, t.phase.revenue_step, closed) * HOME - waits * DELAY


def reservations(seat: SeatedPlayer, offer: Offer) -> Iterator[Idea]:
    """Reservations of the companies with the best homes, as many as the player can pay."""
    t = seat.table
    kept = _reserved(seat)
    for walk in complete_fillings(offer):
        able = seat.cash >= (kept + 1) * ENOUGH * next_price(t)
        yield Idea(START + _home(seat, walk.chosen["company"]) if able else NO_START, walk)


def small_starts(seat: SeatedPlayer, offer: Offer) -> Iterator[Idea]:
    """Starts of minors at the highest value that leaves money for other reservations, if the treasury then buys a
    train.
    """
    t = seat.table
    cash, kept = _spare_cash(seat), max(1, _reserved(seat))
    costs: dict[int, int] = {}
    for walk in complete_fillings(offer):
        value = int(walk.chosen["value"])
        if value not in costs:
            costs[value] = seat.cash - seat.game.after(walk).cash(seat.player)
        able = next_price(t) <= costs[value] <= cash / kept
        yield Idea(START / 2 + costs[value] + _home(seat, walk.chosen["company"]) if able else NO_START, walk)


def _reserved(seat: SeatedPlayer) -> int:
    now = seat.table.state.round
    owners = now.reserved.values() if isinstance(now, Draft) else ()
    return sum(owner == seat.player for owner in owners)


FLOATS_IT: Final = 2_000.0
"""Value of a share that helps one's own company to its capital."""
DOUBT: Final = 0.5
"""Weight of shares of a company that may never get its capital."""
TRUST: Final = 0.8
"""Weight of dividends when another president decides them."""
PRESIDENCY: Final = 500.0
"""Value of staying president."""
CLIMB: Final = 0.6
"""Weight of the rise of a company that pays in each round."""
BETTER_SHARE: Final = 40.0
"""By how many dollars another share must be better than the one that is sold for it."""


def share_purchases(seat: SeatedPlayer, offer: Offer) -> Iterator[Idea]:
    """Purchases of shares, valued by dividends and growth until the end of the game."""
    t = seat.table
    spare = _spare_cash(seat)
    for walk in complete_fillings(offer):
        company = t.state.companies[walk.chosen["company"]]
        price = purchase_price(t, company, walk.chosen["source"])
        worth = _share_worth(seat, company, price)
        if price <= spare or worth >= FLOATS_IT:
            yield Idea(worth, walk)


def _share_worth(seat: SeatedPlayer, company: Company, price: int) -> float:
    """Dollars gained per hundred dollars spent, or per certificate where room is scarcer than money."""
    t = seat.table
    gain = _brings(seat, company) + t.price(company) - price
    whole = gain * 100 / max(price, _money_for_each(seat))
    if company.floated:
        return whole
    return FLOATS_IT if company.president == seat.player else whole * DOUBT


def _brings(seat: SeatedPlayer, company: Company) -> float:
    t = seat.table
    left = rounds_left(t)
    trust = 1.0 if company.president == seat.player else TRUST
    return expected_dividend(t, company) * trust * left + expected_rises(t, company, left) * CLIMB


def _money_for_each(seat: SeatedPlayer) -> float:
    return _spare_cash(seat) / max(1, _certificate_room(seat))


def _certificate_room(seat: SeatedPlayer) -> int:
    """Number of certificates that the player may still get."""
    return certificate_limit(seat.table) - certificates(seat.table, seat.player)


def _spare_cash(seat: SeatedPlayer) -> int:
    """Dollars that the player need not keep for trains."""
    return seat.cash - train_reserve(seat.table, seat.player)


def share_sales(seat: SeatedPlayer, offer: Offer) -> Iterator[Idea]:
    """The cheapest sale by lost value: where one is forced, or pays for a better share."""
    best = _best_on_sale(seat)
    for walk in complete_fillings(offer):
        company = seat.table.state.companies[walk.chosen["company"]]
        gain = best - _brings(seat, company) - _fall(seat, company)
        if gain > BETTER_SHARE and walk.chosen["shares"] == 1 and _may_go(seat, company):
            yield Idea(FLOATS_IT / 2 + gain, walk)
        else:
            yield Idea(-_value_lost(seat, company, walk), walk)


def forced_share_sales(seat: SeatedPlayer, offer: Offer) -> Iterator[Idea]:
    """The cheapest sale by lost value, where one is forced."""
    for walk in complete_fillings(offer):
        yield Idea(-_value_lost(seat, seat.table.state.companies[walk.chosen["company"]], walk), walk)


def _best_on_sale(seat: SeatedPlayer) -> float:
    """Value of the best share the player could buy if only they had room; 0: none."""
    t = seat.table
    if not _lacks_room(seat):
        return 0.0
    spare = _spare_cash(seat)
    best = 0.0
    for company in t.state.companies.values():
        for place in purchase_places(t, company) if _has_room(seat, company) else ():
            price = purchase_price(t, company, place)
            if price <= spare:
                best = max(best, _brings(seat, company) + t.price(company) - price)
    return best


def _lacks_room(seat: SeatedPlayer) -> bool:
    """True if the certificate limit alone keeps the player, who is not forced to sell, from buying this turn."""
    t = seat.table
    if not isinstance(t.state.round, Stock) or t.state.round.bought is not None or seat.pass_move() is None:
        return False
    return _certificate_room(seat) <= 0


def _has_room(seat: SeatedPlayer, company: Company) -> bool:
    t = seat.table
    if not company.floated or company.closed or company.id in t.stock.sold.get(seat.player, []):
        return False
    return company.percent(seat.player) + company.share <= holding_limit(t, company)


def _may_go(seat: SeatedPlayer, company: Company) -> bool:
    if company.president != seat.player:
        return True
    others = max(
        company.percent(player.id) for player in seat.table.state.players if player.id != seat.player
    )
    return company.percent(seat.player) - company.share > others


def _fall(seat: SeatedPlayer, company: Company) -> float:
    t = seat.table
    after = t.price(company, cell_after_sale(t, seat.player, company, 1))
    return (t.price(company) - after) * (seat.shares(company.id) - 1)


def _value_lost(seat: SeatedPlayer, company: Company, cursor: Cursor) -> float:
    t = seat.table
    count = int(cursor.chosen["shares"])
    presidency = PRESIDENCY if company.president == seat.player else 0.0
    return (
        1.0
        + presidency
        + count * (expected_dividend(t, company) * rounds_left(t) + expected_rise(t, company))
    )
