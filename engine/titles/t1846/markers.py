"""Markers of the Meat Packing Company, Boomtown and the Steamboat Company, which raise revenue (4)."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from engine.core.actions import GiveMarker, Pass, PlaceMarker
from engine.core.events import MarkerReceived, Passed
from engine.core.facts import Fact, fact
from engine.core.ids import CompanyId, Coord, PlayerId, PrivateId
from engine.core.offers import Choice, Choices, FilteredChoices, Offer, Slot, Suggestion
from engine.core.spec import CityBonusPower, MovingMarkerPower
from engine.core.state import Company, Private
from engine.play.private_markers import lose_markers, place_marker
from engine.play.steps.base import AnytimeStep, Request, Step
from engine.play.steps.run_trains import RunStep
from engine.play.table import Table
from engine.routes.revenue_rules import RouteRules

STEAMBOAT: Final[PrivateId] = "SC"
MARKERS_END: Final = "IV"
"""The phase that removes all markers (4): R-1846-154."""
STEAMBOAT_ENDS: Final = "III"
"""The phase that removes the steamboat of a player (4): R-1846-154."""


def with_port_bonus(t: Table, route_rules: RouteRules) -> RouteRules:
    """The terms with the port at which the company's steamboat lies."""
    power = _port_power(t)
    port = t.company.markers.get(power.name)
    if not port:
        return route_rules
    dollars = power.bonus * t.map.hexes[port].icons.count(power.icon)
    extra = {**route_rules.extra_by_hex, port: route_rules.extra_by_hex.get(port, 0) + dollars}
    return replace(route_rules, extra_by_hex=extra)


def remove_markers(t: Table) -> None:
    """Remove markers that leave with the current phase.

    Rules: R-1846-154.
    """
    private = t.state.privates[STEAMBOAT]
    steamboat = _port_power(t).name
    ends = [steamboat] if t.state.phase == STEAMBOAT_ENDS and not private.power_used else []
    if t.state.phase == MARKERS_END:
        ends = [steamboat, *(power.name for power in _city_powers(t).values())]
    for company in t.state.companies.values():
        lose_markers(t, company, ends)


# --- meat and boom ----------------------------------------------------------------------------------------------------


class MarkerStep(AnytimeStep):
    """A company places the marker of its private, or moves its steamboat once in a round, before it has run.

    Rules: R-1846-094, R-1846-153.
    """

    name = "marker"
    kinds = frozenset({"place_marker"})

    def offers(self, t: Table) -> Iterator[Offer]:
        for name in (*_city_powers(t), STEAMBOAT):
            private = t.state.privates[name]
            if _marker_obstacle(t, private) is None:
                yield _marker_offer(
                    t, private, _hexes_for_marker(t, name), t.president(t.company.id).id, blocking=False
                )

    def keeps_turn_open(self, t: Table) -> bool:
        """Meat and boom are placed at any time of the turn, the steamboat only before the run."""
        return any(_marker_obstacle(t, t.state.privates[name]) is None for name in _city_powers(t))

    def apply(self, t: Table, action: PlaceMarker) -> None:
        private = t.state.privates[action.entity]
        if private.id == STEAMBOAT:
            t.operating.named.append(action.hex)
            _put_steamboat(t, private, action.hex)
        else:
            place_marker(t, t.company, _city_powers(t)[private.id].name, action.hex)
            private.power_used = True

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        private = t.state.privates.get(request.entity or "")
        if private is None or (private.id != STEAMBOAT and private.id not in _city_powers(t)):
            return fact("privates.no_marker_left")
        return _marker_obstacle(t, private)


def _city_powers(t: Table) -> Mapping[PrivateId, CityBonusPower]:
    """Privates with a marker for a city, each with its power."""
    return {
        name: power
        for name, private in t.spec.privates.items()
        for power in private.powers
        if isinstance(power, CityBonusPower)
    }


def _port_power(t: Table) -> MovingMarkerPower:
    """The power of the steamboat."""
    powers = t.spec.privates[STEAMBOAT].powers
    return next(power for power in powers if isinstance(power, MovingMarkerPower))


def _power_of(t: Table, private: PrivateId) -> CityBonusPower | MovingMarkerPower:
    return _port_power(t) if private == STEAMBOAT else _city_powers(t)[private]


def _hexes_for_marker(t: Table, private: PrivateId) -> tuple[Coord, ...]:
    return _port_power(t).hexes if private == STEAMBOAT else _city_powers(t)[private].hexes


def _marker_obstacle(t: Table, private: Private) -> Fact | None:
    """The rule against placing or moving the private's marker in the company's turn now."""
    if private.owner != t.company.id:
        return fact("privates.marker_for_its_owner", private=private.id, company=t.company.id)
    if t.company.in_receivership:
        return fact("midwest.receiver_uses_no_private", company=t.company.id)
    if private.id != STEAMBOAT:
        return fact("privates.marker_placed", private=private.id) if private.power_used else None
    if any(place in t.map.hexes for place in t.operating.named):
        return fact("midwest.steamboat_has_moved", private=private.id)
    return fact("midwest.steamboat_before_run", private=private.id) if RunStep.name in t.turn.done else None


