"""The best route of one train from one stop to another.

The search in `search` runs with changed revenues: a large amount is subtracted at the start stop and added again at the
end stop. Therefore only a route between these two stops is worth anything.
"""

from dataclasses import replace
from heapq import heappop, heappush
from typing import Final

from engine.board.map import Map, StopId
from engine.core.ids import CompanyId, TrainName
from engine.routes.graph import Graph, graph_between
from engine.routes.legal_routes import Route, Run, check_routes
from engine.routes.revenue_rules import RouteRules
from engine.routes.search import WORK_LIMIT, pieces_of, solve
from engine.routes.train_types import TrainType, train_type_of

START_PENALTY: Final = 1_000_000
"""Penalty in dollars that is subtracted from revenue at the start stop and added again at the end stop.

The amount is more than any route is worth, and a multiple of all revenues.
"""


def best_between(
    board: Map,
    company: CompanyId,
    train: TrainName,
    rules: RouteRules,
    start: StopId,
    end: StopId,
    *,
    work_limit: int = WORK_LIMIT,
) -> Run | None:
    """The train's most valuable route between two stops; None if none was found within `work_limit`."""
    graph = graph_between(board, company, start, end)
    if (
        start not in graph.stops
        or end not in graph.stops
        or board.visited_place(start) == board.visited_place(end)
    ):
        return None
    train_type = train_type_of(board, company, graph, train, rules)
    if not _is_in_reach(graph, train_type, graph.stops.index(start), graph.stops.index(end)):
        return None
    route = solve(graph, [_add_end_penalties(train_type, graph, start, end)], work_limit).routes[0]
    if route is None:
        return None
    [run] = check_routes(board, company, (train,), (Route(train, pieces_of(route)),), rules)
    return run


def _is_in_reach(graph: Graph, train_type: TrainType, start: int, end: int) -> bool:
    # Without this check, the search would try all other routes before it knows that the train does not get there.
    counts = [
        0 if stop in train_type.optional_stops else count for stop, count in enumerate(train_type.counts)
    ]
    fewest_counted_by_stop = {start: counts[start]}
    stops_to_follow = [(fewest_counted_by_stop[start], start)]
    while stops_to_follow:
        counted_here, stop = heappop(stops_to_follow)
        if stop == end:
            return True
        if stop != start and not graph.passable[stop]:
            continue
        for link in graph.links[stop]:
            counted_there = counted_here + counts[link.to_stop]
            if counted_there <= train_type.limit and counted_there < fewest_counted_by_stop.get(
                link.to_stop, counted_there + 1
            ):
                fewest_counted_by_stop[link.to_stop] = counted_there
                heappush(stops_to_follow, (counted_there, link.to_stop))
    return False


def _add_end_penalties(train_type: TrainType, graph: Graph, start: StopId, end: StopId) -> TrainType:
    values = list(train_type.values)
    values[graph.stops.index(start)] -= START_PENALTY
    values[graph.stops.index(end)] += START_PENALTY
    return replace(train_type, values=tuple(values))
