"""Finds shadow prices of track that give a low upper bound for the total revenue of all trains, with decision diagrams.

A shadow price is a Lagrange multiplier (see `search`); no company pays it. A diagram is an outline of all routes (see
`outline`), combined with the dollars that one train type earns at each stop and with its limit of stops. One pass over
the diagram's nodes finds the train's best route at new shadow prices, so they can be improved many times. The routes
found meanwhile are combined into sets.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from engine.routes.graph import LinkOrder
from engine.routes.outline import DEAD_NODE, DONE_NODE, NewStops, Outline
from engine.routes.single_train import WorkBudget, WorkBudgetExhausted
from engine.routes.train_types import TrainType

PROHIBITIVE_PRICE: Final = 1_000_000_000
"""Number that keeps a route off a link when it is subtracted from the revenue: more than any set of routes is worth."""
_NODES_DRAWN_PER_WORK_UNIT: Final = 4

CountingOptions: TypeAlias = dict[NewStops, list[tuple[int, int]]]
"""For the new stops of a link, the options for counting them, as (number of counted stops, dollars)."""


DiagramNode: TypeAlias = tuple[int, int, int, int]
"""A diagram node: next node without its link, next node with it, dollars of the stops newly visited, and the link.

A plain tuple, because tens of thousands are made.
"""


@dataclass(frozen=True, slots=True)
class Diagram:
    """A decision diagram of all routes of one train type; its first two nodes are DEAD_NODE and DONE_NODE."""

    nodes: list[DiagramNode]
    start_node: int

    def best_dollars_by_node(self, link_prices: Sequence[int]) -> list[int]:
        """For each node, the highest revenue of the rest of a route, less `link_prices`, its links' shadow prices."""
        dollars_by_node = [-PROHIBITIVE_PRICE, 0]
        append = dollars_by_node.append
        for skip_node, take_node, gain, link in self.nodes[DONE_NODE + 1 :]:
            without_link, with_link = (
                dollars_by_node[skip_node],
                dollars_by_node[take_node] + gain - link_prices[link],
            )
            append(with_link if with_link > without_link else without_link)
        return dollars_by_node

    def route(self, best_dollars: Sequence[int]) -> tuple[int, list[int]]:
        """The best route as (revenue in dollars, links); `best_dollars` is the result of `best_dollars_by_node`."""
        node, value, links = self.start_node, 0, []
        while node != DONE_NODE:
            skip_node, take_node, gain, link = self.nodes[node]
            if best_dollars[node] == best_dollars[skip_node]:
                node = skip_node
            else:
                value += gain
                links.append(link)
                node = take_node
        return value, links


def build_diagram(
    outline: Outline, train_type: TrainType, max_node_count: int, budget: WorkBudget
) -> Diagram:
    """The decision diagram of all routes of this train type.

    Each node stands for a node of the outline, together with a number of stops that the train can still count. If the
    train may pass a stop without counting it, several nodes in a row decide about one link. Raises WorkBudgetExhausted
    if the diagram has more than `max_node_count` nodes or the budget is used up.
    """
    choices = outline.choices
    counting_options = {
        new_stops: _counting_options(train_type, new_stops)
        for new_stops in {new_stops for _, _, _, new_stops in choices}
    }
    fewest_stops_ahead, most_stops_ahead = _fewest_and_most_stops_ahead(outline, counting_options)
    counts_left_by_node = _countable_stops_by_node(
        outline, train_type.limit, counting_options, fewest_stops_ahead, most_stops_ahead
    )
    node_count = sum(map(len, counts_left_by_node))
    budget.units_left -= node_count // _NODES_DRAWN_PER_WORK_UNIT
    if node_count > max_node_count or budget.units_left < 0:
        raise WorkBudgetExhausted
    number_by_node: dict[DiagramNode, int] = {}
    add_node = number_by_node.setdefault
    next_number = DONE_NODE + 1
    nodes_by_stops_left: list[dict[int, int]] = [{}, dict.fromkeys(range(train_type.limit + 1), DONE_NODE)]
    for (skip_node, take_node, link, new_stops), stop_counts_left in zip(
        choices[DONE_NODE + 1 :], counts_left_by_node[DONE_NODE + 1 :], strict=True
    ):
        node_by_stops_left: dict[int, int] = {}
        nodes_if_skipped, nodes_if_taken, max_count_if_skipped, max_count_if_taken = (
            nodes_by_stops_left[skip_node],
            nodes_by_stops_left[take_node],
            most_stops_ahead[skip_node],
            most_stops_ahead[take_node],
        )
        for stop_count_left in stop_counts_left:
            node = nodes_if_skipped.get(
                stop_count_left if stop_count_left < max_count_if_skipped else max_count_if_skipped, DEAD_NODE
            )
            for counted_stops, gain in counting_options[new_stops]:
                next_count_left = stop_count_left - counted_stops
                node_if_used = nodes_if_taken.get(
                    next_count_left if next_count_left < max_count_if_taken else max_count_if_taken, DEAD_NODE
                )
                if node_if_used != DEAD_NODE:
                    node = add_node((node, node_if_used, gain, link), next_number)
                    if node == next_number:
                        next_number += 1
            node_by_stops_left[stop_count_left] = node
        nodes_by_stops_left.append(node_by_stops_left)
    _, _, end, _ = choices[DONE_NODE]
    start_node = nodes_by_stops_left[outline.start_node][
        min(train_type.limit, most_stops_ahead[outline.start_node])
    ]
    return Diagram(
        [(DEAD_NODE, DEAD_NODE, 0, end), (DEAD_NODE, DEAD_NODE, 0, end), *number_by_node], start_node
    )


