"""Writes routes as a log has them: the inverse of `routes`."""

from collections.abc import Sequence
from typing import Any

from engine.board.map import Map
from engine.core.ids import Coord
from engine.core.topology import FIRST_STOP, End
from engine.routes.model import Route


def written_route(board: Map, route: Route, train: str, values: Sequence[int]) -> dict[str, Any]:
    """One run of a train with this id, which earns these dollars at its stops."""
    stops = route.stops()
    hexes = [coord for coord, _ in stops]
    return {
        "train": train,
        "connections": connections(board, route),
        "hexes": hexes,
        "revenue": sum(values),
        "revenue_str": "-".join(hexes),
        "nodes": list(dict.fromkeys(f"{coord}-{stop}" for coord, stop in stops)),
    }


def connections(board: Map, route: Route) -> list[list[Coord]]:
    """The hexes from each stop to the next one."""
    found: list[list[Coord]] = []
    here: list[Coord] = []
    for coord, a, b in route.pieces:
        if a >= FIRST_STOP and b >= FIRST_STOP:
            found.append([_inside(board, coord, min(a, b), max(a, b))])
            continue
        here.append(coord)
        if b >= FIRST_STOP:
            found.append(here)
            here = []
    return found


def _inside(board: Map, coord: Coord, first: End, second: End) -> str:
    """`L7`, the only track there between two stops; `K4 0.1` where there are several."""
    several = sum(piece.joins_stops for piece in board.topology(coord).pieces) > 1
    return f"{coord} {first - FIRST_STOP}.{second - FIRST_STOP}" if several else coord
