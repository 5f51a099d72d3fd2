"""Reads the routes of a log: bags of connections, each a list of hexes from stop to stop, in any order."""

from collections import Counter
from collections.abc import Sequence
from itertools import zip_longest

from engine.board.hexes import opposite
from engine.board.map import Map
from engine.core.errors import Unreadable
from engine.core.facts import fact
from engine.core.ids import Coord, TrainName
from engine.core.topology import FIRST_STOP, End
from engine.routes.route import Route

Link = list[tuple[Coord, End, End]]
"""Track from one stop to another, in the order travelled."""


def read_connections(board: Map, train: TrainName, connections: Sequence[Sequence[Coord]]) -> Route:
    """The route a train ran; raises Unreadable where the map has no such track."""
    options = [_links(board, list(hexes)) for hexes in connections] if _may_chain(board, connections) else []
    for first in range(len(options)):
        for link in options[first] + [_back(link) for link in options[first]]:
            found = _chain(link, options[:first] + options[first + 1 :])
            if found is not None:
                return Route(train, tuple(found))
    raise Unreadable(fact("log.no_route", connections=tuple("-".join(hexes) for hexes in connections)))


def _may_chain(board: Map, connections: Sequence[Sequence[Coord]]) -> bool:
    """Whether no stop would have more than a way in and a way out: else there may be no end of orders to try."""
    ends = Counter(end.partition(" ")[0] for hexes in connections for end in (hexes[0], hexes[-1]))
    return all(number <= 2 * len(board.topology(coord).stops) for coord, number in ends.items())


def _chain(track: Link, rest: list[list[Link]]) -> Link | None:
    """Put the remaining connections behind the track, each starting where it ends and leading to another stop."""
    if not rest:
        return track
    coord, _, end = track[-1]
    seen = {(place, stop) for place, *ends in track for stop in ends if stop >= FIRST_STOP}
    for index, links in enumerate(rest):
        for link in links + [_back(link) for link in links]:
            if link[0][:2] == (coord, end) and (link[-1][0], link[-1][2]) not in seen:
                found = _chain(track + link, rest[:index] + rest[index + 1 :])
                if found is not None:
                    return found
    return None


def _back(link: Link) -> Link:
    return [(coord, b, a) for coord, a, b in reversed(link)]


def _links(board: Map, hexes: list[Coord]) -> list[Link]:
    """Every stretch of track through exactly these hexes, from a stop in the first to a stop in the last."""
    if len(hexes) == 1:
        return _inside(board, hexes[0])
    starts = [(coord_end, edge) for coord_end, edge in _exits(board, hexes[0], hexes[1])]
    found: list[Link] = [[(hexes[0], stop, edge)] for stop, edge in starts]
    for here, ahead in zip_longest(hexes[1:], hexes[2:]):
        found = [
            [*link, (here, *piece)]
            for link in found
            for piece in _through(board, link, here, ahead)
            if (here, *piece) not in link
        ]
    return found


def _exits(board: Map, coord: Coord, ahead: Coord) -> list[tuple[End, End]]:
    sorted_ends = [(max(piece.ends()), min(piece.ends())) for piece in board.topology(coord).pieces]
    return [(a, b) for a, b in sorted_ends if b < FIRST_STOP <= a and board.neighbour(coord, b) == ahead]


def _through(board: Map, link: Link, here: Coord, ahead: Coord | None) -> list[tuple[End, End]]:
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
    first, _, second = stops.partition(".")
    wanted = {FIRST_STOP + int(first), FIRST_STOP + int(second)}
    pieces = board.topology(coord).pieces
    return [[(coord, piece.a, piece.b)] for piece in pieces if set(piece.ends()) == wanted]
