"""The best routes for a company's trains, with a proof that none are better.

A candidate route is the route of one train on the graph of stops. The search gives each piece of track a shadow price
(a Lagrange multiplier), which no company pays. At any shadow prices, the trains together earn at most the sum of all
shadow prices plus, for each train, its best revenue alone minus the shadow prices of the track it uses: since trains
share no track, no shadow price is subtracted twice. Any shadow prices therefore give an upper bound. Raising those of
track that several trains want lowers this bound towards the possible revenue.

The gap is the difference between the upper bound and the known revenue. In a set of routes that is better than the best
known set, each route is less than the gap below its train's best route. The search lists these routes, and the best set
among them proves the result. Listing is fast for trains that count few stops. If it takes too long, decision diagrams
of all routes take over (see `several_trains`); their size hardly depends on the length of routes. Graphs too large for
diagrams, and bonuses, are left to listing. Finally, `check_routes` confirms the result.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from math import gcd
from operator import or_
from typing import Final, NamedTuple, TypeAlias

from engine.board.map import Map, StopId
from engine.board.track import PieceId
from engine.core.ids import CompanyId, TrainName
from engine.routes.disjoint_set import best_disjoint_set
from engine.routes.graph import Graph, company_graph, without_stops, without_track
from engine.routes.legal_routes import Route, Run, check_routes
from engine.routes.revenue_rules import RouteRules
from engine.routes.several_trains import DiagramResult, search_by_diagrams
from engine.routes.single_train import (
    GraphRoute,
    RouteFinder,
    WorkBudget,
    WorkBudgetExhausted,
)
from engine.routes.train_types import (
    TrainType,
    route_bonuses,
    track_bit_count,
    train_type_of,
    train_types_with_mail,
)

WORK_LIMIT: Final = 1_000_000
"""Maximum work of a search. One unit is one visited stop; work on diagrams is converted to this unit."""
WORK_BEFORE_DIAGRAMS: Final = 40
"""Number of stops visited before decision diagrams are tried, because building diagrams takes longer."""
_SHORT_TRAIN_WORK_FACTOR: Final = 60
"""Multiplier of `WORK_BEFORE_DIAGRAMS` for trains that count few stops."""
_SMALL_GRAPH_STOPS: Final = 36
_SINGLE_TRAIN_WORK_FACTOR: Final = 300
"""Multiplier of `WORK_BEFORE_DIAGRAMS` for a single train, which hardly ever needs diagrams."""
_LISTING_WORK_TIMES_GAP: Final = 5_000
"""Work for listing routes before diagrams are tried; it is divided by the gap in units of revenue."""
_FIRST_LISTING_WORK: Final = 140
_SET_SEARCH_WORK: Final = 2_000
_RETRY_IF_GAP_SHRINKS_TO: Final = 0.75


@dataclass(frozen=True, slots=True)
class BestRoutes:
    """The best routes found, their revenue in dollars, and an upper bound for the revenue of any routes.

    `is_proven` is True if no routes can earn more.
    """

    routes: tuple[Route, ...]
    runs: tuple[Run, ...]
    value: int
    is_proven: bool
    upper_bound: int


KnownSolutions: TypeAlias = dict[Hashable, "Solution"]
"""A cache of known solutions, by the inputs of the search; searches on several boards can share it."""


def best_routes(
    board: Map,
    company: CompanyId,
    trains: Sequence[TrainName],
    rules: RouteRules,
    *,
    work_limit: int = WORK_LIMIT,
    known_solutions: KnownSolutions | None = None,
    closed_stops: frozenset[StopId] = frozenset(),
) -> BestRoutes:
    """The most valuable legal routes for these trains, none of them through `closed_stops`.

    `work_limit` is the maximum number of stops visited; `known_solutions` is a cache that is read and extended.
    """
    graph = company_graph(board, company)
    if closed_stops:
        graph = without_stops(graph, closed_stops)
    bonuses = route_bonuses(graph, rules)
    fleet = rules.separate_trains(trains)
    type_by_train = {
        train: train_type_of(board, company, graph, train, rules, bonuses) for train in dict.fromkeys(fleet)
    }
    train_sets = train_types_with_mail([type_by_train[train] for train in fleet], rules.mail_dollars)
    solutions = [
        _cached_solution(graph, train_types, work_limit, known_solutions) for train_types in train_sets
    ]
    best = max(solutions, key=lambda solution: sum(route.value for route in solution.routes if route))
    upper_bound = max(solution.upper_bound for solution in solutions)
    routes = tuple(
        Route(train, pieces_of(route))
        for train, route in zip(fleet, best.routes, strict=True)
        if route is not None
    )
    runs = check_routes(board, company, trains, routes, rules)
    value = sum(run.value for run in runs)
    return BestRoutes(routes, runs, value, value == upper_bound, upper_bound)


class Solution(NamedTuple):
    """The best route found for each train in the search, and an upper bound for their total revenue."""

    routes: list[GraphRoute | None]
    upper_bound: int


def solve(graph: Graph, train_types: list[TrainType], work_limit: int) -> Solution:
    """The best routes on a graph for these train types, sharing no track."""
    search = _Search(graph, train_types, work_limit)
    search.run()
    return Solution(search.routes, search.upper_bound)


def _cached_solution(
    graph: Graph, train_types: list[TrainType], work_limit: int, known_solutions: KnownSolutions | None
) -> Solution:
    """The solution of a search, from the cache if it has one; boards with the same track share solutions."""
    if known_solutions is None:
        return solve(graph, train_types, work_limit)
    links = tuple(
        tuple((link.to_stop, link.mask, link.chain.pieces) for link in stop_links)
        for stop_links in graph.links
    )
    other_inputs = (graph.areas, graph.passable, graph.tokens, tuple(train_types), work_limit)
    cache_key = (graph.stops, links, other_inputs)
    if cache_key not in known_solutions:
        known_solutions[cache_key] = solve(graph, train_types, work_limit)
    return known_solutions[cache_key]


def pieces_of(route: GraphRoute) -> tuple[PieceId, ...]:
    """The pieces of track of a route on the graph, in travelling order."""
    first_arm, second_arm = route.arms
    outward_pieces = [piece for link in second_arm for piece in link.chain.pieces]
    backward_pieces = [(coord, b, a) for link in first_arm for coord, a, b in link.chain.pieces]
    return (*reversed(backward_pieces), *outward_pieces)


class _PricedSearch(NamedTuple):
    prices: list[int]
    finders: list[RouteFinder]
    best_by_type: list[GraphRoute | None]
    bound: int


class _Search:
    """A search; `routes` are the best known routes, one for each train, and `value` is their revenue in dollars."""

    def __init__(self, graph: Graph, train_types: list[TrainType], work_limit: int) -> None:
        self._graph = graph
        self._budget = WorkBudget(work_limit)
        self._work_limit = work_limit
        self._train_types = list(dict.fromkeys(train_types))
        self._kind_by_train = [self._train_types.index(train_type) for train_type in train_types]
        self._known_routes_by_kind: list[dict[int, GraphRoute]] = [{} for _ in self._train_types]
        bonuses = train_types[0].bonuses if train_types else ()
        values = [value for train_type in train_types for value in train_type.values]
        self._unit = gcd(*values, *(bonus.value for bonus in bonuses)) or 1
        self._bit_count = track_bit_count(graph) + len(bonuses)
        self.routes: list[GraphRoute | None] = [None] * len(train_types)
        self.value = 0
        self.upper_bound = sum(train_type.upper_bound() for train_type in train_types)

    def run(self) -> None:
        """Search until the best routes are proven or the work limit is reached."""
        first_work_limit = min(self._work_limit, self._first_work_limit())
        self._budget.units_left = first_work_limit
        if self._proves_best(self._prove_by_listing):
            return
        prices = [0.0] * self._bit_count
        self._budget.units_left += self._work_limit - first_work_limit
        solution = self._search_by_diagrams()
        if solution is not None:
            if solution.routes is not None:
                self.routes = solution.routes
                self.value = sum(route.value for route in solution.routes if route)
            self.upper_bound = min(self.upper_bound, solution.upper_bound - solution.upper_bound % self._unit)
            if solution.is_proven:
                return
            prices = [float(price) for price in solution.prices] or prices
        self._proves_best(lambda: self._prove_by_prices(prices))

    def _first_work_limit(self) -> int:
        if len(self._kind_by_train) == 1:
            return WORK_BEFORE_DIAGRAMS * _SINGLE_TRAIN_WORK_FACTOR
        short_factor = (
            _SHORT_TRAIN_WORK_FACTOR * _SMALL_GRAPH_STOPS // max(_SMALL_GRAPH_STOPS, len(self._graph.stops))
        )
        return WORK_BEFORE_DIAGRAMS * (
            short_factor if all(train_type.is_short for train_type in self._train_types) else 1
        )

    def _search_by_diagrams(self) -> DiagramResult | None:
        """Search with decision diagrams; None if bonuses can be earned, because diagrams do not include bonuses."""
        train_types = [self._train_types[kind] for kind in self._kind_by_train]
        if any(train_type.bonuses or train_type.whole_route_revenue for train_type in train_types):
            return None
        return search_by_diagrams(self._graph, train_types, self.value, self._unit, self._budget)

    def _proves_best(self, method: Callable[[], None]) -> bool:
        try:
            method()
        except WorkBudgetExhausted:
            self._take_best_set(self._known_routes_by_value(), (), WorkBudget(_SET_SEARCH_WORK))
        return self.value == self.upper_bound

    def _prove_by_listing(self) -> None:
        """Try to prove the best routes by listing, without shadow prices; enough if trains hardly compete for track."""
        priced_search = self._search_at_prices([0] * self._bit_count)
        if not self._take_top_routes_if_disjoint(priced_search.best_by_type):
            self._take_best_set(self._known_routes_by_value(), (), WorkBudget(_SET_SEARCH_WORK))
        self._reduce_upper_bound(priced_search)
        if self.value == self.upper_bound or self._list_candidate_routes(priced_search, _FIRST_LISTING_WORK):
            return
        self._improve_greedily(priced_search.best_by_type)
        gap = (self.upper_bound - self.value) // self._unit
        if gap:
            self._list_candidate_routes(priced_search, _LISTING_WORK_TIMES_GAP // gap)

    def _take_top_routes_if_disjoint(self, top_routes: Sequence[GraphRoute | None]) -> bool:
        routes = [top_routes[kind] for kind in self._kind_by_train]
        route_masks = [route.mask for route in routes if route]
        is_disjoint = sum(route_masks) == reduce(or_, route_masks, 0)
        if is_disjoint:
            self.routes, self.value = routes, sum(route.value for route in routes if route)
        return is_disjoint

    def _reduce_upper_bound(self, priced_search: _PricedSearch) -> None:
        self.upper_bound = min(
            self.upper_bound, max(self.value, priced_search.bound - priced_search.bound % self._unit)
        )

    def _prove_by_prices(self, shadow_prices: list[float]) -> None:
        lowest_bound_search: _PricedSearch | None = None
        gap_when_last_listed = work_when_last_listed = 0
        while True:
            priced_search = self._search_at_prices([round(price) for price in shadow_prices])
            self._take_best_set(self._known_routes_by_value(), (), WorkBudget(_SET_SEARCH_WORK))
            if lowest_bound_search is None or priced_search.bound < lowest_bound_search.bound:
                lowest_bound_search = priced_search
                self._reduce_upper_bound(priced_search)
            if self.value >= self.upper_bound:
                return
            current_gap, work_done = (
                lowest_bound_search.bound - self.value,
                self._work_limit - self._budget.units_left,
            )
            is_gap_smaller = current_gap <= gap_when_last_listed * _RETRY_IF_GAP_SHRINKS_TO
            if not work_when_last_listed or is_gap_smaller or work_done >= work_when_last_listed * 2:
                if self._list_candidate_routes(lowest_bound_search, work_done // 2):
                    return
                gap_when_last_listed, work_when_last_listed = current_gap, work_done
            shadow_prices = self._adjusted_prices(shadow_prices, priced_search)

    def _search_at_prices(self, prices: list[int]) -> _PricedSearch:
        finders = [RouteFinder(self._graph, train_type, prices) for train_type in self._train_types]
        top_routes = [self._best_route(kind, finder, prices) for kind, finder in enumerate(finders)]
        net_values = [route.net_value if route else 0 for route in top_routes]
        return _PricedSearch(
            prices, finders, top_routes, sum(prices) + sum(net_values[kind] for kind in self._kind_by_train)
        )

    def _best_route(self, kind: int, finder: RouteFinder, prices: list[int]) -> GraphRoute | None:
        known_routes = self._known_routes_by_kind[kind]
        best_known = max(
            (route.with_prices(prices) for route in known_routes.values()),
            key=lambda route: route.net_value,
            default=None,
        )
        if best_known is not None and best_known.net_value <= 0:
            best_known = None
        better_routes: list[GraphRoute] = []
        try:
            finder.find_better(best_known.net_value + 1 if best_known else 1, better_routes, self._budget)
        finally:
            known_routes.update((route.mask, route) for route in better_routes)
        return better_routes[-1] if better_routes else best_known

    def _improve_greedily(self, top_routes: Sequence[GraphRoute | None]) -> None:
        """Improve the known set: one train takes its best route, then each other train its best route on unused track.

        `top_routes` has the best route of each train type on all track. Longer trains choose first.
        """
        trains_longest_first = sorted(
            range(len(self._kind_by_train)),
            key=lambda train: -self._train_types[self._kind_by_train[train]].limit,
        )
        for first_train in {self._kind_by_train[train]: train for train in trains_longest_first}.values():
            if self.value < self.upper_bound:
                self._try_alongside(
                    first_train, [train for train in trains_longest_first if train != first_train], top_routes
                )

    def _try_alongside(
        self, first_train: int, other_trains: Sequence[int], top_routes: Sequence[GraphRoute | None]
    ) -> None:
        """Give one train its best route, then the others in order their best routes on unused track.

        This ends as soon as the revenue of the best known routes can no longer be exceeded.
        """
        values_alone = [
            route.value if route else 0 for route in (top_routes[kind] for kind in self._kind_by_train)
        ]
        chosen_routes: list[GraphRoute | None] = [None] * len(self._kind_by_train)
        chosen_routes[first_train] = top_routes[self._kind_by_train[first_train]]
        value, used_bits = values_alone[first_train], sum(route.mask for route in chosen_routes if route)
        max_value_of_others = sum(values_alone) - value
        for train in other_trains:
            max_value_of_others -= values_alone[train]
            minimum = self.value + self._unit - value - max_value_of_others
            route = chosen_routes[train] = self._best_disjoint_route(
                used_bits, self._kind_by_train[train], max(1, minimum)
            )
            if route is not None:
                value, used_bits = value + route.value, used_bits | route.mask
            elif minimum > 0:
                return
        if value > self.value:
            self.value, self.routes = value, chosen_routes

    def _best_disjoint_route(self, used_bits: int, kind: int, minimum: int) -> GraphRoute | None:
        known_routes, train_type = self._known_routes_by_kind[kind], self._train_types[kind]
        disjoint_routes = [
            route for route in known_routes.values() if not route.mask & used_bits and route.value >= minimum
        ]
        best_known = max(disjoint_routes, key=lambda route: route.value, default=None)
        type_with_unused_bonuses = replace(
            train_type, bonuses=tuple(bonus for bonus in train_type.bonuses if not bonus.mask & used_bits)
        )
        routes: list[GraphRoute] = []
        RouteFinder(without_track(self._graph, used_bits), type_with_unused_bonuses, ()).find_better(
            best_known.value + 1 if best_known else minimum, routes, self._budget
        )
        known_routes.update((route.mask, route) for route in routes)
        return routes[-1] if routes else best_known

    def _adjusted_prices(self, old_prices: list[float], priced_search: _PricedSearch) -> list[float]:
        route_masks = [
            route.mask
            for route in (priced_search.best_by_type[kind] for kind in self._kind_by_train)
            if route
        ]
        use_by_bit = [sum(mask >> bit & 1 for mask in route_masks) for bit in range(self._bit_count)]
        excess_use = [use - 1 if use > 1 or old_prices[bit] > 0 else 0 for bit, use in enumerate(use_by_bit)]
        step_size = (priced_search.bound - self.value) / max(1, sum(s * s for s in excess_use))
        return [max(0.0, price + step_size * s) for price, s in zip(old_prices, excess_use, strict=True)]

    def _known_routes_by_value(self) -> list[list[GraphRoute]]:
        routes_of_kinds = (
            [route._replace(net_value=route.value) for route in known_routes.values()]
            for known_routes in self._known_routes_by_kind
        )
        return [sorted(routes, key=lambda route: -route.net_value) for routes in routes_of_kinds]

    def _take_best_set(
        self, route_lists: list[list[GraphRoute]], shadow_prices: Sequence[int], budget: WorkBudget
    ) -> bool:
        picked_routes, is_complete = best_disjoint_set(
            [route_lists[kind] for kind in self._kind_by_train], self.value + 1, shadow_prices, budget
        )
        if picked_routes is not None:
            self.routes = picked_routes
            self.value = sum(route.value for route in picked_routes if route)
        return is_complete

    def _list_candidate_routes(self, priced_search: _PricedSearch, work_limit: int) -> bool:
        """List all routes that a better set could use, and take the best set; True if this proves the result.

        Returns False if the proof takes too much work.
        """
        allowed_work = min(self._budget.units_left, work_limit)
        budget = WorkBudget(allowed_work)
        try:
            is_proven = self._list_routes(priced_search, budget)
        except WorkBudgetExhausted:
            return False
        finally:
            self._budget.units_left -= allowed_work - max(0, budget.units_left)
        if is_proven:
            self.upper_bound = self.value
        return is_proven

    def _list_routes(self, priced_search: _PricedSearch, budget: WorkBudget) -> bool:
        """List the routes that a better set could use, and take the best set; returns False if incomplete.

        Trains that count few stops come first. Since trains share no track, these trains may have to lose some dollars
        against their best routes. The routes of longer trains can then lose only the rest of the gap, so fewer of them
        are listed. Raises WorkBudgetExhausted.
        """
        slack, lost_dollars = priced_search.bound - self.value - self._unit, 0
        routes_by_kind: dict[int, list[GraphRoute]] = {}
        for kind in sorted(range(len(self._train_types)), key=lambda kind: self._train_types[kind].limit):
            routes_by_kind[kind] = self._routes_within_slack(
                slack - lost_dollars, kind, priced_search, budget
            )
            lost_dollars = self._minimum_loss(routes_by_kind, priced_search.best_by_type, slack, budget)
            if lost_dollars > slack:
                return True
        routes = [routes_by_kind[kind] for kind in range(len(routes_by_kind))]
        return self._take_best_set(routes, priced_search.prices, budget)

    def _routes_within_slack(
        self, slack: int, kind: int, priced_search: _PricedSearch, budget: WorkBudget
    ) -> list[GraphRoute]:
        best_route = priced_search.best_by_type[kind]
        routes = priced_search.finders[kind].find_all(
            (best_route.net_value if best_route else 0) - slack, budget
        )
        return sorted(routes, key=lambda route: -route.net_value)

    def _minimum_loss(
        self,
        routes_by_kind: Mapping[int, list[GraphRoute]],
        top_routes: Sequence[GraphRoute | None],
        slack: int,
        budget: WorkBudget,
    ) -> int:
        """The least total of dollars that trains of these types lose against their best routes by sharing no track.

        A minimum above `slack` is returned as `slack` + 1. The result is 0, without a search, if only one train has
        these types, or if all trains have them. Raises WorkBudgetExhausted.
        """
        kinds = [kind for kind in self._kind_by_train if kind in routes_by_kind]
        if len(kinds) in {1, len(self._kind_by_train)}:
            return 0
        best_sum = sum(route.net_value for route in (top_routes[kind] for kind in kinds) if route)
        net_routes_by_kind = {
            kind: [route._replace(value=route.net_value) for route in routes]
            for kind, routes in routes_by_kind.items()
        }
        picked_routes, is_complete = best_disjoint_set(
            [net_routes_by_kind[kind] for kind in kinds], best_sum - slack, (), budget
        )
        if not is_complete:
            raise WorkBudgetExhausted
        return (
            slack + 1
            if picked_routes is None
            else best_sum - sum(route.net_value for route in picked_routes if route)
        )
