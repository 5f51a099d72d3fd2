"""All routes of one train type: the outline of all routes, with what its stops are worth and how far it goes.

The best route at any prices of track is one pass over the nodes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from engine.routes.outline import DEAD, DONE, Outline
from engine.routes.singles import OutOfWork, Service, Work

NEVER: Final = 1_000_000_000
"""More dollars than any set of routes is worth: the cost of what must not be used."""
_NODES_A_UNIT: Final = 4


class Node(NamedTuple):
    """The next node if the link is not used and if it is, what its new stops are worth then (dollars), the link."""

    skip: int
    take: int
    gain: int
    bond: int


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
            node = self.nodes[at]
            if best[at] == best[node.skip]:
                at = node.skip
            else:
                value += node.gain
                links.append(node.bond)
                at = node.take
        return value, links


def diagram_of(outline: Outline, service: Service, most: int, work: Work) -> Diagram:
    """Every route of this train type; raises OutOfWork for more than `most` nodes or too little work.

    Its nodes are those of the outline together with the stops that may still be counted there.
    """
    used = [sum(service.counts[stop] for stop in choice.new) for choice in outline.choices]
    need, use = _yet_to_count(outline, used)
    spares = _spares(outline, service.limit, used, need, use)
    size = sum(map(len, spares))
    work.left -= size // _NODES_A_UNIT
    if size > most or work.left < 0:
        raise OutOfWork
    known: dict[Node, int] = {}
    numbers: list[dict[int, int]] = [{}, dict.fromkeys(range(service.limit + 1), DONE)]
    for choice, count, left in zip(
        outline.choices[DONE + 1 :], used[DONE + 1 :], spares[DONE + 1 :], strict=True
    ):
        gain = sum(service.values[stop] for stop in choice.new)
        without, using, here = numbers[choice.skip], numbers[choice.take], dict[int, int]()
        most_without, most_using = use[choice.skip], use[choice.take]
        for spare in left:
            skip = without.get(min(spare, most_without), DEAD)
            take = using.get(min(spare - count, most_using), DEAD)
            if take == DEAD:
                here[spare] = skip
            else:
                here[spare] = known.setdefault(Node(skip, take, gain, choice.bond), len(known) + DONE + 1)
        numbers.append(here)
    end = outline.choices[DONE].bond
    terminal = Node(DEAD, DEAD, 0, end)
    root = outline.root
    return Diagram([terminal, terminal, *known], numbers[root][min(service.limit, use[root])])


def _spares(outline: Outline, limit: int, used: list[int], need: list[int], use: list[int]) -> list[set[int]]:
    """For each node how many stops may still be counted there, in all the ways to come to it."""
    found: list[set[int]] = [set() for _ in outline.choices]
    found[outline.root].add(min(limit, use[outline.root]))
    for at in range(len(found) - 1, DONE, -1):
        skip, take, _, _ = outline.choices[at]
        for spare in found[at]:
            if skip > DONE and spare >= need[skip]:
                found[skip].add(min(spare, use[skip]))
            if take > DONE and spare - used[at] >= need[take]:
                found[take].add(min(spare - used[at], use[take]))
    return found


def _yet_to_count(outline: Outline, used: list[int]) -> tuple[list[int], list[int]]:
    """For each node the fewest and the most stops that a route counts from there on."""
    fewest, most = [NEVER, 0], [-NEVER, 0]
    for (skip, take, _, _), count in zip(outline.choices[DONE + 1 :], used[DONE + 1 :], strict=True):
        fewest.append(min(fewest[skip], fewest[take] + count))
        most.append(max(most[skip], most[take] + count))
    return fewest, most
