"""One small map: a line from A1, where A has its token, to red areas in A9 and A11, and a loop over B2."""

import pytest

from engine.board.map import Map
from engine.core.facts import Fact, fact
from engine.core.spec import TrainSpec
from engine.routes.legal_routes import Route, RouteProblem, check_routes
from engine.routes.revenue_rules import ALL_KINDS, TOWNS, WITHOUT_TOWNS, Terms, TrainTerms
from tests.engine.board.boards import Hexes, small_map

TERMS = Terms({"2": TrainTerms(2), "3": TrainTerms(3), "D": TrainTerms(None)})


@pytest.fixture
def board() -> Map:
    return line_with_loop("South")


def line_with_loop(last_group: str) -> Map:
    hexes: Hexes = {
        "A1": {"colour": "gray", "stops": ["city 20/30 x2"], "track": "0-a 5-a"},
        "A3": {"colour": "gray", "stops": ["town 10"], "track": "3-a 0-a 4-a"},
        "A5": {"colour": "gray", "stops": ["city 30"], "track": "3-a 0-a"},
        "A7": {"colour": "gray", "track": "3-0"},
        "A9": {"colour": "red", "stops": ["offboard 40/60"], "track": "3-a 0-a", "group": "South"},
        "A11": {"colour": "red", "stops": ["offboard 50"], "track": "3-a", "group": last_group},
        "B2": {"colour": "gray", "stops": ["city 50"], "track": "2-a 1-a"},
    }
    board = small_map(hexes)
    board.place_token("A1", 0, "A")
    return board


def route(text: str) -> Route:
    return Route.read(text)


DOWN = "2:A1.a-0 A3.3-a"


def problem(board: Map, *texts: str, trains: tuple[str, ...] = ("2", "3", "D"), terms: Terms = TERMS) -> Fact:
    with pytest.raises(RouteProblem) as caught:
        check_routes(board, "A", trains, [route(text) for text in texts], terms)
    return caught.value.reason


def test_a_legal_route_is_priced_stop_by_stop(board: Map) -> None:
    [run] = check_routes(board, "A", ("3",), [route("3:A1.a-0 A3.3-a A3.a-0 A5.3-a")], TERMS)
    assert run.stops == (("A1", 0), ("A3", 0), ("A5", 0))
    assert run.values == (20, 10, 30)
    assert run.value == 60
    assert run.sum_text() == "20+10+30"


def test_the_revenue_step_decides_which_value_counts(board: Map) -> None:
    later = Terms(TERMS.trains, step=1)
    [run] = check_routes(board, "A", ("2",), [route(DOWN)], later)
    assert run.values == (30, 10)


def test_towns_may_be_free_and_only_what_counts_is_doubled(board: Map) -> None:
    terms = Terms({"2": TrainTerms(2, WITHOUT_TOWNS, factor=2)})
    [run] = check_routes(board, "A", ("2",), [route("2:A1.a-0 A3.3-a A3.a-0 A5.3-a")], terms)
    assert run.values == (40, 10, 60)


WHOLE_LINE = "A1.a-0 A3.3-a A3.a-0 A5.3-a A5.a-0 A7.3-0 A9.3-a"


def test_a_train_may_pass_towns_by_and_stops_at_the_best_that_are_left(board: Map) -> None:
    """18NewEngland R-NE-088: what it passes by is not counted and not paid, cities and red areas always are."""
    for stops, values in ((3, (20, 0, 30, 40)), (4, (20, 10, 30, 40)), (9, (20, 10, 30, 40))):
        terms = Terms({"E": TrainTerms(stops, optional=TOWNS)})
        [run] = check_routes(board, "A", ("E",), [route(f"E:{WHOLE_LINE}")], terms)
        assert run.values == values
    assert run.sum_text() == "20+10+30+40"
    short = Terms({"E": TrainTerms(2, optional=TOWNS)})
    refused = problem(board, f"E:{WHOLE_LINE}", trains=("E",), terms=short)
    assert refused == fact("routes.too_long", route="A1-A3-A5-A9", stops=3, train="E", limit=2)


