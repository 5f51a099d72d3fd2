"""One small map: a line from A1, where A has its token, to red areas in A9 and A11, and a loop over B2."""

import pytest

from engine.board.map import Map
from engine.core.facts import Fact, fact
from engine.core.spec import TrainSpec
from engine.routes.legal_routes import Route, RouteProblem, check_routes
from engine.routes.revenue_rules import (
    ALL_STOP_KINDS,
    STOP_KINDS_WITHOUT_TOWNS,
    TOWN_KIND,
    RouteRules,
    TrainRules,
)
from tests.engine.board.boards import Hexes, small_map

TERMS = RouteRules({"2": TrainRules(2), "3": TrainRules(3), "D": TrainRules(None)})


@pytest.fixture
def board() -> Map:
    return line_with_loop("South")


def line_with_loop(last_group: str) -> Map:
    hexes: Hexes = {
        "A1": {"colour": "gray", "stops": ["city 20/30 x2"], "track": "0-a 5-a"},
        "A3": {"colour": "gray", "stops": ["town 10"], "track": "3-a 0-a 4-a"},
        "A5": {"colour": "gray", "stops": ["city 30"], "track": "3-a 0-a"},
        "A7": {"colour": "gray", "track": "3-0"},
        "A9": {"colour": "red", "stops": ["offboard 40/60"], "track": "3-a 0-a", "stop_group": "South"},
        "A11": {"colour": "red", "stops": ["offboard 50"], "track": "3-a", "stop_group": last_group},
        "B2": {"colour": "gray", "stops": ["city 50"], "track": "2-a 1-a"},
    }
    board = small_map(hexes)
    board.place_token("A1", 0, "A")
    return board


def route(text: str) -> Route:
    return Route.read(text)


DOWN = "2:A1.a-0 A3.3-a"


def problem(
    board: Map, *texts: str, trains: tuple[str, ...] = ("2", "3", "D"), route_rules: RouteRules = TERMS
) -> Fact:
    with pytest.raises(RouteProblem) as caught:
        check_routes(board, "A", trains, [route(text) for text in texts], route_rules)
    return caught.value.reason


TO_A5 = "A1.a-0 A3.3-a A3.a-0 A5.3-a"
WHOLE_LINE = f"{TO_A5} A5.a-0 A7.3-0 A9.3-a"


@pytest.mark.parametrize(
    ("train", "step", "text", "values", "said"),
    [
        (TrainRules(3), 0, TO_A5, (20, 10, 30), "20+10+30"),
        (TrainRules(3), 1, TO_A5, (30, 10, 30), "30+10+30"),  # the revenue step decides which value counts
        (
            TrainRules(2, STOP_KINDS_WITHOUT_TOWNS, revenue_factor=2),
            0,
            TO_A5,
            (40, 10, 60),
            "40+10+60",
        ),  # what counts is doubled
        (TrainRules(3, token_factor=2), 0, TO_A5, (40, 10, 30), "40+10+30"),  # 18C2C R-C2C-172: own tokens
        # 18NewEngland R-NE-088: towns that are passed by are not paid, cities and red areas always are
        (TrainRules(3, optional_kinds=TOWN_KIND), 0, WHOLE_LINE, (20, 0, 30, 40), "20+30+40"),
        (TrainRules(4, optional_kinds=TOWN_KIND), 0, WHOLE_LINE, (20, 10, 30, 40), "20+10+30+40"),
        (TrainRules(9, optional_kinds=TOWN_KIND), 0, WHOLE_LINE, (20, 10, 30, 40), "20+10+30+40"),
    ],
)
def test_revenue_of_a_route(
    board: Map, train: TrainRules, step: int, text: str, values: tuple[int, ...], said: str
) -> None:
    [run] = check_routes(board, "A", ("T",), [route(f"T:{text}")], RouteRules({"T": train}, step))
    assert (run.values, run.value, run.sum_text()) == (values, sum(values), said)
    assert [stop for stop, _ in run.stops] == ["A1", "A3", "A5", "A9"][: len(values)]


def test_express_train_is_too_short_for_cities(board: Map) -> None:
    """Its limit counts what it cannot pass by."""
    short = RouteRules({"E": TrainRules(2, optional_kinds=TOWN_KIND)})
    refused = problem(board, f"E:{WHOLE_LINE}", trains=("E",), route_rules=short)
    assert refused == fact("routes.too_long", route="A1-A3-A5-A9", stops=3, train="E", limit=2)


EXPRESS = RouteRules(
    {
        "3": TrainRules(3),
        "5E": TrainRules(5, optional_kinds=TOWN_KIND, run_as_one_train=True),
        "8E": TrainRules(8, optional_kinds=TOWN_KIND, run_as_one_train=True),
    }
)


