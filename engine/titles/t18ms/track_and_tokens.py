"""Track and token powers of 18MS's privates, and the bonuses for Chattanooga and New Orleans (§4)."""

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
from engine.play.privates.pending_powers import privates_holding_turn_open
from engine.play.steps.base import AnytimeStep, Request
from engine.play.steps.lay_track import TrackStep
from engine.play.steps.place_token import TokenStep, place_next_station, token_placement_offers
from engine.play.table import Table
from engine.play.token_prices_and_purchases import next_token_price
from engine.play.track.company_lay import hex_obstacle, own_lay_offer
from engine.play.track.lay_rules import lay_tile, owned_privates
from engine.play.track.terrain import extra_lays_power

HEX_NEXT_TO_CHATTANOOGA: Final[Coord] = "B10"
CHATTANOOGA: Final[Coord] = "B12"
CHATTANOOGA_DOLLARS: Final = 50
NEW_ORLEANS: Final[Coord] = "I1"
NEW_ORLEANS_DOLLARS: Final = 100
CHATTANOOGA_MARKER: Final = "Chattanooga"
"""Marker of the company that was first to connect to Chattanooga. It earns no revenue."""
NEW_ORLEANS_MARKER: Final = "New Orleans"
"""Marker of a company that gets the New Orleans route bonus."""
NEW_ORLEANS_BONUS_END_PHASE: Final = "6"
"""Phase that ends the New Orleans route bonus."""
LAST_PHASE: Final = "D"


class BonusTrackStep(TrackStep):
    """Track step with the BS private's extra tiles, and a cash bonus for the first connection to Chattanooga."""

    def lay_offers_from_privates(self, t: Table) -> Iterator[Offer]:
        """Offers to lay extra tiles with privates during the track step."""
        yield from super().lay_offers_from_privates(t)
        yield from _extra_lay_offers(t)

    def offers(self, t: Table) -> Iterator[Offer]:
        """Offers to lay tiles or pass.

        In an 18xx.games log the company can also pass while only a private could lay a tile.
        """
        offers_found = list(super().offers(t))
        yield from offers_found
        if not offers_found and self._would_18xx_games_wait(t):
            yield t.offer("pass", t.company.id, fact("offer.done_with_track"))

    def _would_18xx_games_wait(self, t: Table) -> bool:
        """True if 18xx.games would wait for a private that can lay a tile and that the company owns or can buy."""
        if not t.rules.has_flag("asks_when_nothing_is_legal"):
            return False
        extra_lay_privates = (
            private for private in owned_privates(t) if extra_lays_power(t, private.id) is not None
        )
        return any(_extra_lay_obstacle(t, private) is None for private in extra_lay_privates) or any(
            extra_lays_power(t, private) is not None for private in privates_holding_turn_open(t)
        )

    def apply(self, t: Table, action: LayTile | Pass) -> None:
        if isinstance(action, LayTile) and extra_lays_power(t, action.entity) is not None:
            lay_extra_tile(t, action)
            return
        super().apply(t, action)
        if isinstance(action, LayTile):
            _pay_chattanooga_bonus(t, action.hex)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        private = t.state.privates.get(request.entity or "")
        if request.kind == "lay_tile" and private is not None and extra_lays_power(t, private.id) is not None:
            return _extra_lay_obstacle(t, private) or hex_obstacle(
                t, request.given_values.get("hex"), private.id
            )
        return super().obstacle(t, request)


class AnytimeExtraLayStep(AnytimeStep):
    """Lay the AGS private's extra tile at any time of its company's turn after the track step.

    Rules: R-MS-061.
    """

    name = "extra_lay"
    kinds = frozenset({"lay_tile"})

    def offers(self, t: Table) -> Iterator[Offer]:
        if BonusTrackStep.name in t.turn.done:
            for offer in _extra_lay_offers(t):
                yield offer._replace(blocking=False)

    def apply(self, t: Table, action: LayTile) -> None:
        lay_extra_tile(t, action)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        private = t.state.privates.get(request.entity or "")
        if private is None or extra_lays_power(t, private.id) is None:
            return TrackStep().misplaced_obstacle(t, request)
        return _extra_lay_obstacle(t, private) or hex_obstacle(t, request.given_values.get("hex"), private.id)


