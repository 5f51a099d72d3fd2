"""The best routes for a company's trains, with a proof that none are better.

A line is a route of one train on the graph of stops. Put a price on each piece of track. Whatever the prices are, the
trains together earn at most the sum of all prices plus, for each train, the best that it can earn alone if it pays for
the track it uses: since they share no track, no price is paid twice. So any prices give an upper bound, and raising the
price of track that several trains want lowers this bound towards the possible revenue.

In a set of routes that is better than the best known set, each route comes within the remaining gap of its train's best
route. The search lists these routes, and the best set among them proves the result. Listing is fast for trains that
count few stops. If it takes too long, diagrams of all routes (see `several_trains`) take over, whose size hardly
depends on the length of routes. Graphs too large for diagrams, and bonuses, are left to listing. `check_routes`
confirms the result.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from math import gcd
from operator import or_
from typing import Final, NamedTuple, TypeAlias

from engine.board.map import Map, StopId
from engine.board.track import PieceId
from engine.core.ids import CompanyId, Coord, TrainName
from engine.routes.disjoint_set import best_disjoint_set
from engine.routes.graph import Graph, graph_of, without_stops, without_track
from engine.routes.legal_routes import Route, Run, check_routes
from engine.routes.revenue_rules import RouteTerms
from engine.routes.several_trains import DiagramResult, search_by_diagrams
from engine.routes.single_train import Finder, GraphRoute, OutOfWork, Pay, Prize, Service, WorkBudget

WORK_LIMIT: Final = 1_000_000
"""Work after which the search gives up, in units of stops visited; work on diagrams is converted to this unit."""
WORK_BEFORE_DIAGRAMS: Final = 40
"""Stops visited before diagrams are tried: less work than drawing them."""
_SHORT_TRAIN_FACTOR: Final = 60
"""Factor of `WORK_BEFORE_DIAGRAMS` for trains that count few stops."""
_SMALL_GRAPH_STOPS: Final = 36
"""Maximum number of stops of a graph for which this factor applies in full; it shrinks on larger graphs."""
_LONE_TRAIN_FACTOR: Final = 300
"""Factor of `WORK_BEFORE_DIAGRAMS` for a single train, whose best route is the whole proof."""
_GAP_WORK: Final = 5_000
"""Work for listing routes before diagrams are tried, divided by the gap in units: wide gaps make long lists."""
_FIRST_LISTING_WORK: Final = 140
"""Work for the first listing, before the trains' routes are combined one after another."""
_POOL_WORK: Final = 2_000
"""Work for combining the best routes found so far."""
_GAP_RETRY_RATIO: Final = 0.75
"""The ratio of the current gap to the gap at the last listing at which listing is repeated."""


@dataclass(frozen=True, slots=True)
class BestRoutes:
    """The best routes found, their revenue in dollars, and an upper bound for any routes."""

    routes: tuple[Route, ...]
    runs: tuple[Run, ...]
    value: int
    proven: bool
    upper: int


KnownSolutions: TypeAlias = dict[Hashable, "Solution"]
"""Solutions by all their inputs, shared by boards that are tried one after another."""


def best_routes(
    board: Map,
    company: CompanyId,
    trains: Sequence[TrainName],
    terms: RouteTerms,
    *,
    work_limit: int = WORK_LIMIT,
    known_solutions: KnownSolutions | None = None,
    closed_stops: frozenset[StopId] = frozenset(),
) -> BestRoutes:
    """The most valuable legal routes for these trains, none of them through `closed_stops`.

    `work_limit` is the maximum number of stops visited in the search; results in `known_solutions` are reused and
    added.
    """
    graph = graph_of(board, company)
    if closed_stops:
        graph = without_stops(graph, closed_stops)
    prizes = _prizes(graph, terms)
    fleet = terms.separate_trains(trains)
    service_by_train = {
        train: service_of(board, company, graph, train, terms, prizes) for train in dict.fromkeys(fleet)
    }
    fleets = _with_mail([service_by_train[train] for train in fleet], terms.mail)
    solutions = [_cached_solution(graph, services, work_limit, known_solutions) for services in fleets]
    best = max(solutions, key=lambda solution: sum(line.value for line in solution.lines if line))
    upper = max(solution.upper for solution in solutions)
    routes = tuple(
        Route(train, pieces_of(line))
        for train, line in zip(fleet, best.lines, strict=True)
        if line is not None
    )
    runs = check_routes(board, company, trains, routes, terms)
    value = sum(run.value for run in runs)
    return BestRoutes(routes, runs, value, value == upper, upper)