def _marker_offer(
    t: Table, private: Private, hexes: tuple[Coord, ...], actor: PlayerId, *, blocking: bool
) -> Offer:
    name = _power_of(t, private.id).name

    def elsewhere(coord: Any) -> Fact | None:
        if coord in hexes and coord != private.hex:
            return None
        return fact("privates.marker_elsewhere", marker=name, hexes=hexes, hex=coord)

    def label(coord: Coord) -> Fact:
        return fact(
            "choice.marker_hex",
            hex=coord,
            name=t.map.hexes[coord].name,
            bonus=_marker_bonus(t, private, coord),
        )

    places = FilteredChoices(hexes, elsewhere, label)
    return t.offer(
        "place_marker",
        private.id,
        fact("offer.place_marker", marker=name),
        Slot("hex", lambda _: places),
        suggest=lambda: [
            Suggestion(fact("choice.marker", marker=name, where=choice.label), {"hex": choice.value})
            for choice in places.choices()
        ],
        actor=actor,
        blocking=blocking,
    )


def _marker_bonus(t: Table, private: Private, coord: Coord) -> int:
    power = _power_of(t, private.id)
    icons = t.map.hexes[coord].icons.count(power.icon) if isinstance(power, MovingMarkerPower) else 1
    return power.bonus * icons


# --- the steamboat ----------------------------------------------------------------------------------------------------


class SteamboatStep(Step):
    """Before an operating round the player who owns the SC names a port and a company or independent, or passes.

    Rules: R-1846-153.
    """

    name = "steamboat"
    kinds = frozenset({"place_marker", "give_marker", "pass"})
    is_exclusive = True

    def offers(self, t: Table) -> Iterator[Offer]:
        private, named_by_owner = t.state.privates[STEAMBOAT], t.operating.named
        if not _is_owner_asked(t):
            return
        assert private.owner is not None
        if not any(place in t.map.hexes for place in named_by_owner):
            yield _marker_offer(t, private, _hexes_for_marker(t, private.id), private.owner, blocking=True)
        if _served_companies(t, private) and not any(name in t.state.companies for name in named_by_owner):
            yield _company_offer(t, private)
        yield t.offer("pass", STEAMBOAT, fact("offer.leave_steamboat"), actor=private.owner)

    def apply(self, t: Table, action: PlaceMarker | GiveMarker | Pass) -> None:
        private = t.state.privates[STEAMBOAT]
        if isinstance(action, Pass):
            t.operating.named.append(action.actor)
            t.emit(Passed(action.actor, fact("declined.steamboat")))
        elif isinstance(action, PlaceMarker):
            t.operating.named.append(action.hex)
            _put_steamboat(t, private, action.hex)
        else:
            t.operating.named.append(action.company)
            serve_with_steamboat(t, action.company)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        if not _is_owner_asked(t):
            return None
        return fact("midwest.steamboat_first", player=t.state.privates[STEAMBOAT].owner)


def _is_owner_asked(t: Table) -> bool:
    """True if the owner of the SC has not yet passed, or named both a port and a company."""
    private, named = t.state.privates[STEAMBOAT], t.operating.named
    if t.operating.turn is not None or t.operating.done or not t.state.is_player(private.owner or ""):
        return False
    has_passed = any(t.state.is_player(name) for name in named)
    return not has_passed and len(named) < len(("port", "company"))


def _served_companies(t: Table, private: Private) -> list[CompanyId]:
    """Companies and independents that the steamboat could serve instead."""
    return [c.id for c in t.state.companies.values() if c.floated and c.id != private.linked]


def _company_offer(t: Table, private: Private) -> Offer:
    marker, names = _port_power(t).name, _served_companies(t, private)
    choices = Choices(
        [Choice(name, fact("choice.value", value=name)) for name in names],
        lambda name: fact("midwest.not_served", company=name),
    )
    assert private.owner is not None
    return t.offer(
        "give_marker",
        STEAMBOAT,
        fact("offer.give_marker", marker=marker),
        Slot("company", lambda _: choices),
        suggest=lambda: [
            Suggestion(fact("choice.give_marker", company=name, marker=marker), {"company": name})
            for name in names
        ],
        actor=private.owner,
    )


def serve_with_steamboat(t: Table, company: CompanyId) -> None:
    """Let the steamboat serve this company, at the port where it lies."""
    private = t.state.privates[STEAMBOAT]
    if private.linked is not None:
        t.state.companies[private.linked].markers.pop(_port_power(t).name, None)
    private.linked = company
    _place_marker(t, t.state.companies[company], private.hex)


def _put_steamboat(t: Table, private: Private, coord: Coord) -> None:
    private.hex = coord
    if private.linked is not None:
        _place_marker(t, t.state.companies[private.linked], coord)


def _place_marker(t: Table, company: Company, coord: Coord) -> None:
    company.markers[_port_power(t).name] = coord
    t.emit(MarkerReceived(company.id, _port_power(t).name, coord))
