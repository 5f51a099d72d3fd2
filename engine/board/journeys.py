"""Where routes come to that use nothing twice, all at once.

With both sides of every border numbered (`rails`), a route takes turns: a piece, a crossing from one side to the other,
a piece, and so on, and uses no crossing twice. That is an alternating path of matching theory, and all numbers such
paths lead to are found by one search that folds odd circles away (Edmonds 1965; Gabow 1976): on a circle that begins
and ends at one place, everything can be travelled in both directions.

A stop is left over any of its pieces, so it is one with the place it was come to from. Where a route begins it need
never come to: what it would do from there it could have begun with.
"""

from collections.abc import Callable, Iterable
from typing import Final

from engine.board.rails import Ahead, Number

_ROOT: Final = -2
"""What all first stops are thought to be come to from."""


def journeys(ahead: Callable[[Number], Ahead], starts: Iterable[Number], barred: int) -> dict[Number, int]:
    """The sides of borders and the stops that routes go on from, with the pairs one uses there, one bit each.

    Routes begin at the starts and leave the barred pairs alone; `ahead` says where pieces lead.
    """
    search = _Search()
    used, came = search.used, search.came
    for start in starts:
        search.stop(_ROOT, start, barred)
    for number in search.ahead:
        borders, stops = ahead(number)
        for to in borders:
            if to in used:
                search.fold(number, to)
            elif to not in came:
                search.cross(number, to, barred)
        for to in stops:
            if to in used:
                search.fold(number, to)
            else:
                search.stop(number, to, barred)
    return used


class _Search:
    """A tree of routes from the root; what was folded is one with the number nearest to the root in it."""

    def __init__(self) -> None:
        self.used: dict[Number, int] = {}
        self.came: dict[Number, Number] = {}
        self.ahead: list[Number] = []
        self._rank: dict[Number, int] = {_ROOT: 0}
        self._folded: dict[Number, Number] = {}

    def cross(self, number: Number, to: Number, barred: int) -> None:
        """Go on over a border that was not met yet."""
        bit = 1 << (to >> 1)
        if not bit & barred:
            self.came[to] = number
            self._rank[to ^ 1] = len(self._rank)
            self._open(to ^ 1, self.used[number] | bit)

    def stop(self, number: Number, to: Number, barred: int) -> None:
        """Come to a stop for the first time."""
        bit = 1 << (to >> 1)
        if not bit & barred:
            self._folded[to] = number
            self._open(to, self.used.get(number, 0) | bit)

    def fold(self, one: Number, other: Number) -> None:
        """Two numbers that routes go on from are joined by a piece: the circle it closes goes both ways."""
        a, b = self._base(one), self._base(other)
        while a != b:
            if self._rank[a] > self._rank[b]:
                a = self._turn(a, one, other)
            else:
                b = self._turn(b, other, one)

    def _turn(self, base: Number, here: Number, there: Number) -> Number:
        """Let a route that came to `there` go on over `here`, back along the way to it, up to before `base`."""
        back = base ^ 1
        before = self.came[back]
        self._open(back, self.used[there] | self.used[here] & ~self.used[before])
        self._folded[base] = self._folded[back] = before
        return self._base(before)

    def _open(self, number: Number, used: int) -> None:
        self.used[number] = used
        self.ahead.append(number)

    def _base(self, number: Number) -> Number:
        folded = self._folded
        top = number
        while top in folded:
            top = folded[top]
        while number != top:
            folded[number], number = top, folded[number]
        return top
