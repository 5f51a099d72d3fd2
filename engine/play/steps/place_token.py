"""Placing station tokens, paid ones and the free one that comes with a private's tile (18Chesapeake 7.1, 11.4)."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from engine.board.map import StopId
from engine.board.network import reached_stops, reaches_stop
from engine.core.actions import Pass, PlaceToken
from engine.core.events import ObjectiveReached, Passed, TokenPlaced
from engine.core.facts import Fact, fact
from engine.core.ids import BANK, Coord, PrivateId
from engine.core.memory import LazySequence
from engine.core.offers import Choice, Choices, FilteredChoices, Offer, Slot, Suggestion, UnlistedChoices
from engine.core.spec import StationPower, TitleSpec
from engine.play.steps.base import CompanyStep, Request, Step
from engine.play.table import Table
from engine.play.token_prices_and_purchases import next_token_price, take_next_token


class TokenStep(CompanyStep):
    """Place one token a turn, in a city that the company reaches, at the next price on its charter.

    Rules: R-AL-130, R-CH-112, R-NE-075, R-TN-130.
    """

    name = "token"
    kinds = frozenset({"place_token", "pass"})

    def offers(self, t: Table) -> Iterator[Offer]:
        has_placement_offer = False
        for offer in (*self.placement_offers(t), *power_placement_offers(t)):
            has_placement_offer = True
            yield offer
        if has_placement_offer:
            yield self.end_step_offer(t)

    def end_step_offer(self, t: Table) -> Offer:
        return t.offer("pass", t.company.id, fact("offer.no_token"))

    def placement_offers(self, t: Table) -> Iterator[Offer]:
        """Legal token placements in cities that the company reaches and that have a free space."""
        price = next_token_price(t.company)
        if price is not None and token_obstacle(t) is None:
            label = fact("offer.place_token", price=price)
            yield from token_placement_offers(
                t, "place_token", label, price, partial(fact, "choice.token", price=price)
            )

    def stations_per_turn(self, t: Table) -> int:
        """Number of tokens that the company can place per turn."""
        return 1

    def apply(self, t: Table, action: Any) -> None:
        if isinstance(action, Pass):
            t.emit(Passed(action.entity, fact("declined.token")))
            self.close(t)
        elif action.entity in t.state.privates:
            t.state.privates[action.entity].power_used = True
            place_next_station(t, action.hex, action.city, 0)
            self.close(t)
        else:
            self.place_station(t, action)
            if t.turn.stations + 1 < self.stations_per_turn(t):
                t.turn.stations += 1
            else:
                self.close(t)

    def place_station(self, t: Table, action: PlaceToken) -> None:
        """Place the company's next token."""
        price = next_token_price(t.company)
        assert price is not None
        place_next_station(t, action.hex, action.city, price)

    def skip_reason(self, t: Table) -> Fact | None:
        """The reason for skipping: the next token is too expensive, or no city can take it."""
        price, cash = next_token_price(t.company), t.company.cash
        if price is None:
            return None
        return fact("skipped.too_dear", price=price, cash=cash) if price > cash else fact("skipped.nowhere")

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        if request.kind == "place_token" and request.entity not in {None, t.company.id}:
            return None
        return token_obstacle(t) or fact("token.decides_now", company=t.company.id)

    def misplaced_obstacle(self, t: Table, request: Request) -> Fact:
        """The error message for a token in another part of the turn, or if the company cannot place any token."""
        is_token_impossible = self.name in t.turn.done or next_token_price(t.company) is None
        return (token_obstacle(t) if is_token_impossible else None) or super().misplaced_obstacle(t, request)


def power_placement_offers(t: Table) -> Iterator[Offer]:
    """Legal token placements by the company's privates, free and unconnected."""
    for name, hexes in t.spec.cached(_station_powers):
        private = t.state.privates[name]
        if private.owner != t.company.id or private.power_used or next_token_price(t.company) is None:
            continue
        token_stops = [
            (coord, city)
            for coord in hexes
            if _closed_hex_obstacle(t, coord) is None
            for city in range(len(t.map.topology(coord).stops))
            if t.map.has_space_for(coord, city, t.company.id)
        ]
        if token_stops:
            yield _power_placement_offer(t, name, token_stops)


def _station_powers(spec: TitleSpec) -> list[tuple[PrivateId, tuple[Coord, ...]]]:
    return [
        (name, power.hexes)
        for name, private in spec.privates.items()
        for power in private.powers
        if isinstance(power, StationPower)
    ]


