"""The links of a graph in an order that leaves few stops open: the order in which an outline takes them."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from operator import or_
from typing import Final, NamedTuple

from engine.routes.graph import Graph

MOST_STOPS: Final = 240
"""Larger graphs are left to other ways of searching."""
_STARTS: Final = 6
"""Stops, those with the fewest links, from which an order is tried."""
_OPENS_PASSABLE: Final = 3.0
_OPENS_END: Final = 1.5
"""How little it is wanted that a stop is opened: one that routes may pass, one where they end."""
_OPEN_PASSABLE: Final = 2.2
_OPEN_END: Final = 1.1
"""By how much a stop with links to come multiplies the nodes: one that routes may pass, one where they end."""
_OPEN_TRACK: Final = 1.35
"""By how much track that links to come ask for, and earlier ones too, multiplies them."""


class Bond(NamedTuple):
    """A link without direction: its two stops and the track used."""

    a: int
    b: int
    mask: int


@dataclass(frozen=True, slots=True)
class Course:
    """The links in order.

    For each of them, what matters after it: the stops it was the last link of, the track and the area visits
    (a bit for each stop) that links to come ask for. `siblings` are for each stop the others of its area.
    """

    bonds: tuple[Bond, ...]
    leaving: tuple[tuple[int, ...], ...]
    track: tuple[int, ...]
    visits: tuple[int, ...]
    siblings: tuple[int, ...]

    def to_come(self) -> tuple[int, ...]:
        """For each link the track that it or a later one uses, and none after the last."""
        return (self.bonds[0].mask | self.track[0], *self.track)


def course_of(graph: Graph) -> Course | None:
    """A good order; None for a graph without links, or with too many stops."""
    bonds = {Bond(min(u, v), max(u, v), mask) for u, links in enumerate(graph.links) for v, mask, _ in links}
    if not bonds or len(graph.stops) > MOST_STOPS:
        return None
    place = {stop: number for number, stop in enumerate(_stops_in_order(bonds, graph.passable))}
    ordered = sorted(bonds, key=lambda x: (*sorted((place[x.a], place[x.b])), x.mask))
    siblings = _siblings(graph)
    leaving, track, visits = [], [], []
    seen, wanted, asked = set[int](), 0, 0
    for bond in reversed(ordered):
        leaving.append(tuple(stop for stop in bond[:2] if stop not in seen))
        track.append(wanted)
        visits.append(asked)
        seen.update(bond[:2])
        wanted |= bond.mask
        asked |= siblings[bond.a] | siblings[bond.b]
    return Course(tuple(ordered), tuple(leaving[::-1]), tuple(track[::-1]), tuple(visits[::-1]), siblings)


def _siblings(graph: Graph) -> tuple[int, ...]:
    together: dict[int, int] = defaultdict(int)
    for stop, area in enumerate(graph.areas):
        together[area] |= 1 << stop
    return tuple(together[area] & ~(1 << stop) for stop, area in enumerate(graph.areas))


def _stops_in_order(bonds: set[Bond], passable: Sequence[bool]) -> list[int]:
    """Always the stop that opens the fewest others, from the start for which fewest nodes are to be expected."""
    near: dict[int, set[int]] = defaultdict(set)
    for a, b, _ in bonds:
        near[a].add(b)
        near[b].add(a)
    starts = sorted(near, key=lambda stop: (len(near[stop]), stop))[:_STARTS]
    orders = [_walk(start, near, passable) for start in starts]
    return min(orders, key=lambda order: _nodes_expected(order, bonds, near, passable))


def _walk(start: int, near: dict[int, set[int]], passable: Sequence[bool]) -> list[int]:
    weights = [_OPENS_PASSABLE if through else _OPENS_END for through in passable]
    left, open_, order = set(near), set[int](), list[int]()

    def opened(stop: int) -> float:
        return sum(weights[other] for other in (near[stop] & left) - open_) - weights[stop]

    stop = start
    while True:
        left.discard(stop)
        open_ = (open_ | near[stop] & left) - {stop}
        order.append(stop)
        if not left:
            return order
        stop = min(open_ or left, key=lambda s: (opened(s), s))


def _nodes_expected(
    order: Sequence[int], bonds: set[Bond], near: dict[int, set[int]], passable: Sequence[bool]
) -> float:
    """A guess at the number of nodes.

    What multiplies them is every stop that has links before and after, and all track wanted by both.
    """
    place = {stop: number for number, stop in enumerate(order)}
    track = [0] * (len(order) + 1)
    for a, b, mask in bonds:
        track[min(place[a], place[b])] |= mask
    after = [*accumulate(reversed(track), or_)][::-1]
    opening, closing = [1.0] * len(order), [1.0] * len(order)
    for stop, number in place.items():
        factor = _OPEN_PASSABLE if passable[stop] else _OPEN_END
        first = min(number, *(place[other] for other in near[stop]))
        opening[first] *= factor
        closing[number] *= factor
    expected, width, before = 0.0, 1.0, 0
    for number in range(len(order)):
        width *= opening[number] / closing[number]
        before |= track[number]
        expected += width * _OPEN_TRACK ** (before & after[number + 1]).bit_count()
    return expected
