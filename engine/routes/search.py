"""The best set of routes for a company's trains, with a proof that nothing better exists.

Take the best route of each train by itself; the sum is more than or equal to what the trains can earn together. Any set of
routes worth at least that sum less d consists of routes that each come within d of the train's own best. So the routes
within d are listed and the best set without shared track among them is picked: if it is worth the sum less d or more,
it is the best of all. Otherwise d is made larger.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.board.map import Map
from engine.board.track import PieceId
from engine.ids import CompanyId, TrainName
from engine.routes.check import Run, check
from engine.routes.graph import Graph, Link, graph_of
from engine.routes.model import Route
from engine.routes.singles import Finder, Line, OutOfWork, Service, Work
from engine.routes.terms import Terms

WORK_LIMIT = 200_000


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
    search = _Search(graph, [_service(board, graph, train, terms) for train in trains], Work(work_limit))
    lines, upper, proven = search.run()
    routes = tuple(
        Route(train, _pieces(line)) for train, line in zip(trains, lines, strict=True) if line is not None
    )
    runs = check(board, company, trains, routes, terms)
    value = sum(run.value for run in runs)
    return Best(routes, runs, value, proven, value if proven else upper)


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
    """One search; trains with equal services are searched once."""

    def __init__(self, graph: Graph, services: list[Service], work: Work) -> None:
        self._work = work
        self._kinds = list(dict.fromkeys(services))
        self._kind_of = [self._kinds.index(service) for service in services]
        self._finders = [Finder(graph, kind, work) for kind in self._kinds]

    def run(self) -> tuple[list[Line | None], int, bool]:
        singles = [finder.best() for finder in self._finders]
        tops = [single.value if single else 0 for single in singles]
        upper = sum(tops[kind] for kind in self._kind_of)
        slack = 0
        while True:
            lists = [
                _undominated(finder.all_from(top - slack))
                for finder, top in zip(self._finders, tops, strict=True)
            ]
            picked, value = pack([lists[kind] for kind in self._kind_of], self._work)
            if value >= upper - slack:
                return picked, value, True
            slack = max(10, min(slack * 2, upper - value))


def _undominated(lines: list[Line]) -> list[Line]:
    kept: dict[int, Line] = {}
    for line in sorted(lines, key=lambda line: -line.value):
        kept.setdefault(line.mask, line)
    return list(kept.values())


def pack(lists: Sequence[Sequence[Line]], work: Work) -> tuple[list[Line | None], int]:
    tops = [lines[0].value if lines else 0 for lines in lists]
    rest = [sum(tops[i:]) for i in range(len(tops) + 1)]
    best_value = -1
    best_pick: list[Line | None] = []
    pick: list[Line | None] = []

    def choose(i: int, used: int, value: int, start: int) -> None:
        nonlocal best_value, best_pick
        if i == len(lists):
            if value > best_value:
                best_value, best_pick = value, list(pick)
            return
        same = i + 1 < len(lists) and lists[i + 1] is lists[i]
        lines = lists[i]
        for n in range(start, len(lines)):
            line = lines[n]
            if value + line.value + rest[i + 1] <= best_value:
                break
            if not line.mask & used:
                pick.append(line)
                choose(i + 1, used | line.mask, value + line.value, n + 1 if same else 0)
                pick.pop()
        if value + rest[i + 1] > best_value:
            pick.append(None)
            choose(i + 1, used, value, len(lines) if same else 0)
            pick.pop()

    choose(0, 0, 0, 0)
    return best_pick, best_value
