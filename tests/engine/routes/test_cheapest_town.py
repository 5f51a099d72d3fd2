"""Trains that may pass towns by leave out the cheapest, wherever it lies (18NewEngland R-NE-088)."""

import pytest

from engine.board.map import Map
from engine.routes import search
from engine.routes.legal_routes import Route, check_routes
from engine.routes.revenue_rules import TOWNS, Terms, TrainTerms
from engine.routes.search import best_routes
from tests.engine.board.boards import small_map

LINE = "E:A1.a-0 A3.3-a A3.a-0 A5.3-a A5.a-0 A7.3-a A7.a-0 A9.3-a"
ORDERS = [(10, 20, 30), (10, 30, 20), (20, 10, 30), (20, 30, 10), (30, 10, 20), (30, 20, 10)]


def three_towns(values: tuple[int, int, int]) -> Map:
    """A line from a city in A1 over towns of these values to a city in A9, both worth $40."""
    hexes = {"A1": {"colour": "gray", "stops": ["city 40"], "track": "0-a"}}
    for coord, value in zip(("A3", "A5", "A7"), values, strict=True):
        hexes[coord] = {"colour": "gray", "stops": [f"town {value}"], "track": "3-a 0-a"}
    hexes["A9"] = {"colour": "gray", "stops": ["city 40"], "track": "3-a"}
    board = small_map(hexes)
    board.place_token("A1", 0, "A")
    return board


def terms(stops: int) -> Terms:
    """One train that stops so often."""
    return Terms({"E": TrainTerms(stops, optional=TOWNS)})


@pytest.mark.parametrize("towns", ORDERS)
@pytest.mark.parametrize(("stops", "most_valuable"), [(2, ()), (3, (30,)), (4, (20, 30)), (5, (10, 20, 30))])
def test_run_is_paid_for_the_best_towns(
    towns: tuple[int, int, int], stops: int, most_valuable: tuple[int, ...]
) -> None:
    [run] = check_routes(three_towns(towns), "A", ("E",), [Route.read(LINE)], terms(stops))
    assert run.values == (40, *(value if value in most_valuable else 0 for value in towns), 40)


@pytest.mark.parametrize("work", [0, search.WORK_LIMIT], ids=["diagrams", "first lines"])
@pytest.mark.parametrize("towns", ORDERS)
@pytest.mark.parametrize(("stops", "worth"), [(2, 80), (3, 110), (4, 130), (5, 140)])
def test_best_run_passes_the_cheapest_towns(
    towns: tuple[int, int, int], stops: int, worth: int, work: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "FIRST_WORK", work)
    found = best_routes(three_towns(towns), "A", ("E",), terms(stops))
    assert (found.value, found.proven) == (worth, True)
    assert [str(route) for route in found.routes]
    assert sum(found.runs[0].values) == worth
