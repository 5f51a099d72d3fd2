"""Track lays and tokens in 1846, which a company makes in any order, and their costs (§4)."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from engine.board.map import StopId
from engine.board.network import reached_stops, reaches_stop
from engine.core.actions import PlaceToken
from engine.core.events import TokenPlaced
from engine.core.facts import Fact, fact
from engine.core.ids import CompanyId, Coord, PrivateId
from engine.core.offers import FilteredChoices, Offer, Slot, Suggestion
from engine.core.spec import LaySpec
from engine.play.privates.private_purchases import purchasable_privates
from engine.play.steps.base import AnytimeStep, Request
from engine.play.steps.lay_track import TrackStep
from engine.play.steps.place_token import city_label, place_next_station
from engine.play.steps.run_trains import run_obstacle
from engine.play.table import Table
from engine.play.track.lay_rules import next_own_lay
from engine.titles.t1846.independents import is_independent
from engine.titles.t1846.issues import issue_price, max_shares_to_issue
from engine.titles.t1846.joined_tiles import LITTLE_MIAMI, can_private_lay_tiles, miami_refusal
from engine.titles.t1846.setting_up import CWI, CWI_CITY

LAY_DOLLARS: Final = 20
"""Dollars for laying a tile, and also the Tunnel Blasting Company's discount (§4, R-1846-070, R-1846-073)."""
IC: Final[CompanyId] = "IC"
FREE_TILE_ICON: Final = "IC"
"""Map icon of the hexes where the IC lays its first tile free of charge (§4, R-1846-072)."""
TUNNEL_PRIVATE: Final[PrivateId] = "TBC"
MOUNTAIN: Final = "mountain"
TUNNEL_BORDERS: Final = frozenset(
    frozenset(border) for border in (("B16", "B18"), ("C15", "C17"), ("E19", "F20"), ("G19", "G21"))
)
"""Hex borders that are crossed by a tunnel, each as the pair of hexes that it separates (§4, R-1846-073)."""


def lay_price(t: Table, coord: Coord, lay: LaySpec) -> int:
    """Dollars for laying a tile, not counting terrain. The IC pays nothing on an empty hex with its icon.

    Rules: R-1846-070, R-1846-072.
    """
    is_free = t.company.id == IC and FREE_TILE_ICON in t.map.hexes[coord].icons and t.map.tile(coord) is None
    return 0 if is_free else lay.cost


def terrain_price(t: Table, coord: Coord) -> int:
    """Dollars for terrain, in addition to the lay's own cost and after the Tunnel Blasting Company's discount.

    Rules: R-1846-071, R-1846-073.
    """
    has_tunnel_discount = _has_tunnels(t) and MOUNTAIN in t.map.hexes[coord].terrain
    return max(0, t.map.cost(coord) - LAY_DOLLARS - (LAY_DOLLARS if has_tunnel_discount else 0))


def border_price(t: Table, coord: Coord, neighbour_coord: Coord | None, price: int) -> int:
    """Dollars for connecting track across the border between two hexes.

    The Tunnel Blasting Company's discount is already subtracted.

    Rules: R-1846-073.
    """
    is_tunnel = frozenset((coord, neighbour_coord)) in TUNNEL_BORDERS
    return max(0, price - LAY_DOLLARS) if is_tunnel and _has_tunnels(t) else price


def _has_tunnels(t: Table) -> bool:
    return t.state.privates[TUNNEL_PRIVATE].owner == t.company.id


def token_price(t: Table, coord: Coord, *, is_connected: bool) -> int | None:
    """Dollars for the company's next token in this hex; None if it cannot place a token there.

    `is_connected` is True if the company's track reaches the hex.

    Rules: R-1846-080, R-1846-081.
    """
    company, reserved_space = t.company, t.spec.companies[t.company.id].reserved_space
    if reserved_space is not None and reserved_space.hex == coord:
        return reserved_space.connected_price if is_connected else reserved_space.unconnected_price
    return company.tokens[0] if is_connected and company.tokens else None


