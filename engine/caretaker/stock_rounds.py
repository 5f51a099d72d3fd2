"""The computer player in stock rounds: starting companies, buying shares and selling them."""

from collections.abc import Iterator
from typing import Final

from engine.caretaker.outlook import (
    expected_dividend,
    expected_price_change,
    expected_price_rise,
    hexes_blocked_for,
    is_idle,
    next_train_price,
    rounds_left,
    train_reserve,
)
from engine.caretaker.railway import lay_count_to_run, value_of_places_around
from engine.caretaker.weighed_move import WeighedMove, completed_moves
from engine.core.ids import CompanyId
from engine.core.offers import Offer, OfferCursor
from engine.core.state import Company, Draft, Stock
from engine.play.shares.certificate_and_holding_limits import certificate_limit
from engine.play.shares.holdings import certificate_count, holding_limit, percent_sold_from_offering
from engine.play.shares.selling import cell_after_sale
from engine.play.shares.share_purchases import purchase_sources, share_price_from_source
from engine.play.table import Table
from engine.seat import SeatedPlayer

SOLO_START_VALUE: Final = 500.0
"""Value of starting a company that the player can float alone."""
ONE_SHARE_SHORT_VALUE: Final = 250.0
"""Value of starting a company that floats once another player buys one share."""
SHARED_START_VALUE: Final = 100.0
"""Value of starting a company that floats only with several shares bought by other players."""
FIRST_START_VALUE: Final = 300.0
"""Value of starting a company that others must help to float, for a player who is not yet a president."""
COST_PER_PRESIDENCY: Final = 120.0
"""Cost of starting another company, for each company of which the player is already president."""
CAPITAL_FACTOR: Final = 1.2
"""Capital that a new company needs, as a multiple (factor) of the price of the bank's next train."""
PLACES_NEAR_HOME_WEIGHT: Final = 0.2
"""Value of a dollar of revenue places around a company's home, as a fraction of a dollar."""
COST_PER_LAY: Final = 60.0
"""Cost of starting a company, for each tile that it must lay before its first run."""
INCREMENTAL_SHARE_VALUE: Final = 100.0
"""Value of each share that the player can buy of an incrementally capitalized company."""
MIN_OWN_SHARES: Final = 4
"""Minimum number of shares of an incrementally capitalized company that its founder must be able to pay."""
MIN_START_VALUE: Final = 1.0
"""Minimum value of a start that is worth making."""
NO_START_VALUE: Final = -1.0
"""Value of a start that is not worth making, for example for lack of capital."""


def weigh_company_starts(seat: SeatedPlayer, offer: Offer) -> Iterator[WeighedMove]:
    """All possible starts of companies, rated.

    The highest par at which the player can float a company alone is best. Failing that, a low par with which other
    players may help.
    """
    t = seat.table
    for cursor in completed_moves(offer):
        company, price = t.state.companies[cursor.chosen["company"]], int(cursor.chosen["price"])
        start_value = (
            _received_start_value if company.certificate_holder == seat.player else _bought_start_value
        )
        company_value = start_value(seat, company, price)
        yield (
            WeighedMove(max(MIN_START_VALUE, company_value + _home_value(seat, company.id)), cursor)
            if company_value > 0
            else WeighedMove(NO_START_VALUE, cursor)
        )


def _received_start_value(seat: SeatedPlayer, company: Company, price: int) -> float:
    """Value of setting this par for a company that the player received with a private.

    The highest par at which the player can still float the company is best.
    """
    affordable_price = seat.cash / max(1, shares_beyond_certificate(seat.table, company))
    return (
        SOLO_START_VALUE + price
        if price <= affordable_price
        else max(1.0, SOLO_START_VALUE - (price - affordable_price))
    )


