import pytest

from engine.board.hexes import (
    EDGES,
    GridPosition,
    Layout,
    LetterAxis,
    grid_position,
    neighbour,
    opposite_edge,
)
from engine.core.errors import TitleError


@pytest.mark.parametrize(
    ("coord", "layout", "letters", "expected"),
    [
        ("G4", "flat", "rows", (3, 6)),
        ("F11", "pointy", "rows", (10, 5)),
        ("H6", "flat", "columns", (7, 5)),
        ("a13", "flat", "columns", (-1, 12)),
        ("AA66", "pointy", "rows", (65, 26)),
    ],
)
def test_positions_of_coordinates(
    coord: str, layout: Layout, letters: LetterAxis, expected: GridPosition
) -> None:
    assert grid_position(coord, layout, letters) == expected


@pytest.mark.parametrize("coord", ["", "6H", "H", "H6x", "aa3"])
def test_words_that_are_no_coordinates(coord: str) -> None:
    with pytest.raises(TitleError, match="coordinate"):
        grid_position(coord, "flat", "columns")


@pytest.mark.parametrize("layout", ["flat", "pointy"])
def test_opposite_edges(layout: Layout) -> None:
    for edge in EDGES:
        x, y = neighbour(4, 6, edge, layout)
        assert neighbour(x, y, opposite_edge(edge), layout) == (4, 6)
    assert len({neighbour(4, 6, edge, layout) for edge in EDGES}) == 6


def test_edge_0() -> None:
    assert neighbour(0, 0, 0, "flat") == (0, 2)
    assert neighbour(0, 0, 0, "pointy") == (-1, 1)
