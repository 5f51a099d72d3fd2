"""Routes from coast to coast: one is found wherever trying everything finds one."""

from random import Random

from engine.board.map import Map, StopId
from engine.core.topology import FIRST_STOP
from engine.routes.revenue_rules import RouteRules, TrainRules
from engine.titles.t18c2c.coast_to_coast import coast_to_coast_route
from tests.engine.board.boards import random_grid
from tests.engine.routes.brute import Brute

TERMS = RouteRules({str(n): TrainRules(n) for n in (2, 4, 6)}, 1)


class Ends(Brute):
    """The two ends of every route."""

    def __init__(self, board: Map, company: str, longest: int) -> None:
        self.ends: set[frozenset[StopId]] = set()
        super().__init__(board, company, longest)

    def _leave(self, stops: list[StopId], used: frozenset[object]) -> None:
        self._note(stops)
        super()._leave(stops, used)

    def _go(self, coord: str, near: int, far: int, stops: list[StopId], used: frozenset[object]) -> None:
        before = len(self.routes)
        super()._go(coord, near, far, stops, used)
        if far >= FIRST_STOP and len(self.routes) > before:
            self._note([*stops, (coord, far - FIRST_STOP)])

    def _note(self, stops: list[StopId]) -> None:
        if len(stops) > 1 and any(self.board.has_token(self.company, stop) for stop in stops):
            self.ends.add(frozenset((stops[0], stops[-1])))


def test_route_across_is_found(whole_games: bool) -> None:
    rng = Random(9)
    found = []
    for seed in range(200 if whole_games else 70):
        board = random_grid(seed, pieces=7)
        stops = [(c, i) for c in board.coords for i in range(len(board.topology(c).stops))]
        one, other = rng.sample(stops, 3), rng.sample(stops, 3)
        for train in ("2", "4", "6"):
            run = coast_to_coast_route(board, "A", train, TERMS, one, other)
            ends = Ends(board, "A", int(train)).ends
            assert (run is not None) == any({a, b} in ends for a in one for b in other if a != b), seed
            found.append(run is not None)
    assert 0.1 * len(found) < sum(found) < len(found)
