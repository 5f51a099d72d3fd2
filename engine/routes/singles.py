"""Routes of a single train: the best one, and all that come within a given distance of it.

Every route is found once: from the first of the own tokens on it (the others on it come later in the order of tokens), as
one arm from that token or two, of which the first leaves it by the earlier link.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from engine.routes.graph import Graph, Link


class Line(NamedTuple):
    """A route on the graph: dollars net of prices and full, track used, the token it was found from, its two arms."""

    net: int
    value: int
    mask: int
    token: int
    arms: tuple[tuple[Link, ...], tuple[Link, ...]]

    def at(self, prices: Sequence[int]) -> "Line":
        """The same route net of these prices."""
        return self._replace(net=self.value - _price(self.mask, prices))


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

    def most(self) -> int:
        """More than any route can be worth: the dearest stops, as many as the train may count, and all free ones."""
        counted = sorted((v for v, c in zip(self.values, self.counts, strict=True) if c), reverse=True)
        free = sum(v for v, c in zip(self.values, self.counts, strict=True) if not c)
        return sum(counted[: self.limit]) + free


Way: TypeAlias = tuple[int, int, int, int, int, Link]


class Finder:
    """Finds routes of one service; net of prices put on track, all lines worth at least a given sum."""

    def __init__(self, graph: Graph, service: Service, prices: Sequence[int], work: Work) -> None:
        self._work = work
        self._service = service
        self._tokens = graph.tokens
        self._passable = graph.passable
        self._mates = [
            sum(1 << j for j, other in enumerate(graph.areas) if other == area) for area in graph.areas
        ]
        self._ways: list[list[Way]] = [
            [
                (
                    link.to,
                    link.mask,
                    ~self._mates[link.to],
                    service.values[link.to] - _price(link.mask, prices),
                    service.counts[link.to],
                    link,
                )
                for link in links
            ]
            for links in graph.links
        ]
        self._near = [sum({1 << link.to for link in links}) for links in graph.links]
        gains = [0] * len(graph.stops)
        for ways in self._ways:
            for to, _, _, gain, _, _ in ways:
                gains[to] = max(gains[to], gain)
        order = sorted((j for j in range(len(gains)) if gains[j] > 0), key=lambda j: (-gains[j], j))
        self._order = [(1 << j, gains[j], service.counts[j], self._near[j], graph.passable[j]) for j in order]
        self._through = sum(1 << j for j, free in enumerate(graph.passable) if free)
        self._least = 1
        self._keep: Callable[[Line], int] = lambda line: line.net
        self.visits = 0

    def better(self, least: int) -> list[Line]:
        """Routes worth at least `least`, each better than the one before; the last is the best."""
        found: list[Line] = []

        def keep(line: Line) -> int:
            found.append(line)
            return line.net + 1

        self.search(least, keep)
        return found

    def all_from(self, least: int) -> list[Line]:
        """Every route worth at least `least` net of prices, which may be less than nothing."""
        found: list[Line] = []

        def keep(line: Line) -> int:
            found.append(line)
            return least

        self.search(least, keep)
        return found

    def search(self, least: int, keep: Callable[[Line], int]) -> None:
        """Call `keep` for every route worth at least `least`; what it returns is asked for from then on."""
        self._least, self._keep = least, keep
        values, counts = self._service.values, self._service.counts
        free = (1 << len(self._ways)) - 1
        for token in self._tokens:
            left = self._service.limit - counts[token]
            self._first(token, token, 0, free & ~self._mates[token], left, values[token], -1, ())
            free &= ~(1 << token)

    def _first(self, token, end, used, free, left, net, first, arm) -> None:
        two = self._passable[token]
        ends = 1 << token if two else 0
        for number, (to, mask, others, gain, count, link) in enumerate(self._ways[end]):
            if mask & used or not free >> to & 1 or count > left:
                continue
            self._work.spend()
            now, rest, spare, worth, grown = (
                used | mask,
                free & others,
                left - count,
                net + gain,
                (*arm, link),
            )
            if worth >= self._least:
                self._found(worth, now, token, grown, ())
            start = number if first < 0 else first
            if self._passable[to] and self._hope(worth, spare, rest, ends | 1 << to, 2 if two else 1):
                self._first(token, to, now, rest, spare, worth, start, grown)
            if two and self._hope(worth, spare, rest, ends, 1):
                self._second(token, token, now, rest, spare, worth, self._ways[token][start + 1 :], grown, ())

    def _second(self, token, end, used, free, left, net, ways, first, arm) -> None:
        for to, mask, others, gain, count, link in ways:
            if mask & used or not free >> to & 1 or count > left:
                continue
            self._work.spend()
            now, rest, spare, worth, grown = (
                used | mask,
                free & others,
                left - count,
                net + gain,
                (*arm, link),
            )
            if worth >= self._least:
                self._found(worth, now, token, first, grown)
            if self._passable[to] and self._hope(worth, spare, rest, 1 << to, 1):
                self._second(token, to, now, rest, spare, worth, self._ways[to], first, grown)

    def _found(self, net, mask, token, first, second) -> None:
        values = self._service.values
        value = values[token] + sum(values[link.to] for link in first + second)
        self._least = self._keep(Line(net, value, mask, token, (first, second)))

    def _hope(self, net: int, left: int, free: int, ends: int, tails: int) -> bool:
        """Whether going on from `ends` could still make the route worth enough: never wrongly no."""
        missing = self._least - net
        if missing <= 0:
            return True
        if left <= 0:
            return False
        near, through = self._near, self._through
        seen, ahead = 0, ends
        while ahead:
            low = ahead & -ahead
            new = near[low.bit_length() - 1] & free & ~seen
            seen |= new
            ahead = (ahead ^ low) | (new & through)
        around = seen | ends
        for bit, gain, count, close, passable in self._order:
            if bit & seen and count <= left:
                ways = close & around
                if not passable or not ways & (ways - 1):
                    # one way in and none out: such a stop can only be where an arm ends
                    if not tails:
                        continue
                    tails -= 1
                left -= count
                missing -= gain
                if missing <= 0:
                    return True
        return False


def _price(mask: int, prices: Sequence[int]) -> int:
    return sum(price for bit, price in enumerate(prices) if mask >> bit & 1)
