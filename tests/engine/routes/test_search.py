from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random

import pytest

from benchmarks.synthetic import large_board
from engine.board.map import Map
from engine.board.network import network_of
from engine.routes import search, several_trains
from engine.routes.legal_routes import check_routes
from engine.routes.revenue_rules import TOWNS, WITHOUT_TOWNS, Bonus, RouteTerms, TrainTerms
from engine.routes.search import WORK_LIMIT, Known, best_routes
from engine.routes.several_trains import near_the_best, side_by_side
from tests.engine.board.boards import chesapeake, random_board, random_grid, small_map

from .brute import Brute

NINE = RouteTerms({**{str(n): TrainTerms(n) for n in (2, 3, 4)}, "D": TrainTerms(7)}, 1)
SETS = (
    ("2",),
    ("3",),
    ("2", "2"),
    ("2", "3"),
    ("3", "3"),
    ("2", "2", "3"),
    ("4",),
    ("3", "4"),
    ("D",),
    ("2", "D"),
    ("D", "D"),
    ("D", "3", "D"),
)


WAYS = ("first lines", "lines", "near the best", "side by side")


def each_way(
    board: Map, company: str, trains: Sequence[str], terms: RouteTerms
) -> Iterator[tuple[str, search.BestRoutes]]:
    for way in WAYS:
        with pytest.MonkeyPatch.context() as patch:
            _search_by(way, patch)
            found = best_routes(afresh(board), company, trains, terms)
        yield way, found