def test_stops_passed_by_are_left_out_of_the_sum(board: Map) -> None:
    terms = Terms({"E": TrainTerms(3, optional=TOWNS)})
    [run] = check_routes(board, "A", ("E",), [route(f"E:{WHOLE_LINE}")], terms)
    assert (run.sum_text(), run.value) == ("20+30+40", 90)


EXPRESS = Terms(
    {
        "3": TrainTerms(3),
        "5E": TrainTerms(5, optional=TOWNS, joins=True),
        "8E": TrainTerms(8, optional=TOWNS, joins=True),
    }
)


def test_express_trains_run_as_one_of_the_smallest_number(board: Map) -> None:
    """18NewEngland R-NE-089: limit of the smallest, income times their number; other trains run for themselves."""
    for trains, factor in ((("5E",), 1), (("8E", "5E"), 2), (("5E", "5E", "5E"), 3), (("5E", "3"), 1)):
        terms = EXPRESS.running(trains)
        [run] = check_routes(board, "A", trains, [route(f"5E:{WHOLE_LINE}")], terms)
        assert run.value == 100 * factor, trains
    terms = EXPRESS.running(("8E", "5E", "3"))
    assert terms.fleet(("8E", "5E", "3")) == ["5E", "3"]
    refused = problem(board, f"8E:{WHOLE_LINE}", trains=("8E", "5E", "3"), terms=terms)
    assert refused == fact("routes.run_together", idle=("8E",), company="A", trains=("5E", "3"))


def test_a_title_says_how_its_trains_run() -> None:
    """What towns, own tokens and other trains of a kind mean to a train is data of the title."""
    facts = {"name": "5E", "price": 500, "stops": 5, "factor": 2, "token_factor": 3}
    for towns, counted, optional in (
        ("counted", ALL_KINDS, frozenset()),
        ("free", WITHOUT_TOWNS, frozenset()),
        ("optional", ALL_KINDS, TOWNS),
    ):
        spec = TrainSpec.model_validate({**facts, "towns": towns, "joins": True})
        assert TrainTerms.of(spec) == TrainTerms(5, counted, optional, 2, 3, joins=True)


def test_a_train_may_double_only_what_has_an_own_token(board: Map) -> None:
    """18C2C R-C2C-172: home, destination and red places alike."""
    terms = Terms({"3D": TrainTerms(3, token_factor=2)})
    [run] = check_routes(board, "A", ("3D",), [route("3D:A1.a-0 A3.3-a A3.a-0 A5.3-a")], terms)
    assert run.values == (40, 10, 30)


def test_two_stops_of_a_hex_are_one_where_the_title_says_so_unless_joined() -> None:
    """18NewEngland R-NE-086; in other titles both cities of a hex may be visited, over different track."""
    for inside, again in (("", True), (" a-b", False)):
        hexes: Hexes = {
            "A1": {"colour": "gray", "stops": ["city 20"], "track": "0-a"},
            "A3": {"colour": "gray", "stops": ["city 30", "city 40"], "track": "3-a 0-a 5-b" + inside},
            "A5": {"colour": "gray", "track": "3-4"},
            "B4": {"colour": "gray", "track": "1-2"},
        }
        text = "D:A1.a-0 A3.3-a A3.a-0 A5.3-4 B4.1-2 A3.5-b"
        free = small_map(hexes)
        strict = small_map(hexes, one_stop_a_hex=True)
        for board in (free, strict):
            board.place_token("A1", 0, "A")
        assert check_routes(free, "A", ("D",), [route(text)], TERMS)[0].value == 90
        if again:
            assert problem(strict, text) == fact("reach.stop_twice", place="A3")
        else:
            assert check_routes(strict, "A", ("D",), [route(text)], TERMS)[0].value == 90


def test_no_routes_at_all_are_legal(board: Map) -> None:
    assert check_routes(board, "A", ("2",), [], TERMS) == ()


def test_each_train_runs_once(board: Map) -> None:
    refused = problem(board, DOWN, "2:A1.a-5 B2.2-a", trains=("2", "3"))
    assert refused == fact("routes.each_train_once", company="A", trains=("2", "3"))


def test_a_train_must_be_there(board: Map) -> None:
    assert problem(board, DOWN, trains=()).name == "routes.no_train"


