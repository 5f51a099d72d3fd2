"""All routes of one train type: the outline of all routes, with what its stops are worth and how far it goes.

The best route at any prices of track is one pass over the nodes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from engine.routes.outline import DEAD, DONE, New, Outline
from engine.routes.singles import OutOfWork, Service, Work

NEVER: Final = 1_000_000_000
"""More dollars than any set of routes is worth: the cost of what must not be used."""
_NODES_A_UNIT: Final = 4

Stopping: TypeAlias = dict[New, list[tuple[int, int]]]
"""For new stops of a link the ways to stop there: how many are counted, and dollars."""


Node: TypeAlias = tuple[int, int, int, int]
"""The next node if the link is not used and if it is, what its new stops are worth then (dollars), the link.

A plain tuple: these are made by the ten thousand.
"""


@dataclass(frozen=True, slots=True)
class Diagram:
    """Nodes by number; the first two are DEAD and DONE, and every node comes after those it leads to."""

    nodes: list[Node]
    root: int

    def best(self, costs: Sequence[int]) -> list[int]:
        """For each node the most that is still to be earned, when using a link costs this much."""
        found = [-NEVER, 0]
        add = found.append
        for skip, take, gain, bond in self.nodes[DONE + 1 :]:
            without, using = found[skip], found[take] + gain - costs[bond]
            add(using if using > without else without)
        return found

    def route(self, best: Sequence[int]) -> tuple[int, list[int]]:
        """The value in dollars and the links of the route that is best, where `best` came of some costs."""
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


def diagram_of(outline: Outline, service: Service, most: int, work: Work) -> Diagram:
    """Every route of this train type; raises OutOfWork for more than `most` nodes or too little work.

    Its nodes are those of the outline together with the stops that may still be counted there; where the train
    may pass by instead, several of the same link, one after the other.
    """
    choices = outline.choices
    stops = {new: _stopping(service, new) for new in {new for _, _, _, new in choices}}
    need, use = _yet_to_count(outline, stops)
    spares = _spares(outline, service.limit, stops, need, use)
    size = sum(map(len, spares))
    work.left -= size // _NODES_A_UNIT
    if size > most or work.left < 0:
        raise OutOfWork
    known: dict[Node, int] = {}
    add = known.setdefault
    following = DONE + 1
    numbers: list[dict[int, int]] = [{}, dict.fromkeys(range(service.limit + 1), DONE)]
    for (skip, take, bond, new), left in zip(choices[DONE + 1 :], spares[DONE + 1 :], strict=True):
        here: dict[int, int] = {}
        skipped, taken, most, use_most = numbers[skip], numbers[take], use[skip], use[take]
        for spare in left:
            node = skipped.get(spare if spare < most else most, DEAD)
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
    """The ways to stop at these stops or pass some by: how many are counted, and dollars."""
    best = {0: 0}
    for stop in new:
        ways = [(service.counts[stop], service.values[stop]), *([(0, 0)] if stop in service.optional else [])]
        sums = [(count + c, gain + g) for count, gain in best.items() for c, g in ways]
        best = {count: max(gain for c, gain in sums if c == count) for count, _ in sums}
    return sorted(best.items())


def _spares(outline: Outline, limit: int, stops: Stopping, need: list[int], use: list[int]) -> list[set[int]]:
    """For each node how many stops may still be counted there, in all the ways to come to it."""
    found: list[set[int]] = [set() for _ in outline.choices]
    found[outline.root].add(min(limit, use[outline.root]))
    for at in range(len(found) - 1, DONE, -1):
        skip, take, _, new = outline.choices[at]
        if skip > DONE:
            least, most, add = need[skip], use[skip], found[skip].add
            for spare in found[at]:
                if spare >= least:
                    add(spare if spare < most else most)
        if take > DONE:
            least, most, add = need[take], use[take], found[take].add
            for count, _ in stops[new]:
                for spare in found[at]:
                    if spare - count >= least:
                        add(spare - count if spare - count < most else most)
    return found


def _yet_to_count(outline: Outline, stops: Stopping) -> tuple[list[int], list[int]]:
    """For each node the fewest and the most stops that a route counts from there on."""
    fewest, most = [NEVER, 0], [-NEVER, 0]
    for skip, take, _, new in outline.choices[DONE + 1 :]:
        counts = [count for count, _ in stops[new]]
        fewest.append(min(fewest[skip], fewest[take] + min(counts)))
        most.append(max(most[skip], most[take] + max(counts)))
    return fewest, most
