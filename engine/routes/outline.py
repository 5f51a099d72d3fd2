"""All routes on a graph as a decision diagram, independent of trains.

The links of a graph are taken in a fixed order; for each of them a route uses it or not. Two beginnings
that have come to the same open ends, among the stops with links to come, can continue in the same ways, so
they are one node. Links that cannot be used any more are passed over. The order keeps the stops in question
few, and so an outline of some thousand nodes holds every route of a large network. Only links to come can
join two pieces of a route. Where few stops may still be counted, many beginnings lie too far apart; nothing
that continues from there must be drawn.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias

from engine.routes.graph import Graph, LinkOrder
from engine.routes.single_train import OutOfWork, Service, WorkBudget

FULL: Final = 255
"""The mate of a stop that the route passes."""
END: Final = 254
"""The mate of a stop whose piece ends for good at its other end."""
FEW: Final = 2
"""With more stops to be counted nearly everything can be joined, so that looking takes longer than it spares."""
_ROOM_BITS: Final = FEW.bit_length()


class PossibleJoins:
    """For each link, the joins possible with it and later ones; sets of stops are bit masks."""

    def __init__(self, graph: Graph, course: LinkOrder, counts: Sequence[int]) -> None:
        """`counts` has 1 for every stop that always counts, else 0."""
        self._near, self._open = _to_come(course, len(graph.stops))
        passable = [stop for stop, through in enumerate(graph.passable) if through]
        self._free = sum(1 << stop for stop in passable if not counts[stop])
        self._counted = sum(1 << stop for stop in passable if counts[stop])
        self._tokens = sum(1 << stop for stop in graph.tokens)
        self._for_token = min((counts[stop] for stop in graph.tokens), default=0)
        self._known: list[dict[int, int]] = [{} for _ in course.bonds]

    def hopeless(self, number: int, mates: bytes, room: int, token: bool, pieces: int) -> bool:
        """True if a beginning before this link cannot become a route with at most `room` further stops.

        `token`: it has a token; `pieces`: number of its pieces. Never wrongly True.
        """
        open_ = [stop for stop in self._open[number] if mates[stop] != stop and mates[stop] != FULL]
        if not token:
            left, tokens = room - self._for_token, self._tokens
            if left < 0 or not any(self._stops_within(number, stop, left) & tokens for stop in open_):
                return True
        return pieces > 1 and not self._can_be_joined(number, open_, mates, room)

    def _can_be_joined(self, number: int, open_: Sequence[int], mates: bytes, room: int) -> bool:
        """True if each piece can still be joined to another one."""
        ends = sum([1 << stop for stop in open_])
        for stop in open_:
            mate = mates[stop]
            if mate == END:
                own, reached = 1 << stop, self._stops_within(number, stop, room)
            elif mate > stop:
                own = 1 << stop | 1 << mate
                reached = self._stops_within(number, stop, room) | self._stops_within(number, mate, room)
            else:
                continue  # the piece was looked at from its other end
            if not reached & ends & ~own:
                return False
        return True

    def _stops_within(self, number: int, stop: int, room: int) -> int:
        """The stops reachable from here by this link and later ones, with at most `room` counted stops on the way."""
        known, asked = self._known[number], stop << _ROOM_BITS | room
        if asked in known:
            return known[asked]
        near = self._near[number]
        steps = (
            _one_link_further(near, self._stops_within(number, stop, room - 1), self._counted)
            if room
            else near[stop]
        )
        while (more := _one_link_further(near, steps, self._free)) != steps:
            steps = more
        known[asked] = steps
        return steps


def _one_link_further(near: Sequence[int], seen: int, passed: int) -> int:
    """These stops, and those one link beyond them."""
    ahead, stops = seen & passed, seen
    while ahead:
        low = ahead & -ahead
        stops |= near[low.bit_length() - 1]
        ahead ^= low
    return stops


def _to_come(course: LinkOrder, stops: int) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
    """For each link: the stops joined to each stop from here on, and the stops with links before and after."""
    near = [0] * stops
    after: list[tuple[int, ...]] = []
    for a, b, _ in reversed(course.bonds):
        near[a] |= 1 << b
        near[b] |= 1 << a
        after.append(tuple(near))
    open_: list[tuple[int, ...]] = []
    begun: set[int] = set()
    for (a, b, _), now in zip(course.bonds, reversed(after), strict=True):
        open_.append(tuple(stop for stop in begun if now[stop]))
        begun |= {a, b}
    return after[::-1], open_


DEAD: Final = 0
"""The node from which no route can be completed."""
DONE: Final = 1
"""The node of a completed route, and of none at all."""
_NODES_A_UNIT: Final = 2
"""Making this many nodes takes as long as visiting a stop in the other search."""


_Begun: TypeAlias = tuple[bytes, int, int, bool, int]
"""Common beginning of routes before a link: mates, track, visits, token, pieces.

