"""The best set of routes for a company's trains, with a proof that nothing better exists.

Put a price on every piece of track. Whatever the prices, the trains together earn no more than the sum of all prices plus,
for each train, the best it can do alone when it pays for the track it uses: sharing no track, they pay no price
twice. So each choice of prices gives a bound, and prices raised where several trains want the same track bring
the bound down towards what is possible. A set of routes better than the best one known then consists of routes that each
come within the remaining gap of the train's own best; those are listed, and the best of them without shared track
is the best of all.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd

from engine.board.map import Map
from engine.board.track import PieceId
from engine.ids import CompanyId, TrainName
from engine.routes.check import Run, check
from engine.routes.graph import Graph, graph_of
from engine.routes.model import Route
from engine.routes.pack import pack
from engine.routes.singles import Finder, Line, OutOfWork, Service, Work
from engine.routes.terms import Terms

WORK_LIMIT = 1_000_000
ROUNDS = 16


@dataclass(frozen=True, slots=True)
class Best:
    """The best routes found, in dollars; `upper` is what no set of routes can exceed, `value` itself when proven."""

    routes: tuple[Route, ...]
    runs: tuple[Run, ...]
    value: int
    proven: bool
    upper: int


def best(
    board: Map, company: CompanyId, trains: Sequence[TrainName], terms: Terms, *, work_limit: int = WORK_LIMIT
) -> Best:
    """The most valuable legal routes for these trains; `work_limit` bounds the stops visited in the search."""
    graph = graph_of(board, company)
    search = _Search(graph, [_service(board, graph, train, terms) for train in trains], work_limit)
    search.run()
    routes = tuple(
        Route(train, _pieces(line))
        for train, line in zip(trains, search.lines, strict=True)
        if line is not None
    )
    runs = check(board, company, trains, routes, terms)
    value = sum(run.value for run in runs)
    return Best(routes, runs, value, value == search.upper, search.upper)


def _service(board: Map, graph: Graph, train: TrainName, terms: Terms) -> Service:
    limit = terms.trains[train].stops
    return Service(
        values=tuple(terms.value(board, stop, train) for stop in graph.stops),
        counts=tuple(int(terms.counts(board, stop, train)) for stop in graph.stops),
        limit=len(graph.stops) if limit is None else limit,
    )


def _pieces(line: Line) -> tuple[PieceId, ...]:
    first, second = line.arms
    there = [piece for link in second for piece in link.chain.pieces]
    back = [(coord, b, a) for link in first for coord, a, b in link.chain.pieces]
    return (*reversed(back), *there)


class _Search:
    """One search: `lines` are the best routes known so far, one for each train, `upper` what cannot be exceeded."""

    def __init__(self, graph: Graph, services: list[Service], work_limit: int) -> None:
        self._graph = graph
        self._work = Work(work_limit)
        self._services = list(dict.fromkeys(services))
        self._kind_of = [self._services.index(service) for service in services]
        self._pools: list[dict[int, Line]] = [{} for _ in self._services]
        self._unit = gcd(*(value for service in services for value in service.values)) or 1
        self._bits = max((link.mask.bit_length() for links in graph.links for link in links), default=0)
        self.lines: list[Line | None] = [None] * len(services)
        self.value = 0
        self.upper = sum(service.most() for service in services)

    def run(self) -> None:
        """Search until the best is proven or the work limit is hit."""
        try:
            self._prove()
        except OutOfWork:
            self._use_pools()

    def _prove(self) -> None:
        exact = [0.0] * self._bits
        best_prices: list[int] = []
        best_tops: list[int] = []
        best_bound = None
        for _ in range(ROUNDS):
            prices = [round(price) for price in exact]
            tops = [self._top(kind, prices) for kind in range(len(self._services))]
            bound = sum(prices) + sum(tops[kind].net if tops[kind] else 0 for kind in self._kind_of)
            if best_bound is None or bound < best_bound:
                best_bound, best_prices, best_tops = bound, prices, [t.net if t else 0 for t in tops]
                self.upper = min(self.upper, self._rounded(bound))
            self._use_pools()
            if self.value >= self.upper:
                return
            if len(self._kind_of) < 2:
                break
            if best_bound - self.value < 4 * self._unit:
                break
            exact = self._raised(exact, tops, bound)
        self._list_all(best_prices, best_tops, best_bound)

    def _top(self, kind: int, prices: list[int]) -> Line | None:
        pool = self._pools[kind]
        known = max((line.at(prices) for line in pool.values()), key=lambda l: l.net, default=None)
        finder = Finder(self._graph, self._services[kind], prices, self._work)
        least = known.net + 1 if known and known.net > 0 else 1
        lines = finder.better(least)
        for line in lines:
            pool[line.mask] = line
        return lines[-1] if lines else (known if known and known.net > 0 else None)

    def _raised(self, exact: list[float], tops: list[Line | None], bound: int) -> list[float]:
        use = [0] * self._bits
        for kind in self._kind_of:
            line = tops[kind]
            if line:
                for bit in range(self._bits):
                    use[bit] += line.mask >> bit & 1
        slope = [u - 1 if u > 1 or exact[bit] > 0 else 0 for bit, u in enumerate(use)]
        norm = sum(s * s for s in slope)
        if not norm:
            return exact
        step = (bound - self.value) / norm
        return [max(0.0, price + step * s) for price, s in zip(exact, slope, strict=True)]

    def _use_pools(self) -> None:
        lists = [sorted(pool.values(), key=lambda line: -line.value) for pool in self._pools]
        lists = [[line._replace(net=line.value) for line in lines] for lines in lists]
        self._take(pack([lists[kind] for kind in self._kind_of], self.value + 1, 0))

    def _take(self, picked: list[Line | None] | None) -> None:
        if picked is not None:
            self.lines = picked
            self.value = sum(line.value for line in picked if line)

    def _rounded(self, bound: int) -> int:
        return bound - bound % self._unit

    def _list_all(self, prices: list[int], tops: list[int], bound: int) -> None:
        slack = bound - self.value - self._unit
        lists = []
        for kind, service in enumerate(self._services):
            finder = Finder(self._graph, service, prices, self._work)
            lines = finder.all_from(tops[kind] - slack)
            lines.sort(key=lambda line: -line.net)
            lists.append(lines)
        self.listed = [len(l) for l in lists]
        self._take(pack([lists[kind] for kind in self._kind_of], self.value + 1, sum(prices)))
        self.upper = self.value
