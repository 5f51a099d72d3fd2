"""Routes followed from a company's tokens: exact, because no stop, border or inner piece is ever used twice.

A route for building and tokens is connected track with an own token on it; it reaches full cities and red areas but
does not pass them, and may have any length (18Chesapeake 11.1). What lies on such a route also lies on one that starts
at the token, so all searches start there.

With both sides of every border numbered (`Rails`), a route takes turns: a piece, a crossing from one side to the
other, a piece, and so on, and uses no crossing twice. That is an alternating path of matching theory, and all numbers
such paths lead to are found by one search that folds odd circles away (Edmonds 1965; Gabow 1976): on a circle that
begins and ends at one place, everything can be travelled in both directions. A stop is left over any of its pieces, so
it is one with the place it was come to from. Where a route begins it need never come to: what it would do from there
it could have begun with.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, reduce
from operator import or_
from typing import Final, NamedTuple, TypeAlias

from engine.board.map import Map, StopId
from engine.board.track import Ahead, Chain, Crossing, Number, PieceId, rails_of, track_of
from engine.core.ids import CompanyId, Coord

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


_Found: TypeAlias = tuple[Number, PieceId, Number, StopId | None]
"""A number, a piece that leaves from there, the number at its far end, and the stop there, if it is one."""


class Reached(NamedTuple):
    """Everything that lies on routes, and the borders at the ends of that track, each from both sides.

    `edges` are the borders of each hex, one bit each.
    """

    stops: frozenset[StopId]
    pieces: frozenset[PieceId]
    edges: Mapping[Coord, int]


class Explorer:
    """Routes of one company on the map as it lies when this is made, or was last extended.

    What a route uses, as pairs of numbers of `rails`, one bit each.

    Rules: R-AL-119, R-CH-089, R-NE-085a.
    """

    def __init__(self, board: Map, company: CompanyId) -> None:
        self._board = board
        self._company = company
        self._track = track_of(board)
        self._rails = rails_of(board)
        self.tokens = board.tokens_of(company)
        self._starts = [self._rails.stop(token) for token in self.tokens]
        self._barred = self._rails.impassable(company) & ~_bits(self._starts)
        self._pieces: set[PieceId] = set()
        self._pairs: set[int] = set()
        self._edges: dict[Coord, int] = {}
        self._met: set[StopId] = set()
        """Stops at the ends of track that lies on routes."""
        self._stops: set[StopId] = set()
        """Those of them that routes come to."""
        self._doubtful: list[_Found] = []

    def passable(self, stop: StopId) -> bool:
        """Whether a route may continue beyond this stop."""
        return not self._board.terminal(stop[0]) and not self._board.blocks(*stop, self._company)

    def ended_at(self, stop: StopId) -> bool:
        """True if no route continued beyond this stop when the map was last looked at."""
        return bool(self._barred & _bit(self._rails.stop(stop)))

    def chains(self, stop: StopId) -> tuple[Chain, ...]:
        """Track that leads away from the stop."""
        return self._track.chains(stop)

    def bar(self, crossing: Crossing) -> int:
        """The bit of this border."""
        return _bit(self._rails.border(crossing))

    def enters(self, crossing: Crossing, barred: int = 0) -> bool:
        """Whether a route comes into the hex over this border from outside, with what is barred left free."""
        return self._continues(self._rails.border(crossing), barred)

    def comes_to(self, stop: StopId, barred: int = 0) -> bool:
        """Whether a route comes to this stop, with what is barred left free."""
        number = self._rails.stop(stop)
        if not self._barred & _bit(number):
            return self._continues(number, barred)
        beside = barred | self._areas.get(self._board.built_place(stop), 0)
        return any(self._continues(rail.to, beside) for rail in self._rails.at(number))

    def reached(self) -> Reached:
        """Everything on routes of the company."""
        self._show(self._free)
        return self._all()

    def extended(self, changed: Iterable[Coord]) -> Reached | None:
        """What `reached` finds after changes in these hexes, worked out from what it found before.

        No track may be gone. None where a way may have been blocked, or a token is gone.
        """
        tokens, free = self._board.tokens_of(self._company), self._free
        rails = self._rails.refresh()
        starts = [rails.stop(token) for token in tokens]
        barred = rails.impassable(self._company) & ~_bits(starts)
        gone = set(self._starts) - set(starts)
        shut = barred & ~self._barred
        if gone or (shut and any(shut & _bit(stop) for stop in rails.stops if stop in free)):
            return None
        for start in starts:
            if start not in self._starts:
                self._tree.begin(start)
        self.tokens, self._starts, self._barred = tokens, starts, barred
        again = [number for coord in changed for number in rails.within(coord) if number in free]
        seen = self._tree.follow(rails.ahead, barred, again)
        self._note_areas(self._areas, seen)
        del self._shared
        self._show(free if self._shared else seen)
        return self._all()

    def _all(self) -> Reached:
        return Reached(frozenset([*self._stops, *self.tokens]), frozenset(self._pieces), dict(self._edges))

    def _show(self, numbers: Iterable[Number]) -> None:
        """Note what lies on routes of all that leaves from these numbers, and of all that was doubtful so far."""
        at, pieces = self._rails.at, self._pieces
        shown: list[_Found] = []
        doubtful = self._doubtful
        for number, way in self._ways(numbers):
            for piece, to, stop in at(number):
                (shown if stop or not way >> (to >> 1) & 1 else doubtful).append((number, piece, to, stop))
        pieces.update([piece for _, piece, _, _ in shown])
        left = [found for found in doubtful if found[1] not in pieces]
        more = [found for found in left if self._continues(found[0], _bit(found[2]))]
        pieces.update([piece for _, piece, _, _ in more])
        self._doubtful = [found for found in left if found[1] not in pieces]
        shown += more
        pairs = {end >> 1 for near, _, to, _ in shown for end in (near, to)} - self._pairs
        self._pairs |= pairs
        for pair in pairs:
            for coord, edge in self._rails.crossings(pair):
                self._edges[coord] = self._edges.get(coord, 0) | 1 << edge
        self._met.update([stop for *_, stop in shown if stop is not None])
        self._stops.update([stop for stop in self._met - self._stops if self.comes_to(stop)])

    def _ways(self, numbers: Iterable[Number]) -> Iterable[tuple[Number, int]]:
        """Those of the numbers that routes continue from, with what one of them uses."""
        if not self._shared:
            free = self._free
            return [(number, free[number]) for number in numbers]
        ways = ((number, self._way(number, 0)) for number in numbers)
        return ((number, way) for number, way in ways if way is not None)

    def _continues(self, number: Number, barred: int) -> bool:
        free = self._way(number, 0)
        return free is not None and (not free & barred or self._way(number, barred) is not None)

    def _way(self, number: Number, barred: int) -> int | None:
        """What a route uses that continues from here and leaves alone what is barred; None if there is none.

        Routes are looked for as if areas did not matter. Of two stops of one area on the way found, every
        other route leaves out the one or the other.
        """
        found = self._journeys(barred).used if barred else self._free
        used = found.get(number)
        clash = 0 if used is None else self._clash(used)
        if not clash:
            return used
        first = clash & -clash
        way = self._way(number, barred | first)
        return self._way(number, barred | clash ^ first) if way is None else way

    def _clash(self, used: int) -> int:
        """Two stops of one area among what is used; nothing if no area is visited twice."""
        for area in self._shared:
            first = used & area & -(used & area)
            rest = used & area ^ first
            if rest:
                return first | rest & -rest
        return 0

    def _journeys(self, barred: int) -> Journeys:
        found = Journeys(self._starts, self._barred | barred)
        found.follow(self._rails.ahead, self._barred | barred)
        return found

    @cached_property
    def _tree(self) -> Journeys:
        return self._journeys(0)

    @property
    def _free(self) -> dict[Number, int]:
        """Where routes continue from with nothing barred, if areas did not matter."""
        return self._tree.used

    @cached_property
    def _areas(self) -> dict[object, int]:
        """The stops that routes begin at or pass, one bit each, by area."""
        areas: dict[object, int] = {}
        self._note_areas(areas, self._free)
        return areas

    def _note_areas(self, areas: dict[object, int], numbers: Iterable[Number]) -> None:
        stops = self._rails.stops
        for number in [number for number in numbers if number in stops]:
            area = self._board.built_place(stops[number])
            areas[area] = areas.get(area, 0) | _bit(number)

    @cached_property
    def _shared(self) -> list[int]:
        """Areas with several stops."""
        return [area for area in self._areas.values() if area & (area - 1)]


def _bit(number: Number) -> int:
    return 1 << (number >> 1)


def _bits(numbers: Iterable[Number]) -> int:
    return reduce(or_, map(_bit, numbers), 0)
