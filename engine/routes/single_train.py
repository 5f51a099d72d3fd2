"""Routes of a single train on a graph: the best one, or all above a value.

The search starts at each token in turn and leaves out the tokens before it, so each route is found exactly once. A
route has one or two arms that lead away from its token; of two arms, the first leaves by the earlier link.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from engine.routes.graph import Graph, TrackLink
from engine.routes.train_types import TrainType
from engine.routes.walks import Walks

VISITS_BEFORE_WALKS: Final = 60
"""Number of stops visited from a token before upper bounds by walks are computed (see `walks`)."""
_UNBOUNDED: Final = 1_000_000_000
_MAX_CACHED_GAINS: Final = 50_000

Arm: TypeAlias = tuple[TrackLink, ...]
LinkUse: TypeAlias = tuple[int, int, int, int, int, int, bool, TrackLink]
"""One way for a train to use a link to another stop.

Consists of: that stop, the track, the stop as a bit, the stops that a route may visit afterwards (a bit
mask), net value gained (dollars minus shadow prices), stops counted, True if a route can end there, and
the link.
"""


class GraphRoute(NamedTuple):
    """A route on the graph.

    Consists of: net value (revenue minus shadow prices of its track), revenue in dollars, the track used,
    the token stop where the search began, and the links of both arms that lead away from it.
    """

    net_value: int
    value: int
    mask: int
    token: int
    arms: tuple[Arm, Arm]

    def with_prices(self, prices: Sequence[int]) -> "GraphRoute":
        """The same route with the net value that it has at these shadow prices of track."""
        return self._replace(net_value=self.value - total_shadow_price(self.mask, prices))


class WorkBudgetExhausted(Exception):  # noqa: N818 - not an error: the search stops here
    """Raised when the work budget of a search is used up."""


@dataclass(slots=True)
class WorkBudget:
    """The remaining work of a search, as the number of stops that it may still visit."""

    units_left: int

    def spend(self) -> None:
        """Count one visited stop. Raises WorkBudgetExhausted if the budget is used up."""
        self.units_left -= 1
        if self.units_left < 0:
            raise WorkBudgetExhausted


def total_shadow_price(mask: int, prices: Sequence[int]) -> int:
    """The total shadow price (Lagrange multiplier) of this track, a bit mask. `prices` may be empty."""
    return sum(price for bit, price in enumerate(prices) if mask >> bit & 1)


class RouteFinder:
    """Finds routes of one train type whose net value (revenue minus shadow prices of their track) reaches a minimum.

    The two recursive methods take their state as plain arguments, because they run thousands of times in
    one search.
    """

    def __init__(self, graph: Graph, train_type: TrainType, prices: Sequence[int]) -> None:
        self._train_type = train_type
        self._tokens = graph.tokens
        self._passable = graph.passable
        self._passable_mask = graph.passable_mask
        self._neighbour_masks = graph.neighbour_masks
        self._other_area_masks = graph.other_area_masks
        self._prices = prices if any(prices) else ()
        self._uses_by_stop = self._link_uses(graph)
        self._best_stops = self._stops_sorted_by_gain()
        self._bonuses = [
            (bonus, bonus.value - total_shadow_price(bonus.mask, prices)) for bonus in train_type.bonuses
        ]
        self._max_bonus = sum(max(0, net_value) for _, net_value in self._bonuses)
        self._gain_bounds: dict[tuple[int, int, int, int], int] = {}
        self._reachable_cache: dict[tuple[int, int], int] = {}
        self._min_net_value = 1
        self._required_net_value = 1
        self._budget = WorkBudget(0)
        self._is_every_stop_counted = all(train_type.counts) and not train_type.bonuses
        self._has_walks = train_type.is_short and all(train_type.counts)
        self._walks: Walks | None = None
        self._walk_links: list[list[tuple[int, int, int]]] = []
        self._units_left_for_walks = 0
        self._accept_route: Callable[[GraphRoute], int] = lambda route: route.net_value

    def _link_uses(self, graph: Graph) -> list[list[LinkUse]]:
        """For each stop, the ways to use its links: stopping at the other stop or, if allowed, passing it."""
        values, counts, optional_stops = (
            self._train_type.values,
            self._train_type.counts,
            self._train_type.optional_stops,
        )
        may_end = bool(
            self._train_type.bonuses
        )  # without bonuses, the route that ends before the passed stop is as good and uses less track
        uses_by_stop: list[list[LinkUse]] = []
        for links in graph.links:
            stop_uses: list[LinkUse] = []
            for link in links:
                to_stop, mask, _ = link
                price = total_shadow_price(mask, self._prices) if self._prices else 0
                stop_uses.append(
                    (
                        to_stop,
                        mask,
                        1 << to_stop,
                        graph.other_area_masks[to_stop],
                        values[to_stop] - price,
                        counts[to_stop],
                        True,
                        link,
                    )
                )
                if to_stop in optional_stops:
                    stop_uses.append(
                        (
                            to_stop,
                            mask,
                            1 << to_stop,
                            graph.other_area_masks[to_stop],
                            -price,
                            0,
                            may_end,
                            link,
                        )
                    )
            uses_by_stop.append(stop_uses)
        return uses_by_stop

    def _stops_sorted_by_gain(self) -> list[tuple[int, int, int, int, bool]]:
        gain_by_stop = [0] * len(self._uses_by_stop)
        for stop_uses in self._uses_by_stop:
            for to_stop, _, _, _, gain, _, _, _ in stop_uses:
                gain_by_stop[to_stop] = max(gain_by_stop[to_stop], gain)
        stops_best_first = sorted(
            (stop for stop in range(len(gain_by_stop)) if gain_by_stop[stop] > 0),
            key=lambda j: (-gain_by_stop[j], j),
        )
        counts = self._train_type.counts
        return [
            (1 << j, gain_by_stop[j], counts[j], self._neighbour_masks[j], self._passable[j])
            for j in stops_best_first
        ]

    def find_better(self, min_net_value: int, routes: list[GraphRoute], budget: WorkBudget) -> None:
        """Append routes with a net value of at least `min_net_value` to `routes`, each better than the one before.

        The last one is the best. Raises WorkBudgetExhausted.
        """

        def keep_better(route: GraphRoute) -> int:
            routes.append(route)
            return route.net_value + 1

        self._search(min_net_value, keep_better, budget)

    def find_all(self, min_net_value: int, budget: WorkBudget) -> list[GraphRoute]:
        """All routes with a net value (revenue minus shadow prices) of at least `min_net_value`; it may be negative."""
        routes: list[GraphRoute] = []

        def keep_all(route: GraphRoute) -> int:
            routes.append(route)
            return min_net_value

        self._search(min_net_value, keep_all, budget)
        return list(dict.fromkeys(routes)) if self._train_type.optional_stops else routes

    def _search(
        self, min_net_value: int, accept_route: Callable[[GraphRoute], int], budget: WorkBudget
    ) -> None:
        self._min_net_value, self._accept_route, self._budget = min_net_value, accept_route, budget
        self._required_net_value = min_net_value - self._max_bonus
        free_stops = (1 << len(self._uses_by_stop)) - 1
        for token in self._tokens:
            stops_left = self._train_type.limit - self._train_type.counts[token]
            token_value = self._train_type.values[token]
            self._walks, self._units_left_for_walks = None, budget.units_left - VISITS_BEFORE_WALKS
            self._extend_first_arm(
                token, token, 0, free_stops & self._other_area_masks[token], stops_left, token_value, -1, ()
            )
            free_stops &= ~(1 << token)

    def _extend_first_arm(
        self,
        token: int,
        end: int,
        used_track: int,
        free_stops: int,
        stops_left: int,
        net_value: int,
        first_link_index: int,
        first_arm: Arm,
    ) -> None:
        budget, may_have_two_arms = self._budget, self._passable[token]
        start_bit = 1 << token if may_have_two_arms else 0
        for number, (to_stop, mask, bit, stops_kept_free, gain, count, may_end, link) in enumerate(
            self._uses_by_stop[end]
        ):
            if mask & used_track or not free_stops & bit or count > stops_left:
                continue
            budget.units_left -= 1
            if budget.units_left < 0:
                raise WorkBudgetExhausted
            used_track_now, free_stops_now = used_track | mask, free_stops & stops_kept_free
            stops_left_now, net_value_now = stops_left - count, net_value + gain
            if may_end and net_value_now >= self._required_net_value:
                self._add_route(net_value_now, used_track_now, token, (*first_arm, link), ())
            if not stops_left_now and self._is_every_stop_counted:
                continue
            first_link_number = number if first_link_index < 0 else first_link_index
            walks = self._walks or (
                self._walks_from(token) if budget.units_left < self._units_left_for_walks else None
            )
            if self._passable[to_stop]:
                max_gain = (
                    walks.both_arms_gain(
                        first_link_number if may_have_two_arms else _UNBOUNDED, end, to_stop, stops_left_now
                    )
                    if walks
                    else _UNBOUNDED
                )
                if self._may_reach_required_value(
                    max_gain,
                    net_value_now,
                    stops_left_now,
                    free_stops_now,
                    start_bit | bit,
                    2 if may_have_two_arms else 1,
                ):
                    self._extend_first_arm(
                        token,
                        to_stop,
                        used_track_now,
                        free_stops_now,
                        stops_left_now,
                        net_value_now,
                        first_link_number,
                        (*first_arm, link),
                    )
            if (
                may_have_two_arms
                and may_end
                and self._may_reach_required_value(
                    walks.second_arm_gain(first_link_number, stops_left_now) if walks else _UNBOUNDED,
                    net_value_now,
                    stops_left_now,
                    free_stops_now,
                    start_bit,
                    1,
                )
            ):
                link_uses = self._uses_by_stop[token][first_link_number + 1 :]
                self._extend_second_arm(
                    token,
                    token,
                    link_uses,
                    used_track_now,
                    free_stops_now,
                    stops_left_now,
                    net_value_now,
                    (*first_arm, link),
                    (),
                )

    def _extend_second_arm(
        self,
        token: int,
        end: int,
        link_uses: list[LinkUse],
        used_track: int,
        free_stops: int,
        stops_left: int,
        net_value: int,
        first_arm: Arm,
        second_arm: Arm,
    ) -> None:
        budget = self._budget
        for to_stop, mask, bit, stops_kept_free, gain, count, may_end, link in link_uses:
            if mask & used_track or not free_stops & bit or count > stops_left:
                continue
            budget.units_left -= 1
            if budget.units_left < 0:
                raise WorkBudgetExhausted
            used_track_now, free_stops_now = used_track | mask, free_stops & stops_kept_free
            stops_left_now, net_value_now = stops_left - count, net_value + gain
            if may_end and net_value_now >= self._required_net_value:
                self._add_route(net_value_now, used_track_now, token, first_arm, (*second_arm, link))
            if self._passable[to_stop] and (stops_left_now or not self._is_every_stop_counted):
                max_gain = (
                    self._walks.best_further_gain(end, to_stop, stops_left_now) if self._walks else _UNBOUNDED
                )
                if self._may_reach_required_value(
                    max_gain, net_value_now, stops_left_now, free_stops_now, bit, 1
                ):
                    self._extend_second_arm(
                        token,
                        to_stop,
                        self._uses_by_stop[to_stop],
                        used_track_now,
                        free_stops_now,
                        stops_left_now,
                        net_value_now,
                        first_arm,
                        (*second_arm, link),
                    )

    def _walks_from(self, token: int) -> Walks | None:
        """Upper bounds by walks from this token; None if the train type has none."""
        if self._has_walks:
            self._walk_links = self._walk_links or [
                [(to_stop, gain, count) for to_stop, _, _, _, gain, count, _, _ in stop_uses]
                for stop_uses in self._uses_by_stop
            ]
            earlier_tokens = sum([1 << other for other in self._tokens if other < token])
            stops_left = self._train_type.limit - self._train_type.counts[token]
            self._walks = Walks(
                self._walk_links,
                self._passable,
                token,
                self._other_area_masks[token] & ~earlier_tokens,
                stops_left,
            )
        return self._walks

    def _add_route(self, net_value: int, mask: int, token: int, first_arm: Arm, second_arm: Arm) -> None:
        value = self._train_type.value_of([token, *(link.to_stop for link in first_arm + second_arm)])
        if self._train_type.whole_route_revenue is not None:
            net_value = value - total_shadow_price(mask, self._prices)
        if self._train_type.optional_stops and net_value < value - total_shadow_price(mask, self._prices):
            return  # the same route with a worse choice of stops
        route = GraphRoute(net_value, value, mask, token, (first_arm, second_arm))
        for route_variant in (route, *self._with_bonuses(route)) if self._bonuses else (route,):
            if route_variant.net_value >= self._min_net_value:
                self._min_net_value = self._accept_route(route_variant)
        self._required_net_value = self._min_net_value - self._max_bonus

    def _with_bonuses(self, route: GraphRoute) -> list[GraphRoute]:
        """Copies of the route, one for each non-empty choice of the bonuses that it can earn."""
        stops = 1 << route.token
        for link in route.arms[0] + route.arms[1]:
            stops |= 1 << link.to_stop
        routes = [route]
        for bonus, net_value in self._bonuses:
            if bonus.is_won_by(stops):
                routes += [
                    other._replace(
                        net_value=other.net_value + net_value,
                        value=other.value + bonus.value,
                        mask=other.mask | bonus.mask,
                    )
                    for other in routes
                ]
        return routes[1:]

    def _may_reach_required_value(
        self,
        walk_gain: int,
        net_value: int,
        stops_left: int,
        free_stops: int,
        end_stops: int,
        open_end_count: int,
    ) -> bool:
        """True if a route that continues from `end_stops` could reach the required value, as far as upper bounds tell.

        `walk_gain` is the upper bound by walks, in dollars. The result is never False for a route that could reach the
        value.
        """
        missing_gain = self._required_net_value - net_value
        if missing_gain <= 0 or walk_gain < missing_gain:
            return missing_gain <= 0
        cache_key = (stops_left, free_stops, end_stops, open_end_count)
        max_gain = self._gain_bounds.get(cache_key)
        if max_gain is None:
            if len(self._reachable_cache) == _MAX_CACHED_GAINS:
                self._gain_bounds.clear()
                self._reachable_cache.clear()
            max_gain = self._gain_bound(stops_left, free_stops, end_stops, open_end_count, missing_gain)
            if max_gain < missing_gain:
                self._gain_bounds[cache_key] = max_gain
        return max_gain >= missing_gain

    def _gain_bound(
        self, stops_left: int, free_stops: int, end_stops: int, open_end_count: int, needed_gain: int
    ) -> int:
        """An upper bound of the dollars gained by continuing at `end_stops`.

        The sum ends once it reaches `needed_gain`. A stop that routes cannot pass can only be an end of the route. Of
        these stops, at most `open_end_count` that count against the train's limit are added, and at most as many that
        do not count, since either kind may be the better end.
        """
        reachable = self._reachable_cache.get((free_stops, end_stops))
        if reachable is None:
            reachable = self._reachable_cache[free_stops, end_stops] = self._reachable_stops(
                free_stops, end_stops
            )
        reachable_and_ends, is_every_stop_counted = reachable | end_stops, self._is_every_stop_counted
        open_ends_left = [open_end_count, open_end_count]
        max_gain = 0
        for bit, gain, count, neighbours, passable in self._best_stops:
            if bit & reachable and count <= stops_left:
                neighbours_in_reach = neighbours & reachable_and_ends
                if not passable or not neighbours_in_reach & (neighbours_in_reach - 1):
                    if not open_ends_left[count]:
                        continue
                    open_ends_left[count] -= 1
                max_gain += gain
                if max_gain >= needed_gain:
                    return max_gain
                stops_left -= count
                if not stops_left and is_every_stop_counted:
                    return max_gain
        return max_gain

    def _reachable_stops(self, free_stops: int, end_stops: int) -> int:
        neighbours, passable = self._neighbour_masks, self._passable_mask
        seen_stops, stops_to_follow = 0, end_stops
        while stops_to_follow:
            lowest_bit = stops_to_follow & -stops_to_follow
            new_stops = neighbours[lowest_bit.bit_length() - 1] & free_stops
            free_stops ^= new_stops
            seen_stops |= new_stops
            stops_to_follow = (stops_to_follow ^ lowest_bit) | (new_stops & passable)
        return seen_stops
