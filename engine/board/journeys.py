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


class Journeys:
    """The sides of borders and the stops that routes continue from: a tree of routes, grown from their starts.

    What was folded is one with the number nearest to the root in it. More track and more starts let the tree grow.
    """

    def __init__(self, starts: Iterable[Number], barred: int) -> None:
        """Routes begin at the starts and leave the barred pairs alone; they lead nowhere until `follow`."""
        self.used: dict[Number, int] = {}
        """What routes continue from, with the pairs one uses there, one bit each."""
        self._came: dict[Number, Number] = {}
        self._ahead: list[Number] = []
        self._rank: dict[Number, int] = {_ROOT: 0}
        self._folded: dict[Number, Number] = {}
        for start in starts:
            if not 1 << (start >> 1) & barred:
                self.begin(start)

    def begin(self, start: Number) -> None:
        """Let routes begin here, too."""
        if start in self.used:  # as if a piece led here from the root
            self._fold(_ROOT, start)
        else:
            self._folded[start], self.used[start] = _ROOT, 1 << (start >> 1)
            self._ahead.append(start)

    def follow(
        self, ahead: Callable[[Number], Ahead], barred: int, again: Iterable[Number] = ()
    ) -> list[Number]:
        """Follow all routes to their ends, those too that continue `again` from numbers known before.

        `ahead` says where pieces lead. Returns all that was looked at: the numbers that are new, and these.
        """
        self._ahead += again
        used, came, rank, folded, opened = self.used, self._came, self._rank, self._folded, self._ahead
        # Most of the time goes by here: what opens a number is written out, not called.
        for number in opened:
            borders, stops = ahead(number)
            for to in borders:
                if to in used:
                    self._fold(number, to)
                elif to not in came:  # on over a border that was not met yet
                    bit = 1 << (to >> 1)
                    if not bit & barred:
                        beyond = to ^ 1
                        came[to], rank[beyond], used[beyond] = number, len(rank), used[number] | bit
                        opened.append(beyond)
            for to in stops:
                if to in used:
                    self._fold(number, to)
                else:  # to a stop for the first time
                    bit = 1 << (to >> 1)
                    if not bit & barred:
                        folded[to], used[to] = number, used[number] | bit
                        opened.append(to)
        self._ahead = []
        return opened

    def _fold(self, one: Number, other: Number) -> None:
        """Two numbers that routes continue from are joined by a piece: the circle it closes goes both ways."""
        a, b = self._base(one), self._base(other)
        while a != b:
            if self._rank[a] > self._rank[b]:
                a = self._turn(a, one, other)
            else:
                b = self._turn(b, other, one)

    def _turn(self, base: Number, here: Number, there: Number) -> Number:
        """Let a route that came to `there` continue over `here`, back along the way to it, up to before `base`."""
        back = base ^ 1
        before = self._came[back]
        self.used[back] = self.used.get(there, 0) | self.used[here] & ~self.used[before]
        self._ahead.append(back)
        self._folded[base] = self._folded[back] = before
        return self._base(before)

    def _base(self, number: Number) -> Number:
        folded = self._folded
        top = number
        while top in folded:
            top = folded[top]
        while number != top:
            folded[number], number = top, folded[number]
        return top
