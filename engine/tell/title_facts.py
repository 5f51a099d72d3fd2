"""A title's printed rules as messages: the changes of each phase, and the powers of each private."""

from collections.abc import Iterator
from functools import singledispatch
from typing import Any

from engine.core.facts import Fact, fact
from engine.core.ids import PhaseName
from engine.core.spec import (
    BridgePower,
    CityBonusPower,
    ClosesOnTrainPower,
    ExchangePower,
    ExtraLaysPower,
    FreeTerrainPower,
    FreeTokensPower,
    IconTokenPower,
    MarkersPower,
    MovingMarkerPower,
    PhaseSpec,
    RelabelPower,
    RouteBonusPower,
    SharePower,
    StationPower,
    TerrainDiscountPower,
    TileLayPower,
    TitleSpec,
    TokenDiscountPower,
    TrainDiscountPower,
    TrainPower,
)
from engine.core.state import Private
from engine.play.table import Table


def phase_changes(spec: TitleSpec, name: PhaseName) -> Iterator[Fact]:
    """The changes at the start of a phase, as messages, except those of trains and privates and special events."""
    phase = spec.phase(name)
    earlier_phase = preceding_phase(spec, phase)
    if earlier_phase is not None:
        yield from changed_phase_limits(earlier_phase, phase)
    yield from _new_train_facts(spec, phase)
    yield from _private_sale_limits(spec, phase)


def changed_phase_limits(earlier_phase: PhaseSpec, phase: PhaseSpec) -> Iterator[Fact]:
    """Limits that differ from the earlier phase, as messages, in the column order of the phase chart."""
    new_colours = [colour for colour in phase.tile_colours if colour not in earlier_phase.tile_colours]
    if new_colours:
        yield fact("coming.tiles", colours=new_colours)
    if phase.train_limit != earlier_phase.train_limit:
        yield fact("coming.limit", limit=phase.train_limit)
    yield from special_train_limits(earlier_phase, phase)
    if phase.operating_rounds != earlier_phase.operating_rounds:
        yield fact("coming.rounds", count=phase.operating_rounds)


def special_train_limits(earlier_phase: PhaseSpec | None, phase: PhaseSpec) -> Iterator[Fact]:
    """Train limits of special kinds of companies that differ from the earlier phase, as messages."""
    for kind, limit in phase.train_limits.items():
        if earlier_phase is None or earlier_phase.train_limits.get(kind) != limit:
            yield fact("coming.limit_of", kind=kind, limit=limit)


def phase_events(spec: TitleSpec, phase: PhaseSpec) -> Iterator[Fact]:
    """Events at the start of a phase, and actions that become possible, as messages."""
    rusting_trains = [train.name for train in spec.trains if train.rusts_on == phase.name]
    obsolete_trains = [train.name for train in spec.trains if train.obsolete_on == phase.name]
    if rusting_trains:
        yield fact("coming.rust", trains=rusting_trains)
    if obsolete_trains:
        yield fact("coming.obsolete", trains=obsolete_trains)
    yield from _new_train_facts(spec, phase)
    yield from _private_sale_limits(spec, phase)
    if phase.closes_privates:
        yield fact("coming.closes_privates")
    for power in (power for private in spec.privates.values() for power in private.powers):
        if isinstance(power, CityBonusPower) and power.until_phase == phase.name:
            yield fact("coming.bonus_ends", name=power.name)
    for name, private in spec.privates.items():
        if private.closes_in == phase.name:
            yield fact("coming.bonus_ends", name=name)
    if phase.note:
        yield fact("coming.note", words=phase.note)


def preceding_phase(spec: TitleSpec, phase: PhaseSpec) -> PhaseSpec | None:
    """The phase before this one; None for the first phase."""
    phase_index = spec.phases.index(phase)
    return spec.phases[phase_index - 1] if phase_index else None


def _new_train_facts(spec: TitleSpec, phase: PhaseSpec) -> Iterator[Fact]:
    new_trains = [train.name for train in spec.trains if train.available_from == phase.name]
    if new_trains:
        yield fact("coming.for_sale", trains=new_trains)


def _private_sale_limits(spec: TitleSpec, phase: PhaseSpec) -> Iterator[Fact]:
    earlier_phase = preceding_phase(spec, phase)
    if phase.private_price_percents and (
        earlier_phase is None or earlier_phase.private_price_percents != phase.private_price_percents
    ):
        lowest_percent, highest_percent = phase.private_price_percents
        yield fact("coming.buys_privates", low=lowest_percent, high=highest_percent)


def power_facts(t: Table, private: Private) -> Iterator[Fact]:
    """A private's rules as messages: powers, blocked hexes, when it closes, and limits on its sale."""
    spec = t.spec.privates[private.id]
    if not spec.powers and not spec.blocked_hexes and not spec.power_note:
        yield fact("power.none")
    if spec.power_note:
        yield fact("power.note", note=spec.power_note)
    for power in spec.powers:
        yield _power_fact(power, t, private)
    if spec.blocked_hexes:
        yield fact("power.blocks", hexes=spec.blocked_hexes)
    if spec.stays_with_player:
        yield fact("power.stays")
    if spec.closes_in:
        yield fact("power.closes_in", phase=spec.closes_in)
    for phase, income in spec.later_income_by_phase.items():
        yield fact("power.later_income", phase=phase, income=income)
    if not spec.sold_to_companies:
        yield fact("power.never_sold")
    if t.spec.private_trades and not spec.sold_to_players:
        yield fact("power.never_traded")


