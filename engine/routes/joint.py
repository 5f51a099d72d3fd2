"""The best routes of several trains together, by the diagrams of their types.

Prices on track bound what is possible (see `search`). With a diagram the best route at new prices costs one
pass over its nodes, so the prices are improved a few times. Then all trains go through their diagrams side by
side, link by link; where they stand, and the track they use that is still to come, is all that matters, and
what cannot exceed the best routes known, by the bound of the prices, is left out.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from engine.routes.course import Course
from engine.routes.diagram import NEVER, Diagram
from engine.routes.outline import DEAD, DONE, ROOT
from engine.routes.singles import OutOfWork, Work, price_of

ROUNDS: Final = 4
"""How often prices are improved at most."""
_DAMPING: Final = 0.6
"""Weight of the directions before, so that prices do not swing."""
_NODES_A_UNIT: Final = 16
"""Work is counted in stops visited by the other search: passing this many nodes takes as long, or one place."""

Links: TypeAlias = list[int]
"""A route as the numbers of its links in the course."""
Place: TypeAlias = tuple[int, tuple[int, ...]]
"""Where the trains stand together: track in use that is still to come, and the node of each train."""
Step: TypeAlias = tuple[int, Place | None, int]
"""The best way to a place: dollars earned so far, the place before, and the train that used the link (-1: none)."""


@dataclass
class Joint:
    """The search for trains whose diagrams are these.

    `value` is to be exceeded, in dollars; `lines` are the routes that did, None if none.
    """

    course: Course
    diagrams: Sequence[Diagram]
    value: int
    unit: int
    work: Work
    lines: list[Links] | None = None
    upper: int = NEVER
    prices: list[int] = field(default_factory=list)
    _alike: list[list[int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        groups: dict[int, list[int]] = {}
        for train, diagram in enumerate(self.diagrams):
            groups.setdefault(id(diagram), []).append(train)
        self._alike = [group for group in groups.values() if len(group) > 1]

    def run(self) -> bool:
        """Find the best routes; False if that is too much work, and then some may be worth `upper`."""
        try:
            self._improve_prices()
            if self.upper - self.upper % self.unit > self.value:
                self._together()
        except OutOfWork:
            return False
        self.upper = self.value
        return True

    # --- prices ------------------------------------------------------------------------------------------

    def _costs(self, prices: Sequence[int]) -> list[int]:
        return [price_of(bond.mask, prices) for bond in self.course.bonds]

    def _passed(self, diagram: Diagram, costs: Sequence[int]) -> list[int]:
        self.work.left -= len(diagram.skip) // _NODES_A_UNIT + 1
        if self.work.left < 0:
            raise OutOfWork
        return diagram.best(costs)

    def _improve_prices(self) -> None:
        """Raise prices where several trains want the same track, lower them where none does."""
        bits = max(bond.mask.bit_length() for bond in self.course.bonds)
        wanted, push = [0.0] * bits, [0.0] * bits
        for _ in range(ROUNDS):
            prices = [round(price) for price in wanted]
            bound, masks, routes = self._at(prices)
            if bound < self.upper:
                self.upper, self.prices = bound, prices
            self._mend(routes, masks)
            if self.upper - self.upper % self.unit <= self.value:
                return
            use = [sum(mask >> bit & 1 for mask in masks) for bit in range(bits)]
            slope = [n - 1 if n > 1 or wanted[bit] > 0 else 0 for bit, n in enumerate(use)]
            push = [_DAMPING * old + (1 - _DAMPING) * new for old, new in zip(push, slope, strict=True)]
            step = (bound - self.value) / (sum(p * p for p in push) or 1.0)
            wanted = [max(0.0, price + step * p) for price, p in zip(wanted, push, strict=True)]

    def _at(self, prices: list[int]) -> tuple[int, list[int], list[Links]]:
        """The bound at these prices, and for each train the track and the links of its best route."""
        costs = self._costs(prices)
        bound = sum(prices)
        known: dict[int, tuple[int, Links]] = {}
        for diagram in self.diagrams:
            if id(diagram) not in known:
                best = self._passed(diagram, costs)
                known[id(diagram)] = (best[ROOT], diagram.route(best)[1])
            bound += known[id(diagram)][0]
        routes = [known[id(diagram)][1] for diagram in self.diagrams]
        return bound, [self._mask(links) for links in routes], routes

    def _mask(self, links: Links) -> int:
        mask = 0
        for link in links:
            mask |= self.course.bonds[link].mask
        return mask

    def _mend(self, routes: list[Links], masks: list[int]) -> None:
        """Keep the route of one train, give the others in turn the best that is left, and the first again."""
        count = len(routes)
        for first in range(count):
            if first and self.diagrams[first] is self.diagrams[first - 1]:
                continue
            taken = {first: masks[first]}
            chosen = {first: routes[first]}
            total = 0
            for train in [*(i for i in range(count) if i != first), first]:
                used = sum(mask for other, mask in taken.items() if other != train)
                costs = [NEVER if bond.mask & used else 0 for bond in self.course.bonds]
                diagram = self.diagrams[train]
                value, links = diagram.route(self._passed(diagram, costs))
                chosen[train], taken[train] = links, self._mask(links)
                total += value
            if total > self.value:
                self.value = total
                self.lines = [chosen[i] for i in range(count)]

    # --- all trains side by side ----------------------------------------------------------------------------

    def _together(self) -> None:
        """Go through all diagrams at once; keep the best way to every place that may still be worth it."""
        costs = self._costs(self.prices)
        known = {id(diagram): self._passed(diagram, costs) for diagram in self.diagrams}
        best = [known[id(diagram)] for diagram in self.diagrams]
        start: Place = (0, (ROOT,) * len(self.diagrams))
        levels: list[dict[Place, Step]] = [{start: (0, None, -1)}]
        rest = self._price_to_come()
        for number in range(len(self.course.bonds)):
            levels.append(self._next(levels[-1], number, best, rest[number + 1]))
        end = levels[-1].get((0, (DONE,) * len(self.diagrams)))
        if end is not None:
            self.value = end[0]
            self.lines = self._traced(levels)

    def _price_to_come(self) -> list[int]:
        """For each link the prices of all track that it or a later one uses."""
        rest, mask = [0], 0
        for bond in reversed(self.course.bonds):
            mask |= bond.mask
            rest.append(price_of(mask, self.prices))
        return rest[::-1]

    def _next(
        self, level: dict[Place, Step], number: int, best: Sequence[list[int]], rest: int
    ) -> dict[Place, Step]:
        """The places after this link that may still lead to more than is known."""
        self.work.left -= len(level)
        if self.work.left < 0:
            raise OutOfWork
        mask, to_come = self.course.bonds[number].mask, self.course.track[number]
        least = self.value + self.unit
        found: dict[Place, Step] = {}
        price: dict[int, int] = {}
        for place, (value, _, _) in level.items():
            used, nodes = place
            for taker, moved, gain in self._moves(nodes, blocked=bool(used & mask)):
                now = (used if taker < 0 else used | mask) & to_come
                if now not in price:
                    price[now] = rest - price_of(now, self.prices)
                worth = value + gain
                if worth + price[now] + sum(b[node] for b, node in zip(best, moved, strict=True)) < least:
                    continue
                after = (now, self._sorted(moved))
                known = found.get(after)
                if known is None or known[0] < worth:
                    found[after] = (worth, place, taker)
        return found

    def _moves(self, nodes: tuple[int, ...], *, blocked: bool) -> Iterator[tuple[int, tuple[int, ...], int]]:
        """Who uses the next link (-1: nobody), where all stand then, and what that train gains."""
        diagrams = self.diagrams
        past = tuple(diagram.skip[node] for diagram, node in zip(diagrams, nodes, strict=True))
        yield -1, past, 0
        if not blocked:
            for train, (diagram, node) in enumerate(zip(diagrams, nodes, strict=True)):
                taken = diagram.take[node]
                if taken != DEAD:
                    yield train, (*past[:train], taken, *past[train + 1 :]), diagram.gain[node]

    def _sorted(self, nodes: tuple[int, ...]) -> tuple[int, ...]:
        """Equal trains may change places: they stand in the order of their nodes."""
        return tuple(nodes[i] for i in self._order(nodes)) if self._alike else nodes

    def _order(self, nodes: tuple[int, ...]) -> list[int]:
        """For each train the one that takes its place."""
        order = list(range(len(nodes)))
        for group in self._alike:
            for place, train in zip(group, sorted(group, key=lambda i: nodes[i]), strict=True):
                order[place] = train
        return order

    def _traced(self, levels: list[dict[Place, Step]]) -> list[Links]:
        """The links of each train on the way to the end."""
        place: Place | None = (0, (DONE,) * len(self.diagrams))
        way: list[tuple[Place, int]] = []
        for level in reversed(levels[1:]):
            assert place is not None
            _, place, taker = level[place]
            assert place is not None
            way.append((place, taker))
        lines: list[Links] = [[] for _ in self.diagrams]
        who = list(range(len(lines)))
        for number, ((_, nodes), taker) in enumerate(reversed(way)):
            moved = tuple(
                d.take[n] if i == taker else d.skip[n]
                for i, (d, n) in enumerate(zip(self.diagrams, nodes, strict=True))
            )
            if taker >= 0:
                lines[who[taker]].append(number)
            who = [who[i] for i in self._order(moved)]
        return lines
