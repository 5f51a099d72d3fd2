"""The best routes of several trains by decision diagrams, for graphs where diagrams stay small.

Once the shadow prices of track are good (see `pricing`), two methods search for the best set of routes. The gap is the
difference between the upper bound and the known revenue.

Near the best (`search_near_best`): in a set worth more than the known one, each route is less than the gap below its
train's best route. A diagram lists exactly these routes.

Side by side (`search_side_by_side`): all trains go through their diagrams together, link by link. The state of the
search is the trains' current nodes and the used track that later links also use. The shadow prices give an upper bound:
at first their sum plus each train's best route alone. The bound falls when a train takes another way than it would
alone, and by the shadow price of track that stays unused. The search drops a state when its bound falls below the known
revenue.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias

from engine.routes.disjoint_set import best_disjoint_set
from engine.routes.graph import Graph, LinkOrder, TrackLink, UndirectedLink, best_link_order
from engine.routes.outline import DEAD_NODE, DONE_NODE, build_outline, common_stop_range
from engine.routes.pricing import Diagram, LinkNumbers, ShadowPriceSearch, build_diagram
from engine.routes.single_train import (
    Arm,
    GraphRoute,
    WorkBudget,
    WorkBudgetExhausted,
    total_shadow_price,
)
from engine.routes.train_types import TrainType

_STEPS_PER_WORK_UNIT: Final = 4


class ListedRoute(NamedTuple):
    """A route listed by its links: net value (revenue minus shadow prices of track), revenue in dollars, and track."""

    net_value: int
    value: int
    mask: int
    links: tuple[int, ...]


def search_near_best(pricing: ShadowPriceSearch) -> None:
    """Find a better set of routes among those close to each train's best route. Raises WorkBudgetExhausted."""
    slack = pricing.upper_bound - pricing.value - pricing.revenue_unit
    link_prices = pricing.link_prices(pricing.prices)
    routes_by_diagram: dict[int, list[ListedRoute]] = {}
    for diagram in pricing.diagrams:
        if id(diagram) not in routes_by_diagram:
            best_dollars = pricing.best_dollars_at_prices(diagram, link_prices)
            routes_by_diagram[id(diagram)] = _routes_near_best(
                diagram, best_dollars, link_prices, pricing.link_order.ordered_links, slack, pricing.budget
            )
    route_lists = [routes_by_diagram[id(diagram)] for diagram in pricing.diagrams]
    trains_shortest_first = sorted(range(len(route_lists)), key=lambda train: len(route_lists[train]))
    minimum = pricing.value + pricing.revenue_unit
    picked_routes, is_complete = best_disjoint_set(
        [route_lists[train] for train in trains_shortest_first], minimum, pricing.prices, pricing.budget
    )
    if picked_routes is not None:
        route_by_train = dict(zip(trains_shortest_first, picked_routes, strict=True))
        routes = [route_by_train[train] for train in range(len(route_lists))]
        pricing.value = sum(route.value for route in routes if route)
        pricing.routes = [LinkNumbers(route.links) if route else [] for route in routes]
    if not is_complete:
        raise WorkBudgetExhausted
    pricing.upper_bound = pricing.value


