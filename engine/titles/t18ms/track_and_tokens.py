"""Track and tokens: the tiles of AGS and BS, the token of M&M, Chattanooga and New Orleans (4)."""

from collections.abc import Iterator
from functools import partial
from typing import Any, Final

from engine.board.network import reached_stops
from engine.core.actions import LayTile, Pass, PlaceToken
from engine.core.events import BonusReceived
from engine.core.facts import Fact, fact
from engine.core.ids import BANK, Coord
from engine.core.offers import Offer
from engine.core.spec import TokenDiscountPower
from engine.core.state import Private
from engine.play.private_markers import place_marker
from engine.play.privates.pending_powers import awaited_privates
from engine.play.steps.base import AnytimeStep, Request
from engine.play.steps.lay_track import TrackStep
from engine.play.steps.place_token import TokenStep, place_next_station, station_offers
from engine.play.table import Table
from engine.play.token_prices_and_purchases import next_token_price
from engine.play.track.company_lay import hex_obstacle, own_lay_offer
from engine.play.track.lay_rules import lay_tile, owned_privates
from engine.play.track.terrain import extra_lays

BEFORE_CHATTANOOGA: Final[Coord] = "B10"
CHATTANOOGA: Final[Coord] = "B12"
CHATTANOOGA_DOLLARS: Final = 50
NEW_ORLEANS: Final[Coord] = "I1"
NEW_ORLEANS_DOLLARS: Final = 100
CHATTANOOGA_MARKER: Final = "Chattanooga"
"""The marker of the company that was the first to reach Chattanooga; it earns nothing more."""
NEW_ORLEANS_MARKER: Final = "New Orleans"
"""The marker of a company whose routes to New Orleans earn more."""
NEW_ORLEANS_ENDS: Final = "6"
"""The phase that ends the bonus of routes."""
LAST_PHASE: Final = "D"


class BonusTrackStep(TrackStep):
    """Tile lays, the tiles of BS among them; the first way to Chattanooga brings money."""

    def help_offers(self, t: Table) -> Iterator[Offer]:
        """The additional tiles of privates that lay in the track step."""
        yield from super().help_offers(t)
        yield from _extra_lay_offers(t)

    def offers(self, t: Table) -> Iterator[Offer]:
        """Lays and the end of the step, for which a private with a tile left waits, too."""
        offers_found = list(super().offers(t))
        yield from offers_found
        if not offers_found and self._waits_for_private(t):
            yield t.offer("pass", t.company.id, fact("offer.done_with_track"))

    def _waits_for_private(self, t: Table) -> bool:
        """True in a log while the company has a private with a tile left, or may buy one."""
        if not t.rules.flag("asks_when_nothing_is_legal"):
            return False
        owned = (private for private in owned_privates(t) if extra_lays(t, private.id) is not None)
        return any(_extra_lay_obstacle(t, private) is None for private in owned) or any(
            extra_lays(t, private) is not None for private in awaited_privates(t)
        )

    def apply(self, t: Table, action: LayTile | Pass) -> None:
        if isinstance(action, LayTile) and extra_lays(t, action.entity) is not None:
            use_extra_lay(t, action)
            return
        super().apply(t, action)
        if isinstance(action, LayTile):
            _reward_way_to_chattanooga(t, action.hex)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        private = t.state.privates.get(request.entity or "")
        if request.kind == "lay_tile" and private is not None and extra_lays(t, private.id) is not None:
            return _extra_lay_obstacle(t, private) or hex_obstacle(
                t, request.given_values.get("hex"), private.id
            )
        return super().obstacle(t, request)


class AnytimeLayStep(AnytimeStep):
    """The additional tile of AGS, at any moment of its company's turn.

    Rules: R-MS-061.
    """

    name = "extra_lay"
    kinds = frozenset({"lay_tile"})

    def offers(self, t: Table) -> Iterator[Offer]:
        if BonusTrackStep.name in t.turn.done:
            for offer in _extra_lay_offers(t):
                yield offer._replace(blocking=False)

    def apply(self, t: Table, action: LayTile) -> None:
        use_extra_lay(t, action)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        private = t.state.privates.get(request.entity or "")
        if private is None or extra_lays(t, private.id) is None:
            return TrackStep().misplaced_obstacle(t, request)
        return _extra_lay_obstacle(t, private) or hex_obstacle(t, request.given_values.get("hex"), private.id)


