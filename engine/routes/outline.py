"""A decision diagram of all routes on a graph, independent of trains, called an outline.

The links of a graph are taken in a fixed order (see `graph`); a route either uses a link or does not. A partial route
is a choice for all links up to some point. Partial routes with the same open ends (at stops that later links touch) can
continue in the same ways and therefore share a node. Links that can no longer be used are skipped. The order keeps few
stops open at a time, so that an outline of a few thousand nodes holds all routes of a large network.

A partial route can consist of several pieces, which later links must join. If the train can count only a few more
stops, many pieces are too far apart to be joined, and the partial routes with these pieces are dropped
(`PossibleJoins`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias

from engine.routes.graph import Graph, LinkOrder
from engine.routes.single_train import WorkBudget, WorkBudgetExhausted
from engine.routes.train_types import TrainType

PASSED_STOP: Final = 255
"""Entry in a partial route's list of opposite ends (see `_PartialRoute`) for a stop that the route passes."""
FINAL_END: Final = 254
"""Entry in a partial route's list of opposite ends (see `_PartialRoute`) if no link can continue the opposite end."""
MAX_STOPS_CHECKED: Final = 2
"""If a route can still count at most this many stops, `PossibleJoins` checks if its pieces can be joined.

With more stops left, nearly all pieces can be joined, so the check is not worthwhile.
"""
_STOPS_ALLOWED_BIT_COUNT: Final = MAX_STOPS_CHECKED.bit_length()


class PossibleJoins:
    """Tells if later links can still join the pieces of a partial route and add a token.

    Sets of stops are bit masks.
    """

    def __init__(self, graph: Graph, link_order: LinkOrder, counts: Sequence[int]) -> None:
        """`counts` is 1 for each stop that always counts against the train's limit, else 0."""
        self._neighbours_by_link, self._open_stops_by_link = _neighbours_and_open_stops(
            link_order, len(graph.stops)
        )
        passable_stops = [stop for stop, may_pass in enumerate(graph.passable) if may_pass]
        self._uncounted_stops = sum(1 << stop for stop in passable_stops if not counts[stop])
        self._counted_stops = sum(1 << stop for stop in passable_stops if counts[stop])
        self._tokens = sum(1 << stop for stop in graph.tokens)
        self._min_count_at_token = min((counts[stop] for stop in graph.tokens), default=0)
        self._reachable_cache: list[dict[int, int]] = [{} for _ in link_order.ordered_links]

    def is_hopeless(
        self, number: int, opposite_ends: bytes, stops_allowed: int, has_token: bool, piece_count: int
    ) -> bool:
        """True if a partial route cannot be completed by counting at most `stops_allowed` further stops.

        The next link is `number`. `has_token`: the partial route contains a token. `piece_count`: the number of
        its pieces. The check may overlook a hopeless partial route, but never rejects one that can be
        completed.
        """
        open_ends = [
            stop
            for stop in self._open_stops_by_link[number]
            if opposite_ends[stop] != stop and opposite_ends[stop] != PASSED_STOP
        ]
        if not has_token:
            stops_up_to_token, tokens = stops_allowed - self._min_count_at_token, self._tokens
            if stops_up_to_token < 0 or not any(
                self._stops_within(number, stop, stops_up_to_token) & tokens for stop in open_ends
            ):
                return True
        return piece_count > 1 and not self._can_be_joined(number, open_ends, opposite_ends, stops_allowed)

    def _can_be_joined(
        self, number: int, open_ends: Sequence[int], opposite_ends: bytes, stops_allowed: int
    ) -> bool:
        end_mask = sum([1 << stop for stop in open_ends])
        for stop in open_ends:
            opposite_end = opposite_ends[stop]
            if opposite_end == FINAL_END:
                own_ends, reachable_stops = 1 << stop, self._stops_within(number, stop, stops_allowed)
            elif opposite_end > stop:
                own_ends = 1 << stop | 1 << opposite_end
                reachable_stops = self._stops_within(number, stop, stops_allowed) | self._stops_within(
                    number, opposite_end, stops_allowed
                )
            else:
                continue  # the piece was already checked from its other end
            if not reachable_stops & end_mask & ~own_ends:
                return False
        return True

    def _stops_within(self, number: int, stop: int, stops_allowed: int) -> int:
        """The stops reachable from `stop` over link `number` and later ones, counting at most `stops_allowed` stops."""
        stops_by_key, key = self._reachable_cache[number], stop << _STOPS_ALLOWED_BIT_COUNT | stops_allowed
        if key in stops_by_key:
            return stops_by_key[key]
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
        stops_by_key[key] = stops
        return stops


