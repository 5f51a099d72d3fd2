"""A decision diagram of all routes on a graph, independent of trains.

The links of a graph are taken in a fixed order (see `graph`); a route either uses a link or does not. A beginning is a
choice for all links up to some point. Two beginnings that have the same open ends, at stops with links still to come,
can continue in the same ways and therefore share a node. Links that can no longer be used are skipped. The order keeps
the number of open stops low, so that an outline of a few thousand nodes holds all routes of a large network.

A beginning can consist of several pieces, which later links must join. If a train can count only a few more stops, many
pieces are too far apart to be joined; such beginnings are dropped (`PossibleJoins`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias

from engine.routes.graph import Graph, LinkOrder
from engine.routes.single_train import OutOfWork, TrainType, WorkBudget

PASSED_STOP: Final = 255
"""The mate of a stop in the middle of a piece of route."""
FINAL_END: Final = 254
"""The mate of a stop if its piece has a final end at the other side."""
MAX_STOPS_CHECKED: Final = 2
"""Maximum number of further stops for which `PossibleJoins` is asked; with more stops, nearly all pieces can be joined.
"""
_ROOM_BIT_COUNT: Final = MAX_STOPS_CHECKED.bit_length()


class PossibleJoins:
    """The pieces of a route that can still be joined by each link and later ones; sets of stops are bit masks."""

    def __init__(self, graph: Graph, link_order: LinkOrder, counts: Sequence[int]) -> None:
        """`counts` is 1 for each stop that always counts against the train's limit, else 0."""
        self._neighbours_by_link, self._open_stops_by_link = _joins_to_come(link_order, len(graph.stops))
        passable = [stop for stop, may_pass in enumerate(graph.passable) if may_pass]
        self._uncounted_stops = sum(1 << stop for stop in passable if not counts[stop])
        self._counted_stops = sum(1 << stop for stop in passable if counts[stop])
        self._tokens = sum(1 << stop for stop in graph.tokens)
        self._stops_for_token = min((counts[stop] for stop in graph.tokens), default=0)
        self._reachable_cache: list[dict[int, int]] = [{} for _ in link_order.ordered_links]

    def is_hopeless(
        self, number: int, other_ends: bytes, stops_allowed: int, has_token: bool, piece_count: int
    ) -> bool:
        """True if a beginning before this link cannot become a route that counts at most `stops_allowed` more stops.

        `has_token`: the beginning contains a token; `piece_count`: the number of its pieces. It may return False for a
        hopeless beginning, but never True for a possible one.
        """
        open_ends = [
            stop
            for stop in self._open_stops_by_link[number]
            if other_ends[stop] != stop and other_ends[stop] != PASSED_STOP
        ]
        if not has_token:
            room_for_token, tokens = stops_allowed - self._stops_for_token, self._tokens
            if room_for_token < 0 or not any(
                self._stops_within(number, stop, room_for_token) & tokens for stop in open_ends
            ):
                return True
        return piece_count > 1 and not self._can_be_joined(number, open_ends, other_ends, stops_allowed)

    def _can_be_joined(
        self, number: int, open_ends: Sequence[int], other_ends: bytes, stops_allowed: int
    ) -> bool:
        """True if every piece can still be joined to another one."""
        end_mask = sum([1 << stop for stop in open_ends])
        for stop in open_ends:
            other_end = other_ends[stop]
            if other_end == FINAL_END:
                own_ends, reachable_stops = 1 << stop, self._stops_within(number, stop, stops_allowed)
            elif other_end > stop:
                own_ends = 1 << stop | 1 << other_end
                reachable_stops = self._stops_within(number, stop, stops_allowed) | self._stops_within(
                    number, other_end, stops_allowed
                )
            else:
                continue  # the piece was already checked from its other end
            if not reachable_stops & end_mask & ~own_ends:
                return False
        return True

    def _stops_within(self, number: int, stop: int, stops_allowed: int) -> int:
        """The stops reachable from `stop` over this and later links, with at most `stops_allowed` counted stops."""
        known_stops, key = self._reachable_cache[number], stop << _ROOM_BIT_COUNT | stops_allowed
        if key in known_stops:
            return known_stops[key]
        neighbours = self._neighbours_by_link[number]
        stops = (
            _with_neighbours(
                neighbours, self._stops_within(number, stop, stops_allowed - 1), self._counted_stops
            )
            if stops_allowed
            else neighbours[stop]
        )
        while (more_stops := _with_neighbours(neighbours, stops, self._uncounted_stops)) != stops:
            stops = more_stops
        known_stops[key] = stops
        return stops


