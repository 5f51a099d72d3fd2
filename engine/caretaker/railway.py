"""Value of a company's track to the computer player.

Estimates revenue places (cities, towns, off-board areas) near its track, and runs on changed maps or with other trains.
"""

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from copy import copy
from dataclasses import replace
from functools import partial
from typing import Final, TypeAlias

from engine.board.hexes import EDGES, Edge, open_neighbours, opposite_edge
from engine.board.map import Map, StopId
from engine.board.network import network_of
from engine.caretaker.outlook import hexes_blocked_for
from engine.core.ids import CompanyId, Coord, TileId, TrainName
from engine.core.state import CompanyTurn
from engine.core.topology import End, is_edge
from engine.play.table import Table
from engine.play.trains.phases import counted_train_count, next_new_train, train_limit
from engine.routes.search import KnownSolutions, best_routes

MAX_PLACE_DISTANCE: Final = 4
"""Maximum distance in hexes from the company's track at which revenue places count."""
DISTANCE_FACTOR: Final = 0.55
"""Factor by which the value of a revenue place falls with each hex of distance."""
MAX_PLACES_COUNTED: Final = 8
"""Maximum number of revenue places that count. If there are more, the most valuable places count."""
JOINED_EXIT_WEIGHT: Final = 2.0
"""Value of a tile exit that joins existing track, as a multiple of one that does not."""
STOP_GROWTH_WEIGHT: Final = 2.0
"""Weight of growth at a stop: a dollar of its added revenue counts as this many dollars of a nearby place."""

MAX_LAYS_TO_RUN: Final = 5
"""Highest number of tiles that `lay_count_to_run` returns."""
_EnteredEdge: TypeAlias = tuple[Coord, Edge]

ClosedHexes: TypeAlias = AbstractSet[Coord]
"""Hexes where no track can be built for now, because a private blocks them."""


def value_of_places_ahead(
    board: Map, company: CompanyId, revenue_column: int, closed_hexes: ClosedHexes
) -> float:
    """Dollars of the best revenue places on the company's track and beyond its open ends, discounted by distance."""
    company_network = network_of(board, company)
    hexes_with_track = {coord for coord, _, _ in company_network.pieces}
    open_ends = [coord for coord in company_network.edges if coord not in hexes_with_track]
    places_seen = dict(_places_seen_from(board, open_ends, revenue_column, closed_hexes))
    for coord, stop in company_network.stops:
        value = board.topology(coord).stops[stop].value(revenue_column)
        places_seen[coord] = max(places_seen.get(coord, value), value)
    return sum(sorted(places_seen.values(), reverse=True)[:MAX_PLACES_COUNTED])


class BestPlacesAhead:
    """The best revenue place near each hex that the company's track can be extended to; computed on demand."""

    def __init__(
        self, board: Map, company: CompanyId, revenue_column: int, closed_hexes: ClosedHexes
    ) -> None:
        network = network_of(board, company)
        self._board, self._revenue_column, self._hexes_closed = board, revenue_column, closed_hexes
        self._reached_hexes = {coord for coord, _ in network.stops}
        self._hexes_near_track = {
            other_hex for hex_near in network.edges for other_hex in (hex_near, *_neighbours(board, hex_near))
        }
        self._cached_values: dict[Coord, float] = {}

    def value_of(self, coord: Coord) -> float:
        """Dollars of the best unconnected revenue place near this hex, discounted by distance; 0 far from the track."""
        if coord not in self._hexes_near_track:
            return 0.0
        if coord not in self._cached_values:
            places_seen = _places_seen_from(self._board, [coord], self._revenue_column, self._hexes_closed)
            self._cached_values[coord] = max(
                (x for place, x in places_seen if place not in self._reached_hexes), default=0.0
            )
        return self._cached_values[coord]


def value_of_places_around(board: Map, coord: Coord, revenue_column: int, closed_hexes: ClosedHexes) -> float:
    """Sum in dollars of all revenue places around a hex, discounted by distance."""
    return sum(dollars for _, dollars in _places_seen_from(board, [coord], revenue_column, closed_hexes))


