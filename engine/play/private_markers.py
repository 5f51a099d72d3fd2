"""Markers and tokens of privates: those that raise revenue, and those that companies buy and sell (18C2C 4b)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from engine.core.events import MarkerBought, MarkerLost, MarkerReceived
from engine.core.ids import BANK, CompanyId, Coord, PrivateId
from engine.core.spec import CityBonusPower, IconTokenPower, MarkersPower, Power, RouteBonusPower, TitleSpec
from engine.core.state import Company, MarkerSupply
from engine.play.table import Table
from engine.routes.revenue_rules import Bonus, RouteRules


def place_marker(t: Table, company: Company, name: str, coord: Coord) -> None:
    """Place a private's token in a hex permanently."""
    company.markers[name] = coord
    t.emit(MarkerReceived(company.id, name, coord))


def remove_markers_of(t: Table, company: Company, names: list[str]) -> None:
    """Remove these markers of a company from the game."""
    for name in [name for name in names if name in company.markers]:
        del company.markers[name]
        t.emit(MarkerLost(company.id, name))


def remove_expired_map_markers(t: Table) -> None:
    """Remove from the map the privates' tokens that expire with the current phase.

    Rules: R-C2C-143.
    """
    expired_names = [power.name for power in city_bonus_powers(t.spec) if power.until_phase == t.state.phase]
    expired_names += [
        power.icon for _, power in icon_token_powers(t.spec) if power.until_phase == t.state.phase
    ]
    for company in t.state.companies.values():
        remove_markers_of(t, company, expired_names)


def city_bonus_powers(spec: TitleSpec) -> Sequence[CityBonusPower]:
    """Each power of a private in the title that raises the revenue of a city."""
    return spec.cached(_find_city_bonus_powers)


def route_bonus_powers(spec: TitleSpec) -> Sequence[RouteBonusPower]:
    """Each power of a private in the title that pays a bonus for a route through certain hexes."""
    return spec.cached(_find_route_bonus_powers)


def icon_token_powers(spec: TitleSpec) -> Sequence[tuple[PrivateId, IconTokenPower]]:
    """(private, power) for each power in the title that puts a token on a city with a printed icon."""
    return spec.cached(_find_icon_token_powers)


def _powers_with_privates(spec: TitleSpec) -> list[tuple[PrivateId, Power]]:
    return [(name, power) for name, private in spec.privates.items() for power in private.powers]


def _find_city_bonus_powers(spec: TitleSpec) -> list[CityBonusPower]:
    return [power for _, power in _powers_with_privates(spec) if isinstance(power, CityBonusPower)]


def _find_route_bonus_powers(spec: TitleSpec) -> list[RouteBonusPower]:
    return [power for _, power in _powers_with_privates(spec) if isinstance(power, RouteBonusPower)]


def _find_icon_token_powers(spec: TitleSpec) -> list[tuple[PrivateId, IconTokenPower]]:
    return [(name, power) for name, power in _powers_with_privates(spec) if isinstance(power, IconTokenPower)]


def add_marker_bonuses(route_rules: RouteRules, t: Table, company: Company) -> RouteRules:
    """The route rules, with the bonuses that the company's markers and privates' tokens on the map give it."""
    if not any(owner.markers for owner in t.state.companies.values()):
        return route_rules
    markers = company.markers
    bonuses_on_map = [
        (markers[power.name], power.bonus) for power in city_bonus_powers(t.spec) if markers.get(power.name)
    ]
    dollars_by_hex: dict[Coord, int] = {}
    for coord, dollars in (*bonuses_on_map, *_icon_bonuses(t, company)):
        dollars_by_hex[coord] = dollars_by_hex.get(coord, 0) + dollars
    bonuses = tuple([bonus for bonus in t.spec.cached(_bonuses_of_markers) if bonus.name in markers])
    return (
        replace(route_rules, extra_dollars_by_hex=dollars_by_hex, bonuses=bonuses)
        if dollars_by_hex or bonuses
        else route_rules
    )


def _bonuses_of_markers(spec: TitleSpec) -> Sequence[Bonus]:
    return [Bonus(power.name, frozenset(power.hexes), power.bonus) for power in route_bonus_powers(spec)]


def _icon_bonuses(t: Table, company: Company) -> Iterator[tuple[Coord, int]]:
    """(hex, extra dollars) for each token on a printed icon that pays this company.

    Once its owner has closed the private to keep others from the bonus, the token pays only the owner.

    Rules: R-C2C-142.
    """
    for name, power in icon_token_powers(t.spec):
        for owner in t.state.companies.values():
            if owner.markers.get(power.icon):
                yield (
                    owner.markers[power.icon],
                    _icon_token_dollars(t, name, power, is_owner=owner is company),
                )


def _icon_token_dollars(t: Table, private: PrivateId, power: IconTokenPower, *, is_owner: bool) -> int:
    if t.state.privates[private].given_up:
        return power.sole_bonus if is_owner else 0
    return power.owner_bonus if is_owner else power.others_bonus


def marker_power_by_private(spec: TitleSpec) -> Mapping[PrivateId, MarkersPower]:
    """The privates that sell markers, with this power."""
    return spec.cached(_find_marker_powers)


def _find_marker_powers(spec: TitleSpec) -> Mapping[PrivateId, MarkersPower]:
    return {
        name: power
        for name, private in spec.privates.items()
        for power in private.powers
        if isinstance(power, MarkersPower)
    }


