"""The best routes of several trains, chosen among all that come near each train's own best.

At good prices of track (see `pricing`) a set of routes worth more than the one known is made of routes that each come
within the gap between bound and known value of the train's best. A diagram lists these without a step in vain.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.routes.diagram import Diagram
from engine.routes.link_order import Bond
from engine.routes.outline import DEAD, DONE
from engine.routes.pack import pack
from engine.routes.pricing import Links, Pricing
from engine.routes.singles import OutOfWork, Work

_STEPS_A_UNIT: Final = 4
"""Continuing from this many nodes takes as long as visiting a stop in the other search."""


class Near(NamedTuple):
    """A route by its links: what it is worth net of the prices of its track, and gross, in dollars; track used."""

    net: int
    value: int
    mask: int
    links: tuple[int, ...]


def near_the_best(pricing: Pricing) -> None:
    """Find the best routes, if there are any worth more than those known; may raise OutOfWork."""
    slack = pricing.upper - pricing.value - pricing.unit
    costs = pricing.costs(pricing.prices)
    known: dict[int, list[Near]] = {}
    for diagram in pricing.diagrams:
        if id(diagram) not in known:
            best = pricing.passed(diagram, costs)
            known[id(diagram)] = _listed(diagram, best, costs, pricing.course.bonds, slack, pricing.work)
    lists = [known[id(diagram)] for diagram in pricing.diagrams]
    order = sorted(range(len(lists)), key=lambda train: len(lists[train]))
    least = pricing.value + pricing.unit
    picked, complete = pack([lists[train] for train in order], least, pricing.prices, pricing.work)
    if picked is not None:
        lines = dict(zip(order, picked, strict=True))
        chosen = [lines[train] for train in range(len(lists))]
        pricing.value = sum(route.value for route in chosen if route)
        pricing.lines = [Links(route.links) if route else [] for route in chosen]
    if not complete:
        raise OutOfWork
    pricing.upper = pricing.value


def _listed(
    diagram: Diagram, best: Sequence[int], costs: Sequence[int], bonds: Sequence[Bond], slack: int, work: Work
) -> list[Near]:
    """The routes that fall short of the best by `slack` dollars at most, best first; over the same track only one."""
    found: dict[int, Near] = {}
    ahead = [(diagram.root, slack, Near(0, 0, 0, ()))]
    steps = 0
    while ahead:
        at, left, route = ahead.pop()
        if at == DONE and (route.mask not in found or found[route.mask].net < route.net):
            found[route.mask] = route
        if at in {DEAD, DONE}:
            continue
        steps += 1
        if steps % _STEPS_A_UNIT == 0:
            work.spend()
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
            ahead.append((take, past, Near(net, value, mask, (*links, bond))))
    found.pop(0, None)
    return sorted(found.values(), key=lambda route: -route.net)
