"""Dividends in 1846: full, half or none. Independents always pay half; companies in receivership withhold (§4)."""

from collections.abc import Iterator, Sequence
from typing import Final

from engine.core.facts import Fact, fact
from engine.core.ids import Cell, HolderId
from engine.core.offers import Offer
from engine.core.spec import DividendKind
from engine.play.steps.base import Request
from engine.play.steps.dividend import DividendStep
from engine.play.table import Table
from engine.play.turn_order import end_turn
from engine.titles.t1846.independents import is_independent, pay_half

HALF_PAY_MULTIPLE: Final = 10
"""Half pay: the part of the revenue that the company keeps is rounded down to a multiple of $10 (§4, R-1846-100)."""
TRIPLE_MOVE_MIN_PRICE: Final = 165
"""Lowest share price in dollars at which a dividend can move the price three cells (§4, R-1846-102)."""


class DividendIn1846Step(DividendStep):
    """Dividend step. The payout moves the share price one cell left, up to three cells right, or not at all."""

    def offers(self, t: Table) -> Iterator[Offer]:
        if not (is_independent(t, t.company) or t.company.is_in_receivership):
            yield from super().offers(t)

    def skip(self, t: Table) -> None:
        """Resolve the dividend without a choice: an independent pays half, a company in receivership withholds.

        Rules: R-1846-103, R-1846-130.
        """
        company = t.company
        if not is_independent(t, company):
            super().skip(t)
        elif t.turn.revenue:
            pay_half(t)
            self.close(t)
        else:
            company.last_run = None
            self.close(t)

    def close(self, t: Table) -> None:
        """Close the step. If the fall of the share price has closed the company, end its whole turn."""
        if t.company.closed:
            end_turn(t)
        else:
            super().close(t)

    def misplaced_obstacle(self, t: Table, request: Request) -> Fact:
        if is_independent(t, t.company):
            return fact("dividend.half_for_independents", company=t.company.id)
        return super().misplaced_obstacle(t, request)

    def total_payout(self, t: Table, option: DividendKind) -> int:
        """Total dollars paid as dividends.

        With half pay, the company keeps half of the revenue, rounded down to a multiple of $10.

        Rules: R-1846-100.
        """
        revenue = self.revenue(t)
        if option == "half":
            return revenue - revenue // 2 // HALF_PAY_MULTIPLE * HALF_PAY_MULTIPLE
        return revenue if option == "pay" else 0

    def holder_income(self, t: Table, payout: int, holder: HolderId) -> int:
        """Dollars that a holder gets for all their shares, rounded up.

        Rules: R-1846-101.
        """
        return -(-payout * t.company.percent(holder) // 100)

    def holders_paying_company(self, t: Table) -> Sequence[HolderId]:
        """Holders whose dividends go to the company: only the treasury. Market shares pay nobody (R-1846-101)."""
        return (t.company.treasury,)

    def cell_after_dividend(self, t: Table, cell: Cell, option: DividendKind) -> Cell:
        """The market cell after the dividend.

        A payout below half of the share price moves the price one cell left. A payout of at least the price moves it
        one cell right, of at least twice the price two cells. From a price of $165, three times the price moves it
        three cells. A company in receivership without a train moves two cells left.

        Rules: R-1846-102, R-1846-130.
        """
        price, payout = t.grid.price(cell), self.total_payout(t, option)
        if payout < price // 2 or not payout:
            return t.grid.left(
                cell, 2 if t.company.is_in_receivership and not t.company.runnable_trains else 1
            )
        cell_count = min(payout // price, 3 if price >= TRIPLE_MOVE_MIN_PRICE else 2)
        for _ in range(cell_count):
            cell = t.grid.right(cell)
        return cell
