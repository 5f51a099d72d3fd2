"""The map as a company's trains see it: stops, links of track between them, and the order in which links are taken.

A link's mask has one bit for each set of resources that the same links share, so masks stay small. An outline takes
the links in an order that leaves few stops open.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import accumulate
from operator import attrgetter, or_
from typing import Final, NamedTuple

from engine.board.map import Map, StopId
from engine.board.track import Chain, Track, track_of
from engine.core.ids import CompanyId


class TrackLink(NamedTuple):
    """Track to another stop: the stop's index, the track used, the chain."""

    to: int
    mask: int
    chain: Chain


@dataclass(frozen=True, slots=True, eq=False)
class Graph:
    """Stops that routes of the company may visit, by index; sets of stops are bit masks.

    `areas` are masks of stops of which a route visits one. `near`: stops one link away; `beside`: stops
    outside the own area; `through`: stops that may be passed.
    """

    stops: tuple[StopId, ...]
    links: tuple[tuple[TrackLink, ...], ...]
    areas: tuple[int, ...]
    passable: tuple[bool, ...]
    tokens: tuple[int, ...]
    near: tuple[int, ...]
    beside: tuple[int, ...]
    through: int


def graph_of(board: Map, company: CompanyId) -> Graph:
    """The map reduced to what the company's trains can use; full cities and red areas are only entered."""
    return _contracted(board, company, board.tokens_of(company), frozenset())


def graph_between(board: Map, company: CompanyId, start: StopId, end: StopId) -> Graph:
    """The graph for routes from one stop to another, which they cannot pass."""
    return _contracted(board, company, [start], frozenset({start, end}))


def _contracted(board: Map, company: CompanyId, tokens: Sequence[StopId], ends: frozenset[StopId]) -> Graph:
    """The graph of routes over one of these tokens; the end stops cannot be passed."""
    place = cache(board.visited_place)

    @cache
    def passes(stop: StopId) -> bool:
        return stop not in ends and board.passable(stop, company)

    stops, chains = _reachable(track_of(board), place, passes, tokens)
    index = {stop: i for i, stop in enumerate(stops)}
    small = _small_masks(chains)
    links: list[list[TrackLink]] = [[] for _ in stops]
    for chain in chains:
        if chain.end is not None:
            links[index[chain.start]].append(TrackLink(index[chain.end], small[chain.mask], chain))
    areas: dict[object, int] = {}
    bits = tuple(1 << areas.setdefault(place(stop), len(areas)) for stop in stops)
    kept = tuple(tuple(_without_detours(found)) for found in links)
    passable = tuple(map(passes, stops))
    return Graph(
        stops=stops,
        links=kept,
        areas=bits,
        passable=passable,
        tokens=tuple(sorted(index[stop] for stop in tokens)),
        near=tuple(_mask(link.to for link in found) for found in kept),
        beside=tuple(~_mask(j for j, other in enumerate(bits) if other == area) for area in bits),
        through=_mask(stop for stop, through in enumerate(passable) if through),
    )


def without_track(graph: Graph, track: int) -> Graph:
    """The graph without links that use this track."""
    links = tuple(tuple(link for link in found if not link.mask & track) for found in graph.links)
    return replace(graph, links=links, near=tuple(_mask(link.to for link in found) for found in links))


def without_stops(graph: Graph, closed: frozenset[StopId]) -> Graph:
    """The graph without links at these stops."""
    shut = {number for number, stop in enumerate(graph.stops) if stop in closed}
    links = tuple(
        () if number in shut else tuple(link for link in found if link.to not in shut)
        for number, found in enumerate(graph.links)
    )
    return replace(graph, links=links, near=tuple(_mask(link.to for link in found) for found in links))


def _mask(stops: Iterable[int]) -> int:
    mask = 0
    for stop in stops:
        mask |= 1 << stop
    return mask


def _reachable(
    track: Track,
    place: Callable[[StopId], object],
    passes: Callable[[StopId], bool],
    tokens: Sequence[StopId],
) -> tuple[tuple[StopId, ...], list[Chain]]:
    """Stops in order of coordinates, and the chains between their places."""
    known = set(tokens)
    ahead = list(tokens)
    chains: list[Chain] = []
    while ahead:
        for chain in track.chains(ahead.pop()):
            end = chain.end
            if end is None or place(end) == place(chain.start):
                continue
            chains.append(chain)
            if end not in known:
                known.add(end)
                if passes(end):
                    ahead.append(end)
    return tuple(sorted(known)), chains