Mates have for each stop the other end of the piece of route that ends there: itself if untouched or past, END
if that end is final, FULL if the route passes here. Then the track and the visits used up that are still
asked for, whether a token is on the route, and the number of its pieces, which must be joined. (A plain
tuple: these are made by the ten thousand.)
"""
New: TypeAlias = tuple[int, ...]
"""Stops of a link that no route so far visits."""


Choice: TypeAlias = tuple[int, int, int, New]
"""A node: the next node if its link is not used and if it is, the link, and which of its stops are new then."""


@dataclass(slots=True)
class Outline:
    """A decision diagram of routes: numbered nodes, of which the first two are DEAD and DONE.

    Each comes after its successors.
    """

    choices: list[Choice]
    root: int


class Range(NamedTuple):
    """The number of stops that a route may count, and for each stop 1 if it always counts."""

    limit: int
    counts: Sequence[int]


def range_of(services: Sequence[Service]) -> Range:
    """The range that covers every route of these trains."""
    first = services[0]
    counts = [
        min(0 if stop in service.optional else service.counts[stop] for service in services)
        for stop in range(len(first.counts))
    ]
    return Range(max(service.limit for service in services), counts)


def outline_of(graph: Graph, course: LinkOrder, far: Range, maximum: int, budget: WorkBudget) -> Outline:
    """The outline of every route within the range, and some beyond it.

    Raises OutOfWork for more than `maximum` nodes or too little work.
    """
    return _OutlineDrawing(graph, course, far, maximum, budget).finished_outline()


@dataclass(slots=True)
class _Level:
    """One link of an outline with the beginnings that may use it.

    `skip` and `take` are the node after each beginning, without and with the link.
    """

    number: int
    a: int
    b: int
    mask: int
    leaving: tuple[int, ...]
    track: int
    visits: int
    begun: dict[_Begun, int] = field(default_factory=dict)
    nodes: list[int] = field(default_factory=list)
    skip: list[int] = field(default_factory=list)
    take: list[int] = field(default_factory=list)
    new: list[New] = field(default_factory=list)


class _OutlineDrawing:
    """An outline under construction, link by link."""

    def __init__(self, graph: Graph, course: LinkOrder, far: Range, maximum: int, budget: WorkBudget) -> None:
        self._limit, self._counts = far
        self._all_count = all(far.counts)
        self._fewest = [0, 0, 0]
        self._passable, self._tokens, self._siblings = graph.passable, graph.tokens, course.siblings
        self._joining = PossibleJoins(graph, course, far.counts)
        self._most, self._work = maximum, budget
        self._count = DONE + 1
        asked = [(-1, -1), *zip(course.track, course.visits, strict=True)]
        self._levels = [
            _Level(number, *bond, leaving, *still)
            for number, (bond, leaving, still) in enumerate(
                zip(course.bonds, course.leaving, asked, strict=False)
            )
        ]
        self._untouched = bytes(range(len(graph.stops)))

    def finished_outline(self) -> Outline:
        """The finished outline."""
        first = self._levels[0]
        first.begun[self._untouched, 0, 0, False, 0] = self._count
        self._count += 1
        for level in self._levels:
            self._work.left -= len(level.begun) // _NODES_A_UNIT + 1
            if self._count > self._most or self._work.left < 0:
                raise OutOfWork
            self._spread(level)
        return self._reduced()

    def _spread(self, level: _Level) -> None:
        """Extend each beginning, with this link and without it."""
        a, b = level.a, level.b
        news: tuple[tuple[New, New], tuple[New, New]] = (((), (b,)), ((a,), (a, b)))
        hopeless = self._joining.hopeless
        for begun, node in level.begun.items():
            mates, _, _, token, pieces = begun
            counted = self._fewest[node]
            unfinished = pieces > 1 or (pieces and not token)
            room = self._limit - counted
            if unfinished and room <= FEW and hopeless(level.number, mates, room, token, pieces):
                continue
            level.nodes.append(node)
            level.skip.append(self._next_node(level, *begun, counted))
            level.take.append(self._node_after_use(level, *begun, counted))
            level.new.append(news[mates[a] == a][mates[b] == b])
        level.begun.clear()

    def _node_after_use(
        self, level: _Level, mates: bytes, track: int, visits: int, token: bool, pieces: int, counted: int
    ) -> int:
        """The node after using the link: DONE if the route ends, DEAD beyond the range or for an area visited twice."""
        a, b = level.a, level.b
        end_a, end_b = mates[a], mates[b]
        counted += (end_a == a and self._counts[a]) + (end_b == b and self._counts[b])
        if counted > self._limit:
            return DEAD
        grown = bytearray(mates)
        pieces -= 1
        if end_a == a:
            if self._siblings[a] & (visits | 1 << b):
                return DEAD
            visits, token, pieces = visits | 1 << a, token or a in self._tokens, pieces + 1
            if not self._passable[a]:
                grown[a], end_a = FULL, END
        else:
            grown[a] = FULL
        if end_b == b:
            if self._siblings[b] & visits:
                return DEAD
            visits, token, pieces = visits | 1 << b, token or b in self._tokens, pieces + 1
            if not self._passable[b]:
                grown[b], end_b = FULL, END
        else:
            grown[b] = FULL
        if end_a == end_b == END or (counted == self._limit and self._all_count and token and pieces == 1):
            return DONE if token and pieces == 1 else DEAD
        if end_a != END:
            grown[end_a] = end_b
        if end_b != END:
            grown[end_b] = end_a
        return self._next_node(level, bytes(grown), track | level.mask, visits, token, pieces, counted)

    def _next_node(
        self, level: _Level, mates: bytes, track: int, visits: int, token: bool, pieces: int, counted: int
    ) -> int:
        """The node of the next usable link; DEAD or DONE if a stop left behind is an end."""
        full, number = FULL, level.number
        while True:
            if level.leaving:
                left = _mates_without(mates, level.leaving)
                if left is None:
                    return DONE if token and pieces == 1 else DEAD
                mates = left
                if mates.count(END) > 2:
                    return DEAD
            number += 1
            if number == len(self._levels):
                return DONE  # nothing was used: a train may stay at home
            level = self._levels[number]
            end_a = mates[level.a]
            if not track & level.mask and end_a != full and end_a != level.b and mates[level.b] != full:
                begun = (mates, track & level.track, visits & level.visits, token, pieces)
                return self._numbered(level, begun, counted)

    def _numbered(self, level: _Level, begun: _Begun, counted: int) -> int:
        node = level.begun.setdefault(begun, self._count)
        if node == self._count:
            self._count += 1
            self._fewest.append(counted)
        elif counted < self._fewest[node]:
            self._fewest[node] = counted
        return node

    def _reduced(self) -> Outline:
        """The outline with equivalent nodes merged, and without useless ones."""
        stands_for = [DEAD] * self._count
        stands_for[DONE] = DONE
        known: dict[Choice, int] = {}
        for level, node, skip, take, new in self._backwards():
            skip, take = stands_for[skip], stands_for[take]
            if take == DEAD:
                stands_for[node] = skip
            else:
                stands_for[node] = known.setdefault((skip, take, level.number, new), len(known) + DONE + 1)
        end = len(self._levels)
        terminal = (DEAD, DEAD, end, ())
        return Outline([terminal, terminal, *known], stands_for[DONE + 1])

    def _backwards(self) -> Iterator[tuple[_Level, int, int, int, New]]:
        for level in reversed(self._levels):
            for node, skip, take, new in zip(level.nodes, level.skip, level.take, level.new, strict=True):
                yield level, node, skip, take, new


def _mates_without(mates: bytes, leaving: tuple[int, ...]) -> bytes | None:
    """The mates without these stops; None if that ends the route."""
    touched = [stop for stop in leaving if mates[stop] != stop]
    if not touched:
        return mates
    grown = bytearray(mates)
    for stop in touched:
        mate = grown[stop]
        grown[stop] = stop
        if mate == END:
            return None
        if mate not in {stop, FULL}:
            grown[mate] = END
    return bytes(grown)
