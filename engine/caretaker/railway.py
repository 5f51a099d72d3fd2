"""The value of a company's track: places ahead of it, and its runs on other maps or with other trains."""

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from copy import copy
from dataclasses import replace
from functools import partial
from typing import Final, TypeAlias

from engine.board.hexes import EDGES, Edge, open_neighbours, opposite_edge
from engine.board.map import Map, StopId
from engine.board.network import network_of
from engine.caretaker.outlook import hexes_closed_to
from engine.core.ids import CompanyId, Coord, TileId, TrainName
from engine.core.state import CompanyTurn
from engine.core.topology import End, is_edge
from engine.play.table import Table
from engine.play.trains.phases import counted_train_count, next_new_train, train_limit
from engine.routes.search import KnownSolutions, best_routes

VIEW_DISTANCE: Final = 4
"""Hexes ahead of its track in which a company looks for places."""
DISTANCE_FACTOR: Final = 0.55
"""Value of a place one hex further away, compared with a nearer one."""
MAX_PLACES: Final = 8
"""Number of the best places that are counted."""
JOINED_EXIT_WEIGHT: Final = 2.0
"""Weight of an exit that meets track, compared with one that meets none."""
STOP_GROWTH_WEIGHT: Final = 2.0
"""Weight of a dollar more of a stop, compared with a dollar of a place ahead."""

MAX_LAYS_TO_RUN: Final = 5
"""The most tiles that `lays_to_run` counts."""
_EnteredEdge: TypeAlias = tuple[Coord, Edge]
"""A hex, and the edge over which track enters it."""

ClosedHexes: TypeAlias = AbstractSet[Coord]
"""Hexes into which nobody may build for now."""


def value_of_places_ahead(board: Map, company: CompanyId, step: int, closed_hexes: ClosedHexes) -> float:
    """Dollars of the best places on the company's track or beyond its open ends, discounted by distance."""
    company_network = network_of(board, company)
    hexes_with_track = {coord for coord, _, _ in company_network.pieces}
    open_ends = [coord for coord in company_network.edges if coord not in hexes_with_track]
    places_seen = dict(_places_seen_from(board, open_ends, step, closed_hexes))
    for coord, stop in company_network.stops:
        value = board.topology(coord).stops[stop].value(step)
        places_seen[coord] = max(places_seen.get(coord, value), value)
    return sum(sorted(places_seen.values(), reverse=True)[:MAX_PLACES])


class BestPlacesAhead:
    """The best places to which the hexes around a company's network lead, computed when asked for."""

    def __init__(self, board: Map, company: CompanyId, step: int, closed_hexes: ClosedHexes) -> None:
        network = network_of(board, company)
        self._board, self._step, self._shut = board, step, closed_hexes
        self._reached = {coord for coord, _ in network.stops}
        self._value_around = {
            other_hex for hex_near in network.edges for other_hex in (hex_near, *_neighbours(board, hex_near))
        }
        self._cached_values: dict[Coord, float] = {}

    def value_of(self, coord: Coord) -> float:
        """Dollars of the best place that the hex leads to, discounted by distance."""
        if coord not in self._value_around:
            return 0.0
        if coord not in self._cached_values:
            places_seen = _places_seen_from(self._board, [coord], self._step, self._shut)
            self._cached_values[coord] = max(
                (x for place, x in places_seen if place not in self._reached), default=0.0
            )
        return self._cached_values[coord]


def value_of_places_around(board: Map, coord: Coord, step: int, closed_hexes: ClosedHexes) -> float:
    """The sum in dollars of all places around a hex, discounted by distance."""
    return sum(dollars for _, dollars in _places_seen_from(board, [coord], step, closed_hexes))


