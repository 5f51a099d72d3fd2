"""The value of a company's track: places ahead of it, and its runs on other maps or with other trains."""

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from copy import copy
from dataclasses import replace
from functools import partial
from typing import Final, TypeAlias

from engine.board.hexes import EDGES, Edge, open_neighbours, opposite
from engine.board.map import Map, StopId
from engine.board.network import network_of
from engine.caretaker.outlook import hexes_closed_to
from engine.core.ids import CompanyId, Coord, TileId, TrainName
from engine.core.topology import End, is_edge
from engine.play.table import Table
from engine.play.trains.phases import counted_trains, next_train, train_limit
from engine.routes.search import Known, best_routes

FAR: Final = 4
"""Hexes ahead of its track in which a company looks for places."""
FADES: Final = 0.55
"""Value of a place one hex further away, compared with a nearer one."""
COUNTED: Final = 8
"""Number of places that count."""
JOINED: Final = 2.0
"""Weight of an exit that meets track, compared with one that meets none."""
GROWN: Final = 2.0
"""Weight of a dollar more of a stop, compared with a dollar of a place ahead."""

FAR_OFF: Final = 5
"""The most lays that are counted."""
_Way: TypeAlias = tuple[Coord, Edge]
"""The hex that a way enters, and the edge there over which it does."""

Shut: TypeAlias = AbstractSet[Coord]
"""Hexes into which nobody may build for now."""


def places_ahead(board: Map, company: CompanyId, step: int, closed_hexes: Shut) -> float:
    """Dollars of the best places on the company's track or beyond its open ends, discounted by distance."""
    network = network_of(board, company)
    built = {coord for coord, _, _ in network.pieces}
    open_ends = [coord for coord in network.edges if coord not in built]
    places_seen = dict(_seen_from(board, open_ends, step, closed_hexes))
    for coord, stop in network.stops:
        value = board.topology(coord).stops[stop].value(step)
        places_seen[coord] = max(places_seen.get(coord, value), value)
    return sum(sorted(places_seen.values(), reverse=True)[:COUNTED])


class Attraction:
    """The best places to which the hexes around a company's network lead, computed when asked for."""

    def __init__(self, board: Map, company: CompanyId, step: int, closed_hexes: Shut) -> None:
        network = network_of(board, company)
        self._board, self._step, self._shut = board, step, closed_hexes
        self._reached = {coord for coord, _ in network.stops}
        self._around = {other for near in network.edges for other in (near, *_neighbours(board, near))}
        self._cached_values: dict[Coord, float] = {}

    def value_of(self, coord: Coord) -> float:
        """Dollars of the best place that the hex leads to, discounted by distance."""
        if coord not in self._around:
            return 0.0
        if coord not in self._cached_values:
            seen = _seen_from(self._board, [coord], self._step, self._shut)
            self._cached_values[coord] = max(
                (x for place, x in seen if place not in self._reached), default=0.0
            )
        return self._cached_values[coord]


def places_around(board: Map, coord: Coord, step: int, closed_hexes: Shut) -> float:
    """Dollars of all places around a hex, discounted by distance."""
    return sum(dollars for _, dollars in _seen_from(board, [coord], step, closed_hexes))


def first_sight_value(board: Map, towards: Attraction, lay: tuple[Coord, TileId, int], step: int) -> float:
    """A quick estimate of a tile's value: dearer stops, and new exits that lead somewhere."""
    coord, tile, rotation = lay
    old, new = board.topology(coord), board.spec.tiles[tile].topology.turned(rotation)
    grown = sum(stop.value(step) for stop in new.stops) - sum(stop.value(step) for stop in old.stops)
    exits = sum(_exit(board, towards, coord, edge) for edge in new.edges - old.edges)
    return grown * GROWN + exits + len(new.pieces) - len(old.pieces)


def _exit(board: Map, towards: Attraction, coord: Coord, edge: int) -> float:
    other = board.neighbour(coord, edge)
    if other is None:
        return 0.0
    joined = opposite(edge) in board.topology(other).edges
    return towards.value_of(other) * (JOINED if joined else 1.0)


def _seen_from(
    board: Map, ends: Iterable[Coord], step: int, closed_hexes: Shut
) -> Iterator[tuple[Coord, float]]:
    """Places around these hexes, nearest first, with dollars discounted by distance."""
    ring = sorted(set(ends) - closed_hexes)
    known, beside = {*ring, *closed_hexes}, board.spec.map.cached(open_neighbours)
    for distance in range(FAR):
        faded = FADES ** (distance + 1)
        further = []
        for coord in ring:
            stops = board.topology(coord).stops
            if stops:
                yield coord, max([stop.value(step) for stop in stops]) * faded
            if not board.terminal(coord):
                new = [other for other in beside[coord] if other not in known]
                known |= set(new)
                further += new
        ring = further


