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
EAGER = 100
CLOSER = 0.75


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
        prices = [0.0] * self._bits
        start, tried_gap, tried_work = self._work.left, 0.0, 0
        lowest: tuple[int, list[int], list[Line | None]] | None = None
        while True:
            whole = [round(price) for price in prices]
            tops = [self._top(kind, whole) for kind in range(len(self._services))]
            bound = sum(whole) + sum(top.net for top in (tops[kind] for kind in self._kind_of) if top)
            self._use_pools()
            if lowest is None or bound < lowest[0]:
                lowest = (bound, whole, tops)
                self.upper = min(self.upper, max(self.value, bound - bound % self._unit))
            if self.value >= self.upper:
                return
            gap, done = lowest[0] - self.value, start - self._work.left
            if not tried_work or gap <= tried_gap * CLOSER or done >= tried_work * 2:
                if self._list_all(lowest[1], lowest[2], lowest[0], done * EAGER // 100):
                    return
                tried_gap, tried_work = gap, start - self._work.left
            prices = self._raised(prices, tops, bound)

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

    def _list_all(self, prices: list[int], tops: list[Line | None], bound: int, allowance: int) -> bool:
        """List every route that a better set could use and pick the best; False if that is too much work."""
        slack = bound - self.value - self._unit
        allowed = Work(min(self._work.left, allowance))
        lists = []
        try:
            for kind, top in enumerate(tops):
                finder = Finder(self._graph, self._services[kind], prices, allowed)
                lines = finder.all_from((top.net if top else 0) - slack)
                lists.append(sorted(lines, key=lambda line: -line.net))
        except OutOfWork:
            return False
        finally:
            self._work.left -= min(self._work.left, allowance) - allowed.left
        self.listed = [len(l) for l in lists]
        self._take(pack([lists[kind] for kind in self._kind_of], self.value + 1, sum(prices)))
        self.upper = self.value
        return True