def _with_mail(services: list[Service], dollars: int) -> list[list[Service]]:
    """The services, once for each train that may carry the mail, with dollars more for each stop that it visits."""
    if not dollars or not services:
        return [services]
    carriers = {service: number for number, service in enumerate(services)}
    return [
        [*services[:number], _carrying_mail(service, dollars), *services[number + 1 :]]
        for service, number in carriers.items()
    ]


def _carrying_mail(service: Service, dollars: int) -> Service:
    pay = service.pay and replace(service.pay, per_visit=dollars)
    return replace(service, values=tuple(value + dollars for value in service.values), pay=pay)


class Solution(NamedTuple):
    """The best line found for each service (a train's stop values and limits), and an upper bound for their sum."""

    lines: list[GraphRoute | None]
    upper: int


def solve(graph: Graph, services: list[Service], work_limit: int) -> Solution:
    """The best lines for these services on a graph, sharing no track."""
    search = _Search(graph, services, work_limit)
    search.run()
    return Solution(search.lines, search.upper)


def _cached_solution(
    graph: Graph, services: list[Service], work_limit: int, known_solutions: KnownSolutions | None
) -> Solution:
    """The solution from `known_solutions` if it is there; boards with the same track for trains share it."""
    if known_solutions is None:
        return solve(graph, services, work_limit)
    links = tuple(
        tuple((link.to, link.mask, link.chain.pieces) for link in stop_links) for stop_links in graph.links
    )
    other_inputs = (graph.areas, graph.passable, graph.tokens, tuple(services), work_limit)
    question = (graph.stops, links, other_inputs)
    if question not in known_solutions:
        known_solutions[question] = solve(graph, services, work_limit)
    return known_solutions[question]


def _track_bits(graph: Graph) -> int:
    return max((link.mask.bit_length() for links in graph.links for link in links), default=0)


def _prizes(graph: Graph, terms: RouteTerms) -> tuple[Prize, ...]:
    """The bonuses that the company can reach, each with its own bit above the bits of the track."""
    if not terms.bonuses:
        return ()
    first_free_bit = _track_bits(graph)
    prizes = [(tuple(_stop_mask_of_hex(graph, hex_) for hex_ in sorted(b.hexes)), b) for b in terms.bonuses]
    reachable_prizes = [(places, bonus) for places, bonus in prizes if all(places)]
    return tuple(
        Prize(0 if bonus.for_each else 1 << (first_free_bit + i), places, bonus.value)
        for i, (places, bonus) in enumerate(reachable_prizes)
    )


def _stop_mask_of_hex(graph: Graph, coord: Coord) -> int:
    return sum(1 << number for number, (hex_, _) in enumerate(graph.stops) if hex_ == coord)


def service_of(
    board: Map,
    company: CompanyId,
    graph: Graph,
    train: TrainName,
    terms: RouteTerms,
    prizes: tuple[Prize, ...] = (),
) -> Service:
    """The train on this graph: its revenue at each stop, and its reach."""
    pay, train_terms = _pay_of(board, company, graph, train, terms), terms.trains[train]
    limit = train_terms.stops if train_terms.visits is None else train_terms.visits
    return Service(
        values=_values_of(board, company, graph, train, terms) if pay is None else pay.bounds(),
        counts=tuple(int(terms.is_counted(board, stop, train)) for stop in graph.stops),
        limit=len(graph.stops) if limit is None else limit,
        prizes=prizes,
        optional=frozenset(i for i, stop in enumerate(graph.stops) if terms.may_pass_by(board, stop, train)),
        pay=pay,
    )


def _values_of(
    board: Map, company: CompanyId, graph: Graph, train: TrainName, terms: RouteTerms
) -> tuple[int, ...]:
    return tuple(terms.value(board, company, stop, train) for stop in graph.stops)


def _pay_of(board: Map, company: CompanyId, graph: Graph, train: TrainName, terms: RouteTerms) -> Pay | None:
    """Revenue in dollars that the train earns for a whole route; None: the sum of its stops."""
    train_terms = terms.trains[train]
    if train_terms.visits is None and not (terms.east and terms.west):
        return None
    return Pay(
        _values_of(board, company, graph, train, terms),
        None if train_terms.visits is None else train_terms.stops,
        frozenset(graph.tokens),
        tuple(terms.east.get(coord, 0) for coord, _ in graph.stops),
        tuple(terms.west.get(coord, 0) for coord, _ in graph.stops),
    )


