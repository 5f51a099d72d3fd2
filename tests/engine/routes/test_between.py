"""Routes from one stop to another: the best of those that have both as their ends."""

from random import Random

import pytest

from engine.board.map import Map, StopId
from engine.board.network import reach
from engine.core.topology import FIRST_STOP
from engine.routes import search
from engine.routes.between import best_between
from engine.routes.terms import Terms, TrainTerms
from engine.titles.t18c2c.coast_to_coast import route_across
from tests.engine.board.boards import random_board, random_grid, small_map

from .brute import Brute

TERMS = Terms({**{str(n): TrainTerms(n) for n in (2, 3, 4, 6)}, "3D": TrainTerms(3, token_factor=2)}, 1)
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


@pytest.fixture(params=["first lines", "diagrams"])
def by(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each way of searching on its own."""
    monkeypatch.setattr(search, "FIRST_WORK", 0 if request.param == "diagrams" else search.WORK_LIMIT)


@pytest.mark.usefixtures("by")
def test_the_best_between_two_stops_is_what_trying_everything_finds(whole_games: bool) -> None:
    rng = Random(4)
    found = []
    boards = [random_grid(seed, pieces=7) for seed in range(60 if whole_games else 30)]
    boards += [board for n, board in enumerate(random_board(11, 300)) if n % 60 == 59]
    for board in boards:
        for company in ("A", "PRR"):
            for start in board.tokens_of(company):
                for end in rng.choices(sorted(reach(board, company).stops), k=2):
                    train = rng.choice(sorted(TERMS.trains))
                    run = best_between(board, company, train, TERMS, start, end)
                    expected = Between(board, company, 6, (start, end)).best((train,), TERMS)
                    same = board.place(start) == board.place(end)
                    assert (run.value if run else 0) == (0 if same else expected)
                    if run:
                        assert {run.stops[0], run.stops[-1]} == {start, end}
                    found.append(bool(run))
    assert 20 < sum(found) < len(found)


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
        if len(stops) > 1 and any(self.board.present(self.company, stop) for stop in stops):
            self.ends.add(frozenset((stops[0], stops[-1])))


def test_a_train_gets_across_where_some_route_does(whole_games: bool) -> None:
    rng = Random(9)
    found = []
    for seed in range(200 if whole_games else 70):
        board = random_grid(seed, pieces=7)
        stops = [(c, i) for c in board.coords for i in range(len(board.topology(c).stops))]
        one, other = rng.sample(stops, 3), rng.sample(stops, 3)
        for train in ("2", "4", "6"):
            run = route_across(board, "A", train, TERMS, one, other)
            ends = Ends(board, "A", int(train)).ends
            assert (run is not None) == any({a, b} in ends for a in one for b in other if a != b), seed
            found.append(run is not None)
    assert 0.1 * len(found) < sum(found) < len(found)


def test_a_route_ends_at_the_place_and_does_not_pass_it() -> None:
    board = small_map(dict.fromkeys(("A1", "A3", "A5"), CITY), homes="A:A1")
    board.place_token("A1", 0, "A")
    run = best_between(board, "A", "3", TERMS, ("A1", 0), ("A3", 0))
    assert run is not None
    assert set(run.stops) == {("A1", 0), ("A3", 0)}
    assert best_between(board, "A", "2", TERMS, ("A1", 0), ("A5", 0)) is None
