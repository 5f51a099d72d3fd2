"""All routes of one train type: the outline of all routes, with what its stops are worth and how far it goes.

The best route at any prices of track is one pass over the nodes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.routes.outline import DEAD, DONE, ROOT, Outline
from engine.routes.singles import OutOfWork, Service, Work

NEVER: Final = 1_000_000_000
"""More dollars than any set of routes is worth: the cost of what must not be used."""
_NODES_A_UNIT: Final = 16


@dataclass(frozen=True, slots=True)
class Diagram:
    """Nodes, those of one link together: the next node if the link is not used and if it is, what the new
    stops are worth then (dollars), and the link.
    """

    skip: list[int]
    take: list[int]
    gain: list[int]
    bond: list[int]
    backwards: list[tuple[int, int, int, int, int]]
    """Every node from the last to the first, with its next nodes, gain and link."""

    def best(self, costs: Sequence[int]) -> list[int]:
        """For each node the most that is still to be earned, when using a link costs this much."""
        found = [-NEVER, 0] + [0] * (len(self.skip) - ROOT)
        for node, skip, take, gain, bond in self.backwards:
            without, using = found[skip], found[take] + gain - costs[bond]
            found[node] = using if using > without else without
        return found

    def route(self, best: Sequence[int]) -> tuple[int, list[int]]:
        """The value in dollars and the links of the route that is best, where `best` came of some costs."""
        node, value, links = ROOT, 0, []
        while node != DONE:
            if best[node] == best[self.skip[node]]:
                node = self.skip[node]
            else:
                value += self.gain[node]
                links.append(self.bond[node])
                node = self.take[node]
        return value, links


def diagram_of(outline: Outline, service: Service, most: int, work: Work) -> Diagram:
    """Every route of this train type; raises OutOfWork for more than `most` nodes or too little work."""
    if sum(service.counts) <= service.limit:
        gain = [sum(service.values[stop] for stop in new) for new in outline.new]
        return _diagram(outline.skip, outline.take, gain, outline.bond)
    return _limited(outline, service, most, work)


def _diagram(skip: list[int], take: list[int], gain: list[int], bond: list[int]) -> Diagram:
    nodes = range(len(skip) - 1, DONE, -1)
    return Diagram(skip, take, gain, bond, [(n, skip[n], take[n], gain[n], bond[n]) for n in nodes])


def _limited(outline: Outline, service: Service, most: int, work: Work) -> Diagram:
    """Nodes of the outline together with the stops that may still be counted there."""
    used = [sum(service.counts[stop] for stop in new) for new in outline.new]
    need, use = _yet_to_count(outline, used)
    skip, take, gain, bond = [DEAD, DONE], [DEAD, DEAD], [0, 0], [0, 0]
    begun = (ROOT, min(service.limit, use[ROOT]))
    numbers = {begun: ROOT}
    ahead = [begun]
    for node, left in ahead:
        for nodes, following, spare in (
            (skip, outline.skip[node], left),
            (take, outline.take[node], left - used[node]),
        ):
            if following in {DEAD, DONE} or spare < need[following]:
                nodes.append(DONE if following == DONE and spare >= 0 else DEAD)
                continue
            state = (following, min(spare, use[following]))
            if state not in numbers:
                numbers[state] = ROOT + len(numbers)
                ahead.append(state)
            nodes.append(numbers[state])
        gain.append(sum(service.values[stop] for stop in outline.new[node]))
        bond.append(outline.bond[node])
        if len(numbers) > most:
            raise OutOfWork
    work.left -= len(numbers) // _NODES_A_UNIT
    return _diagram(skip, take, gain, bond)


def _yet_to_count(outline: Outline, used: list[int]) -> tuple[list[int], list[int]]:
    """For each node the fewest and the most stops that a route counts from there on."""
    fewest, most = [NEVER, 0] + [0] * (len(used) - ROOT), [-NEVER, 0] + [0] * (len(used) - ROOT)
    for node in range(len(used) - 1, DONE, -1):
        skip, take = outline.skip[node], outline.take[node]
        fewest[node] = min(fewest[skip], fewest[take] + used[node])
        most[node] = max(most[skip], most[take] + used[node])
    return fewest, most
