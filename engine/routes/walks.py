"""Upper bounds for routes from walks, which may visit a stop again but not turn round.

No route gains more than the best walk. The best walk with N counted stops is computed from the best walks with N - 1
(*dynamic programming*). A stop that a train passes without counting it gains nothing; walks are extended over such
stops until none improves.
"""

from collections.abc import Sequence
from typing import TypeAlias

StopLinks: TypeAlias = Sequence[Sequence[tuple[int, int, int]]]
"""For each stop, its links, as (stop at the other end, net value gained, number of stops counted)."""


class Walks:
    """The best walks that can extend routes from one token over `free_stops` (a bit mask); they give upper bounds."""

    def __init__(
        self, links: StopLinks, passable: Sequence[bool], token: int, free_stops: int, stop_limit: int
    ) -> None:
        self._links = links
        self._token = token
        self._free_stops = free_stops
        stop_count = len(links)
        onward_stops = [stop for stop in range(stop_count) if passable[stop] and free_stops >> stop & 1]
        self._counted_links = [(stop, _best_links(links[stop], free_stops, 1)) for stop in onward_stops]
        links_passed_by = ((stop, _best_links(links[stop], free_stops, 0)) for stop in onward_stops)
        self._passed_links = [
            (stop, links_of_stop) for stop, links_of_stop in links_passed_by if links_of_stop
        ]
        self._best_gains, self._first_steps, self._second_best_gains = (
            [[0] * stop_count],
            [[-1] * stop_count],
            [[0] * stop_count],
        )
        for _ in range(stop_limit):
            self._add_longer_walks(stop_count)
        self._second_arm_gains: dict[tuple[int, int], int] = {}
        self._both_arms_gains: dict[tuple[int, int, int, int], int] = {}

    def _add_longer_walks(self, stop_count: int) -> None:
        """For each stop, find the best walk with one more counted stop.

        Also find the second best, for walks that would turn round if they took the best one's first step.
        """
        shorter_gains, shorter_first_steps, shorter_second_best_gains = (
            self._best_gains[-1],
            self._first_steps[-1],
            self._second_best_gains[-1],
        )
        best_gains, first_steps, second_best_gains = [0] * stop_count, [-1] * stop_count, [0] * stop_count
        for stop, links in self._counted_links:
            best_gain, best_step, second_best_gain = 0, -1, 0
            for next_stop, gain in links:
                gain += (
                    shorter_gains[next_stop]
                    if shorter_first_steps[next_stop] != stop
                    else shorter_second_best_gains[next_stop]
                )
                if gain > best_gain:
                    best_gain, best_step, second_best_gain = gain, next_stop, best_gain
                elif gain > second_best_gain:
                    second_best_gain = gain
            best_gains[stop], first_steps[stop], second_best_gains[stop] = (
                best_gain,
                best_step,
                second_best_gain,
            )
        self._extend_by_passed_stops(best_gains, first_steps, second_best_gains)
        self._best_gains.append(best_gains)
        self._first_steps.append(first_steps)
        self._second_best_gains.append(second_best_gains)

    def _extend_by_passed_stops(
        self, best_gains: list[int], first_steps: list[int], second_best_gains: list[int]
    ) -> None:
        has_improved = bool(self._passed_links)
        while has_improved:
            has_improved = False
            for stop, links in self._passed_links:
                best_gain, best_step, second_best_gain = (
                    best_gains[stop],
                    first_steps[stop],
                    second_best_gains[stop],
                )
                for next_stop, gain in links:
                    gain += (
                        best_gains[next_stop]
                        if first_steps[next_stop] != stop
                        else second_best_gains[next_stop]
                    )
                    if next_stop == best_step:
                        best_gain = max(best_gain, gain)
                    elif gain > best_gain:
                        best_gain, best_step, second_best_gain = gain, next_stop, best_gain
                    elif gain > second_best_gain:
                        second_best_gain = gain
                if (best_gain, second_best_gain) != (best_gains[stop], second_best_gains[stop]):
                    best_gains[stop], first_steps[stop], second_best_gains[stop] = (
                        best_gain,
                        best_step,
                        second_best_gain,
                    )
                    has_improved = True

    def best_further_gain(self, previous_stop: int, stop: int, stops_left: int) -> int:
        """The highest gain in dollars of a walk after `stop` that does not turn back to `previous_stop`.

        `stops_left` is the number of stops that the walk may count.
        """
        return (
            self._best_gains[stops_left][stop]
            if self._first_steps[stops_left][stop] != previous_stop
            else self._second_best_gains[stops_left][stop]
        )

    def second_arm_gain(self, first_link_number: int, stops_left: int) -> int:
        """An upper bound in dollars for a route's second arm, which may count `stops_left` stops.

        The arm must leave the token by a link after `first_link_number`.
        """
        cache_key = first_link_number, stops_left
        if cache_key not in self._second_arm_gains:
            gains = [
                gain + self.best_further_gain(self._token, next_stop, stops_left - count)
                for next_stop, gain, count in self._links[self._token][first_link_number + 1 :]
                if count <= stops_left and self._free_stops >> next_stop & 1
            ]
            self._second_arm_gains[cache_key] = max(0, *gains) if gains else 0
        return self._second_arm_gains[cache_key]

    def both_arms_gain(self, first_link_number: int, previous_stop: int, stop: int, stops_left: int) -> int:
        """Upper bound in dollars for extending a route's first arm and adding a second arm from the token."""
        cache_key = first_link_number, previous_stop, stop, stops_left
        if cache_key not in self._both_arms_gains:
            self._both_arms_gains[cache_key] = max(
                [
                    self.best_further_gain(previous_stop, stop, first_arm_stops)
                    + self.second_arm_gain(first_link_number, stops_left - first_arm_stops)
                    for first_arm_stops in range(stops_left + 1)
                ]
            )
        return self._both_arms_gains[cache_key]


def _best_links(
    links: Sequence[tuple[int, int, int]], free_stops: int, wanted_stop_count: int
) -> list[tuple[int, int]]:
    best_gain_by_stop: dict[int, int] = {}
    for next_stop, gain, stop_count in links:
        if (
            stop_count == wanted_stop_count
            and free_stops >> next_stop & 1
            and (next_stop not in best_gain_by_stop or best_gain_by_stop[next_stop] < gain)
        ):
            best_gain_by_stop[next_stop] = gain
    return list(best_gain_by_stop.items())
