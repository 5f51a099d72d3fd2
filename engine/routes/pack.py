"""Choosing one route for each train so that no track is shared."""

from collections.abc import Sequence
from typing import Generic, Protocol, TypeVar

from engine.routes.singles import OutOfWork, Work


class Packable(Protocol):
    """A route: dollars net of the prices of its track, and in full; the track it uses."""

    @property
    def net(self) -> int: ...
    @property
    def value(self) -> int: ...
    @property
    def mask(self) -> int: ...


P = TypeVar("P", bound=Packable)


def pack(
    lists: Sequence[Sequence[P]], least: int, prices: int, work: Work
) -> tuple[list[P | None] | None, bool]:
    """The most valuable choice worth at least `least` dollars or None, and whether every choice was looked
    at.

    Each list is in order of falling net value; `prices` is the sum of all prices on track, so that a choice
    is never worth more than its net values and that sum together. Lists that are the same object belong to
    equal trains.
    """
    packing = _Packing(lists, least, prices, work)
    try:
        packing.choose(0, tuple((1 << len(lines)) - 1 for lines in lists), 0, 0)
    except OutOfWork:
        return packing.best, False
    return packing.best, True


class _Packing(Generic[P]):
    """Sets of lines are bit masks over a list's indexes, so that lines without shared track are found at
    once.
    """

    def __init__(self, lists: Sequence[Sequence[P]], least: int, prices: int, work: Work) -> None:
        self._lists = lists
        self._least = least
        self._prices = prices
        self._work = work
        self._apart: dict[int, dict[int, int]] = {}
        """For each list that was narrowed the lines that do not use a bit of track."""
        tops = [max(0, lines[0].net) if lines else 0 for lines in lists]
        self._rest = [sum(tops[i:]) for i in range(len(tops) + 1)]
        self._picked: list[P | None] = []
        self.best: list[P | None] | None = None

    def choose(self, train: int, open_: tuple[int, ...], net: int, value: int) -> None:
        """Try all lines still open to this train, then all further trains."""
        if train == len(self._lists):
            if value >= self._least:
                self._least, self.best = value + 1, list(self._picked)
            return
        lines = self._lists[train]
        beyond = net + self._rest[train + 1] + self._prices
        # equal trains take their lines in the order of the list, so those after this one have no better line
        alike = sum(1 for other in self._lists[train + 1 :] if other is lines)
        apart = beyond - alike * max(0, lines[0].net) if lines else beyond
        left = open_[train]
        while left:
            low = left & -left
            line = lines[low.bit_length() - 1]
            if apart + line.net + alike * max(0, line.net) < self._least:
                break
            left ^= low
            self._work.spend()
            later = tuple(
                self._narrowed(other, open_[i], lines, left, line) for i, other in self._later(train)
            )
            self._picked.append(line)
            self.choose(train + 1, (*open_[: train + 1], *later), net + line.net, value + line.value)
            self._picked.pop()
        if beyond >= self._least:
            idle = tuple(0 if other is lines else open_[i] for i, other in self._later(train))
            self._picked.append(None)
            self.choose(train + 1, (*open_[: train + 1], *idle), net, value)
            self._picked.pop()

    def _later(self, train: int) -> list[tuple[int, Sequence[P]]]:
        return [(i, self._lists[i]) for i in range(train + 1, len(self._lists))]

    def _narrowed(self, other: Sequence[P], open_: int, lines: Sequence[P], left: int, line: P) -> int:
        """The lines of a later train that stay open.

        Equal trains take their lines in the order of the list.
        """
        if other is lines:
            open_ &= left
        apart, mask = self._apart.get(id(other)), line.mask
        if apart is None:
            apart = self._apart[id(other)] = _without(other)
        while mask and open_:
            low = mask & -mask
            open_ &= apart.get(low, -1)
            mask ^= low
        return open_


def _without(lines: Sequence[Packable]) -> dict[int, int]:
    """For each bit of track the set of lines that do not use it."""
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
    return {bit: ~int.from_bytes(users, "little") for bit, users in using.items()}
