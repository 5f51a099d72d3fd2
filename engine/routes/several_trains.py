"""The best routes of several trains by diagrams, for graphs where these stay small.

Once the prices of track are good (see `pricing`), there are two ways to continue. Near the best: a set of
routes worth more than the one known is made of routes that each come within the gap between bound and known
value of the train's best; a diagram lists these without a step in vain. Side by side: all trains go through
their diagrams together, link by link. Where they stand, and the track in use that is still to come, is all
that matters for what follows. The prices bound what can still be earned: at the start, the sum of all
prices and the best of each train alone. From there on the bound falls whenever a train moves otherwise than
it would alone, and by the price of all track that is left behind unused. Where it has fallen too far,
nothing is lost by going no further.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias

from engine.routes.disjoint_set import best_disjoint_set
from engine.routes.graph import Bond, Graph, LinkOrder, TrackLink, link_order_of
from engine.routes.outline import DEAD, DONE, outline_of, range_of
from engine.routes.pricing import Diagram, Links, Pricing, diagram_of
from engine.routes.single_train import Arm, GraphRoute, OutOfWork, Service, WorkBudget, price_of

_STEPS_A_UNIT: Final = 4
"""Continuing from this many nodes takes as long as visiting a stop in the other search."""


class ListedRoute(NamedTuple):
    """A route by its links: net and gross dollars, and the track used."""

    net: int
    value: int
    mask: int
    links: tuple[int, ...]


def near_the_best(pricing: Pricing) -> None:
    """Find routes better than the known ones by listing; may raise OutOfWork."""
    slack = pricing.upper - pricing.value - pricing.unit
    costs = pricing.costs(pricing.prices)
    known: dict[int, list[ListedRoute]] = {}
    for diagram in pricing.diagrams:
        if id(diagram) not in known:
            best = pricing.best_at_costs(diagram, costs)
            known[id(diagram)] = _routes_near_best(
                diagram, best, costs, pricing.course.bonds, slack, pricing.work
            )
    lists = [known[id(diagram)] for diagram in pricing.diagrams]
    order = sorted(range(len(lists)), key=lambda train: len(lists[train]))
    least = pricing.value + pricing.unit
    picked, complete = best_disjoint_set(
        [lists[train] for train in order], least, pricing.prices, pricing.work
    )
    if picked is not None:
        lines = dict(zip(order, picked, strict=True))
        chosen = [lines[train] for train in range(len(lists))]
        pricing.value = sum(route.value for route in chosen if route)
        pricing.lines = [Links(route.links) if route else [] for route in chosen]
    if not complete:
        raise OutOfWork
    pricing.upper = pricing.value


def _routes_near_best(
    diagram: Diagram,
    best: Sequence[int],
    costs: Sequence[int],
    bonds: Sequence[Bond],
    slack: int,
    budget: WorkBudget,
) -> list[ListedRoute]:
    """The routes within `slack` dollars of the best, best first; one for each set of track."""
    near: dict[int, ListedRoute] = {}
    ahead = [(diagram.root, slack, ListedRoute(0, 0, 0, ()))]
    steps = 0
    while ahead:
        at, left, route = ahead.pop()
        if at == DONE and (route.mask not in near or near[route.mask].net < route.net):
            near[route.mask] = route
        if at in {DEAD, DONE}:
            continue
        steps += 1
        if steps % _STEPS_A_UNIT == 0:
            budget.spend()
        skip, take, gain, bond = diagram.nodes[at]
        past = left - best[at] + best[skip]
        if past >= 0:
            ahead.append((skip, past, route))
        net = gain - costs[bond]
        past = left - best[at] + best[take] + net
        if past >= 0:
            net, value, mask, links = (
                route.net + net,
                route.value + gain,
                route.mask | bonds[bond].mask,
                route.links,
            )
            ahead.append((take, past, ListedRoute(net, value, mask, (*links, bond))))
    near.pop(0, None)
    return sorted(near.values(), key=lambda route: -route.net)


_NOBODY: Final = -1

_Place: TypeAlias = tuple[int, tuple[int, ...]]
"""Where the trains stand together: track in use that is still to come, and their nodes in rising order."""
_Step: TypeAlias = tuple[int, int, _Place | None, int, Sequence[int]]
"""The best way to a place: dollars by which the bound may still fall, the link and the place before, which of the
trains there used that link, and the node each of them comes to.
"""


def side_by_side(pricing: Pricing) -> None:
    """Find routes better than the known ones by walking all diagrams together; may raise OutOfWork."""
    nodes, roots = _numbered(pricing)
    joint = _JointSearch(pricing.course, nodes, pricing.prices, pricing.work)
    least = pricing.value + pricing.unit
    joined = joint.run(roots, pricing.upper - least)
    if joined is not None:
        slack, pricing.lines = joined
        pricing.value = least + slack
    pricing.upper = pricing.value


@dataclass(slots=True)
class _Nodes:
    """The nodes of all diagrams in one numbering, each with its link.

    For each node: the node without the link, all nodes possible with it, and the fall of the bound in each
    case. Nodes of the same link, one after the other, are passed in one move.
    """

    bond: list[int]
    skip: list[tuple[int, int]] = field(default_factory=lambda: [(DEAD, 0), (DONE, 0)])
    takes: list[list[tuple[int, int]]] = field(default_factory=lambda: [[], []])

    def add(self, diagram: Diagram, best: Sequence[int], costs: Sequence[int]) -> int:
        """Number the nodes of this diagram; returns its root."""
        shift = len(self.bond) - DONE - 1
        for (skip, take, gain, bond), most in zip(diagram.nodes[DONE + 1 :], best[DONE + 1 :], strict=True):
            loss, after = most - best[skip], _shifted(skip, shift)
            past = (after, loss)
            takes = [(_shifted(take, shift), most - best[take] - gain + costs[bond])]
            if self.bond[after] == bond:
                past = (self.skip[after][0], loss + self.skip[after][1])
                takes += [(to, loss + more) for to, more in self.takes[after]]
            self.bond.append(bond)
            self.skip.append(past)
            self.takes.append(takes)
        return _shifted(diagram.root, shift)


def _shifted(node: int, shift: int) -> int:
    return node + shift if node > DONE else node


def _numbered(pricing: Pricing) -> tuple[_Nodes, list[int]]:
    """All nodes, and the root of each train."""
    end = len(pricing.course.bonds)
    nodes = _Nodes([end, end])
    costs = pricing.costs(pricing.prices)
    roots: dict[int, int] = {}
    for diagram in pricing.diagrams:
        if id(diagram) not in roots:
            roots[id(diagram)] = nodes.add(diagram, pricing.best_at_costs(diagram, costs), costs)
    return nodes, [roots[id(diagram)] for diagram in pricing.diagrams]


class _JointSearch:
    """A search by all trains together: the states at each link, with the best way to each."""

    def __init__(self, course: LinkOrder, nodes: _Nodes, prices: Sequence[int], budget: WorkBudget) -> None:
        self._bonds = course.bonds
        self._nodes = nodes
        self._prices = prices
        self._work = budget
        self._to_come = course.to_come()
        self._levels: list[dict[_Place, _Step]] = [{} for _ in range(len(course.bonds) + 1)]

    def run(self, roots: list[int], slack: int) -> tuple[int, list[Links]] | None:
        """The routes with the smallest fall of the bound, and the fall still allowed; None if all fall too far."""
        self._record_state((slack, 0, None, _NOBODY, roots), 0, {})
        for number in range(len(self._bonds)):
            self._work.left -= len(self._levels[number])
            if self._work.left < 0:
                raise OutOfWork
            self._spread(number)
        end = (0, (DONE,) * len(roots))
        if end not in self._levels[-1]:
            return None
        return self._levels[-1][end][0], self._traced(end)

    def _spread(self, number: int) -> None:
        """Add the states that follow those at this link."""
        mask = self._bonds[number].mask
        lost: dict[int, int] = {}
        for place, (slack, _, _, _, _) in self._levels[number].items():
            used, nodes = place
            for taker, moved, left in self._moves(number, nodes, slack, blocked=bool(used & mask)):
                now = used if taker == _NOBODY else used | mask
                self._record_state((left, number, place, taker, moved), now, lost)

    def _moves(
        self, number: int, nodes: Sequence[int], slack: int, *, blocked: bool
    ) -> Iterator[tuple[int, list[int], int]]:
        """The trains that use this link, their next states, and the remaining fall of the bound."""
        known = self._nodes
        past = list(nodes)
        movers = [i for i, node in enumerate(nodes) if known.bond[node] == number]
        for i in movers:
            past[i], loss = known.skip[nodes[i]]
            slack -= loss
        if slack >= 0:
            yield _NOBODY, past, slack
        if blocked:
            return
        for i in movers:
            back = slack + known.skip[nodes[i]][1]
            for to, loss in known.takes[nodes[i]]:
                if back >= loss:
                    moved = past.copy()
                    moved[i] = to
                    yield i, moved, back - loss

    def _record_state(self, step: _Step, used: int, lost: dict[int, int]) -> None:
        """Record the best way to a state, unless unused track costs too much."""
        slack, number, _, _, moved = step
        bond = self._nodes.bond
        to = min([bond[node] for node in moved])
        behind = self._to_come[number] & ~(self._to_come[to] | used)
        if behind not in lost:
            lost[behind] = price_of(behind, self._prices)
        slack -= lost[behind]
        if slack < 0:
            return
        place = (used & self._to_come[to], tuple(sorted(moved)))
        level = self._levels[to]
        rival = level.get(place)
        if rival is None or rival[0] < slack:
            level[place] = (slack, *step[1:])

    def _traced(self, end: _Place) -> list[Links]:
        """The links of each train on the way to the end."""
        way = [self._levels[-1][end]]
        while (before := way[-1][2]) is not None:
            way.append(self._levels[way[-1][1]][before])
        lines: list[Links] = [[] for _ in end[1]]
        who = list(range(len(lines)))
        for _, number, _, taker, moved in reversed(way):
            if taker != _NOBODY:
                lines[who[taker]].append(number)
            who = [who[i] for i in sorted(range(len(moved)), key=moved.__getitem__)]
        return lines


MOST_NODES: Final = 400_000
"""Diagrams with more nodes are given up."""
ALLOWANCE: Final = 500_000
"""Work after which diagrams are given up."""
STAGES: Final = ((14, 0.85, 1_000), (40, 0.95, 4_000), (80, 0.97, 60_000), (240, 0.99, ALLOWANCE))
"""Number of improvements of prices, shrinking of their steps, and the work for each way to continue after that."""
_WORK_A_STEP: Final = 250
"""Where a gap is so wide that this work for each unit of it is not there, no way is tried: it would be in vain."""
WAYS: Final[tuple[Callable[[Pricing], None], ...]] = (near_the_best, side_by_side)
"""Searches for routes at good prices: the first is quick where the gap is small, the other where it is not."""


@dataclass(frozen=True, slots=True)
class DiagramResult:
    """Better routes for each train, if any; their bound; `settled`: proven; and good prices of track."""

    lines: list[GraphRoute | None] | None
    upper: int
    settled: bool
    prices: list[int]


def search_by_diagrams(
    graph: Graph, services: Sequence[Service], value: int, unit: int, budget: WorkBudget
) -> DiagramResult | None:
    """Search for routes worth more than `value` dollars; None if diagrams would grow too large.

    Values of stops are multiples of `unit`.
    """
    allowed = min(budget.left, ALLOWANCE)
    own = WorkBudget(allowed)
    try:
        return _searched(graph, services, value, unit, own)
    finally:
        budget.left -= allowed - max(0, own.left)


def _searched(
    graph: Graph, services: Sequence[Service], value: int, unit: int, budget: WorkBudget
) -> DiagramResult | None:
    course = link_order_of(graph)
    if course is None:
        return None
    try:
        outline = outline_of(graph, course, range_of(services), MOST_NODES, budget)
        known: dict[Service, Diagram] = {}
        for service in services:
            if service not in known:
                known[service] = diagram_of(outline, service, MOST_NODES, budget)
    except OutOfWork:
        return None
    pricing = Pricing(course, [known[service] for service in services], value, unit, budget)
    settled = _is_settled(pricing)
    lines = None
    if pricing.lines is not None:
        chosen = ([course.bonds[link] for link in links] for links in pricing.lines)
        lines = [_line_over(graph, s, bonds) for s, bonds in zip(services, chosen, strict=True)]
    return DiagramResult(lines, pricing.upper, settled, pricing.prices)


def _is_settled(pricing: Pricing) -> bool:
    """Find the best routes; False if that is too much work.

    Prices cost little and spare much work of the other ways, so they are improved again where that takes
    long.
    """
    try:
        for rounds, shrinking, allowance in STAGES:
            pricing.improve(rounds, shrinking)
            if pricing.is_settled() or any(
                _is_done_by(way, pricing, allowance) for way in _promising(pricing, allowance)
            ):
                pricing.upper = pricing.value
                return True
    except OutOfWork:
        return False
    return False


def _promising(pricing: Pricing, allowance: int) -> tuple[Callable[[Pricing], None], ...]:
    """The methods worth trying with this much work: none while the gap is too wide."""
    gap = (pricing.upper - pricing.value) // pricing.unit
    return WAYS if gap * _WORK_A_STEP <= allowance else ()


def _is_done_by(way: Callable[[Pricing], None], pricing: Pricing, allowance: int) -> bool:
    """True if the method found the best routes within the work."""
    work = pricing.work
    pricing.work = WorkBudget(min(allowance, work.left))
    given = pricing.work.left
    try:
        way(pricing)
    except OutOfWork:
        return pricing.is_settled()
    finally:
        work.left -= given - max(0, pricing.work.left)
        pricing.work = work
    return True


def _line_over(graph: Graph, service: Service, bonds: list[Bond]) -> GraphRoute | None:
    """The route over these links, None without links."""
    if not bonds:
        return None
    visited = {stop for bond in bonds for stop in bond[:2]}
    token = next(stop for stop in graph.tokens if stop in visited)
    mask = sum(bond.mask for bond in bonds)
    starts = [bond for bond in bonds if token in bond[:2]]
    arms = [_arm(graph, token, start, bonds) for start in starts]
    value = service.value_of(visited)
    return GraphRoute(value, value, mask, token, (arms[0], arms[1] if len(arms) == 2 else ()))


def _arm(graph: Graph, token: int, start: Bond, bonds: list[Bond]) -> Arm:
    """The links from the token on, in order."""
    at, bond, arm = token, start, list[TrackLink]()
    while True:
        to = bond.b if bond.a == at else bond.a
        arm.append(next(link for link in graph.links[at] if link.to == to and link.mask == bond.mask))
        onward = [other for other in bonds if other is not bond and to in other[:2]]
        if not onward:
            return tuple(arm)
        at, bond = to, onward[0]
