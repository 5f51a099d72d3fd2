"""The best route of one train from one stop to another.

The search is that of `search`: whoever leaves the first stop owes more than any route is worth, and the other stop
pays it back, so that a route is worth something only if it leads from the one to the other.
"""

from dataclasses import replace
from typing import Final

from engine.board.map import Map, StopId
from engine.core.ids import CompanyId, TrainName
from engine.routes.check import Run, check
from engine.routes.graph import Graph, graph_between
from engine.routes.model import Route
from engine.routes.search import WORK_LIMIT, pieces_of, service_of, solve
from engine.routes.singles import Service
from engine.routes.terms import Terms

DEBT: Final = 1_000_000
"""More dollars than any route is worth, and a multiple of whatever stops are worth."""


def best_between(
    board: Map,
    company: CompanyId,
    train: TrainName,
    terms: Terms,
    start: StopId,
    end: StopId,
    *,
    work_limit: int = WORK_LIMIT,
) -> Run | None:
    """The most valuable route of the train that has these two stops as its ends; None where none was found."""
    graph = graph_between(board, company, start, end)
    if start not in graph.stops or end not in graph.stops or board.place(start) == board.place(end):
        return None
    service = _bound(service_of(board, company, graph, train, terms), graph, start, end)
    line = solve(graph, [service], work_limit).lines[0]
    if line is None:
        return None
    [run] = check(board, company, (train,), (Route(train, pieces_of(line)),), terms)
    return run


def _bound(service: Service, graph: Graph, start: StopId, end: StopId) -> Service:
    values = list(service.values)
    values[graph.stops.index(start)] -= DEBT
    values[graph.stops.index(end)] += DEBT
    return replace(service, values=tuple(values))
