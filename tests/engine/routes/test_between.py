"""Routes from one stop to another: the best of those that have both as their ends."""

from random import Random

import pytest

from engine.board.map import Map, StopId
from engine.board.network import network_of
from engine.routes.point_to_point import best_between
from engine.routes.revenue_rules import RouteRules, TrainRules
from tests.engine.board.boards import random_board, random_grid, small_map

from .brute import WAYS, Brute

TERMS = RouteRules({**{str(n): TrainRules(n) for n in (2, 3, 4, 6)}, "3D": TrainRules(3, token_factor=2)}, 1)
CITY = {"colour": "gray", "stops": ["city 20"], "track": "0-a 3-a"}


class Between(Brute):
    """Every route with these ends: passed by none, so that nothing leads on from them."""

    def __init__(self, board: Map, company: str, longest: int, ends: tuple[StopId, StopId]) -> None:
        self._ends = ends
        super().__init__(board, company, longest)
        self.routes = {(stops, used) for stops, used in self.routes if set(ends) <= stops}

    def _leave(self, stops: list[StopId], used: frozenset[object]) -> None:
        if stops[-1] not in self._ends or len(stops) == 1:
            super()._leave(stops, used)


@pytest.mark.parametrize("way", ["first lines", "near the best"])
def test_best_between_two_stops(way: str, monkeypatch: pytest.MonkeyPatch, whole_games: bool) -> None:
    WAYS[way](monkeypatch)
    rng = Random(4)
    found = []
    boards = [random_grid(seed, pieces=7) for seed in range(60 if whole_games else 30)]
    boards += [board for n, board in enumerate(random_board(11, 300)) if n % 60 == 59]
    for board in boards:
        for company in ("A", "PRR"):
            for start in board.token_stops_of(company):
                for end in rng.choices(sorted(network_of(board, company).stops), k=2):
                    train = rng.choice(sorted(TERMS.trains))
                    run = best_between(board, company, train, TERMS, start, end)
                    expected = Between(board, company, 6, (start, end)).best((train,), TERMS)
                    same = board.visited_place(start) == board.visited_place(end)
                    assert (run.value if run else 0) == (0 if same else expected)
                    if run:
                        assert {run.stops[0], run.stops[-1]} == {start, end}
                    found.append(bool(run))
    assert 20 < sum(found) < len(found)


def test_route_ends_at_the_place() -> None:
    board = small_map(dict.fromkeys(("A1", "A3", "A5"), CITY), homes="A:A1")
    board.place_token("A1", 0, "A")
    run = best_between(board, "A", "3", TERMS, ("A1", 0), ("A3", 0))
    assert run is not None
    assert set(run.stops) == {("A1", 0), ("A3", 0)}
    assert best_between(board, "A", "2", TERMS, ("A1", 0), ("A5", 0)) is None
