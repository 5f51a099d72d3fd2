"""The best routes: special boards, what is known of earlier searches, limits of work.

Random boards with trains and bonuses of every kind are in `tests/properties/test_best_routes.py`.
"""

from collections.abc import Iterator
from itertools import combinations
from random import Random

import pytest

from benchmarks.synthetic import large_board
from engine.board.map import Map
from engine.board.network import network_of
from engine.routes import search, several_trains
from engine.routes.legal_routes import check_routes
from engine.routes.revenue_rules import STOP_KINDS_WITHOUT_TOWNS, RouteRules, TrainRules
from engine.routes.search import WORK_LIMIT, KnownSolutions, best_routes
from tests.engine.board.boards import chesapeake, random_board, random_grid, small_map

from .brute import WAYS, Brute, afresh, each_way

NINE = RouteRules({**{str(n): TrainRules(n) for n in (2, 3, 4)}, "D": TrainRules(7)}, 1)
SETS = (("3",), ("2", "2"), ("2", "3"), ("2", "2", "3"), ("3", "4"), ("D", "3", "D"))


def test_best_on_tiles(whole_games: bool) -> None:
    rng = Random(6)
    values = []
    seeds = range(100, 103 if whole_games else 102)
    for number, board in enumerate(board for seed in seeds for board in random_board(seed, 200)):
        if number % 200 > 80 and number % 24 == 0:
            trains = rng.choice(SETS)
            for company in ("PRR", "B&O", "LV"):
                values.append(Brute(board, company, 7).best(trains, NINE))
                for way, found in each_way(board, company, trains, NINE):
                    assert found.value == values[-1], (way, number)
    assert len(set(values)) > 10


@pytest.mark.parametrize(("stops", "seeds"), [(2, (180, 759)), (3, (364, 1406)), (4, (67, 89, 165, 464))])
def test_best_with_a_free_town_at_one_end(stops: int, seeds: tuple[int, ...]) -> None:
    """Boards on which the best route ends at a free town, next to one where both ends are cities."""
    route_rules = RouteRules({"F": TrainRules(stops, STOP_KINDS_WITHOUT_TOWNS)}, 1)
    for seed in seeds:
        board = large_board(seed, stops=8, chains=9, tokens=2)
        value = Brute(board, "A", 8).best(("F",), route_rules)
        for way, found in each_way(board, "A", ("F",), route_rules):
            assert found.value == value, (way, seed)


@pytest.mark.parametrize(("seed", "stops", "chains"), [(554, 8, 10), (846, 6, 7), (1224, 6, 8)])
def test_best_of_four_trains_of_three_kinds(seed: int, stops: int, chains: int) -> None:
    """Boards on which two 2-trains compete for track, and then both with a 3-train."""
    board, trains = large_board(seed, stops=stops, chains=chains, tokens=2), ("2", "2", "3", "4")
    value = Brute(board, "A", 4).best(trains, NINE)
    assert {way: found.value for way, found in each_way(board, "A", trains, NINE)} == dict.fromkeys(
        WAYS, value
    )


def test_known_track_is_used_while_it_holds() -> None:
    route_rules = RouteRules.from_spec(chesapeake(), "5")
    kept = 0
    for seed in (21, 22):
        for board in random_board(seed, 70):
            for company in ("PRR", "B&O", "LV"):
                found = best_routes(board, company, ("4", "5"), route_rules)
                assert found.value == best_routes(afresh(board), company, ("4", "5"), route_rules).value
                assert found.is_proven
                kept += found.value > 0
                network_of(board, company)  # what this finds out may hold for the boards to come, or not
    assert kept > 20


def two_ways() -> Iterator[Map]:
    """The same two cities, joined straight on, and round about."""
    straight = {"A1": "0-a", "A3": "0-3", "A5": "3-a"}
    about = {"A1": "5-a", "B2": "0-2", "B4": "1-3", "A5": "4-a"}
    for track in (straight, about):
        cities = {coord: ["city 20"] if coord in ("A1", "A5") else [] for coord in track}
        board = small_map({c: {"colour": "gray", "stops": cities[c], "track": track[c]} for c in track})
        board.place_token("A1", 0, "A")
        yield board


def test_known_answers_are_for_equal_questions() -> None:
    """It differs in track, areas, full cities, tokens, trains, their order, or the work that is allowed."""
    plain, areas, full, token = (
        random_grid(253, 4, 3, 5, grouped=0, one_stop_a_hex=one_stop_a_hex)
        for one_stop_a_hex in (False, True, False, False)
    )
    for stop in (("C1", 0), ("C3", 1), ("C5", 0), ("C5", 1)):
        full.place_token(*stop, "B")
    token.place_token("C5", 0, "A")
    one: tuple[str, ...] = ("D",)
    two = ("D", "D")
    asked = [(board, one, WORK_LIMIT) for board in (plain, areas, *two_ways())]
    asked += [(board, two, WORK_LIMIT) for board in (plain, full, token)]
    asked += [(plain, trains, WORK_LIMIT) for trains in (("2", "3"), ("3", "2"))]
    asked += [(plain, two, 5)]
    found = [best_routes(board, "A", trains, NINE, work_limit=limit) for board, trains, limit in asked]
    assert all(answer != other for answer, other in combinations(found, 2))
    known: KnownSolutions = {}
    solved: KnownSolutions = {}
    for _ in range(2):
        again = ((afresh(board), trains, limit) for board, trains, limit in asked)
        assert found == [
            best_routes(b, "A", trains, NINE, work_limit=limit, known_solutions=known)
            for b, trains, limit in again
        ]
        solved = solved or dict(known)
    assert known.keys() == solved.keys()
    assert all(known[question] is solved[question] for question in solved), "nothing is searched for again"


