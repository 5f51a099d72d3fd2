"""Track for positions of 18C2C: laid between places by their names on the map, whatever tiles that takes."""

from collections import defaultdict
from typing import Final

from engine.board.hexes import EDGES
from engine.board.map import Map
from engine.core.spec import Colour
from engine.core.topology import FIRST_STOP, Topology, is_edge
from tests.titles.builders import Position

TO_CHICAGO: Final = "I78-I76-I74-I72-I70-J69-K68-K66-K64-J63-I64-H63-I62-J61-J59-J57"
"""Albany to Chicago over Buffalo, Toledo and Detroit."""
COLOURS: Final[dict[str, Colour]] = {
    **dict.fromkeys(("I78", "I70", "I64", "M74", "J57"), "green"),
    "J63": "brown",
}
"""Of places from Albany to Chicago."""


def rails(position: Position, *paths: str, **colours: Colour) -> Position:
    """Lay track along paths such as `I78-J77-K78`; hexes named have a tile of that colour, the others a yellow one."""
    board = position.t.map
    wanted: dict[str, list[set[int]]] = defaultdict(list)
    for path in paths:
        coords = path.split("-")
        for at, coord in enumerate(coords):
            beside = coords[max(0, at - 1) : at] + coords[at + 1 : at + 2]
            wanted[coord].append({_towards(board, coord, other) for other in beside})
    for coord, joined in wanted.items():
        _lay(board, coord, joined, colours.get(coord))
    return position


def _lay(board: Map, coord: str, joined: list[set[int]], colour: Colour | None) -> None:
    if board.is_terminal(coord) or (colour is None and _joins(board.topology(coord), joined)):
        return
    stops = [stop.kind for stop in board.topology(coord).stops]
    for number, tile in board.spec.tiles.items():
        if tile.colour != (colour or "yellow") or tile.label != board.label_for(coord, tile.colour):
            continue
        for rotation in range(6):
            turned = tile.topology.turned(rotation)
            usable = turned.edges <= board.usable_edges(coord)
            if usable and [stop.kind for stop in turned.stops] == stops and _joins(turned, joined):
                board.lay(coord, number, rotation)
                return
    raise AssertionError(f"no {colour or 'yellow'} tile fits {coord}: {joined}")


def _joins(topology: Topology, joined: list[set[int]]) -> bool:
    pieces = [set(piece.ends()) for piece in topology.pieces]
    if topology.stops:
        ends = {end for piece in pieces for end in piece if is_edge(end)}
        return all(edges <= ends for edges in joined)
    return all(any(edges <= piece for piece in pieces) for edges in joined)


def station(position: Position, coord: str, other: str) -> tuple[str, int]:
    """The city of a hex from which track leads towards the hex beside it."""
    board = position.t.map
    edge = _towards(board, coord, other)
    ends = next(piece.ends() for piece in board.topology(coord).pieces if edge in piece.ends())
    return coord, max(ends) - FIRST_STOP


def _towards(board: Map, coord: str, other: str) -> int:
    return next(edge for edge in EDGES if board.neighbour(coord, edge) == other)