def token_price_by_stop(t: Table) -> Mapping[StopId, int]:
    """Cities where the company can place a token now, each with the price in dollars, even if it cannot pay."""
    company = t.company
    if not company.tokens or t.turn.stations or is_independent(t, company):
        return {}
    own_hexes = {coord for coord, _ in t.map.token_stops_of(company.id)}
    reserved_space = t.spec.companies[company.id].reserved_space
    stops = set(reached_stops(t.map, company.id))
    if reserved_space is not None:
        stops |= {(reserved_space.hex, city) for city in range(len(t.map.topology(reserved_space.hex).stops))}
    price_by_stop = {}
    for stop in sorted(stops, key=lambda stop: (t.map.coords.index(stop[0]), stop[1])):
        price = token_price(t, stop[0], is_connected=reaches_stop(t.map, company.id, stop))
        if price is not None and stop[0] not in own_hexes and t.map.has_space_for(*stop, company.id):
            price_by_stop[stop] = price
    return price_by_stop


class TrackAndTokenStep(TrackStep):
    """Lay up to two tiles, at most one an upgrade, and place a token, in any order.

    Rules: R-1846-052, R-1846-070, R-1846-076, R-1846-080.
    """

    kinds = TrackStep.kinds | {"place_token"}

    def offers(self, t: Table) -> Iterator[Offer]:
        if t.company.is_in_receivership:
            return
        offers_found = list(self._lay_offers(t))
        price_by_stop = {
            stop: price for stop, price in token_price_by_stop(t).items() if price <= t.company.cash
        }
        if price_by_stop:
            offers_found.append(_token_offer(t, price_by_stop))
        yield from offers_found
        if offers_found or (t.rules.has_flag("asks_when_nothing_is_legal") and _would_18xx_games_wait(t)):
            yield t.offer("pass", t.company.id, fact("offer.done_with_track_and_token"))

    def end_step_offer(self, t: Table) -> Offer | None:
        return None

    def apply(self, t: Table, action: Any) -> None:
        if isinstance(action, PlaceToken):
            stop = (action.hex, action.city)
            price = token_price(t, action.hex, is_connected=reaches_stop(t.map, t.company.id, stop))
            assert price is not None
            place_next_station(t, *stop, price)
            t.turn.stations += 1
        else:
            super().apply(t, action)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        if request.kind == "place_token":
            return _chicago_obstacle(t) if request.entity == CWI else _token_obstacle(t)
        if request.entity == LITTLE_MIAMI:
            return miami_refusal(t)
        return super().obstacle(t, request)


def _would_18xx_games_wait(t: Table) -> bool:
    """True if 18xx.games would still expect a lay or a token, for example if the company could issue shares to pay."""
    company, price_by_stop = t.company, token_price_by_stop(t)
    may_issue = not (is_independent(t, company) or t.turn.issued or t.turn.redeemed)
    cash = company.cash + (max_shares_to_issue(t, company) * issue_price(t, company) if may_issue else 0)
    if next_own_lay(t) is not None and cash >= LAY_DOLLARS:
        return True
    if _chicago_obstacle(t) is None and not t.turn.stations:
        return True
    if not price_by_stop:
        return False
    reserved_space = t.spec.companies[company.id].reserved_space
    own_hexes = {coord for coord, _ in t.map.token_stops_of(company.id)}
    has_reserved_stop_open = reserved_space is not None and reserved_space.hex not in own_hexes
    if company.tokens[0] <= cash or (
        reserved_space is not None and has_reserved_stop_open and reserved_space.connected_price <= cash
    ):
        return True
    return run_obstacle(t) is not None and any(
        can_private_lay_tiles(t, private) for private in purchasable_privates(t)
    )


def _token_obstacle(t: Table) -> Fact:
    company = t.company
    if not company.tokens:
        return fact("token.none_left", company=company.id)
    if t.turn.stations:
        return fact("token.placed_this_turn", company=company.id)
    prices = token_price_by_stop(t).values()
    if prices:
        return fact("token.too_dear", company=company.id, price=min(prices), cash=company.cash)
    return fact("token.no_place", company=company.id)


