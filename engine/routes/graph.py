"""The map as a graph for one company's trains: stops, links of track between them, and an order of the links.

The track of a link is a bit mask. Borders and pieces of track that always occur together share one bit, so masks stay
small. The link order keeps the decision diagrams in `outline` small: it finishes with one stop before it begins with
many others.
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
    """A link to another stop: that stop's index, the track used as a bit mask, and the chain of track."""

    to_stop: int
    mask: int
    chain: Chain


@dataclass(frozen=True, slots=True, eq=False)
class Graph:
    """The stops that the company's routes may visit, by index, and the links between them.

    Sets of stops are bit masks. `areas` gives each stop's area (stops that count as one place) as a bit; a route visits
    at most one stop of an area. `neighbour_masks` has the stops one link away from each stop, `other_area_masks` the
    stops outside its area, `passable_mask` all stops that routes can pass.
    """

    stops: tuple[StopId, ...]
    links: tuple[tuple[TrackLink, ...], ...]
    areas: tuple[int, ...]
    passable: tuple[bool, ...]
    tokens: tuple[int, ...]
    neighbour_masks: tuple[int, ...]
    other_area_masks: tuple[int, ...]
    passable_mask: int


def company_graph(board: Map, company: CompanyId) -> Graph:
    """The graph of the track that the company's trains can use. Routes end in full cities and red areas."""
    return _graph_from_tokens(board, company, board.token_stops_of(company), frozenset())


def graph_between(board: Map, company: CompanyId, start: StopId, end: StopId) -> Graph:
    """The graph for routes between these two stops; routes cannot pass either of them."""
    return _graph_from_tokens(board, company, [start], frozenset({start, end}))


def _graph_from_tokens(
    board: Map, company: CompanyId, token_stops: Sequence[StopId], end_stops: frozenset[StopId]
) -> Graph:
    visited_place = cache(board.visited_place)

    @cache
    def is_passable(stop: StopId) -> bool:
        return stop not in end_stops and board.is_passable(stop, company)

    stops, chains = _reachable_stops(track_of(board), visited_place, is_passable, token_stops)
    index_by_stop = {stop: i for i, stop in enumerate(stops)}
    small_mask_by_mask = _small_mask_by_mask(chains)
    links: list[list[TrackLink]] = [[] for _ in stops]
    for chain in chains:
        if chain.end is not None:
            links[index_by_stop[chain.start]].append(
                TrackLink(index_by_stop[chain.end], small_mask_by_mask[chain.mask], chain)
            )
    areas: dict[object, int] = {}
    area_of_stop = tuple(1 << areas.setdefault(visited_place(stop), len(areas)) for stop in stops)
    links_without_detours = tuple(tuple(_without_detours(stop_links)) for stop_links in links)
    passable = tuple(map(is_passable, stops))
    return Graph(
        stops=stops,
        links=links_without_detours,
        areas=area_of_stop,
        passable=passable,
        tokens=tuple(sorted(index_by_stop[stop] for stop in token_stops)),
        neighbour_masks=tuple(
            _stop_mask(link.to_stop for link in stop_links) for stop_links in links_without_detours
        ),
        other_area_masks=tuple(
            ~_stop_mask(j for j, other in enumerate(area_of_stop) if other == area) for area in area_of_stop
        ),
        passable_mask=_stop_mask(stop for stop, may_pass in enumerate(passable) if may_pass),
    )


def without_track(graph: Graph, track: int) -> Graph:
    """The graph without the links that use any of the track in this bit mask."""
    links = tuple(tuple(link for link in stop_links if not link.mask & track) for stop_links in graph.links)
    return replace(
        graph,
        links=links,
        neighbour_masks=tuple(_stop_mask(link.to_stop for link in stop_links) for stop_links in links),
    )


def without_stops(graph: Graph, closed_stops: frozenset[StopId]) -> Graph:
    """The graph without the links at these stops."""
    closed_indexes = {number for number, stop in enumerate(graph.stops) if stop in closed_stops}
    links = tuple(
        ()
        if number in closed_indexes
        else tuple(link for link in stop_links if link.to_stop not in closed_indexes)
        for number, stop_links in enumerate(graph.links)
    )
    return replace(
        graph,
        links=links,
        neighbour_masks=tuple(_stop_mask(link.to_stop for link in stop_links) for stop_links in links),
    )


def _stop_mask(stops: Iterable[int]) -> int:
    mask = 0
    for stop in stops:
        mask |= 1 << stop
    return mask


