"""The tokens that privates put on cities (R-C2C-142, R-C2C-150, 18C2C 4a), and giving up a private for one of them."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeAlias

from engine.core.actions import ClosePrivate, PlaceMarker
from engine.core.events import GivenUp, Relabelled
from engine.core.facts import Fact, fact
from engine.core.ids import Coord
from engine.core.offers import Filtered, Offer, Slot, Suggestion
from engine.core.spec import Colour, IconTokenPower, MapSpec, RelabelPower
from engine.core.state import Private
from engine.play.private_markers import place_marker
from engine.play.steps.base import AnytimeStep, Request
from engine.play.table import Table
from engine.play.trains.phases import close_private

CityToken: TypeAlias = IconTokenPower | RelabelPower
"""What puts a token on a city."""

STILL_OPEN: Final[frozenset[Colour]] = frozenset({"white", "yellow", "green"})
"""Colours of a city whose brown tile is still to come."""


def city_token(t: Table, private: Private) -> CityToken | None:
    """The token that the private brings, if it brings one."""
    for power in t.spec.privates[private.id].powers:
        if isinstance(power, IconTokenPower | RelabelPower):
            return power
    return None


def placeable(t: Table, private: Private) -> CityToken | None:
    """The token that the operating company may place by this private now."""
    owned = private.owner == t.company.id and not private.power_used and private.id not in t.turn.at_once
    return city_token(t, private) if owned else None


def cities(t: Table, power: CityToken) -> list[Coord]:
    """Where the token may lie: on a city with its icon, or of its zone and with a brown tile still to come."""
    if isinstance(power, IconTokenPower):
        return list(t.spec.map.worked_out(_with_icons).get(power.icon, ()))
    return [coord for coord in t.map.coords if why_not_relabelled(t, power, coord) is None]


def why_not_relabelled(t: Table, power: RelabelPower, coord: Coord) -> Fact | None:
    """Why a hex cannot get the label: it is no city of that kind, not in the zone, or built up too far.

    Rules: R-C2C-150, R-C2C-153.
    """
    hex_, stops = t.map.hexes[coord], t.map.topology(coord).stops
    if hex_.zone != power.zone or len(stops) != 1 or t.map.label(coord) not in power.of:
        return fact("privates.no_city_for_label", hex=coord, label=power.label, zone=power.zone)
    if t.map.colour(coord) not in STILL_OPEN:
        return fact("privates.too_late_for_label", hex=coord, label=power.label)
    return None


def exclusive(t: Table, private: Private) -> IconTokenPower | None:
    """The token that lies on the map and would earn its owner alone, if the company closed the private for it."""
    power = city_token(t, private)
    alone = isinstance(power, IconTokenPower) and power.alone and t.company.markers.get(power.icon)
    return power if isinstance(power, IconTokenPower) and alone and private.owner == t.company.id else None


def _with_icons(printed: MapSpec) -> Mapping[str, tuple[Coord, ...]]:
    found: dict[str, tuple[Coord, ...]] = {}
    for coord, hex_ in printed.all_hexes.items():
        for icon in hex_.icons:
            found[icon] = (*found.get(icon, ()), coord)
    return found


class CityTokenStep(AnytimeStep):
    """At any time of its turn the company that owns the private may place its token, once.

    Rules: R-C2C-142, R-C2C-150.
    """

    name = "marker"
    kinds = frozenset({"place_marker"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """The cities, whatever the company reaches."""
        for private in t.state.privates.values():
            power = placeable(t, private)
            where = [] if power is None else cities(t, power)
            if power is not None and where:
                yield self._offer(t, private, power, where)

    def _offer(self, t: Table, private: Private, power: CityToken, where: list[Coord]) -> Offer:
        shown = Filtered(where, lambda _: True, lambda coord: _label(t, power, coord))
        return t.offer(
            "place_marker",
            private.id,
            fact("offer.place_marker", marker=_name(power)),
            Slot("hex", lambda _: shown, lambda _, coord: _why_not_here(t, power, coord)),
            suggest=lambda: _few(power, shown),
            blocking=False,
        )

    def apply(self, t: Table, action: PlaceMarker) -> None:
        private = t.state.privates[action.entity]
        power = city_token(t, private)
        assert power is not None
        private.power_used = True
        if isinstance(power, IconTokenPower):
            place_marker(t, t.company, power.icon, action.hex)
        else:
            t.map.relabel(action.hex, power.label)
            t.emit(Relabelled(t.company.id, private.id, action.hex, power.label))

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        privates = t.state.privates
        named = privates.get(request.entity or "")
        private = named or next((p for p in privates.values() if placeable(t, p) is not None), None)
        return fact("privates.no_marker_left") if private is None else _why_no_token(t, private)


class GiveUpStep(AnytimeStep):
    """At any time of its turn the company may close a private whose token then earns it alone.

    Rules: R-C2C-142.
    """

    name = "give_up"
    kinds = frozenset({"close_private"})

    def offers(self, t: Table) -> Iterator[Offer]:
        for private in t.state.privates.values():
            power = exclusive(t, private)
            if power is not None:
                label = fact("offer.give_up", private=private.id, marker=power.icon)
                yield t.offer("close_private", private.id, label, blocking=False)

    def apply(self, t: Table, action: ClosePrivate) -> None:
        private = t.state.privates[action.entity]
        private.given_up = True
        t.emit(GivenUp(t.company.id, private.id, 0))
        close_private(t, private.id)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        """Nothing comes of closing the private that was named now."""
        private = t.state.privates.get(request.entity or "")
        if private is None:
            return fact("privates.none_to_close", company=t.company.id)
        if private.closed:
            return fact("privates.closed", private=private.id)
        if private.owner != t.company.id:
            return fact("privates.closed_by_its_owner", private=private.id, company=t.company.id)
        return fact("privates.closing_brings_nothing", private=private.id)


def _name(power: CityToken) -> str:
    return power.icon if isinstance(power, IconTokenPower) else power.label


def _label(t: Table, power: CityToken, coord: Coord) -> Fact:
    name = t.map.hexes[coord].name
    if isinstance(power, IconTokenPower):
        return fact("choice.marker_hex", hex=coord, name=name, bonus=power.owner)
    return fact("choice.label_hex", hex=coord, name=name, label=power.label)


def _few(power: CityToken, where: Filtered) -> list[Suggestion]:
    """A button for each city with the icon; those that may get a label are too many for buttons."""
    if not isinstance(power, IconTokenPower):
        return []
    return [
        Suggestion(fact("choice.marker", marker=power.icon, where=choice.label), {"hex": choice.value})
        for choice in where.choices()
    ]


def _why_not_here(t: Table, power: CityToken, coord: Any) -> Fact | None:
    if coord not in t.map.coords:
        return fact("unknown.hex", hex=coord)
    if isinstance(power, IconTokenPower):
        return fact("privates.marker_elsewhere", marker=power.icon, hexes=tuple(cities(t, power)), hex=coord)
    return why_not_relabelled(t, power, coord)


def _why_no_token(t: Table, private: Private) -> Fact:
    name, company = private.id, t.company.id
    if city_token(t, private) is None:
        return fact("privates.no_marker", private=name)
    if private.power_used:
        return fact("privates.marker_placed", private=name)
    if private.id in t.turn.at_once:
        return fact("privates.for_tiles_only", private=name)
    if private.owner != company:
        return fact("privates.marker_for_its_owner", private=name, company=company)
    return fact("privates.no_city_left", private=name)