def pieces_of(line: GraphRoute) -> tuple[PieceId, ...]:
    """The track of a route on the graph, in travelling order."""
    first_arm, second_arm = line.arms
    outward_pieces = [piece for link in second_arm for piece in link.chain.pieces]
    backward_pieces = [(coord, b, a) for link in first_arm for coord, a, b in link.chain.pieces]
    return (*reversed(backward_pieces), *outward_pieces)


class _PricedSearch(NamedTuple):
    """Prices, with a finder and the best line for each service, and the upper bound that these prices give."""

    prices: list[int]
    finders: list[Finder]
    tops: list[GraphRoute | None]
    bound: int


class _Search:
    """One search: `lines` are the best known routes, one for each train; `upper` is the upper bound in dollars."""

    def __init__(self, graph: Graph, services: list[Service], work_limit: int) -> None:
        self._graph = graph
        self._work = WorkBudget(work_limit)
        self._limit = work_limit
        self._services = list(dict.fromkeys(services))
        self._kind_of = [self._services.index(service) for service in services]
        self._pools: list[dict[int, GraphRoute]] = [{} for _ in self._services]
        prizes = services[0].prizes if services else ()
        values = [value for service in services for value in service.values]
        self._unit = gcd(*values, *(prize.value for prize in prizes)) or 1
        self._bits = _track_bits(graph) + len(prizes)
        self.lines: list[GraphRoute | None] = [None] * len(services)
        self.value = 0
        self.upper = sum(service.upper_bound() for service in services)

    def run(self) -> None:
        """Search until the best routes are proven or the work limit is reached."""
        first_work = min(self._limit, self._first_work())
        self._work.left = first_work
        if self._proves_best(self._list_first):
            return
        prices = [0.0] * self._bits
        self._work.left += self._limit - first_work
        solution = self._by_diagrams()
        if solution is not None:
            if solution.lines is not None:
                self.lines = solution.lines
                self.value = sum(line.value for line in solution.lines if line)
            self.upper = min(self.upper, solution.upper - solution.upper % self._unit)
            if solution.settled:
                return
            prices = [float(price) for price in solution.prices] or prices
        self._proves_best(lambda: self._prove_by_prices(prices))

    def _first_work(self) -> int:
        """Work allowed for listing before diagrams are tried."""
        if len(self._kind_of) == 1:
            return WORK_BEFORE_DIAGRAMS * _LONE_TRAIN_FACTOR
        short_factor = (
            _SHORT_TRAIN_FACTOR * _SMALL_GRAPH_STOPS // max(_SMALL_GRAPH_STOPS, len(self._graph.stops))
        )
        return WORK_BEFORE_DIAGRAMS * (
            short_factor if all(service.is_short for service in self._services) else 1
        )

    def _by_diagrams(self) -> DiagramResult | None:
        """Try diagrams; skipped if bonuses can be earned, because diagrams know only stops and track."""
        services = [self._services[kind] for kind in self._kind_of]
        if any(service.prizes or service.pay for service in services):
            return None
        return search_by_diagrams(self._graph, services, self.value, self._unit, self._work)

    def _proves_best(self, method: Callable[[], None]) -> bool:
        """True if this method proves the best routes before the work runs out."""
        try:
            method()
        except OutOfWork:
            self._take_best_set(self._pools_by_value(), (), WorkBudget(_POOL_WORK))
        return self.value == self.upper

    def _list_first(self) -> None:
        """Try to prove the best routes by listing without prices: enough if trains hardly compete for track."""
        priced_search = self._priced_at([0] * self._bits)
        if not self._try_each_alone(priced_search.tops):
            self._take_best_set(self._pools_by_value(), (), WorkBudget(_POOL_WORK))
        self._lower_bound_to(priced_search)
        if self.value == self.upper or self._list_all(priced_search, _FIRST_LISTING_WORK):
            return
        self._improve_greedily(priced_search.tops)
        gap = (self.upper - self.value) // self._unit
        if gap:
            self._list_all(priced_search, _GAP_WORK // gap)

    def _try_each_alone(self, best_lines: Sequence[GraphRoute | None]) -> bool:
        """Take the best route of each train alone, if these routes share no track; returns True if they share none."""
        lines = [best_lines[kind] for kind in self._kind_of]
        route_masks = [line.mask for line in lines if line]
        share_no_track = sum(route_masks) == reduce(or_, route_masks, 0)
        if share_no_track:
            self.lines, self.value = lines, sum(line.value for line in lines if line)
        return share_no_track

    def _lower_bound_to(self, pricing: _PricedSearch) -> None:
        """Lower the upper bound to the bound of these prices, if that is lower."""
        self.upper = min(self.upper, max(self.value, pricing.bound - pricing.bound % self._unit))

    def _prove_by_prices(self, shadow_prices: list[float]) -> None:
        lowest_bound: _PricedSearch | None = None
        tried_gap = tried_work = 0
        while True:
            priced_search = self._priced_at([round(price) for price in shadow_prices])
            self._take_best_set(self._pools_by_value(), (), WorkBudget(_POOL_WORK))
            if lowest_bound is None or priced_search.bound < lowest_bound.bound:
                lowest_bound = priced_search
                self._lower_bound_to(priced_search)
            if self.value >= self.upper:
                return
            current_gap, work_done = lowest_bound.bound - self.value, self._limit - self._work.left
            if not tried_work or current_gap <= tried_gap * _GAP_RETRY_RATIO or work_done >= tried_work * 2:
                if self._list_all(lowest_bound, work_done // 2):
                    return
                tried_gap, tried_work = current_gap, work_done
            shadow_prices = self._raised_prices(shadow_prices, priced_search)

    def _priced_at(self, prices: list[int]) -> _PricedSearch:
        finders = [Finder(self._graph, service, prices) for service in self._services]
        best_lines = [self._best_line(kind, finder, prices) for kind, finder in enumerate(finders)]
        net_values = [line.net if line else 0 for line in best_lines]
        return _PricedSearch(
            prices, finders, best_lines, sum(prices) + sum(net_values[kind] for kind in self._kind_of)
        )

    def _best_line(self, kind: int, finder: Finder, prices: list[int]) -> GraphRoute | None:
        """The best line of a service at these prices, None if none earns anything; lines found are kept in the pool."""
        pool = self._pools[kind]
        best_known = max(
            (line.repriced(prices) for line in pool.values()), key=lambda line: line.net, default=None
        )
        if best_known is not None and best_known.net <= 0:
            best_known = None
        better_routes: list[GraphRoute] = []
        try:
            finder.find_better(best_known.net + 1 if best_known else 1, better_routes, self._work)
        finally:
            pool.update((line.mask, line) for line in better_routes)
        return better_routes[-1] if better_routes else best_known

    def _improve_greedily(self, best_lines: Sequence[GraphRoute | None]) -> None:
        """Improve the set of routes: one train runs its best route, then each other train, longest first, the best
        route left.

        `best_lines` has the best line of each kind of train alone, without prices.
        """
        longest_first = sorted(
            range(len(self._kind_of)), key=lambda train: -self._services[self._kind_of[train]].limit
        )
        for first_train in {self._kind_of[train]: train for train in longest_first}.values():
            if self.value < self.upper:
                self._try_alongside(
                    first_train, [train for train in longest_first if train != first_train], best_lines
                )

    def _try_alongside(
        self, first_train: int, other_trains: Sequence[int], best_lines: Sequence[GraphRoute | None]
    ) -> None:
        """Keep one train's best route and add the other trains in this order, while the known value can be exceeded."""
        values_alone = [line.value if line else 0 for line in (best_lines[kind] for kind in self._kind_of)]
        chosen_lines: list[GraphRoute | None] = [None] * len(self._kind_of)
        chosen_lines[first_train] = best_lines[self._kind_of[first_train]]
        value, used_bits = values_alone[first_train], sum(line.mask for line in chosen_lines if line)
        possible_rest = sum(values_alone) - value
        for train in other_trains:
            possible_rest -= values_alone[train]
            minimum = self.value + self._unit - value - possible_rest
            line = chosen_lines[train] = self._best_alongside(
                used_bits, self._kind_of[train], max(1, minimum)
            )
            if line is not None:
                value, used_bits = value + line.value, used_bits | line.mask
            elif minimum > 0:
                return
        if value > self.value:
            self.value, self.lines = value, chosen_lines

    def _best_alongside(self, used_bits: int, kind: int, minimum: int) -> GraphRoute | None:
        """The best line that uses neither this track nor these bonuses, if it is worth at least `minimum` dollars."""
        pool, service = self._pools[kind], self._services[kind]
        disjoint_lines = [
            line for line in pool.values() if not line.mask & used_bits and line.value >= minimum
        ]
        best_known = max(disjoint_lines, key=lambda line: line.value, default=None)
        service_left = replace(
            service, prizes=tuple(prize for prize in service.prizes if not prize.mask & used_bits)
        )
        routes: list[GraphRoute] = []
        Finder(without_track(self._graph, used_bits), service_left, ()).find_better(
            best_known.value + 1 if best_known else minimum, routes, self._work
        )
        pool.update((line.mask, line) for line in routes)
        return routes[-1] if routes else best_known

    def _raised_prices(self, old_prices: list[float], pricing: _PricedSearch) -> list[float]:
        """New prices: higher for track that several lines want, lower for track that none wants."""
        route_masks = [line.mask for line in (pricing.tops[kind] for kind in self._kind_of) if line]
        use_by_bit = [sum(mask >> bit & 1 for mask in route_masks) for bit in range(self._bits)]
        excess_use = [use - 1 if use > 1 or old_prices[bit] > 0 else 0 for bit, use in enumerate(use_by_bit)]
        step = (pricing.bound - self.value) / max(1, sum(s * s for s in excess_use))
        return [max(0.0, price + step * s) for price, s in zip(old_prices, excess_use, strict=True)]

    def _pools_by_value(self) -> list[list[GraphRoute]]:
        pools = ([line._replace(net=line.value) for line in pool.values()] for pool in self._pools)
        return [sorted(lines, key=lambda line: -line.net) for lines in pools]

    def _take_best_set(
        self, line_lists: list[list[GraphRoute]], shadow_prices: Sequence[int], budget: WorkBudget
    ) -> bool:
        """Take the best set from these lists if it beats the known one; returns False if the search was incomplete."""
        picked_lines, complete = best_disjoint_set(
            [line_lists[kind] for kind in self._kind_of], self.value + 1, shadow_prices, budget
        )
        if picked_lines is not None:
            self.lines = picked_lines
            self.value = sum(line.value for line in picked_lines if line)
        return complete

    def _list_all(self, pricing: _PricedSearch, work_limit: int) -> bool:
        """List all routes that a better set could use and take the best set; returns False if that is too much work."""
        allowed_work = min(self._work.left, work_limit)
        work = WorkBudget(allowed_work)
        try:
            settled = self._list_routes(pricing, work)
        except OutOfWork:
            return False
        finally:
            self._work.left -= allowed_work - max(0, work.left)
        if settled:
            self.upper = self.value
        return settled

    def _list_routes(self, pricing: _PricedSearch, budget: WorkBudget) -> bool:
        """List the routes, shortest trains first, and take the best set; returns False if the search was incomplete.

        Each list reduces the slack for longer trains by the dollars that the listed trains must lose to one another.
        """
        slack, lost, lines_by_kind = pricing.bound - self.value - self._unit, 0, dict[int, list[GraphRoute]]()
        for kind in sorted(range(len(self._services)), key=lambda kind: self._services[kind].limit):
            lines_by_kind[kind] = self._routes_within(slack - lost, kind, pricing, budget)
            lost = self._minimum_loss(lines_by_kind, pricing.tops, slack, budget)
            if lost > slack:
                return True
        return self._take_best_set(
            [lines_by_kind[kind] for kind in range(len(lines_by_kind))], pricing.prices, budget
        )

    def _routes_within(
        self, slack: int, kind: int, pricing: _PricedSearch, budget: WorkBudget
    ) -> list[GraphRoute]:
        """The routes of a kind of train that come within `slack` dollars of its best, best first."""
        best_line = pricing.tops[kind]
        lines = pricing.finders[kind].find_all((best_line.net if best_line else 0) - slack, budget)
        return sorted(lines, key=lambda line: -line.net)

    def _minimum_loss(
        self,
        lines_by_kind: Mapping[int, list[GraphRoute]],
        best_lines: Sequence[GraphRoute | None],
        slack: int,
        budget: WorkBudget,
    ) -> int:
        """The minimum total of dollars by which trains of these kinds miss their best routes because they share no
        track.

        A minimum above `slack` is returned as `slack` + 1. Raises OutOfWork.
        """
        kinds = [kind for kind in self._kind_of if kind in lines_by_kind]
        if len(kinds) in {1, len(self._kind_of)}:
            return 0
        best_sum = sum(line.net for line in (best_lines[kind] for kind in kinds) if line)
        lines_by_net_value = {
            kind: [line._replace(value=line.net) for line in lines] for kind, lines in lines_by_kind.items()
        }
        picked_lines, complete = best_disjoint_set(
            [lines_by_net_value[kind] for kind in kinds], best_sum - slack, (), budget
        )
        if not complete:
            raise OutOfWork
        return (
            slack + 1 if picked_lines is None else best_sum - sum(line.net for line in picked_lines if line)
        )
