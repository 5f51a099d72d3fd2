"""Prices on track, which bound what all trains can earn together, by diagrams.

A diagram is the outline of all routes with what its stops are worth to one train type and how far it goes.
With it the best route at new prices costs one pass over the nodes, so prices can be improved many times.
Routes found on the way are put together as well as they go.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from engine.routes.graph import LinkOrder
from engine.routes.outline import DEAD, DONE, New, Outline
from engine.routes.single_train import OutOfWork, Service, WorkBudget

NEVER: Final = 1_000_000_000
"""More dollars than any set of routes is worth: the cost of what must not be used."""
_NODES_DRAWN_A_UNIT: Final = 4

Stopping: TypeAlias = dict[New, list[tuple[int, int]]]
"""For new stops of a link the ways to stop there: how many are counted, and dollars."""


Node: TypeAlias = tuple[int, int, int, int]
"""The next node if the link is not used and if it is, what its new stops are worth then (dollars), the link.

A plain tuple: these are made by the ten thousand.
"""


@dataclass(frozen=True, slots=True)
class Diagram:
    """All routes of one train type as a decision diagram; the first two nodes are DEAD and DONE."""

    nodes: list[Node]
    root: int

    def best_by_node(self, costs: Sequence[int]) -> list[int]:
        """For each node the highest dollars from there on, at these costs of links."""
        gains = [-NEVER, 0]
        add = gains.append
        for skip, take, gain, bond in self.nodes[DONE + 1 :]:
            without, using = gains[skip], gains[take] + gain - costs[bond]
            add(using if using > without else without)
        return gains

    def route(self, best: Sequence[int]) -> tuple[int, list[int]]:
        """Dollars and links of the best route, given the result of `best_by_node`."""
        at, value, links = self.root, 0, []
        while at != DONE:
            skip, take, gain, bond = self.nodes[at]
            if best[at] == best[skip]:
                at = skip
            else:
                value += gain
                links.append(bond)
                at = take
        return value, links


def diagram_of(outline: Outline, service: Service, maximum: int, budget: WorkBudget) -> Diagram:
    """Every route of this train type; raises OutOfWork for more than `maximum` nodes or too little work.

    Its nodes are those of the outline together with the stops that may still be counted there; where the
    train may pass by instead, several of the same link, one after the other.
    """
    choices = outline.choices
    stops = {new: _stopping(service, new) for new in {new for _, _, _, new in choices}}
    need, use = _yet_to_count(outline, stops)
    spares = _spares(outline, service.limit, stops, need, use)
    size = sum(map(len, spares))
    budget.left -= size // _NODES_DRAWN_A_UNIT
    if size > maximum or budget.left < 0:
        raise OutOfWork
    known: dict[Node, int] = {}
    add = known.setdefault
    following = DONE + 1
    numbers: list[dict[int, int]] = [{}, dict.fromkeys(range(service.limit + 1), DONE)]
    for (skip, take, bond, new), left in zip(choices[DONE + 1 :], spares[DONE + 1 :], strict=True):
        here: dict[int, int] = {}
        skipped, taken, maximum, use_most = numbers[skip], numbers[take], use[skip], use[take]
        for spare in left:
            node = skipped.get(spare if spare < maximum else maximum, DEAD)
            for count, gain in stops[new]:
                rest = spare - count
                using = taken.get(rest if rest < use_most else use_most, DEAD)
                if using != DEAD:
                    node = add((node, using, gain, bond), following)
                    if node == following:
                        following += 1
            here[spare] = node
        numbers.append(here)
    _, _, end, _ = choices[DONE]
    root = numbers[outline.root][min(service.limit, use[outline.root])]
    return Diagram([(DEAD, DEAD, 0, end), (DEAD, DEAD, 0, end), *known], root)


def _stopping(service: Service, new: New) -> list[tuple[int, int]]:
    """Numbers of stops counted and dollars, for every way of stopping at these stops."""
    best = {0: 0}
    for stop in new:
        ways = [(service.counts[stop], service.values[stop]), *([(0, 0)] if stop in service.optional else [])]
        sums = [(count + c, gain + g) for count, gain in best.items() for c, g in ways]
        best = {count: max(gain for c, gain in sums if c == count) for count, _ in sums}
    return sorted(best.items())


def _spares(outline: Outline, limit: int, stops: Stopping, need: list[int], use: list[int]) -> list[set[int]]:
    """For each node the numbers of stops that may still be counted there."""
    spares: list[set[int]] = [set() for _ in outline.choices]
    spares[outline.root].add(min(limit, use[outline.root]))
    for at in range(len(spares) - 1, DONE, -1):
        skip, take, _, new = outline.choices[at]
        if skip > DONE:
            least, most, add = need[skip], use[skip], spares[skip].add
            for spare in spares[at]:
                if spare >= least:
                    add(spare if spare < most else most)
        if take > DONE:
            least, most, add = need[take], use[take], spares[take].add
            for count, _ in stops[new]:
                for spare in spares[at]:
                    if spare - count >= least:
                        add(spare - count if spare - count < most else most)
    return spares


def _yet_to_count(outline: Outline, stops: Stopping) -> tuple[list[int], list[int]]:
    """For each node the fewest and the most stops counted from there on."""
    fewest, most = [NEVER, 0], [-NEVER, 0]
    for skip, take, _, new in outline.choices[DONE + 1 :]:
        counts = [count for count, _ in stops[new]]
        fewest.append(min(fewest[skip], fewest[take] + min(counts)))
        most.append(max(most[skip], most[take] + max(counts)))
    return fewest, most


_REACH: Final = 0.8
"""First step of prices: to where they would bring the bound down to the known value, if all went well."""
_DAMPING: Final = 0.3
"""Weight of the directions before, so that prices do not swing."""
_MENDING: Final = 6
"""Reductions of the bound until routes are put together again."""
_NODES_PASSED_A_UNIT: Final = 16
"""Work is counted in stops visited by the other search: passing this many nodes takes as long."""

Links: TypeAlias = list[int]
"""A route as the numbers of its links in the course."""


@dataclass(slots=True)
class Pricing:
    """A search for prices: `value` dollars are to be exceeded, `lines` are routes that did, or None.

    No routes earn more than `upper`, the bound that `prices` give; values of stops are multiples of `unit`.
    """

    course: LinkOrder
    diagrams: Sequence[Diagram]
    value: int
    unit: int
    work: WorkBudget
    lines: list[Links] | None = None
    upper: int = NEVER
    prices: list[int] = field(default_factory=list)
    _alone: list[int] = field(default_factory=list)
    """Revenue of each train on its own, at no prices."""
    _track: list[tuple[int, ...]] = field(default_factory=list)
    _users: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    """For each bit of track the links that use it."""
    _lowered: int = 0
    """Number of reductions of the bound."""

    def __post_init__(self) -> None:
        self._track = [_bits(bond.mask) for bond in self.course.bonds]
        for link, bits in enumerate(self._track):
            for bit in bits:
                self._users[bit].append(link)

    def improve(self, rounds: int, shrinking: float) -> None:
        """Raise prices of track that several trains want, lower those of unwanted track; may raise OutOfWork.

        The step shrinks by this factor every round.
        """
        count = 1 + max(self._users)
        wanted = [float(price) for price in self.prices] or [0.0] * count
        push, reach, lowest = [0.0] * count, _REACH, list[Links]()
        for _ in range(rounds):
            prices = [round(price) for price in wanted]
            bound, routes = self._bound_at(prices)
            if bound < self.upper:
                self.upper, self.prices, lowest = bound, prices, routes
                if not any(prices):
                    self._improve(routes)
                elif self._lowered % _MENDING == 0:
                    self._improve_at_prices(routes)
                self._lowered += 1
            if self.is_settled():
                return
            use = Counter(bit for links in routes for link in links for bit in self._track[link])
            slope = [use[bit] - 1 if use[bit] > 1 or wanted[bit] > 0 else 0 for bit in range(count)]
            push = [_DAMPING * old + (1 - _DAMPING) * new for old, new in zip(push, slope, strict=True)]
            step = reach * (bound - self.value) / (sum(p * p for p in push) or 1.0)
            wanted = [max(0.0, price + step * p) for price, p in zip(wanted, push, strict=True)]
            reach *= shrinking
        self._improve_at_prices(lowest)

    def is_settled(self) -> bool:
        """True if nothing above `value` is possible."""
        return self.upper - self.upper % self.unit <= self.value

    def costs(self, prices: Sequence[int]) -> list[int]:
        """The price of each link."""
        costs = [0] * len(self._track)
        for bit, price in enumerate(prices):
            if price:
                for link in self._users[bit]:
                    costs[link] += price
        return costs

    def best_at_costs(self, diagram: Diagram, costs: Sequence[int]) -> list[int]:
        """Dollars to be earned from each node of a diagram, at these costs of links; may raise OutOfWork."""
        self.work.left -= len(diagram.nodes) // _NODES_PASSED_A_UNIT + 1
        if self.work.left < 0:
            raise OutOfWork
        return diagram.best_by_node(costs)

    def _bound_at(self, prices: list[int]) -> tuple[int, list[Links]]:
        """The bound at these prices, and the links of each train's best route."""
        costs = self.costs(prices)
        known: dict[int, tuple[int, Links]] = {}
        for diagram in self.diagrams:
            if id(diagram) not in known:
                best = self.best_at_costs(diagram, costs)
                known[id(diagram)] = (best[diagram.root], diagram.route(best)[1])
        nets = [known[id(diagram)][0] for diagram in self.diagrams]
        if not any(prices):
            self._alone = nets
        return sum(prices) + sum(nets), [known[id(diagram)][1] for diagram in self.diagrams]

    def _improve(self, routes: list[Links]) -> None:
        """Improve routes: keep one train's, give the others in turn the best that is left, then the first again."""
        for first, others in self._firsts(routes):
            self._fill({first: routes[first]}, [*others, first])

    def _improve_at_prices(self, routes: list[Links]) -> None:
        """Improve routes while the others pay for track, so that they avoid what is wanted most."""
        costs = self.costs(self.prices)
        for first, others in self._firsts(routes):
            chosen = {first: routes[first]}
            for train in others:
                _, chosen[train] = self._best_alongside(train, chosen, costs)
            self._fill(chosen, range(len(routes)))

    def _firsts(self, routes: list[Links]) -> Iterator[tuple[int, list[int]]]:
        """One train of each type, with the other trains."""
        for first in range(len(routes)):
            if not first or self.diagrams[first] is not self.diagrams[first - 1]:
                yield first, [train for train in range(len(routes)) if train != first]

    def _fill(self, chosen: dict[int, Links], order: Iterable[int]) -> None:
        """Give each train in turn the best route left by the others, while that may beat the known value."""
        total, rest, free = 0, sum(self._alone), [0] * len(self.course.bonds)
        for train in order:
            if total + rest <= self.value:
                return
            value, chosen[train] = self._best_alongside(train, chosen, free)
            total += value
            rest -= self._alone[train]
        if total > self.value:
            self.value = total
            self.lines = [chosen[train] for train in range(len(chosen))]

    def _best_alongside(
        self, train: int, chosen: dict[int, Links], costs: Sequence[int]
    ) -> tuple[int, Links]:
        """Dollars and links of the train's best route, at these costs, without the others' track."""
        bonds = self.course.bonds
        used = 0
        for other, links in chosen.items():
            if other != train:
                for link in links:
                    used |= bonds[link].mask
        diagram = self.diagrams[train]
        barred = [NEVER if bond.mask & used else cost for bond, cost in zip(bonds, costs, strict=True)]
        return diagram.route(self.best_at_costs(diagram, barred))


def _bits(mask: int) -> tuple[int, ...]:
    return tuple(bit for bit in range(mask.bit_length()) if mask >> bit & 1)