def _with_neighbours(neighbours: Sequence[int], seen_stops: int, passable_stops: int) -> int:
    """These stops, and all stops one link away from the passable ones among them."""
    stops_to_follow, stops = seen_stops & passable_stops, seen_stops
    while stops_to_follow:
        lowest_bit = stops_to_follow & -stops_to_follow
        stops |= neighbours[lowest_bit.bit_length() - 1]
        stops_to_follow ^= lowest_bit
    return stops


def _joins_to_come(
    link_order: LinkOrder, stop_count: int
) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
    """For each link: each stop's neighbours over this and later links, and the stops with links before and after."""
    neighbours = [0] * stop_count
    neighbours_after: list[tuple[int, ...]] = []
    for a, b, _ in reversed(link_order.ordered_links):
        neighbours[a] |= 1 << b
        neighbours[b] |= 1 << a
        neighbours_after.append(tuple(neighbours))
    open_stops: list[tuple[int, ...]] = []
    begun_stops: set[int] = set()
    for (a, b, _), later_neighbours in zip(link_order.ordered_links, reversed(neighbours_after), strict=True):
        open_stops.append(tuple(stop for stop in begun_stops if later_neighbours[stop]))
        begun_stops |= {a, b}
    return neighbours_after[::-1], open_stops


DEAD_NODE: Final = 0
"""The node from which no route can be completed."""
DONE_NODE: Final = 1
"""The node where a route is complete, or where no link was used."""
_NODES_PER_WORK_UNIT: Final = 2
"""Number of nodes that take as long to make as one stop visited by `search`."""


_Beginning: TypeAlias = tuple[bytes, int, int, bool, int]
"""The state shared by beginnings before a link: mates, track, visits, token, number of pieces.

The mate of a stop is the other end of the piece of route that ends at the stop. It is the stop itself if it is
untouched or no longer needed, FINAL_END if the other end is final, PASSED_STOP if the route passes the stop. Track and
visits are those already used that later links ask about. The pieces must still be joined. (A plain tuple, because tens
of thousands are made.)
"""
NewStops: TypeAlias = tuple[int, ...]
"""Stops of a link that the route has not visited before."""


Choice: TypeAlias = tuple[int, int, int, NewStops]
"""A node: the next node if its link is not used, the next node if it is used, the link, and the stops of the link that
are then visited for the first time.
"""


@dataclass(slots=True)
class Outline:
    """A decision diagram of routes as numbered nodes; the first two are DEAD_NODE and DONE_NODE.

    Each node comes after its successors.
    """

    choices: list[Choice]
    root: int


class StopRange(NamedTuple):
    """The number of stops that a route may count, and 1 for each stop that always counts, else 0."""

    limit: int
    counts: Sequence[int]


def stop_range_of(services: Sequence[TrainType]) -> StopRange:
    """The range that includes all routes of these trains."""
    stop_count = len(services[0].counts)
    counts = [
        min(0 if stop in service.optional else service.counts[stop] for service in services)
        for stop in range(stop_count)
    ]
    return StopRange(max(service.limit for service in services), counts)


def outline_of(
    graph: Graph, link_order: LinkOrder, stop_range: StopRange, maximum: int, budget: WorkBudget
) -> Outline:
    """The outline of all routes within the range, and of some beyond it.

    Raises OutOfWork if it has more than `maximum` nodes or the budget is used up.
    """
    return _OutlineDrawing(graph, link_order, stop_range, maximum, budget).finished_outline()


@dataclass(slots=True)
class _LinkLayer:
    """One link of an outline, with the beginnings that may use it.

    `nodes_if_unused` and `nodes_if_used` have the next node after each beginning, without and with the link.
    """

    number: int
    a: int
    b: int
    mask: int
    finished_stops: tuple[int, ...]
    track: int
    visits: int
    beginnings: dict[_Beginning, int] = field(default_factory=dict)
    nodes: list[int] = field(default_factory=list)
    nodes_if_unused: list[int] = field(default_factory=list)
    nodes_if_used: list[int] = field(default_factory=list)
    new: list[NewStops] = field(default_factory=list)