def _counting_options(train_type: TrainType, new_stops: NewStops) -> list[tuple[int, int]]:
    best_gain_by_count = {0: 0}
    for stop in new_stops:
        options_of_stop = [
            (train_type.counts[stop], train_type.values[stop]),
            *([(0, 0)] if stop in train_type.optional_stops else []),
        ]
        combined_options = [
            (count + c, gain + g) for count, gain in best_gain_by_count.items() for c, g in options_of_stop
        ]
        best_gain_by_count = {
            count: max(gain for c, gain in combined_options if c == count) for count, _ in combined_options
        }
    return sorted(best_gain_by_count.items())


def _countable_stops_by_node(
    outline: Outline,
    limit: int,
    counting_options: CountingOptions,
    fewest_stops_ahead: list[int],
    most_stops_ahead: list[int],
) -> list[set[int]]:
    counts_left_by_node: list[set[int]] = [set() for _ in outline.choices]
    counts_left_by_node[outline.start_node].add(min(limit, most_stops_ahead[outline.start_node]))
    for node in range(len(counts_left_by_node) - 1, DONE_NODE, -1):
        skip_node, take_node, _, new_stops = outline.choices[node]
        if skip_node > DONE_NODE:
            min_count, max_count, add_count = (
                fewest_stops_ahead[skip_node],
                most_stops_ahead[skip_node],
                counts_left_by_node[skip_node].add,
            )
            for stop_count_left in counts_left_by_node[node]:
                if stop_count_left >= min_count:
                    add_count(stop_count_left if stop_count_left < max_count else max_count)
        if take_node > DONE_NODE:
            min_count, max_count, add_count = (
                fewest_stops_ahead[take_node],
                most_stops_ahead[take_node],
                counts_left_by_node[take_node].add,
            )
            for count, _ in counting_options[new_stops]:
                for stop_count_left in counts_left_by_node[node]:
                    if stop_count_left - count >= min_count:
                        add_count(
                            stop_count_left - count if stop_count_left - count < max_count else max_count
                        )
    return counts_left_by_node


def _fewest_and_most_stops_ahead(
    outline: Outline, counting_options: CountingOptions
) -> tuple[list[int], list[int]]:
    fewest_counted, most_counted = [PROHIBITIVE_PRICE, 0], [-PROHIBITIVE_PRICE, 0]
    for skip_node, take_node, _, new_stops in outline.choices[DONE_NODE + 1 :]:
        counts = [count for count, _ in counting_options[new_stops]]
        fewest_counted.append(min(fewest_counted[skip_node], fewest_counted[take_node] + min(counts)))
        most_counted.append(max(most_counted[skip_node], most_counted[take_node] + max(counts)))
    return fewest_counted, most_counted


