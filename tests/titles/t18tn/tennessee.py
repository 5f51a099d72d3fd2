"""Positions of 18TN, with track that several tests run on."""

from typing import Any

from tests.titles.builders import Position, TitleGame, new_game

EAST = "2:F17.a-4 F19.1-4 F21.1-3 E22.0-a"
"""Knoxville to Bristol by the southern track."""
NORTH = "2:F17.a-3 E18.0-4 E20.1-4 E22.1-a"
"""Knoxville to Bristol by the northern track."""


def position(players: int = 3, **facts: Any) -> Position:
    """An empty position of 18TN."""
    return Position(players, title="18tn", **facts)


def first_position(players: int = 3, **facts: Any) -> TitleGame:
    """18TN before the first action."""
    return new_game(players, title="18tn", **facts)


def bristol_lines(built: Position) -> Position:
    """Knoxville with green track, and two separate lines from there to Bristol, $90 each before phase 5."""
    built.tile("F17", "5", 3).tile("F17", "15", 3)
    built.tile("F19", "9", 1).tile("F21", "8", 1)
    return built.tile("E18", "8", 4).tile("E20", "9", 1)
