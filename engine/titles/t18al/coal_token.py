"""The coal token, which raises the revenue of a city (Table III)."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from engine.board.network import network_of
from engine.core.actions import PlaceMarker
from engine.core.facts import Fact, fact
from engine.core.ids import Coord
from engine.core.offers import Filtered, Offer, Slot, Suggestion
from engine.core.spec import CityBonusPower
from engine.core.state import Company, Private
from engine.play.private_markers import place_marker
from engine.play.steps.base import AnytimeStep, Request
from engine.play.table import Table
from engine.routes.revenue_rules import VisitTerms
from engine.routes.search import best_routes


class CoalStep(AnytimeStep):
    """The company that owns the private may place the token once: in its own turn, where a train of it can run.

    The other profile is looser in both.

    Rules: R-AL-170.
    """

    name = "marker"
    kinds = frozenset({"place_marker"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """The hexes that a train of the company can run to, by the rules in force."""
        for private in t.state.privates.values():
            power = _power(t, private)
            company = t.state.companies.get(private.owner or "")
            if power is None or company is None or not _may_place(t, company):
                continue
            offer = self._offer(t, private, power, company)
            if offer is not None:
                yield offer

    def holds(self, t: Table) -> bool:
        """The turn waits for it, unless it may as well be placed in the turns of others."""
        return not t.rules.flag("coal_token_loose") and super().holds(t)

    def _offer(self, t: Table, private: Private, power: CityBonusPower, company: Company) -> Offer | None:
        def label(coord: Coord) -> Fact:
            return fact("choice.marker_hex", hex=coord, name=t.map.hexes[coord].name, bonus=power.bonus)

        where = Filtered(power.hexes, lambda coord: _reaches(t, company, coord), label)
        if not where:
            return None
        return t.offer(
            "place_marker",
            private.id,
            fact("offer.place_marker", marker=power.name),
            Slot("hex", lambda _: where, lambda _, coord: _why_not_here(power, company, coord)),
            suggest=lambda: [
                Suggestion(
                    fact("choice.marker", marker=power.name, where=choice.label), {"hex": choice.value}
                )
                for choice in where.choices()
            ],
            blocking=False,
        )

    def apply(self, t: Table, action: PlaceMarker) -> None:
        private = t.state.privates[action.entity]
        power = _power(t, private)
        assert power is not None
        assert private.owner is not None
        place_marker(t, t.state.companies[private.owner], power.name, action.hex)
        private.power_used = True

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        privates = t.state.privates
        named = privates.get(request.entity or "")
        private = named or next((p for p in privates.values() if _power(t, p) is not None), None)
        if private is None:
            return fact("privates.no_marker_left")
        return _why_no_marker(t, private)


def _may_place(t: Table, company: Company) -> bool:
    return bool(company.running) if t.rules.flag("coal_token_loose") else company.id == t.turn.company


def _reaches(t: Table, company: Company, coord: Coord) -> bool:
    """True if a train of the company can run to the hex; in the other profile, if its track leads there."""
    if not any(hex_ == coord for hex_, _ in network_of(t.map, company.id).stops):
        return False
    if t.rules.flag("coal_token_loose"):
        return True
    terms = replace(VisitTerms.of(t.spec, t.state.phase), wanted=coord)
    return any(
        best_routes(t.map, company.id, [train], terms).value for train in dict.fromkeys(company.running)
    )


def _why_no_marker(t: Table, private: Private) -> Fact:
    name, company = private.id, t.company.id
    if not any(isinstance(power, CityBonusPower) for power in t.spec.privates[name].powers):
        return fact("privates.no_marker", private=name)
    if private.power_used:
        return fact("privates.marker_placed", private=name)
    if private.owner != company:
        return fact("privates.marker_for_its_owner", private=name, company=company)
    if not t.company.running:
        return fact("privates.marker_needs_a_train", private=name, company=company)
    return fact("privates.marker_out_of_reach", private=name, company=company)


def _why_not_here(power: CityBonusPower, company: Company, coord: Any) -> Fact:
    if coord not in power.hexes:
        return fact("privates.marker_elsewhere", marker=power.name, hexes=power.hexes, hex=coord)
    return fact("privates.marker_not_reached", company=company.id, hex=coord)


def _power(t: Table, private: Private) -> CityBonusPower | None:
    if private.power_used:
        return None
    powers = t.spec.privates[private.id].powers
    return next((power for power in powers if isinstance(power, CityBonusPower)), None)
