"""18C2C privates that place a bonus token or a label token on a city (R-C2C-142, R-C2C-150, 18C2C 4a)."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Final, TypeAlias

from engine.core.actions import ClosePrivate, PlaceMarker
from engine.core.events import CityRelabelled, PrivateGivenUp
from engine.core.facts import Fact, fact
from engine.core.ids import Coord, PrivateId
from engine.core.offers import FilteredChoices, Offer, Slot, Suggestion
from engine.core.spec import Colour, IconTokenPower, MapSpec, RelabelPower, TitleSpec
from engine.core.state import Private
from engine.play.private_markers import place_marker
from engine.play.steps.base import AnytimeStep, Request
from engine.play.table import Table
from engine.play.trains.phases import close_private

CityTokenPower: TypeAlias = IconTokenPower | RelabelPower
"""A private's power to place a token on a city. The token adds a bonus there or changes the city's label."""

COLOURS_BEFORE_BROWN: Final[frozenset[Colour]] = frozenset({"white", "yellow", "green"})
"""Colours of hexes whose city has not been upgraded to brown."""


def city_token_powers(spec: TitleSpec) -> Mapping[PrivateId, CityTokenPower]:
    """The powers to place a token on a city, by private."""
    return {
        name: power
        for name, private in spec.privates.items()
        for power in private.powers
        if isinstance(power, IconTokenPower | RelabelPower)
    }


def _token_obstacle(t: Table, private: Private) -> Fact | None:
    if reason := _power_obstacle(t, private):
        return reason
    cities = _cities_for_token(t, t.spec.cached(city_token_powers)[private.id])
    return None if cities else fact("privates.no_city_left", private=private.id)


def _power_obstacle(t: Table, private: Private) -> Fact | None:
    """The reason why the company cannot use the private's power on any city; None if it can."""
    if private.id not in t.spec.cached(city_token_powers):
        return fact("privates.no_marker", private=private.id)
    if private.power_used:
        return fact("privates.marker_placed", private=private.id)
    if private.id in t.turn.at_once:
        return fact("privates.for_tiles_only", private=private.id)
    if private.owner != t.company.id:
        return fact("privates.marker_for_its_owner", private=private.id, company=t.company.id)
    return None


def _cities_for_token(t: Table, power: CityTokenPower) -> FilteredChoices:
    """Cities where the token can be placed.

    A bonus token needs a city with its icon; a label token needs a city in its zone that is not yet brown.
    """
    if isinstance(power, RelabelPower):
        return FilteredChoices(
            t.map.coords, partial(_label_obstacle, t, power), partial(_city_label, t, power)
        )
    icon_hexes = t.spec.map.cached(_hexes_by_icon).get(power.icon, ())

    def obstacle(coord: Any) -> Fact | None:
        if coord not in t.map.hexes:
            return fact("unknown.hex", hex=coord)
        if coord not in icon_hexes:
            return fact("privates.marker_elsewhere", marker=power.icon, hexes=icon_hexes, hex=coord)
        return None

    return FilteredChoices(icon_hexes, obstacle, partial(_city_label, t, power))


def _label_obstacle(t: Table, power: RelabelPower, coord: Any) -> Fact | None:
    """The reason why the label token cannot be placed in this hex; None if it can.

    The hex must have exactly one city, be in the private's zone, have a label that can be changed, and not be brown.

    Rules: R-C2C-150, R-C2C-153.
    """
    if coord not in t.map.hexes:
        return fact("unknown.hex", hex=coord)
    hex_, stops = t.map.hexes[coord], t.map.topology(coord).stops
    if hex_.zone != power.zone or len(stops) != 1 or t.map.label(coord) not in power.old_labels:
        return fact("privates.no_city_for_label", hex=coord, label=power.new_label, zone=power.zone)
    if t.map.colour(coord) not in COLOURS_BEFORE_BROWN:
        return fact("privates.too_late_for_label", hex=coord, label=power.new_label)
    return None


def _hexes_by_icon(printed_map: MapSpec) -> Mapping[str, tuple[Coord, ...]]:
    hexes_by_icon: dict[str, tuple[Coord, ...]] = {}
    for coord, hex_ in printed_map.all_hexes.items():
        for icon in hex_.icons:
            hexes_by_icon[icon] = (*hexes_by_icon.get(icon, ()), coord)
    return hexes_by_icon


