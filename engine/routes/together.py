"""The best routes by diagrams, for graphs on which these stay small: quick where a train goes far."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from engine.routes.diagram import Diagram, diagram_of
from engine.routes.graph import Graph, Link
from engine.routes.joint import side_by_side
from engine.routes.link_order import Bond, course_of
from engine.routes.near import near_the_best
from engine.routes.outline import outline_of, range_of
from engine.routes.pricing import Pricing
from engine.routes.singles import Arm, Line, OutOfWork, Service, Work

MOST_NODES: Final = 400_000
"""Diagrams with more nodes are given up."""
ALLOWANCE: Final = 500_000
"""Work after which diagrams are given up."""
STAGES: Final = ((14, 0.85, 1_000), (40, 0.95, 4_000), (80, 0.97, 60_000), (240, 0.99, ALLOWANCE))
"""How often prices are improved, how fast their steps shrink, and the work for each way to continue after that."""
_WORK_A_STEP: Final = 250
"""Where a gap is so wide that this work for each unit of it is not there, no way is tried: it would be in vain."""
WAYS: Final[tuple[Callable[[Pricing], None], ...]] = (near_the_best, side_by_side)
"""How routes are looked for at good prices: the first is quick where the gap is small, the other where it is not."""


@dataclass(frozen=True, slots=True)
class Together:
    """What the diagrams showed: routes worth more than what was known, if any, for each train; what no routes
    exceed; whether that settles the matter; and good prices of track.
    """

    lines: list[Line | None] | None
    upper: int
    settled: bool
    prices: list[int]


def together(graph: Graph, services: Sequence[Service], value: int, unit: int, work: Work) -> Together | None:
    """Look for routes worth more than `value` dollars; None where diagrams would grow too large.

    Values of stops are multiples of `unit`.
    """
    allowed = min(work.left, ALLOWANCE)
    own = Work(allowed)
    try:
        return _searched(graph, services, value, unit, own)
    finally:
        work.left -= allowed - max(0, own.left)


def _searched(
    graph: Graph, services: Sequence[Service], value: int, unit: int, work: Work
) -> Together | None:
    course = course_of(graph)
    if course is None:
        return None
    try:
        outline = outline_of(graph, course, range_of(services), MOST_NODES, work)
        known: dict[Service, Diagram] = {}
        for service in services:
            if service not in known:
                known[service] = diagram_of(outline, service, MOST_NODES, work)
    except OutOfWork:
        return None
    pricing = Pricing(course, [known[service] for service in services], value, unit, work)
    settled = _settled(pricing)
    lines = None
    if pricing.lines is not None:
        chosen = ([course.bonds[link] for link in links] for links in pricing.lines)
        lines = [_line(graph, s, bonds) for s, bonds in zip(services, chosen, strict=True)]
    return Together(lines, pricing.upper, settled, pricing.prices)


def _settled(pricing: Pricing) -> bool:
    """Find the best routes; False if that is too much work, and then some may be worth the upper bound.

    Prices cost little and spare much work of the other ways, so they are improved again where that takes long.
    """
    try:
        for rounds, shrinking, allowance in STAGES:
            pricing.improve(rounds, shrinking)
            if pricing.settled() or any(
                _done(way, pricing, allowance) for way in _promising(pricing, allowance)
            ):
                pricing.upper = pricing.value
                return True
    except OutOfWork:
        return False
    return False


def _promising(pricing: Pricing, allowance: int) -> tuple[Callable[[Pricing], None], ...]:
    """The ways to try with so much work: none while the gap is too wide for it."""
    gap = (pricing.upper - pricing.value) // pricing.unit
    return WAYS if gap * _WORK_A_STEP <= allowance else ()


def _done(way: Callable[[Pricing], None], pricing: Pricing, allowance: int) -> bool:
    """Whether so much work was enough to find the best routes in this way."""
    work = pricing.work
    pricing.work = Work(min(allowance, work.left))
    given = pricing.work.left
    try:
        way(pricing)
    except OutOfWork:
        return pricing.settled()
    finally:
        work.left -= given - max(0, pricing.work.left)
        pricing.work = work
    return True


def _line(graph: Graph, service: Service, bonds: list[Bond]) -> Line | None:
    """The route over these links, None for no links."""
    if not bonds:
        return None
    visited = {stop for bond in bonds for stop in bond[:2]}
    token = next(stop for stop in graph.tokens if stop in visited)
    mask = sum(bond.mask for bond in bonds)
    starts = [bond for bond in bonds if token in bond[:2]]
    arms = [_arm(graph, token, start, bonds) for start in starts]
    value = service.worth(visited)
    return Line(value, value, mask, token, (arms[0], arms[1] if len(arms) == 2 else ()))


def _arm(graph: Graph, token: int, start: Bond, bonds: list[Bond]) -> Arm:
    """The links from the token on, the first one given."""
    at, bond, arm = token, start, list[Link]()
    while True:
        to = bond.b if bond.a == at else bond.a
        arm.append(next(link for link in graph.links[at] if link.to == to and link.mask == bond.mask))
        onward = [other for other in bonds if other is not bond and to in other[:2]]
        if not onward:
            return tuple(arm)
        at, bond = to, onward[0]