def _bought_start_value(seat: SeatedPlayer, company: Company, price: int) -> float:
    t = seat.table
    spare_cash = _spare_cash(seat)
    own_companies = [c for c in t.state.companies.values() if c.president == seat.player and not c.closed]
    if not all(c.floated for c in own_companies) or _certificate_room(seat) <= shares_beyond_certificate(
        t, company
    ):
        return NO_START_VALUE
    if is_incrementally_capitalized(t, company):
        if not all(c.runnable_trains for c in own_companies):
            return NO_START_VALUE
        return _incremental_start_value(seat, company, price) - len(own_companies) * COST_PER_PRESIDENCY
    if price * 100 / company.share < CAPITAL_FACTOR * next_train_price(t):
        return NO_START_VALUE
    cost = price * shares_to_float(t, company)
    if cost <= spare_cash:
        return SOLO_START_VALUE + price - len(own_companies) * COST_PER_PRESIDENCY
    if cost <= spare_cash + price:
        return ONE_SHARE_SHORT_VALUE - price / 10 - len(own_companies) * COST_PER_PRESIDENCY
    return _shared_start_value(seat, company, price, cost)


def is_incrementally_capitalized(t: Table, company: Company) -> bool:
    """True if the company gets the money for each of its shares that is sold (incremental capitalization)."""
    return t.spec.treasury_sells and bool(company.shares.get(company.treasury))