def _routes_near_best(
    diagram: Diagram,
    best_dollars: Sequence[int],
    link_prices: Sequence[int],
    ordered_links: Sequence[UndirectedLink],
    slack: int,
    budget: WorkBudget,
) -> list[ListedRoute]:
    """The routes within `slack` dollars of the best, best first; only one for each set of track."""
    route_by_mask: dict[int, ListedRoute] = {}
    nodes_to_follow = [(diagram.start_node, slack, ListedRoute(0, 0, 0, ()))]
    step_count = 0
    while nodes_to_follow:
        node, slack_left, route = nodes_to_follow.pop()
        if node == DONE_NODE and (
            route.mask not in route_by_mask or route_by_mask[route.mask].net_value < route.net_value
        ):
            route_by_mask[route.mask] = route
        if node in {DEAD_NODE, DONE_NODE}:
            continue
        step_count += 1
        if step_count % _STEPS_PER_WORK_UNIT == 0:
            budget.spend()
        skip_node, take_node, gain, link = diagram.nodes[node]
        next_slack = slack_left - best_dollars[node] + best_dollars[skip_node]
        if next_slack >= 0:
            nodes_to_follow.append((skip_node, next_slack, route))
        net_value = gain - link_prices[link]
        next_slack = slack_left - best_dollars[node] + best_dollars[take_node] + net_value
        if next_slack >= 0:
            net_value, value, mask, links = (
                route.net_value + net_value,
                route.value + gain,
                route.mask | ordered_links[link].mask,
                route.links,
            )
            nodes_to_follow.append(
                (take_node, next_slack, ListedRoute(net_value, value, mask, (*links, link)))
            )
    route_by_mask.pop(0, None)
    return sorted(route_by_mask.values(), key=lambda route: -route.net_value)


_NO_TRAIN: Final = -1

_JointState: TypeAlias = tuple[int, tuple[int, ...]]
"""Joint state of all trains in the side-by-side search: used track that later links also use, and sorted nodes."""
_BestWay: TypeAlias = tuple[int, int, _JointState | None, int, Sequence[int]]
"""The best way to a state of the side-by-side search.

Consists of: the dollars by which the bound may still fall; the last link, the state before it, and the train that used
it; and the node of each train.
"""


def search_side_by_side(pricing: ShadowPriceSearch) -> None:
    """Find a better set of routes by going through the diagrams of all trains together. Raises WorkBudgetExhausted."""
    nodes, start_nodes = _joint_nodes_and_starts(pricing)
    joint_search = _JointSearch(pricing.link_order, nodes, pricing.prices, pricing.budget)
    minimum = pricing.value + pricing.revenue_unit
    result = joint_search.run(start_nodes, pricing.upper_bound - minimum)
    if result is not None:
        slack, pricing.routes = result
        pricing.value = minimum + slack
    pricing.upper_bound = pricing.value


@dataclass(slots=True)
class _JointNodes:
    """The nodes of all trains' diagrams in one numbering, each with its link and its possible transitions.

    A transition is a next node, and the dollars by which the bound falls. Each node has one transition that
    leaves its link unused, and one for each way to use the link.
    """

    link_of_node: list[int]
    transition_without_link: list[tuple[int, int]] = field(
        default_factory=lambda: [(DEAD_NODE, 0), (DONE_NODE, 0)]
    )
    transitions_with_link: list[list[tuple[int, int]]] = field(default_factory=lambda: [[], []])

    def add(self, diagram: Diagram, dollars_by_node: Sequence[int], link_prices: Sequence[int]) -> int:
        number_shift = len(self.link_of_node) - DONE_NODE - 1
        for (skip_node, take_node, gain, link), best_dollars in zip(
            diagram.nodes[DONE_NODE + 1 :], dollars_by_node[DONE_NODE + 1 :], strict=True
        ):
            loss, node_after_skip = (
                best_dollars - dollars_by_node[skip_node],
                _joint_number(skip_node, number_shift),
            )
            skip_transition = (node_after_skip, loss)
            take_transitions = [
                (
                    _joint_number(take_node, number_shift),
                    best_dollars - dollars_by_node[take_node] - gain + link_prices[link],
                )
            ]
            if self.link_of_node[node_after_skip] == link:
                skip_transition = (
                    self.transition_without_link[node_after_skip][0],
                    loss + self.transition_without_link[node_after_skip][1],
                )
                take_transitions += [
                    (next_node, loss + loss_with_link)
                    for next_node, loss_with_link in self.transitions_with_link[node_after_skip]
                ]
            self.link_of_node.append(link)
            self.transition_without_link.append(skip_transition)
            self.transitions_with_link.append(take_transitions)
        return _joint_number(diagram.start_node, number_shift)


