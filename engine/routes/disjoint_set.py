"""One route for each train, chosen so that no track is shared.

A choice falls short of its bound by what each line falls short of its train's best, and by the price of all track
that nobody uses. Where little may be lost, nearly all track with a price must be used: as in an exact cover, the
lines that could use a piece of it are tried in turn, for the piece that fewest can use, and then that nobody does.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from operator import or_
from typing import Final, Generic, Protocol, TypeAlias, TypeVar

from engine.routes.single_train import OutOfWork, WorkBudget

_BRANCHING: Final = 2
"""Looking for the piece of track to continue with is worth this many further stops visited in the other search."""


class Packable(Protocol):
    """A route for packing: dollars net of its track's prices, gross dollars, and its track."""

    @property
    def net(self) -> int: ...
    @property
    def value(self) -> int: ...
    @property
    def mask(self) -> int: ...


P = TypeVar("P", bound=Packable)
_Open: TypeAlias = tuple[tuple[int, int], ...]
"""For each kind of train how many are still to take a line, and which lines they may."""
_Priced: TypeAlias = list[tuple[int, int]]
"""Bits of track with their prices."""


def best_disjoint_set(
    lists: Sequence[Sequence[P]], minimum: int, prices: Sequence[int], budget: WorkBudget
) -> tuple[list[P | None] | None, bool]:
    """The most valuable choice worth at least `minimum` dollars (or None), and True if the search was complete.

    Each list is in order of falling net value; `prices` are those of all track by bit, so that a choice is
    never worth more than its net values and their sum together. Lists that are the same object belong to
    equal trains.
    """
    kinds = {id(lines): lines for lines in lists}
    trains = Counter(map(id, lists))
    packing = _Packing([_Lines(lines) for lines in kinds.values()], minimum, prices, budget)
    complete = True
    try:
        packing.choose(
            tuple([(trains[kind], (1 << len(kinds[kind])) - 1) for kind in kinds]), 0, packing.priced
        )
    except OutOfWork:
        complete = False
    if packing.best is None:
        return None, complete
    taken = {kind: [line for of, line in packing.best if of == number] for number, kind in enumerate(kinds)}
    return [taken[kind].pop() if taken[kind] else None for kind in map(id, lists)], complete


class _Lines(Generic[P]):
    """The candidate routes of one kind of train; sets of them are bit masks of indexes."""

    def __init__(self, lines: Sequence[P]) -> None:
        self.lines = lines
        self.users = _users(lines)
        self._apart: dict[int, int] = {}
        sets: dict[int, int] = {}
        for number, line in enumerate(lines):
            sets[line.value] = sets.get(line.value, 0) | 1 << number
        self._values = sorted(sets)
        self._worth = [*accumulate((sets[value] for value in reversed(self._values)), or_)][::-1]

    def top_value(self, open_: int) -> int:
        """Highest net dollars among these routes, at least 0."""
        return max(0, self.lines[(open_ & -open_).bit_length() - 1].net) if open_ else 0

    def disjoint_from(self, mask: int) -> int:
        """The routes that use none of this track."""
        apart = self._apart.get(mask)
        if apart is None:
            together, left = 0, mask
            while left:
                low = left & -left
                together |= self.users.get(low, 0)
                left ^= low
            apart = self._apart[mask] = ~together
        return apart

    def most_valuable(self, open_: int, minimum: int) -> P | None:
        """The most valuable of these routes worth this many dollars."""
        first = bisect_left(self._values, minimum)
        if first == len(self._values) or not open_ & self._worth[first]:
            return None
        at = max(i for i in range(first, len(self._values)) if open_ & self._worth[i])
        open_ &= self._worth[at]
        return self.lines[(open_ & -open_).bit_length() - 1]


