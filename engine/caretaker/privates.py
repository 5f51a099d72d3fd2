"""Privates for the caretaker: their values, and sales to companies."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from engine.caretaker.outlook import TREASURY_SHARE, rounds_left, rounds_until
from engine.caretaker.stock_rounds import further_shares
from engine.caretaker.weighed_move import WeighedMove, complete_fillings
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

ROUND_FACTOR: Final = 0.85
"""Value of a dollar that comes one operating round later: shares bought with it would have earned the rest."""
COMPANY_SALE_VALUE_PART: Final = 0.5
"""Part of the highest price that a sale to a company brings its president, who owns most of the treasury."""
POWER_VALUE_PART: Final = 0.5
"""Part of a power's value that its company's president has of it."""
BONUS_RUNS: Final = 2
"""Number of runs that earn a bonus."""
OTHER_POWER_VALUE: Final = 40
"""Value in dollars of any other power: a free tile or token, or cheaper terrain."""
MIN_BARGAIN: Final = 1
"""Dollars above face value that any private is worth: left in the bank, it pays nobody and holds up the game."""


def private_worth(t: Table, player: PlayerId, private: PrivateId) -> float:
    """Dollars that a private for sale is worth to a player: income, sale to a company, certificate and power.

    A card of a draft that is no private is worth nothing.
    """
    if private not in t.spec.privates:
        return 0.0
    spec = t.spec.privates[private]
    certificate = sum(
        _certificate_value(t, player, private, power)
        for power in spec.powers
        if isinstance(power, SharePower)
    )
    income = _income_until(spec, _rounds_until_closing(t, private))
    if spec.stays_with_player:
        income += _value_today(spec.value, rounds_left(t))
    return max(spec.value + MIN_BARGAIN, certificate + max(income, _company_sale_value(t, private)))


def _value_today(dollars: float, rounds: float) -> float:
    """Today's value of dollars that come after these operating rounds."""
    return float(dollars * ROUND_FACTOR**rounds)


def _income_until(spec: PrivateSpec, rounds: float) -> float:
    """Today's value of the income of these operating rounds."""
    income = _value_today(spec.income, 1)
    return (income - _value_today(income, rounds)) / (1 - ROUND_FACTOR)


def _rounds_until_closing(t: Table, private: PrivateId) -> float:
    """Operating rounds in which a private for sale will pay; it closes at once, or when its company buys a train."""
    powers = t.spec.privates[private].powers
    if _closes_at_once(powers):
        return 0.0
    if any(isinstance(power, ClosesOnTrainPower) for power in powers):
        return 1.0
    return income_rounds_left(t, private)


def _closes_at_once(powers: Sequence[Power]) -> bool:
    return any(isinstance(power, SharePower) and power.closes for power in powers)


def _company_sale_value(t: Table, private: PrivateId) -> float:
    """Today's value of the income until a company buys the private, and of price and power then; 0: none can."""
    spec = t.spec.privates[private]
    if not spec.sold_to_companies or _closes_at_once(spec.powers):
        return 0.0
    power = sum(_power_value(t, power) for power in spec.powers) + (
        OTHER_POWER_VALUE if spec.power_note else 0
    )
    return max(
        (
            _income_until(spec, rounds)
            + _value_today(
                spec.value * percent / 100 * COMPANY_SALE_VALUE_PART + power * POWER_VALUE_PART, rounds
            )
            for rounds, percent in _sale_dates(t, spec)
        ),
        default=0.0,
    )


def _sale_dates(t: Table, spec: PrivateSpec) -> Iterator[tuple[float, int]]:
    """Operating rounds until companies may buy the private, and the highest price then in percent of face value."""
    percents = t.rules.private_prices(t)
    later = next((phase for phase in t.spec.phases if phase.buy_privates), None)
    if percents is not None:
        yield 0.0, percents[1]
    elif later is not None and later.buy_privates is not None:
        yield rounds_until(t, later.name), later.buy_privates[1]
    if spec.early is not None:
        yield 1.0, spec.early[1]


def _certificate_value(t: Table, player: PlayerId, private: PrivateId, power: SharePower) -> float:
    """Price in dollars of the shares that come with a private; of a presidency at the highest par that the player can
    float.
    """
    linked_company = t.state.privates[private].linked
    if linked_company is None:
        return 0.0
    company = t.state.companies[linked_company]
    if not power.president:
        return _share_price(t, company)
    cash = t.cash(player) - t.spec.privates[private].value
    prices = [price for price, _ in t.grid.pars()]
    affordable = [price for price in prices if price * further_shares(t, company) <= cash]
    return max(affordable, default=min(prices)) * company.certificate / company.share


def _share_price(t: Table, company: Company) -> int:
    """Price of a share in dollars; before its company starts, the middle par price."""
    prices = [price for price, _ in t.grid.pars()]
    return t.price(company) if company.started else prices[len(prices) // 2]


def _power_value(t: Table, power: Power) -> float:
    """Dollars that a power brings the company that owns the private, or its owner by an exchange."""
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
            return power.bonus * BONUS_RUNS
        case IconTokenPower():
            return power.owner * BONUS_RUNS
    return OTHER_POWER_VALUE


def _dollars_saved(t: Table, power: TrainDiscountPower, train: TrainName) -> int:
    """Dollars that the discount saves on a train."""
    return t.spec.train(train).price - power.reduced(t.spec.train(train).price)


def held_value(t: Table, player: PlayerId, private: PrivateId) -> float:
    """Lowest price in dollars at which a player would sell a private; at least its face value."""
    spec = t.spec.privates[private]
    return max(
        float(spec.value), spec.income * income_rounds_left(t, private), takeover_value(t, player, private)
    )


def income_rounds_left(t: Table, private: PrivateId) -> float:
    """Number of times that a private will still pay before it closes."""
    spec = t.spec.privates[private]
    if spec.stays_with_player:
        return rounds_left(t)
    closing = [
        phase.name
        for phase in t.spec.phases
        if (phase.name == spec.closes_in if spec.closes_in else phase.closes_privates)
    ]
    return min([rounds_left(t), *(rounds_until(t, name) for name in closing)])


def takeover_value(t: Table, player: PlayerId, private: PrivateId) -> float:
    """Dollars that a private brings a player whose company buys it at the highest price; 0: none of theirs can."""
    spec, price_percents = t.spec.privates[private], t.rules.private_prices(t)
    if price_percents is None or not spec.sold_to_companies:
        return 0.0
    best_value, highest_price = 0.0, spec.value * price_percents[1] // 100
    for company in t.state.companies.values():
        if company.president == player and company.trains and company.cash >= highest_price:
            owned_part = company.percent(player) / 100
            best_value = max(
                best_value,
                highest_price * (1 - owned_part * TREASURY_SHARE)
                + spec.income * income_rounds_left(t, private) * owned_part,
            )
    return best_value


def own_private_purchases(seat: SeatedPlayer, offer: Offer) -> Iterator[WeighedMove]:
    """Purchases of the president's own privates by the company, at the highest price it can spare."""
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
    owned_part = company.percent(seat.player) / 100
    gain = prices.high * (1 - owned_part * TREASURY_SHARE) - spec.income * income_rounds_left(t, private) * (
        1 - owned_part
    )
    for cursor in complete_fillings(offer):
        if cursor.chosen["private"] == private:
            top_price_filling = OfferCursor(offer, {**cursor.chosen, "price": prices.high})
            yield WeighedMove(max(prices.high - spec.value, gain), top_price_filling)
