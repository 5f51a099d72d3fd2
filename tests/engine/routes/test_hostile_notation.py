"""Typed routes that nobody types by mistake: each is refused, and reading it takes time in proportion to its length."""

import pytest

from engine.board.map import Map
from engine.core.errors import Unreadable
from engine.routes import notation
from engine.routes.notation import LONGEST, read_routes
from engine.routes.revenue_rules import RouteTerms, TrainTerms
from tests.engine.board.boards import small_map

TERMS = RouteTerms({"2": TrainTerms(2)})
HOSTILE = {
    "letters": "a",
    "digits": "1",
    "hexes": "A3",
    "hexes without end": "A3-",
    "dashes": "-",
    "blanks": "A3 \t",
    "blanks and dashes": " - ",
    "colons": ":",
    "trains": "2:",
    "trains and blanks": "2: ",
    "dots": ".",
    "other digits": "A٣-",
    "powers": "A²-",
    "nothing to see": "\u0000\u200b",
}


@pytest.fixture
def board() -> Map:
    board = small_map(
        {
            "A3": {"colour": "gray", "stops": ["city 20"], "track": "0-a"},
            "A5": {"colour": "gray", "stops": ["town 10"], "track": "3-a"},
        }
    )
    board.place_token("A3", 0, "A")
    return board


@pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("front", ["", "A3-A5 ", "A3"])
def test_hostile_text_is_read_in_linear_time(
    board: Map, monkeypatch: pytest.MonkeyPatch, piece: str, front: str
) -> None:
    """Three hundred thousand letters: an hour if every letter led to another look at all the rest."""
    monkeypatch.setattr(notation, "LONGEST", 10**6)
    with pytest.raises(Unreadable):
        read_routes(board, "A", ("2",), TERMS, front + piece * (300_000 // len(piece)))


def test_commas_between_routes(board: Map, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notation, "LONGEST", 10**6)
    assert len(read_routes(board, "A", ("2",), TERMS, "," * 300_000 + "A3-A5" + " ," * 300_000)) == 1


def test_overlong_text_is_not_read(board: Map) -> None:
    fitting = "A3-A5".ljust(LONGEST)
    assert len(read_routes(board, "A", ("2",), TERMS, fitting)) == 1
    with pytest.raises(Unreadable) as refused:
        read_routes(board, "A", ("2",), TERMS, fitting + " ")
    assert refused.value.reason.name == "unreadable.long_routes"


def test_beginning_of_unreadable_text_is_shown(board: Map) -> None:
    with pytest.raises(Unreadable) as refused:
        read_routes(board, "A", ("2",), TERMS, "?" * LONGEST)
    assert refused.value.reason.values["text"] == "?" * 100 + "…"
