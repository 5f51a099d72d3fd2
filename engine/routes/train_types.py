"""Train types on a graph: what a train earns at each stop, how many stops it counts, and its bonuses."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

from engine.board.map import Map
from engine.core.ids import CompanyId, Coord, TrainName
from engine.routes.graph import Graph
from engine.routes.revenue_rules import RouteRules

_MAX_STOPS_FOR_WALKS: Final = 8
"""Maximum limit of stops for which walks (see `walks`) give a useful bound; longer walks can go in circles."""


@dataclass(frozen=True, slots=True)
class WholeRouteRevenue:
    """Revenue rule of a train whose routes do not simply earn the sum of their stops, in dollars."""

    values: tuple[int, ...]
    """Values of the stops: the dollars of each stop if the train is paid for it."""
    max_paid_stops: int | None
    """Maximum number of stops that the train is paid for: the best ones, including one of `tokens`. None: all stops."""
    tokens: frozenset[int]
    east_bonuses: tuple[int, ...]
    west_bonuses: tuple[int, ...]
    """Extra dollars of each western stop (0: not western), if the route is paid for an eastern and a western stop."""
    dollars_per_visit: int = 0
    """Extra dollars for each visited stop, paid or not."""

    def upper_bounds(self) -> tuple[int, ...]:
        """For each stop, the highest number of dollars that it can add to a route."""
        return tuple(
            sum(dollars) + self.dollars_per_visit
            for dollars in zip(self.values, self.east_bonuses, self.west_bonuses, strict=True)
        )

    def revenue_of(self, stops: Sequence[int]) -> int:
        """Revenue in dollars of a route over these stops."""
        paid_stop_count = len(stops) if self.max_paid_stops is None else min(self.max_paid_stops, len(stops))
        return self.dollars_per_visit * len(stops) + max(
            self._revenue_of_paid_stops(paid_stops)
            for paid_stops in combinations(stops, paid_stop_count)
            if not self.tokens.isdisjoint(paid_stops)
        )

    def _revenue_of_paid_stops(self, stops: Sequence[int]) -> int:
        east_dollars, west_dollars = (
            sum([self.east_bonuses[stop] for stop in stops]),
            sum([self.west_bonuses[stop] for stop in stops]),
        )
        return sum([self.values[stop] for stop in stops]) + (
            east_dollars + west_dollars if east_dollars and west_dollars else 0
        )


@dataclass(frozen=True, slots=True)
class TrainType:
    """A train type on a graph: what it earns at each stop, and how many stops it counts.

    `values` are the dollars of each stop. `counts` is 1 for a stop that counts against `limit`, else 0. The train may
    pass `optional_stops` stops without counting them. `bonuses` are the bonuses it can earn.
    """

    values: tuple[int, ...]
    counts: tuple[int, ...]
    limit: int
    bonuses: tuple["RouteBonus", ...] = ()
    optional_stops: frozenset[int] = frozenset()
    whole_route_revenue: WholeRouteRevenue | None = None
    """The train's revenue rule, if its routes do not earn the sum of `values`; `values` are upper bounds then."""

    @property
    def is_short(self) -> bool:
        """True if the train counts so few stops that walks (see `walks`) give a good bound for routes."""
        return self.limit <= _MAX_STOPS_FOR_WALKS

    def value_of(self, stops: Collection[int]) -> int:
        """Dollars of a route over these stops, without bonuses. Above the limit, only the best optional stops count."""
        if self.whole_route_revenue is not None:
            return self.whole_route_revenue.revenue_of(tuple(stops))
        if not self.optional_stops:
            return sum([self.values[stop] for stop in stops])
        total_value, stops_left, optional_values = 0, self.limit, list[int]()
        for stop in stops:
            if stop in self.optional_stops:
                optional_values.append(self.values[stop])
            else:
                total_value += self.values[stop]
                stops_left -= self.counts[stop]
        optional_values.sort(reverse=True)
        return total_value + sum(optional_values[:stops_left])

    def upper_bound(self) -> int:
        """An upper bound in dollars for any route: the best stops within the limit, all free stops, all bonuses."""
        counted_values = sorted(
            (value for value, count in zip(self.values, self.counts, strict=True) if count), reverse=True
        )
        free_values = sum(value for value, count in zip(self.values, self.counts, strict=True) if not count)
        return sum(counted_values[: self.limit]) + free_values + sum(bonus.value for bonus in self.bonuses)