def _with_neighbours(neighbours: Sequence[int], seen_stops: int, passable_stops: int) -> int:
    stops_to_follow, stops = seen_stops & passable_stops, seen_stops
    while stops_to_follow:
        lowest_bit = stops_to_follow & -stops_to_follow
        stops |= neighbours[lowest_bit.bit_length() - 1]
        stops_to_follow ^= lowest_bit
    return stops


def _neighbours_and_open_stops(
    link_order: LinkOrder, stop_count: int
) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
    neighbours = [0] * stop_count
    neighbours_after: list[tuple[int, ...]] = []
    for stop_a, stop_b, _ in reversed(link_order.ordered_links):
        neighbours[stop_a] |= 1 << stop_b
        neighbours[stop_b] |= 1 << stop_a
        neighbours_after.append(tuple(neighbours))
    open_stops: list[tuple[int, ...]] = []
    started_stops: set[int] = set()
    for (stop_a, stop_b, _), later_neighbours in zip(
        link_order.ordered_links, reversed(neighbours_after), strict=True
    ):
        open_stops.append(tuple(stop for stop in started_stops if later_neighbours[stop]))
        started_stops |= {stop_a, stop_b}
    return neighbours_after[::-1], open_stops


DEAD_NODE: Final = 0
"""The diagram node from which no route can be completed."""
DONE_NODE: Final = 1
"""The diagram node at which a route is done (complete), or at which all links were left unused."""
_NODES_PER_WORK_UNIT: Final = 2


_PartialRoute: TypeAlias = tuple[bytes, int, int, bool, int]
"""State of a partial route before a link: opposite ends, track, visits, True if it has a token, number of pieces.

The list of opposite ends has, for each stop where a piece of route ends, the stop at the other end of
that piece. It has FINAL_END if no link can continue the other end, PASSED_STOP if the route passes the
stop, and the stop itself if no piece or no later link touches the stop. Track and visits are limited to
those that matter for later links. (A plain tuple, because tens of thousands are made.)
"""
NewStops: TypeAlias = tuple[int, ...]
"""New stops of a route that uses a link: the ends of the link that the route has not visited yet."""


OutlineNode: TypeAlias = tuple[int, int, int, NewStops]
"""A node of an outline: next node without its link, next node with it, the link, and the stops newly visited."""


@dataclass(slots=True)
class Outline:
    """A decision diagram of routes as a list of nodes; the first two are DEAD_NODE and DONE_NODE.

    Each node comes after the nodes it leads to.
    """

    choices: list[OutlineNode]
    start_node: int


class StopRange(NamedTuple):
    """Limits of the routes in an outline.

    `limit` is the number of stops that a route may count; `counts` has 1 for each stop that every train counts, else 0.
    """

    limit: int
    counts: Sequence[int]


def common_stop_range(train_types: Sequence[TrainType]) -> StopRange:
    """The smallest StopRange that includes all routes of these train types."""
    stop_count = len(train_types[0].counts)
    counts = [
        min(0 if stop in train_type.optional_stops else train_type.counts[stop] for train_type in train_types)
        for stop in range(stop_count)
    ]
    return StopRange(max(train_type.limit for train_type in train_types), counts)


def build_outline(
    graph: Graph, link_order: LinkOrder, stop_range: StopRange, max_node_count: int, budget: WorkBudget
) -> Outline:
    """The decision diagram of all routes within these limits, and of some routes outside them.

    Raises WorkBudgetExhausted if the diagram has more than `max_node_count` nodes or the budget is used up.
    """
    return _OutlineBuilder(graph, link_order, stop_range, max_node_count, budget).finished_outline()


