"""The page about the search: the numbers of its figure, and the constants of its table."""

import re
from pathlib import Path

import pytest

from engine.board.map import Map
from engine.routes import graph as links
from engine.routes import pricing, search, several_trains
from engine.routes.graph import Graph, graph_of, link_order_of
from engine.routes.outline import outline_of, range_of
from engine.routes.pricing import Pricing, diagram_of
from engine.routes.revenue_rules import RouteTerms, TrainTerms
from engine.routes.search import best_routes
from engine.routes.single_train import Finder, Service, WorkBudget
from tests.engine.board.boards import Hexes, small_map

PAGE = Path(search.__file__).with_name("README.md")
SERVICE = Service(values=(20, 30, 40), counts=(1, 1, 1), limit=2)
X, Y = 0, 1


@pytest.fixture
def board() -> Map:
    """B, T with the token, and C, with a hex of plain track between each."""
    hexes: Hexes = {
        "A1": {"colour": "gray", "stops": ["city 20"], "track": "0-a"},
        "A3": {"colour": "gray", "track": "3-0"},
        "A5": {"colour": "gray", "stops": ["city 30"], "track": "3-a 0-a"},
        "A7": {"colour": "gray", "track": "3-0"},
        "A9": {"colour": "gray", "stops": ["city 40"], "track": "3-a"},
    }
    board = small_map(hexes)
    board.place_token("A5", 0, "A")
    return board


@pytest.fixture
def graph(board: Map) -> Graph:
    return graph_of(board, "A")


@pytest.fixture
def priced(graph: Graph) -> Pricing:
    found = link_order_of(graph)
    assert found is not None
    work = WorkBudget(1000)
    diagram = diagram_of(outline_of(graph, found, range_of([SERVICE]), 100, work), SERVICE, 100, work)
    return Pricing(found, [diagram, diagram], 0, 10, work)


def bound(priced: Pricing, prices: list[int]) -> int:
    """Sum of all prices, and for each train the best it can do alone."""
    costs = priced.costs(prices)
    return sum(prices) + sum(priced.best_at_costs(d, costs)[d.root] for d in priced.diagrams)


def test_price_brings_the_bound_down(priced: Pricing) -> None:
    assert bound(priced, [0, 0]) == 140
    assert bound(priced, [0, 20]) == 120


def test_best_of_the_example_is_proven(board: Map, graph: Graph) -> None:
    lines = Finder(graph, SERVICE, [0, 20]).find_all(50, WorkBudget(100))
    assert sorted(line.value for line in lines) == [50, 70]
    found = best_routes(board, "A", ("2", "2"), RouteTerms({"2": TrainTerms(2)}, 1))
    assert (found.value, found.upper, found.proven) == (120, 120, True)


def test_constants_of_the_page() -> None:
    shown = dict(re.findall(r"^\| `(\w+\.\w+)` \| ([\d.]+) \|", PAGE.read_text(), re.MULTILINE))
    kept = {
        f"{module.__name__.rpartition('.')[2]}.{name}": str(value)
        for module in (search, several_trains, links, pricing)
        for name, value in vars(module).items()
        if re.fullmatch(r"_?[A-Z][A-Z_]+", name) and isinstance(value, int | float)
    }
    apart = ("_A_UNIT", ".NEVER", "._NOBODY", ".DEAD", ".DONE")
    assert shown == {key: value for key, value in kept.items() if not key.endswith(apart)}
