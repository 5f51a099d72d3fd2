"""Limits on a president's sales for a train: no needless share, and in some titles little left over.

18AL 4.2.5.2: their cash after the purchase is less than the smallest amount that any one certificate
brought. The "just enough" of 18TN 4.2.5.2 is read alike. A sale that does not yet pay for the train is
legal if others can follow so that this holds.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from engine.core.ids import CompanyId
from engine.play.shares.selling import cell_after_sale
from engine.play.table import Table

Counts: TypeAlias = Mapping[CompanyId, Sequence[int]]
"""Blocks the president may sell by all other rules: company and numbers of shares."""
Proceeds: TypeAlias = Mapping[int, int]
"""Possible proceeds of sales together in dollars, and the most that the smallest amount for one share can then be."""
UNSOLD: Final = 10**9
"""Stands for the smallest amount as long as nothing has been sold: it bounds nothing."""


@dataclass(frozen=True, slots=True)
class _Need:
    """Dollars missing, and the smallest proceeds so far of a certificate sold for this train."""

    missing: int
    smallest: int

    def after(self, each: int, count: int) -> "_Need":
        return _Need(self.missing - each * count, min(self.smallest, each))

    def met_by(self, proceeds: Proceeds) -> bool:
        """True if some of these sales pay for the train without too much left over.

        Less left over than the smallest amount means that the train was not paid without any one of them.
        """
        return any(0 <= total - self.missing < min(self.smallest, least) for total, least in proceeds.items())


def fitting_blocks(t: Table, missing: int, counts: Counts) -> dict[CompanyId, list[int]]:
    """Blocks that the rule allows; if none, all without a needless share.

    Rules: R-AL-194, R-TN-172.
    """
    need = _need(t, missing)
    left = {name: _after_each(t, name, options) for name, options in counts.items()}
    strict = {}
    for name, options in counts.items():
        others = _combined([found[0] for other, found in left.items() if other != name], missing)
        each = _price(t, name, 0)
        strict[name] = [
            n for n in options if need.after(each, n).met_by(_combined([others, left[name][n]], missing))
        ]
    return strict if any(strict.values()) else needed_blocks(t, missing, counts)


def needed_blocks(t: Table, missing: int, counts: Counts) -> dict[CompanyId, list[int]]:
    """Blocks whose last share is needed."""
    return {
        name: [n for n in options if (n - 1) * _price(t, name, 0) < missing]
        for name, options in counts.items()
    }


def forced_private_prices(t: Table, missing: int, counts: Counts) -> list[range]:
    """Legal prices of a private sold for the train; it counts like a share, and shares may pay the rest."""
    smallest = _need(t, missing).smallest
    return [
        range(missing - total, missing - total + min(smallest, least))
        for total, least in _combined(
            [_after_each(t, name, options)[0] for name, options in counts.items()], missing
        ).items()
        if total < missing
    ]


def left_in_reach(t: Table, missing: int, counts: Counts, options: Counts) -> dict[CompanyId, list[int]]:
    """Options after which the remaining sales can still raise the missing dollars.

    Rules: R-NE-110.
    """
    most = {name: max(sales, default=0) * _price(t, name, 0) for name, sales in counts.items()}
    total = sum(most.values())

    def left(name: CompanyId, n: int) -> int:
        rest = (max(counts[name]) - n) * _price(t, name, n)
        return n * _price(t, name, 0) + rest + total - most[name]

    return {name: [n for n in sales if left(name, n) >= missing] for name, sales in options.items()}


def _need(t: Table, missing: int) -> _Need:
    smallest = t.turn.smallest_sale
    return _Need(missing, UNSOLD if smallest is None else smallest)


def _after_each(t: Table, name: CompanyId, options: Sequence[int]) -> dict[int, Proceeds]:
    """Proceeds of one company's further shares, for each number of shares that may be sold."""
    after: dict[int, Proceeds] = {}
    for sold in (*reversed(options), 0):
        each, proceeds = _price(t, name, sold), {0: UNSOLD}
        for n, rest in after.items():
            for total, least in rest.items():
                _keep_better(proceeds, total + (n - sold) * each, min(least, each))
        after[sold] = proceeds
    return after


def _combined(parts: Iterable[Proceeds], missing: int) -> Proceeds:
    """Proceeds of several companies' shares together, without those that leave too much."""
    proceeds = {0: UNSOLD}
    for part in parts:
        before, proceeds = proceeds, {}
        for total, least in before.items():
            for more, smallest in part.items():
                if total + more - missing < min(least, smallest):
                    _keep_better(proceeds, total + more, min(least, smallest))
    return proceeds


def _keep_better(found: dict[int, int], total: int, minimum: int) -> None:
    found[total] = max(found.get(total, 0), minimum)


def _price(t: Table, name: CompanyId, sold: int) -> int:
    """Price per share after N shares were sold."""
    seller = t.president(t.company.id).id
    company = t.state.companies[name]
    return t.price(company, cell_after_sale(t, seller, company, sold))
