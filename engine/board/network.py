"""The track network that a company reaches, and a check that a lay is connected to it (18Chesapeake 11.1, 11.3)."""

from collections.abc import Iterator
from functools import lru_cache

from engine.board.map import Map, StopId
from engine.board.reach import Network, RouteExplorer
from engine.board.track import TrackNodes, track_nodes_of, track_of
from engine.core.ids import CompanyId, Coord, TileId
from engine.core.spec import MapSpec
from engine.core.topology import FIRST_STOP, Topology, is_edge, new_pieces


def _explorer_by_company(board: Map) -> dict[CompanyId, RouteExplorer]:
    del board
    return {}


def copy_cached_network(board: Map, target_board: Map, company: CompanyId) -> None:
    """Copy a company's cached network to another map that has the same tiles and tokens."""
    explorer = route_explorer_of(board, company)
    target_board.store_result(TrackNodes, track_nodes_of(board).copy(target_board))
    target_board.store_result(_explorer_by_company, {company: explorer.copy(target_board)})


def route_explorer_of(board: Map, company: CompanyId) -> RouteExplorer:
    """The search object for the company's routes, updated to the current map.

    It is rebuilt only if a route may have been lost.
    """
    explorer_by_company = board.cached(_explorer_by_company)
    explorer = explorer_by_company.get(company)
    if explorer is None or not explorer.update():
        explorer = explorer_by_company[company] = RouteExplorer(board, company)
    return explorer


def network_of(board: Map, company: CompanyId) -> Network:
    """The hexes, edges and stops that the company's routes reach now."""
    return route_explorer_of(board, company).network()


def reaches_hex(board: Map, company: CompanyId, coord: Coord) -> bool:
    """True if a route of the company reaches the hex."""
    return bool(route_explorer_of(board, company).edges(coord))


def reached_hexes(board: Map, company: CompanyId) -> Iterator[Coord]:
    """The hexes that the company's routes reach, hexes without track first. A hex can come up twice."""
    return route_explorer_of(board, company).hexes()


def reaches_stop(board: Map, company: CompanyId, stop: StopId) -> bool:
    """True if a route of the company reaches the stop."""
    explorer = route_explorer_of(board, company)
    return stop in explorer.token_stops or explorer.route_reaches_stop(stop)


def reached_stops(board: Map, company: CompanyId) -> Iterator[StopId]:
    """The stops that the company's routes reach; stops with a token of the company come last."""
    return route_explorer_of(board, company).stops()


def has_route(board: Map, company: CompanyId, *, to_counted_stops: bool = False) -> bool:
    """True if the company has a route with at least two places (18Chesapeake 11.7).

    All stops of one group are one place (18Chesapeake 11.1). With `to_counted_stops`, the second place must be a stop
    that counts against a train's limit.
    """
    explorer, track = route_explorer_of(board, company), track_of(board)
    ignored_hexes = board.spec.map.cached(_uncounted_hexes) if to_counted_stops else frozenset[Coord]()
    if board.spec.map.one_stop_a_hex_binds != "runs" and explorer.reaches_other_stop(ignored_hexes):
        return True
    return any(
        chain.end is not None
        and chain.end[0] not in ignored_hexes
        and board.visited_place(chain.end) != board.visited_place(token)
        for token in explorer.token_stops
        for chain in track.chains(token)
    )


def _uncounted_hexes(printed_map: MapSpec) -> frozenset[Coord]:
    return frozenset(coord for coord, hex_ in printed_map.all_hexes.items() if hex_.has_uncounted_stop)


def lay_is_connected(board: Map, company: CompanyId, coord: Coord, tile: TileId, *rotations: int) -> bool:
    """True if the tile is connected in at least one of the given rotations (18Chesapeake 11.3, "semi-restrictive").

    A first tile needs an exit where the company's track arrives, or a token of the company in the hex. An upgrade needs
    new track on a route of the company. If the value of a city changes, or the title is permissive, any track of the
    upgrade may be on the route.

    Rules: R-AL-119, R-C2C-111, R-CH-087, R-CH-088, R-NE-067, R-TN-115.
    """
    explorer = route_explorer_of(board, company)
    edges = explorer.edges(coord)
    if not edges or not rotations:
        return False
    old_topology, tile_topology = board.topology(coord), board.spec.tiles[tile].topology
    turned_topologies = map(tile_topology.turned, rotations)
    needs_new_track = old_topology.edges and not board.spec.map.permissive_track
    if needs_new_track and _city_values(old_topology) == _city_values(tile_topology):
        return any(
            _is_new_track_reached(board, explorer, coord, old_topology, new_topology)
            for new_topology in turned_topologies
        )
    has_reached_exit = any(not edges.isdisjoint(new_topology.edges) for new_topology in turned_topologies)
    # an upgrade keeps old track, so track in the hex that was reached before the lay is still reached
    return has_reached_exit or explorer.has_token_in_hex(coord) or explorer.has_route_in_hex(coord)


@lru_cache(maxsize=4096)
def _city_values(topology: Topology) -> list[tuple[int, ...]]:
    return [stop.revenue for stop in topology.stops if stop.kind == "city"]


def _is_new_track_reached(
    board: Map, explorer: RouteExplorer, coord: Coord, old_topology: Topology, new_topology: Topology
) -> bool:
    """True if a route of the company over the old track reaches an end of a new piece of track.

    The route continues over the whole piece, so it must not have crossed the piece's far end before. Titles that
    require only part of the new track to be connected drop this condition (18AL 4.2.1(j)). A route over several new
    pieces reaches the first of them over old track, so this test finds it, too.
    """
    piece_ends = (
        ends
        for piece in new_pieces(old_topology, new_topology)
        for ends in (piece.ends(), piece.ends()[::-1])
    )
    return any(
        _route_comes_to(board, explorer, coord, new_topology, near_end, far_end)
        for near_end, far_end in piece_ends
    )


def _route_comes_to(
    board: Map, explorer: RouteExplorer, coord: Coord, new_topology: Topology, near_end: int, far_end: int
) -> bool:
    is_far_end_needed = not board.spec.map.any_new_track_may_connect
    barred_bits = explorer.crossing_bit((coord, far_end)) if is_far_end_needed and is_edge(far_end) else 0
    if not is_edge(near_end):
        return _route_comes_to_stop(board, explorer, coord, new_topology, near_end, barred_bits)
    return explorer.route_enters_across((coord, near_end), barred_bits)


def _route_comes_to_stop(
    board: Map, explorer: RouteExplorer, coord: Coord, new_topology: Topology, end: int, barred_bits: int
) -> bool:
    slots = new_topology.stops[end - FIRST_STOP].slots
    stops = [(coord, i) for i in range(len(board.topology(coord).stops))]
    merged_stops = [stop for stop in stops if _becomes_stop(board, stop, coord, new_topology, end)]
    if any(stop in explorer.token_stops for stop in merged_stops):
        return True
    is_passable = any(
        board.is_passable(stop, explorer.company) or slots > len(board.slots(*stop)) for stop in merged_stops
    )
    return is_passable and any(explorer.route_reaches_stop(stop, barred_bits) for stop in merged_stops)


def _becomes_stop(board: Map, stop: StopId, coord: Coord, new_topology: Topology, end: int) -> bool:
    if stop[0] != coord:
        return False
    stop_edges = board.topology(coord).edges_of(stop[1])
    return stop_edges <= new_topology.edges_of(end - FIRST_STOP)
