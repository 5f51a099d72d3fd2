"""Routes as they are typed, and as they are written; nothing that is typed takes long to read."""

import pytest

from engine.board.map import Map
from engine.core.errors import Ambiguous, Unreadable
from engine.core.facts import Fact, fact
from engine.routes.legal_routes import Route, RouteProblem
from engine.routes.notation import MAX_TYPED_LETTERS, read_routes
from engine.routes.revenue_rules import RouteRules, TrainRules
from tests.engine.board.boards import Hexes, small_map

TERMS = RouteRules({"2": TrainRules(2), "3": TrainRules(3)})


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


@pytest.mark.parametrize(
    ("text", "trains", "routes"),
    [
        ("A3-B4-C3", ("2",), ["2:A3.a-5 B4.2-4 C3.1-a"]),  # hexes that are passed
        ("a3 - a5-a9", ("3",), ["3:A3.a-0 A5.3-a A5.a-0 A7.3-0 A9.3-a"]),  # stops, where there is one way
        ("3:A3-A5", ("2", "3"), ["3:A3.a-0 A5.3-a"]),
        (  # the train that can run it is taken
            "A3-A5-A9, A3-B2-C3",
            ("2", "3"),
            ["3:A3.a-0 A5.3-a A5.a-0 A7.3-0 A9.3-a", "2:A3.a-4 B2.1-5 C3.2-a"],
        ),
        # the track of others settles which way is meant, also of the same
        ("A3-B2-C3 A3-C3", ("2", "2"), ["2:A3.a-4 B2.1-5 C3.2-a", "2:A3.a-5 B4.2-4 C3.1-a"]),
        ("A3-C3, A3-C3", ("2", "2"), ["2:A3.a-4 B2.1-5 C3.2-a", "2:A3.a-5 B4.2-4 C3.1-a"]),
        # as it is written
        (
            "2:A3.a-4 B2.1-5 C3.2-a, 3:A3.a-0 A5.3-a",
            ("2", "3"),
            ["2:A3.a-4 B2.1-5 C3.2-a", "3:A3.a-0 A5.3-a"],
        ),
    ],
)
def test_typed_routes(board: Map, text: str, trains: tuple[str, ...], routes: list[str]) -> None:
    assert texts(board, text, trains) == routes


def problem(board: Map, text: str, trains: tuple[str, ...] = ("2", "3")) -> Fact:
    with pytest.raises(RouteProblem) as caught:
        texts(board, text, trains)
    return caught.value.reason


def test_several_ways_are_asked_about(board: Map) -> None:
    with pytest.raises(Ambiguous) as caught:
        texts(board, "A3-C3", ("2",))
    assert caught.value.reason == fact("unreadable.several_ways", typed="A3-C3", ways=2)
    assert caught.value.allowed == fact("allowed.these", choices=("A3-B2-C3", "A3-B4-C3"))


def test_plain_hexes_may_be_left_out() -> None:
    """A1 and A3 are joined over their common side, and round over B2: every hex named is taken literally."""
    board = small_map(
        {
            "A1": {"colour": "gray", "stops": ["city 20"], "track": "0-a 5-a"},
            "A3": {"colour": "gray", "stops": ["city 30"], "track": "3-a 4-a"},
            "B2": {"colour": "gray", "track": "2-1"},
        }
    )
    board.place_token("A1", 0, "A")
    assert texts(board, "A1-A3", ("2",)) == ["2:A1.a-0 A3.3-a"]
    both = texts(board, "A1-A3, A1-A3", ("2", "2"))
    assert sorted(both) == ["2:A1.a-0 A3.3-a", "2:A1.a-5 B2.2-1 A3.4-a"]
    assert problem(board, "A1-A3 A1-A3 A1-A3", ("2", "2", "2")).name == "routes.shared_track"