_FIRST_STEP_FACTOR: Final = 0.8
"""Size of the first step by which shadow prices change, as a fraction of the step that would ideally close the gap.

The gap lies between the upper bound and the known revenue.
"""
_OLD_DIRECTION_WEIGHT: Final = 0.3
"""Weight of the old direction when shadow prices change again; it keeps them from oscillating."""
_BOUND_REDUCTIONS_PER_IMPROVEMENT: Final = 6
"""After this number of reductions of the upper bound, routes are again combined into sets that share no track."""
_NODES_PASSED_PER_WORK_UNIT: Final = 16

LinkNumbers: TypeAlias = list[int]
"""A route, given as the numbers of its links in the link order."""


@dataclass(slots=True)
class ShadowPriceSearch:
    """A search for the shadow prices of track that give the lowest upper bound of the trains' total revenue.

    A shadow price is a Lagrange multiplier, which no company pays. `value` is the revenue to exceed, in
    dollars. `routes` are the routes that earn it if this search found them, else None. No set of routes
    earns more than `upper_bound`, which follows from `prices`, the shadow prices. The dollars of stops are
    multiples of `revenue_unit`.
    """

    link_order: LinkOrder
    diagrams: Sequence[Diagram]
    value: int
    revenue_unit: int
    budget: WorkBudget
    routes: list[LinkNumbers] | None = None
    upper_bound: int = PROHIBITIVE_PRICE
    prices: list[int] = field(default_factory=list)
    _revenue_alone_by_train: list[int] = field(default_factory=list)
    _track_bits_by_link: list[tuple[int, ...]] = field(default_factory=list)
    _links_by_track_bit: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    _reduction_count: int = 0

    def __post_init__(self) -> None:
        self._track_bits_by_link = [_bits_of(link.mask) for link in self.link_order.ordered_links]
        for link, bits in enumerate(self._track_bits_by_link):
            for bit in bits:
                self._links_by_track_bit[bit].append(link)

    def improve_prices(self, rounds: int, shrink_factor: float) -> None:
        """Raise the shadow prices of track that several trains want, and lower those of track that no train wants.

        The step size is multiplied by `shrink_factor` in each of the `rounds`. Raises WorkBudgetExhausted.
        """
        bit_count = 1 + max(self._links_by_track_bit)
        shadow_prices = [float(price) for price in self.prices] or [0.0] * bit_count
        direction, step_factor, best_routes = [0.0] * bit_count, _FIRST_STEP_FACTOR, list[LinkNumbers]()
        for _ in range(rounds):
            prices = [round(price) for price in shadow_prices]
            bound, routes = self._upper_bound_at(prices)
            if bound < self.upper_bound:
                self.upper_bound, self.prices, best_routes = bound, prices, routes
                if not any(prices):
                    self._improve_routes(routes)
                elif self._reduction_count % _BOUND_REDUCTIONS_PER_IMPROVEMENT == 0:
                    self._improve_routes_at_prices(routes)
                self._reduction_count += 1
            if self.is_proven():
                return
            use_by_bit = Counter(
                bit for links in routes for link in links for bit in self._track_bits_by_link[link]
            )
            excess_use = [
                use_by_bit[bit] - 1 if use_by_bit[bit] > 1 or shadow_prices[bit] > 0 else 0
                for bit in range(bit_count)
            ]
            direction = [
                _OLD_DIRECTION_WEIGHT * old + (1 - _OLD_DIRECTION_WEIGHT) * new
                for old, new in zip(direction, excess_use, strict=True)
            ]
            step_size = (
                step_factor
                * (bound - self.value)
                / (sum(direction_of_bit * direction_of_bit for direction_of_bit in direction) or 1.0)
            )
            shadow_prices = [
                max(0.0, price + step_size * direction_of_bit)
                for price, direction_of_bit in zip(shadow_prices, direction, strict=True)
            ]
            step_factor *= shrink_factor
        self._improve_routes_at_prices(best_routes)

    def is_proven(self) -> bool:
        """True if no set of routes can earn more than `value`."""
        return self.upper_bound - self.upper_bound % self.revenue_unit <= self.value

    def link_prices(self, prices: Sequence[int]) -> list[int]:
        """The sum of the shadow prices (Lagrange multipliers) of each link's track."""
        link_prices = [0] * len(self._track_bits_by_link)
        for bit, price in enumerate(prices):
            if price:
                for link in self._links_by_track_bit[bit]:
                    link_prices[link] += price
        return link_prices

    def best_dollars_at_prices(self, diagram: Diagram, link_prices: Sequence[int]) -> list[int]:
        """The result of `Diagram.best_dollars_by_node`, counted as work of the search. Raises WorkBudgetExhausted."""
        self.budget.units_left -= len(diagram.nodes) // _NODES_PASSED_PER_WORK_UNIT + 1
        if self.budget.units_left < 0:
            raise WorkBudgetExhausted
        return diagram.best_dollars_by_node(link_prices)

    def _upper_bound_at(self, prices: list[int]) -> tuple[int, list[LinkNumbers]]:
        link_prices = self.link_prices(prices)
        best_by_diagram: dict[int, tuple[int, LinkNumbers]] = {}
        for diagram in self.diagrams:
            if id(diagram) not in best_by_diagram:
                best_dollars = self.best_dollars_at_prices(diagram, link_prices)
                best_by_diagram[id(diagram)] = (
                    best_dollars[diagram.start_node],
                    diagram.route(best_dollars)[1],
                )
        net_values = [best_by_diagram[id(diagram)][0] for diagram in self.diagrams]
        if not any(prices):
            self._revenue_alone_by_train = net_values
        return sum(prices) + sum(net_values), [best_by_diagram[id(diagram)][1] for diagram in self.diagrams]

    def _improve_routes(self, routes: list[LinkNumbers]) -> None:
        """Improve a set of routes in several attempts, one for each train type.

        In each attempt, one train keeps its route while the other trains choose in turn the best routes on unused
        track. Finally the train chooses its own route again. Raises WorkBudgetExhausted.
        """
        for first_train, other_trains in self._first_and_other_trains(routes):
            self._fill_greedily({first_train: routes[first_train]}, [*other_trains, first_train])

    def _improve_routes_at_prices(self, routes: list[LinkNumbers]) -> None:
        link_prices = self.link_prices(self.prices)
        for first_train, other_trains in self._first_and_other_trains(routes):
            chosen_route_by_train = {first_train: routes[first_train]}
            for train in other_trains:
                _, chosen_route_by_train[train] = self._best_route_beside(
                    train, chosen_route_by_train, link_prices
                )
            self._fill_greedily(chosen_route_by_train, range(len(routes)))

    def _first_and_other_trains(self, routes: list[LinkNumbers]) -> Iterator[tuple[int, list[int]]]:
        for first_train in range(len(routes)):
            if not first_train or self.diagrams[first_train] is not self.diagrams[first_train - 1]:
                yield first_train, [train for train in range(len(routes)) if train != first_train]

    def _fill_greedily(self, chosen_route_by_train: dict[int, LinkNumbers], order: Iterable[int]) -> None:
        """Give each train in turn its best route on unused track; stop once the known revenue cannot be exceeded."""
        total_revenue, max_revenue_left, zero_link_prices = (
            0,
            sum(self._revenue_alone_by_train),
            [0] * len(self.link_order.ordered_links),
        )
        for train in order:
            if total_revenue + max_revenue_left <= self.value:
                return
            value, chosen_route_by_train[train] = self._best_route_beside(
                train, chosen_route_by_train, zero_link_prices
            )
            total_revenue += value
            max_revenue_left -= self._revenue_alone_by_train[train]
        if total_revenue > self.value:
            self.value = total_revenue
            self.routes = [chosen_route_by_train[train] for train in range(len(chosen_route_by_train))]

    def _best_route_beside(
        self, train: int, chosen_route_by_train: dict[int, LinkNumbers], link_prices: Sequence[int]
    ) -> tuple[int, LinkNumbers]:
        ordered_links = self.link_order.ordered_links
        used_track = 0
        for other, links in chosen_route_by_train.items():
            if other != train:
                for link in links:
                    used_track |= ordered_links[link].mask
        diagram = self.diagrams[train]
        prices_excluding_used_track = [
            PROHIBITIVE_PRICE if link.mask & used_track else cost
            for link, cost in zip(ordered_links, link_prices, strict=True)
        ]
        return diagram.route(self.best_dollars_at_prices(diagram, prices_excluding_used_track))


def _bits_of(mask: int) -> tuple[int, ...]:
    return tuple(bit for bit in range(mask.bit_length()) if mask >> bit & 1)
