"""Writes routes as a log has them: the inverse of `routes`."""

from collections.abc import Sequence
from typing import Any

from engine.core.ids import Coord
from engine.core.topology import FIRST_STOP
from engine.routes.model import Route


def written_route(route: Route, train: str, values: Sequence[int]) -> dict[str, Any]:
    """One run of a train with this id, which earns these dollars at its stops."""
    stops = route.stops()
    hexes = [coord for coord, _ in stops]
    return {
        "train": train,
        "connections": connections(route),
        "hexes": hexes,
        "revenue": sum(values),
        "revenue_str": "-".join(hexes),
        "nodes": list(dict.fromkeys(f"{coord}-{stop}" for coord, stop in stops)),
    }


def connections(route: Route) -> list[list[Coord]]:
    """The hexes from each stop to the next one; no hex of a title there has track between stops in two places."""
    found: list[list[Coord]] = []
    here: list[Coord] = []
    for coord, _, b in route.pieces:
        here.append(coord)
        if b >= FIRST_STOP:
            found.append(here)
            here = []
    return found
