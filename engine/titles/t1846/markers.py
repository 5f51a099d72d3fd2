"""1846's revenue markers: Meat Packing Company, Boomtown and the steamboat (§4)."""

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
from engine.play.private_markers import place_marker, remove_markers_of
from engine.play.steps.base import AnytimeStep, Request, Step
from engine.play.steps.run_trains import RunStep
from engine.play.table import Table
from engine.routes.revenue_rules import RouteRules

STEAMBOAT: Final[PrivateId] = "SC"
MARKERS_END_PHASE: Final = "IV"
"""Phase that removes all markers (§4, R-1846-154)."""
STEAMBOAT_END_PHASE: Final = "III"
"""Phase that removes the steamboat if no company has bought its private (§4, R-1846-154)."""


def with_port_bonus(t: Table, route_rules: RouteRules) -> RouteRules:
    """The route rules, plus the bonus of the port at which the operating company has the steamboat."""
    power = _port_power(t)
    port_hex = t.company.markers.get(power.name)
    if not port_hex:
        return route_rules
    dollars = power.bonus * t.map.hexes[port_hex].icons.count(power.icon)
    bonus_by_hex = {
        **route_rules.extra_dollars_by_hex,
        port_hex: route_rules.extra_dollars_by_hex.get(port_hex, 0) + dollars,
    }
    return replace(route_rules, extra_dollars_by_hex=bonus_by_hex)


def remove_expired_markers(t: Table) -> None:
    """Remove the markers that expire in the current phase.

    Rules: R-1846-154.
    """
    private = t.state.privates[STEAMBOAT]
    steamboat_marker = _port_power(t).name
    expired_markers = (
        [steamboat_marker] if t.state.phase == STEAMBOAT_END_PHASE and not private.power_used else []
    )
    if t.state.phase == MARKERS_END_PHASE:
        expired_markers = [steamboat_marker, *(power.name for power in _city_powers(t).values())]
    for company in t.state.companies.values():
        remove_markers_of(t, company, expired_markers)


# --- meat and boom ----------------------------------------------------------------------------------------------------


