"""The best routes for a company's trains, with a proof that none are better.

Put a price on every piece of track. Whatever the prices, the trains together earn no more than the sum of
all prices plus, for each train, the best it can do alone when it pays for the track it uses: sharing no
track, they pay no price twice. So each choice of prices gives a bound, and prices raised where several
trains want the same track bring the bound down towards what is possible. A set of routes better than the
best one known consists of routes that each come within the remaining gap of the train's own best; those are
listed, and the best choice among them settles the matter. Listing is quick for trains that stop a few
times. Where it is not done soon, diagrams of all routes at once (see `several_trains`) take over, which do
not mind how far a train goes; boards too large for these, and bonuses, are left to listing. `check_routes`
confirms the answer.
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
from engine.routes.single_train import Finder, GraphRoute, OutOfWork, Prize, Service, WorkBudget

WORK_LIMIT: Final = 1_000_000
"""Work after which the search gives up, counted in stops visited; what diagrams do is counted at its like."""
FIRST_WORK: Final = 40
"""Stops visited before diagrams are tried: less work than it takes to draw them."""
_SHORT: Final = 60
"""Factor of that search for trains that stop a few times."""
_SMALL: Final = 36
"""On graphs of this many stops; on larger ones it is less: listing takes longer there, more often in vain."""
_ALONE: Final = 300
"""Factor for a lone train: its best line is the whole proof."""
_GAP_WORK: Final = 5_000
"""Work for listing what comes within the gap before diagrams, times its units: where it is wide, lists are long."""
_LITTLE_WORK: Final = 140
"""Work for listing before trains are tried beside each other, which takes as long."""
_POOL_WORK: Final = 2_000
"""Choices looked at when the best lines found so far are combined."""
_CLOSER: Final = 0.75
"""Listing is tried again when the gap has shrunk to this part of what it was."""


@dataclass(frozen=True, slots=True)
class BestRoutes:
    """The best routes found, their revenue, and the upper bound for any routes."""

    routes: tuple[Route, ...]
    runs: tuple[Run, ...]
    value: int
    proven: bool
    upper: int


Known: TypeAlias = dict[Hashable, "Solution"]
"""Solutions by everything they depend on: for boards that are tried one after another."""


def best_routes(
    board: Map,
    company: CompanyId,
    trains: Sequence[TrainName],
    terms: RouteTerms,
    *,
    work_limit: int = WORK_LIMIT,
    known: Known | None = None,
    closed: frozenset[StopId] = frozenset(),
) -> BestRoutes:
    """The most valuable legal routes for these trains, none through `closed` stops.

    `work_limit` bounds the stops visited in the search; `known` results are reused.
    """
    graph = graph_of(board, company)
    if closed:
        graph = without_stops(graph, closed)
    prizes = _prizes(graph, terms)
    fleet = terms.separate_trains(trains)
    kinds = {train: service_of(board, company, graph, train, terms, prizes) for train in dict.fromkeys(fleet)}
    services = [kinds[train] for train in fleet]
    solved = _looked_up(graph, services, work_limit, known)
    routes = tuple(
        Route(train, pieces_of(line))
        for train, line in zip(fleet, solved.lines, strict=True)
        if line is not None
    )
    runs = check_routes(board, company, trains, routes, terms)
    value = sum(run.value for run in runs)
    return BestRoutes(routes, runs, value, value == solved.upper, solved.upper)


class Solution(NamedTuple):
    """The best line found for each service, and an upper bound for their sum."""

    lines: list[GraphRoute | None]
    upper: int


def solve(graph: Graph, services: list[Service], work_limit: int) -> Solution:
    """The best lines on a graph that share no track, for these services."""
    search = _Search(graph, services, work_limit)
    search.run()
    return Solution(search.lines, search.upper)


def _looked_up(graph: Graph, services: list[Service], work_limit: int, known: Known | None) -> Solution:
    """The solution, from the cache if possible; boards that differ where no train comes share it."""
    if known is None:
        return solve(graph, services, work_limit)
    links = tuple(tuple((link.to, link.mask, link.chain.pieces) for link in found) for found in graph.links)
    means = (graph.areas, graph.passable, graph.tokens, tuple(services), work_limit)
    question = (graph.stops, links, means)
    if question not in known:
        known[question] = solve(graph, services, work_limit)
    return known[question]


def _track_bits(graph: Graph) -> int:
    return max((link.mask.bit_length() for links in graph.links for link in links), default=0)


def _prizes(graph: Graph, terms: RouteTerms) -> tuple[Prize, ...]:
    """The bonuses that the company can reach, each with its own bit above those of the track."""
    if not terms.bonuses:
        return ()
    first = _track_bits(graph)
    prizes = [(tuple(_stops_in(graph, hex_) for hex_ in sorted(b.hexes)), b.value) for b in terms.bonuses]
    near = [(places, value) for places, value in prizes if all(places)]
    return tuple(Prize(1 << (first + i), places, value) for i, (places, value) in enumerate(near))


def _stops_in(graph: Graph, coord: Coord) -> int:
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
    limit = terms.trains[train].stops
    return Service(
        values=tuple(terms.value(board, company, stop, train) for stop in graph.stops),
        counts=tuple(int(terms.counts(board, stop, train)) for stop in graph.stops),
        limit=len(graph.stops) if limit is None else limit,
        prizes=prizes,
        optional=frozenset(i for i, stop in enumerate(graph.stops) if terms.may_pass_by(board, stop, train)),
    )


def pieces_of(line: GraphRoute) -> tuple[PieceId, ...]:
    """The track of a line in travelling order."""
    first, second = line.arms
    there = [piece for link in second for piece in link.chain.pieces]
    back = [(coord, b, a) for link in first for coord, a, b in link.chain.pieces]
    return (*reversed(back), *there)


class _Priced(NamedTuple):
    """Prices, with a finder and the best line for each service, and the bound that they give."""

    prices: list[int]
    finders: list[Finder]
    tops: list[GraphRoute | None]
    bound: int


class _Search:
    """One search: `lines` are the best known routes, one for each train, `upper` the bound."""

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
        first = min(self._limit, self._first_work())
        self._work.left = first
        if self._is_proven_by(self._list_first):
            return
        wanted = [0.0] * self._bits
        self._work.left += self._limit - first
        solution = self._by_diagrams()
        if solution is not None:
            if solution.lines is not None:
                self.lines = solution.lines
                self.value = sum(line.value for line in solution.lines if line)
            self.upper = min(self.upper, solution.upper - solution.upper % self._unit)
            if solution.settled:
                return
            wanted = [float(price) for price in solution.prices] or wanted
        self._is_proven_by(lambda: self._prove(wanted))

    def _first_work(self) -> int:
        """Work for listing before diagrams are tried."""
        if len(self._kind_of) == 1:
            return FIRST_WORK * _ALONE
        short = _SHORT * _SMALL // max(_SMALL, len(self._graph.stops))
        return FIRST_WORK * (short if all(service.is_short for service in self._services) else 1)

    def _by_diagrams(self) -> DiagramResult | None:
        """Try diagrams; they know stops and track only, so they are skipped where bonuses can be won."""
        services = [self._services[kind] for kind in self._kind_of]
        if any(service.prizes for service in services):
            return None
        return search_by_diagrams(self._graph, services, self.value, self._unit, self._work)

    def _is_proven_by(self, way: Callable[[], None]) -> bool:
        """True if this method proved the best before the work ran out."""
        try:
            way()
        except OutOfWork:
            self._pick(self._pools_by_value(), (), WorkBudget(_POOL_WORK))
        return self.value == self.upper

    def _list_first(self) -> None:
        """Prove by listing at no prices, where trains lose little or nothing to one another."""
        priced = self._priced_at([0] * self._bits)
        if not self._try_each_alone(priced.tops):
            self._pick(self._pools_by_value(), (), WorkBudget(_POOL_WORK))
        self._bound_by(priced)
        if self.value == self.upper or self._list_all(priced, _LITTLE_WORK):
            return
        self._improve(priced.tops)
        gap = (self.upper - self.value) // self._unit
        if gap:
            self._list_all(priced, _GAP_WORK // gap)

    def _try_each_alone(self, best_lines: Sequence[GraphRoute | None]) -> bool:
        """Accept the best route of each train alone, if these share no track."""
        lines = [best_lines[kind] for kind in self._kind_of]
        masks = [line.mask for line in lines if line]
        apart = sum(masks) == reduce(or_, masks, 0)
        if apart:
            self.lines, self.value = lines, sum(line.value for line in lines if line)
        return apart

    def _bound_by(self, pricing: _Priced) -> None:
        """Lower the upper bound to that of these prices."""
        self.upper = min(self.upper, max(self.value, pricing.bound - pricing.bound % self._unit))

    def _prove(self, wanted: list[float]) -> None:
        lowest: _Priced | None = None
        tried_gap = tried_work = 0
        while True:
            priced = self._priced_at([round(price) for price in wanted])
            self._pick(self._pools_by_value(), (), WorkBudget(_POOL_WORK))
            if lowest is None or priced.bound < lowest.bound:
                lowest = priced
                self._bound_by(priced)
            if self.value >= self.upper:
                return
            gap, done = lowest.bound - self.value, self._limit - self._work.left
            if not tried_work or gap <= tried_gap * _CLOSER or done >= tried_work * 2:
                if self._list_all(lowest, done // 2):
                    return
                tried_gap, tried_work = gap, done
            wanted = self._raised(wanted, priced)

    def _priced_at(self, prices: list[int]) -> _Priced:
        finders = [Finder(self._graph, service, prices) for service in self._services]
        tops = [self._top(kind, finder, prices) for kind, finder in enumerate(finders)]
        nets = [top.net if top else 0 for top in tops]
        return _Priced(prices, finders, tops, sum(prices) + sum(nets[kind] for kind in self._kind_of))

    def _top(self, kind: int, finder: Finder, prices: list[int]) -> GraphRoute | None:
        """The best line of a service at these prices, None if nothing pays; lines found on the way are kept."""
        pool = self._pools[kind]
        known = max(
            (line.repriced(prices) for line in pool.values()), key=lambda line: line.net, default=None
        )
        if known is not None and known.net <= 0:
            known = None
        routes: list[GraphRoute] = []
        try:
            finder.find_better(known.net + 1 if known else 1, routes, self._work)
        finally:
            pool.update((line.mask, line) for line in routes)
        return routes[-1] if routes else known

    def _improve(self, best_lines: Sequence[GraphRoute | None]) -> None:
        """Improve: one train runs its best route, the longest first, the others in turn the best that is left.

        `best_lines` are the best lines of each kind of train alone, at no prices.
        """
        order = sorted(
            range(len(self._kind_of)), key=lambda train: -self._services[self._kind_of[train]].limit
        )
        for first in {self._kind_of[train]: train for train in order}.values():
            if self.value < self.upper:
                self._try_alongside(first, [train for train in order if train != first], best_lines)

    def _try_alongside(
        self, first: int, others: Sequence[int], best_lines: Sequence[GraphRoute | None]
    ) -> None:
        """Keep one train's best route and continue in this order, while that may beat the known value."""
        alone = [top.value if top else 0 for top in (best_lines[kind] for kind in self._kind_of)]
        chosen: list[GraphRoute | None] = [None] * len(self._kind_of)
        chosen[first] = best_lines[self._kind_of[first]]
        value, used = alone[first], sum(line.mask for line in chosen if line)
        rest = sum(alone) - value
        for train in others:
            rest -= alone[train]
            least = self.value + self._unit - value - rest
            line = chosen[train] = self._best_alongside(used, self._kind_of[train], max(1, least))
            if line is not None:
                value, used = value + line.value, used | line.mask
            elif least > 0:
                return
        if value > self.value:
            self.value, self.lines = value, chosen

    def _best_alongside(self, used: int, kind: int, minimum: int) -> GraphRoute | None:
        """The best line without this track and these bonuses, if worth at least `minimum` dollars."""
        pool, service = self._pools[kind], self._services[kind]
        apart = [line for line in pool.values() if not line.mask & used and line.value >= minimum]
        known = max(apart, key=lambda line: line.value, default=None)
        left = replace(service, prizes=tuple(prize for prize in service.prizes if not prize.mask & used))
        routes: list[GraphRoute] = []
        Finder(without_track(self._graph, used), left, ()).find_better(
            known.value + 1 if known else minimum, routes, self._work
        )
        pool.update((line.mask, line) for line in routes)
        return routes[-1] if routes else known

    def _raised(self, wanted: list[float], pricing: _Priced) -> list[float]:
        """New prices: higher for track wanted by several lines, lower for track wanted by none."""
        masks = [line.mask for line in (pricing.tops[kind] for kind in self._kind_of) if line]
        uses = [sum(mask >> bit & 1 for mask in masks) for bit in range(self._bits)]
        slope = [use - 1 if use > 1 or wanted[bit] > 0 else 0 for bit, use in enumerate(uses)]
        step = (pricing.bound - self.value) / max(1, sum(s * s for s in slope))
        return [max(0.0, price + step * s) for price, s in zip(wanted, slope, strict=True)]

    def _pools_by_value(self) -> list[list[GraphRoute]]:
        pools = ([line._replace(net=line.value) for line in pool.values()] for pool in self._pools)
        return [sorted(lines, key=lambda line: -line.net) for lines in pools]

    def _pick(self, lists: list[list[GraphRoute]], prices: Sequence[int], budget: WorkBudget) -> bool:
        """Take the best choice from these lists if it beats the known one; False if the search was incomplete."""
        picked, complete = best_disjoint_set(
            [lists[kind] for kind in self._kind_of], self.value + 1, prices, budget
        )
        if picked is not None:
            self.lines = picked
            self.value = sum(line.value for line in picked if line)
        return complete

    def _list_all(self, pricing: _Priced, allowance: int) -> bool:
        """List every route that a better set could use, then pick; False if that is too much work."""
        allowed = min(self._work.left, allowance)
        work = WorkBudget(allowed)
        try:
            settled = self._list_routes(pricing, work)
        except OutOfWork:
            return False
        finally:
            self._work.left -= allowed - max(0, work.left)
        if settled:
            self.upper = self.value
        return settled

    def _list_routes(self, pricing: _Priced, budget: WorkBudget) -> bool:
        """The listed routes, shortest trains first: their losses to one another tighten the longest train's limit."""
        slack, lists = pricing.bound - self.value - self._unit, dict[int, list[GraphRoute]]()
        for kind in sorted(range(len(self._services)), key=lambda kind: self._services[kind].limit):
            lists[kind] = self._routes_within(slack, kind, pricing, budget)
            slack -= self._least_loss(lists, pricing.tops, slack, budget)
            if slack < 0:
                return True
        return self._pick([lists[kind] for kind in range(len(lists))], pricing.prices, budget)

    def _routes_within(self, slack: int, kind: int, pricing: _Priced, budget: WorkBudget) -> list[GraphRoute]:
        """The routes of a kind of train within `slack` dollars of its best, best first."""
        top = pricing.tops[kind]
        lines = pricing.finders[kind].find_all((top.net if top else 0) - slack, budget)
        return sorted(lines, key=lambda line: -line.net)

    def _least_loss(
        self,
        lists: Mapping[int, list[GraphRoute]],
        best_lines: Sequence[GraphRoute | None],
        slack: int,
        budget: WorkBudget,
    ) -> int:
        """The least sum of dollars by which trains of these kinds fall short of their best, as they share no track.

        Differences over `slack` count as equal; raises OutOfWork.
        """
        kinds = [kind for kind in self._kind_of if kind in lists]
        if len(kinds) in {1, len(self._kind_of)}:
            return 0
        best = sum(top.net for top in (best_lines[kind] for kind in kinds) if top)
        nets = {kind: [line._replace(value=line.net) for line in lines] for kind, lines in lists.items()}
        picked, complete = best_disjoint_set([nets[kind] for kind in kinds], best - slack, (), budget)
        if not complete:
            raise OutOfWork
        return slack + 1 if picked is None else best - sum(line.net for line in picked if line)