def _power_placement_offer(t: Table, private: PrivateId, token_stops: Sequence[StopId]) -> Offer:
    hexes = list(dict.fromkeys(coord for coord, _ in token_stops))
    label = fact("offer.token_by", private=private)
    return t.offer(
        "place_token",
        private,
        label,
        Slot(
            "hex",
            lambda _: Choices(
                [Choice(coord) for coord in hexes],
                lambda coord: fact("privates.other_hexes", private=private, hexes=tuple(hexes), hex=coord),
            ),
        ),
        Slot(
            "city",
            lambda c: Choices(
                [
                    Choice(city, fact("choice.city", number=city + 1))
                    for coord, city in token_stops
                    if coord == c["hex"]
                ],
                lambda city: fact("token.not_this_city", company=t.company.id, hex=c["hex"], city=city),
            ),
        ),
        suggest=lambda: [Suggestion(label, {"hex": coord, "city": city}) for coord, city in token_stops],
    )


def place_token_of_turn(t: Table, coord: Coord, city: int, price: int) -> None:
    """Place the company's next token at this price; it counts as the turn's token."""
    place_next_station(t, coord, city, price)
    t.turn.done.append(TokenStep.name)


def place_next_station(t: Table, coord: Coord, city: int, price: int) -> None:
    """Pay this price for the company's next token and place it.

    Rules: R-AL-133, R-AL-134, R-AL-135, R-NE-075, R-TN-130.
    """
    t.pay(t.company.id, BANK, price)
    take_next_token(t.company)
    t.map.place_token(coord, city, t.company.id)
    t.state.fresh.tokens.append((coord, city))
    t.emit(TokenPlaced(t.company.id, coord, price, t.company.cash))
    objective = t.spec.companies[t.company.id].objective
    if objective is not None and objective.hex == coord:
        t.pay(BANK, t.company.id, objective.bonus)
        t.emit(ObjectiveReached(t.company.id, coord, objective.bonus))


def token_placement_offers(
    t: Table,
    kind: str,
    label: Fact,
    price: int,
    label_of: Callable[..., Fact],
    *,
    needs_no_space: bool = False,
    confirm: bool = False,
) -> Iterator[Offer]:
    """The legal actions of placing a token in a city that the company reaches.

    `label_of` makes a button's label for a city. `needs_no_space`: the token needs no free space.
    """
    placeable_stops = LazySequence(_placeable_stops(t, needs_no_space=needs_no_space))
    if any(
        _can_place_token_at(t, stop, needs_no_space=needs_no_space)
        for stop in reached_stops(t.map, t.company.id)
    ):
        yield t.offer(
            kind,
            t.company.id,
            label,
            Slot(
                "hex",
                lambda _: UnlistedChoices(
                    LazySequence(_hexes_of_stops(placeable_stops)),
                    lambda coord: hex_obstacle(t, coord, needs_no_space=needs_no_space),
                    lambda coord: fact(
                        "choice.token_hex", hex=coord, name=t.map.hexes[coord].name, price=price
                    ),
                ),
            ),
            Slot(
                "city",
                lambda c: FilteredChoices(
                    range(len(t.map.topology(c["hex"]).stops)),
                    lambda city: city_obstacle(t, c["hex"], city, needs_no_space=needs_no_space),
                    lambda city: fact("choice.city", number=city + 1),
                ),
            ),
            suggest=lambda: [
                Suggestion(label_of(spot=city_label(t, *stop)), dict(zip(("hex", "city"), stop, strict=True)))
                for stop in placeable_stops
            ],
            confirm=confirm,
        )


def city_label(t: Table, coord: Coord, city: int) -> Fact:
    """A city as text: its hex, and a number if the hex has several cities."""
    name = t.map.hexes[coord].name
    if len(t.map.topology(coord).stops) == 1:
        return fact("choice.spot", hex=coord, name=name)
    return fact("choice.spot_of_several", hex=coord, name=name, city=city + 1)


def _placeable_stops(t: Table, *, needs_no_space: bool) -> Iterator[StopId]:
    placeable_stops = [
        s
        for s in reached_stops(t.map, t.company.id)
        if _can_place_token_at(t, s, needs_no_space=needs_no_space)
    ]
    yield from sorted(placeable_stops, key=lambda stop: (t.map.coords.index(stop[0]), stop[1]))


def _hexes_of_stops(stops: Iterable[StopId]) -> Iterator[Coord]:
    yield from dict.fromkeys(coord for coord, _ in stops)


def _can_place_token_at(t: Table, stop: StopId, *, needs_no_space: bool) -> bool:
    return (
        _can_take_station(t, *stop, needs_no_space=needs_no_space)
        and _closed_hex_obstacle(t, stop[0]) is None
    )


# --- obstacles ---------------------------------------------------------------------------------------------------


def token_obstacle(t: Table) -> Fact | None:
    """The refusal if no token is left or the next is too expensive; None if the company can pay for a token."""
    company = t.company
    price = next_token_price(company)
    if price is None:
        extra_tokens = company.extra
        has_special_tokens = extra_tokens is not None and (extra_tokens.bulls or extra_tokens.reserved)
        return fact("token.only_special" if has_special_tokens else "token.none_left", company=company.id)
    if price > company.cash:
        return fact("token.too_dear", company=company.id, price=price, cash=company.cash)
    return None