class _Packing(Generic[P]):
    """A backtracking search; the routes still open bound the value of a choice."""

    def __init__(
        self, kinds: Sequence[_Lines[P]], minimum: int, prices: Sequence[int], budget: WorkBudget
    ) -> None:
        self._kinds = kinds
        self._minimum = minimum
        self._work = budget
        self.priced: _Priced = [(1 << bit, price) for bit, price in enumerate(prices) if price]
        self._chosen_lines: list[tuple[int, P]] = []
        self.best: list[tuple[int, P]] | None = None
        """The lines taken, each with the number of its kind."""

    def choose(self, open_lines: _Open, value: int, pricing: _Priced) -> None:
        """Continue from chosen routes worth `value`; `pricing` is track that none of them uses."""
        if sum([trains for trains, _ in open_lines]) <= 1:
            self._choose_last(open_lines, value)
            return
        while True:
            self._work.left -= _BRANCHING
            self._work.spend()
            tops = [
                kind.top_value(left) if trains else 0
                for kind, (trains, left) in zip(self._kinds, open_lines, strict=True)
            ]
            users, usable = self._usable(open_lines, pricing)
            bound = value + sum([price for _, price in usable])
            bound += sum([trains * top for top, (trains, _) in zip(tops, open_lines, strict=True)])
            if bound < self._minimum:
                return
            if not usable:
                self._in_order(open_lines, value, tops)
                return
            spare = bound - self._minimum
            at = min(range(len(usable)), key=lambda i: (usable[i][1] <= spare, users[i]))
            bit, price = usable.pop(at)
            for kind, lines in enumerate(self._kinds):
                trains, left = open_lines[kind]
                if trains:
                    self._try(
                        kind, left & lines.users.get(bit, 0), bound - tops[kind], open_lines, value, usable
                    )
            if bound - price < self._minimum:
                return
            pricing, open_lines = usable, self._unused(open_lines, bit)

    def _usable(self, open_lines: _Open, pricing: _Priced) -> tuple[list[int], _Priced]:
        """The track with a price that open routes still use, with the number of its users."""
        some = [
            (left, kind.users) for kind, (trains, left) in zip(self._kinds, open_lines, strict=True) if trains
        ]
        counts, usable = [], []
        for pair in pricing:
            bit, count = pair[0], 0
            for left, users in some:
                if bit in users:
                    count += (left & users[bit]).bit_count()
            if count:
                counts.append(count)
                usable.append(pair)
        return counts, usable

    def _try(
        self, kind: int, some: int, beyond: int, open_lines: _Open, value: int, pricing: _Priced
    ) -> None:
        """Try some routes of a kind in turn; everything but this train is worth `beyond` at most."""
        lines = self._kinds[kind].lines
        while some:
            low = some & -some
            line = lines[low.bit_length() - 1]
            if beyond + line.net < self._minimum:
                return
            some ^= low
            self._choose_line(kind, line, open_lines, value, pricing)

    def _in_order(self, open_lines: _Open, value: int, tops: Sequence[int]) -> None:
        """Try the routes of a kind in order, each without those before it, or none.

        Used where no priced track is left.
        """
        kind = min(
            [i for i, (trains, _) in enumerate(open_lines) if trains],
            key=lambda i: open_lines[i][1].bit_count(),
        )
        trains, left = open_lines[kind]
        rest = (
            value
            + sum([count * top for top, (count, _) in zip(tops, open_lines, strict=True)])
            - trains * tops[kind]
        )
        before, after = open_lines[:kind], open_lines[kind + 1 :]
        while left:
            low = left & -left
            line = self._kinds[kind].lines[low.bit_length() - 1]
            if rest + trains * line.net < self._minimum:
                break
            left ^= low
            self._choose_line(kind, line, (*before, (trains, left), *after), value, [])
        if rest >= self._minimum:
            self.choose((*before, (0, 0), *after), value, [])

    def _choose_line(self, kind: int, line: P, open_lines: _Open, value: int, pricing: _Priced) -> None:
        self._work.spend()
        mask = line.mask
        still = [
            (trains - (number == kind), left & lines.disjoint_from(mask) if trains else 0)
            for number, (lines, (trains, left)) in enumerate(zip(self._kinds, open_lines, strict=True))
        ]
        self._chosen_lines.append((kind, line))
        self.choose(tuple(still), value + line.value, [pair for pair in pricing if not mask & pair[0]])
        self._chosen_lines.pop()

    def _unused(self, open_lines: _Open, bit: int) -> _Open:
        """The open routes if this track stays unused."""
        kinds = zip(self._kinds, open_lines, strict=True)
        return tuple([(trains, left & ~lines.users.get(bit, 0)) for lines, (trains, left) in kinds])

    def _choose_last(self, open_lines: _Open, value: int) -> None:
        """The best route if a single train is left."""
        self._work.spend()
        picked = self._chosen_lines
        for kind, (trains, left) in enumerate(open_lines):
            line = self._kinds[kind].most_valuable(left, max(1, self._minimum - value)) if trains else None
            if line is not None:
                value, picked = value + line.value, [*picked, (kind, line)]
        if value >= self._minimum:
            self._minimum, self.best = value + 1, list(picked)


def _users(lines: Sequence[Packable]) -> dict[int, int]:
    """The set of routes that use each bit of track."""
    size = (len(lines) + 7) // 8
    using: dict[int, bytearray] = {}
    for number, line in enumerate(lines):
        mask, byte, place = line.mask, number >> 3, 1 << (number & 7)
        while mask:
            low = mask & -mask
            if low not in using:
                using[low] = bytearray(size)
            using[low][byte] |= place
            mask ^= low
    return {bit: int.from_bytes(users, "little") for bit, users in using.items()}
