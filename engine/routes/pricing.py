"""Prices on track for trains whose diagrams are known: what bounds all that they can earn together.

With a diagram the best route at new prices costs one pass over its nodes, so prices can be improved many
times. Routes found on the way are put together as well as they go.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from engine.routes.diagram import NEVER, Diagram
from engine.routes.link_order import Course
from engine.routes.singles import OutOfWork, Work

_REACH: Final = 0.8
"""How far prices go at first: to where they would bring the bound down to what is known, if all went well."""
_DAMPING: Final = 0.3
"""Weight of the directions before, so that prices do not swing."""
_MENDING: Final = 6
"""How often the bound comes down until routes are put together again."""
_NODES_A_UNIT: Final = 16
"""Work is counted in stops visited by the other search: passing this many nodes takes as long."""

Links: TypeAlias = list[int]
"""A route as the numbers of its links in the course."""


@dataclass(slots=True)
class Pricing:
    """Trains with these diagrams: `value` dollars are to be exceeded, `lines` are routes that did, None if none.

    No routes earn more than `upper`, the bound that `prices` give; values of stops are multiples of `unit`.
    """

    course: Course
    diagrams: Sequence[Diagram]
    value: int
    unit: int
    work: Work
    lines: list[Links] | None = None
    upper: int = NEVER
    prices: list[int] = field(default_factory=list)
    _alone: list[int] = field(default_factory=list)
    """What each train earns on its own, at no prices."""
    _track: list[tuple[int, ...]] = field(default_factory=list)
    _users: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    """For each bit of track the links that use it."""
    _lowered: int = 0
    """How often the bound came down."""

    def __post_init__(self) -> None:
        self._track = [_bits(bond.mask) for bond in self.course.bonds]
        for link, bits in enumerate(self._track):
            for bit in bits:
                self._users[bit].append(link)

    def improve(self, rounds: int, shrinking: float) -> None:
        """Raise prices where several trains want the same track, lower them where none does; may raise OutOfWork.

        After every round prices go less far, by this factor.
        """
        count = 1 + max(self._users)
        wanted = [float(price) for price in self.prices] or [0.0] * count
        push, reach, lowest = [0.0] * count, _REACH, list[Links]()
        for _ in range(rounds):
            prices = [round(price) for price in wanted]
            bound, routes = self._at(prices)
            if bound < self.upper:
                self.upper, self.prices, lowest = bound, prices, routes
                if not any(prices):
                    self._improve(routes)
                elif self._lowered % _MENDING == 0:
                    self._improve_at_prices(routes)
                self._lowered += 1
            if self.settled():
                return
            use = Counter(bit for links in routes for link in links for bit in self._track[link])
            slope = [use[bit] - 1 if use[bit] > 1 or wanted[bit] > 0 else 0 for bit in range(count)]
            push = [_DAMPING * old + (1 - _DAMPING) * new for old, new in zip(push, slope, strict=True)]
            step = reach * (bound - self.value) / (sum(p * p for p in push) or 1.0)
            wanted = [max(0.0, price + step * p) for price, p in zip(wanted, push, strict=True)]
            reach *= shrinking
        self._improve_at_prices(lowest)

    def settled(self) -> bool:
        """Whether nothing better than `value` is possible."""
        return self.upper - self.upper % self.unit <= self.value

    def costs(self, prices: Sequence[int]) -> list[int]:
        """The price of each link."""
        costs = [0] * len(self._track)
        for bit, price in enumerate(prices):
            if price:
                for link in self._users[bit]:
                    costs[link] += price
        return costs

    def passed(self, diagram: Diagram, costs: Sequence[int]) -> list[int]:
        """What is still to be earned at each node of a diagram, at these costs of links; may raise OutOfWork."""
        self.work.left -= len(diagram.nodes) // _NODES_A_UNIT + 1
        if self.work.left < 0:
            raise OutOfWork
        return diagram.best(costs)

    def _at(self, prices: list[int]) -> tuple[int, list[Links]]:
        """The bound at these prices, and for each train the links of its best route."""
        costs = self.costs(prices)
        known: dict[int, tuple[int, Links]] = {}
        for diagram in self.diagrams:
            if id(diagram) not in known:
                best = self.passed(diagram, costs)
                known[id(diagram)] = (best[diagram.root], diagram.route(best)[1])
        nets = [known[id(diagram)][0] for diagram in self.diagrams]
        if not any(prices):
            self._alone = nets
        return sum(prices) + sum(nets), [known[id(diagram)][1] for diagram in self.diagrams]

    def _improve(self, routes: list[Links]) -> None:
        """Keep the route of one train, give the others in turn the best that is left, and the first again."""
        for first, others in self._firsts(routes):
            self._fill({first: routes[first]}, [*others, first])

    def _improve_at_prices(self, routes: list[Links]) -> None:
        """The same, when the others paid for track at first, so that they leave what is wanted most."""
        costs = self.costs(self.prices)
        for first, others in self._firsts(routes):
            chosen = {first: routes[first]}
            for train in others:
                _, chosen[train] = self._best_alongside(train, chosen, costs)
            self._fill(chosen, range(len(routes)))

    def _firsts(self, routes: list[Links]) -> Iterator[tuple[int, list[int]]]:
        """One train of each type with all others."""
        for first in range(len(routes)):
            if not first or self.diagrams[first] is not self.diagrams[first - 1]:
                yield first, [train for train in range(len(routes)) if train != first]

    def _fill(self, chosen: dict[int, Links], order: Iterable[int]) -> None:
        """Give each train in turn the best that the others leave, as long as more than is known may come of it."""
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
        """The best route at these costs of a train that leaves the others theirs: dollars and links."""
        bonds = self.course.bonds
        used = 0
        for other, links in chosen.items():
            if other != train:
                for link in links:
                    used |= bonds[link].mask
        diagram = self.diagrams[train]
        barred = [NEVER if bond.mask & used else cost for bond, cost in zip(bonds, costs, strict=True)]
        return diagram.route(self.passed(diagram, barred))


def _bits(mask: int) -> tuple[int, ...]:
    return tuple(bit for bit in range(mask.bit_length()) if mask >> bit & 1)
