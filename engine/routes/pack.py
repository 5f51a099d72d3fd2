"""Choosing one route for each train so that no track is shared."""

from collections.abc import Sequence

from engine.routes.singles import Line


def pack(lists: Sequence[Sequence[Line]], least: int, prices: int) -> list[Line | None] | None:
    """The most valuable choice worth at least `least` dollars, None if there is none.

    Each list is in order of falling net value; `prices` is the sum of all prices on track, so that a choice is never worth
    more than its net values and that sum together. Lists that are the same object belong to equal trains.
    """
    return _Packing(lists, least - prices, least).run()


class _Packing:
    def __init__(self, lists: Sequence[Sequence[Line]], least_net: int, least: int) -> None:
        self._lists = lists
        tops = [lines[0].net if lines else 0 for lines in lists]
        self._rest = [sum(tops[i:]) for i in range(len(tops) + 1)]
        self._margin = least - least_net
        self._least = least
        self._picked: list[Line | None] = []
        self._best: list[Line | None] | None = None

    def run(self) -> list[Line | None] | None:
        self._choose(0, 0, 0, 0, 0)
        return self._best

    def _choose(self, train: int, used: int, net: int, value: int, start: int) -> None:
        if train == len(self._lists):
            if value >= self._least:
                self._least, self._best = value + 1, list(self._picked)
            return
        lines, rest, margin = self._lists[train], self._rest[train + 1], self._margin
        same = train + 1 < len(self._lists) and self._lists[train + 1] is lines
        for number in range(start, len(lines)):
            line = lines[number]
            if net + line.net + rest + margin < self._least:
                break
            if not line.mask & used:
                self._picked.append(line)
                after = number + 1 if same else 0
                self._choose(train + 1, used | line.mask, net + line.net, value + line.value, after)
                self._picked.pop()
        if net + rest + margin >= self._least:
            self._picked.append(None)
            self._choose(train + 1, used, net, value, len(lines) if same else 0)
            self._picked.pop()