def _extra_lay_offers(t: Table) -> Iterator[Offer]:
    for private in owned_privates(t):
        if extra_lays(t, private.id) is not None and _extra_lay_obstacle(t, private) is None:
            offer = own_lay_offer(t, private.id)
            if offer is not None:
                yield offer


def _extra_lay_obstacle(t: Table, private: Private) -> Fact | None:
    """The rule against an additional tile of this private now, whatever the hex.

    Rules: R-MS-061.
    """
    power = extra_lays(t, private.id)
    assert power is not None
    if private.owner != t.company.id:
        return fact("privates.lays_for_its_owner", private=private.id, company=t.company.id)
    if not power.anytime and BonusTrackStep.name in t.turn.done:
        return fact("mississippi.track_step_only", private=private.id)
    laid = t.turn.extra_lays.get(private.id, 0)
    is_used_up = laid == power.lays or (private.power_used and not laid)
    return fact("privates.has_laid", private=private.id) if is_used_up else None


def use_extra_lay(t: Table, action: LayTile) -> None:
    """Lay an additional tile, free of terrain costs; after its turn the power is used up."""
    lay_tile(t, action, action.entity)
    t.turn.extra_lays[action.entity] = t.turn.extra_lays.get(action.entity, 0) + 1
    t.state.privates[action.entity].power_used = True
    _reward_way_to_chattanooga(t, action.hex)


def _reward_way_to_chattanooga(t: Table, laid: Coord) -> None:
    """Pay the first company that reaches Chattanooga by a tile in the hex before it.

    Rules: R-MS-043.
    """
    is_taken = any(CHATTANOOGA_MARKER in company.markers for company in t.state.companies.values())
    if laid != BEFORE_CHATTANOOGA or is_taken:
        return
    if any(coord == CHATTANOOGA for coord, _ in reached_stops(t.map, t.company.id)):
        t.company.markers[CHATTANOOGA_MARKER] = CHATTANOOGA
        _pay_bonus(t, CHATTANOOGA, CHATTANOOGA_DOLLARS)


def _pay_bonus(t: Table, coord: Coord, dollars: int) -> None:
    t.pay(BANK, t.company.id, dollars)
    t.emit(BonusReceived(t.company.id, coord, dollars))


class BonusTokenStep(TokenStep):
    """The token of the turn, also at the price of M&M; one in New Orleans brings money."""

    def placement_offers(self, t: Table) -> Iterator[Offer]:
        """The company's own token, and the one that M&M makes cheaper.

        Rules: R-MS-062.
        """
        yield from super().placement_offers(t)
        price = next_token_price(t.company)
        for private in owned_privates(t):
            percent = _token_percent(t, private)
            if (
                price is None
                or percent is None
                or private.power_used
                or _reduced_price(price, percent) > t.company.cash
            ):
                continue
            dollars = _reduced_price(price, percent)
            label = fact("offer.token_at", private=private.id, price=dollars)
            for offer in station_offers(
                t, "place_token", label, dollars, partial(fact, "choice.token", price=dollars)
            ):
                yield offer._replace(entity=private.id)

    def apply(self, t: Table, action: Any) -> None:
        private = t.state.privates.get(action.entity)
        percent = None if private is None else _token_percent(t, private)
        price = next_token_price(t.company)
        if (
            isinstance(action, PlaceToken)
            and private is not None
            and percent is not None
            and price is not None
        ):
            private.power_used = True
            place_next_station(t, action.hex, action.city, _reduced_price(price, percent))
            self.close(t)
        else:
            super().apply(t, action)
        if isinstance(action, PlaceToken) and action.hex == NEW_ORLEANS:
            _reward_token_in_new_orleans(t)


def _token_percent(t: Table, private: Private) -> int | None:
    powers = t.spec.privates[private.id].powers
    return next((power.percent for power in powers if isinstance(power, TokenDiscountPower)), None)


def _reduced_price(price: int, percent: int) -> int:
    return price * percent // 100


def _reward_token_in_new_orleans(t: Table) -> None:
    """Pay for the token in New Orleans; before phase 6 it also makes routes there worth more.

    Rules: R-MS-044, D-MS-2.
    """
    _pay_bonus(t, NEW_ORLEANS, NEW_ORLEANS_DOLLARS)
    in_last_phase = t.state.phase == LAST_PHASE and t.rules.flag("new_orleans_bonus_in_phase_d")
    if in_last_phase or not t.has_reached_phase(NEW_ORLEANS_ENDS):
        place_marker(t, t.company, NEW_ORLEANS_MARKER, NEW_ORLEANS)