@dataclass(slots=True)
class _LinkLayer:
    number: int
    stop_a: int
    stop_b: int
    mask: int
    finished_stops: tuple[int, ...]
    track: int
    visits: int
    partial_routes: dict[_PartialRoute, int] = field(default_factory=dict)
    nodes: list[int] = field(default_factory=list)
    nodes_without_link: list[int] = field(default_factory=list)
    nodes_with_link: list[int] = field(default_factory=list)
    new_stops_by_node: list[NewStops] = field(default_factory=list)


class _OutlineBuilder:
    """An outline under construction, one link after the other."""

    def __init__(
        self,
        graph: Graph,
        link_order: LinkOrder,
        stop_range: StopRange,
        max_node_count: int,
        budget: WorkBudget,
    ) -> None:
        self._limit, self._counts = stop_range
        self._are_all_stops_counted = all(stop_range.counts)
        self._fewest_counted_by_node = [0, 0, 0]
        self._passable, self._tokens, self._same_area_stops = (
            graph.passable,
            graph.tokens,
            link_order.same_area_stops,
        )
        self._possible_joins = PossibleJoins(graph, link_order, stop_range.counts)
        self._max_nodes, self._budget = max_node_count, budget
        self._node_count = DONE_NODE + 1
        later_track_and_visits = [
            (-1, -1),
            *zip(link_order.later_track, link_order.later_visits, strict=True),
        ]
        self._layers = [
            _LinkLayer(number, *link, finished_stops, *later_masks)
            for number, (link, finished_stops, later_masks) in enumerate(
                zip(link_order.ordered_links, link_order.finished_stops, later_track_and_visits, strict=False)
            )
        ]
        self._opposite_ends_at_start = bytes(range(len(graph.stops)))

    def finished_outline(self) -> Outline:
        first_layer = self._layers[0]
        first_layer.partial_routes[self._opposite_ends_at_start, 0, 0, False, 0] = self._node_count
        self._node_count += 1
        for layer in self._layers:
            self._budget.units_left -= len(layer.partial_routes) // _NODES_PER_WORK_UNIT + 1
            if self._node_count > self._max_nodes or self._budget.units_left < 0:
                raise WorkBudgetExhausted
            self._extend_partial_routes(layer)
        return self._reduced_outline()

    def _extend_partial_routes(self, layer: _LinkLayer) -> None:
        stop_a, stop_b = layer.stop_a, layer.stop_b
        new_stops: tuple[tuple[NewStops, NewStops], tuple[NewStops, NewStops]] = (
            ((), (stop_b,)),
            ((stop_a,), (stop_a, stop_b)),
        )
        is_hopeless = self._possible_joins.is_hopeless
        for partial_route, node in layer.partial_routes.items():
            opposite_ends, _, _, has_token, piece_count = partial_route
            counted_stops = self._fewest_counted_by_node[node]
            is_unfinished = piece_count > 1 or (piece_count and not has_token)
            stops_allowed = self._limit - counted_stops
            if (
                is_unfinished
                and stops_allowed <= MAX_STOPS_CHECKED
                and is_hopeless(layer.number, opposite_ends, stops_allowed, has_token, piece_count)
            ):
                continue
            layer.nodes.append(node)
            layer.nodes_without_link.append(self._next_node(layer, *partial_route, counted_stops))
            layer.nodes_with_link.append(self._node_after_use(layer, *partial_route, counted_stops))
            layer.new_stops_by_node.append(
                new_stops[opposite_ends[stop_a] == stop_a][opposite_ends[stop_b] == stop_b]
            )
        layer.partial_routes.clear()

    def _node_after_use(
        self,
        layer: _LinkLayer,
        opposite_ends: bytes,
        track: int,
        visits: int,
        has_token: bool,
        piece_count: int,
        counted_stops: int,
    ) -> int:
        """The node after a partial route uses the link.

        DONE_NODE if the route is complete; DEAD_NODE if it counts too many stops or visits an area twice.
        """
        stop_a, stop_b = layer.stop_a, layer.stop_b
        end_a, end_b = opposite_ends[stop_a], opposite_ends[stop_b]
        counted_stops += (end_a == stop_a and self._counts[stop_a]) + (
            end_b == stop_b and self._counts[stop_b]
        )
        if counted_stops > self._limit:
            return DEAD_NODE
        new_opposite_ends = bytearray(opposite_ends)
        piece_count -= 1
        if end_a == stop_a:
            if self._same_area_stops[stop_a] & (visits | 1 << stop_b):
                return DEAD_NODE
            visits, has_token, piece_count = (
                visits | 1 << stop_a,
                has_token or stop_a in self._tokens,
                piece_count + 1,
            )
            if not self._passable[stop_a]:
                new_opposite_ends[stop_a], end_a = PASSED_STOP, FINAL_END
        else:
            new_opposite_ends[stop_a] = PASSED_STOP
        if end_b == stop_b:
            if self._same_area_stops[stop_b] & visits:
                return DEAD_NODE
            visits, has_token, piece_count = (
                visits | 1 << stop_b,
                has_token or stop_b in self._tokens,
                piece_count + 1,
            )
            if not self._passable[stop_b]:
                new_opposite_ends[stop_b], end_b = PASSED_STOP, FINAL_END
        else:
            new_opposite_ends[stop_b] = PASSED_STOP
        if end_a == end_b == FINAL_END or (
            counted_stops == self._limit and self._are_all_stops_counted and has_token and piece_count == 1
        ):
            return DONE_NODE if has_token and piece_count == 1 else DEAD_NODE
        if end_a != FINAL_END:
            new_opposite_ends[end_a] = end_b
        if end_b != FINAL_END:
            new_opposite_ends[end_b] = end_a
        return self._next_node(
            layer, bytes(new_opposite_ends), track | layer.mask, visits, has_token, piece_count, counted_stops
        )

    def _next_node(
        self,
        layer: _LinkLayer,
        opposite_ends: bytes,
        track: int,
        visits: int,
        has_token: bool,
        piece_count: int,
        counted_stops: int,
    ) -> int:
        passed_stop, link_number = PASSED_STOP, layer.number
        while True:
            if layer.finished_stops:
                remaining_opposite_ends = _opposite_ends_without(opposite_ends, layer.finished_stops)
                if remaining_opposite_ends is None:
                    return DONE_NODE if has_token and piece_count == 1 else DEAD_NODE
                opposite_ends = remaining_opposite_ends
                if opposite_ends.count(FINAL_END) > 2:
                    return DEAD_NODE
            link_number += 1
            if link_number == len(self._layers):
                return DONE_NODE  # no link was used: the train does not run
            layer = self._layers[link_number]
            end_a = opposite_ends[layer.stop_a]
            if (
                not track & layer.mask
                and end_a != passed_stop
                and end_a != layer.stop_b
                and opposite_ends[layer.stop_b] != passed_stop
            ):
                partial_route = (
                    opposite_ends,
                    track & layer.track,
                    visits & layer.visits,
                    has_token,
                    piece_count,
                )
                return self._node_of(layer, partial_route, counted_stops)

    def _node_of(self, layer: _LinkLayer, partial_route: _PartialRoute, counted_stops: int) -> int:
        node = layer.partial_routes.setdefault(partial_route, self._node_count)
        if node == self._node_count:
            self._node_count += 1
            self._fewest_counted_by_node.append(counted_stops)
        elif counted_stops < self._fewest_counted_by_node[node]:
            self._fewest_counted_by_node[node] = counted_stops
        return node

    def _reduced_outline(self) -> Outline:
        merged_nodes = [DEAD_NODE] * self._node_count
        merged_nodes[DONE_NODE] = DONE_NODE
        node_by_choice: dict[OutlineNode, int] = {}
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
                layer.nodes,
                layer.nodes_without_link,
                layer.nodes_with_link,
                layer.new_stops_by_node,
                strict=True,
            ):
                yield layer, node, skip_node, take_node, new_stops


def _opposite_ends_without(opposite_ends: bytes, finished_stops: tuple[int, ...]) -> bytes | None:
    touched_stops = [stop for stop in finished_stops if opposite_ends[stop] != stop]
    if not touched_stops:
        return opposite_ends
    new_opposite_ends = bytearray(opposite_ends)
    for stop in touched_stops:
        opposite_end = new_opposite_ends[stop]
        new_opposite_ends[stop] = stop
        if opposite_end == FINAL_END:
            return None
        if opposite_end not in {stop, PASSED_STOP}:
            new_opposite_ends[opposite_end] = FINAL_END
    return bytes(new_opposite_ends)
