"""All routes on a graph in one outline, whatever the trains.

The links of a graph are taken in a fixed order; for each of them a route uses it or not. Two beginnings that
have come to the same open ends, among the stops with links to come, can go on in the same ways, so they are
one node. The order keeps the stops in question few, and so an outline of some thousand nodes holds every
route of a large network.
"""

from dataclasses import dataclass, field
from typing import Final, TypeAlias

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
"""Making this many nodes takes as long as visiting a stop in the other search."""


_Begun: TypeAlias = tuple[bytes, int, int, bool, int]
"""What routes have in common before a link: mates, track, visits, token, pieces.

Mates have for each stop the other end of the piece of route that ends there: itself if untouched or past, _END
if that end is final, _FULL if the route passes here. Then the track and the visits used up that are still
asked for, whether a token is on the route, and the number of its pieces, which have to be joined. (A plain
tuple: these are made by the ten thousand.)
"""


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
    found = Outline()
    level: dict[_Begun, int] = {(bytes(range(len(graph.stops))), 0, 0, False, 0): ROOT}
    for number in range(len(course.bonds)):
        work.left -= len(level) // _NODES_A_UNIT + 1
        if len(found.skip) + len(level) > most or work.left < 0:
            raise OutOfWork
        level = _Choice(graph, course, number).spread(level, found)
    return _alive(found)


class _Choice:
    """Whether one link is used: makes the nodes that decide on it."""

    def __init__(self, graph: Graph, course: Course, number: int) -> None:
        self._number = number
        self._a, self._b, self._mask = course.bonds[number]
        self._leaving = course.leaving[number]
        self._track = course.track[number]
        self._visits = course.visits[number]
        self._last = number == len(course.bonds) - 1
        self._through_a, self._through_b = graph.passable[self._a], graph.passable[self._b]
        self._token_a, self._token_b = self._a in graph.tokens, self._b in graph.tokens
        self._siblings_a, self._siblings_b = course.siblings[self._a], course.siblings[self._b]

    def spread(self, level: dict[_Begun, int], found: Outline) -> dict[_Begun, int]:
        """Add the nodes; what follows them."""
        after: dict[_Begun, int] = {}
        first = len(found.skip) + len(level)
        a, b = self._a, self._b
        for begun in level:
            for nodes, following in ((found.skip, self._left(begun)), (found.take, self._used(begun))):
                if isinstance(following, int):
                    nodes.append(following)
                elif self._last:
                    nodes.append(DONE)  # nothing was used: a train may stay at home
                else:
                    nodes.append(after.setdefault(following, first + len(after)))
            mates = begun[0]
            found.bond.append(self._number)
            found.new.append(tuple(stop for stop in (a, b) if mates[stop] == stop))
        return after

    def _used(self, begun: _Begun) -> _Begun | int:
        """What follows if the link is used: DONE if that ends the route, DEAD if it cannot be used."""
        mates, track, visits, token, pieces = begun
        a, b = self._a, self._b
        end_a, end_b = mates[a], mates[b]
        if track & self._mask or max(end_a, end_b) == _FULL or end_a == b:
            return DEAD
        grown = bytearray(mates)
        pieces -= 1
        if end_a == a:
            if self._siblings_a & (visits | 1 << b):
                return DEAD
            visits, token, pieces = visits | 1 << a, token or self._token_a, pieces + 1
            if not self._through_a:
                grown[a], end_a = _FULL, _END
        else:
            grown[a] = _FULL
        if end_b == b:
            if self._siblings_b & visits:
                return DEAD
            visits, token, pieces = visits | 1 << b, token or self._token_b, pieces + 1
            if not self._through_b:
                grown[b], end_b = _FULL, _END
        else:
            grown[b] = _FULL
        if end_a == end_b == _END:
            return DONE if token and pieces == 1 else DEAD
        if end_a != _END:
            grown[end_a] = end_b
        if end_b != _END:
            grown[end_b] = end_a
        return self._left((bytes(grown), track | self._mask, visits, token, pieces))

    def _left(self, begun: _Begun) -> _Begun | int:
        """What follows once the stops whose last link this was are left behind."""
        mates, track, visits, token, pieces = begun
        if self._leaving:
            grown = bytearray(mates)
            for stop in self._leaving:
                mate = grown[stop]
                grown[stop] = stop
                if mate == _END:
                    return DONE if token and pieces == 1 else DEAD
                if mate not in {stop, _FULL}:
                    grown[mate] = _END
            mates = bytes(grown)
        if mates.count(_END) > 2:
            return DEAD
        return mates, track & self._track, visits & self._visits, token, pieces


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
