"""Hexes: coordinates, neighbours, and the borders of the printed map, which are the same in every game.

Printed names are doubled (x, y) pairs: x grows to the east and y to the south; all hexes of one map have the same
parity of x + y. Edges are numbered 0-5 clockwise, 0 is S on a flat-topped map and SW on a pointy-topped one.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias

from engine.core.errors import TitleError
from engine.core.ids import Coord, PhaseName
from engine.core.spec import HexSpec, MapSpec

Layout: TypeAlias = Literal["flat", "pointy"]
"""Orientation of hexes: on a side (flat) or on a corner (pointy)."""
Letters: TypeAlias = Literal["columns", "rows"]
"""Meaning of the letter of a coordinate."""
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
    match = _COORD.fullmatch(coord)
    if match is None or layout not in OFFSETS:
        raise TitleError(f"cannot read the coordinate {coord!r}; expected e.g. 'H6'")
    letter, number = _letter_index(match["letters"]), int(match["number"]) - 1
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
    """The edge as seen from the hex on its other side."""
    return (edge + 3) % 6


SIDE_NAMES: Final = {
    "flat": ("S", "SW", "NW", "N", "NE", "SE"),
    "pointy": ("SW", "W", "NW", "NE", "E", "SE"),
}
"""Compass names of the edges 0-5."""


Neighbours: TypeAlias = Mapping[Coord, Mapping[Edge, Coord]]
"""For each hex the hexes around it, by the edge between them."""

FIXED_COLOURS: Final = frozenset({"gray", "red", "blue"})
"""Printed colours that never take a tile; track meets them only where they have printed track."""


def neighbours(printed: MapSpec) -> Neighbours:
    """The hex across each edge of each hex; none at the border of the map."""
    layout, letters = printed.layout, printed.letters
    at: dict[Position, Coord] = {position(c, layout, letters): c for c in printed.all_hexes}
    beside: dict[Coord, dict[Edge, Coord]] = {}
    for (x, y), coord in at.items():
        around = {edge: at.get(neighbour(x, y, edge, layout)) for edge in EDGES}
        beside[coord] = {edge: other for edge, other in around.items() if other is not None}
    return beside


def usable_edges(printed: MapSpec) -> Mapping[Coord, frozenset[Edge]]:
    """The edges of each hex over which track may lead (18Chesapeake 11.3).

    Rules: R-AL-118, R-C2C-112, R-CH-091, R-NE-068, R-TN-116.
    """
    beside, hexes = printed.cached(neighbours), printed.all_hexes

    def usable(coord: Coord, edge: Edge) -> bool:
        other = beside[coord].get(edge)
        return other is not None and _is_open(hexes[coord], edge) and _is_open(hexes[other], opposite(edge))

    return {coord: frozenset(edge for edge in EDGES if usable(coord, edge)) for coord in hexes}


def open_neighbours(printed: MapSpec) -> Mapping[Coord, Sequence[Coord]]:
    """The hexes around each into which track may lead from there, in order of the edges."""
    beside, usable = printed.cached(neighbours), printed.cached(usable_edges)
    return {coord: tuple(beside[coord][edge] for edge in sorted(edges)) for coord, edges in usable.items()}


def river_edges(printed: MapSpec) -> Mapping[Coord, frozenset[Edge]]:
    """The edges of each hex along which the river flows."""
    beside, along = printed.cached(neighbours), [set(border.split("-")) for border in printed.river]
    banks = {coord for border in along for coord in border} & set(beside)
    return {
        coord: frozenset(edge for edge, other in beside[coord].items() if {coord, other} in along)
        for coord in banks
    }


def zone_edges(printed: MapSpec) -> Mapping[Coord, frozenset[Edge]]:
    """The edges of each hex with another zone of the board behind them, those along the river excepted."""
    beside, hexes = printed.cached(neighbours), printed.all_hexes
    river = printed.cached(river_edges)
    zoned = {coord: hex_.zone for coord, hex_ in hexes.items() if hex_.zone}
    found = {
        coord: frozenset(edge for edge, other in beside[coord].items() if zoned.get(other, zone) != zone)
        for coord, zone in zoned.items()
    }
    return {coord: edges - river.get(coord, frozenset()) for coord, edges in found.items() if edges}


def opening_spaces(printed: MapSpec) -> Mapping[PhaseName, Sequence[Coord]]:
    """Hexes where a phase opens token spaces."""
    opening: dict[PhaseName, list[Coord]] = {}
    for coord, hex_ in printed.all_hexes.items():
        for phase in dict.fromkeys(hex_.opens):
            opening.setdefault(phase, []).append(coord)
    return opening


def _is_open(hex_: HexSpec, edge: Edge) -> bool:
    if edge in hex_.impassable:
        return False
    return hex_.colour not in FIXED_COLOURS or edge in hex_.topology.edges
