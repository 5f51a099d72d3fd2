"""Chooses one candidate route for each train, so that no track is shared and the total revenue is highest.

Each piece of track has a shadow price (a Lagrange multiplier, see `search`), which no company pays. The net value of a
route is its revenue minus the shadow prices of its track. The sum of all shadow prices and of each train's best net
value is an upper bound of the total revenue. A choice of routes falls short of this bound in two ways: a route has less
than its train's best net value, or no route uses a piece of track with a shadow price above 0.

If the best choice can be only little below the bound, it uses nearly all track with a shadow price above 0. The search
therefore works like an exact cover: it takes the piece of this track that the fewest routes can use, tries each of
these routes, and finally leaves the piece unused.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from operator import or_
from typing import Final, Generic, Protocol, TypeAlias, TypeVar

from engine.routes.single_train import WorkBudget, WorkBudgetExhausted

_WORK_PER_BRANCHING: Final = 2


class CandidateRoute(Protocol):
    """A candidate route: net value (revenue minus shadow prices of track), revenue in dollars, and track as bits."""

    @property
    def net_value(self) -> int: ...
    @property
    def value(self) -> int: ...
    @property
    def mask(self) -> int: ...


AnyRoute = TypeVar("AnyRoute", bound=CandidateRoute)
_OpenCandidates: TypeAlias = tuple[tuple[int, int], ...]
"""For each train type: the number of trains without a route, and a bit mask of the candidate routes still possible."""
_TrackPrices: TypeAlias = list[tuple[int, int]]
"""Pieces of track as bits, each with its shadow price (Lagrange multiplier)."""


def best_disjoint_set(
    route_lists: Sequence[Sequence[AnyRoute]], minimum: int, prices: Sequence[int], budget: WorkBudget
) -> tuple[list[AnyRoute | None] | None, bool]:
    """The most valuable set of routes, and True if the search was complete.

    The set is worth at least `minimum` dollars; it is None if the search found no such set. Each list holds one train's
    candidate routes, sorted by net value, highest first; trains of the same type must share one list object. `prices`
    are the shadow prices (Lagrange multipliers) of all track by bit. No set is worth more than the net values of its
    routes plus all shadow prices.
    """
    routes_by_kind = {id(candidates): candidates for candidates in route_lists}
    train_count_by_kind = Counter(map(id, route_lists))
    set_search = _DisjointSetSearch(
        [_Candidates(candidates) for candidates in routes_by_kind.values()], minimum, prices, budget
    )
    is_complete = True
    try:
        set_search.extend_set(
            tuple(
                [(train_count_by_kind[kind], (1 << len(routes_by_kind[kind])) - 1) for kind in routes_by_kind]
            ),
            0,
            set_search.track_prices,
        )
    except WorkBudgetExhausted:
        is_complete = False
    if set_search.best_set is None:
        return None, is_complete
    chosen_by_kind = {
        kind: [candidate for kind_number, candidate in set_search.best_set if kind_number == number]
        for number, kind in enumerate(routes_by_kind)
    }
    return [
        chosen_by_kind[kind].pop() if chosen_by_kind[kind] else None for kind in map(id, route_lists)
    ], is_complete


class _Candidates(Generic[AnyRoute]):
    """The candidate routes of one train type. A set of routes is a bit mask of their indexes."""

    def __init__(self, candidates: Sequence[AnyRoute]) -> None:
        self.candidates = candidates
        self.routes_by_track = _routes_by_bit(candidates)
        self._disjoint_routes_by_mask: dict[int, int] = {}
        routes_by_value: dict[int, int] = {}
        for number, candidate in enumerate(candidates):
            routes_by_value[candidate.value] = routes_by_value.get(candidate.value, 0) | 1 << number
        self._values = sorted(routes_by_value)
        self._routes_worth_at_least = [
            *accumulate((routes_by_value[value] for value in reversed(self._values)), or_)
        ][::-1]

    def top_net_value(self, open_routes: int) -> int:
        return (
            max(0, self.candidates[(open_routes & -open_routes).bit_length() - 1].net_value)
            if open_routes
            else 0
        )

    def routes_disjoint_from(self, mask: int) -> int:
        disjoint_routes = self._disjoint_routes_by_mask.get(mask)
        if disjoint_routes is None:
            overlapping_routes, bits_left = 0, mask
            while bits_left:
                lowest_bit = bits_left & -bits_left
                overlapping_routes |= self.routes_by_track.get(lowest_bit, 0)
                bits_left ^= lowest_bit
            disjoint_routes = self._disjoint_routes_by_mask[mask] = ~overlapping_routes
        return disjoint_routes

    def most_valuable_route(self, open_routes: int, minimum: int) -> AnyRoute | None:
        first_index = bisect_left(self._values, minimum)
        if first_index == len(self._values) or not open_routes & self._routes_worth_at_least[first_index]:
            return None
        value_index = max(
            i for i in range(first_index, len(self._values)) if open_routes & self._routes_worth_at_least[i]
        )
        open_routes &= self._routes_worth_at_least[value_index]
        return self.candidates[(open_routes & -open_routes).bit_length() - 1]


class _DisjointSetSearch(Generic[AnyRoute]):
    """A backtracking search for the most valuable set of routes that share no track."""

    def __init__(
        self,
        candidates_by_kind: Sequence[_Candidates[AnyRoute]],
        minimum: int,
        prices: Sequence[int],
        budget: WorkBudget,
    ) -> None:
        self._candidates_by_kind = candidates_by_kind
        self._minimum = minimum
        self._budget = budget
        self.track_prices: _TrackPrices = [(1 << bit, price) for bit, price in enumerate(prices) if price]
        self._chosen_candidates: list[tuple[int, AnyRoute]] = []
        self.best_set: list[tuple[int, AnyRoute]] | None = None

    def extend_set(self, open_candidates: _OpenCandidates, value: int, prices_left: _TrackPrices) -> None:
        """Add routes to those chosen so far (worth `value` dollars) in every promising way, and record the best set.

        `open_candidates` are the routes that can still be added. `prices_left` is the track that the chosen routes
        do not use, with its shadow prices (Lagrange multipliers).
        """
        if sum([train_count for train_count, _ in open_candidates]) <= 1:
            self._add_last_route(open_candidates, value)
            return
        while True:
            self._budget.units_left -= _WORK_PER_BRANCHING
            self._budget.spend()
            top_values = [
                kind.top_net_value(open_routes) if train_count else 0
                for kind, (train_count, open_routes) in zip(
                    self._candidates_by_kind, open_candidates, strict=True
                )
            ]
            route_counts, usable_track = self._usable_track(open_candidates, prices_left)
            value_bound = value + sum([price for _, price in usable_track])
            value_bound += sum(
                [
                    train_count * top_value
                    for top_value, (train_count, _) in zip(top_values, open_candidates, strict=True)
                ]
            )
            if value_bound < self._minimum:
                return
            if not usable_track:
                self._try_routes_in_order(open_candidates, value, top_values)
                return
            slack = value_bound - self._minimum
            track_index = min(
                range(len(usable_track)), key=lambda i: (usable_track[i][1] <= slack, route_counts[i])
            )
            bit, price = usable_track.pop(track_index)
            for kind, candidates in enumerate(self._candidates_by_kind):
                train_count, open_routes = open_candidates[kind]
                if train_count:
                    self._try_routes(
                        kind,
                        open_routes & candidates.routes_by_track.get(bit, 0),
                        value_bound - top_values[kind],
                        open_candidates,
                        value,
                        usable_track,
                    )
            if value_bound - price < self._minimum:
                return
            prices_left, open_candidates = usable_track, self._without_track(open_candidates, bit)

    def _usable_track(
        self, open_candidates: _OpenCandidates, prices_left: _TrackPrices
    ) -> tuple[list[int], _TrackPrices]:
        open_routes_with_track = [
            (open_routes, candidates.routes_by_track)
            for candidates, (train_count, open_routes) in zip(
                self._candidates_by_kind, open_candidates, strict=True
            )
            if train_count
        ]
        route_counts, usable_track = [], []
        for priced_bit in prices_left:
            track_bit, count = priced_bit[0], 0
            for open_routes, routes_by_track in open_routes_with_track:
                if track_bit in routes_by_track:
                    count += (open_routes & routes_by_track[track_bit]).bit_count()
            if count:
                route_counts.append(count)
                usable_track.append(priced_bit)
        return route_counts, usable_track

    def _try_routes(
        self,
        kind: int,
        route_bits: int,
        other_routes_bound: int,
        open_candidates: _OpenCandidates,
        value: int,
        prices_left: _TrackPrices,
    ) -> None:
        candidates = self._candidates_by_kind[kind].candidates
        while route_bits:
            lowest_bit = route_bits & -route_bits
            candidate = candidates[lowest_bit.bit_length() - 1]
            if other_routes_bound + candidate.net_value < self._minimum:
                return
            route_bits ^= lowest_bit
            self._add_candidate(kind, candidate, open_candidates, value, prices_left)

    def _try_routes_in_order(
        self, open_candidates: _OpenCandidates, value: int, top_values: Sequence[int]
    ) -> None:
        kind = min(
            [i for i, (train_count, _) in enumerate(open_candidates) if train_count],
            key=lambda i: open_candidates[i][1].bit_count(),
        )
        train_count, open_routes = open_candidates[kind]
        other_routes_bound = (
            value
            + sum(
                [count * top_value for top_value, (count, _) in zip(top_values, open_candidates, strict=True)]
            )
            - train_count * top_values[kind]
        )
        kinds_before, kinds_after = open_candidates[:kind], open_candidates[kind + 1 :]
        while open_routes:
            lowest_bit = open_routes & -open_routes
            candidate = self._candidates_by_kind[kind].candidates[lowest_bit.bit_length() - 1]
            if other_routes_bound + train_count * candidate.net_value < self._minimum:
                break
            open_routes ^= lowest_bit
            self._add_candidate(
                kind, candidate, (*kinds_before, (train_count, open_routes), *kinds_after), value, []
            )
        if other_routes_bound >= self._minimum:
            self.extend_set((*kinds_before, (0, 0), *kinds_after), value, [])

    def _add_candidate(
        self,
        kind: int,
        candidate: AnyRoute,
        open_candidates: _OpenCandidates,
        value: int,
        prices_left: _TrackPrices,
    ) -> None:
        self._budget.spend()
        mask = candidate.mask
        candidates_left = [
            (
                train_count - (number == kind),
                open_routes & candidates.routes_disjoint_from(mask) if train_count else 0,
            )
            for number, (candidates, (train_count, open_routes)) in enumerate(
                zip(self._candidates_by_kind, open_candidates, strict=True)
            )
        ]
        self._chosen_candidates.append((kind, candidate))
        self.extend_set(
            tuple(candidates_left),
            value + candidate.value,
            [priced_bit for priced_bit in prices_left if not mask & priced_bit[0]],
        )
        self._chosen_candidates.pop()

    def _without_track(self, open_candidates: _OpenCandidates, bit: int) -> _OpenCandidates:
        kinds = zip(self._candidates_by_kind, open_candidates, strict=True)
        return tuple(
            [
                (train_count, open_routes & ~candidates.routes_by_track.get(bit, 0))
                for candidates, (train_count, open_routes) in kinds
            ]
        )

    def _add_last_route(self, open_candidates: _OpenCandidates, value: int) -> None:
        self._budget.spend()
        best_choice = self._chosen_candidates
        for kind, (train_count, open_routes) in enumerate(open_candidates):
            candidate = (
                self._candidates_by_kind[kind].most_valuable_route(open_routes, max(1, self._minimum - value))
                if train_count
                else None
            )
            if candidate is not None:
                value, best_choice = value + candidate.value, [*best_choice, (kind, candidate)]
        if value >= self._minimum:
            self._minimum, self.best_set = value + 1, list(best_choice)


def _routes_by_bit(candidates: Sequence[CandidateRoute]) -> dict[int, int]:
    """For each piece of track (bit), the candidate routes that use it, as a bit mask."""
    byte_count = (len(candidates) + 7) // 8
    route_bytes_by_track_bit: dict[int, bytearray] = {}
    for number, candidate in enumerate(candidates):
        mask, byte_index, bit_in_byte = candidate.mask, number >> 3, 1 << (number & 7)
        while mask:
            lowest_bit = mask & -mask
            if lowest_bit not in route_bytes_by_track_bit:
                route_bytes_by_track_bit[lowest_bit] = bytearray(byte_count)
            route_bytes_by_track_bit[lowest_bit][byte_index] |= bit_in_byte
            mask ^= lowest_bit
    return {
        bit: int.from_bytes(routes_by_track, "little")
        for bit, routes_by_track in route_bytes_by_track_bit.items()
    }