class _OutlineDrawing:
    """An outline under construction, one link after the other."""

    def __init__(
        self, graph: Graph, link_order: LinkOrder, stop_range: StopRange, maximum: int, budget: WorkBudget
    ) -> None:
        self._limit, self._counts = stop_range
        self._all_count = all(stop_range.counts)
        self._fewest_counted = [0, 0, 0]
        self._passable, self._tokens, self._siblings = graph.passable, graph.tokens, link_order.siblings
        self._possible_joins = PossibleJoins(graph, link_order, stop_range.counts)
        self._max_nodes, self._budget = maximum, budget
        self._node_count = DONE_NODE + 1
        still_needed = [(-1, -1), *zip(link_order.track, link_order.visits, strict=True)]
        self._layers = [
            _LinkLayer(number, *link, finished_stops, *needed)
            for number, (link, finished_stops, needed) in enumerate(
                zip(link_order.ordered_links, link_order.finished_stops, still_needed, strict=False)
            )
        ]
        self._untouched = bytes(range(len(graph.stops)))

    def finished_outline(self) -> Outline:
        """Draw and return the outline. Raises OutOfWork."""
        first_layer = self._layers[0]
        first_layer.beginnings[self._untouched, 0, 0, False, 0] = self._node_count
        self._node_count += 1
        for layer in self._layers:
            self._budget.left -= len(layer.beginnings) // _NODES_PER_WORK_UNIT + 1
            if self._node_count > self._max_nodes or self._budget.left < 0:
                raise OutOfWork
            self._extend_beginnings(layer)
        return self._reduced_outline()

    def _extend_beginnings(self, layer: _LinkLayer) -> None:
        """Extend each beginning, once with this link and once without it."""
        a, b = layer.a, layer.b
        new_stops: tuple[tuple[NewStops, NewStops], tuple[NewStops, NewStops]] = (((), (b,)), ((a,), (a, b)))
        is_hopeless = self._possible_joins.is_hopeless
        for beginning, node in layer.beginnings.items():
            other_ends, _, _, has_token, pieces = beginning
            counted_stops = self._fewest_counted[node]
            is_unfinished = pieces > 1 or (pieces and not has_token)
            stops_allowed = self._limit - counted_stops
            if (
                is_unfinished
                and stops_allowed <= MAX_STOPS_CHECKED
                and is_hopeless(layer.number, other_ends, stops_allowed, has_token, pieces)
            ):
                continue
            layer.nodes.append(node)
            layer.nodes_if_unused.append(self._next_node(layer, *beginning, counted_stops))
            layer.nodes_if_used.append(self._node_after_use(layer, *beginning, counted_stops))
            layer.new.append(new_stops[other_ends[a] == a][other_ends[b] == b])
        layer.beginnings.clear()

    def _node_after_use(
        self,
        layer: _LinkLayer,
        other_ends: bytes,
        track: int,
        visits: int,
        has_token: bool,
        pieces: int,
        counted_stops: int,
    ) -> int:
        """The node after using the link: DONE_NODE if the route is complete, DEAD_NODE if it leaves the range or visits
        an area twice.
        """
        a, b = layer.a, layer.b
        end_a, end_b = other_ends[a], other_ends[b]
        counted_stops += (end_a == a and self._counts[a]) + (end_b == b and self._counts[b])
        if counted_stops > self._limit:
            return DEAD_NODE
        new_other_ends = bytearray(other_ends)
        pieces -= 1
        if end_a == a:
            if self._siblings[a] & (visits | 1 << b):
                return DEAD_NODE
            visits, has_token, pieces = visits | 1 << a, has_token or a in self._tokens, pieces + 1
            if not self._passable[a]:
                new_other_ends[a], end_a = PASSED_STOP, FINAL_END
        else:
            new_other_ends[a] = PASSED_STOP
        if end_b == b:
            if self._siblings[b] & visits:
                return DEAD_NODE
            visits, has_token, pieces = visits | 1 << b, has_token or b in self._tokens, pieces + 1
            if not self._passable[b]:
                new_other_ends[b], end_b = PASSED_STOP, FINAL_END
        else:
            new_other_ends[b] = PASSED_STOP
        if end_a == end_b == FINAL_END or (
            counted_stops == self._limit and self._all_count and has_token and pieces == 1
        ):
            return DONE_NODE if has_token and pieces == 1 else DEAD_NODE
        if end_a != FINAL_END:
            new_other_ends[end_a] = end_b
        if end_b != FINAL_END:
            new_other_ends[end_b] = end_a
        return self._next_node(
            layer, bytes(new_other_ends), track | layer.mask, visits, has_token, pieces, counted_stops
        )

    def _next_node(
        self,
        layer: _LinkLayer,
        other_ends: bytes,
        track: int,
        visits: int,
        has_token: bool,
        pieces: int,
        counted_stops: int,
    ) -> int:
        """The node at the next usable link. DEAD_NODE or DONE_NODE if a stop without further links ends the route."""
        passed_stop, link_number = PASSED_STOP, layer.number
        while True:
            if layer.finished_stops:
                remaining_other_ends = _other_ends_without(other_ends, layer.finished_stops)
                if remaining_other_ends is None:
                    return DONE_NODE if has_token and pieces == 1 else DEAD_NODE
                other_ends = remaining_other_ends
                if other_ends.count(FINAL_END) > 2:
                    return DEAD_NODE
            link_number += 1
            if link_number == len(self._layers):
                return DONE_NODE  # no link was used: the train does not run
            layer = self._layers[link_number]
            end_a = other_ends[layer.a]
            if (
                not track & layer.mask
                and end_a != passed_stop
                and end_a != layer.b
                and other_ends[layer.b] != passed_stop
            ):
                beginning = (other_ends, track & layer.track, visits & layer.visits, has_token, pieces)
                return self._node_of(layer, beginning, counted_stops)

    def _node_of(self, layer: _LinkLayer, beginning: _Beginning, counted_stops: int) -> int:
        node = layer.beginnings.setdefault(beginning, self._node_count)
        if node == self._node_count:
            self._node_count += 1
            self._fewest_counted.append(counted_stops)
        elif counted_stops < self._fewest_counted[node]:
            self._fewest_counted[node] = counted_stops
        return node

    def _reduced_outline(self) -> Outline:
        """The outline without useless nodes, and with equivalent nodes merged."""
        merged_nodes = [DEAD_NODE] * self._node_count
        merged_nodes[DONE_NODE] = DONE_NODE
        node_by_choice: dict[Choice, int] = {}
        for layer, node, skip_node, take_node, new_stops in self._choices_backwards():
            skip_node, take_node = merged_nodes[skip_node], merged_nodes[take_node]
            if take_node == DEAD_NODE:
                merged_nodes[node] = skip_node
            else:
                merged_nodes[node] = node_by_choice.setdefault(
                    (skip_node, take_node, layer.number, new_stops), len(node_by_choice) + DONE_NODE + 1
                )
        link_count = len(self._layers)
        terminal_choice = (DEAD_NODE, DEAD_NODE, link_count, ())
        return Outline([terminal_choice, terminal_choice, *node_by_choice], merged_nodes[DONE_NODE + 1])

    def _choices_backwards(self) -> Iterator[tuple[_LinkLayer, int, int, int, NewStops]]:
        for layer in reversed(self._layers):
            for node, skip_node, take_node, new_stops in zip(
                layer.nodes, layer.nodes_if_unused, layer.nodes_if_used, layer.new, strict=True
            ):
                yield layer, node, skip_node, take_node, new_stops


def _other_ends_without(other_ends: bytes, leaving_stops: tuple[int, ...]) -> bytes | None:
    """The mates after these stops have no more links; None if a piece of the route now has two final ends."""
    touched_stops = [stop for stop in leaving_stops if other_ends[stop] != stop]
    if not touched_stops:
        return other_ends
    new_other_ends = bytearray(other_ends)
    for stop in touched_stops:
        other_end = new_other_ends[stop]
        new_other_ends[stop] = stop
        if other_end == FINAL_END:
            return None
        if other_end not in {stop, PASSED_STOP}:
            new_other_ends[other_end] = FINAL_END
    return bytes(new_other_ends)