def _reachable_stops(
    track: Track,
    visited_place: Callable[[StopId], object],
    is_passable: Callable[[StopId], bool],
    token_stops: Sequence[StopId],
) -> tuple[tuple[StopId, ...], list[Chain]]:
    known_stops = set(token_stops)
    stops_to_follow = list(token_stops)
    chains: list[Chain] = []
    while stops_to_follow:
        for chain in track.chains(stops_to_follow.pop()):
            end = chain.end
            if end is None or visited_place(end) == visited_place(chain.start):
                continue
            chains.append(chain)
            if end not in known_stops:
                known_stops.add(end)
                if is_passable(end):
                    stops_to_follow.append(end)
    return tuple(sorted(known_stops)), chains


def _small_mask_by_mask(chains: list[Chain]) -> Mapping[int, int]:
    """A smaller bit mask for each chain's mask: bits that always occur together become one bit.

    The bits of a chain's mask depend on the order in which the board was explored; the new bits do not. Therefore the
    search always returns the same one of several equally good runs.
    """
    ordered_chains = sorted(
        chains, key=attrgetter("start")
    )  # chains of one stop are already in a fixed order
    return _renumbered_masks(tuple(dict.fromkeys([chain.mask for chain in ordered_chains])))


@lru_cache(maxsize=64)
def _renumbered_masks(masks: tuple[int, ...]) -> Mapping[int, int]:
    links_by_bit: dict[int, set[int]] = defaultdict(set)
    for number, mask in enumerate(masks):
        bits_left = mask
        while bits_left:
            links_by_bit[bits_left & -bits_left].add(number)
            bits_left &= bits_left - 1
    small_mask_by_mask = dict.fromkeys(masks, 0)
    for bit, links in enumerate(
        sorted({tuple(sorted(links_of_bit)) for links_of_bit in links_by_bit.values()})
    ):
        for number in links:
            small_mask_by_mask[masks[number]] |= 1 << bit
    return small_mask_by_mask


def _without_detours(links: list[TrackLink]) -> list[TrackLink]:
    """The links without detours. A detour uses all the track of another link to the same stop, and more."""
    links_by_end_stop: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for number, (next_stop, mask, _) in enumerate(links):
        links_by_end_stop[next_stop].append((number, mask))
    return [
        link
        for number, link in enumerate(links)
        if len(links_by_end_stop[link.to_stop]) == 1
        or not _is_detour(number, link.mask, links_by_end_stop[link.to_stop])
    ]


def _is_detour(number: int, mask: int, parallel_links: Sequence[tuple[int, int]]) -> bool:
    return any(
        other_mask & mask == other_mask and (other_mask != mask or i < number)
        for i, other_mask in parallel_links
        if i != number
    )


MAX_STOPS: Final = 240
"""Maximum number of stops of a graph for which decision diagrams are tried; other searches handle larger graphs."""
_MAX_START_STOPS: Final = 6
"""Maximum number of start stops for which a link order is tried; stops with the fewest links come first."""
_OPENING_WEIGHT_OF_PASSABLE_STOP: Final = 3.0
_OPENING_WEIGHT_OF_END_STOP: Final = 1.5
_NODE_GROWTH_PER_PASSABLE_STOP: Final = 2.2
_NODE_GROWTH_PER_END_STOP: Final = 1.1
_NODE_GROWTH_PER_TRACK_BIT: Final = 1.35


class UndirectedLink(NamedTuple):
    """A link between two stops, without direction, and the track it uses."""

    stop_a: int
    stop_b: int
    mask: int


@dataclass(frozen=True, slots=True)
class LinkOrder:
    """The order in which a decision diagram of routes (see `outline`) decides about the links.

    For each link, `finished_stops` are the stops that no later link touches, `later_track` is the track that
    later links use, and `later_visits` are the stops of later links that share an area with another stop. For
    each stop, `same_area_stops` has the other stops of its area. Track and sets of stops are bit masks.
    """

    ordered_links: tuple[UndirectedLink, ...]
    finished_stops: tuple[tuple[int, ...], ...]
    later_track: tuple[int, ...]
    later_visits: tuple[int, ...]
    same_area_stops: tuple[int, ...]

    def track_from_each_link(self) -> tuple[int, ...]:
        """For each link, the track that this link or a later one uses, as a bit mask; 0 at the end."""
        return (self.ordered_links[0].mask | self.later_track[0], *self.later_track)


