"""How far away the first run of a company is that has not been started."""

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from heapq import heapify, heappop, heappush
from typing import Final, TypeAlias

from engine.board.hexes import EDGES, Edge, opposite
from engine.board.map import Map, StopId
from engine.core.ids import Coord
from engine.core.topology import is_edge

FAR_OFF: Final = 5
"""How many lays are counted at most."""
_ARRIVED: Final = -1
"""In place of the edge over which a hex is entered: the way has come to a stop there."""
_Way: TypeAlias = tuple[int, Coord, Edge]
"""How many tiles are laid on a way, the hex that it enters, and the edge there over which it does."""


def lays_to_run(board: Map, home: StopId, shut: AbstractSet[Coord]) -> int:
    """How many tiles must be laid before a company can run from its home to another place; `FAR_OFF` at most.

    Hexes that are shut are left out. One tile a hex is enough, wherever its track must lead.
    """
    exits = board.topology(home[0]).edges_of(home[1])
    ways = list(_over(board, 0 if exits else 1, home[0], exits or board.usable_edges(home[0])))
    heapify(ways)
    known = {(home[0], edge) for edge in EDGES}
    while ways:
        lays, coord, edge = heappop(ways)
        if lays >= FAR_OFF or edge == _ARRIVED:
            return min(lays, FAR_OFF)
        if coord not in shut and (coord, edge) not in known:
            known.add((coord, edge))
            for way in _on(board, lays, coord, edge):
                heappush(ways, way)
    return FAR_OFF


def _on(board: Map, lays: int, coord: Coord, edge: Edge) -> Iterator[_Way]:
    """How a way continues that has entered a hex: over the track that meets it there, or over another tile."""
    here = board.topology(coord)
    ends = [piece.a + piece.b - edge for piece in here.pieces if edge in piece.ends()]
    if not all(map(is_edge, ends)):
        yield lays, coord, _ARRIVED
    elif ends:
        yield from _over(board, lays, coord, ends)
    elif here.stops:
        yield lays + 1, coord, _ARRIVED
    else:
        yield from _over(board, lays + 1, coord, board.usable_edges(coord))


def _over(board: Map, lays: int, coord: Coord, edges: Iterable[Edge]) -> Iterator[_Way]:
    for edge in edges:
        other = board.neighbour(coord, edge)
        if other is not None:
            yield lays, other, opposite(edge)
