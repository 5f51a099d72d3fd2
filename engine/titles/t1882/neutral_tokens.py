"""1882's neutral tokens. Each company can place one; all of them are stations of the company CN (§4)."""

from collections.abc import Iterator
from typing import Any, Final

from engine.board.map import StopId
from engine.board.network import reached_stops
from engine.core.actions import PlaceToken
from engine.core.events import MarkerReceived
from engine.core.facts import fact
from engine.core.offers import Offer
from engine.core.state import NEUTRAL_TOKEN
from engine.play.steps.place_token import TokenStep, token_placement_offers
from engine.play.table import Table
from engine.titles.t1882.city_offers import city_choice_offer

CN: Final = "CN"
"""The company that owns all neutral tokens on the map."""


class NeutralTokenStep(TokenStep):
    """Token step: place one of the company's own tokens or its neutral token.

    Rules: R-1882-035.
    """

    def offers(self, t: Table) -> Iterator[Offer]:
        """Offers to place own and neutral tokens.

        In an 18xx.games log the company can also pass if its own token is too expensive everywhere.
        """
        token_offers = list(super().offers(t))
        yield from token_offers
        may_pass_anyway = t.rules.has_flag("asks_when_nothing_is_legal") and has_neutral_token_left(t)
        if may_pass_anyway and not token_offers and _has_city_for_own_token(t):
            yield self.end_step_offer(t)

    def placement_offers(self, t: Table) -> Iterator[Offer]:
        yield from super().placement_offers(t)
        stops = _stops_for_neutral_token(t)
        if stops:
            yield _neutral_token_offer(t, stops)

    def apply(self, t: Table, action: Any) -> None:
        if isinstance(action, PlaceToken) and action.entity == CN:
            t.map.place_token(action.hex, action.city, CN)
            t.state.fresh.tokens.append((action.hex, action.city))
            del t.company.held[NEUTRAL_TOKEN]
            t.emit(MarkerReceived(t.company.id, "neutral", action.hex))
            self.close(t)
        else:
            super().apply(t, action)


def has_neutral_token(t: Table, coord: str) -> bool:
    """True if the hex has a neutral token."""
    return any(coord == place for place, _ in t.map.token_stops_of(CN))


def has_neutral_token_left(t: Table) -> bool:
    """True if the operating company can still place its neutral token."""
    return NEUTRAL_TOKEN in t.company.held


def _has_city_for_own_token(t: Table) -> bool:
    if not t.company.tokens:
        return False
    label = fact("offer.place_neutral_token")
    return any(True for _ in token_placement_offers(t, "place_token", label, 0, lambda spot: label))


def _stops_for_neutral_token(t: Table) -> list[StopId]:
    """Cities where the company can place its neutral token.

    Its track must reach the city, a slot must be free, and the hex must have no neutral token yet.
    """
    company = t.company
    if not has_neutral_token_left(t):
        return []
    return sorted(
        stop
        for stop in reached_stops(t.map, company.id)
        if t.map.has_space_for(*stop, company.id) and not has_neutral_token(t, stop[0])
    )


def _neutral_token_offer(t: Table, stops: list[StopId]) -> Offer:
    hexes = tuple(dict.fromkeys(coord for coord, _ in stops))
    return city_choice_offer(
        t,
        "place_token",
        CN,
        fact("offer.place_neutral_token"),
        stops,
        choice_label=lambda spot: fact("choice.neutral_token", spot=spot),
        other_hex_refusal=lambda _: fact("token.neutral_elsewhere", hexes=hexes),
        actor=t.president(t.company.id).id,
    )
