"""The map as a company's trains see it: stops, and links of track between them with the resources they use.

A link's mask has one bit for each set of resources that the same links share, so masks stay small.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from operator import attrgetter
from typing import NamedTuple

from engine.board.map import Map, StopId
from engine.board.network import explorer_of
from engine.board.reach import Explorer
from engine.board.track import Chain
from engine.core.ids import CompanyId


class Link(NamedTuple):
    """Track to another stop: index of that stop, track used, the chain itself."""

    to: int
    mask: int
    chain: Chain


@dataclass(frozen=True, slots=True, eq=False)
class Graph:
    """Stops that routes of the company may visit, by index; sets of stops are bit masks.

    Areas are bit masks of what may be visited once. For each stop, those near it, one link away, and all that
    may be visited with it, because they are not of its area; `through` are all that may be passed.
    """

    stops: tuple[StopId, ...]
    links: tuple[tuple[Link, ...], ...]
    areas: tuple[int, ...]
    passable: tuple[bool, ...]
    tokens: tuple[int, ...]
    near: tuple[int, ...]
    beside: tuple[int, ...]
    through: int


def graph_of(board: Map, company: CompanyId) -> Graph:
    """Contract the map to what the company's trains can use; full cities and red areas have links in only."""
    explorer = explorer_of(board, company)
    return _contracted(board, explorer, explorer.tokens, frozenset())


def graph_between(board: Map, company: CompanyId, start: StopId, end: StopId) -> Graph:
    """The same for routes that begin at one stop; where they do, and at the other stop, they can only end."""
    return _contracted(board, explorer_of(board, company), [start], frozenset({start, end}))


def _contracted(board: Map, explorer: Explorer, tokens: Sequence[StopId], ends: frozenset[StopId]) -> Graph:
    """What routes over one of these tokens can use, when they cannot pass the ends either."""
    place = cache(board.place)
    stops, chains = _reachable(place, explorer, tokens, ends)
    index = {stop: i for i, stop in enumerate(stops)}
    small = _small_masks(chains)
    links: list[list[Link]] = [[] for _ in stops]
    for chain in chains:
        if chain.end is not None:
            links[index[chain.start]].append(Link(index[chain.end], small[chain.mask], chain))
    areas: dict[object, int] = {}
    bits = tuple(1 << areas.setdefault(place(stop), len(areas)) for stop in stops)
    kept = tuple(tuple(_without_detours(found)) for found in links)
    passable = tuple(stop not in ends and explorer.passable(stop) for stop in stops)
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


def without(graph: Graph, track: int) -> Graph:
    """The same stops without the links that use any of this track."""
    links = tuple(tuple(link for link in found if not link.mask & track) for found in graph.links)
    return replace(graph, links=links, near=tuple(_mask(link.to for link in found) for found in links))


def closed_at(graph: Graph, closed: frozenset[StopId]) -> Graph:
    """The same graph without links to or from these stops."""
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
    place: Callable[[StopId], object], explorer: Explorer, tokens: Sequence[StopId], ends: frozenset[StopId]
) -> tuple[tuple[StopId, ...], list[Chain]]:
    """Stops in order of coordinates, and the chains that lead from one place to another."""
    known = set(tokens)
    ahead = list(tokens)
    chains: list[Chain] = []
    while ahead:
        for chain in explorer.chains(ahead.pop()):
            end = chain.end
            if end is None or place(end) == place(chain.start):
                continue
            chains.append(chain)
            if end not in known:
                known.add(end)
                if end not in ends and explorer.passable(end):
                    ahead.append(end)
    return tuple(sorted(known)), chains


def _small_masks(chains: list[Chain]) -> Mapping[int, int]:
    """For each mask one where bits that always go together are a single bit.

    Bits are numbered as the board was explored; these are not, so that equally good runs are always ordered alike.
    """
    ordered = sorted(chains, key=attrgetter("start"))  # those of one stop are in a fixed order already
    return _renumbered(tuple(dict.fromkeys([chain.mask for chain in ordered])))


@lru_cache(maxsize=64)
def _renumbered(masks: tuple[int, ...]) -> Mapping[int, int]:
    """The same for masks in this order; most boards that are tried one after another have the same."""
    users: dict[int, set[int]] = defaultdict(set)
    for number, mask in enumerate(masks):
        rest = mask
        while rest:
            users[rest & -rest].add(number)
            rest &= rest - 1
    small = dict.fromkeys(masks, 0)
    for bit, together in enumerate(sorted({tuple(sorted(found)) for found in users.values()})):
        for number in together:
            small[masks[number]] |= 1 << bit
    return small


def _without_detours(links: list[Link]) -> list[Link]:
    """Leave out a link that uses all the track of another link to the same stop, and more."""
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