def _joint_number(node: int, number_shift: int) -> int:
    return node + number_shift if node > DONE_NODE else node


def _joint_nodes_and_starts(pricing: ShadowPriceSearch) -> tuple[_JointNodes, list[int]]:
    link_count = len(pricing.link_order.ordered_links)
    nodes = _JointNodes([link_count, link_count])
    link_prices = pricing.link_prices(pricing.prices)
    start_nodes: dict[int, int] = {}
    for diagram in pricing.diagrams:
        if id(diagram) not in start_nodes:
            start_nodes[id(diagram)] = nodes.add(
                diagram, pricing.best_dollars_at_prices(diagram, link_prices), link_prices
            )
    return nodes, [start_nodes[id(diagram)] for diagram in pricing.diagrams]


class _JointSearch:
    """The side-by-side search: the states at each link, and the best way to each state."""

    def __init__(
        self, link_order: LinkOrder, nodes: _JointNodes, prices: Sequence[int], budget: WorkBudget
    ) -> None:
        self._links = link_order.ordered_links
        self._nodes = nodes
        self._prices = prices
        self._budget = budget
        self._later_track = link_order.track_from_each_link()
        self._states_by_link: list[dict[_JointState, _BestWay]] = [
            {} for _ in range(len(link_order.ordered_links) + 1)
        ]

    def run(self, start_nodes: list[int], slack: int) -> tuple[int, list[LinkNumbers]] | None:
        """The best routes, with the dollars by which they exceed the required revenue; None if none reach it.

        The required revenue is one revenue unit above the known revenue, and `slack` is the difference between the
        upper bound and the required revenue. The dollars are the first value returned. Raises WorkBudgetExhausted.
        """
        self._record_state((slack, 0, None, _NO_TRAIN, start_nodes), 0, {})
        for link_number in range(len(self._links)):
            self._budget.units_left -= len(self._states_by_link[link_number])
            if self._budget.units_left < 0:
                raise WorkBudgetExhausted
            self._add_next_states(link_number)
        end_state = (0, (DONE_NODE,) * len(start_nodes))
        if end_state not in self._states_by_link[-1]:
            return None
        return self._states_by_link[-1][end_state][0], self._routes_to(end_state)

    def _add_next_states(self, link_number: int) -> None:
        mask = self._links[link_number].mask
        price_by_unused_track: dict[int, int] = {}
        for state, (slack, _, _, _, _) in self._states_by_link[link_number].items():
            used_track, nodes = state
            for using_train, next_nodes, slack_left in self._possible_transitions(
                link_number, nodes, slack, is_blocked=bool(used_track & mask)
            ):
                used_track_after = used_track if using_train == _NO_TRAIN else used_track | mask
                self._record_state(
                    (slack_left, link_number, state, using_train, next_nodes),
                    used_track_after,
                    price_by_unused_track,
                )

    def _possible_transitions(
        self, link_number: int, nodes: Sequence[int], slack: int, *, is_blocked: bool
    ) -> Iterator[tuple[int, list[int], int]]:
        joint_nodes = self._nodes
        nodes_after_skip = list(nodes)
        trains_at_link = [i for i, node in enumerate(nodes) if joint_nodes.link_of_node[node] == link_number]
        for i in trains_at_link:
            nodes_after_skip[i], loss = joint_nodes.transition_without_link[nodes[i]]
            slack -= loss
        if slack >= 0:
            yield _NO_TRAIN, nodes_after_skip, slack
        if is_blocked:
            return
        for i in trains_at_link:
            slack_without_skip = slack + joint_nodes.transition_without_link[nodes[i]][1]
            for next_node, loss in joint_nodes.transitions_with_link[nodes[i]]:
                if slack_without_skip >= loss:
                    next_nodes = nodes_after_skip.copy()
                    next_nodes[i] = next_node
                    yield i, next_nodes, slack_without_skip - loss

    def _record_state(
        self, best_way: _BestWay, used_track: int, price_by_unused_track: dict[int, int]
    ) -> None:
        """Record the way to a state if it is the best so far and may still lead to better routes.

        Track that no later link uses and no train has used lowers the bound by its shadow price. The way is dropped if
        the bound falls below the required revenue.
        """
        slack, number, _, _, nodes = best_way
        link_of_node = self._nodes.link_of_node
        next_link = min([link_of_node[node] for node in nodes])
        unused_track = self._later_track[number] & ~(self._later_track[next_link] | used_track)
        if unused_track not in price_by_unused_track:
            price_by_unused_track[unused_track] = total_shadow_price(unused_track, self._prices)
        slack -= price_by_unused_track[unused_track]
        if slack < 0:
            return
        state = (used_track & self._later_track[next_link], tuple(sorted(nodes)))
        states = self._states_by_link[next_link]
        known_way = states.get(state)
        if known_way is None or known_way[0] < slack:
            states[state] = (slack, *best_way[1:])

    def _routes_to(self, end_state: _JointState) -> list[LinkNumbers]:
        steps_back = [self._states_by_link[-1][end_state]]
        while (earlier_state := steps_back[-1][2]) is not None:
            steps_back.append(self._states_by_link[steps_back[-1][1]][earlier_state])
        routes: list[LinkNumbers] = [[] for _ in end_state[1]]
        train_by_position = list(range(len(routes)))
        for _, number, _, using_train, nodes in reversed(steps_back):
            if using_train != _NO_TRAIN:
                routes[train_by_position[using_train]].append(number)
            train_by_position = [
                train_by_position[i] for i in sorted(range(len(nodes)), key=nodes.__getitem__)
            ]
        return routes


