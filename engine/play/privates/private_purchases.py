"""Purchases of privates by the operating company: legality, prices and benefits (18Chesapeake 7.1, 11)."""

from functools import partial
from typing import Any

from engine.core.actions import BuyPrivate
from engine.core.events import MarkerReceived, PrivateSold, PrivateTrainForfeited, TrainReceived
from engine.core.facts import Fact, fact
from engine.core.ids import PlayerId, PrivateId
from engine.core.offers import IntRange
from engine.core.spec import (
    FreeTokensPower,
    MarkersPower,
    Power,
    PrivateSpec,
    RouteBonusPower,
    TileLayPower,
    TrainPower,
)
from engine.core.state import Company, ExtraTokens
from engine.play.private_markers import receive_markers
from engine.play.table import Table
from engine.play.token_prices_and_purchases import receive_tokens
from engine.play.track.destinations import best_destination_runs
from engine.play.track.terrain import river_sides, turn_discount_power
from engine.play.trains.phases import add_train, close_private, counted_train_count, train_limit


def purchasable_privates(t: Table) -> list[PrivateId]:
    """Privates that the operating company can buy from players now (18Chesapeake 7.1)."""
    return [name for name in privates_of_players(t) if private_obstacle(t, name) is None]


def privates_of_players(t: Table) -> list[PrivateId]:
    """Privates that are owned by players."""
    players = [player.id for player in t.state.players]
    return [name for name, private in t.state.privates.items() if private.owner in players]


