import pytest

from engine.board.map import Map
from engine.core.errors import Ambiguous, Unreadable
from engine.core.facts import fact
from engine.routes.check import RouteProblem
from engine.routes.notation import read_routes
from engine.routes.terms import Terms, TrainTerms
from tests.engine.board.boards import Hexes, small_map

TERMS = Terms({"2": TrainTerms(2), "3": TrainTerms(3)})


@pytest.fixture
def board() -> Map:
    """Two ways from A3 to C3, over B2 and over B4, and a longer one to A5 and on to A7."""
    hexes: Hexes = {
        "A3": {"colour": "gray", "stops": ["city 20"], "track": "4-a 5-a 0-a"},
        "B2": {"colour": "gray", "track": "1-5"},
        "B4": {"colour": "gray", "track": "2-4"},
        "C3": {"colour": "gray", "stops": ["city 30"], "track": "1-a 2-a"},
        "A5": {"colour": "gray", "stops": ["town 10"], "track": "3-a 0-a"},
        "A7": {"colour": "gray", "track": "3-0"},
        "A9": {"colour": "gray", "stops": ["city 50"], "track": "3-a"},
        "E1": {"stops": ["city 0"]},
    }
    board = small_map(hexes)
    board.place_token("A3", 0, "A")
    return board


def texts(board: Map, text: str, trains: tuple[str, ...] = ("2", "3")) -> list[str]:
    return [route.text() for route in read_routes(board, "A", trains, TERMS, text)]


def test_hexes_passed_name_a_route(board: Map) -> None:
    assert texts(board, "A3-B4-C3", ("2",)) == ["2:A3.a-5 B4.2-4 C3.1-a"]


def test_stops_alone_will_do_where_there_is_one_way(board: Map) -> None:
    assert texts(board, "a3 - a5-a9", ("3",)) == ["3:A3.a-0 A5.3-a A5.a-0 A7.3-0 A9.3-a"]


def test_the_train_may_be_named(board: Map) -> None:
    assert texts(board, "3:A3-A5") == ["3:A3.a-0 A5.3-a"]


def test_the_train_that_can_run_the_route_is_taken(board: Map) -> None:
    assert texts(board, "A3-A5-A9, A3-B2-C3") == [
        "3:A3.a-0 A5.3-a A5.a-0 A7.3-0 A9.3-a",
        "2:A3.a-4 B2.1-5 C3.2-a",
    ]


def test_several_ways_are_asked_about(board: Map) -> None:
    with pytest.raises(Ambiguous, match="2 ways: A3-B2-C3; or A3-B4-C3") as caught:
        texts(board, "A3-C3", ("2",))
    assert caught.value.allowed == fact("allowed.these", choices=("A3-B2-C3", "A3-B4-C3"))


def test_the_track_of_other_routes_settles_which_way_is_meant(board: Map) -> None:
    both = texts(board, "A3-B2-C3 A3-C3")
    assert [text.split(":")[1] for text in both] == ["A3.a-4 B2.1-5 C3.2-a", "A3.a-5 B4.2-4 C3.1-a"]


def test_written_routes_are_read_back(board: Map) -> None:
    text = "2:A3.a-4 B2.1-5 C3.2-a, 3:A3.a-0 A5.3-a"
    assert texts(board, text) == text.split(", ")


@pytest.mark.parametrize("text", ["", "A3", "A3-", "A3/C3", "A3-Z99", "A3-C3 hello", "7:A3-C3"])
def test_what_is_no_route_is_unreadable(board: Map, text: str) -> None:
    with pytest.raises(Unreadable, match="Cannot read"):
        texts(board, text)


def test_what_breaks_a_rule_says_which(board: Map) -> None:
    with pytest.raises(RouteProblem, match="No track runs from stop to stop along A3-E1"):
        texts(board, "A3-E1")
    with pytest.raises(RouteProblem, match="has 3 stops; a 2-train runs 2"):
        texts(board, "A3-A5-A9", ("2",))
    with pytest.raises(RouteProblem, match="no token of A"):
        texts(board, "A5-A9")
    with pytest.raises(RouteProblem, match="3 routes for 2 trains"):
        texts(board, "A3-A5, A3-B2-C3, A3-B4-C3")