def usable_marker_powers(t: Table, company: Company) -> list[MarkersPower]:
    """Powers of the company's markers that it can use now.

    A marker bought from another company can be used from the next operating round on (18C2C 4b).
    """
    if not company.held:
        return []
    markers_not_usable_yet = t.operating_round.resold
    return [
        power
        for power in marker_power_by_private(t.spec).values()
        if company.held.get(power.name) and (company.id, power.name) not in markers_not_usable_yet
    ]


def marker_supply(t: Table, private: PrivateId) -> MarkerSupply:
    """A private's unsold markers, and the company that sells them."""
    power = marker_power_by_private(t.spec)[private]
    markers_left = 0 if t.state.privates[private].removed else power.count
    return t.state.supplies.get(power.name, MarkerSupply(markers_left))


def marker_sellers(t: Table, private: PrivateId) -> list[str]:
    """Ids of the sellers of a marker to the operating company.

    First the seller of the unsold markers, then companies that own one.

    Rules: R-C2C-162, R-C2C-163.
    """
    power = marker_power_by_private(t.spec)[private]
    unsold_markers = marker_supply(t, private)
    owner_ids = [c.id for c in t.state.companies.values() if c.held.get(power.name)]
    first_seller = unsold_markers.seller or (
        BANK if power.bank_sells_from is not None and t.has_reached_phase(power.bank_sells_from) else None
    )
    sellers = [first_seller] if first_seller and unsold_markers.left and first_seller != t.company.id else []
    return list(dict.fromkeys(sellers + owner_ids))


def is_unsold_marker(t: Table, private: PrivateId, source: str) -> bool:
    """True if this seller would sell one of the private's unsold markers rather than a marker of its own."""
    unsold_markers = marker_supply(t, private)
    return bool(unsold_markers.left) and source == (unsold_markers.seller or BANK)


def is_last_marker(t: Table, private: PrivateId, source: str) -> bool:
    """True if the marker that this seller would sell is the only one it owns."""
    if is_unsold_marker(t, private, source):
        return False
    return t.state.companies[source].held[marker_power_by_private(t.spec)[private].name] == 1


def buy_marker(t: Table, private: PrivateId, source: str) -> None:
    """Buy a marker for the operating company.

    A marker bought from another company can be used from the next operating round on.

    Rules: R-C2C-160, R-C2C-161.
    """
    power, company = marker_power_by_private(t.spec)[private], t.company
    t.pay(company.id, source, power.price)
    is_new_marker = is_unsold_marker(t, private, source)
    if is_new_marker:
        _take_unsold_marker(t, private)
    else:
        _remove_marker(t.state.companies[source], power.name)
    if not (is_new_marker and power.usable_at_once):
        t.operating_round.resold.append((company.id, power.name))
    company.held[power.name] = 1
    t.emit(MarkerBought(company.id, power.name, source, power.price))


def receive_markers(t: Table, company: Company, private: PrivateId, power: MarkersPower) -> None:
    """Give a company that bought the private one marker, unless it has one, and the right to sell the remaining ones.

    Rules: R-C2C-160.
    """
    unsold_markers = t.state.supplies[power.name] = MarkerSupply(marker_supply(t, private).left, company.id)
    if unsold_markers.left and not company.held.get(power.name):
        unsold_markers.left -= 1
        company.held[power.name] = 1
        t.emit(MarkerReceived(company.id, power.name, ""))


def transfer_markers(t: Table, old_owner: Company, new_owner: Company) -> None:
    """Transfer all markers of a company to the company into which it merges."""
    for name, count in old_owner.held.items():
        new_owner.held[name] = new_owner.held.get(name, 0) + count
    old_owner.held = {}
    for unsold_markers in t.state.supplies.values():
        if unsold_markers.seller == old_owner.id:
            unsold_markers.seller = new_owner.id


def remove_all_markers_of(t: Table, company: CompanyId) -> None:
    """Remove all markers of a company that leaves the game, including the unsold ones it was selling."""
    t.state.companies[company].held = {}
    for unsold_markers in t.state.supplies.values():
        if unsold_markers.seller == company:
            unsold_markers.left = 0


def remove_expired_markers(t: Table) -> None:
    """Remove all sold and unsold markers that expire with the current phase.

    Rules: R-C2C-143.
    """
    for name, power in _expired_marker_powers(t):
        t.state.supplies[power.name] = MarkerSupply(0, marker_supply(t, name).seller)
        for company in t.state.companies.values():
            if company.held.pop(power.name, 0):
                t.emit(MarkerLost(company.id, power.name))


def _expired_marker_powers(t: Table) -> Iterator[tuple[PrivateId, MarkersPower]]:
    powers = marker_power_by_private(t.spec).items()
    return ((name, power) for name, power in powers if power.until_phase == t.state.phase)


def _take_unsold_marker(t: Table, private: PrivateId) -> None:
    unsold_markers = marker_supply(t, private)
    t.state.supplies[marker_power_by_private(t.spec)[private].name] = MarkerSupply(
        unsold_markers.left - 1, unsold_markers.seller
    )


def _remove_marker(company: Company, marker: str) -> None:
    company.held[marker] -= 1
    if not company.held[marker]:
        del company.held[marker]
