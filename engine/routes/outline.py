"""All routes on a graph in one outline, whatever the trains.

The links of a graph are taken in a fixed order; for each of them a route uses it or not. Two beginnings that
have come to the same open ends, among the stops with links to come, can go on in the same ways, so they are
one node. The order keeps the stops in question few, and so an outline of some thousand nodes holds every
route of a large network.
"""

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from engine.routes.course import Course
from engine.routes.graph import Graph
from engine.routes.singles import OutOfWork, Work

DEAD: Final = 0
"""The node from which no route can be completed."""
DONE: Final = 1
"""The node of a completed route, and of none at all."""
ROOT: Final = 2
"""The node before the first link."""
_FULL: Final = 255
_END: Final = 254
_NODES_A_UNIT: Final = 4


class _Begun(NamedTuple):
    """What routes have in common before a link.

    `mates` has for each stop the other end of the piece of route that ends there: itself if untouched or
    past, _END if that end is final, _FULL if the route passes here. Then the track and areas used that are
    still asked for, whether a token is on it, and the number of pieces, which have to be joined.
    """

    mates: bytes
    track: int
    visits: int
    token: bool
    pieces: int


@dataclass(slots=True)
class Outline:
    """Nodes, those of one link together: the next node if the link is not used and if it is, the link, and
    which of its stops are new then.
    """

    skip: list[int] = field(default_factory=lambda: [DEAD, DONE])
    take: list[int] = field(default_factory=lambda: [DEAD, DEAD])
    bond: list[int] = field(default_factory=lambda: [0, 0])
    new: list[tuple[int, ...]] = field(default_factory=lambda: [(), ()])


def outline_of(graph: Graph, course: Course, most: int, work: Work) -> Outline:
    """Every route on the graph; raises OutOfWork for more than `most` nodes or too little work."""
    maker = _Maker(graph, course)
    found = Outline()
    level: dict[_Begun, int] = {_Begun(bytes(range(len(graph.stops))), 0, 0, False, 0): ROOT}
    for number in range(len(course.bonds)):
        work.left -= len(level) // _NODES_A_UNIT + 1
        if len(found.skip) + len(level) > most or work.left < 0:
            raise OutOfWork
        level = maker.spread(level, number, found)
    return _alive(found)


class _Maker:
    """Makes the nodes, link by link."""

    def __init__(self, graph: Graph, course: Course) -> None:
        self._course = course
        self._passable = graph.passable
        self._tokens = frozenset(graph.tokens)

    def spread(self, level: dict[_Begun, int], number: int, found: Outline) -> dict[_Begun, int]:
        """Add the nodes that decide on this link; what follows them."""
        after: dict[_Begun, int] = {}
        first = len(found.skip) + len(level)
        last = number == len(self._course.bonds) - 1
        a, b, _ = self._course.bonds[number]
        for begun in level:
            for nodes, following in (
                (found.skip, self._left(begun, number)),
                (found.take, self._used(begun, number)),
            ):
                if not isinstance(following, _Begun):
                    nodes.append(following)
                elif last:
                    nodes.append(DONE)  # nothing was used: a train may stay at home
                else:
                    nodes.append(after.setdefault(following, first + len(after)))
            found.bond.append(number)
            found.new.append(tuple(stop for stop in (a, b) if begun.mates[stop] == stop))
        return after

    def _used(self, begun: _Begun, number: int) -> _Begun | int:
        """What follows if the link is used: DONE if that ends the route, DEAD if it cannot be used."""
        mates, track, visits, token, pieces = begun
        a, b, mask = self._course.bonds[number]
        at_a, at_b = mates[a], mates[b]
        if track & mask or _FULL in {at_a, at_b} or at_a == b or self._course.siblings[a] >> b & 1:
            return DEAD
        grown, new = bytearray(mates), 0
        for stop, mate in ((a, at_a), (b, at_b)):
            if mate == stop:
                if self._course.siblings[stop] & visits:
                    return DEAD
                visits |= 1 << stop
                token = token or stop in self._tokens
                new += 1
            if mate != stop or not self._passable[stop]:
                grown[stop] = _FULL
        pieces += new - 1
        end_a = _END if at_a == a and not self._passable[a] else at_a
        end_b = _END if at_b == b and not self._passable[b] else at_b
        if end_a == _END and end_b == _END:
            return DONE if token and pieces == 1 else DEAD
        if end_a != _END:
            grown[end_a] = end_b
        if end_b != _END:
            grown[end_b] = end_a
        return self._left(_Begun(bytes(grown), track | mask, visits, token, pieces), number)

    def _left(self, begun: _Begun, number: int) -> _Begun | int:
        """What follows once the stops whose last link this was are left behind."""
        mates, track, visits, token, pieces = begun
        course = self._course
        if course.leaving[number]:
            grown = bytearray(mates)
            for stop in course.leaving[number]:
                mate = grown[stop]
                grown[stop] = stop
                if mate == _END:
                    return DONE if token and pieces == 1 else DEAD
                if mate not in {stop, _FULL}:
                    grown[mate] = _END
            mates = bytes(grown)
        if mates.count(_END) > 2:
            return DEAD
        return _Begun(mates, track & course.track[number], visits & course.visits[number], token, pieces)


def _alive(found: Outline) -> Outline:
    """The outline without the nodes from which no route is completed."""
    size = len(found.skip)
    alive = [False, True] + [False] * (size - ROOT)
    for node in range(size - 1, DONE, -1):
        alive[node] = alive[found.skip[node]] or alive[found.take[node]]
    kept = [node for node in range(size) if alive[node] and node != DONE]
    new = [DEAD] * size
    new[DONE] = DONE
    for number, node in enumerate(kept, ROOT):
        new[node] = number
    return Outline(
        [DEAD, DONE, *(new[found.skip[node]] for node in kept)],
        [DEAD, DEAD, *(new[found.take[node]] for node in kept)],
        [0, 0, *(found.bond[node] for node in kept)],
        [(), (), *(found.new[node] for node in kept)],
    )
