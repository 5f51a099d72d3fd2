"""Borders of the printed map: what lies across each edge, and where track may lead over it; the same in every game."""

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from engine.board.hexes import EDGES, Edge, Position, neighbour, opposite, position
from engine.core.ids import Coord, PhaseName
from engine.core.spec import HexSpec, MapSpec

Neighbours: TypeAlias = Mapping[Coord, Mapping[Edge, Coord]]
"""For each hex the hexes around it, by the edge between them."""

FIXED_COLOURS: Final = frozenset({"gray", "red", "blue"})
"""Printed colours that never take a tile; track meets them only where they have printed track."""


def neighbours(printed: MapSpec) -> Neighbours:
    """What lies across each edge of each hex; nothing at the border of the map."""
    layout, letters = printed.layout, printed.letters
    at: dict[Position, Coord] = {position(c, layout, letters): c for c in printed.all_hexes}
    beside: dict[Coord, dict[Edge, Coord]] = {}
    for (x, y), coord in at.items():
        around = {edge: at.get(neighbour(x, y, edge, layout)) for edge in EDGES}
        beside[coord] = {edge: other for edge, other in around.items() if other is not None}
    return beside


def usable_edges(printed: MapSpec) -> Mapping[Coord, frozenset[Edge]]:
    """Over which edges of each hex track may lead (18Chesapeake 11.3).

    Rules: R-AL-118, R-C2C-112, R-CH-091, R-NE-068, R-TN-116.
    """
    beside, hexes = printed.worked_out(neighbours), printed.all_hexes

    def usable(coord: Coord, edge: Edge) -> bool:
        other = beside[coord].get(edge)
        return other is not None and _open(hexes[coord], edge) and _open(hexes[other], opposite(edge))

    return {coord: frozenset(edge for edge in EDGES if usable(coord, edge)) for coord in hexes}


def open_neighbours(printed: MapSpec) -> Mapping[Coord, Sequence[Coord]]:
    """The hexes around each into which track may lead from there, in order of the edges."""
    beside, usable = printed.worked_out(neighbours), printed.worked_out(usable_edges)
    return {coord: tuple(beside[coord][edge] for edge in sorted(edges)) for coord, edges in usable.items()}


def river_edges(printed: MapSpec) -> Mapping[Coord, frozenset[Edge]]:
    """The edges of each hex along which the river flows."""
    beside, along = printed.worked_out(neighbours), [set(border.split("-")) for border in printed.river]
    banks = {coord for border in along for coord in border} & set(beside)
    return {
        coord: frozenset(edge for edge, other in beside[coord].items() if {coord, other} in along)
        for coord in banks
    }


def zone_edges(printed: MapSpec) -> Mapping[Coord, frozenset[Edge]]:
    """The edges of each hex beyond which another zone of the board begins, the river's apart."""
    beside, hexes = printed.worked_out(neighbours), printed.all_hexes
    river = printed.worked_out(river_edges)
    zoned = {coord: hex_.zone for coord, hex_ in hexes.items() if hex_.zone}
    found = {
        coord: frozenset(edge for edge, other in beside[coord].items() if zoned.get(other, zone) != zone)
        for coord, zone in zoned.items()
    }
    return {coord: edges - river.get(coord, frozenset()) for coord, edges in found.items() if edges}


def opening_spaces(printed: MapSpec) -> Mapping[PhaseName, Sequence[Coord]]:
    """Hexes where a phase opens token spaces."""
    found: dict[PhaseName, list[Coord]] = {}
    for coord, hex_ in printed.all_hexes.items():
        for phase in dict.fromkeys(hex_.opens):
            found.setdefault(phase, []).append(coord)
    return found


def _open(hex_: HexSpec, edge: Edge) -> bool:
    if edge in hex_.impassable:
        return False
    return hex_.colour not in FIXED_COLOURS or edge in hex_.topology.edges
