"""Where routes come to that use nothing twice, all at once.

With every border and every stop a pair of numbers (`rails`), a route is a path that takes turns: a piece, then from
one of a pair to the other, and so on, without meeting a pair twice. That is an alternating path of matching theory,
and all numbers such paths lead to are found by one search that folds odd circles away (Edmonds 1965; Gabow 1976):
on a circle that begins and ends at one number, everything can be travelled in both directions.
"""

from collections.abc import Callable, Iterable

from engine.board.rails import Number

ROOT = -2
"""What all first numbers are thought to come from."""


def journeys(
    leads: Callable[[Number], Iterable[Number]], starts: Iterable[Number], barred: int = 0
) -> dict[Number, int]:
    """The numbers from which some route goes on, with the pairs it uses there, one bit each.

    Routes begin over one of the starts and leave the barred pairs alone; `leads` says to which numbers pieces lead.
    """
    search = _Search()
    for start in starts:
        search.step(ROOT, start, barred)
    for number in search.ahead:
        for to in leads(number):
            if to in search.used:
                search.fold(number, to)
            elif to not in search.came:
                search.step(number, to, barred)
    del search.used[ROOT]
    return search.used


class _Search:
    """A tree of routes from the root; what was folded is one with the number nearest to the root in it."""

    def __init__(self) -> None:
        self.used: dict[Number, int] = {ROOT: 0}
        self.came: dict[Number, Number] = {}
        self.ahead: list[Number] = []
        self._rank: dict[Number, int] = {ROOT: 0}
        self._folded: dict[Number, Number] = {}

    def step(self, number: Number, to: Number, barred: int) -> None:
        """Go on to a pair that was not met yet."""
        bit = 1 << (to >> 1)
        if not bit & barred:
            self.came[to] = number
            self._rank[to ^ 1] = len(self._rank)
            self._open(to ^ 1, self.used[number] | bit)

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
