"""The network that a company reaches, and whether a tile lay is connected to it (18Chesapeake 11.1, 11.3)."""

from collections.abc import Iterator
from functools import lru_cache

from engine.board.map import Map, StopId
from engine.board.reach import Explorer, Network
from engine.board.track import TrackNodes, track_nodes_of, track_of
from engine.core.ids import CompanyId, Coord, TileId
from engine.core.spec import MapSpec
from engine.core.topology import FIRST_STOP, Topology, is_edge, new_pieces


def _explorers(board: Map) -> dict[CompanyId, Explorer]:
    """The companies' explorers, at first none; the cache lives as long as the map."""
    del board
    return {}


def share_network(board: Map, other: Map, company: CompanyId) -> None:
    """Copy the company's cached network to another map with the same tiles and tokens."""
    explorer = explorer_of(board, company)
    other.store_result(TrackNodes, track_nodes_of(board).copy(other))
    other.store_result(_explorers, {company: explorer.copy(other)})


def explorer_of(board: Map, company: CompanyId) -> Explorer:
    """The explorer of the company's routes, updated to the current map; rebuilt only if a route may have been lost."""
    explorers = board.cached(_explorers)
    explorer = explorers.get(company)
    if explorer is None or not explorer.update():
        explorer = explorers[company] = Explorer(board, company)
    return explorer


def network_of(board: Map, company: CompanyId) -> Network:
    """The hexes, edges and stops that the company reaches now."""
    return explorer_of(board, company).network()


def reaches_hex(board: Map, company: CompanyId, coord: Coord) -> bool:
    """True if the company's track reaches the hex."""
    return bool(explorer_of(board, company).edges(coord))


def reached_hexes(board: Map, company: CompanyId) -> Iterator[Coord]:
    """The hexes that the company's track reaches, those without track first; some come twice."""
    return explorer_of(board, company).hexes()


def reaches_stop(board: Map, company: CompanyId, stop: StopId) -> bool:
    """True if the company reaches the stop."""
    explorer = explorer_of(board, company)
    return stop in explorer.tokens or explorer.comes_to_stop(stop)


def reached_stops(board: Map, company: CompanyId) -> Iterator[StopId]:
    """The stops that the company reaches, its own tokens last."""
    return explorer_of(board, company).stops()


def has_route(board: Map, company: CompanyId, *, to_counted_stops: bool = False) -> bool:
    """True if the company has a route with at least two places (18Chesapeake 11.7).

    Stops of one group are one place (18Chesapeake 11.1). With `to_counted_stops`, the other place must be a stop that
    counts against a train's limit.
    """
    explorer, track = explorer_of(board, company), track_of(board)
    left_out = board.spec.map.cached(_uncounted_hexes) if to_counted_stops else frozenset[Coord]()
    if board.spec.map.one_stop_a_hex_binds != "runs" and explorer.reaches_other_stop(left_out):
        return True
    return any(
        chain.end is not None
        and chain.end[0] not in left_out
        and board.visited_place(chain.end) != board.visited_place(token)
        for token in explorer.tokens
        for chain in track.chains(token)
    )


def _uncounted_hexes(printed_map: MapSpec) -> frozenset[Coord]:
    return frozenset(coord for coord, hex_ in printed_map.all_hexes.items() if hex_.uncounted)


def lay_is_connected(board: Map, company: CompanyId, coord: Coord, tile: TileId, *rotations: int) -> bool:
    """True if laying this tile in one of these rotations is connected as the rules require (18Chesapeake 11.3,
    "semi-restrictive").

    A first tile needs an exit where the company's track arrives, or a token of the company in the hex. An upgrade needs
    new track on a route of the company; if the value of a city changes, or the title is permissive, any track of the
    new tile is enough.

    Rules: R-AL-119, R-C2C-111, R-CH-087, R-CH-088, R-NE-067, R-TN-115.
    """
    explorer = explorer_of(board, company)
    edges = explorer.edges(coord)
    if not edges or not rotations:
        return False
    old_topology, tile_topology = board.topology(coord), board.spec.tiles[tile].topology
    turned_tiles = map(tile_topology.turned, rotations)
    needs_new_track = old_topology.edges and not board.spec.map.permissive_track
    if needs_new_track and _city_values(old_topology) == _city_values(tile_topology):
        return any(
            _new_track_reached(board, explorer, coord, old_topology, new_topology)
            for new_topology in turned_tiles
        )
    track_arrives = any(not edges.isdisjoint(new_topology.edges) for new_topology in turned_tiles)
    # an upgrade keeps old track, so track in the hex that was reached before the lay is still reached
    return track_arrives or explorer.has_token_in(coord) or explorer.runs_in(coord)


@lru_cache(maxsize=4096)
def _city_values(topology: Topology) -> list[tuple[int, ...]]:
    return [stop.revenue for stop in topology.stops if stop.kind == "city"]


def _new_track_reached(
    board: Map, explorer: Explorer, coord: Coord, old_topology: Topology, new_topology: Topology
) -> bool:
    """True if a route over the old track reaches one end of a new piece of track.

    A route from there uses the whole piece, so it must not have crossed the far end already; if the title only requires
    part of the new track (18AL 4.2.1(j)), this does not matter. A route that arrives over another new piece already
    proves that piece, so the old track is sufficient.
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
    board: Map, explorer: Explorer, coord: Coord, new_topology: Topology, near_end: int, far_end: int
) -> bool:
    far_end_needed = not board.spec.map.part_of_new_track
    barred_bits = explorer.crossing_bit((coord, far_end)) if far_end_needed and is_edge(far_end) else 0
    if not is_edge(near_end):
        return _route_comes_to_stop(board, explorer, coord, new_topology, near_end, barred_bits)
    return explorer.enters_over((coord, near_end), barred_bits)


def _route_comes_to_stop(
    board: Map, explorer: Explorer, coord: Coord, new_topology: Topology, end: int, barred_bits: int
) -> bool:
    slots = new_topology.stops[end - FIRST_STOP].slots
    stops = [(coord, i) for i in range(len(board.topology(coord).stops))]
    merged_stops = [stop for stop in stops if _becomes_stop(board, stop, coord, new_topology, end)]
    if any(stop in explorer.tokens for stop in merged_stops):
        return True
    is_passable = any(
        board.is_passable(stop, explorer.company) or slots > len(board.slots(*stop)) for stop in merged_stops
    )
    return is_passable and any(explorer.comes_to_stop(stop, barred_bits) for stop in merged_stops)


def _becomes_stop(board: Map, stop: StopId, coord: Coord, new_topology: Topology, end: int) -> bool:
    """True if this stop of the hex becomes the stop at end `end` of the new tile: the new stop has all its edges."""
    if stop[0] != coord:
        return False
    stop_edges = board.topology(coord).edges_of(stop[1])
    return stop_edges <= new_topology.edges_of(end - FIRST_STOP)
