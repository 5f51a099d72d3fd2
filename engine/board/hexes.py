"""Hexes of the printed map: coordinates, neighbours and borders, which are the same in every game.

Positions are doubled coordinates (x, y): x grows to the east and y to the south; all hexes of one map have the same
parity of x + y. Edges are numbered 0-5 clockwise; 0 is S on a flat-topped map and SW on a pointy-topped one.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias

from engine.core.errors import TitleError
from engine.core.ids import Coord, PhaseName
from engine.core.spec import HexSpec, MapSpec

Layout: TypeAlias = Literal["flat", "pointy"]
"""Layout of the hexes: a side (flat) or a corner (pointy) at the top."""
LetterAxis: TypeAlias = Literal["columns", "rows"]
"""The axis along which the letters of printed coordinates such as `H6` count: rows or columns of the map."""
GridPosition: TypeAlias = tuple[int, int]
"""Position of a hex in the grid, in doubled coordinates (x, y)."""
Edge: TypeAlias = int
"""A hex edge, 0-5 clockwise; 0 is S on a flat-topped map and SW on a pointy-topped one."""

EDGES: Final = range(6)
EDGE_OFFSETS: Final[dict[Layout, tuple[GridPosition, ...]]] = {
    "flat": ((0, 2), (-1, 1), (-1, -1), (0, -2), (1, -1), (1, 1)),
    "pointy": ((-1, 1), (-2, 0), (-1, -1), (1, -1), (2, 0), (1, 1)),
}
"""For each layout of the hexes, the offset in (x, y) to the neighbour across each edge 0-5."""

COORD_PATTERN = re.compile(r"(?P<letters>[A-Z]+|[a-z])(?P<number>\d+)")


def grid_position(coord: Coord, layout: Layout, letter_axis: LetterAxis) -> GridPosition:
    """Doubled coordinates (x, y) of a printed coordinate such as `H6`.

    A is 0, AA follows Z, a lower-case a is -1. Raises TitleError if the coordinate cannot be read.
    """
    match = COORD_PATTERN.fullmatch(coord)
    if match is None or layout not in EDGE_OFFSETS:
        raise TitleError(f"cannot read the coordinate {coord!r}; expected e.g. 'H6'")
    letter, number = _index_of_letters(match["letters"]), int(match["number"]) - 1
    return (letter, number) if letter_axis == "columns" else (number, letter)


def _index_of_letters(letters: str) -> int:
    if letters.islower():
        return ord("a") - ord(letters) - 1
    index = 0
    for letter in letters:
        index = index * 26 + ord(letter) - ord("A") + 1
    return index - 1


def neighbour(x: int, y: int, edge: Edge, layout: Layout) -> GridPosition:
    """Doubled coordinates (x, y) of the hex across this edge of the hex at (x, y)."""
    dx, dy = EDGE_OFFSETS[layout][edge]
    return (x + dx, y + dy)


def opposite_edge(edge: Edge) -> Edge:
    """The number that this edge has in the neighbouring hex."""
    return (edge + 3) % 6


EDGE_NAMES: Final = {
    "flat": ("S", "SW", "NW", "N", "NE", "SE"),
    "pointy": ("SW", "W", "NW", "NE", "E", "SE"),
}
"""Compass names of the hex edges 0-5, such as `SW`, for each layout of the hexes."""


Neighbours: TypeAlias = Mapping[Coord, Mapping[Edge, Coord]]
"""For each hex, its neighbours by edge (0-5)."""

FIXED_COLOURS: Final = frozenset({"gray", "red", "blue"})
"""Colours of fixed hexes, which never take a tile. Track may enter them only where their track is printed."""


def neighbours(map_spec: MapSpec) -> Neighbours:
    """For each hex, the neighbour across each edge; edges at the border of the map have none."""
    layout, letter_axis = map_spec.layout, map_spec.letters
    coord_by_position: dict[GridPosition, Coord] = {
        grid_position(c, layout, letter_axis): c for c in map_spec.all_hexes
    }
    neighbours_by_edge: dict[Coord, dict[Edge, Coord]] = {}
    for (x, y), coord in coord_by_position.items():
        hex_by_edge = {edge: coord_by_position.get(neighbour(x, y, edge, layout)) for edge in EDGES}
        neighbours_by_edge[coord] = {
            edge: neighbour_hex for edge, neighbour_hex in hex_by_edge.items() if neighbour_hex is not None
        }
    return neighbours_by_edge


def usable_edges(map_spec: MapSpec) -> Mapping[Coord, frozenset[Edge]]:
    """For each hex, the edges that track may cross (18Chesapeake 11.3).

    Rules: R-AL-118, R-C2C-112, R-CH-091, R-NE-068, R-TN-116.
    """
    neighbours_by_edge, hexes = map_spec.cached(neighbours), map_spec.all_hexes

    def may_cross(coord: Coord, edge: Edge) -> bool:
        neighbour_coord = neighbours_by_edge[coord].get(edge)
        return (
            neighbour_coord is not None
            and _track_may_cross(hexes[coord], edge)
            and _track_may_cross(hexes[neighbour_coord], opposite_edge(edge))
        )

    return {coord: frozenset(edge for edge in EDGES if may_cross(coord, edge)) for coord in hexes}


def open_neighbours(map_spec: MapSpec) -> Mapping[Coord, Sequence[Coord]]:
    """For each hex, the neighbours to which track may lead, in edge order."""
    neighbours_by_edge, edges_by_hex = map_spec.cached(neighbours), map_spec.cached(usable_edges)
    return {
        coord: tuple(neighbours_by_edge[coord][edge] for edge in sorted(edges))
        for coord, edges in edges_by_hex.items()
    }


def river_edges(map_spec: MapSpec) -> Mapping[Coord, frozenset[Edge]]:
    """For each hex, its edges along the river."""
    neighbours_by_edge, river_borders = (
        map_spec.cached(neighbours),
        [set(border.split("-")) for border in map_spec.river],
    )
    river_banks = {coord for border in river_borders for coord in border} & set(neighbours_by_edge)
    return {
        coord: frozenset(
            edge
            for edge, neighbour_coord in neighbours_by_edge[coord].items()
            if {coord, neighbour_coord} in river_borders
        )
        for coord in river_banks
    }


def border_costs(map_spec: MapSpec) -> Mapping[Coord, Mapping[Edge, int]]:
    """For each hex with such borders, the edges with a printed border cost and the dollars for joining track across."""
    neighbours_by_edge = map_spec.cached(neighbours)
    cost_by_border = {
        frozenset(border.split("-")): cost
        for cost, borders in map_spec.border_costs.items()
        for border in borders
    }
    costs_by_hex = {
        coord: {
            edge: cost_by_border[frozenset({coord, neighbour_coord})]
            for edge, neighbour_coord in neighbour_by_edge.items()
            if frozenset({coord, neighbour_coord}) in cost_by_border
        }
        for coord, neighbour_by_edge in neighbours_by_edge.items()
    }
    return {coord: cost_by_edge for coord, cost_by_edge in costs_by_hex.items() if cost_by_edge}


def zone_edges(map_spec: MapSpec) -> Mapping[Coord, frozenset[Edge]]:
    """For each hex, the edges it shares with a hex of another zone of the board, except edges along the river."""
    neighbours_by_edge, hexes = map_spec.cached(neighbours), map_spec.all_hexes
    river_edges_by_hex = map_spec.cached(river_edges)
    zone_by_hex = {coord: hex_.zone for coord, hex_ in hexes.items() if hex_.zone}
    edges_by_hex = {
        coord: frozenset(
            edge
            for edge, neighbour_coord in neighbours_by_edge[coord].items()
            if zone_by_hex.get(neighbour_coord, zone) != zone
        )
        for coord, zone in zone_by_hex.items()
    }
    return {
        coord: edges - river_edges_by_hex.get(coord, frozenset())
        for coord, edges in edges_by_hex.items()
        if edges
    }


def hexes_opened_by_phase(map_spec: MapSpec) -> Mapping[PhaseName, Sequence[Coord]]:
    """For each phase, the hexes in which its start opens token spaces."""
    hexes_by_phase: dict[PhaseName, list[Coord]] = {}
    for coord, hex_ in map_spec.all_hexes.items():
        for phase in dict.fromkeys(hex_.opens):
            hexes_by_phase.setdefault(phase, []).append(coord)
    return hexes_by_phase


def _track_may_cross(hex_: HexSpec, edge: Edge) -> bool:
    if edge in hex_.impassable:
        return False
    return hex_.colour not in FIXED_COLOURS or edge in hex_.topology.edges