def _neighbours(board: Map, coord: Coord) -> Sequence[Coord]:
    return () if board.terminal(coord) else board.spec.map.cached(open_neighbours)[coord]


def lays_to_run(board: Map, home: StopId, closed_hexes: Shut) -> int:
    """Number of tiles to lay before a company can run from its home; at most `FAR_OFF`.

    Closed hexes are left out. One tile a hex is enough, wherever its track must lead.
    """
    exits = board.topology(home[0]).edges_of(home[1])
    ways = list(_ways_over(board, home[0], exits or board.usable_edges(home[0])))
    known = {(home[0], edge) for edge in EDGES}
    for lays in range(0 if exits else 1, FAR_OFF):
        entered = list(_entered(board, ways, known, closed_hexes))
        if not all(is_edge(end) for _, ends in entered for end in ends):
            return lays
        bare = [coord for coord, ends in entered if not ends]
        if any(board.topology(coord).stops for coord in bare):
            return lays + 1
        ways = [way for coord in bare for way in _ways_over(board, coord, board.usable_edges(coord))]
    return FAR_OFF


def _entered(
    board: Map, ways: list[_Way], known: set[_Way], closed_hexes: Shut
) -> Iterator[tuple[Coord, Sequence[End]]]:
    """The hexes that new track would enter, and those to which existing track leads on from there."""
    while ways:
        way = coord, edge = ways.pop()
        if coord not in closed_hexes and way not in known:
            known.add(way)
            ends = [
                piece.a + piece.b - edge for piece in board.topology(coord).pieces if edge in piece.ends()
            ]
            ways += _ways_over(board, coord, filter(is_edge, ends))
            yield coord, ends


def _ways_over(board: Map, coord: Coord, edges: Iterable[Edge]) -> Iterator[_Way]:
    for edge in edges:
        other = board.neighbour(coord, edge)
        if other is not None:
            yield other, opposite(edge)


EFFORT: Final = 2_000
"""Stops visited in the search for a run that is only imagined."""
RUNS: Final = 4.0
"""For how many runs a better one is counted."""
PLACES: Final = 0.8
"""Weight of a dollar of a place that its track leads to."""
STEPS_ON: Final = 2
"""Kinds by which the trains of a later phase are further."""


class Railway:
    """The operating company's railway: estimates of its value on a given map, with present and later trains."""

    def __init__(self, t: Table) -> None:
        self._t = t
        self._now = coming_trains(t)
        self._later = _later_train(t)
        self._cached_revenues: Known = {}
        self._closed_hexes = hexes_closed_to(t, t.company.president)

    def value_now(self, board: Map) -> float:
        """Dollars of the next run, and of places that its track leads to."""
        t = self._t
        value = places_ahead(board, t.company.id, t.phase.revenue_step, self._closed_hexes)
        return self.next_run(board) * RUNS + value * PLACES

    def next_run(self, board: Map) -> int:
        """Dollars of the next run."""
        return best_revenue(hypothetical_table(self._t, board, self._now), self._cached_revenues)

    def later_run(self, board: Map) -> float:
        """Dollars of runs with a train of a later phase."""
        return best_revenue(hypothetical_table(self._t, board, self._later), self._cached_revenues)


def hypothetical_table(
    t: Table, board: Map | None = None, trains: Sequence[TrainName] | None = None
) -> Table:
    """The table with another map, or other trains of the company; read-only."""
    other = copy(t)
    if board is not None:
        other.map = board
    if trains is not None:
        company = replace(t.company, trains=list(trains), second=[])
        other.state = replace(t.state, companies={**t.state.companies, company.id: company})
    return other


def best_revenue(t: Table, known: Known | None = None) -> int:
    """Dollars of the best run that a short search finds, or of the run that is `known`."""
    if not t.company.running:
        return 0
    terms = t.rules.terms(t)
    looks = (partial(best_routes, t.map, t.company.id, fleet, terms) for fleet in t.rules.fleets(t))
    first = max((look(work_limit=EFFORT, known=known) for look in looks), key=lambda one: one.value)
    return t.rules.revenue(t, [run.value for run in first.runs])


def coming_trains(t: Table) -> list[TrainName]:
    """The trains the company will run: its own, and the bank's next one if it can soon pay it."""
    coming = next_train(t)
    own = list(t.company.trains)
    if coming is None or counted_trains(t, t.company) >= train_limit(t, t.company):
        return own
    return own if own and t.company.cash < t.spec.train(coming).price else [*own, coming]


def _later_train(t: Table) -> list[TrainName]:
    left = [name for name, count in t.state.depot.items() if count is None or count > 0]
    return left[min(STEPS_ON, len(left) - 1) :][:1]
