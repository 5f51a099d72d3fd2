"""Value of privates to the computer player, and their sale to its companies."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from engine.caretaker.outlook import TREASURY_DOLLAR_VALUE, rounds_left, rounds_until_phase
from engine.caretaker.stock_rounds import shares_beyond_certificate
from engine.caretaker.weighed_move import WeighedMove, completed_moves
from engine.core.ids import PlayerId, PrivateId, TrainName
from engine.core.offers import IntRange, Offer, OfferCursor
from engine.core.spec import (
    CityBonusPower,
    ClosesOnTrainPower,
    IconTokenPower,
    Power,
    PrivateSpec,
    RouteBonusPower,
    SharePower,
    TerrainDiscountPower,
    TrainDiscountPower,
    TrainPower,
)
from engine.core.state import Company
from engine.play.table import Table
from engine.seat import SeatedPlayer

DISCOUNT_FACTOR_PER_ROUND: Final = 0.85
"""Factor by which a dollar is worth less if it is received one operating round later."""
COMPANY_SALE_VALUE_FRACTION: Final = 0.5
"""Value to a president of selling a private to their company, as a fraction of the highest price."""
POWER_VALUE_FRACTION: Final = 0.5
"""Gain of a president from a private's power, as a fraction of its value to the company."""
RUNS_WITH_BONUS: Final = 2
"""Number of runs in which a private's revenue bonus is expected to count."""
OTHER_POWER_VALUE: Final = 40
"""Value in dollars of a power that is not rated individually, such as a free tile or token."""
MIN_GAIN_OVER_FACE_VALUE: Final = 1
"""Dollars above face value that any private is worth, because an unsold private delays the game."""


def private_worth(t: Table, player: PlayerId, private: PrivateId) -> float:
    """Dollars that an unsold private is worth to a player: income, sale to a company, share certificate and power.

    0 for a pass card of a draft.
    """
    if private not in t.spec.privates:
        return 0.0
    spec = t.spec.privates[private]
    certificate_value = sum(
        _certificate_value(t, player, private, power)
        for power in spec.powers
        if isinstance(power, SharePower)
    )
    income = _income_until(spec, _rounds_until_closing(t, private))
    if spec.stays_with_player:
        income += _present_value(spec.face_value, rounds_left(t))
    return max(
        spec.face_value + MIN_GAIN_OVER_FACE_VALUE,
        certificate_value + max(income, _company_sale_value(t, private)),
    )


def _present_value(dollars: float, rounds: float) -> float:
    return float(dollars * DISCOUNT_FACTOR_PER_ROUND**rounds)


def _income_until(spec: PrivateSpec, rounds: float) -> float:
    income = _present_value(spec.income, 1)
    return (income - _present_value(income, rounds)) / (1 - DISCOUNT_FACTOR_PER_ROUND)


def _rounds_until_closing(t: Table, private: PrivateId) -> float:
    """Operating rounds in which an unsold private will pay: 0 if it closes at once, 1 if a train purchase closes it."""
    powers = t.spec.privates[private].powers
    if _closes_at_once(powers):
        return 0.0
    if any(isinstance(power, ClosesOnTrainPower) for power in powers):
        return 1.0
    return income_rounds_left(t, private)


def _closes_at_once(powers: Sequence[Power]) -> bool:
    return any(isinstance(power, SharePower) and power.closes_private for power in powers)


def _company_sale_value(t: Table, private: PrivateId) -> float:
    """Present value of a private to a player who keeps it until a company can buy it; 0 if no company can buy it.

    Counts the income until the sale, the price, and the private's power.
    """
    spec = t.spec.privates[private]
    if not spec.sold_to_companies or _closes_at_once(spec.powers):
        return 0.0
    power = sum(_power_value(t, power) for power in spec.powers) + (
        OTHER_POWER_VALUE if spec.power_note else 0
    )
    return max(
        (
            _income_until(spec, rounds)
            + _present_value(
                spec.face_value * percent / 100 * COMPANY_SALE_VALUE_FRACTION + power * POWER_VALUE_FRACTION,
                rounds,
            )
            for rounds, percent in _company_sale_terms(t, spec)
        ),
        default=0.0,
    )


def _company_sale_terms(t: Table, spec: PrivateSpec) -> Iterator[tuple[float, int]]:
    """Each time at which companies can buy the private, and the price limit at that time.

    As (operating rounds until that time, highest price in percent of face value).
    """
    private_price_percents = t.rules.private_price_percents(t)
    later_phase = next((phase for phase in t.spec.phases if phase.private_price_percents), None)
    if private_price_percents is not None:
        yield 0.0, private_price_percents[1]
    elif later_phase is not None and later_phase.private_price_percents is not None:
        yield rounds_until_phase(t, later_phase.name), later_phase.private_price_percents[1]
    if spec.early_price_percents is not None:
        yield 1.0, spec.early_price_percents[1]


