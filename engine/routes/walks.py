"""Upper bounds by walks, which may visit a stop again but not turn round; no route gains more.

The best walk of N counted stops follows from the best ones of a stop less, by *dynamic programming*. Stops
that a train passes by count nothing and gain nothing: walks over them are prolonged until none gets better.
"""

from collections.abc import Sequence
from typing import TypeAlias

Ways: TypeAlias = Sequence[Sequence[tuple[int, int, int]]]
"""For each stop those that links lead to, what going there gains net of the price of the track, and what it counts."""


class Walks:
    """The walks that extend routes from one token, over `free` stops (a bit mask)."""

    def __init__(self, ways: Ways, passable: Sequence[bool], token: int, free: int, limit: int) -> None:
        self._ways = ways
        self._token = token
        self._free = free
        size = len(ways)
        onward = [stop for stop in range(size) if passable[stop] and free >> stop & 1]
        self._counted = [(stop, _best_ways(ways[stop], free, 1)) for stop in onward]
        passing = ((stop, _best_ways(ways[stop], free, 0)) for stop in onward)
        self._passing = [(stop, passes) for stop, passes in passing if passes]
        self._best, self._via, self._other = [[0] * size], [[-1] * size], [[0] * size]
        for _ in range(limit):
            self._longer(size)
        self._seconds: dict[tuple[int, int], int] = {}
        self._firsts: dict[tuple[int, int, int, int], int] = {}

    def _longer(self, size: int) -> None:
        """For each stop the best walk with one more stop, and the best with another first step."""
        ends, vias, others = self._best[-1], self._via[-1], self._other[-1]
        best, via, other = [0] * size, [-1] * size, [0] * size
        for stop, ways in self._counted:
            most, to_most, second = 0, -1, 0
            for to, gain in ways:
                gain += ends[to] if vias[to] != stop else others[to]
                if gain > most:
                    most, to_most, second = gain, to, most
                elif gain > second:
                    second = gain
            best[stop], via[stop], other[stop] = most, to_most, second
        self._pass_by(best, via, other)
        self._best.append(best)
        self._via.append(via)
        self._other.append(other)

    def _pass_by(self, best: list[int], via: list[int], other: list[int]) -> None:
        """Extend walks by stops that are passed by, while one improves."""
        better = bool(self._passing)
        while better:
            better = False
            for stop, ways in self._passing:
                most, to_most, second = best[stop], via[stop], other[stop]
                for to, gain in ways:
                    gain += best[to] if via[to] != stop else other[to]
                    if to == to_most:
                        most = max(most, gain)
                    elif gain > most:
                        most, to_most, second = gain, to, most
                    elif gain > second:
                        second = gain
                if (most, second) != (best[stop], other[stop]):
                    best[stop], via[stop], other[stop] = most, to_most, second
                    better = True

    def gain_on(self, before: int, stop: int, left: int) -> int:
        """Highest gain by this many stops from `stop`, reached from `before`."""
        return self._best[left][stop] if self._via[left][stop] != before else self._other[left][stop]

    def second_arm_gain(self, by: int, left: int) -> int:
        """Highest gain of a second arm that starts by a later link."""
        asked = by, left
        if asked not in self._seconds:
            gains = [
                gain + self.gain_on(self._token, to, left - count)
                for to, gain, count in self._ways[self._token][by + 1 :]
                if count <= left and self._free >> to & 1
            ]
            self._seconds[asked] = max(0, *gains) if gains else 0
        return self._seconds[asked]

    def both_arms_gain(self, by: int, before: int, stop: int, left: int) -> int:
        """Highest gain of continuing the first arm, and of a second one."""
        asked = by, before, stop, left
        if asked not in self._firsts:
            self._firsts[asked] = max(
                [
                    self.gain_on(before, stop, ahead) + self.second_arm_gain(by, left - ahead)
                    for ahead in range(left + 1)
                ]
            )
        return self._firsts[asked]


def _best_ways(ways: Sequence[tuple[int, int, int]], free: int, count: int) -> list[tuple[int, int]]:
    """The best way to each free stop, among those that count this much."""
    best: dict[int, int] = {}
    for to, gain, counts in ways:
        if counts == count and free >> to & 1 and (to not in best or best[to] < gain):
            best[to] = gain
    return list(best.items())