def test_a_route_begins_and_ends_at_a_stop(board: Map) -> None:
    assert fact("reach.ends_at_stops") == problem(board, "2:A1.a-0 A3.3-0")
    assert fact("reach.ends_at_stops") == problem(board, "2:A1.a-0")


def test_track_must_exist(board: Map) -> None:
    assert problem(board, "2:A1.a-3 A3.3-a") == fact("reach.no_such_track", hex="A1")
    assert problem(board, "2:A1.a-0 Z9.3-a") == fact("reach.no_such_track", hex="Z9")


def test_track_must_be_continuous(board: Map) -> None:
    assert problem(board, "2:A1.a-0 A5.3-a") == fact("reach.not_continuous", hex="A5")


def test_at_most_as_many_stops_as_the_train_has(board: Map) -> None:
    refused = problem(board, "2:A1.a-0 A3.3-a A3.a-0 A5.3-a")
    assert refused == fact("routes.too_long", route="A1-A3-A5", stops=3, train="2", limit=2)


def test_an_own_token_is_needed(board: Map) -> None:
    assert problem(board, "2:A3.a-0 A5.3-a") == fact("reach.no_token", route="A3-A5", company="A")


def test_no_stop_twice(board: Map) -> None:
    around = "D:A3.a-3 A1.0-a A1.a-5 B2.2-a B2.a-1 A3.4-a"
    assert problem(board, around) == fact("reach.stop_twice", place="A3")


def test_no_area_twice_and_red_areas_end_a_route(board: Map) -> None:
    line = "D:A1.a-0 A3.3-a A3.a-0 A5.3-a A5.a-0 A7.3-0 A9.3-a A9.a-0 A11.3-a"
    assert problem(board, line) == fact("reach.stop_twice", place="South")


def test_red_areas_are_not_passed() -> None:
    board = line_with_loop("Elsewhere")
    line = "D:A1.a-0 A3.3-a A3.a-0 A5.3-a A5.a-0 A7.3-0 A9.3-a A9.a-0 A11.3-a"
    assert problem(board, line) == fact("reach.red_area", hex="A9")


def test_full_cities_end_a_route(board: Map) -> None:
    board.place_token("A5", 0, "B")
    beyond = "D:A1.a-0 A3.3-a A3.a-0 A5.3-a A5.a-0 A7.3-0 A9.3-a"
    assert problem(board, beyond) == fact("reach.full_city", hex="A5")
    assert check_routes(board, "A", ("D",), [route("D:A1.a-0 A3.3-a A3.a-0 A5.3-a")], TERMS)[0].value == 60


def test_no_track_twice_on_one_route(board: Map) -> None:
    back = "D:A1.a-0 A3.3-a A3.a-3 A1.0-a"
    assert problem(board, back) == fact("reach.track_twice", hex="A3")


def test_trains_share_stops_but_no_track(board: Map) -> None:
    runs = check_routes(board, "A", ("2", "3"), [route(DOWN), route("3:A1.a-5 B2.2-a")], TERMS)
    assert [run.value for run in runs] == [30, 70]
    refused = problem(board, DOWN, "3:A5.a-3 A3.0-a A3.a-3 A1.0-a")
    assert refused == fact("routes.shared_track", route="A5-A3-A1")


def test_the_stem_of_a_switch_is_track_of_both_its_branches() -> None:
    hexes: Hexes = {
        "B2": {"colour": "gray", "stops": ["city 20"], "track": "0-a"},
        "B4": {"colour": "gray", "track": "3-1 3-5"},
        "A5": {"colour": "gray", "stops": ["city 30"], "track": "4-a"},
        "C5": {"colour": "gray", "stops": ["city 40"], "track": "2-a"},
    }
    board = small_map(hexes)
    board.place_token("B2", 0, "A")
    left, right = "2:B2.a-0 B4.3-1 A5.4-a", "3:B2.a-0 B4.3-5 C5.2-a"
    assert check_routes(board, "A", ("2", "3"), [route(left)], TERMS)[0].value == 50
    assert problem(board, left, right) == fact("routes.shared_track", route="B2-C5")
