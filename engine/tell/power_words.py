"""What a private company does in addition to paying its income, in a few words."""

from collections.abc import Iterator
from functools import singledispatch
from typing import Any

from engine.core.facts import Fact, fact
from engine.core.spec import (
    BridgePower,
    CityBonusPower,
    ClosesOnTrainPower,
    ExchangePower,
    FreeTokensPower,
    IconTokenPower,
    MarkersPower,
    RelabelPower,
    RouteBonusPower,
    SharePower,
    TerrainDiscountPower,
    TileLayPower,
    TrainDiscountPower,
)
from engine.core.state import Private
from engine.play.table import Table


def power_facts(t: Table, private: Private) -> Iterator[Fact]:
    """One for each thing it does, then what is closed to others, then whether companies may own it."""
    spec = t.spec.privates[private.id]
    if not spec.powers and not spec.blocks:
        yield fact("power.none")
    for power in spec.powers:
        yield _power(power, t, private)
    if spec.blocks:
        yield fact("power.blocks", hexes=spec.blocks)
    if not spec.sold_to_companies:
        yield fact("power.never_sold")


@singledispatch
def _power(power: Any, t: Table, private: Private) -> Fact:
    raise TypeError(f"no words for {power!r}")


@_power.register
def _(power: TileLayPower, t: Table, private: Private) -> Fact:
    return fact(
        "power.tile_lay",
        tiles=tuple(fact("power.tile", tile=tile) for tile in power.tiles),
        where=_where(power),
        free=fact("power.free") if power.free else None,
        extra=None if power.extra else fact("power.instead"),
        token=fact("power.token") if power.token else None,
    )


@_power.register
def _(power: SharePower, t: Table, private: Private) -> Fact:
    company = private.linked or power.company
    closes = fact("power.then_closes") if power.closes else None
    if power.president:
        return fact("power.presidency", company=company, closes=closes)
    return fact("power.share", percent=t.state.companies[company].share, company=company, closes=closes)


@_power.register
def _(power: ClosesOnTrainPower, t: Table, private: Private) -> Fact:
    return fact("power.closes_on_train", company=private.linked)


@_power.register
def _(power: CityBonusPower, t: Table, private: Private) -> Fact:
    return fact("power.city_bonus", name=power.name, bonus=power.bonus, hexes=power.hexes, until=power.until)


@_power.register
def _(power: RouteBonusPower, t: Table, private: Private) -> Fact:
    places = tuple(t.map.hexes[coord].name or coord for coord in power.hexes)
    return fact("power.route_bonus", name=power.name, bonus=power.bonus, places=places)


@_power.register
def _(power: TrainDiscountPower, t: Table, private: Private) -> Fact:
    return fact("power.train_discount", trains=power.trains, percent=power.percent)


@_power.register
def _(power: TerrainDiscountPower, t: Table, private: Private) -> Fact:
    terrain = fact("power.on_terrain", terrain=power.terrain) if power.terrain else None
    name = "power.discount_of_turn" if power.scope == "turn" else "power.discount_of_tile"
    return fact(name, amount=power.amount, zone=power.zone, terrain=terrain)


@_power.register
def _(power: IconTokenPower, t: Table, private: Private) -> Fact:
    others = fact("power.icon_others", others=power.others) if power.others else None
    alone = fact("power.icon_alone", alone=power.alone) if power.alone else None
    return fact(
        "power.icon_token", icon=power.icon, owner=power.owner, others=others, alone=alone, until=power.until
    )


@_power.register
def _(power: FreeTokensPower, t: Table, private: Private) -> Fact:
    prices = tuple(fact("power.price", price=price) for price in power.prices)
    return fact("power.free_tokens", count=power.choose, prices=prices)


@_power.register
def _(power: MarkersPower, t: Table, private: Private) -> Fact:
    does = fact("power.halves", terrain=power.halves) if power.halves else None
    more = fact("power.more_points", points=power.points) if power.points else None
    return fact(
        "power.markers", name=power.name, count=power.count, price=power.price, halves=does, points=more
    )


@_power.register
def _(power: RelabelPower, t: Table, private: Private) -> Fact:
    return fact("power.relabel", label=power.label, zone=power.zone)


@_power.register
def _(power: BridgePower, t: Table, private: Private) -> Fact:
    return fact("power.bridge", discount=power.discount)


@_power.register
def _(power: ExchangePower, t: Table, private: Private) -> Fact:
    return fact("power.exchange", company=power.company)


def _where(power: TileLayPower) -> Fact:
    """In all of its hexes together, or in one of several."""
    if power.lays > 1:
        return fact("power.in_all", hexes=power.hexes)
    return fact("power.in_one" if len(power.hexes) > 1 else "power.there", hexes=power.hexes)
