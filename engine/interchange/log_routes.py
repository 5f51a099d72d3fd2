"""Reads routes from an 18xx.games log.

A log has a route as unordered connections (lists of hexes from one stop to the next), or only as a list of hexes.
"""

from collections.abc import Iterator, Sequence, Set
from itertools import chain, islice, zip_longest
from typing import Final

from engine.board.hexes import opposite_edge
from engine.board.map import Map, StopId
from engine.board.track import PieceId, track_of
from engine.core.errors import Unreadable
from engine.core.facts import fact
from engine.core.ids import CompanyId, Coord, TrainName
from engine.core.topology import FIRST_STOP, End
from engine.routes.legal_routes import Route

MAX_WALKS: Final = 2_000
"""Maximum number of walks along the track (possible routes) that are tried for one list of hexes."""
TrackWay = tuple[PieceId, ...]
"""A way along the track: pieces in travelling order."""
TrackStretch = list[tuple[Coord, End, End]]
"""A stretch of track from one stop to the next: (hex, end, end) of each piece in travelling order."""


def route_from_connections(
    board: Map, train: TrainName, connections: Sequence[Sequence[Coord]], company: CompanyId = ""
) -> Route:
    """The route that a train ran, from its unordered connections.

    If several routes fit, one with a token of the company is preferred. Raises Unreadable if the map has no such track.
    """
    first_route: Route | None = None
    for route in _routes_over(board, train, connections):
        if any(board.has_token(company, stop) for stop in route.stops()):
            return route
        first_route = first_route or route
    if first_route is None:
        raise Unreadable(fact("log.no_route", connections=tuple("-".join(hexes) for hexes in connections)))
    return first_route


def _routes_over(board: Map, train: TrainName, connections: Sequence[Sequence[Coord]]) -> Iterator[Route]:
    stretches_by_connection = (
        [_stretches_through(board, list(hexes)) for hexes in connections]
        if _can_be_chained(board, connections)
        else []
    )
    for first_index in range(len(stretches_by_connection)):
        for stretch in stretches_by_connection[first_index] + [
            _reversed_stretch(stretch) for stretch in stretches_by_connection[first_index]
        ]:
            track = _chained_track(
                stretch, stretches_by_connection[:first_index] + stretches_by_connection[first_index + 1 :]
            )
            if track is not None:
                yield Route(train, tuple(track))


def route_from_hexes(board: Map, train: TrainName, hexes: Sequence[Coord]) -> Route:
    """The route of a train through exactly these hexes, in this order if possible.

    Only logs from 2020 have routes in this form. Raises Unreadable if the map has no such track.
    """
    wanted_hexes = tuple(dict.fromkeys(hexes))
    starts = ((coord, stop) for coord in wanted_hexes for stop in range(len(board.topology(coord).stops)))
    all_walks = chain.from_iterable(_walks_from(board, [start], (), 0, set(wanted_hexes)) for start in starts)
    walks = islice(all_walks, MAX_WALKS)
    hexes_by_walk = {walk: tuple(dict.fromkeys(coord for coord, _, _ in walk)) for walk in walks}
    complete_walks = [
        walk for walk, hexes_visited in hexes_by_walk.items() if len(hexes_visited) == len(wanted_hexes)
    ]
    if not complete_walks:
        raise Unreadable(fact("log.no_route", connections=("-".join(hexes),)))
    return Route(
        train,
        next((walk for walk in complete_walks if hexes_by_walk[walk] == wanted_hexes), complete_walks[0]),
    )


def _walks_from(
    board: Map, stops: list[StopId], walk: TrackWay, used_bits: int, allowed_hexes: Set[Coord]
) -> Iterator[TrackWay]:
    for track_chain in track_of(board).chains(stops[-1]):
        leaves_allowed_hexes = any(coord not in allowed_hexes for coord, _, _ in track_chain.pieces)
        if (
            track_chain.end is not None
            and track_chain.end not in stops
            and not leaves_allowed_hexes
            and not track_chain.mask & used_bits
        ):
            yield walk + track_chain.pieces
            yield from _walks_from(
                board,
                [*stops, track_chain.end],
                walk + track_chain.pieces,
                used_bits | track_chain.mask,
                allowed_hexes,
            )