def test_best_routes_are_legal_and_stable() -> None:
    """And nothing where there is nothing to earn."""
    *_, board = random_board(3, 90)
    route_rules = RouteRules.from_spec(chesapeake(), "5")
    first, second = (best_routes(board, "B&O", ("3", "4"), route_rules) for _ in range(2))
    assert first == second
    assert check_routes(board, "B&O", ("3", "4"), first.routes, route_rules) == first.runs
    assert first.value == sum(run.value for run in first.runs) > 0
    board = Map(chesapeake())
    route_rules = RouteRules.from_spec(chesapeake(), "2")
    for trains in ((), ("2",)):
        found = best_routes(board, "B&O", trains, route_rules)
        assert (found.routes, found.value, found.is_proven, found.upper_bound) == ((), 0, True, 0)


def test_token_in_a_red_area_starts_a_route() -> None:
    hexes = {
        "A1": {"colour": "gray", "stops": ["city 20"], "track": "0-a"},
        "A3": {"colour": "red", "stops": ["city 40"], "track": "3-a 0-a"},
        "A5": {"colour": "gray", "stops": ["city 30"], "track": "3-a"},
    }
    board = small_map(hexes)
    board.place_token("A3", 0, "A")
    for way, found in each_way(board, "A", ("D",), RouteRules({"D": TrainRules(None)})):
        assert found.value == 70, way
        assert len(found.routes[0].stops()) == 2


def all_cities(columns: int, rows: int) -> Map:
    """A field of cities, each joined to all its neighbours, with a token of A in the first column."""
    places = [(x, y) for x in range(columns) for y in range(x % 2, 2 * rows, 2)]
    city = {"colour": "gray", "stops": ["city 20"], "track": "0-a 1-a 2-a 3-a 4-a 5-a"}
    hexes = {
        f"{chr(ord('A') + x)}{y + 1}": {**city, "stops": [f"city {10 * (x + y + 1)}"]} for x, y in places
    }
    board = small_map(hexes)
    board.place_token("A3", 0, "A")
    return board


def test_work_limit_leaves_an_upper_bound() -> None:
    board = all_cities(3, 3)
    whole = best_routes(board, "A", ("D", "D"), NINE)
    assert whole.is_proven
    for limit in (0, 10, 40):
        part = best_routes(board, "A", ("D", "D"), NINE, work_limit=limit)
        assert not part.is_proven
        assert part.value <= whole.value <= part.upper_bound
        assert part.value > 0 or limit == 0


def test_diagrams_and_lines_agree_on_long_runs() -> None:
    route_rules = RouteRules({"4": TrainRules(4), "5": TrainRules(5), "D": TrainRules(None)}, 1)
    tiles = [board for n, board in enumerate(random_board(11, 160)) if n % 32 == 31]
    wild = [large_board(seed, stops=12, chains=18, tokens=2) for seed in range(4)]
    asked = [(board, "A", trains) for board in wild for trains in (("5", "5"), ("4", "4", "4"))]
    asked += [(board, "B&O", ("4", "D")) for board in tiles]
    asked += [
        (board, company, ("D", "D")) for board in (*tiles, all_cities(3, 2)) for company in ("PRR", "A")
    ]
    seen = 0
    for board, company, trains in asked:
        found = dict(each_way(board, company, trains, route_rules))
        lines, diagrams = found["lines"], found["near the best"]
        assert lines.is_proven
        assert diagrams.is_proven
        assert lines.value == diagrams.value
        assert check_routes(board, company, trains, diagrams.routes, route_rules) == diagrams.runs
        seen += lines.value > 0
    assert seen > 10


def test_lines_take_over_from_large_diagrams(monkeypatch: pytest.MonkeyPatch) -> None:
    board = all_cities(3, 3)
    whole = best_routes(board, "A", ("D", "D"), NINE)
    # A diagram too large for the memory wants a board that takes minutes: the limits are lowered instead.
    monkeypatch.setattr(search, "WORK_BEFORE_DIAGRAMS", 0)
    for limit in (5, 40, 200):
        monkeypatch.setattr(several_trains, "MAX_DIAGRAM_NODES", limit)
        part = best_routes(board, "A", ("D", "D"), NINE)
        assert (part.value, part.is_proven) == (whole.value, True)