def _incremental_start_value(seat: SeatedPlayer, company: Company, price: int) -> float:
    """Value of starting an incrementally capitalized company at this par.

    The more of its shares the player can pay for, the better.
    """
    t = seat.table
    share_count = min(holding_limit(t, company) // company.share, _spare_cash(seat) // price)
    if share_count * price < CAPITAL_FACTOR * next_train_price(t) or share_count < MIN_OWN_SHARES:
        return NO_START_VALUE
    return SOLO_START_VALUE + share_count * INCREMENTAL_SHARE_VALUE + price / 10


def _shared_start_value(seat: SeatedPlayer, company: Company, price: int, cost: float) -> float:
    spare_cash = _spare_cash(seat)
    if not _can_others_pay(seat, cost - spare_cash):
        return NO_START_VALUE
    own_cost = price * (company.certificate / company.share + 1)
    start_value = SHARED_START_VALUE if _has_presidency(seat) else FIRST_START_VALUE
    return start_value - price / 10 if own_cost <= spare_cash and cost <= 2 * spare_cash else NO_START_VALUE


def _has_presidency(seat: SeatedPlayer) -> bool:
    return any(c.president == seat.player and not c.closed for c in seat.table.state.companies.values())


def _can_others_pay(seat: SeatedPlayer, dollars: float) -> bool:
    """True if the other players have this many dollars left after floating the companies already started."""
    t = seat.table
    unfloated_companies = [
        c for c in t.state.companies.values() if c.is_started and not c.floated and not c.closed
    ]
    if t.spec.secret_cash:
        return not unfloated_companies
    dollars_still_needed = sum(
        (t.spec.companies[c.id].float_percent - percent_sold_from_offering(c)) / c.share * t.price(c)
        for c in unfloated_companies
    )
    cash = sum(t.cash(player.id) for player in t.state.players if player.id != seat.player)
    return cash >= dollars_still_needed + dollars


def shares_to_float(t: Table, company: Company) -> float:
    """Number of shares that must be sold for the company to float."""
    return t.spec.companies[company.id].float_percent / company.share


def shares_beyond_certificate(t: Table, company: Company) -> float:
    """Number of shares that must be sold for the company to float in addition to the president's certificate."""
    return shares_to_float(t, company) - company.certificate / company.share


def _home_value(seat: SeatedPlayer, company: CompanyId) -> float:
    t = seat.table
    home = t.spec.companies[company].home
    if home is None:
        return 0.0
    closed_hexes = hexes_blocked_for(t, seat.player)
    lay_count = lay_count_to_run(t.map, (home.hex, home.stop), closed_hexes)
    return (
        value_of_places_around(t.map, home.hex, t.phase.revenue_step, closed_hexes) * PLACES_NEAR_HOME_WEIGHT
        - lay_count * COST_PER_LAY
    )


def weigh_reservations(seat: SeatedPlayer, offer: Offer) -> Iterator[WeighedMove]:
    """Reservations of minors, rated by their homes; only as many as the player can later pay for are worth making."""
    t = seat.table
    reservation_count = _reservation_count(seat)
    for cursor in completed_moves(offer):
        can_pay = seat.cash >= (reservation_count + 1) * CAPITAL_FACTOR * next_train_price(t)
        yield WeighedMove(
            SOLO_START_VALUE + _home_value(seat, cursor.chosen["company"]) if can_pay else NO_START_VALUE,
            cursor,
        )


def weigh_minor_starts(seat: SeatedPlayer, offer: Offer) -> Iterator[WeighedMove]:
    """Starts of minors on market spaces, rated.

    The most expensive space is best, as long as the player keeps enough money for their other reserved minors.
    """
    t = seat.table
    cash, reservation_count = _spare_cash(seat), max(1, _reservation_count(seat))
    cost_by_value: dict[int, int] = {}
    for cursor in completed_moves(offer):
        value = int(cursor.chosen["value"])
        if value not in cost_by_value:
            cost_by_value[value] = seat.cash - seat.game.table_after(cursor).cash(seat.player)
        can_pay = next_train_price(t) <= cost_by_value[value] <= cash / reservation_count
        yield WeighedMove(
            SOLO_START_VALUE / 2 + cost_by_value[value] + _home_value(seat, cursor.chosen["company"])
            if can_pay
            else NO_START_VALUE,
            cursor,
        )


def _reservation_count(seat: SeatedPlayer) -> int:
    current_round = seat.table.state.round
    owners = current_round.reserved.values() if isinstance(current_round, Draft) else ()
    return sum(owner == seat.player for owner in owners)


FLOATING_SHARE_VALUE: Final = 2_000.0
"""Value of a share that helps to float a company of which the player is president."""
UNFLOATED_WEIGHT: Final = 0.5
"""Weight of the value of shares of a company that has not floated and may never do so."""
OTHER_PRESIDENT_WEIGHT: Final = 0.8
"""Factor for expected dividends if another player is president."""
PRESIDENCY_VALUE: Final = 500.0
"""Value of a presidency: subtracted if the player sells shares of a company of which they are president."""
PRICE_RISE_WEIGHT: Final = 0.6
"""Factor for expected price rises, since a company may not pay out every round."""
MIN_SWAP_GAIN: Final = 40.0
"""Minimum gain in dollars for selling one share to make room for another."""


def share_purchases(seat: SeatedPlayer, offer: Offer) -> Iterator[WeighedMove]:
    """Affordable purchases of shares, rated by dividends and price rises until the end of the game."""
    t = seat.table
    spare_cash = _spare_cash(seat)
    for cursor in completed_moves(offer):
        company = t.state.companies[cursor.chosen["company"]]
        price = share_price_from_source(t, company, cursor.chosen["source"])
        worth = _share_worth(seat, company, price)
        if price <= spare_cash or worth >= FLOATING_SHARE_VALUE:
            yield WeighedMove(worth, cursor)


def _share_worth(seat: SeatedPlayer, company: Company, price: int) -> float:
    """Expected gain in dollars per $100 spent; per certificate if the certificate limit is scarcer than cash."""
    t = seat.table
    gain = _value_per_share(seat, company) + t.price(company) - price
    gain_per_hundred = gain * 100 / max(price, _cash_per_certificate(seat))
    if company.floated:
        return gain_per_hundred
    return FLOATING_SHARE_VALUE if company.president == seat.player else gain_per_hundred * UNFLOATED_WEIGHT


def _value_per_share(seat: SeatedPlayer, company: Company) -> float:
    t = seat.table
    rounds = rounds_left(t)
    dividend_weight = 1.0 if company.president == seat.player else OTHER_PRESIDENT_WEIGHT
    return (
        expected_dividend(t, company) * dividend_weight * rounds
        + expected_price_change(t, company, rounds) * PRICE_RISE_WEIGHT
    )


def _cash_per_certificate(seat: SeatedPlayer) -> float:
    return _spare_cash(seat) / max(1, _certificate_room(seat))


def _certificate_room(seat: SeatedPlayer) -> int:
    return certificate_limit(seat.table) - certificate_count(seat.table, seat.player)


def _spare_cash(seat: SeatedPlayer) -> int:
    return seat.cash - train_reserve(seat.table, seat.player)


def weigh_share_sales(seat: SeatedPlayer, offer: Offer) -> Iterator[WeighedMove]:
    """All possible sales of shares, rated by the value lost.

    A sale is a gain if it makes room for a better share, or if another player's company is idle.
    """
    best_gain = _best_share_gain(seat)
    for cursor in completed_moves(offer):
        company, share_count = (
            seat.table.state.companies[cursor.chosen["company"]],
            int(cursor.chosen["shares"]),
        )
        gain = best_gain - _value_per_share(seat, company) - _value_loss_of_other_shares(seat, company)
        if is_idle(company) and company.president != seat.player:
            yield WeighedMove(-share_count * _value_per_share(seat, company), cursor)
        elif gain > MIN_SWAP_GAIN and share_count == 1 and _keeps_presidency(seat, company):
            yield WeighedMove(FLOATING_SHARE_VALUE / 2 + gain, cursor)
        else:
            yield WeighedMove(-_value_lost(seat, company, cursor), cursor)


def weigh_forced_share_sales(seat: SeatedPlayer, offer: Offer) -> Iterator[WeighedMove]:
    """All possible sales of shares, rated by the value lost; for players who sell only if forced."""
    for cursor in completed_moves(offer):
        yield WeighedMove(
            -_value_lost(seat, seat.table.state.companies[cursor.chosen["company"]], cursor), cursor
        )


def _best_share_gain(seat: SeatedPlayer) -> float:
    t = seat.table
    if not _lacks_certificate_room(seat):
        return 0.0
    spare_cash = _spare_cash(seat)
    best_gain = 0.0
    for company in t.state.companies.values():
        for source in purchase_sources(t, company) if _may_buy_more_shares(seat, company) else ():
            price = share_price_from_source(t, company, source)
            if price <= spare_cash:
                best_gain = max(best_gain, _value_per_share(seat, company) + t.price(company) - price)
    return best_gain


def _lacks_certificate_room(seat: SeatedPlayer) -> bool:
    """True if only the certificate limit keeps the player from buying a share this turn."""
    t = seat.table
    if not isinstance(t.state.round, Stock) or t.state.round.bought is not None or seat.pass_move() is None:
        return False
    return _certificate_room(seat) <= 0


def _may_buy_more_shares(seat: SeatedPlayer, company: Company) -> bool:
    t = seat.table
    if not company.floated or company.closed or company.id in t.stock_round.sold.get(seat.player, []):
        return False
    return company.percent(seat.player) + company.share <= holding_limit(t, company)


def _keeps_presidency(seat: SeatedPlayer, company: Company) -> bool:
    if company.president != seat.player:
        return True
    highest_other_percent = max(
        company.percent(player.id) for player in seat.table.state.players if player.id != seat.player
    )
    return company.percent(seat.player) - company.share > highest_other_percent


def _value_loss_of_other_shares(seat: SeatedPlayer, company: Company) -> float:
    t = seat.table
    new_price = t.price(company, cell_after_sale(t, seat.player, company, 1))
    return (t.price(company) - new_price) * (seat.shares(company.id) - 1)


def _value_lost(seat: SeatedPlayer, company: Company, cursor: OfferCursor) -> float:
    t = seat.table
    share_count = int(cursor.chosen["shares"])
    presidency_value = PRESIDENCY_VALUE if company.president == seat.player else 0.0
    return (
        1.0
        + presidency_value
        + share_count * (expected_dividend(t, company) * rounds_left(t) + expected_price_rise(t, company))
    )
