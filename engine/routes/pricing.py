"""Prices on track, which give an upper bound for the total revenue of all trains; computed with diagrams.

A diagram is an outline (see `outline`) of all routes, with one train type's dollars for each stop and its limit of
stops. It finds the best route at new prices in one pass over its nodes, so that prices can be improved many times. The
routes found along the way are combined into sets.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from engine.routes.graph import LinkOrder
from engine.routes.outline import DEAD_NODE, DONE_NODE, NewStops, Outline
from engine.routes.single_train import OutOfWork, TrainType, WorkBudget

PROHIBITIVE_COST: Final = 1_000_000_000
"""Cost in dollars of track that must not be used: more than any set of routes is worth."""
_NODES_DRAWN_PER_WORK_UNIT: Final = 4

WaysToStop: TypeAlias = dict[NewStops, list[tuple[int, int]]]
"""For the new stops of a link, the ways to stop there: number of counted stops, and dollars."""


DiagramNode: TypeAlias = tuple[int, int, int, int]
"""The next node if the link is not used, the next node if it is used, the dollars of its new stops, and the link.

A plain tuple, because tens of thousands are made.
"""


@dataclass(frozen=True, slots=True)
class Diagram:
    """All routes of one train type as a decision diagram; the first two nodes are DEAD_NODE and DONE_NODE."""

    nodes: list[DiagramNode]
    root: int

    def best_by_node(self, costs: Sequence[int]) -> list[int]:
        """For each node, the highest dollars from there to the end of a route, at these costs of links."""
        dollars_by_node = [-PROHIBITIVE_COST, 0]
        append = dollars_by_node.append
        for skip_node, take_node, gain, link in self.nodes[DONE_NODE + 1 :]:
            without_link, with_link = (
                dollars_by_node[skip_node],
                dollars_by_node[take_node] + gain - costs[link],
            )
            append(with_link if with_link > without_link else without_link)
        return dollars_by_node

    def route(self, best_dollars: Sequence[int]) -> tuple[int, list[int]]:
        """Dollars and links of the best route; `best_dollars` is the result of `best_by_node`."""
        node, value, links = self.root, 0, []
        while node != DONE_NODE:
            skip_node, take_node, gain, link = self.nodes[node]
            if best_dollars[node] == best_dollars[skip_node]:
                node = skip_node
            else:
                value += gain
                links.append(link)
                node = take_node
        return value, links


def diagram_of(outline: Outline, service: TrainType, maximum: int, budget: WorkBudget) -> Diagram:
    """The diagram of all routes of this train type. Raises OutOfWork if it has more than `maximum` nodes or the budget
    is used up.

    Each node is a node of the outline together with a number of stops that can still be counted there. If the train may
    pass a stop without counting it, a link has several such nodes in a row.
    """
    choices = outline.choices
    stops = {new: _ways_to_stop(service, new) for new in {new for _, _, _, new in choices}}
    fewest_ahead, most_ahead = _stop_counts_ahead(outline, stops)
    stops_left = _stop_counts_left_by_node(outline, service.limit, stops, fewest_ahead, most_ahead)
    node_count = sum(map(len, stops_left))
    budget.left -= node_count // _NODES_DRAWN_PER_WORK_UNIT
    if node_count > maximum or budget.left < 0:
        raise OutOfWork
    node_numbers: dict[DiagramNode, int] = {}
    add_node = node_numbers.setdefault
    next_number = DONE_NODE + 1
    nodes_by_spare: list[dict[int, int]] = [{}, dict.fromkeys(range(service.limit + 1), DONE_NODE)]
    for (skip_node, take_node, link, new), spare_counts in zip(
        choices[DONE_NODE + 1 :], stops_left[DONE_NODE + 1 :], strict=True
    ):
        node_by_spare: dict[int, int] = {}
        nodes_if_skipped, nodes_if_taken, maximum, most_if_taken = (
            nodes_by_spare[skip_node],
            nodes_by_spare[take_node],
            most_ahead[skip_node],
            most_ahead[take_node],
        )
        for spare_stops in spare_counts:
            node = nodes_if_skipped.get(spare_stops if spare_stops < maximum else maximum, DEAD_NODE)
            for counted_stops, gain in stops[new]:
                spare_left = spare_stops - counted_stops
                node_if_used = nodes_if_taken.get(
                    spare_left if spare_left < most_if_taken else most_if_taken, DEAD_NODE
                )
                if node_if_used != DEAD_NODE:
                    node = add_node((node, node_if_used, gain, link), next_number)
                    if node == next_number:
                        next_number += 1
            node_by_spare[spare_stops] = node
        nodes_by_spare.append(node_by_spare)
    _, _, end, _ = choices[DONE_NODE]
    root = nodes_by_spare[outline.root][min(service.limit, most_ahead[outline.root])]
    return Diagram([(DEAD_NODE, DEAD_NODE, 0, end), (DEAD_NODE, DEAD_NODE, 0, end), *node_numbers], root)


def _ways_to_stop(service: TrainType, new: NewStops) -> list[tuple[int, int]]:
    """For each number of counted stops, that number and the highest dollars for stopping at these stops."""
    best_by_count = {0: 0}
    for stop in new:
        stop_ways = [
            (service.counts[stop], service.values[stop]),
            *([(0, 0)] if stop in service.optional else []),
        ]
        combined_ways = [(count + c, gain + g) for count, gain in best_by_count.items() for c, g in stop_ways]
        best_by_count = {
            count: max(gain for c, gain in combined_ways if c == count) for count, _ in combined_ways
        }
    return sorted(best_by_count.items())


def _stop_counts_left_by_node(
    outline: Outline, limit: int, stops: WaysToStop, fewest_ahead: list[int], most_ahead: list[int]
) -> list[set[int]]:
    """For each node of the outline, the possible numbers of stops that can still be counted there."""
    stops_left: list[set[int]] = [set() for _ in outline.choices]
    stops_left[outline.root].add(min(limit, most_ahead[outline.root]))
    for node in range(len(stops_left) - 1, DONE_NODE, -1):
        skip_node, take_node, _, new = outline.choices[node]
        if skip_node > DONE_NODE:
            fewest, max_count, add_count = (
                fewest_ahead[skip_node],
                most_ahead[skip_node],
                stops_left[skip_node].add,
            )
            for spare_stops in stops_left[node]:
                if spare_stops >= fewest:
                    add_count(spare_stops if spare_stops < max_count else max_count)
        if take_node > DONE_NODE:
            fewest, max_count, add_count = (
                fewest_ahead[take_node],
                most_ahead[take_node],
                stops_left[take_node].add,
            )
            for count, _ in stops[new]:
                for spare_stops in stops_left[node]:
                    if spare_stops - count >= fewest:
                        add_count(spare_stops - count if spare_stops - count < max_count else max_count)
    return stops_left


def _stop_counts_ahead(outline: Outline, stops: WaysToStop) -> tuple[list[int], list[int]]:
    """For each node of the outline, the fewest and the most stops counted from there to the end of a route."""
    fewest_counted, most_counted = [PROHIBITIVE_COST, 0], [-PROHIBITIVE_COST, 0]
    for skip_node, take_node, _, new in outline.choices[DONE_NODE + 1 :]:
        counts = [count for count, _ in stops[new]]
        fewest_counted.append(min(fewest_counted[skip_node], fewest_counted[take_node] + min(counts)))
        most_counted.append(max(most_counted[skip_node], most_counted[take_node] + max(counts)))
    return fewest_counted, most_counted


_FIRST_STEP: Final = 0.8
"""First step of the prices, as a fraction of the step that would ideally lower the bound to the known value."""
_OLD_DIRECTION_WEIGHT: Final = 0.3
"""Weight of earlier directions of price changes, so that prices do not oscillate."""
_REDUCTIONS_PER_REPAIR: Final = 6
"""Number of reductions of the bound before routes are combined again."""
_NODES_PASSED_PER_WORK_UNIT: Final = 16
"""Number of nodes passed in the time of one stop visited by `search`."""

LinkNumbers: TypeAlias = list[int]
"""A route as the numbers of its links in the link order."""


@dataclass(slots=True)
class Pricing:
    """A search for prices. `value` is the revenue to exceed, in dollars; `routes` are routes that exceeded it, or None.

    No set of routes earns more than `upper_bound`, the bound given by `prices`; the dollars of stops are multiples of
    `unit`.
    """

    link_order: LinkOrder
    diagrams: Sequence[Diagram]
    value: int
    unit: int
    work: WorkBudget
    routes: list[LinkNumbers] | None = None
    upper_bound: int = PROHIBITIVE_COST
    prices: list[int] = field(default_factory=list)
    _revenue_alone: list[int] = field(default_factory=list)
    """Revenue of each train alone, with all prices 0."""
    _track_bits_by_link: list[tuple[int, ...]] = field(default_factory=list)
    _users: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    """For each bit of track, the links that use it."""
    _reduction_count: int = 0
    """Number of times that the bound was reduced."""

    def __post_init__(self) -> None:
        self._track_bits_by_link = [_bits_of(link.mask) for link in self.link_order.ordered_links]
        for link, bits in enumerate(self._track_bits_by_link):
            for bit in bits:
                self._users[bit].append(link)

    def improve(self, rounds: int, shrink_factor: float) -> None:
        """Raise prices of track that several trains want and lower those of unwanted track. Raises OutOfWork.

        The step size is multiplied by `shrink_factor` in each round.
        """
        bit_count = 1 + max(self._users)
        shadow_prices = [float(price) for price in self.prices] or [0.0] * bit_count
        direction, step_factor, best_routes = [0.0] * bit_count, _FIRST_STEP, list[LinkNumbers]()
        for _ in range(rounds):
            prices = [round(price) for price in shadow_prices]
            bound, routes = self._bound_at(prices)
            if bound < self.upper_bound:
                self.upper_bound, self.prices, best_routes = bound, prices, routes
                if not any(prices):
                    self._improve(routes)
                elif self._reduction_count % _REDUCTIONS_PER_REPAIR == 0:
                    self._improve_at_prices(routes)
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
        self._improve_at_prices(best_routes)

    def is_proven(self) -> bool:
        """True if no revenue above `value` is possible."""
        return self.upper_bound - self.upper_bound % self.unit <= self.value

    def costs(self, prices: Sequence[int]) -> list[int]:
        """The cost of each link: the sum of the prices of its track."""
        costs = [0] * len(self._track_bits_by_link)
        for bit, price in enumerate(prices):
            if price:
                for link in self._users[bit]:
                    costs[link] += price
        return costs

    def best_at_costs(self, diagram: Diagram, costs: Sequence[int]) -> list[int]:
        """For each node of a diagram, the highest dollars from there, at these costs of links. Raises OutOfWork."""
        self.work.left -= len(diagram.nodes) // _NODES_PASSED_PER_WORK_UNIT + 1
        if self.work.left < 0:
            raise OutOfWork
        return diagram.best_by_node(costs)

    def _bound_at(self, prices: list[int]) -> tuple[int, list[LinkNumbers]]:
        """The bound at these prices, and the links of each train's best route."""
        costs = self.costs(prices)
        best_by_diagram: dict[int, tuple[int, LinkNumbers]] = {}
        for diagram in self.diagrams:
            if id(diagram) not in best_by_diagram:
                best_dollars = self.best_at_costs(diagram, costs)
                best_by_diagram[id(diagram)] = (best_dollars[diagram.root], diagram.route(best_dollars)[1])
        net_values = [best_by_diagram[id(diagram)][0] for diagram in self.diagrams]
        if not any(prices):
            self._revenue_alone = net_values
        return sum(prices) + sum(net_values), [best_by_diagram[id(diagram)][1] for diagram in self.diagrams]

    def _improve(self, routes: list[LinkNumbers]) -> None:
        """Improve the routes: keep one train's route, give the others the best left, then the first again."""
        for first_train, others in self._trains_of_each_type(routes):
            self._fill_greedily({first_train: routes[first_train]}, [*others, first_train])

    def _improve_at_prices(self, routes: list[LinkNumbers]) -> None:
        """Improve the set of routes at the current prices, so that the other trains avoid the track wanted most."""
        costs = self.costs(self.prices)
        for first_train, others in self._trains_of_each_type(routes):
            chosen_routes = {first_train: routes[first_train]}
            for train in others:
                _, chosen_routes[train] = self._best_alongside(train, chosen_routes, costs)
            self._fill_greedily(chosen_routes, range(len(routes)))

    def _trains_of_each_type(self, routes: list[LinkNumbers]) -> Iterator[tuple[int, list[int]]]:
        """The first train of each type, with all other trains."""
        for first_train in range(len(routes)):
            if not first_train or self.diagrams[first_train] is not self.diagrams[first_train - 1]:
                yield first_train, [train for train in range(len(routes)) if train != first_train]

    def _fill_greedily(self, chosen_routes: dict[int, LinkNumbers], order: Iterable[int]) -> None:
        """Give each train in turn the best route that the others leave, while the known value can be exceeded."""
        total_value, possible_rest, no_costs = (
            0,
            sum(self._revenue_alone),
            [0] * len(self.link_order.ordered_links),
        )
        for train in order:
            if total_value + possible_rest <= self.value:
                return
            value, chosen_routes[train] = self._best_alongside(train, chosen_routes, no_costs)
            total_value += value
            possible_rest -= self._revenue_alone[train]
        if total_value > self.value:
            self.value = total_value
            self.routes = [chosen_routes[train] for train in range(len(chosen_routes))]

    def _best_alongside(
        self, train: int, chosen_routes: dict[int, LinkNumbers], costs: Sequence[int]
    ) -> tuple[int, LinkNumbers]:
        """Dollars and links of the train's best route at these costs, avoiding the track of the other chosen routes."""
        ordered_links = self.link_order.ordered_links
        used_track = 0
        for other, links in chosen_routes.items():
            if other != train:
                for link in links:
                    used_track |= ordered_links[link].mask
        diagram = self.diagrams[train]
        costs_without_used = [
            PROHIBITIVE_COST if link.mask & used_track else cost
            for link, cost in zip(ordered_links, costs, strict=True)
        ]
        return diagram.route(self.best_at_costs(diagram, costs_without_used))


def _bits_of(mask: int) -> tuple[int, ...]:
    return tuple(bit for bit in range(mask.bit_length()) if mask >> bit & 1)