MAX_DIAGRAM_NODES: Final = 400_000
"""Maximum number of nodes of a decision diagram; larger diagrams are abandoned."""
MAX_DIAGRAM_WORK: Final = 500_000
"""Work after which the search by decision diagrams is abandoned."""
PRICING_STAGES: Final = (
    (14, 0.85, 1_000),
    (40, 0.95, 4_000),
    (80, 0.97, 60_000),
    (240, 0.99, MAX_DIAGRAM_WORK),
)
"""Stages of the search, each as (number of steps, factor by which the step shrinks, work).

The steps change the shadow prices of track; afterwards each search method may do the given work.
"""
_WORK_PER_GAP_UNIT: Final = 250
"""Work needed per unit of the gap between upper bound and known revenue; if less is allowed, no method is tried."""
SEARCH_METHODS: Final[tuple[Callable[[ShadowPriceSearch], None], ...]] = (
    search_near_best,
    search_side_by_side,
)
"""Search methods once shadow prices are good: the first is faster if the gap is small, the second if it is wide."""


@dataclass(frozen=True, slots=True)
class DiagramResult:
    """Result of a search by diagrams.

    Better routes for each train (None if none were found), an upper bound for the revenue of any routes,
    True if the known routes are proven to be the best, and the shadow prices (Lagrange multipliers) of
    track.
    """

    routes: list[GraphRoute | None] | None
    upper_bound: int
    is_proven: bool
    prices: list[int]


def search_by_diagrams(
    graph: Graph, train_types: Sequence[TrainType], value: int, revenue_unit: int, budget: WorkBudget
) -> DiagramResult | None:
    """Search by decision diagrams for routes worth more than `value` dollars; None if diagrams would be too large.

    The revenues of all stops are multiples of `revenue_unit`.
    """
    allowed_work = min(budget.units_left, MAX_DIAGRAM_WORK)
    own_budget = WorkBudget(allowed_work)
    try:
        return _search_within_budget(graph, train_types, value, revenue_unit, own_budget)
    finally:
        budget.units_left -= allowed_work - max(0, own_budget.units_left)


