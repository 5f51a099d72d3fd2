"""Purchases of privates by the operating company: which, at what price, and their benefits (18Chesapeake 7.1, 11)."""

from functools import partial
from typing import Any

from engine.core.actions import BuyPrivate
from engine.core.events import MarkerReceived, PrivateSold
from engine.core.facts import Fact, fact
from engine.core.ids import PlayerId, PrivateId
from engine.core.offers import IntRange
from engine.core.spec import FreeTokensPower, MarkersPower, Power, PrivateSpec, RouteBonusPower
from engine.core.state import Company, ExtraTokens
from engine.play.private_markers import receive_supply
from engine.play.table import Table
from engine.play.token_prices_and_purchases import receive_tokens
from engine.play.track.destinations import best_journeys
from engine.play.track.terrain import river_sides, turn_discount


def purchasable_privates(t: Table) -> list[PrivateId]:
    """Privates of players that the operating company could buy now (18Chesapeake 7.1)."""
    return [name for name in privates_of_players(t) if private_obstacle(t, name) is None]


def privates_of_players(t: Table) -> list[PrivateId]:
    """Privates that belong to players."""
    players = [player.id for player in t.state.players]
    return [name for name, private in t.state.privates.items() if private.owner in players]


def private_prices(t: Table, private: PrivateId) -> IntRange:
    """Legal prices: whole dollars from $1, within the treasury and the percentages of face value (18Chesapeake 7.1).

    Rules: R-AL-200, R-C2C-140, R-CH-108, R-TN-181.
    """
    window = _window(t, private)
    assert window is not None
    face = t.spec.privates[private].value
    highest = min(face * window[1] // 100, t.company.cash)
    obstacle = partial(_price_obstacle, t, private)
    return IntRange(_lowest(face, window), highest, face=face, obstacle=obstacle)


def _lowest(face: int, window: tuple[int, int]) -> int:
    return max(1, -(-face * window[0] // 100))


def owner_of(t: Table, private: PrivateId) -> PlayerId:
    """The owner of a private that somebody owns."""
    owner = t.state.privates[private].owner
    assert owner is not None
    return owner


def buy_private(t: Table, action: BuyPrivate) -> None:
    """Pay the owner from the treasury; the private belongs to the company for good.

    Rules: R-AL-201, R-TN-182.
    """
    private = t.state.privates[action.private]
    seller = owner_of(t, private.id)
    t.pay(action.entity, seller, action.price)
    private.owner = action.entity
    t.operating.private_sellers.append(seller)
    t.emit(PrivateSold(action.entity, private.id, seller, action.price))
    for power in t.spec.privates[private.id].powers:
        _receive(t, t.state.companies[action.entity], private.id, power)
    if _is_early(t, private.id) and turn_discount(t, private.id) is not None:
        t.turn.at_once.append(private.id)


# --- what stops a purchase ---------------------------------------------------------------------------------------


def no_private_reason(t: Table) -> Fact:
    """The reason why the operating company can buy no private now."""
    if not any(_window(t, name) for name in t.state.privates):
        return fact("privates.not_now", phases=_phases(t))
    held = (name for name in privates_of_players(t) if t.spec.privates[name].sold_to_companies)
    sold = (private_obstacle(t, name) for name in held)
    return next((reason for reason in sold if reason), fact("privates.none_with_players"))


def private_obstacle(t: Table, private: Any) -> Fact | None:
    """The rule that keeps the operating company from buying this private now, at any price."""
    if private not in t.state.privates:
        return fact("unknown.private", private=private)
    state = t.state.privates[private]
    if state.closed:
        return fact("privates.closed", private=private)
    window, spec = _window(t, private), t.spec.privates[private]
    if window is None:
        return _too_early(t, private)
    if not spec.sold_to_companies:
        return fact("privates.never_sold", private=private)
    if not t.state.is_player(state.owner):
        return fact("privates.of_no_player", private=private)
    if rule := _too_late(t, private) or t.rules.private_obstacle(t, state):
        return rule
    low, cash = _lowest(spec.value, window), t.company.cash
    if low <= cash:
        return None
    return fact("privates.too_dear", private=private, low=low, company=t.company.id, cash=cash)


def _price_obstacle(t: Table, private: PrivateId, price: Any) -> Fact:
    window = _window(t, private)
    assert window is not None
    low, high = window
    face, cash = t.spec.privates[private].value, t.company.cash
    if isinstance(price, int) and cash < price <= face * high // 100:
        return fact("privates.more_than_treasury", price=price, company=t.company.id, cash=cash)
    name = "privates.price_is_face" if low == high == 100 else "privates.price_range"
    return fact(name, private=private, face=face, low=low, high=high)


# --- when, and between which percentages -------------------------------------------------------------------------


def _window(t: Table, private: PrivateId) -> tuple[int, int] | None:
    """Lowest and highest percentage of face value; None: not for sale to companies now."""
    spec = t.spec.privates[private]
    return t.rules.private_prices(t) or (spec.early if _may_buy_early(t, spec) else None)


def _may_buy_early(t: Table, spec: PrivateSpec) -> bool:
    """True if the operating company may buy the private before others may buy any (18C2C 3b).

    Rules: R-C2C-141.
    """
    if spec.early is None or not _is_before_all(t):
        return False
    company = t.spec.companies[t.company.id]
    if spec.early_for == "river":
        return company.home is not None and bool(river_sides(t, company.home.hex))
    return spec.early_for in ("", company.base)


def _is_before_all(t: Table) -> bool:
    """True before companies may buy privates in general, if some are sold early."""
    if not any(spec.early is not None for spec in t.spec.privates.values()):
        return False
    names = [phase.name for phase in t.spec.phases]
    later = t.spec.phases[names.index(t.state.phase) + 1 :]
    return any(phase.buy_privates for phase in later)


def _is_early(t: Table, private: PrivateId) -> bool:
    return t.rules.private_prices(t) is None and t.spec.privates[private].early is not None


def _phases(t: Table) -> tuple[str, ...]:
    """The phases in which companies buy privates."""
    return tuple(phase.name for phase in t.spec.phases if phase.buy_privates)


def _too_early(t: Table, private: PrivateId) -> Fact:
    spec = t.spec.privates[private]
    if not _is_before_all(t):
        return fact("privates.not_now", phases=_phases(t))
    if spec.early is None:
        return fact("privates.not_early", private=private, phases=_phases(t))
    values = {"private": private, "company": t.company.id}
    if spec.early_for == "river":
        return fact("privates.early_on_the_river", **values)
    return fact("privates.early_for_based", base=spec.early_for, **values)


def _too_late(t: Table, private: PrivateId) -> Fact | None:
    """The refusal of a private bought early for this turn's tiles, after the last of them (18C2C 4a).

    Rules: R-C2C-152.
    """
    if _is_early(t, private) and turn_discount(t, private) is not None and "track" in t.turn.done:
        return fact("privates.too_late_for_tiles", private=private, company=t.company.id)
    return None


def _receive(t: Table, company: Company, private: PrivateId, power: Power) -> None:
    """Receive the markers and tokens of a private, which outlast it."""
    if isinstance(power, RouteBonusPower):
        company.markers[power.name] = ""
        t.emit(MarkerReceived(company.id, power.name, ""))
    elif isinstance(power, MarkersPower):
        receive_supply(t, company, private, power)
    elif isinstance(power, FreeTokensPower):
        _receive_tokens(t, company, private, power)


def _receive_tokens(t: Table, company: Company, private: PrivateId, power: FreeTokensPower) -> None:
    """Receive the most expensive of the free tokens; cheap ones come with other privates (18C2C 4c).

    Rules: R-C2C-154, R-C2C-155.
    """
    had = (company.extra or ExtraTokens()).bought
    lacking = sorted((price for price in power.prices if price not in had), reverse=True)
    free = tuple(sorted(lacking[: power.choose]))
    if free:
        receive_tokens(t, company, free, private, int(_lacks_a_reserved_one(t, company)))


def _lacks_a_reserved_one(t: Table, company: Company) -> bool:
    """True if one of the new tokens is reserved for the destination: the company has none for it yet.

    Rules: R-C2C-156.
    """
    extra = company.extra or ExtraTokens()
    if extra.reserved or company.id in extra.reached or not t.spec.companies[company.id].destination:
        return False
    return next(best_journeys(t, company.id), None) is None