class MarkerStep(AnytimeStep):
    """A company places its private's marker. Before it runs trains, it can also move its steamboat once a round.

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
        """True while the company can place a meat or Boomtown marker. Moving the steamboat is not required."""
        return any(_marker_obstacle(t, t.state.privates[name]) is None for name in _city_powers(t))

    def apply(self, t: Table, action: PlaceMarker) -> None:
        private = t.state.privates[action.entity]
        if private.id == STEAMBOAT:
            t.operating_round.named.append(action.hex)
            _move_steamboat_to_port(t, private, action.hex)
        else:
            place_marker(t, t.company, _city_powers(t)[private.id].name, action.hex)
            private.power_used = True

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        private = t.state.privates.get(request.entity or "")
        if private is None or (private.id != STEAMBOAT and private.id not in _city_powers(t)):
            return fact("privates.no_marker_left")
        return _marker_obstacle(t, private)


def _city_powers(t: Table) -> Mapping[PrivateId, CityBonusPower]:
    return {
        name: power
        for name, private in t.spec.privates.items()
        for power in private.powers
        if isinstance(power, CityBonusPower)
    }


def _port_power(t: Table) -> MovingMarkerPower:
    powers = t.spec.privates[STEAMBOAT].powers
    return next(power for power in powers if isinstance(power, MovingMarkerPower))


def _power_of(t: Table, private: PrivateId) -> CityBonusPower | MovingMarkerPower:
    return _port_power(t) if private == STEAMBOAT else _city_powers(t)[private]


def _hexes_for_marker(t: Table, private: PrivateId) -> tuple[Coord, ...]:
    return _port_power(t).hexes if private == STEAMBOAT else _city_powers(t)[private].hexes


def _marker_obstacle(t: Table, private: Private) -> Fact | None:
    if private.owner != t.company.id:
        return fact("privates.marker_for_its_owner", private=private.id, company=t.company.id)
    if t.company.is_in_receivership:
        return fact("midwest.receiver_uses_no_private", company=t.company.id)
    if private.id != STEAMBOAT:
        return fact("privates.marker_placed", private=private.id) if private.power_used else None
    if any(place in t.map.hexes for place in t.operating_round.named):
        return fact("midwest.steamboat_has_moved", private=private.id)
    return fact("midwest.steamboat_before_run", private=private.id) if RunStep.name in t.turn.done else None


def _marker_offer(
    t: Table, private: Private, hexes: tuple[Coord, ...], actor: PlayerId, *, blocking: bool
) -> Offer:
    name = _power_of(t, private.id).name

    def hex_refusal(coord: Any) -> Fact | None:
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

    hex_choices = FilteredChoices(hexes, hex_refusal, label)
    return t.offer(
        "place_marker",
        private.id,
        fact("offer.place_marker", marker=name),
        Slot("hex", lambda _: hex_choices),
        suggest=lambda: [
            Suggestion(fact("choice.marker", marker=name, where=choice.label), {"hex": choice.value})
            for choice in hex_choices.choices()
        ],
        actor=actor,
        blocking=blocking,
    )


def _marker_bonus(t: Table, private: Private, coord: Coord) -> int:
    power = _power_of(t, private.id)
    icon_count = t.map.hexes[coord].icons.count(power.icon) if isinstance(power, MovingMarkerPower) else 1
    return power.bonus * icon_count


# --- the steamboat ----------------------------------------------------------------------------------------------------


class SteamboatStep(Step):
    """Step before an operating round: the owner of the Steamboat Company assigns it to a port and a company.

    Rules: R-1846-153.
    """

    name = "steamboat"
    kinds = frozenset({"place_marker", "give_marker", "pass"})
    is_exclusive = True

    def offers(self, t: Table) -> Iterator[Offer]:
        private, named_by_owner = t.state.privates[STEAMBOAT], t.operating_round.named
        if not _must_owner_assign_steamboat(t):
            return
        assert private.owner is not None
        if not any(place in t.map.hexes for place in named_by_owner):
            yield _marker_offer(t, private, _hexes_for_marker(t, private.id), private.owner, blocking=True)
        if _companies_without_steamboat(t, private) and not any(
            name in t.state.companies for name in named_by_owner
        ):
            yield _company_offer(t, private)
        yield t.offer("pass", STEAMBOAT, fact("offer.leave_steamboat"), actor=private.owner)

    def apply(self, t: Table, action: PlaceMarker | GiveMarker | Pass) -> None:
        private = t.state.privates[STEAMBOAT]
        if isinstance(action, Pass):
            t.operating_round.named.append(action.actor)
            t.emit(Passed(action.actor, fact("declined.steamboat")))
        elif isinstance(action, PlaceMarker):
            t.operating_round.named.append(action.hex)
            _move_steamboat_to_port(t, private, action.hex)
        else:
            t.operating_round.named.append(action.company)
            assign_steamboat(t, action.company)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        if not _must_owner_assign_steamboat(t):
            return None
        return fact("midwest.steamboat_first", player=t.state.privates[STEAMBOAT].owner)


def _must_owner_assign_steamboat(t: Table) -> bool:
    private, named_by_owner = t.state.privates[STEAMBOAT], t.operating_round.named
    if (
        t.operating_round.turn is not None
        or t.operating_round.done
        or not t.state.is_player(private.owner or "")
    ):
        return False
    has_passed = any(t.state.is_player(name) for name in named_by_owner)
    return not has_passed and len(named_by_owner) < len(("port", "company"))


def _companies_without_steamboat(t: Table, private: Private) -> list[CompanyId]:
    """Floated companies and independents, except the one that has the steamboat now."""
    return [c.id for c in t.state.companies.values() if c.floated and c.id != private.linked]


def _company_offer(t: Table, private: Private) -> Offer:
    marker, company_ids = _port_power(t).name, _companies_without_steamboat(t, private)
    choices = Choices(
        [Choice(name, fact("choice.value", value=name)) for name in company_ids],
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
            for name in company_ids
        ],
        actor=private.owner,
    )


def assign_steamboat(t: Table, company: CompanyId) -> None:
    """Assign the steamboat to this company. The steamboat stays at its port."""
    private = t.state.privates[STEAMBOAT]
    if private.linked is not None:
        t.state.companies[private.linked].markers.pop(_port_power(t).name, None)
    private.linked = company
    _give_steamboat_marker(t, t.state.companies[company], private.hex)


def _move_steamboat_to_port(t: Table, private: Private, coord: Coord) -> None:
    private.hex = coord
    if private.linked is not None:
        _give_steamboat_marker(t, t.state.companies[private.linked], coord)


def _give_steamboat_marker(t: Table, company: Company, coord: Coord) -> None:
    company.markers[_port_power(t).name] = coord
    t.emit(MarkerReceived(company.id, _port_power(t).name, coord))