def estimate_lay_value(
    board: Map, best_places_ahead: BestPlacesAhead, lay: tuple[Coord, TileId, int], revenue_column: int
) -> float:
    """A quick estimate of what a tile lay is worth.

    Counts higher stop revenues, new exits that lead to revenue places, and additional track. `revenue_column` is the
    index of the phase's revenue column.
    """
    coord, tile, rotation = lay
    old_topology, new_topology = board.topology(coord), board.spec.tiles[tile].topology.turned(rotation)
    stop_growth = sum(stop.value(revenue_column) for stop in new_topology.stops) - sum(
        stop.value(revenue_column) for stop in old_topology.stops
    )
    exit_value = sum(
        _exit_value(board, best_places_ahead, coord, edge) for edge in new_topology.edges - old_topology.edges
    )
    return stop_growth * STOP_GROWTH_WEIGHT + exit_value + len(new_topology.pieces) - len(old_topology.pieces)


def _exit_value(board: Map, best_places_ahead: BestPlacesAhead, coord: Coord, edge: int) -> float:
    neighbour_hex = board.neighbour(coord, edge)
    if neighbour_hex is None:
        return 0.0
    joins_track = opposite_edge(edge) in board.topology(neighbour_hex).edges
    return best_places_ahead.value_of(neighbour_hex) * (JOINED_EXIT_WEIGHT if joins_track else 1.0)


def _places_seen_from(
    board: Map, start_hexes: Iterable[Coord], revenue_column: int, closed_hexes: ClosedHexes
) -> Iterator[tuple[Coord, float]]:
    hexes_at_distance = sorted(set(start_hexes) - closed_hexes)
    known_hexes, neighbours = {*hexes_at_distance, *closed_hexes}, board.spec.map.cached(open_neighbours)
    for distance in range(MAX_PLACE_DISTANCE):
        distance_factor = DISTANCE_FACTOR ** (distance + 1)
        hexes_one_further = []
        for coord in hexes_at_distance:
            stops = board.topology(coord).stops
            if stops:
                yield coord, max([stop.value(revenue_column) for stop in stops]) * distance_factor
            if not board.is_terminal(coord):
                new_hexes = [other for other in neighbours[coord] if other not in known_hexes]
                known_hexes |= set(new_hexes)
                hexes_one_further += new_hexes
        hexes_at_distance = hexes_one_further


def _neighbours(board: Map, coord: Coord) -> Sequence[Coord]:
    return () if board.is_terminal(coord) else board.spec.map.cached(open_neighbours)[coord]


def lay_count_to_run(board: Map, home: StopId, closed_hexes: ClosedHexes) -> int:
    """Number of tiles to lay before a company can run from its home; at most MAX_LAYS_TO_RUN.

    Assumes that one tile in a hex is enough to cross it, and that closed hexes cannot be crossed.
    """
    exits = board.topology(home[0]).edges_of(home[1])
    entered_edges = list(_edges_entered_over(board, home[0], exits or board.usable_edges(home[0])))
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
            for entered_edge in _edges_entered_over(board, coord, board.usable_edges(coord))
        ]
    return MAX_LAYS_TO_RUN


def _entered_hexes(
    board: Map, edges_to_enter: list[_EnteredEdge], known_edges: set[_EnteredEdge], closed_hexes: ClosedHexes
) -> Iterator[tuple[Coord, Sequence[End]]]:
    """The hexes that a train can enter over these edges and over the existing track from there.

    Each with the ends (hex edges or stops) of the track by which the train can continue; empty without
    track.
    """
    while edges_to_enter:
        entered_edge = coord, edge = edges_to_enter.pop()
        if coord not in closed_hexes and entered_edge not in known_edges:
            known_edges.add(entered_edge)
            far_ends = [
                piece.first_end + piece.second_end - edge
                for piece in board.topology(coord).pieces
                if edge in piece.ends()
            ]
            edges_to_enter += _edges_entered_over(board, coord, filter(is_edge, far_ends))
            yield coord, far_ends


def _edges_entered_over(board: Map, coord: Coord, edges: Iterable[Edge]) -> Iterator[_EnteredEdge]:
    for edge in edges:
        neighbour_hex = board.neighbour(coord, edge)
        if neighbour_hex is not None:
            yield neighbour_hex, opposite_edge(edge)