def _search_within_budget(
    graph: Graph, train_types: Sequence[TrainType], value: int, revenue_unit: int, budget: WorkBudget
) -> DiagramResult | None:
    link_order = best_link_order(graph)
    if link_order is None:
        return None
    try:
        outline = build_outline(graph, link_order, common_stop_range(train_types), MAX_DIAGRAM_NODES, budget)
        diagram_by_type: dict[TrainType, Diagram] = {}
        for train_type in train_types:
            if train_type not in diagram_by_type:
                diagram_by_type[train_type] = build_diagram(outline, train_type, MAX_DIAGRAM_NODES, budget)
    except WorkBudgetExhausted:
        return None
    pricing = ShadowPriceSearch(
        link_order, [diagram_by_type[train_type] for train_type in train_types], value, revenue_unit, budget
    )
    is_proven = _search_until_proven(pricing)
    routes = None
    if pricing.routes is not None:
        links_by_train = ([link_order.ordered_links[link] for link in links] for links in pricing.routes)
        routes = [
            _route_over(graph, s, ordered_links)
            for s, ordered_links in zip(train_types, links_by_train, strict=True)
        ]
    return DiagramResult(routes, pricing.upper_bound, is_proven, pricing.prices)


def _search_until_proven(pricing: ShadowPriceSearch) -> bool:
    """Search until the best routes are proven; returns False if that takes too much work.

    Shadow prices are improved again before each longer attempt, because that takes little work and saves
    much.
    """
    try:
        for rounds, shrink_factor, work_limit in PRICING_STAGES:
            pricing.improve_prices(rounds, shrink_factor)
            if pricing.is_proven() or any(
                _proves_best_within_work(method, pricing, work_limit)
                for method in _methods_worth_trying(pricing, work_limit)
            ):
                pricing.upper_bound = pricing.value
                return True
    except WorkBudgetExhausted:
        return False
    return False


def _methods_worth_trying(
    pricing: ShadowPriceSearch, work_limit: int
) -> tuple[Callable[[ShadowPriceSearch], None], ...]:
    gap = (pricing.upper_bound - pricing.value) // pricing.revenue_unit
    return SEARCH_METHODS if gap * _WORK_PER_GAP_UNIT <= work_limit else ()


def _proves_best_within_work(
    method: Callable[[ShadowPriceSearch], None], pricing: ShadowPriceSearch, work_limit: int
) -> bool:
    budget = pricing.budget
    pricing.budget = WorkBudget(min(work_limit, budget.units_left))
    work_given_to_method = pricing.budget.units_left
    try:
        method(pricing)
    except WorkBudgetExhausted:
        return pricing.is_proven()
    finally:
        budget.units_left -= work_given_to_method - max(0, pricing.budget.units_left)
        pricing.budget = budget
    return True


def _route_over(graph: Graph, train_type: TrainType, route_links: list[UndirectedLink]) -> GraphRoute | None:
    if not route_links:
        return None
    visited_stops = {stop for link in route_links for stop in link[:2]}
    token = next(stop for stop in graph.tokens if stop in visited_stops)
    mask = sum(link.mask for link in route_links)
    first_links = [link for link in route_links if token in link[:2]]
    arms = [_arm_from(graph, token, first_link, route_links) for first_link in first_links]
    value = train_type.value_of(visited_stops)
    return GraphRoute(value, value, mask, token, (arms[0], arms[1] if len(arms) == 2 else ()))


def _arm_from(graph: Graph, token: int, first_link: UndirectedLink, route_links: list[UndirectedLink]) -> Arm:
    stop, current_link, arm = token, first_link, list[TrackLink]()
    while True:
        next_stop = current_link.stop_b if current_link.stop_a == stop else current_link.stop_a
        arm.append(
            next(
                link
                for link in graph.links[stop]
                if link.to_stop == next_stop and link.mask == current_link.mask
            )
        )
        next_links = [other for other in route_links if other is not current_link and next_stop in other[:2]]
        if not next_links:
            return tuple(arm)
        stop, current_link = next_stop, next_links[0]
