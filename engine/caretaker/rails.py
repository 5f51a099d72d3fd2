"""What a company would earn on other track, with other stations, or with other trains."""

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import replace
from typing import Final

from engine.board.map import Map
from engine.board.network import reach
from engine.core.ids import CompanyId, Coord, TrainName
from engine.play.table import Table
from engine.play.trains.phases import next_train
from engine.routes.search import best

EFFORT: Final = 3_000
"""Stops visited in the search for a run that is only imagined."""
FAR: Final = 4
"""How many hexes ahead of its track a company looks for places."""
FADES: Final = 0.55
"""What a place one hex further away is worth beside a nearer one."""
AHEAD: Final = 3
"""How many places ahead count."""


def board_copy(t: Table) -> Map:
    """The map as it lies, to be changed."""
    return Map.restored(t.spec, t.map.laid())


def imagined(t: Table, board: Map | None = None, trains: Sequence[TrainName] | None = None) -> Table:
    """The table with another map, or other trains of the operating company; nothing of it may be changed."""
    other = copy(t)
    if board is not None:
        other.map = board
    if trains is not None:
        company = replace(t.company, trains=list(trains), second=[])
        other.state = replace(t.state, companies={**t.state.companies, company.id: company})
    return other


def earned(t: Table) -> int:
    """Dollars of the best run that a short search finds for the operating company."""
    if not t.company.running:
        return 0
    terms = t.rules.terms(t)
    found = (best(t.map, t.company.id, fleet, terms, work_limit=EFFORT) for fleet in t.rules.fleets(t))
    first = max(found, key=lambda one: one.value)
    return t.rules.revenue(t, [run.value for run in first.runs])


def coming_trains(t: Table) -> list[TrainName]:
    """The trains with which the company is to run: its own, or the next one of the bank while it has none."""
    if t.company.trains:
        return list(t.company.trains)
    coming = next_train(t)
    return [coming] if coming else list(t.company.running)


def farthest_train(t: Table) -> list[TrainName]:
    """A train as it will be when the game is older: of those not yet sold out, one that goes two steps further."""
    left = [name for name, count in t.state.depot.items() if count is None or count > 0]
    return left[min(2, len(left) - 1) :][:1]


def ahead(board: Map, company: CompanyId, step: int) -> float:
    """Dollars, fading with distance, of places that the company does not reach yet but builds towards."""
    network = reach(board, company)
    built = {coord for coord, _, _ in network.pieces}
    open_ends = [coord for coord in network.edges if coord not in built]
    here = {coord for coord, _ in network.stops}
    found = sorted(_places(board, open_ends, here, step), reverse=True)
    return sum(found[:AHEAD])


def _places(board: Map, ends: Iterable[Coord], here: set[Coord], step: int) -> Iterator[float]:
    known = set(ends)
    ring = list(known)
    for distance in range(FAR):
        for coord in ring:
            stops = board.topology(coord).stops
            if stops and coord not in here:
                yield max(stop.value(step) for stop in stops) * FADES ** (distance + 1)
        ring = [other for coord in ring for other in _beside(board, coord) if other not in known]
        ring = list(dict.fromkeys(ring))
        known.update(ring)


def _beside(board: Map, coord: Coord) -> Iterator[Coord]:
    if board.terminal(coord):
        return
    for edge in board.usable_edges(coord):
        other = board.neighbour(coord, edge)
        if other is not None:
            yield other
