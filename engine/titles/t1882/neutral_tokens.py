"""Neutral tokens, which companies place and which are stations of the CN (4)."""

from collections.abc import Iterator
from typing import Any, Final

from engine.board.map import StopId
from engine.board.network import reached_stops
from engine.core.actions import PlaceToken
from engine.core.events import MarkerReceived
from engine.core.facts import fact
from engine.core.offers import Offer
from engine.core.state import NEUTRAL_TOKEN
from engine.play.steps.place_token import TokenStep, station_offers
from engine.play.table import Table
from engine.titles.t1882.city_offers import city_offer

CN: Final = "CN"
"""The company to which all neutral tokens belong once they lie on the map."""


class NeutralTokenStep(TokenStep):
    """The token of the turn: the company's next own one, or its neutral one.

    Rules: R-1882-035.
    """

    def offers(self, t: Table) -> Iterator[Offer]:
        """Own and neutral tokens; that site also asks where a dear token could go, if the neutral one is left."""
        placements = list(super().offers(t))
        yield from placements
        asks_anyway = t.rules.flag("asks_when_nothing_is_legal") and has_neutral_token_left(t)
        if asks_anyway and not placements and _own_token_has_a_place(t):
            yield self.stop_offer(t)

    def placement_offers(self, t: Table) -> Iterator[Offer]:
        yield from super().placement_offers(t)
        stops = _places(t)
        if stops:
            yield _offer(t, stops)

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
    """True if a neutral token lies in the hex."""
    return any(coord == place for place, _ in t.map.tokens_of(CN))


def has_neutral_token_left(t: Table) -> bool:
    """True if the operating company has not placed its neutral token."""
    return NEUTRAL_TOKEN in t.company.held


def _own_token_has_a_place(t: Table) -> bool:
    """True if the company's next own token could lie somewhere, whatever it costs."""
    if not t.company.tokens:
        return False
    label = fact("offer.place_neutral_token")
    return any(True for _ in station_offers(t, "place_token", label, 0, lambda spot: label))


def _places(t: Table) -> list[StopId]:
    """Cities with a free slot that the company reaches, in hexes without a neutral token; none once it is placed."""
    company = t.company
    if not has_neutral_token_left(t):
        return []
    return sorted(
        stop
        for stop in reached_stops(t.map, company.id)
        if t.map.free_slot(*stop, company.id) and not has_neutral_token(t, stop[0])
    )


def _offer(t: Table, stops: list[StopId]) -> Offer:
    hexes = tuple(dict.fromkeys(coord for coord, _ in stops))
    return city_offer(
        t,
        "place_token",
        CN,
        fact("offer.place_neutral_token"),
        stops,
        choice=lambda spot: fact("choice.neutral_token", spot=spot),
        elsewhere=lambda _: fact("token.neutral_elsewhere", hexes=hexes),
        actor=t.president(t.company.id).id,
    )
