"""Forced sales that leave no more than they must: cash left over stays below the smallest amount a share brought.

18AL and 18TN 4.2.5.2. A sale that does not yet pay for the train is legal if others can follow so that the rule holds.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.core.ids import CompanyId
from engine.play.table import Table

Counts = Mapping[CompanyId, list[int]]
"""Blocks the president may sell by all other rules: company and numbers of shares."""


@dataclass(frozen=True, slots=True)
class _Need:
    """What is missing, and the smallest amount that any share sold for this train has brought so far."""

    missing: int
    smallest: int | None

    def after(self, each: int, count: int) -> "_Need":
        smallest = each if self.smallest is None else min(self.smallest, each)
        return _Need(self.missing - each * count, smallest)

    @property
    def met(self) -> bool:
        """Whether the train can be paid without too much left over."""
        return self.missing <= 0 and (self.smallest is None or -self.missing < self.smallest)


def fitting(t: Table, missing: int, counts: Counts) -> dict[CompanyId, list[int]]:
    """Those of the blocks that the rule allows; where it allows none, all that sell no share in vain by themselves."""
    need = _Need(missing, t.turn.smallest_sale)
    strict = {
        name: [n for n in options if _possible(t, need, name, n, counts)] for name, options in counts.items()
    }
    if any(strict.values()):
        return strict
    return {
        name: [n for n in options if (n - 1) * _price(t, name, 0) < missing]
        for name, options in counts.items()
    }


def _possible(t: Table, need: _Need, name: CompanyId, count: int, counts: Counts) -> bool:
    now = need.after(_price(t, name, 0), count)
    if now.missing <= 0:
        return now.met
    later = [_Later(_price(t, other, 0), options) for other, options in counts.items() if other != name]
    later.append(_Later(_price(t, name, count), [n - count for n in counts[name] if n > count]))
    return _completable(now, later)


@dataclass(frozen=True, slots=True)
class _Later:
    """A block that may still be sold: dollars a share, possible numbers of shares."""

    each: int
    counts: list[int]


def _completable(need: _Need, later: list[_Later]) -> bool:
    if need.missing <= 0:
        return need.met
    if not later:
        return False
    first, rest = later[0], later[1:]
    if _completable(need, rest):
        return True
    return any(_completable(need.after(first.each, count), rest) for count in first.counts)


def _price(t: Table, name: CompanyId, sold: int) -> int:
    company = t.state.companies[name]
    assert company.cell is not None
    return t.grid.price(t.grid.down(company.cell, sold))