def first_sight_value(
    board: Map, best_places_ahead: BestPlacesAhead, lay: tuple[Coord, TileId, int], step: int
) -> float:
    """A quick estimate of a tile's value: dearer stops, and new exits that lead somewhere."""
    coord, tile, rotation = lay
    old, new = board.topology(coord), board.spec.tiles[tile].topology.turned(rotation)
    stop_growth = sum(stop.value(step) for stop in new.stops) - sum(stop.value(step) for stop in old.stops)
    exit_values = sum(_exit_value(board, best_places_ahead, coord, edge) for edge in new.edges - old.edges)
    return stop_growth * STOP_GROWTH_WEIGHT + exit_values + len(new.pieces) - len(old.pieces)


def _exit_value(board: Map, best_places_ahead: BestPlacesAhead, coord: Coord, edge: int) -> float:
    other = board.neighbour(coord, edge)
    if other is None:
        return 0.0
    meets_track = opposite_edge(edge) in board.topology(other).edges
    return best_places_ahead.value_of(other) * (JOINED_EXIT_WEIGHT if meets_track else 1.0)


def _places_seen_from(
    board: Map, start_hexes: Iterable[Coord], step: int, closed_hexes: ClosedHexes
) -> Iterator[tuple[Coord, float]]:
    """Places around these hexes, nearest first, with dollars discounted by distance."""
    ring = sorted(set(start_hexes) - closed_hexes)
    known_hexes, neighbours = {*ring, *closed_hexes}, board.spec.map.cached(open_neighbours)
    for distance in range(VIEW_DISTANCE):
        distance_factor = DISTANCE_FACTOR ** (distance + 1)
        next_ring = []
        for coord in ring:
            stops = board.topology(coord).stops
            if stops:
                yield coord, max([stop.value(step) for stop in stops]) * distance_factor
            if not board.is_terminal(coord):
                new_hexes = [other for other in neighbours[coord] if other not in known_hexes]
                known_hexes |= set(new_hexes)
                next_ring += new_hexes
        ring = next_ring


def _neighbours(board: Map, coord: Coord) -> Sequence[Coord]:
    return () if board.is_terminal(coord) else board.spec.map.cached(open_neighbours)[coord]


def lays_to_run(board: Map, home: StopId, closed_hexes: ClosedHexes) -> int:
    """Number of tiles to lay before a company can run from its home; at most `MAX_LAYS_TO_RUN`.

    Closed hexes are left out. One tile a hex is enough, wherever its track must lead.
    """
    exits = board.topology(home[0]).edges_of(home[1])
    entered_edges = list(_hexes_over(board, home[0], exits or board.usable_edges(home[0])))
    known_edges = {(home[0], edge) for edge in EDGES}
    for tile_count in range(0 if exits else 1, MAX_LAYS_TO_RUN):
        entered_hexes = list(_entered_hexes(board, entered_edges, known_edges, closed_hexes))
        if not all(is_edge(end) for _, ends in entered_hexes for end in ends):
            return tile_count
        hexes_without_track = [coord for coord, ends in entered_hexes if not ends]
        if any(board.topology(coord).stops for coord in hexes_without_track):
            return tile_count + 1
        entered_edges = [
            entered_edge
            for coord in hexes_without_track
            for entered_edge in _hexes_over(board, coord, board.usable_edges(coord))
        ]
    return MAX_LAYS_TO_RUN


def _entered_hexes(
    board: Map, edges_to_enter: list[_EnteredEdge], known_edges: set[_EnteredEdge], closed_hexes: ClosedHexes
) -> Iterator[tuple[Coord, Sequence[End]]]:
    """The hexes that new track would enter, and those to which existing track leads on from there."""
    while edges_to_enter:
        entered_edge = coord, edge = edges_to_enter.pop()
        if coord not in closed_hexes and entered_edge not in known_edges:
            known_edges.add(entered_edge)
            far_ends = [
                piece.a + piece.b - edge for piece in board.topology(coord).pieces if edge in piece.ends()
            ]
            edges_to_enter += _hexes_over(board, coord, filter(is_edge, far_ends))
            yield coord, far_ends