def _small_masks(chains: list[Chain]) -> Mapping[int, int]:
    """Masks in which bits that always occur together become one bit.

    Bits are numbered as the board was explored; these are not, so that equally good runs are always ordered
    alike.
    """
    ordered = sorted(chains, key=attrgetter("start"))  # those of one stop are in a fixed order already
    return _renumbered(tuple(dict.fromkeys([chain.mask for chain in ordered])))


@lru_cache(maxsize=64)
def _renumbered(masks: tuple[int, ...]) -> Mapping[int, int]:
    """Masks with bits renumbered in this order; cached, as most boards tried in turn have the same."""
    users: dict[int, set[int]] = defaultdict(set)
    for number, mask in enumerate(masks):
        rest = mask
        while rest:
            users[rest & -rest].add(number)
            rest &= rest - 1
    small = dict.fromkeys(masks, 0)
    for bit, together in enumerate(
        sorted({tuple(sorted(users_of_link)) for users_of_link in users.values()})
    ):
        for number in together:
            small[masks[number]] |= 1 << bit
    return small


def _without_detours(links: list[TrackLink]) -> list[TrackLink]:
    """The links without those that use all the track of another link to the same stop, and more."""
    rivals: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for number, (to, mask, _) in enumerate(links):
        rivals[to].append((number, mask))
    return [
        link
        for number, link in enumerate(links)
        if len(rivals[link.to]) == 1 or not _is_detour(number, link.mask, rivals[link.to])
    ]


def _is_detour(number: int, mask: int, rivals: Sequence[tuple[int, int]]) -> bool:
    return any(other & mask == other and (other != mask or i < number) for i, other in rivals if i != number)


MOST_STOPS: Final = 240
"""Larger graphs are left to other ways of searching."""
_STARTS: Final = 6
"""Stops, those with the fewest links, from which an order is tried."""
_OPENS_PASSABLE: Final = 3.0
_OPENS_END: Final = 1.5
"""Priority of opening a stop: one that routes may pass, one where they end."""
_OPEN_PASSABLE: Final = 2.2
_OPEN_END: Final = 1.1
"""By how much a stop with links to come multiplies the nodes: one that routes may pass, one where they end."""
_OPEN_TRACK: Final = 1.35
"""By how much track that links to come ask for, and earlier ones too, multiplies them."""


class Bond(NamedTuple):
    """An undirected link: its two stops and the track used."""

    a: int
    b: int
    mask: int


@dataclass(frozen=True, slots=True)
class LinkOrder:
    """The links in the order in which they are decided.

    For each link: the stops it is the last link of, the track and the area visits (a bit for each stop)
    that later links share. `siblings` are for each stop the others of its area.
    """

    bonds: tuple[Bond, ...]
    leaving: tuple[tuple[int, ...], ...]
    track: tuple[int, ...]
    visits: tuple[int, ...]
    siblings: tuple[int, ...]

    def to_come(self) -> tuple[int, ...]:
        """For each link the track that it or a later one uses, then 0."""
        return (self.bonds[0].mask | self.track[0], *self.track)


def link_order_of(graph: Graph) -> LinkOrder | None:
    """A good order of links; None without links, or with too many stops."""
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
    return LinkOrder(tuple(ordered), tuple(leaving[::-1]), tuple(track[::-1]), tuple(visits[::-1]), siblings)


def _siblings(graph: Graph) -> tuple[int, ...]:
    together: dict[int, int] = defaultdict(int)
    for stop, area in enumerate(graph.areas):
        together[area] |= 1 << stop
    return tuple(together[area] & ~(1 << stop) for stop, area in enumerate(graph.areas))


def _stops_in_order(bonds: set[Bond], passable: Sequence[bool]) -> list[int]:
    """The stops in order: next always the one that opens the fewest others, from the best start."""
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
    """Estimated number of nodes: each stop with links before and after, and all shared track, multiplies it."""
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