def _extra_lay_offers(t: Table) -> Iterator[Offer]:
    for private in owned_privates(t):
        if extra_lays_power(t, private.id) is not None and _extra_lay_obstacle(t, private) is None:
            offer = own_lay_offer(t, private.id)
            if offer is not None:
                yield offer


def _extra_lay_obstacle(t: Table, private: Private) -> Fact | None:
    """The reason why the private cannot lay an extra tile now; None if it can.

    Rules: R-MS-061.
    """
    power = extra_lays_power(t, private.id)
    assert power is not None
    if private.owner != t.company.id:
        return fact("privates.lays_for_its_owner", private=private.id, company=t.company.id)
    if not power.anytime and BonusTrackStep.name in t.turn.done:
        return fact("mississippi.track_step_only", private=private.id)
    laid_count = t.turn.extra_lays.get(private.id, 0)
    is_used_up = laid_count == power.max_tile_count or (private.power_used and not laid_count)
    return fact("privates.has_laid", private=private.id) if is_used_up else None


def lay_extra_tile(t: Table, action: LayTile) -> None:
    """Lay a private's extra tile without terrain costs. Extra tiles not laid in this turn are lost."""
    lay_tile(t, action, action.entity)
    t.turn.extra_lays[action.entity] = t.turn.extra_lays.get(action.entity, 0) + 1
    t.state.privates[action.entity].power_used = True
    _pay_chattanooga_bonus(t, action.hex)


def _pay_chattanooga_bonus(t: Table, laid_hex: Coord) -> None:
    """Pay the bonus to the first company that connects to Chattanooga by a tile in hex B10.

    Rules: R-MS-043.
    """
    is_bonus_taken = any(CHATTANOOGA_MARKER in company.markers for company in t.state.companies.values())
    if laid_hex != HEX_NEXT_TO_CHATTANOOGA or is_bonus_taken:
        return
    if any(coord == CHATTANOOGA for coord, _ in reached_stops(t.map, t.company.id)):
        t.company.markers[CHATTANOOGA_MARKER] = CHATTANOOGA
        _pay_bonus(t, CHATTANOOGA, CHATTANOOGA_DOLLARS)


def _pay_bonus(t: Table, coord: Coord, dollars: int) -> None:
    t.pay(BANK, t.company.id, dollars)
    t.emit(BonusReceived(t.company.id, coord, dollars))


class BonusTokenStep(TokenStep):
    """Token step. The M&M private makes a token cheaper, and a token in New Orleans earns a cash bonus."""

    def placement_offers(self, t: Table) -> Iterator[Offer]:
        """Offers to place the next token, at its normal price or with M&M's discount.

        Rules: R-MS-062.
        """
        yield from super().placement_offers(t)
        price = next_token_price(t.company)
        for private in owned_privates(t):
            percent = _token_price_percent(t, private)
            if (
                price is None
                or percent is None
                or private.power_used
                or _reduced_price(price, percent) > t.company.cash
            ):
                continue
            dollars = _reduced_price(price, percent)
            label = fact("offer.token_at", private=private.id, price=dollars)
            for offer in token_placement_offers(
                t, "place_token", label, dollars, partial(fact, "choice.token", price=dollars)
            ):
                yield offer._replace(entity=private.id)

    def apply(self, t: Table, action: Any) -> None:
        private = t.state.privates.get(action.entity)
        percent = None if private is None else _token_price_percent(t, private)
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
            _pay_new_orleans_bonus(t)


def _token_price_percent(t: Table, private: Private) -> int | None:
    powers = t.spec.privates[private.id].powers
    return next((power.price_percent for power in powers if isinstance(power, TokenDiscountPower)), None)


def _reduced_price(price: int, percent: int) -> int:
    return price * percent // 100


def _pay_new_orleans_bonus(t: Table) -> None:
    """Pay the bonus for a token in New Orleans. Before phase 6 the company also gets the route bonus.

    Rules: R-MS-044, D-MS-2.
    """
    _pay_bonus(t, NEW_ORLEANS, NEW_ORLEANS_DOLLARS)
    is_bonus_in_last_phase = t.state.phase == LAST_PHASE and t.rules.has_flag("new_orleans_bonus_in_phase_d")
    if is_bonus_in_last_phase or not t.has_reached_phase(NEW_ORLEANS_BONUS_END_PHASE):
        place_marker(t, t.company, NEW_ORLEANS_MARKER, NEW_ORLEANS)
