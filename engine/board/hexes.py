"""Hex coordinates: printed names to doubled (x, y) pairs, and the way to a neighbour.

x grows to the east and y to the south; all hexes of one map have the same parity of x + y. Edges are
numbered 0-5 clockwise, 0 is S on a flat-topped map and SW on a pointy-topped one.
"""

import re
from typing import Final, Literal, TypeAlias

from engine.core.errors import TitleError
from engine.core.ids import Coord

Layout: TypeAlias = Literal["flat", "pointy"]
"""Whether hexes stand on a side (flat) or on a corner (pointy)."""
Letters: TypeAlias = Literal["columns", "rows"]
"""What the letter of a coordinate names."""
Position: TypeAlias = tuple[int, int]
"""Doubled coordinates (x, y)."""
Edge: TypeAlias = int
"""A hex edge, 0-5."""

EDGES: Final = range(6)
OFFSETS: Final[dict[Layout, tuple[Position, ...]]] = {
    "flat": ((0, 2), (-1, 1), (-1, -1), (0, -2), (1, -1), (1, 1)),
    "pointy": ((-1, 1), (-2, 0), (-1, -1), (1, -1), (2, 0), (1, 1)),
}
"""Step to the neighbour across each edge."""

_COORD = re.compile(r"(?P<letters>[A-Z]+|[a-z])(?P<number>\d+)")


def position(coord: Coord, layout: Layout, letters: Letters) -> Position:
    """Doubled coordinates of a printed coordinate.

    A is 0, AA follows Z, a lower-case a is -1. Raises TitleError.
    """
    found = _COORD.fullmatch(coord)
    if found is None or layout not in OFFSETS:
        raise TitleError(f"cannot read the coordinate {coord!r}; expected e.g. 'H6'")
    letter, number = _letter_index(found["letters"]), int(found["number"]) - 1
    return (letter, number) if letters == "columns" else (number, letter)


def _letter_index(letters: str) -> int:
    if letters.islower():
        return ord("a") - ord(letters) - 1
    index = 0
    for letter in letters:
        index = index * 26 + ord(letter) - ord("A") + 1
    return index - 1


def neighbour(x: int, y: int, edge: Edge, layout: Layout) -> Position:
    """Doubled coordinates of the hex across this edge."""
    dx, dy = OFFSETS[layout][edge]
    return (x + dx, y + dy)


def opposite(edge: Edge) -> Edge:
    """The same border as seen from the other hex."""
    return (edge + 3) % 6


SIDE_NAMES: Final = {
    "flat": ("S", "SW", "NW", "N", "NE", "SE"),
    "pointy": ("SW", "W", "NW", "NE", "E", "SE"),
}
"""Compass names of the edges 0-5."""