def _search_by(way: str, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(search, "FIRST_WORK", search.WORK_LIMIT if way == "first lines" else 0)
    if way == "lines":
        patch.setattr(search, "search_by_diagrams", lambda *_: None)
    patch.setattr(several_trains, "WAYS", (near_the_best,) if way == "near the best" else (side_by_side,))


def afresh(board: Map) -> Map:
    """The same board, of whose track nothing is known yet."""
    return Map.restore(board.spec, board.laid())


def test_best_on_wild_track(whole_games: bool) -> None:
    rng = Random(5)
    values = []
    for seed in range(150 if whole_games else 40):
        board, trains = random_grid(seed, pieces=7), rng.choice(SETS)
        values.append(Brute(board, "A", 7).best(trains, NINE))
        for way, found in each_way(board, "A", trains, NINE):
            assert found.value == found.upper == values[-1], (way, seed)
            assert found.proven
    assert len(set(values)) > (15 if whole_games else 10)


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


@pytest.mark.parametrize("factor", [1, 2])
def test_best_with_free_towns_and_doubled_stops(factor: int) -> None:
    terms = RouteTerms({"2": TrainTerms(2, WITHOUT_TOWNS, factor=factor), "3": TrainTerms(3)}, 1)
    for number, board in enumerate(random_board(7, 60)):
        if number % 20 == 19:
            for company in ("PRR", "B&O", "LV"):
                value = Brute(board, company, 12).best(("2", "3"), terms)
                for way, found in each_way(board, company, ("2", "3"), terms):
                    assert found.value == value, (way, number)


@pytest.mark.parametrize(("stops", "seeds"), [(2, (180, 759)), (3, (364, 1406)), (4, (67, 89, 165, 464))])
def test_best_with_a_free_town_at_one_end(stops: int, seeds: tuple[int, ...]) -> None:
    """Boards on which the best route ends at a free town, next to one where both ends are cities."""
    terms = RouteTerms({"F": TrainTerms(stops, WITHOUT_TOWNS)}, 1)
    for seed in seeds:
        board = large_board(seed, stops=8, chains=9, tokens=2)
        value = Brute(board, "A", 8).best(("F",), terms)
        for way, found in each_way(board, "A", ("F",), terms):
            assert found.value == value, (way, seed)


def test_best_with_towns_passed_by(whole_games: bool) -> None:
    """18NewEngland R-NE-088, together with a train that must stop everywhere."""
    terms = RouteTerms(
        {"2E": TrainTerms(2, optional=TOWNS), "3E": TrainTerms(3, optional=TOWNS), "3": TrainTerms(3)}, 1
    )
    rng = Random(9)
    passed = Counter[str]()
    for seed in range(150 if whole_games else 45):
        board = random_grid(seed, pieces=7)
        trains = rng.choice((("2E",), ("3E",), ("3E", "3"), ("2E", "3E"), ("3E", "3E")))
        value = Brute(board, "A", 7).best(trains, terms)
        for way, found in each_way(board, "A", trains, terms):
            assert found.value == value, (way, seed)
            assert found.proven
            passed[way] += any(0 in run.values for run in found.runs)
    assert all(passed[way] > (10 if whole_games else 2) for way in WAYS)


def test_best_of_express_trains(whole_games: bool) -> None:
    """18NewEngland R-NE-089: a 5E and an 8E next to a 3-train run as one 5E with twice its income."""
    express = RouteTerms(
        {"3": TrainTerms(3), "4E": TrainTerms(4, joins=True), "8E": TrainTerms(8, joins=True)}, 1
    )
    trains = ("8E", "3", "4E")
    alone = RouteTerms({"3": TrainTerms(3), "4E": TrainTerms(4, factor=2)}, 1)
    for seed in range(60 if whole_games else 30):
        board = random_grid(seed, pieces=7)
        value = Brute(board, "A", 8).best(("3", "4E"), alone)
        for way, found in each_way(board, "A", trains, express.running(trains)):
            assert found.value == value, (way, seed)
            assert "8E" not in {route.train for route in found.routes}


def test_best_with_doubled_tokens(whole_games: bool) -> None:
    """18C2C R-C2C-172."""
    terms = RouteTerms(
        {"2D": TrainTerms(2, token_factor=2), "3D": TrainTerms(3, token_factor=2), "3": TrainTerms(3)}
    )
    rng = Random(10)
    for seed in range(100 if whole_games else 40):
        board, trains = random_grid(seed, pieces=7), rng.choice((("2D",), ("3", "2D"), ("3D", "3D")))
        value = Brute(board, "A", 7).best(trains, terms)
        for way, found in each_way(board, "A", trains, terms):
            assert found.value == value, (way, seed)


def test_best_with_one_stop_a_hex(whole_games: bool) -> None:
    """18NewEngland R-NE-086."""
    fewer = 0
    for seed in range(150 if whole_games else 40):
        board = random_grid(seed, 5, 4, 7, one_stop_a_hex=True)
        value = Brute(board, "A", 7).best(("D",), NINE)
        for way, found in each_way(board, "A", ("D",), NINE):
            assert found.value == value, (way, seed)
        fewer += value < best_routes(random_grid(seed, 5, 4, 7), "A", ("D",), NINE).value
    assert fewer > 1


def test_best_with_bonuses(whole_games: bool) -> None:
    rng = Random(8)
    won = Counter[str]()
    for seed in range(120 if whole_games else 40):
        board, trains = random_grid(seed, pieces=7), rng.choice(SETS)
        stops = [coord for coord in board.coords if board.topology(coord).stops]
        bonuses = tuple(
            Bonus(name, frozenset(rng.sample(stops, 2)), rng.choice((20, 40, 70))) for name in ("one", "two")
        )
        terms = RouteTerms(NINE.trains, 1, bonuses=bonuses, extra={rng.choice(stops): 10})
        value = Brute(board, "A", 7).best(trains, terms)
        for way, found in each_way(board, "A", trains, terms):
            assert found.value == value, (way, seed)
            assert found.proven
            won[way] += any(len(run.values) > len(run.stops) for run in found.runs)
    assert all(won[way] > (10 if whole_games else 6) for way in WAYS)


def test_known_track_is_used_while_it_holds() -> None:
    terms = RouteTerms.of(chesapeake(), "5")
    kept = 0
    for seed in (21, 22):
        for board in random_board(seed, 70):
            for company in ("PRR", "B&O", "LV"):
                found = best_routes(board, company, ("4", "5"), terms)
                assert found.value == best_routes(afresh(board), company, ("4", "5"), terms).value
                assert found.proven
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


def test_known_answers_are_for_equal_questions(monkeypatch: pytest.MonkeyPatch) -> None:
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
    known: Known = {}
    for _ in range(2):
        again = ((afresh(board), trains, limit) for board, trains, limit in asked)
        assert found == [
            best_routes(b, "A", trains, NINE, work_limit=limit, known=known) for b, trains, limit in again
        ]
        # From now on nothing is searched for.
        monkeypatch.setattr(search, "solve", None)


def test_best_routes_are_legal_and_stable() -> None:
    *_, board = random_board(3, 90)
    terms = RouteTerms.of(chesapeake(), "5")
    first, second = (best_routes(board, "B&O", ("3", "4"), terms) for _ in range(2))
    assert first == second
    assert check_routes(board, "B&O", ("3", "4"), first.routes, terms) == first.runs
    assert first.value == sum(run.value for run in first.runs) > 0


def test_nothing_to_earn() -> None:
    board = Map(chesapeake())
    terms = RouteTerms.of(chesapeake(), "2")
    for trains in ((), ("2",)):
        found = best_routes(board, "B&O", trains, terms)
        assert (found.routes, found.value, found.proven, found.upper) == ((), 0, True, 0)


def test_token_in_a_red_area_starts_a_route() -> None:
    hexes = {
        "A1": {"colour": "gray", "stops": ["city 20"], "track": "0-a"},
        "A3": {"colour": "red", "stops": ["city 40"], "track": "3-a 0-a"},
        "A5": {"colour": "gray", "stops": ["city 30"], "track": "3-a"},
    }
    board = small_map(hexes)
    board.place_token("A3", 0, "A")
    for way, found in each_way(board, "A", ("D",), RouteTerms({"D": TrainTerms(None)})):
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
    assert whole.proven
    for limit in (0, 10, 40):
        part = best_routes(board, "A", ("D", "D"), NINE, work_limit=limit)
        assert not part.proven
        assert part.value <= whole.value <= part.upper
        assert part.value > 0 or limit == 0


def test_best_on_synthetic_boards() -> None:
    terms = RouteTerms({"2": TrainTerms(2), "3": TrainTerms(3), "3D": TrainTerms(3, factor=2)})
    for seed in range(12):
        board = large_board(seed, stops=12, chains=18, tokens=2)
        for trains in (("2", "3D"), ("3", "3D")):
            value = Brute(board, "A", 4).best(trains, terms)
            for way, found in each_way(board, "A", trains, terms):
                assert found.value == value, (way, seed)


def _by_lines(board: Map, company: str, trains: Sequence[str], terms: RouteTerms) -> search.BestRoutes:
    """The best by listing alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "search_by_diagrams", lambda *_: None)
        return best_routes(board, company, trains, terms)


def test_diagrams_and_lines_agree_on_long_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    terms = RouteTerms({"4": TrainTerms(4), "D": TrainTerms(None)}, 1)
    boards = [all_cities(3, 2), *(board for n, board in enumerate(random_board(11, 160)) if n % 32 == 31)]
    seen = 0
    for board in boards:
        for company, trains in (("A", ("D", "D")), ("B&O", ("4", "D")), ("PRR", ("D", "D", "4"))):
            lines = _by_lines(board, company, trains, terms)
            monkeypatch.setattr(search, "FIRST_WORK", 0)
            diagrams = best_routes(board, company, trains, terms)
            assert lines.proven
            assert diagrams.proven
            assert lines.value == diagrams.value
            assert check_routes(board, company, trains, diagrams.routes, terms) == diagrams.runs
            seen += lines.value > 0
    assert seen > 5


def test_diagrams_and_lines_agree_on_equal_trains(monkeypatch: pytest.MonkeyPatch, whole_games: bool) -> None:
    terms = RouteTerms({"4": TrainTerms(4), "5": TrainTerms(5), "D": TrainTerms(None)})
    for seed in range(14 if whole_games else 7):
        board = large_board(seed, stops=12, chains=18, tokens=2)
        for trains in (("5", "5"), ("D", "D"), ("4", "4", "4")):
            lines = _by_lines(board, "A", trains, terms)
            monkeypatch.setattr(search, "FIRST_WORK", 0)
            diagrams = best_routes(board, "A", trains, terms)
            assert (diagrams.value, diagrams.proven) == (lines.value, True), (seed, trains)


def test_lines_take_over_from_large_diagrams(monkeypatch: pytest.MonkeyPatch) -> None:
    board = all_cities(3, 3)
    whole = best_routes(board, "A", ("D", "D"), NINE)
    monkeypatch.setattr(search, "FIRST_WORK", 0)
    for limit in (5, 40, 200):
        monkeypatch.setattr(several_trains, "MOST_NODES", limit)
        part = best_routes(board, "A", ("D", "D"), NINE)
        assert (part.value, part.proven) == (whole.value, True)
