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

from engine.routes.single_train import OutOfWork, Work

_BRANCHING: Final = 2
"""Looking for the piece of track to continue with is worth this many further stops visited in the other search."""


class Packable(Protocol):
    """A route: dollars net of the prices of its track, and in full; the track it uses."""

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
    lists: Sequence[Sequence[P]], least: int, prices: Sequence[int], work: Work
) -> tuple[list[P | None] | None, bool]:
    """The most valuable choice worth at least `least` dollars or None, and whether every choice was looked
    at.

    Each list is in order of falling net value; `prices` are those of all track by bit, so that a choice
    is never worth more than its net values and their sum together. Lists that are the same object belong to
    equal trains.
    """
    kinds = {id(lines): lines for lines in lists}
    trains = Counter(map(id, lists))
    packing = _Packing([_Lines(lines) for lines in kinds.values()], least, prices, work)
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
    """The lines that trains of a kind may take; sets of them are bit masks over the list's indexes."""

    def __init__(self, lines: Sequence[P]) -> None:
        self.lines = lines
        self.users = _users(lines)
        self._apart: dict[int, int] = {}
        sets: dict[int, int] = {}
        for number, line in enumerate(lines):
            sets[line.value] = sets.get(line.value, 0) | 1 << number
        self._values = sorted(sets)
        self._worth = [*accumulate((sets[value] for value in reversed(self._values)), or_)][::-1]

    def top(self, open_: int) -> int:
        """Dollars that the best of these earns net of prices; nothing where none is better than none."""
        return max(0, self.lines[(open_ & -open_).bit_length() - 1].net) if open_ else 0

    def apart(self, mask: int) -> int:
        """The lines that use none of this track."""
        apart = self._apart.get(mask)
        if apart is None:
            together, left = 0, mask
            while left:
                low = left & -left
                together |= self.users.get(low, 0)
                left ^= low
            apart = self._apart[mask] = ~together
        return apart

    def most_valuable(self, open_: int, least: int) -> P | None:
        """The most valuable of these that is worth this many dollars."""
        first = bisect_left(self._values, least)
        if first == len(self._values) or not open_ & self._worth[first]:
            return None
        at = max(i for i in range(first, len(self._values)) if open_ & self._worth[i])
        open_ &= self._worth[at]
        return self.lines[(open_ & -open_).bit_length() - 1]


class _Packing(Generic[P]):
    """One choice after the other: what is left open bounds what it may come to."""

    def __init__(self, kinds: Sequence[_Lines[P]], least: int, prices: Sequence[int], work: Work) -> None:
        self._kinds = kinds
        self._least = least
        self._work = work
        self.priced: _Priced = [(1 << bit, price) for bit, price in enumerate(prices) if price]
        self._picked: list[tuple[int, P]] = []
        self.best: list[tuple[int, P]] | None = None
        """The lines taken, each with the number of its kind."""

    def choose(self, open_: _Open, value: int, priced: _Priced) -> None:
        """Continue from lines worth `value`; `priced` is the track that none of them uses."""
        if sum([trains for trains, _ in open_]) <= 1:
            self._last(open_, value)
            return
        while True:
            self._work.left -= _BRANCHING
            self._work.spend()
            tops = [
                kind.top(left) if trains else 0
                for kind, (trains, left) in zip(self._kinds, open_, strict=True)
            ]
            users, usable = self._usable(open_, priced)
            bound = value + sum([price for _, price in usable])
            bound += sum([trains * top for top, (trains, _) in zip(tops, open_, strict=True)])
            if bound < self._least:
                return
            if not usable:
                self._in_order(open_, value, tops)
                return
            spare = bound - self._least
            at = min(range(len(usable)), key=lambda i: (usable[i][1] <= spare, users[i]))
            bit, price = usable.pop(at)
            for kind, lines in enumerate(self._kinds):
                trains, left = open_[kind]
                if trains:
                    self._try(kind, left & lines.users.get(bit, 0), bound - tops[kind], open_, value, usable)
            if bound - price < self._least:
                return
            priced, open_ = usable, self._unused(open_, bit)

    def _usable(self, open_: _Open, priced: _Priced) -> tuple[list[int], _Priced]:
        """The track with a price that lines still open use, and for each how many do."""
        some = [(left, kind.users) for kind, (trains, left) in zip(self._kinds, open_, strict=True) if trains]
        counts, usable = [], []
        for pair in priced:
            bit, count = pair[0], 0
            for left, users in some:
                if bit in users:
                    count += (left & users[bit]).bit_count()
            if count:
                counts.append(count)
                usable.append(pair)
        return counts, usable

    def _try(self, kind: int, some: int, beyond: int, open_: _Open, value: int, priced: _Priced) -> None:
        """Each of some lines of a kind in turn; all that is not of this train comes to `beyond` at most."""
        lines = self._kinds[kind].lines
        while some:
            low = some & -some
            line = lines[low.bit_length() - 1]
            if beyond + line.net < self._least:
                return
            some ^= low
            self._take(kind, line, open_, value, priced)

    def _in_order(self, open_: _Open, value: int, tops: Sequence[int]) -> None:
        """Where nothing left has a price: the lines of a kind in turn, each without those before, or none at all."""
        kind = min(
            [i for i, (trains, _) in enumerate(open_) if trains], key=lambda i: open_[i][1].bit_count()
        )
        trains, left = open_[kind]
        rest = (
            value
            + sum([count * top for top, (count, _) in zip(tops, open_, strict=True)])
            - trains * tops[kind]
        )
        before, after = open_[:kind], open_[kind + 1 :]
        while left:
            low = left & -left
            line = self._kinds[kind].lines[low.bit_length() - 1]
            if rest + trains * line.net < self._least:
                break
            left ^= low
            self._take(kind, line, (*before, (trains, left), *after), value, [])
        if rest >= self._least:
            self.choose((*before, (0, 0), *after), value, [])

    def _take(self, kind: int, line: P, open_: _Open, value: int, priced: _Priced) -> None:
        self._work.spend()
        mask = line.mask
        still = [
            (trains - (number == kind), left & lines.apart(mask) if trains else 0)
            for number, (lines, (trains, left)) in enumerate(zip(self._kinds, open_, strict=True))
        ]
        self._picked.append((kind, line))
        self.choose(tuple(still), value + line.value, [pair for pair in priced if not mask & pair[0]])
        self._picked.pop()

    def _unused(self, open_: _Open, bit: int) -> _Open:
        """Open links if nobody uses this piece of track."""
        kinds = zip(self._kinds, open_, strict=True)
        return tuple([(trains, left & ~lines.users.get(bit, 0)) for lines, (trains, left) in kinds])

    def _last(self, open_: _Open, value: int) -> None:
        """The best line for the only train left, if there is one."""
        self._work.spend()
        picked = self._picked
        for kind, (trains, left) in enumerate(open_):
            line = self._kinds[kind].most_valuable(left, max(1, self._least - value)) if trains else None
            if line is not None:
                value, picked = value + line.value, [*picked, (kind, line)]
        if value >= self._least:
            self._least, self.best = value + 1, list(picked)


def _users(lines: Sequence[Packable]) -> dict[int, int]:
    """For each bit of track the set of lines that use it."""
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