SEARCH_WORK_LIMIT: Final = 2_000
"""Limit for the work of the search for a hypothetical run, as a number of visited stops."""
FUTURE_RUNS_COUNTED: Final = 4.0
"""Number of future runs for which a track improvement is expected to count."""
NEARBY_PLACE_WEIGHT: Final = 0.8
"""Value of a dollar of nearby revenue places, as a fraction of a dollar of one run."""
LATER_TRAIN_STEPS: Final = 2
"""Forecasts of later runs use the train this many types after the bank's next one.

With 2, while the bank sells 3-trains, forecasts use a 5-train.
"""


class RailwayForecast:
    """Estimates of what the operating company's track is worth on a given map, with its present or later trains."""

    def __init__(self, t: Table) -> None:
        self._t = t
        self._trains_now = expected_trains(t)
        self._trains_later = _trains_of_later_phase(t)
        self._cached_revenues: KnownSolutions = {}
        self._closed_hexes = hexes_blocked_for(t, t.company.president)

    def value_now(self, board: Map) -> float:
        """Value in dollars of the company's next runs on this map, and of revenue places near its track."""
        t = self._t
        value = value_of_places_ahead(board, t.company.id, t.phase.revenue_step, self._closed_hexes)
        return self.next_run_revenue(board) * FUTURE_RUNS_COUNTED + value * NEARBY_PLACE_WEIGHT

    def next_run_revenue(self, board: Map) -> int:
        """Revenue in dollars of the company's next run on this map."""
        return best_revenue(hypothetical_table(self._t, board, self._trains_now), self._cached_revenues)

    def later_run_revenue(self, board: Map) -> float:
        """Revenue in dollars of a run on this map with a train of a later type."""
        return best_revenue(hypothetical_table(self._t, board, self._trains_later), self._cached_revenues)


def hypothetical_table(
    t: Table, board: Map | None = None, trains: Sequence[TrainName] | None = None
) -> Table:
    """A read-only copy of the game with another map, or with other trains of the operating company."""
    changed_table = copy(t)
    if board is not None:
        changed_table.map = board
    if trains is not None:
        company = replace(t.company, trains=list(trains), second=[])
        changed_table.state = replace(t.state, companies={**t.state.companies, company.id: company})
    return changed_table


def table_operated_by(t: Table, company: CompanyId) -> Table:
    """A read-only copy of the game in which it is this company's turn to operate."""
    operating_round = t.operating_round
    turn = (
        CompanyTurn(company)
        if operating_round.turn is None
        else replace(operating_round.turn, company=company)
    )
    changed_table = copy(t)
    changed_table.state = replace(t.state, round=replace(operating_round, turn=turn))
    return changed_table


def best_revenue(t: Table, known_runs: KnownSolutions | None = None) -> int:
    """Revenue in dollars of the best run that a short search finds. `known_runs` caches results between calls."""
    if not t.company.runnable_trains:
        return 0
    route_rules = t.rules.route_rules(t)
    searches = (
        partial(best_routes, t.map, t.company.id, train_set, route_rules)
        for train_set in t.rules.train_sets_to_run(t)
    )
    best_result = max(
        (search(work_limit=SEARCH_WORK_LIMIT, known_solutions=known_runs) for search in searches),
        key=lambda result: result.value,
    )
    return t.rules.revenue(t, [run.value for run in best_result.runs])


def expected_trains(t: Table) -> list[TrainName]:
    """Trains that the company should soon run: its own, and the bank's next train if it can buy and hold that."""
    next_train = next_new_train(t)
    own_trains = list(t.company.trains)
    if next_train is None or counted_train_count(t, t.company) >= train_limit(t, t.company):
        return own_trains
    return (
        own_trains
        if own_trains and t.company.cash < t.spec.train(next_train).price
        else [*own_trains, next_train]
    )


def _trains_of_later_phase(t: Table) -> list[TrainName]:
    train_names = [name for name, count in t.state.depot.items() if count is None or count > 0]
    return train_names[min(LATER_TRAIN_STEPS, len(train_names) - 1) :][:1]
