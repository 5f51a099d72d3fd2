"""The best routes of several trains together: all go through their diagrams side by side, link by link.

Where the trains stand, and the track in use that is still to come, is all that matters for what follows. The
prices of track bound what can still be earned there (see `pricing`): at the start, the sum of all prices and
the best of each train alone. From there on the bound falls whenever a train moves otherwise than it would
alone, and by the price of all track that is left behind unused. Where it has fallen too far, nothing is lost
by going no further.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from engine.routes.diagram import Diagram
from engine.routes.link_order import Course
from engine.routes.outline import DEAD, DONE
from engine.routes.pricing import Links, Pricing
from engine.routes.singles import OutOfWork, Work, price_of

_NOBODY: Final = -1

_Place: TypeAlias = tuple[int, tuple[int, ...]]
"""Where the trains stand together: track in use that is still to come, and their nodes in rising order."""
_Step: TypeAlias = tuple[int, int, _Place | None, int, Sequence[int]]
"""The best way to a place: dollars by which the bound may still fall, the link and the place before, which of the
trains there used that link, and the node each of them comes to.
"""


def side_by_side(pricing: Pricing) -> None:
    """Find the best routes, if there are any worth more than those known; may raise OutOfWork."""
    nodes, roots = _numbered(pricing)
    joint = _Joint(pricing.course, nodes, pricing.prices, pricing.work)
    least = pricing.value + pricing.unit
    found = joint.run(roots, pricing.upper - least)
    if found is not None:
        slack, pricing.lines = found
        pricing.value = least + slack
    pricing.upper = pricing.value


@dataclass(slots=True)
class _Nodes:
    """The nodes of all diagrams in one numbering, each with the link it is about.

    What comes next without the link, and all that may come next with it, and by how much the bound falls in
    each case. Nodes of the same link, one after the other, are passed in one move.
    """

    bond: list[int]
    skip: list[tuple[int, int]] = field(default_factory=lambda: [(DEAD, 0), (DONE, 0)])
    takes: list[list[tuple[int, int]]] = field(default_factory=lambda: [[], []])

    def add(self, diagram: Diagram, best: Sequence[int], costs: Sequence[int]) -> int:
        """Number the nodes of this diagram after those that are there; its root."""
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
            roots[id(diagram)] = nodes.add(diagram, pricing.passed(diagram, costs), costs)
    return nodes, [roots[id(diagram)] for diagram in pricing.diagrams]


class _Joint:
    """One search: the places at each link, with the best way to each of them."""

    def __init__(self, course: Course, nodes: _Nodes, prices: Sequence[int], work: Work) -> None:
        self._bonds = course.bonds
        self._nodes = nodes
        self._prices = prices
        self._work = work
        self._to_come = course.to_come()
        self._levels: list[dict[_Place, _Step]] = [{} for _ in range(len(course.bonds) + 1)]

    def run(self, roots: list[int], slack: int) -> tuple[int, list[Links]] | None:
        """The routes for which the bound falls least, and how far it may still fall then; None if all are too far."""
        self._reach((slack, 0, None, _NOBODY, roots), 0, {})
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
        """Add the places that follow those at this link."""
        mask = self._bonds[number].mask
        lost: dict[int, int] = {}
        for place, (slack, _, _, _, _) in self._levels[number].items():
            used, nodes = place
            for taker, moved, left in self._moves(number, nodes, slack, blocked=bool(used & mask)):
                now = used if taker == _NOBODY else used | mask
                self._reach((left, number, place, taker, moved), now, lost)

    def _moves(
        self, number: int, nodes: Sequence[int], slack: int, *, blocked: bool
    ) -> Iterator[tuple[int, list[int], int]]:
        """Who uses this link, where all stand then, and by how much the bound may still fall; if not too far."""
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

    def _reach(self, step: _Step, used: int, lost: dict[int, int]) -> None:
        """Note the best way to a place, unless too much is lost by track left behind."""
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