@singledispatch
def _power_fact(power: Any, t: Table, private: Private) -> Fact:
    match power:
        case ClosesOnTrainPower():
            return fact("power.closes_on_train", company=private.linked)
        case CityBonusPower():
            return fact(
                "power.city_bonus",
                name=power.name,
                bonus=power.bonus,
                hexes=power.hexes,
                until=power.until_phase,
            )
        case MovingMarkerPower():
            return fact(
                "power.moving_marker", name=power.name, bonus=power.bonus, icon=power.icon, hexes=power.hexes
            )
        case TrainDiscountPower():
            if power.amount:
                return fact("power.train_discount_amount", trains=power.trains, amount=power.amount)
            return fact("power.train_discount", trains=power.trains, percent=power.price_percent)
        case ExtraLaysPower():
            extra_lays_fact = fact("power.extra_lays", lays=power.max_tile_count)
            return fact("power.anytime", power=extra_lays_fact) if power.anytime else extra_lays_fact
        case TokenDiscountPower():
            return fact("power.token_discount", percent=power.price_percent)
        case RelabelPower():
            return fact("power.relabel", label=power.new_label, zone=power.zone)
        case BridgePower():
            return fact("power.bridge", discount=power.discount)
        case StationPower():
            return fact("power.station", hexes=power.hexes)
        case TrainPower():
            name = "power.train" if power.until_phase else "power.train_and_closes"
            return fact(name, train=power.train, until=power.until_phase)
        case FreeTerrainPower():
            return fact("power.free_terrain", terrain=power.terrain)
        case ExchangePower():
            return fact(
                "power.exchange",
                company=power.company,
                where=fact("power.from_the_ipo") if power.sources == ("offering",) else None,
                anytime=fact("power.at_any_moment") if power.anytime else None,
            )
    raise TypeError(f"no words for {power!r}")


@_power_fact.register
def _(power: TileLayPower, t: Table, private: Private) -> Fact:
    lay_fact = fact(
        "power.tile_lay",
        tiles=tuple(fact("power.tile", tile=tile) for tile in power.tiles),
        where=_hexes_fact(power),
        free=fact("power.free") if power.is_free_of_terrain_cost else None,
        extra=None if power.is_extra else fact("power.instead"),
        token=fact("power.token") if power.may_place_token else None,
    )
    if power.may_upgrade:
        lay_fact = fact("power.lay_upgrades", lay=lay_fact)
    if power.min_tile_count is not None:
        lay_fact = fact("power.fewest", lays=lay_fact, fewest=power.min_tile_count)
    if power.anytime:
        return fact("power.anytime", power=lay_fact)
    return lay_fact if power.laid_by == "company" else fact(f"power.by_{power.laid_by}", power=lay_fact)


@_power_fact.register
def _(power: SharePower, t: Table, private: Private) -> Fact:
    company = private.linked or power.company
    closes_fact = fact("power.then_closes") if power.closes_private else None
    if power.is_president_certificate:
        return fact("power.presidency", company=company, closes=closes_fact)
    return fact("power.share", percent=t.state.companies[company].share, company=company, closes=closes_fact)


@_power_fact.register
def _(power: RouteBonusPower, t: Table, private: Private) -> Fact:
    place_names = tuple(t.map.hexes[coord].name or coord for coord in power.hexes)
    return fact("power.route_bonus", name=power.name, bonus=power.bonus, places=place_names)


@_power_fact.register
def _(power: TerrainDiscountPower, t: Table, private: Private) -> Fact:
    terrain_fact = fact("power.on_terrain", terrain=power.terrain) if power.terrain else None
    name = "power.discount_of_turn" if power.scope == "turn" else "power.discount_of_tile"
    return fact(name, amount=power.amount, zone=power.zone, terrain=terrain_fact)


@_power_fact.register
def _(power: IconTokenPower, t: Table, private: Private) -> Fact:
    others_bonus_fact = fact("power.icon_others", others=power.others_bonus) if power.others_bonus else None
    sole_bonus_fact = fact("power.icon_alone", alone=power.sole_bonus) if power.sole_bonus else None
    return fact(
        "power.icon_token",
        icon=power.icon,
        owner=power.owner_bonus,
        others=others_bonus_fact,
        alone=sole_bonus_fact,
        until=power.until_phase,
    )


@_power_fact.register
def _(power: FreeTokensPower, t: Table, private: Private) -> Fact:
    price_facts = tuple(fact("power.price", price=price) for price in power.prices)
    return fact("power.free_tokens", count=power.token_count, prices=price_facts)


@_power_fact.register
def _(power: MarkersPower, t: Table, private: Private) -> Fact:
    halved_terrain_fact = fact("power.halves", terrain=power.halved_terrain) if power.halved_terrain else None
    points_fact = (
        fact("power.more_points", points=power.extra_tile_points) if power.extra_tile_points else None
    )
    return fact(
        "power.markers",
        name=power.name,
        count=power.count,
        price=power.price,
        halves=halved_terrain_fact,
        points=points_fact,
    )


def _hexes_fact(power: TileLayPower) -> Fact:
    if power.tile_count > 1:
        return fact("power.in_all", hexes=power.hexes)
    return fact("power.in_one" if len(power.hexes) > 1 else "power.there", hexes=power.hexes)