class CityTokenStep(AnytimeStep):
    """A company places the token of its private on a city, once, at any time of its turn.

    Rules: R-C2C-142, R-C2C-150.
    """

    name = "marker"
    kinds = frozenset({"place_marker"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """Offers to place the token in each possible city. The company's track need not reach the city."""
        for name, power in t.spec.cached(city_token_powers).items():
            if _token_obstacle(t, t.state.privates[name]) is None:
                yield self._offer(t, name, power, _cities_for_token(t, power))

    def _offer(self, t: Table, private: PrivateId, power: CityTokenPower, cities: FilteredChoices) -> Offer:
        return t.offer(
            "place_marker",
            private,
            fact("offer.place_marker", marker=_token_name(power)),
            Slot("hex", lambda _: cities),
            suggest=lambda: _city_suggestions(power, cities),
            blocking=False,
        )

    def apply(self, t: Table, action: PlaceMarker) -> None:
        private = t.state.privates[action.entity]
        power = t.spec.cached(city_token_powers)[private.id]
        private.power_used = True
        if isinstance(power, IconTokenPower):
            place_marker(t, t.company, power.icon, action.hex)
        else:
            t.map.relabel(action.hex, power.new_label)
            t.emit(CityRelabelled(t.company.id, private.id, action.hex, power.new_label))

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        privates = t.state.privates
        named_private = privates.get(request.entity or "")
        private = named_private or next((p for p in privates.values() if _power_obstacle(t, p) is None), None)
        return fact("privates.no_marker_left") if private is None else _token_obstacle(t, private)


class GiveUpPrivateStep(AnytimeStep):
    """A company closes its private at any time of its turn. Afterwards the private's token pays only this company.

    Rules: R-C2C-142.
    """

    name = "give_up"
    kinds = frozenset({"close_private"})

    def offers(self, t: Table) -> Iterator[Offer]:
        for name, power in t.spec.cached(city_token_powers).items():
            if isinstance(power, IconTokenPower) and self._close_obstacle(t, t.state.privates[name]) is None:
                label = fact("offer.give_up", private=name, marker=power.icon)
                yield t.offer("close_private", name, label, blocking=False)

    def apply(self, t: Table, action: ClosePrivate) -> None:
        private = t.state.privates[action.entity]
        private.given_up = True
        t.emit(PrivateGivenUp(t.company.id, private.id, 0))
        close_private(t, private.id)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        private = t.state.privates.get(request.entity or "")
        if private is None:
            return fact("privates.none_to_close", company=t.company.id)
        return self._close_obstacle(t, private)

    def _close_obstacle(self, t: Table, private: Private) -> Fact | None:
        if private.closed:
            return fact("privates.closed", private=private.id)
        if private.owner != t.company.id:
            return fact("privates.closed_by_its_owner", private=private.id, company=t.company.id)
        power = t.spec.cached(city_token_powers).get(private.id)
        if isinstance(power, IconTokenPower) and power.sole_bonus and t.company.markers.get(power.icon):
            return None
        return fact("privates.closing_brings_nothing", private=private.id)


def _token_name(power: CityTokenPower) -> str:
    return power.icon if isinstance(power, IconTokenPower) else power.new_label


def _city_label(t: Table, power: CityTokenPower, coord: Coord) -> Fact:
    name = t.map.hexes[coord].name
    if isinstance(power, IconTokenPower):
        return fact("choice.marker_hex", hex=coord, name=name, bonus=power.owner_bonus)
    return fact("choice.label_hex", hex=coord, name=name, label=power.new_label)


def _city_suggestions(power: CityTokenPower, cities: FilteredChoices) -> list[Suggestion]:
    """A suggested move for each city with the token's icon. A label token has none, because too many cities fit."""
    if not isinstance(power, IconTokenPower):
        return []
    return [
        Suggestion(fact("choice.marker", marker=power.icon, where=choice.label), {"hex": choice.value})
        for choice in cities.choices()
    ]
