"""All routes and all sets of routes of a company, by trying everything: slow, and simple to believe."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations

import pytest

from engine.board.hexes import opposite_edge
from engine.board.map import Map
from engine.core.topology import FIRST_STOP, is_edge
from engine.routes import search, several_trains, single_train
from engine.routes.revenue_rules import RouteRules
from engine.routes.search import BestRoutes, best_routes
from engine.routes.several_trains import search_near_best, search_side_by_side
from tests.engine.board.boards import area_of


def as_it_is(patch: pytest.MonkeyPatch) -> None:
    del patch


def by_lines_at_no_prices(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(search, "WORK_BEFORE_DIAGRAMS", search.WORK_LIMIT)
    patch.setattr(search, "_LISTING_WORK_TIMES_GAP", search.WORK_LIMIT)
    patch.setattr(single_train, "VISITS_BEFORE_WALKS", 0)


def by_lines(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(search, "WORK_BEFORE_DIAGRAMS", 0)
    patch.setattr(search, "search_by_diagrams", lambda *_: None)


def by_diagrams(*ways: object) -> Callable[[pytest.MonkeyPatch], None]:
    def chosen(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(search, "WORK_BEFORE_DIAGRAMS", 0)
        patch.setattr(several_trains, "SEARCH_METHODS", ways)

    return chosen


WAYS: Mapping[str, Callable[[pytest.MonkeyPatch], None]] = {
    "as it is": as_it_is,
    "first lines": by_lines_at_no_prices,
    "lines": by_lines,
    "near the best": by_diagrams(search_near_best),
    "side by side": by_diagrams(search_side_by_side, search_near_best),
}
"""Each way of searching on its own: which is taken depends on the work so far, and nobody may choose."""


def each_way(
    board: Map, company: str, trains: Sequence[str], route_rules: RouteRules
) -> Iterator[tuple[str, BestRoutes]]:
    for way, take in WAYS.items():
        with pytest.MonkeyPatch.context() as patch:
            take(patch)
            yield way, best_routes(afresh(board), company, trains, route_rules)


def afresh(board: Map) -> Map:
    """The same board, of whose track nothing is known yet."""
    return Map.restore(board.spec, board.changes_in_play())


class Brute:
    """Every route of the company of at most `longest` stops: its stops, and the track it uses."""

    def __init__(self, board: Map, company: str, longest: int) -> None:
        self.board = board
        self.company = company
        self.longest = longest
        self._area = cache(self._area_of)
        self._beyond = cache(self._ends_beyond)
        self.routes: set[tuple[frozenset[tuple[str, int]], frozenset[object]]] = set()
        for coord in board.coords:
            for stop in range(len(board.topology(coord).stops)):
                self._leave([(coord, stop)], frozenset())

    def best(self, trains: Sequence[str], route_rules: RouteRules) -> int:
        """The most that the trains can earn together, in dollars."""
        options = [self._worth(train, route_rules) for train in trains]
        return max(self._most(chosen) for n in range(len(trains) + 1) for chosen in combinations(options, n))

    def _worth(self, train: str, route_rules: RouteRules) -> list[tuple[int, frozenset[object]]]:
        best: dict[frozenset[object], int] = {}
        for stops, used in self.routes:
            value = self._value(stops, train, route_rules)
            if value is not None:
                hexes = {coord for coord, _ in stops}
                won = [bonus for bonus in route_rules.bonuses if bonus.hexes <= hexes]
                for taken in (c for n in range(len(won) + 1) for c in combinations(won, n)):
                    # a bonus is taken by one train: like track, nobody shares it
                    with_it = used | {bonus.name for bonus in taken}
                    worth = value + sum(bonus.value for bonus in taken)
                    best[with_it] = max(worth, best.get(with_it, 0))
        return sorted(((value, used) for used, value in best.items()), key=lambda pair: -pair[0])

    def _value(self, stops: frozenset[tuple[str, int]], train: str, route_rules: RouteRules) -> int | None:
        limit = route_rules.trains[train].max_stops
        optional = [stop for stop in stops if route_rules.may_pass_by(self.board, stop, train)]
        values = []
        for passed in (c for n in range(len(optional) + 1) for c in combinations(optional, n)):
            halts = stops - set(passed)
            counted = sum(route_rules.is_counted(self.board, stop, train) for stop in halts)
            if limit is None or counted <= limit:
                values.append(sum(route_rules.value(self.board, self.company, stop, train) for stop in halts))
        return max(values, default=None)

    def _most(self, options: Sequence[list[tuple[int, frozenset[object]]]]) -> int:
        def most(rest: Sequence[list[tuple[int, frozenset[object]]]], used: frozenset[object]) -> int:
            if not rest:
                return 0
            fits = ((v, u) for v, u in rest[0] if not u & used)
            return max((v + most(rest[1:], used | u) for v, u in fits), default=-10_000)

        return most(options, frozenset())

    def _area_of(self, stop: tuple[str, int]) -> object:
        return area_of(self.board, stop)

    def _ends_beyond(self, coord: str, end: int) -> list[int]:
        pieces = self.board.topology(coord).pieces
        return [p.second_end if p.first_end == end else p.first_end for p in pieces if end in p.ends()]

    def _leave(self, stops: list[tuple[str, int]], used: frozenset[object]) -> None:
        coord, stop = stops[-1]
        for far in self._beyond(coord, FIRST_STOP + stop):
            self._go(coord, FIRST_STOP + stop, far, stops, used)

    def _go(
        self, coord: str, near: int, far: int, stops: list[tuple[str, int]], used: frozenset[object]
    ) -> None:
        if is_edge(far):
            other = self.board.neighbour(coord, far)
            border = (coord, far) if other is None else min((coord, far), (other, opposite_edge(far)))
            if other is not None and border not in used:
                for beyond in self._beyond(other, opposite_edge(far)):
                    self._go(other, opposite_edge(far), beyond, stops, used | {border})
            return
        if not is_edge(near):
            used = used | {(coord, min(near, far), max(near, far))}
        stop = (coord, far - FIRST_STOP)
        if self._area(stop) in map(self._area, stops) or len(stops) >= self.longest:
            return
        stops = [*stops, stop]
        if any(self.company in self.board.slots(*visited) for visited in stops):
            self.routes.add((frozenset(stops), used))
        if not self.board.is_terminal(coord) and not self.board.blocks_routes_of(*stop, self.company):
            self._leave(stops, used)
