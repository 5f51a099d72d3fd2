"""The links of a graph in an order that leaves few stops open: the order in which an outline takes them."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Final, NamedTuple

from engine.routes.graph import Graph

MOST_STOPS: Final = 240
"""Larger graphs are left to other ways of searching."""
_STARTS: Final = 6
"""Stops, those with the fewest links, from which an order is tried."""
_OPEN_PASSABLE: Final = 3.0
_OPEN_END: Final = 1.5
"""By how much a stop with links to come multiplies the nodes: one that routes may pass, one where they end."""


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
    """Always the stop that opens the fewest others, from the start for which fewest stay open."""
    near: dict[int, set[int]] = defaultdict(set)
    for a, b, _ in sorted(bonds):
        near[a].add(b)
        near[b].add(a)
    starts = sorted(near, key=lambda stop: (len(near[stop]), stop))[:_STARTS]
    return min((_walk(start, near, passable) for start in starts), key=lambda found: found[0])[1]


def _walk(start: int, near: dict[int, set[int]], passable: Sequence[bool]) -> tuple[float, list[int]]:
    """Stops from this one on, and a guess at the number of nodes: an open stop multiplies them."""
    weights = [_OPEN_PASSABLE if through else _OPEN_END for through in passable]
    left, open_, order, guess = set(near), set[int](), list[int](), 0.0

    def opened(stop: int) -> float:
        return sum(weights[other] for other in (near[stop] & left) - open_) - weights[stop]

    stop = start
    while True:
        left.discard(stop)
        open_ = (open_ | near[stop] & left) - {stop}
        order.append(stop)
        guess += prod(weights[other] for other in open_)
        if not left:
            return guess, order
        stop = min(open_ or left, key=lambda s: (opened(s), s))