def private_prices(t: Table, private: PrivateId) -> IntRange:
    """Legal prices of a private in dollars, from $1 up.

    A price must not exceed the treasury, and must lie within the allowed percentages of face value (18Chesapeake 7.1).

    Rules: R-AL-200, R-C2C-140, R-CH-108, R-TN-181.
    """
    percent_range = _percent_range(t, private)
    assert percent_range is not None
    face_value = t.spec.privates[private].face_value
    highest_price = min(face_value * percent_range[1] // 100, t.company.cash)
    obstacle = partial(_price_obstacle, t, private)
    return IntRange(
        _lowest_price(face_value, percent_range), highest_price, face_value=face_value, obstacle=obstacle
    )


def _lowest_price(face_value: int, percent_range: tuple[int, int]) -> int:
    return max(1, -(-face_value * percent_range[0] // 100))


def player_owning_private(t: Table, private: PrivateId) -> PlayerId:
    """The player who owns the private; it must be owned by a player."""
    owner = t.state.privates[private].owner
    assert owner is not None
    return owner


def buy_private(t: Table, action: BuyPrivate) -> None:
    """Buy a private for the operating company, paid from the treasury; the company keeps it for good.

    Rules: R-AL-201, R-TN-182.
    """
    private = t.state.privates[action.private]
    seller = player_owning_private(t, private.id)
    t.pay(action.entity, seller, action.price)
    private.owner = action.entity
    t.operating_round.private_sellers.append(seller)
    t.emit(PrivateSold(action.entity, private.id, seller, action.price))
    for power in t.spec.privates[private.id].powers:
        _receive_benefits(t, t.state.companies[action.entity], private.id, power)
        if isinstance(power, TileLayPower) and power.laid_by == "seller":
            t.turn.seller_lay = (private.id, seller)
    if _is_sold_early(t, private.id) and turn_discount_power(t, private.id) is not None:
        t.turn.at_once.append(private.id)


# --- obstacles to a purchase -------------------------------------------------------------------------------------


def no_private_reason(t: Table) -> Fact:
    """The reason why the operating company cannot buy any private now, as an error message."""
    if not any(_percent_range(t, name) for name in t.state.privates):
        return fact("privates.not_now", phases=_private_sale_phases(t))
    sellable_names = (name for name in privates_of_players(t) if t.spec.privates[name].sold_to_companies)
    obstacles = (private_obstacle(t, name) for name in sellable_names)
    return next((reason for reason in obstacles if reason), fact("privates.none_with_players"))


def private_obstacle(t: Table, private: Any) -> Fact | None:
    """The rule that forbids the operating company to buy this private now, whatever the price; None if it can."""
    if private not in t.state.privates:
        return fact("unknown.private", private=private)
    private_state = t.state.privates[private]
    if private_state.closed:
        return fact("privates.closed", private=private)
    percent_range, spec = _percent_range(t, private), t.spec.privates[private]
    if percent_range is None:
        return _too_early_refusal(t, private)
    if not spec.sold_to_companies:
        return fact("privates.never_sold", private=private)
    if not t.state.is_player(private_state.owner):
        return fact("privates.of_no_player", private=private)
    if refusal := _too_late_refusal(t, private) or t.rules.private_obstacle(t, private_state):
        return refusal
    lowest_price, cash = _lowest_price(spec.face_value, percent_range), t.company.cash
    if lowest_price <= cash:
        return None
    return fact("privates.too_dear", private=private, low=lowest_price, company=t.company.id, cash=cash)


def _price_obstacle(t: Table, private: PrivateId, price: Any) -> Fact:
    percent_range = _percent_range(t, private)
    assert percent_range is not None
    low_percent, high_percent = percent_range
    face_value, cash = t.spec.privates[private].face_value, t.company.cash
    if isinstance(price, int) and cash < price <= face_value * high_percent // 100:
        return fact("privates.more_than_treasury", price=price, company=t.company.id, cash=cash)
    name = "privates.price_is_face" if low_percent == high_percent == 100 else "privates.price_range"
    return fact(name, private=private, face=face_value, low=low_percent, high=high_percent)


# --- times and prices of sales -----------------------------------------------------------------------------------


def _percent_range(t: Table, private: PrivateId) -> tuple[int, int] | None:
    spec = t.spec.privates[private]
    return t.rules.private_price_percents(t) or (
        spec.early_price_percents if _may_buy_early(t, spec) else None
    )


def _may_buy_early(t: Table, spec: PrivateSpec) -> bool:
    """True if the operating company can buy the private before the phase in which all companies may buy (18C2C 3b).

    Rules: R-C2C-141.
    """
    if spec.early_price_percents is None or not _only_early_sales_open(t):
        return False
    company = t.spec.companies[t.company.id]
    if spec.early_buyers == "river":
        return company.home is not None and bool(river_sides(t, company.home.hex))
    return spec.early_buyers in ("", company.base_zone)


def _only_early_sales_open(t: Table) -> bool:
    if not any(spec.early_price_percents is not None for spec in t.spec.privates.values()):
        return False
    phase_names = [phase.name for phase in t.spec.phases]
    later_phases = t.spec.phases[phase_names.index(t.state.phase) + 1 :]
    return any(phase.private_price_percents for phase in later_phases)


def _is_sold_early(t: Table, private: PrivateId) -> bool:
    return (
        t.rules.private_price_percents(t) is None
        and t.spec.privates[private].early_price_percents is not None
    )


def _private_sale_phases(t: Table) -> tuple[str, ...]:
    return tuple(phase.name for phase in t.spec.phases if phase.private_price_percents)


def _too_early_refusal(t: Table, private: PrivateId) -> Fact:
    spec = t.spec.privates[private]
    if not _only_early_sales_open(t):
        return fact("privates.not_now", phases=_private_sale_phases(t))
    if spec.early_price_percents is None:
        return fact("privates.not_early", private=private, phases=_private_sale_phases(t))
    values = {"private": private, "company": t.company.id}
    if spec.early_buyers == "river":
        return fact("privates.early_on_the_river", **values)
    return fact("privates.early_for_based", base=spec.early_buyers, **values)


def _too_late_refusal(t: Table, private: PrivateId) -> Fact | None:
    """The error message if all that the private gives is a discount on this turn's tiles, and the track step is over.

    See 18C2C 4a.

    Rules: R-C2C-152.
    """
    if _is_sold_early(t, private) and turn_discount_power(t, private) is not None and "track" in t.turn.done:
        return fact("privates.too_late_for_tiles", private=private, company=t.company.id)
    return None


def _receive_benefits(t: Table, company: Company, private: PrivateId, power: Power) -> None:
    if isinstance(power, RouteBonusPower):
        company.markers[power.name] = ""
        t.emit(MarkerReceived(company.id, power.name, ""))
    elif isinstance(power, MarkersPower):
        receive_markers(t, company, private, power)
    elif isinstance(power, FreeTokensPower):
        _receive_free_tokens(t, company, private, power)
    elif isinstance(power, TrainPower):
        _receive_train(t, company, private, power)


def _receive_train(t: Table, company: Company, private: PrivateId, power: TrainPower) -> None:
    is_no_longer_available = power.until_phase is not None and t.has_reached_phase(power.until_phase)
    if is_no_longer_available or counted_train_count(t, company) >= train_limit(t, company):
        t.emit(PrivateTrainForfeited(company.id, power.train, private))
        return
    add_train(company, power.train)
    company.unsalable.append(power.train)
    t.emit(TrainReceived(company.id, power.train, private))
    if power.closes_private:
        close_private(t, private)


def _receive_free_tokens(t: Table, company: Company, private: PrivateId, power: FreeTokensPower) -> None:
    """Give the company the private's free tokens: of those it has not bought, the most expensive ones (18C2C 4c).

    Rules: R-C2C-154, R-C2C-155.
    """
    bought_prices = (company.extra or ExtraTokens()).bought
    missing_prices = sorted((price for price in power.prices if price not in bought_prices), reverse=True)
    free_token_prices = tuple(sorted(missing_prices[: power.token_count]))
    if free_token_prices:
        receive_tokens(t, company, free_token_prices, private, int(_needs_reserved_token(t, company)))


def _needs_reserved_token(t: Table, company: Company) -> bool:
    """True if one of the new tokens must be reserved for the company's destination (18C2C).

    Rules: R-C2C-156.
    """
    extra_tokens = company.extra or ExtraTokens()
    if (
        extra_tokens.reserved
        or company.id in extra_tokens.reached
        or not t.spec.companies[company.id].destination
    ):
        return False
    return next(best_destination_runs(t, company.id), None) is None