def test_express_trains_run_as_one(board: Map) -> None:
    """18NewEngland R-NE-089: limit of the smallest, income times their number; other trains run for themselves."""
    for trains, factor in ((("5E",), 1), (("8E", "5E"), 2), (("5E", "5E", "5E"), 3), (("5E", "3"), 1)):
        route_rules = EXPRESS.for_trains(trains)
        [run] = check_routes(board, "A", trains, [route(f"5E:{WHOLE_LINE}")], route_rules)
        assert run.value == 100 * factor, trains
    route_rules = EXPRESS.for_trains(("8E", "5E", "3"))
    assert route_rules.separate_trains(("8E", "5E", "3")) == ["5E", "3"]
    refused = problem(board, f"8E:{WHOLE_LINE}", trains=("8E", "5E", "3"), route_rules=route_rules)
    assert refused == fact("routes.run_together", idle=("8E",), company="A", trains=("5E", "3"))


def test_terms_of_a_train() -> None:
    facts = {"name": "5E", "price": 500, "max_stops": 5, "revenue_factor": 2, "token_factor": 3}
    for towns, counted, optional_kinds in (
        ("counted", ALL_STOP_KINDS, frozenset()),
        ("free", STOP_KINDS_WITHOUT_TOWNS, frozenset()),
        ("optional", ALL_STOP_KINDS, TOWN_KIND),
    ):
        spec = TrainSpec.model_validate({**facts, "towns": towns, "run_as_one_train": True})
        assert TrainRules.from_spec(spec) == TrainRules(
            5, counted, optional_kinds, 2, 3, run_as_one_train=True
        )


def test_two_stops_of_a_hex_are_one_place() -> None:
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


LINE = f"D:{WHOLE_LINE} A9.a-0 A11.3-a"


@pytest.mark.parametrize(
    ("texts", "trains", "why"),
    [
        (
            (DOWN, "2:A1.a-5 B2.2-a"),
            ("2", "3"),
            fact("routes.each_train_once", company="A", trains=("2", "3")),
        ),
        ((DOWN,), (), fact("routes.no_train", company="A", trains=())),
        (("2:A1.a-0 A3.3-0",), ("2",), fact("reach.ends_at_stops")),
        (("2:A1.a-0",), ("2",), fact("reach.ends_at_stops")),
        (("2:A1.a-3 A3.3-a",), ("2",), fact("reach.no_such_track", hex="A1")),
        (("2:A1.a-0 Z9.3-a",), ("2",), fact("reach.no_such_track", hex="Z9")),
        (("2:A1.a-0 A5.3-a",), ("2",), fact("reach.not_continuous", hex="A5")),
        ((f"2:{TO_A5}",), ("2",), fact("routes.too_long", route="A1-A3-A5", stops=3, train="2", limit=2)),
        (("2:A3.a-0 A5.3-a",), ("2",), fact("reach.no_token", route="A3-A5", company="A")),
        (("D:A3.a-3 A1.0-a A1.a-5 B2.2-a B2.a-1 A3.4-a",), ("D",), fact("reach.stop_twice", place="A3")),
        ((LINE,), ("D",), fact("reach.stop_twice", place="South")),  # a group is one place
        (("D:A1.a-0 A3.3-a A3.a-3 A1.0-a",), ("D",), fact("reach.track_twice", hex="A3")),
        ((DOWN, "3:A5.a-3 A3.0-a A3.a-3 A1.0-a"), ("2", "3"), fact("routes.shared_track", route="A5-A3-A1")),
    ],
)
def test_route_refusals(board: Map, texts: tuple[str, ...], trains: tuple[str, ...], why: Fact) -> None:
    assert problem(board, *texts, trains=trains) == why


def test_red_areas_and_full_cities_end_a_route(board: Map) -> None:
    assert problem(line_with_loop("Elsewhere"), LINE) == fact("reach.red_area", hex="A9")
    board.place_token("A5", 0, "B")
    assert problem(board, f"D:{WHOLE_LINE}") == fact("reach.full_city", hex="A5")
    assert check_routes(board, "A", ("D",), [route(f"D:{TO_A5}")], TERMS)[0].value == 60


def test_trains_share_stops_but_no_stem(board: Map) -> None:
    """That of a switch is shared track."""
    runs = check_routes(board, "A", ("2", "3"), [route(DOWN), route("3:A1.a-5 B2.2-a")], TERMS)
    assert [run.value for run in runs] == [30, 70]
    assert check_routes(board, "A", ("2",), [], TERMS) == ()
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