def _hexes_over(board: Map, coord: Coord, edges: Iterable[Edge]) -> Iterator[_EnteredEdge]:
    for edge in edges:
        other = board.neighbour(coord, edge)
        if other is not None:
            yield other, opposite_edge(edge)


SEARCH_WORK_LIMIT: Final = 2_000
"""The most stops visited in the search for a hypothetical run."""
RUNS_COUNTED: Final = 4.0
"""Number of future runs in which an improvement is counted."""
PLACE_WEIGHT: Final = 0.8
"""Weight of a dollar of the places that the company's track leads to."""
LATER_TRAIN_STEPS: Final = 2
"""Number of train types between the bank's next train and a train of a later phase."""


class RailwayForecast:
    """The operating company's railway: estimates of its value on a given map, with present and later trains."""

    def __init__(self, t: Table) -> None:
        self._t = t
        self._table_now = coming_trains(t)
        self._table_later = _train_of_later_phase(t)
        self._cached_revenues: KnownSolutions = {}
        self._closed_hexes = hexes_closed_to(t, t.company.president)

    def value_now(self, board: Map) -> float:
        """Dollars of the next run, and of places that its track leads to."""
        t = self._t
        value = value_of_places_ahead(board, t.company.id, t.phase.revenue_step, self._closed_hexes)
        return self.next_run(board) * RUNS_COUNTED + value * PLACE_WEIGHT

    def next_run(self, board: Map) -> int:
        """Dollars of the next run."""
        return best_revenue(hypothetical_table(self._t, board, self._table_now), self._cached_revenues)

    def later_run(self, board: Map) -> float:
        """Dollars of runs with a train of a later phase."""
        return best_revenue(hypothetical_table(self._t, board, self._table_later), self._cached_revenues)


def hypothetical_table(
    t: Table, board: Map | None = None, trains: Sequence[TrainName] | None = None
) -> Table:
    """The table with another map, or other trains of the company; read-only."""
    changed_table = copy(t)
    if board is not None:
        changed_table.map = board
    if trains is not None:
        company = replace(t.company, trains=list(trains), second=[])
        changed_table.state = replace(t.state, companies={**t.state.companies, company.id: company})
    return changed_table


def table_operated_by(t: Table, company: CompanyId) -> Table:
    """The operating round as if this company operated now; read-only."""
    now = t.operating
    turn = CompanyTurn(company) if now.turn is None else replace(now.turn, company=company)
    changed_table = copy(t)
    changed_table.state = replace(t.state, round=replace(now, turn=turn))
    return changed_table


def best_revenue(t: Table, known_runs: KnownSolutions | None = None) -> int:
    """Dollars of the best run that a short search finds; `known_runs` caches searches."""
    if not t.company.running:
        return 0
    route_rules = t.rules.route_rules(t)
    searches = (
        partial(best_routes, t.map, t.company.id, fleet, route_rules)
        for fleet in t.rules.train_sets_to_run(t)
    )
    best_result = max(
        (search(work_limit=SEARCH_WORK_LIMIT, known_solutions=known_runs) for search in searches),
        key=lambda one: one.value,
    )
    return t.rules.revenue(t, [run.value for run in best_result.runs])


def coming_trains(t: Table) -> list[TrainName]:
    """The trains the company will run: its own, and the bank's next one if it can soon pay it."""
    next_name = next_new_train(t)
    own_trains = list(t.company.trains)
    if next_name is None or counted_train_count(t, t.company) >= train_limit(t, t.company):
        return own_trains
    return (
        own_trains
        if own_trains and t.company.cash < t.spec.train(next_name).price
        else [*own_trains, next_name]
    )


def _train_of_later_phase(t: Table) -> list[TrainName]:
    train_names = [name for name, count in t.state.depot.items() if count is None or count > 0]
    return train_names[min(LATER_TRAIN_STEPS, len(train_names) - 1) :][:1]