@pytest.mark.parametrize(
    ("text", "track"),
    [("A1-A1", "2:A1.b-a"), ("A1-A3-A1", "3:A1.b-5 B2.2-1 A3.4-a A3.a-3 A1.0-a")],
)
def test_route_and_its_reverse_are_one_way(text: str, track: str) -> None:
    """A town and a city that track inside A1 joins, and a way round from the one to the other."""
    board = small_map(
        {
            "A1": {"colour": "gray", "stops": ["town 10", "city 20"], "track": "a-b 0-a 5-b"},
            "A3": {"colour": "gray", "stops": ["city 30"], "track": "3-a 4-a"},
            "B2": {"colour": "gray", "track": "2-1"},
        }
    )
    board.place_token("A1", 1, "A")
    assert texts(board, text, (track[0],)) == [track]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "routes"),
        ("A3", "routes"),
        ("A3-", "routes"),
        ("A3/C3", "routes"),
        ("A3-Z99", "hex"),
        ("A3-C3 hello", "routes"),
        ("7:A3-C3", "train"),
    ],
)
def test_unreadable_routes(board: Map, text: str, why: str) -> None:
    with pytest.raises(Unreadable) as caught:
        texts(board, text)
    assert caught.value.reason.name == f"unreadable.{why}"


@pytest.mark.parametrize(
    ("text", "trains", "why"),
    [
        ("A3-E1", ("2",), fact("reach.no_way", route="A3-E1")),
        ("A3-A5-A9", ("2",), fact("routes.too_long", route="A3-A5-A9", stops=3, train="2", limit=2)),
        ("A5-A9", ("2",), fact("reach.no_token", route="A5-A9", company="A")),
        (
            "A3-A5, A3-B2-C3, A3-B4-C3",
            ("2", "3"),
            fact("routes.more_than_trains", routes=3, number=2, trains=("2", "3")),
        ),
        ("A3-A5", (), fact("routes.no_train", company="A")),
    ],
)
def test_typed_route_refusals(board: Map, text: str, trains: tuple[str, ...], why: Fact) -> None:
    assert problem(board, text, trains) == why


# --- hostile texts -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "piece",
    ["a", "1", "A3", "A3-", "-", "A3 \t", " - ", ":", "2:", "2: ", ".", "A٣-", "A²-", "\u0000\u200b"],
)
@pytest.mark.parametrize("front", ["", "A3-A5 ", "A3"])
def test_hostile_text_is_refused(board: Map, piece: str, front: str) -> None:
    with pytest.raises((Unreadable, RouteProblem)):
        texts(board, (front + piece * MAX_TYPED_LETTERS)[:MAX_TYPED_LETTERS])


def test_longest_text() -> None:
    """The beginning of an unreadable one is shown."""
    board = small_map(
        {
            "A3": {"colour": "gray", "stops": ["city 20"], "track": "0-a"},
            "A5": {"colour": "gray", "stops": ["town 10"], "track": "3-a"},
        }
    )
    board.place_token("A3", 0, "A")
    for fitting in ("A3-A5".ljust(MAX_TYPED_LETTERS), "A3-A5".rjust(MAX_TYPED_LETTERS, ",")):
        assert len(texts(board, fitting)) == 1
    for text, why in (
        (
            "A3-A5".ljust(MAX_TYPED_LETTERS + 1),
            fact("unreadable.long_routes", letters=MAX_TYPED_LETTERS + 1, most=MAX_TYPED_LETTERS),
        ),
        ("?" * MAX_TYPED_LETTERS, fact("unreadable.routes", text="?" * 100 + "…")),
    ):
        with pytest.raises(Unreadable) as refused:
            texts(board, text)
        assert refused.value.reason == why


# --- as they are written -----------------------------------------------------------------------------------------

ROUTE = Route("3", (("H4", 6, 0), ("H6", 3, 7), ("H6", 7, 4), ("I5", 1, 6)))


def test_route_text_round_trip() -> None:
    assert ROUTE.text() == "3:H4.a-0 H6.3-b H6.b-4 I5.1-a"
    assert Route.read(" 3: H4.a-0   H6.3-b H6.b-4 I5.1-a ") == Route.read(ROUTE.text()) == ROUTE
    assert ROUTE.stops() == (("H4", 0), ("H6", 1), ("I5", 0))
    loop = Route("3", (("A1", 6, 0), ("A3", 3, 4), ("A1", 1, 6)))
    assert loop.stops() == (("A1", 0), ("A1", 0))


@pytest.mark.parametrize("text", ["", "3:", "H4.a-0", "3:H4", "3:H4.a-9", "3:H4.a-0 nonsense", ":H4.a-0"])
def test_unreadable_route_texts(text: str) -> None:
    with pytest.raises(Unreadable) as caught:
        Route.read(text)
    assert caught.value.reason == fact("unreadable.route", text=text)
