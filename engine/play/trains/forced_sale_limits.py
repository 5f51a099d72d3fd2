"""Limits on a president's forced sales: no needless share, and in some titles little money left over.

18AL 4.2.5.2: the president's cash after the purchase must be less than the smallest amount received for any certificate
sold. The "just enough" of 18TN 4.2.5.2 means the same. A sale that does not yet pay for the train is legal if further
sales can lead to this result.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from engine.core.ids import CompanyId
from engine.play.shares.selling import cell_after_sale
from engine.play.table import Table

SellableBlocks: TypeAlias = Mapping[CompanyId, Sequence[int]]
"""By company, the blocks (numbers of shares) that the president can sell under all rules except these limits."""
Proceeds: TypeAlias = Mapping[int, int]
"""Possible total proceeds of sales in dollars, each with the price of the cheapest share sold for it.

If several sets of sales give the same total, it is the highest such price.
"""
NO_SALE_YET_DOLLARS: Final = 10**9
"""Value of the smallest sale before the first sale: an amount too large to limit anything."""


@dataclass(frozen=True, slots=True)
class _MissingMoney:
    """Dollars still missing for the train, and the lowest price received so far for a share or private."""

    missing_dollars: int
    smallest_sale: int

    def after_sale(self, share_price: int, count: int) -> "_MissingMoney":
        return _MissingMoney(self.missing_dollars - share_price * count, min(self.smallest_sale, share_price))

    def is_met_by(self, proceeds: Proceeds) -> bool:
        """True if some of these sales pay for the train and leave over less than the cheapest certificate sold."""
        return any(
            0 <= total - self.missing_dollars < min(self.smallest_sale, lowest_sale)
            for total, lowest_sale in proceeds.items()
        )


def fitting_blocks(t: Table, missing_dollars: int, blocks: SellableBlocks) -> dict[CompanyId, list[int]]:
    """Blocks that respect the limit on money left over; if none does, all blocks without a needless share.

    Rules: R-AL-194, R-TN-172.
    """
    missing_money = _current_missing_money(t, missing_dollars)
    proceeds_by_company = {name: _proceeds_by_sold_count(t, name, counts) for name, counts in blocks.items()}
    allowed_blocks = {}
    for name, counts in blocks.items():
        other_proceeds = _combined_proceeds(
            [proceeds[0] for other, proceeds in proceeds_by_company.items() if other != name], missing_dollars
        )
        share_price = _share_price(t, name, 0)
        allowed_blocks[name] = [
            n
            for n in counts
            if missing_money.after_sale(share_price, n).is_met_by(
                _combined_proceeds([other_proceeds, proceeds_by_company[name][n]], missing_dollars)
            )
        ]
    return allowed_blocks if any(allowed_blocks.values()) else needed_blocks(t, missing_dollars, blocks)


def needed_blocks(t: Table, missing_dollars: int, blocks: SellableBlocks) -> dict[CompanyId, list[int]]:
    """Blocks without a needless share: without their last share, they would not raise the missing dollars."""
    return {
        name: [n for n in counts if (n - 1) * _share_price(t, name, 0) < missing_dollars]
        for name, counts in blocks.items()
    }


def forced_private_prices(t: Table, missing_dollars: int, blocks: SellableBlocks) -> list[range]:
    """Legal prices in dollars of a private sold for the train.

    The private counts like a share, and sales of shares may raise the rest.
    """
    smallest_sale = _current_missing_money(t, missing_dollars).smallest_sale
    return [
        range(missing_dollars - total, missing_dollars - total + min(smallest_sale, lowest_sale))
        for total, lowest_sale in _combined_proceeds(
            [_proceeds_by_sold_count(t, name, counts)[0] for name, counts in blocks.items()],
            missing_dollars,
        ).items()
        if total < missing_dollars
    ]


def blocks_leaving_enough_sales(
    t: Table, missing_dollars: int, blocks: SellableBlocks, candidate_blocks: SellableBlocks
) -> dict[CompanyId, list[int]]:
    """Those blocks in `candidate_blocks` after which other sales can still raise the missing dollars.

    Rules: R-NE-110.
    """
    max_proceeds_by_company = {
        name: max(counts, default=0) * _share_price(t, name, 0) for name, counts in blocks.items()
    }
    total_proceeds = sum(max_proceeds_by_company.values())

    def highest_total_proceeds(name: CompanyId, n: int) -> int:
        proceeds_of_other_shares = (max(blocks[name]) - n) * _share_price(t, name, n)
        return (
            n * _share_price(t, name, 0)
            + proceeds_of_other_shares
            + total_proceeds
            - max_proceeds_by_company[name]
        )

    return {
        name: [n for n in counts if highest_total_proceeds(name, n) >= missing_dollars]
        for name, counts in candidate_blocks.items()
    }


def _current_missing_money(t: Table, missing_dollars: int) -> _MissingMoney:
    smallest_sale = t.turn.smallest_sale
    return _MissingMoney(missing_dollars, NO_SALE_YET_DOLLARS if smallest_sale is None else smallest_sale)


def _proceeds_by_sold_count(t: Table, name: CompanyId, counts: Sequence[int]) -> dict[int, Proceeds]:
    proceeds_by_count: dict[int, Proceeds] = {}
    for sold_count in (*reversed(counts), 0):
        share_price, proceeds = _share_price(t, name, sold_count), {0: NO_SALE_YET_DOLLARS}
        for n, later_proceeds in proceeds_by_count.items():
            for total, lowest_price in later_proceeds.items():
                _keep_larger_minimum(
                    proceeds, total + (n - sold_count) * share_price, min(lowest_price, share_price)
                )
        proceeds_by_count[sold_count] = proceeds
    return proceeds_by_count


def _combined_proceeds(all_proceeds: Iterable[Proceeds], missing_dollars: int) -> Proceeds:
    """Possible total proceeds of several companies' shares, without totals that leave too much money over."""
    proceeds = {0: NO_SALE_YET_DOLLARS}
    for company_proceeds in all_proceeds:
        previous_proceeds, proceeds = proceeds, {}
        for total, lowest_sale in previous_proceeds.items():
            for added_total, added_lowest_sale in company_proceeds.items():
                if total + added_total - missing_dollars < min(lowest_sale, added_lowest_sale):
                    _keep_larger_minimum(proceeds, total + added_total, min(lowest_sale, added_lowest_sale))
    return proceeds


def _keep_larger_minimum(proceeds: dict[int, int], total_dollars: int, minimum: int) -> None:
    proceeds[total_dollars] = max(proceeds.get(total_dollars, 0), minimum)


def _share_price(t: Table, name: CompanyId, sold_count: int) -> int:
    seller = t.president(t.company.id).id
    company = t.state.companies[name]
    return t.price(company, cell_after_sale(t, seller, company, sold_count))
