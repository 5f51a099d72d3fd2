"""Reads the routes of a log: bags of connections, each a list of hexes from stop to stop, or of hexes alone."""

from collections.abc import Iterator, Sequence, Set
from itertools import chain, islice, zip_longest
from typing import Final

from engine.board.hexes import opposite
from engine.board.map import Map, StopId
from engine.board.track import PieceId, track_of
from engine.core.errors import Unreadable
from engine.core.facts import fact
from engine.core.ids import Coord, TrainName
from engine.core.topology import FIRST_STOP, End
from engine.routes.legal_routes import Route

MOST_WALKS: Final = 2_000
"""Walks looked at for one list of hexes: a long list on a dense map has no end of them."""
Way = tuple[PieceId, ...]
"""Track in the order travelled."""
Link = list[tuple[Coord, End, End]]
"""Track from one stop to another, in the order travelled."""


def read_connections(board: Map, train: TrainName, connections: Sequence[Sequence[Coord]]) -> Route:
    """The route a train ran; raises Unreadable where the map has no such track."""
    options = [_links(board, list(hexes)) for hexes in connections] if _may_chain(board, connections) else []
    for first in range(len(options)):
        for link in options[first] + [_reversed(link) for link in options[first]]:
            route = _chain(link, options[:first] + options[first + 1 :])
            if route is not None:
                return Route(train, tuple(route))
    raise Unreadable(fact("log.no_route", connections=tuple("-".join(hexes) for hexes in connections)))


def read_hexes(board: Map, train: TrainName, hexes: Sequence[Coord]) -> Route:
    """The route of a train through exactly these hexes, as logs of 2020 have it, in their order if possible.

    Raises Unreadable where the map has no such track.
    """
    wanted = tuple(dict.fromkeys(hexes))
    starts = ((coord, stop) for coord in wanted for stop in range(len(board.topology(coord).stops)))
    tried = chain.from_iterable(_walks(board, [start], (), 0, set(wanted)) for start in starts)
    walks = islice(tried, MOST_WALKS)
    visits = {walk: tuple(dict.fromkeys(coord for coord, _, _ in walk)) for walk in walks}
    whole = [walk for walk, visited in visits.items() if len(visited) == len(wanted)]
    if not whole:
        raise Unreadable(fact("log.no_route", connections=("-".join(hexes),)))
    return Route(train, next((walk for walk in whole if visits[walk] == wanted), whole[0]))


def _walks(board: Map, stops: list[StopId], walk: Way, used: int, within: Set[Coord]) -> Iterator[Way]:
    """Every walk on the track of these hexes that continues from the last stop and visits none twice."""
    for way in track_of(board).chains(stops[-1]):
        leaves = any(coord not in within for coord, _, _ in way.pieces)
        if way.end is not None and way.end not in stops and not leaves and not way.mask & used:
            yield walk + way.pieces
            yield from _walks(board, [*stops, way.end], walk + way.pieces, used | way.mask, within)


def _may_chain(board: Map, connections: Sequence[Sequence[Coord]]) -> bool:
    """True if no stop has more than two connections; otherwise there may be too many orders to try."""
    ends = [end.partition(" ")[0] for hexes in connections for end in (hexes[0], hexes[-1])]
    return all(ends.count(coord) <= 2 * len(board.topology(coord).stops) for coord in ends)


def _chain(track: Link, rest: list[list[Link]]) -> Link | None:
    """Put the remaining connections behind the track, each starting where it ends and leading to another stop."""
    if not rest:
        return track
    coord, _, end = track[-1]
    seen = {(place, stop) for place, *ends in track for stop in ends if stop >= FIRST_STOP}
    for index, links in enumerate(rest):
        for link in links + [_reversed(link) for link in links]:
            if link[0][:2] == (coord, end) and (link[-1][0], link[-1][2]) not in seen:
                chain = _chain(track + link, rest[:index] + rest[index + 1 :])
                if chain is not None:
                    return chain
    return None


def _reversed(link: Link) -> Link:
    return [(coord, b, a) for coord, a, b in reversed(link)]


def _links(board: Map, hexes: list[Coord]) -> list[Link]:
    """Every stretch of track through exactly these hexes, from a stop in the first to a stop in the last."""
    if len(hexes) == 1:
        return _inside(board, hexes[0])
    starts = [(coord_end, edge) for coord_end, edge in _exits(board, hexes[0], hexes[1])]
    links: list[Link] = [[(hexes[0], stop, edge)] for stop, edge in starts]
    for here, ahead in zip_longest(hexes[1:], hexes[2:]):
        links = [
            [*link, (here, *piece)]
            for link in links
            for piece in _track_through(board, link, here, ahead)
            if (here, *piece) not in link
        ]
    return links


def _exits(board: Map, coord: Coord, ahead: Coord) -> list[tuple[End, End]]:
    both_ways = [
        way for piece in board.topology(coord).pieces for way in ((piece.a, piece.b), (piece.b, piece.a))
    ]
    return [(a, b) for a, b in both_ways if b < FIRST_STOP <= a and board.neighbour(coord, b) == ahead]


def _track_through(board: Map, link: Link, here: Coord, ahead: Coord | None) -> list[tuple[End, End]]:
    entry = opposite(link[-1][2])
    pieces = board.topology(here).pieces
    onward = [(entry, piece.a + piece.b - entry) for piece in pieces if entry in (piece.a, piece.b)]
    if ahead is None:
        return [(a, b) for a, b in onward if b >= FIRST_STOP]
    return [(a, b) for a, b in onward if board.neighbour(here, b) == ahead]


def _inside(board: Map, word: str) -> list[Link]:
    """`K4 0.1`: the track between two stops of one hex; `L7` alone: between whatever two there are."""
    coord, _, stops = word.partition(" ")
    if not stops:
        return [[(coord, piece.a, piece.b)] for piece in board.topology(coord).pieces if piece.joins_stops]
    wanted = {FIRST_STOP + int(stop) for stop in stops.split(".")}
    pieces = board.topology(coord).pieces
    return [[(coord, piece.a, piece.b)] for piece in pieces if set(piece.ends()) == wanted]
