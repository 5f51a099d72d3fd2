"""18AL's coal token: a private places it on a city, where it adds to the revenue (Table III)."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from engine.board.network import reached_stops
from engine.core.actions import PlaceMarker
from engine.core.facts import Fact, fact
from engine.core.ids import Coord, PrivateId
from engine.core.offers import FilteredChoices, Offer, Slot, Suggestion
from engine.core.spec import CityBonusPower, TitleSpec
from engine.core.state import Company, Private
from engine.play.private_markers import place_marker
from engine.play.steps.base import AnytimeStep, Request
from engine.play.table import Table
from engine.routes.revenue_rules import VisitRules
from engine.routes.search import best_routes


class CoalTokenStep(AnytimeStep):
    """In its own turn, the company that owns the coal private places the coal token where one of its trains can run.

    With the flag `coal_token_loose`, it can do so in any company's turn, wherever its track reaches.

    Rules: R-AL-170.
    """

    name = "marker"
    kinds = frozenset({"place_marker"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """Offers to place the coal token in a hex where it is allowed."""
        for private in t.state.privates.values():
            if _coal_token_obstacle(t, private) is None:
                yield from self._coal_token_offers(t, private, t.state.companies[private.owner or ""])

    def keeps_turn_open(self, t: Table) -> bool:
        """True if the turn must not end before the coal token is placed or the company passes."""
        return not t.rules.has_flag("coal_token_loose") and super().keeps_turn_open(t)

    def _coal_token_offers(self, t: Table, private: Private, company: Company) -> Iterator[Offer]:
        power = _city_bonus_power(t, private)
        assert power is not None

        def label(coord: Coord) -> Fact:
            return fact("choice.marker_hex", hex=coord, name=t.map.hexes[coord].name, bonus=power.bonus)

        hexes = FilteredChoices(power.hexes, partial(_hex_obstacle, t, power, company), label)
        if hexes:
            yield t.offer(
                "place_marker",
                private.id,
                fact("offer.place_marker", marker=power.name),
                Slot("hex", lambda _: hexes),
                suggest=lambda: [
                    Suggestion(
                        fact("choice.marker", marker=power.name, where=choice.label), {"hex": choice.value}
                    )
                    for choice in hexes.choices()
                ],
                blocking=False,
            )

    def apply(self, t: Table, action: PlaceMarker) -> None:
        private = t.state.privates[action.entity]
        power = _city_bonus_power(t, private)
        assert power is not None
        assert private.owner is not None
        place_marker(t, t.state.companies[private.owner], power.name, action.hex)
        private.power_used = True

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        privates = t.state.privates
        named_private = privates.get(request.entity or "")
        private = named_private or next(
            (p for p in privates.values() if _city_bonus_power(t, p) and not p.power_used), None
        )
        if private is None:
            return fact("privates.no_marker_left")
        reach_refusal = fact("privates.marker_out_of_reach", private=private.id, company=t.company.id)
        return _coal_token_obstacle(t, private) or reach_refusal


def _coal_token_obstacle(t: Table, private: Private) -> Fact | None:
    if _city_bonus_power(t, private) is None:
        return fact("privates.no_marker", private=private.id)
    if private.power_used:
        return fact("privates.marker_placed", private=private.id)
    owner = t.state.companies.get(private.owner or "")
    if owner is None or not (owner is t.company or t.rules.has_flag("coal_token_loose")):
        return fact("privates.marker_for_its_owner", private=private.id, company=t.company.id)
    if owner.runnable_trains:
        return None
    return fact("privates.marker_needs_a_train", private=private.id, company=owner.id)


def _hex_obstacle(t: Table, power: CityBonusPower, company: Company, coord: Any) -> Fact | None:
    if coord not in power.hexes:
        return fact("privates.marker_elsewhere", marker=power.name, hexes=power.hexes, hex=coord)
    if _can_place_coal_token(t, company, coord):
        return None
    return fact("privates.marker_not_reached", company=company.id, hex=coord)


def _can_place_coal_token(t: Table, company: Company, coord: Coord) -> bool:
    """True if the company can place the coal token in the hex.

    One of its trains must be able to run there; with the flag `coal_token_loose`, reaching the hex by track is enough.
    """
    if not any(hex_ == coord for hex_, _ in reached_stops(t.map, company.id)):
        return False
    if t.rules.has_flag("coal_token_loose"):
        return True
    route_rules = replace(VisitRules.from_spec(t.spec, t.state.phase), wanted_hex=coord)
    return any(
        best_routes(t.map, company.id, [train], route_rules).value
        for train in dict.fromkeys(company.runnable_trains)
    )


def _city_bonus_power(t: Table, private: Private) -> CityBonusPower | None:
    return t.spec.cached(_city_bonus_powers).get(private.id)


def _city_bonus_powers(spec: TitleSpec) -> dict[PrivateId, CityBonusPower]:
    powers = [(name, power) for name, private in spec.privates.items() for power in private.powers]
    return {name: power for name, power in powers if isinstance(power, CityBonusPower)}