def _certificate_value(t: Table, player: PlayerId, private: PrivateId, power: SharePower) -> float:
    """Value in dollars of the share certificates that come with a private; 0 if none come with it.

    A president's certificate counts at the highest par at which the player can float the company.
    """
    linked_company = t.state.privates[private].linked
    if linked_company is None:
        return 0.0
    company = t.state.companies[linked_company]
    if not power.is_president_certificate:
        return _share_price(t, company)
    cash = t.cash(player) - t.spec.privates[private].face_value
    prices = [price for price, _ in t.grid.pars()]
    affordable_pars = [price for price in prices if price * shares_beyond_certificate(t, company) <= cash]
    return max(affordable_pars, default=min(prices)) * company.certificate / company.share


def _share_price(t: Table, company: Company) -> int:
    """Share price in dollars; the middle par price if the company has not started."""
    prices = [price for price, _ in t.grid.pars()]
    return t.price(company) if company.is_started else prices[len(prices) // 2]


def _power_value(t: Table, power: Power) -> float:
    match power:
        case SharePower() | ClosesOnTrainPower():
            return 0.0
        case TrainPower():
            return t.spec.train(power.train).price
        case TrainDiscountPower():
            return min(map(partial(_dollars_saved, t, power), power.trains))
        case TerrainDiscountPower():
            return power.amount
        case CityBonusPower() | RouteBonusPower():
            return power.bonus * RUNS_WITH_BONUS
        case IconTokenPower():
            return power.owner_bonus * RUNS_WITH_BONUS
    return OTHER_POWER_VALUE


def _dollars_saved(t: Table, power: TrainDiscountPower, train: TrainName) -> int:
    return t.spec.train(train).price - power.reduced_price(t.spec.train(train).price)


def lowest_sale_price(t: Table, player: PlayerId, private: PrivateId) -> float:
    """Lowest price in dollars at which the player would sell a private that they own; at least its face value."""
    spec = t.spec.privates[private]
    return max(
        float(spec.face_value),
        spec.income * income_rounds_left(t, private),
        value_sold_to_company(t, player, private),
    )


def income_rounds_left(t: Table, private: PrivateId) -> float:
    """Number of operating rounds in which the private will still pay income."""
    spec = t.spec.privates[private]
    if spec.stays_with_player:
        return rounds_left(t)
    closing_phases = [
        phase.name
        for phase in t.spec.phases
        if (phase.name == spec.closes_in if spec.closes_in else phase.closes_privates)
    ]
    return min([rounds_left(t), *(rounds_until_phase(t, name) for name in closing_phases)])


def value_sold_to_company(t: Table, player: PlayerId, private: PrivateId) -> float:
    """Dollars that a private brings a player whose company buys it at the highest price; 0 if no company can."""
    spec, price_percents = t.spec.privates[private], t.rules.private_price_percents(t)
    if price_percents is None or not spec.sold_to_companies:
        return 0.0
    best_value, highest_price = 0.0, spec.face_value * price_percents[1] // 100
    for company in t.state.companies.values():
        if company.president == player and company.trains and company.cash >= highest_price:
            owned_fraction = company.percent(player) / 100
            best_value = max(
                best_value,
                highest_price * (1 - owned_fraction * TREASURY_DOLLAR_VALUE)
                + spec.income * income_rounds_left(t, private) * owned_fraction,
            )
    return best_value


def weigh_own_private_purchases(seat: SeatedPlayer, offer: Offer) -> Iterator[WeighedMove]:
    """Purchases by the company of its president's own privates, at the highest price it can pay."""
    t = seat.table
    if offer.entity not in t.state.companies:
        return
    for private in (choice.value for choice in offer.slots[0].domain({}).choices()):
        if t.state.privates[str(private)].owner == seat.player:
            yield from _purchases_at_top_price(seat, offer, str(private))


def _purchases_at_top_price(seat: SeatedPlayer, offer: Offer, private: str) -> Iterator[WeighedMove]:
    t = seat.table
    company = t.state.companies[offer.entity]
    prices, spec = offer.slots[1].domain({"private": private}), t.spec.privates[private]
    if not isinstance(prices, IntRange) or not company.trains:
        return
    owned_fraction = company.percent(seat.player) / 100
    gain = prices.high * (1 - owned_fraction * TREASURY_DOLLAR_VALUE) - spec.income * income_rounds_left(
        t, private
    ) * (1 - owned_fraction)
    for cursor in completed_moves(offer):
        if cursor.chosen["private"] == private:
            top_price_cursor = OfferCursor(offer, {**cursor.chosen, "price": prices.high})
            yield WeighedMove(max(prices.high - spec.face_value, gain), top_price_cursor)
