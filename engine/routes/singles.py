"""Routes of a single train: the best one, and all that come within a given distance of it.

Every route is found once: from the first of the own tokens on it (the others on it come later in the order of tokens), as
one arm from that token or two, of which the first leaves it by the earlier link.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engine.routes.graph import Graph, Link


class Line(NamedTuple):
    """A route on the graph: dollars, track used, the token it was found from, the links of its two arms from there."""

    value: int
    mask: int
    token: int
    arms: tuple[tuple[Link, ...], tuple[Link, ...]]


class OutOfWork(Exception):  # noqa: N818 - not an error: the search stops here
    """The bound on work is hit."""


@dataclass(slots=True)
class Work:
    """How many stops may still be visited in the search, over all its parts."""

    left: int

    def spend(self, amount: int = 1) -> None:
        """Take note of work done; raises OutOfWork when none is left."""
        self.left -= amount
        if self.left < 0:
            raise OutOfWork


@dataclass(frozen=True, slots=True)
class Service:
    """One train type on a graph: value of each stop, stops it uses up there (1 or 0), and the limit."""

    values: Sequence[int]
    counts: Sequence[int]
    limit: int


class State(NamedTuple):
    """One arm of a route under way."""

    end: int
    used: int
    free: int
    left: int
    value: int
    arm: tuple[Link, ...]


class Finder:
    """Finds routes of one service worth at least a given sum."""

    def __init__(self, graph: Graph, service: Service, work: Work) -> None:
        self._service = service
        self._work = work
        self._passable = graph.passable
        self._tokens = graph.tokens
        self._links = graph.links
        self._mates = [
            sum(1 << j for j, other in enumerate(graph.areas) if other == area) for area in graph.areas
        ]
        self._near = [sum({1 << link.to for link in links}) for links in graph.links]
        self._order = sorted(range(len(graph.stops)), key=lambda i: (-service.values[i], i))
        self._least = 1
        self._keep: Callable[[Line], int] = lambda line: line.value

    def best(self) -> Line | None:
        """The most valuable route, None if there is none worth anything."""
        found: list[Line] = []

        def better(line: Line) -> int:
            found.append(line)
            return line.value + 1

        self.search(1, better)
        return found[-1] if found else None

    def all_from(self, least: int) -> list[Line]:
        """Every route worth at least `least` dollars (and at least one)."""
        found: list[Line] = []

        def keep(line: Line) -> int:
            found.append(line)
            return max(1, least)

        self.search(max(1, least), keep)
        return found

    def search(self, least: int, keep: Callable[[Line], int]) -> None:
        """Call `keep` for every route worth at least `least`; what it returns is asked for from then on."""
        self._least, self._keep = least, keep
        values, counts = self._service.values, self._service.counts
        free = (1 << len(self._links)) - 1
        for token in self._tokens:
            left = self._service.limit - counts[token]
            start = State(token, 0, free & ~self._mates[token], left, values[token], ())
            self._first_arm(token, start)
            free &= ~(1 << token)

    def _first_arm(self, token: int, state: State) -> None:
        two = self._passable[token]
        for number, link in enumerate(self._links[state.end]):
            further = self._step(state, link)
            if further is None:
                continue
            first = number if not state.arm else self._links[token].index(further.arm[0])
            if further.value >= self._least:
                self._least = self._keep(Line(further.value, further.used, token, (further.arm, ())))
            if self._passable[further.end] and self._hope(further, further.end, token if two else None):
                self._first_arm(token, further)
            if two and self._hope(further, token, None):
                back = further._replace(end=token, arm=())
                self._second_arm(token, further.arm, first, back)

    def _second_arm(self, token: int, arm: tuple[Link, ...], first: int, state: State) -> None:
        links = self._links[state.end]
        for link in links if state.arm else links[first + 1 :]:
            further = self._step(state, link)
            if further is None:
                continue
            if further.value >= self._least:
                self._least = self._keep(Line(further.value, further.used, token, (arm, further.arm)))
            if self._passable[further.end] and self._hope(further, further.end, None):
                self._second_arm(token, arm, first, further)

    def _step(self, state: State, link: Link) -> State | None:
        stop = link.to
        if link.mask & state.used or not state.free >> stop & 1:
            return None
        left = state.left - self._service.counts[stop]
        if left < 0:
            return None
        self._work.spend()
        return State(
            stop,
            state.used | link.mask,
            state.free & ~self._mates[stop],
            left,
            state.value + self._service.values[stop],
            (*state.arm, link),
        )

    def _hope(self, state: State, end: int, other: int | None) -> bool:
        """Whether going on from `end` (and `other`) could still make the route worth enough: never wrongly no."""
        ends = 1 << end | (0 if other is None else 1 << other)
        ahead = self._within(ends, state.free)
        missing = self._least - state.value
        left, tails = state.left, 1 if other is None else 2
        values, counts, near = self._service.values, self._service.counts, self._near
        around = ahead | ends
        for stop in self._order:
            if missing <= 0:
                return True
            if not ahead >> stop & 1 or counts[stop] > left:
                continue
            ways = near[stop] & around
            if not self._passable[stop] or not ways & (ways - 1):
                # one way in and none out: such a stop can only be where an arm ends
                if not tails:
                    continue
                tails -= 1
            left -= counts[stop]
            missing -= values[stop]
        return missing <= 0

    def _within(self, ends: int, free: int) -> int:
        """The free stops that can be reached from these."""
        near, passable = self._near, self._passable
        seen, ahead = 0, ends
        while ahead:
            low = ahead & -ahead
            ahead ^= low
            stop = low.bit_length() - 1
            if passable[stop] or low & ends:
                new = near[stop] & free & ~seen
                seen |= new
                ahead |= new
        return seen