def _token_offer(t: Table, price_by_stop: Mapping[StopId, int]) -> Offer:
    hexes = list(dict.fromkeys(coord for coord, _ in price_by_stop))

    def hex_label(coord: Coord) -> Fact:
        price = min(price for stop, price in price_by_stop.items() if stop[0] == coord)
        return fact("choice.token_hex", hex=coord, name=t.map.hexes[coord].name, price=price)

    def other_hex_refusal(coord: Any) -> Fact | None:
        if coord in hexes:
            return None
        return fact("token.elsewhere", company=t.company.id, hexes=tuple(hexes))

    return t.offer(
        "place_token",
        t.company.id,
        fact("offer.place_a_token"),
        Slot("hex", lambda _: FilteredChoices(hexes, other_hex_refusal, hex_label)),
        Slot(
            "city",
            lambda c: FilteredChoices(
                range(len(t.map.topology(c["hex"]).stops)),
                lambda city: (
                    None
                    if (c["hex"], city) in price_by_stop
                    else fact("token.not_this_city", company=t.company.id, hex=c["hex"], city=city)
                ),
                lambda city: fact("choice.city", number=city + 1),
            ),
        ),
        suggest=lambda: [
            Suggestion(
                fact("choice.token", spot=city_label(t, *stop), price=price),
                {"hex": stop[0], "city": stop[1]},
            )
            for stop, price in price_by_stop.items()
        ],
    )


class ChicagoTokenStep(AnytimeStep):
    """C&WI private: at any time in its turn, the owning company places one free token in Chicago, connected or not.

    Rules: R-1846-082.
    """

    name = "chicago_token"
    kinds = frozenset({"place_token"})

    def offers(self, t: Table) -> Iterator[Offer]:
        if _chicago_obstacle(t) is None:
            yield _chicago_offer(t)

    def apply(self, t: Table, action: PlaceToken) -> None:
        t.map.place_token(action.hex, action.city, t.company.id)
        t.state.privates[CWI].power_used = True
        t.state.fresh.tokens.append((action.hex, action.city))
        t.emit(TokenPlaced(t.company.id, action.hex, 0, t.company.cash))

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        return (
            _chicago_obstacle(t)
            if request.entity == CWI
            else TrackAndTokenStep().misplaced_obstacle(t, request)
        )


def _chicago_obstacle(t: Table) -> Fact | None:
    private, company = t.state.privates[CWI], t.company.id
    if private.owner != company or t.company.is_in_receivership:
        return fact("midwest.token_for_its_owner", private=CWI, company=company)
    if private.power_used:
        return fact("midwest.token_placed", private=CWI)
    coord, city = CWI_CITY
    if any(place == coord for place, _ in t.map.token_stops_of(company)):
        return fact("midwest.has_token_in_chicago", company=company)
    if not t.map.has_space_for(coord, city, company):
        return fact("midwest.city_taken", private=CWI, hex=coord, city=city + 1)
    return None


def _chicago_offer(t: Table) -> Offer:
    coord, city = CWI_CITY
    wrong_city_refusal = fact("midwest.only_this_city", private=CWI, hex=coord, city=city + 1)
    label = fact("offer.chicago_token", private=CWI)
    return t.offer(
        "place_token",
        CWI,
        label,
        Slot(
            "hex",
            lambda _: FilteredChoices([coord], lambda hex_: None if hex_ == coord else wrong_city_refusal),
        ),
        Slot(
            "city",
            lambda _: FilteredChoices(
                [city],
                lambda wanted: None if wanted == city else wrong_city_refusal,
                lambda wanted: fact("choice.city", number=wanted + 1),
            ),
        ),
        suggest=lambda: [Suggestion(label, {"hex": coord, "city": city})],
        blocking=False,
    )