@dataclass(frozen=True, slots=True)
class RouteBonus:
    """A bonus of `value` dollars for routes that visit at least one stop of each of the `places` (bit masks of stops).

    If `mask` is a bit, only one route of a set can earn the bonus, as if it were track. If `mask` is 0, each route can.
    """

    mask: int
    places: tuple[int, ...]
    value: int

    def is_won_by(self, stops: int) -> bool:
        """True if a route that visits these stops can earn the bonus."""
        return all(stops & place for place in self.places)


def track_bit_count(graph: Graph) -> int:
    """The number of bits that masks of this graph's track need."""
    return max((link.mask.bit_length() for links in graph.links for link in links), default=0)


def route_bonuses(graph: Graph, rules: RouteRules) -> tuple[RouteBonus, ...]:
    """The bonuses of the rules whose hexes are all on this graph."""
    if not rules.bonuses:
        return ()
    first_free_bit = track_bit_count(graph)
    bonuses = [(tuple(_stop_mask_of_hex(graph, hex_) for hex_ in sorted(b.hexes)), b) for b in rules.bonuses]
    reachable_bonuses = [(stop_masks, bonus) for stop_masks, bonus in bonuses if all(stop_masks)]
    return tuple(
        RouteBonus(0 if bonus.is_for_each_train else 1 << (first_free_bit + i), stop_masks, bonus.value)
        for i, (stop_masks, bonus) in enumerate(reachable_bonuses)
    )


def _stop_mask_of_hex(graph: Graph, coord: Coord) -> int:
    return sum(1 << number for number, (hex_, _) in enumerate(graph.stops) if hex_ == coord)


def train_type_of(
    board: Map,
    company: CompanyId,
    graph: Graph,
    train: TrainName,
    rules: RouteRules,
    bonuses: tuple[RouteBonus, ...] = (),
) -> TrainType:
    """The train type on this graph: its revenue at each stop, its limit of stops, and its bonuses."""
    route_revenue, train_rules = (
        _whole_route_revenue(board, company, graph, train, rules),
        rules.trains[train],
    )
    limit = train_rules.max_stops if train_rules.max_visits is None else train_rules.max_visits
    return TrainType(
        values=_values_of(board, company, graph, train, rules)
        if route_revenue is None
        else route_revenue.upper_bounds(),
        counts=tuple(int(rules.is_counted(board, stop, train)) for stop in graph.stops),
        limit=len(graph.stops) if limit is None else limit,
        bonuses=bonuses,
        optional_stops=frozenset(
            i for i, stop in enumerate(graph.stops) if rules.may_pass_by(board, stop, train)
        ),
        whole_route_revenue=route_revenue,
    )


def _values_of(
    board: Map, company: CompanyId, graph: Graph, train: TrainName, rules: RouteRules
) -> tuple[int, ...]:
    return tuple(rules.value(board, company, stop, train) for stop in graph.stops)


def _whole_route_revenue(
    board: Map, company: CompanyId, graph: Graph, train: TrainName, rules: RouteRules
) -> WholeRouteRevenue | None:
    """The train's revenue rule for whole routes; None if revenue is the sum of the stops."""
    train_rules = rules.trains[train]
    if train_rules.max_visits is None and not (rules.east_dollars_by_hex and rules.west_dollars_by_hex):
        return None
    return WholeRouteRevenue(
        _values_of(board, company, graph, train, rules),
        None if train_rules.max_visits is None else train_rules.max_stops,
        frozenset(graph.tokens),
        tuple(rules.east_dollars_by_hex.get(coord, 0) for coord, _ in graph.stops),
        tuple(rules.west_dollars_by_hex.get(coord, 0) for coord, _ in graph.stops),
    )


def train_types_with_mail(train_types: list[TrainType], dollars: int) -> list[list[TrainType]]:
    """The lists of train types to search, one for each train type that could carry the mail.

    In each list, mail raises the revenue of one train type by `dollars` for each stop. Without mail or without trains,
    the only list is `train_types`.
    """
    if not dollars or not train_types:
        return [train_types]
    index_by_type = {train_type: number for number, train_type in enumerate(train_types)}
    return [
        [*train_types[:number], _add_mail_dollars(train_type, dollars), *train_types[number + 1 :]]
        for train_type, number in index_by_type.items()
    ]


def _add_mail_dollars(train_type: TrainType, dollars: int) -> TrainType:
    route_revenue = train_type.whole_route_revenue and replace(
        train_type.whole_route_revenue, dollars_per_visit=dollars
    )
    return replace(
        train_type,
        values=tuple(value + dollars for value in train_type.values),
        whole_route_revenue=route_revenue,
    )