def hex_obstacle(t: Table, coord: Any, *, needs_no_space: bool = False) -> Fact | None:
    """The most specific rule that forbids a token in the hex; None if there is none (18Chesapeake 11.4).

    Rules: R-AL-130, R-AL-131, R-C2C-130, R-C2C-131, R-CH-112, R-NE-075, R-NE-077, R-TN-130, D-NE-14.
    """
    closed_obstacle = _closed_hex_obstacle(t, coord)
    if closed_obstacle is not None:
        return closed_obstacle
    company, cities = t.company.id, range(len(t.map.topology(coord).stops))
    if not any(reaches_stop(t.map, company, (coord, city)) for city in cities):
        return fact("token.not_reached", company=company, hex=coord)
    if all(city_obstacle(t, coord, city, needs_no_space=needs_no_space) for city in cities):
        return fact("token.no_slot", company=company, hex=coord)
    return None


def _closed_hex_obstacle(t: Table, coord: Any) -> Fact | None:
    company = t.company.id
    if coord not in t.map.hexes:
        return fact("unknown.hex", hex=coord)
    if any(coord == token_coord for token_coord, _ in t.map.token_stops_of(company)):
        return fact("token.one_a_hex", company=company, hex=coord)
    if not any(stop.kind == "city" for stop in t.map.topology(coord).stops):
        return fact("token.no_city", hex=coord)
    return None


def space_obstacle(t: Table, coord: Coord, city: int) -> Fact | None:
    """The rule that forbids a token of the company in this city, reached or not; None if there is none."""
    closed_obstacle = _closed_hex_obstacle(t, coord)
    if closed_obstacle is not None:
        return closed_obstacle
    city_count = len(t.map.topology(coord).stops)
    if city >= city_count:
        return fact("token.no_such_city", hex=coord, cities=city_count)
    is_free = t.map.has_space_for(coord, city, t.company.id)
    return None if is_free else fact("token.no_slot", company=t.company.id, hex=coord)


def city_obstacle(t: Table, coord: Coord, city: Any, *, needs_no_space: bool = False) -> Fact | None:
    """The rule that forbids a token of the company in this city; None if there is none."""
    stops, company = t.map.topology(coord).stops, t.company.id
    if city not in range(len(stops)):
        return fact("token.no_such_city", hex=coord, cities=len(stops))
    if _can_take_station(t, coord, city, needs_no_space=needs_no_space) and reaches_stop(
        t.map, company, (coord, city)
    ):
        return None
    return fact("token.not_this_city", company=company, hex=coord, city=city + 1)


def _can_take_station(t: Table, coord: Coord, city: int, *, needs_no_space: bool) -> bool:
    is_city = t.map.topology(coord).stops[city].kind == "city"
    return t.map.has_space_for(coord, city, t.company.id) or (needs_no_space and is_city)


class FreeTokenStep(Step):
    """Place the next token free on the tile that a private has just laid, or pass.

    Rules: R-CH-103.
    """

    name = "free_token"
    kinds = frozenset({"place_token", "pass"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """The legal placement of the free token on the tile just laid; none if the city has no free space."""
        private = t.turn.free_token
        if private is None:
            return
        coord = t.turn.lays[-1]
        if not t.map.has_space_for(coord, 0, t.company.id):
            return
        label = fact("offer.free_token", hex=coord)
        yield t.offer(
            "place_token",
            private,
            label,
            Slot(
                "hex",
                lambda _: Choices(
                    [Choice(coord)],
                    lambda h: fact("privates.free_token_elsewhere", private=private, place=coord, hex=h),
                ),
            ),
            Slot(
                "city",
                lambda _: Choices(
                    [Choice(0, fact("choice.the_city"))], lambda _c: fact("privates.one_city", hex=coord)
                ),
            ),
            suggest=lambda: [Suggestion(label, {"hex": coord, "city": 0})],
        )
        yield t.offer("pass", private, fact("offer.no_free_token", private=private))

    def apply(self, t: Table, action: PlaceToken | Pass) -> None:
        """Place the free token as the turn's token, or pass. After a pass, a normal token is still possible."""
        t.turn.free_token = None
        if isinstance(action, Pass):
            t.emit(Passed(t.company.id, fact("declined.free_token")))
            return
        place_token_of_turn(t, action.hex, action.city, 0)

    def skip(self, t: Table) -> None:
        """Give up the free token, because the city has no free space."""
        t.turn.free_token = None

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        if t.turn.free_token is None:
            return None
        return fact("privates.free_token_first", company=t.company.id, private=t.turn.free_token)
