"""Routes of a single train: the best one, or all above a value.

Every route is found once: from the first of the own tokens on it (a route met from a later token leaves the
earlier ones out), as one arm from that token or as two, the first of which leaves it by the earlier link.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from engine.routes.graph import Graph, TrackLink
from engine.routes.walks import Walks

PATIENCE: Final = 60
"""Stops visited from a token before walks are looked at, which takes some time, too."""
_FAR: Final = 8
"""The most stops a train may count for walks to say anything: longer ones go round and round."""
_ANY: Final = 1_000_000_000
"""More than any walk gains, and after all links."""
_GAINS: Final = 50_000
"""For how many choices of what is left to a route it is kept what may still be gained."""

Arm: TypeAlias = tuple[TrackLink, ...]
Way: TypeAlias = tuple[int, int, int, int, int, int, bool, TrackLink]
"""A link made ready: stop, track, bit of the stop, mask of the stops that stay free, net gain, stops counted, whether
a route may end so, the link.
"""


class GraphRoute(NamedTuple):
    """A route on the graph: net and gross dollars, track used, starting token, and its two arms."""

    net: int
    value: int
    mask: int
    token: int
    arms: tuple[Arm, Arm]

    def repriced(self, prices: Sequence[int]) -> "GraphRoute":
        """The same route net of these prices."""
        return self._replace(net=self.value - price_of(self.mask, prices))


class OutOfWork(Exception):  # noqa: N818 - not an error: the search stops here
    """The budget of work is used up."""


@dataclass(slots=True)
class WorkBudget:
    """A budget of stops that a search may still visit."""

    left: int

    def spend(self) -> None:
        """Count one visited stop; raises OutOfWork at the end of the budget."""
        self.left -= 1
        if self.left < 0:
            raise OutOfWork


@dataclass(frozen=True, slots=True)
class Service:
    """One train type on a graph.

    Value of each stop in dollars, stops it uses up there (1 or 0), the limit, bonuses, and the stops that
    it may pass by for nothing.
    """

    values: tuple[int, ...]
    counts: tuple[int, ...]
    limit: int
    prizes: tuple["Prize", ...] = ()
    optional: frozenset[int] = frozenset()

    @property
    def is_short(self) -> bool:
        """True if it stops so rarely that the best walk is a good bound for routes."""
        return self.limit <= _FAR

    def value_of(self, stops: Collection[int]) -> int:
        """Dollars of a route over these stops without bonuses; beyond the limit only the best stops count."""
        if not self.optional:
            return sum([self.values[stop] for stop in stops])
        total, room, best = 0, self.limit, list[int]()
        for stop in stops:
            if stop in self.optional:
                best.append(self.values[stop])
            else:
                total += self.values[stop]
                room -= self.counts[stop]
        best.sort(reverse=True)
        return total + sum(best[:room])

    def upper_bound(self) -> int:
        """An upper bound for any route: the dearest stops within the limit, and all free ones."""
        counted = sorted((v for v, c in zip(self.values, self.counts, strict=True) if c), reverse=True)
        free = sum(v for v, c in zip(self.values, self.counts, strict=True) if not c)
        return sum(counted[: self.limit]) + free + sum(prize.value for prize in self.prizes)


@dataclass(frozen=True, slots=True)
class Prize:
    """A bonus that one line of a set may take; a bit `mask` makes it exclusive, as for track.

    A line that visits a stop of each of the `places` (bit masks of stops) may take it, worth `value`
    dollars.
    """

    mask: int
    places: tuple[int, ...]
    value: int

    def won_by(self, stops: int) -> bool:
        """True if a line that visits these stops may take the bonus."""
        return all(stops & place for place in self.places)


def price_of(mask: int, prices: Sequence[int]) -> int:
    """The sum of the prices of this track; `prices` may be empty."""
    return sum(price for bit, price in enumerate(prices) if mask >> bit & 1)


class Finder:
    """Finds routes of one service, worth at least a given sum net of the prices of their track.

    The two search methods take their state as plain arguments: they run thousands of times in one search.
    """

    def __init__(self, graph: Graph, service: Service, prices: Sequence[int]) -> None:
        self._service = service
        self._tokens = graph.tokens
        self._passable = graph.passable
        self._through = graph.through
        self._near = graph.near
        self._beside = graph.beside
        self._prices = prices if any(prices) else ()
        self._ways = self._all_ways(graph)
        self._order = self._by_gain()
        self._prizes = [(prize, prize.value - price_of(prize.mask, prices)) for prize in service.prizes]
        self._luck = sum(max(0, net) for _, net in self._prizes)
        self._gains: dict[tuple[int, int, int, int], int] = {}
        """Where `_most` found too little: the same stops are left over in whatever order others were visited."""
        self._seen: dict[tuple[int, int], int] = {}
        self._minimum = 1
        self._bar = 1
        self._work = WorkBudget(0)
        self._all_count = all(service.counts) and not service.prizes
        """True if nothing is gained any more once all stops are counted."""
        self._has_walks = service.is_short and all(service.counts)
        self._walks: Walks | None = None
        self._steps: list[list[tuple[int, int, int]]] = []
        self._until = 0
        """The work left when walks are looked at."""
        self._accept_line: Callable[[GraphRoute], int] = lambda line: line.net

    def _all_ways(self, graph: Graph) -> list[list[Way]]:
        """For each link the ways to use it: stopping at its end, and if allowed passing by."""
        values, counts, optional = self._service.values, self._service.counts, self._service.optional
        ends = bool(
            self._service.prizes
        )  # else the route without the stop passed by is as good, with less track
        found: list[list[Way]] = []
        for links in graph.links:
            ways: list[Way] = []
            for link in links:
                to, mask, _ = link
                price = price_of(mask, self._prices) if self._prices else 0
                ways.append((to, mask, 1 << to, graph.beside[to], values[to] - price, counts[to], True, link))
                if to in optional:
                    ways.append((to, mask, 1 << to, graph.beside[to], -price, 0, ends, link))
            found.append(ways)
        return found

    def _by_gain(self) -> list[tuple[int, int, int, int, bool]]:
        """Stops that may gain, best first: bit, gain by the cheapest way in, count, neighbours, passable."""
        gains = [0] * len(self._ways)
        for ways in self._ways:
            for to, _, _, _, gain, _, _, _ in ways:
                gains[to] = max(gains[to], gain)
        order = sorted((stop for stop in range(len(gains)) if gains[stop] > 0), key=lambda j: (-gains[j], j))
        counts = self._service.counts
        return [(1 << j, gains[j], counts[j], self._near[j], self._passable[j]) for j in order]

    def find_better(self, minimum: int, found: list[GraphRoute], budget: WorkBudget) -> None:
        """Add routes worth at least `minimum`, each better than the one before, so that the last is the best.

        Raises OutOfWork.
        """

        def keep(line: GraphRoute) -> int:
            found.append(line)
            return line.net + 1

        self._search(minimum, keep, budget)

    def find_all(self, minimum: int, budget: WorkBudget) -> list[GraphRoute]:
        """Every route worth at least `minimum` net of prices, which may be negative."""
        routes: list[GraphRoute] = []

        def keep(line: GraphRoute) -> int:
            routes.append(line)
            return minimum

        self._search(minimum, keep, budget)
        return list(dict.fromkeys(routes)) if self._service.optional else routes

    def _search(self, minimum: int, keep: Callable[[GraphRoute], int], budget: WorkBudget) -> None:
        """Call `keep` for every route worth at least `minimum`; its result is the next `minimum`."""
        self._minimum, self._accept_line, self._work = minimum, keep, budget
        self._bar = minimum - self._luck
        free = (1 << len(self._ways)) - 1
        for token in self._tokens:
            left = self._service.limit - self._service.counts[token]
            value = self._service.values[token]
            self._walks, self._until = None, budget.left - PATIENCE
            self._extend_first_arm(token, token, 0, free & self._beside[token], left, value, -1, ())
            free &= ~(1 << token)

    def _extend_first_arm(
        self, token: int, end: int, used: int, free: int, left: int, net: int, first: int, arm: Arm
    ) -> None:
        """Extend the first arm from `end`, and start a second one at the token after every step."""
        work, two = self._work, self._passable[token]
        start = 1 << token if two else 0
        for number, (to, mask, bit, others, gain, count, stops, link) in enumerate(self._ways[end]):
            if mask & used or not free & bit or count > left:
                continue
            work.left -= 1
            if work.left < 0:
                raise OutOfWork
            now, rest, spare, worth = used | mask, free & others, left - count, net + gain
            if stops and worth >= self._bar:
                self._add_route(worth, now, token, (*arm, link), ())
            if not spare and self._all_count:
                continue
            by = number if first < 0 else first
            walks = self._walks or (self._walked(token) if work.left < self._until else None)
            if self._passable[to]:
                most = walks.both_arms_gain(by if two else _ANY, end, to, spare) if walks else _ANY
                if self._may_reach(most, worth, spare, rest, start | bit, 2 if two else 1):
                    self._extend_first_arm(token, to, now, rest, spare, worth, by, (*arm, link))
            if (
                two
                and stops
                and self._may_reach(
                    walks.second_arm_gain(by, spare) if walks else _ANY, worth, spare, rest, start, 1
                )
            ):
                ways = self._ways[token][by + 1 :]
                self._extend_second_arm(token, token, ways, now, rest, spare, worth, (*arm, link), ())

    def _extend_second_arm(
        self,
        token: int,
        end: int,
        ways: list[Way],
        used: int,
        free: int,
        left: int,
        net: int,
        first: Arm,
        arm: Arm,
    ) -> None:
        """Extend the second arm by one of these ways, and continue."""
        work = self._work
        for to, mask, bit, others, gain, count, stops, link in ways:
            if mask & used or not free & bit or count > left:
                continue
            work.left -= 1
            if work.left < 0:
                raise OutOfWork
            now, rest, spare, worth = used | mask, free & others, left - count, net + gain
            if stops and worth >= self._bar:
                self._add_route(worth, now, token, first, (*arm, link))
            if self._passable[to] and (spare or not self._all_count):
                most = self._walks.gain_on(end, to, spare) if self._walks else _ANY
                if self._may_reach(most, worth, spare, rest, bit, 1):
                    self._extend_second_arm(
                        token, to, self._ways[to], now, rest, spare, worth, first, (*arm, link)
                    )

    def _walked(self, token: int) -> Walks | None:
        """The walks from this token, computed once its routes have taken some work."""
        if self._has_walks:
            self._steps = self._steps or [
                [(to, gain, count) for to, _, _, _, gain, count, _, _ in ways] for ways in self._ways
            ]
            earlier = sum([1 << other for other in self._tokens if other < token])
            left = self._service.limit - self._service.counts[token]
            self._walks = Walks(self._steps, self._passable, token, self._beside[token] & ~earlier, left)
        return self._walks

    def _add_route(self, net: int, mask: int, token: int, first: Arm, second: Arm) -> None:
        value = self._service.value_of([token, *(link.to for link in first + second)])
        if self._service.optional and net < value - price_of(mask, self._prices):
            return  # the same route with a worse choice of stops
        line = GraphRoute(net, value, mask, token, (first, second))
        for variant in (line, *self._with_prizes(line)) if self._prizes else (line,):
            if variant.net >= self._minimum:
                self._minimum = self._accept_line(variant)
        self._bar = self._minimum - self._luck

    def _with_prizes(self, line: GraphRoute) -> list[GraphRoute]:
        """The line with every possible choice of bonuses, except none."""
        stops = 1 << line.token
        for link in line.arms[0] + line.arms[1]:
            stops |= 1 << link.to
        lines = [line]
        for prize, net in self._prizes:
            if prize.won_by(stops):
                lines += [
                    other._replace(
                        net=other.net + net, value=other.value + prize.value, mask=other.mask | prize.mask
                    )
                    for other in lines
                ]
        return lines[1:]

    def _may_reach(self, walked: int, net: int, left: int, free: int, ends: int, tails: int) -> bool:
        """True if continuing from `ends` could still reach the required value; never wrongly False.

        No walk gains more than `walked`.
        """
        missing = self._bar - net
        if missing <= 0 or walked < missing:
            return missing <= 0
        asked = (left, free, ends, tails)
        most = self._gains.get(asked)
        if most is None:
            if len(self._seen) == _GAINS:
                self._gains.clear()
                self._seen.clear()
            most = self._gain_bound(left, free, ends, tails, missing)
            if most < missing:
                self._gains[asked] = most
        return most >= missing

    def _gain_bound(self, left: int, free: int, ends: int, tails: int, enough: int) -> int:
        """An upper bound of the gain by continuing from `ends`, or any sum that is `enough`.

        Of stops that cannot be passed, because nothing leads on from them, only as many count as the route
        has ends to be prolonged (`tails`). Free stops have these ends to themselves: a free one taken for
        an end must not rule out one that counts, or the other way round, as the best choice may be either.
        """
        seen = self._seen.get((free, ends))
        if seen is None:
            seen = self._seen[free, ends] = self._reachable(free, ends)
        around, all_count = seen | ends, self._all_count
        spare = [tails, tails]
        most = 0
        for bit, gain, count, close, passable in self._order:
            if bit & seen and count <= left:
                ways = close & around
                if not passable or not ways & (ways - 1):
                    if not spare[count]:
                        continue
                    spare[count] -= 1
                most += gain
                if most >= enough:
                    return most
                left -= count
                if not left and all_count:
                    return most
        return most

    def _reachable(self, free: int, ends: int) -> int:
        """The free stops directly reachable from these ends."""
        near, through = self._near, self._through
        seen, ahead = 0, ends
        while ahead:
            low = ahead & -ahead
            new = near[low.bit_length() - 1] & free
            free ^= new
            seen |= new
            ahead = (ahead ^ low) | (new & through)
        return seen