def best_link_order(graph: Graph) -> LinkOrder | None:
    """A link order that keeps decision diagrams small; None if there are no links or too many stops."""
    undirected_links = {
        UndirectedLink(min(u, v), max(u, v), mask)
        for u, links in enumerate(graph.links)
        for v, mask, _ in links
    }
    if not undirected_links or len(graph.stops) > MAX_STOPS:
        return None
    position_by_stop = {
        stop: number for number, stop in enumerate(_stops_in_order(undirected_links, graph.passable))
    }
    ordered_links = sorted(
        undirected_links,
        key=lambda x: (*sorted((position_by_stop[x.stop_a], position_by_stop[x.stop_b])), x.mask),
    )
    same_area_stops = _same_area_stops_of(graph)
    finished_stops, track, visits = [], [], []
    seen_stops, later_track, later_visits = set[int](), 0, 0
    for link in reversed(ordered_links):
        finished_stops.append(tuple(stop for stop in link[:2] if stop not in seen_stops))
        track.append(later_track)
        visits.append(later_visits)
        seen_stops.update(link[:2])
        later_track |= link.mask
        later_visits |= same_area_stops[link.stop_a] | same_area_stops[link.stop_b]
    return LinkOrder(
        tuple(ordered_links),
        tuple(finished_stops[::-1]),
        tuple(track[::-1]),
        tuple(visits[::-1]),
        same_area_stops,
    )


def _same_area_stops_of(graph: Graph) -> tuple[int, ...]:
    stops_by_area: dict[int, int] = defaultdict(int)
    for stop, area in enumerate(graph.areas):
        stops_by_area[area] |= 1 << stop
    return tuple(stops_by_area[area] & ~(1 << stop) for stop, area in enumerate(graph.areas))


def _stops_in_order(undirected_links: set[UndirectedLink], passable: Sequence[bool]) -> list[int]:
    """All stops in the order that is expected to give the smallest decision diagram, of the orders tried."""
    neighbours: dict[int, set[int]] = defaultdict(set)
    for stop_a, stop_b, _ in undirected_links:
        neighbours[stop_a].add(stop_b)
        neighbours[stop_b].add(stop_a)
    start_stops = sorted(neighbours, key=lambda stop: (len(neighbours[stop]), stop))[:_MAX_START_STOPS]
    stop_orders = [_stop_order_from(start, neighbours, passable) for start in start_stops]
    return min(
        stop_orders,
        key=lambda stop_order: _expected_node_count(stop_order, undirected_links, neighbours, passable),
    )


def _stop_order_from(start: int, neighbours: dict[int, set[int]], passable: Sequence[bool]) -> list[int]:
    opening_weights = [
        _OPENING_WEIGHT_OF_PASSABLE_STOP if may_pass else _OPENING_WEIGHT_OF_END_STOP for may_pass in passable
    ]
    stops_left, open_stops, stop_order = set(neighbours), set[int](), list[int]()

    def opening_weight(stop: int) -> float:
        return (
            sum(opening_weights[other] for other in (neighbours[stop] & stops_left) - open_stops)
            - opening_weights[stop]
        )

    stop = start
    while True:
        stops_left.discard(stop)
        open_stops = (open_stops | neighbours[stop] & stops_left) - {stop}
        stop_order.append(stop)
        if not stops_left:
            return stop_order
        stop = min(open_stops or stops_left, key=lambda s: (opening_weight(s), s))


def _expected_node_count(
    stop_order: Sequence[int],
    undirected_links: set[UndirectedLink],
    neighbours: dict[int, set[int]],
    passable: Sequence[bool],
) -> float:
    position_by_stop = {stop: number for number, stop in enumerate(stop_order)}
    track_by_first_position = [0] * (len(stop_order) + 1)
    for stop_a, stop_b, mask in undirected_links:
        track_by_first_position[min(position_by_stop[stop_a], position_by_stop[stop_b])] |= mask
    later_track = [*accumulate(reversed(track_by_first_position), or_)][::-1]
    opening_factors, closing_factors = [1.0] * len(stop_order), [1.0] * len(stop_order)
    for stop, number in position_by_stop.items():
        node_factor = _NODE_GROWTH_PER_PASSABLE_STOP if passable[stop] else _NODE_GROWTH_PER_END_STOP
        first_position = min(number, *(position_by_stop[other] for other in neighbours[stop]))
        opening_factors[first_position] *= node_factor
        closing_factors[number] *= node_factor
    expected_count, open_width, earlier_track = 0.0, 1.0, 0
    for number in range(len(stop_order)):
        open_width *= opening_factors[number] / closing_factors[number]
        earlier_track |= track_by_first_position[number]
        expected_count += (
            open_width * _NODE_GROWTH_PER_TRACK_BIT ** (earlier_track & later_track[number + 1]).bit_count()
        )
    return expected_count