def _can_be_chained(board: Map, connections: Sequence[Sequence[Coord]]) -> bool:
    """True if no stop ends more than two connections.

    Other connections form no route, and trying all their orders would take too long.
    """
    end_hexes = [end.partition(" ")[0] for hexes in connections for end in (hexes[0], hexes[-1])]
    return all(end_hexes.count(coord) <= 2 * len(board.topology(coord).stops) for coord in end_hexes)


def _chained_track(track: TrackStretch, connections_left: list[list[TrackStretch]]) -> TrackStretch | None:
    """The whole route's track: `track` continued by all remaining connections in some order; None if impossible."""
    if not connections_left:
        return track
    coord, _, end = track[-1]
    seen_stops = {(place, stop) for place, *ends in track for stop in ends if stop >= FIRST_STOP}
    for index, stretches in enumerate(connections_left):
        for stretch in stretches + [_reversed_stretch(stretch) for stretch in stretches]:
            if stretch[0][:2] == (coord, end) and (stretch[-1][0], stretch[-1][2]) not in seen_stops:
                whole_track = _chained_track(
                    track + stretch, connections_left[:index] + connections_left[index + 1 :]
                )
                if whole_track is not None:
                    return whole_track
    return None


def _reversed_stretch(stretch: TrackStretch) -> TrackStretch:
    return [(coord, b, a) for coord, a, b in reversed(stretch)]


def _stretches_through(board: Map, hexes: list[Coord]) -> list[TrackStretch]:
    if len(hexes) == 1:
        return _stretches_inside(board, hexes[0])
    starts = [(stop_end, edge) for stop_end, edge in _exits_towards(board, hexes[0], hexes[1])]
    stretches: list[TrackStretch] = [[(hexes[0], stop, edge)] for stop, edge in starts]
    for coord, next_coord in zip_longest(hexes[1:], hexes[2:]):
        stretches = [
            [*stretch, (coord, *piece)]
            for stretch in stretches
            for piece in _track_through(board, stretch, coord, next_coord)
            if (coord, *piece) not in stretch
        ]
    return stretches


def _exits_towards(board: Map, coord: Coord, next_coord: Coord) -> list[tuple[End, End]]:
    topology = board.topology(coord)
    edges = [edge for edge in topology.edges if board.neighbour(coord, edge) == next_coord]
    return [(end, edge) for edge in edges for end in topology.ends_beyond(edge) if end >= FIRST_STOP]


def _track_through(
    board: Map, stretch: TrackStretch, coord: Coord, next_coord: Coord | None
) -> list[tuple[End, End]]:
    entry_edge = opposite_edge(stretch[-1][2])
    far_ends = board.topology(coord).ends_beyond(entry_edge)
    if next_coord is None:
        return [(entry_edge, end) for end in far_ends if end >= FIRST_STOP]
    return [(entry_edge, end) for end in far_ends if board.neighbour(coord, end) == next_coord]


def _stretches_inside(board: Map, hex_text: str) -> list[TrackStretch]:
    """Track inside one hex: `K4 0.1` is the track between stops 0 and 1 of K4, `L7` any track between stops of L7."""
    coord, _, stops = hex_text.partition(" ")
    if not stops:
        return [
            [(coord, piece.first_end, piece.second_end)]
            for piece in board.topology(coord).pieces
            if piece.joins_stops
        ]
    wanted_stops = {FIRST_STOP + int(stop) for stop in stops.split(".")}
    pieces = board.topology(coord).pieces
    return [
        [(coord, piece.first_end, piece.second_end)] for piece in pieces if set(piece.ends()) == wanted_stops
    ]
