"""Dividends: full, half or nothing; independents pay half, companies in receivership nothing (4)."""

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

KEPT_MULTIPLE: Final = 10
"""The treasury keeps a multiple of this, in dollars, of a half dividend (4): R-1846-100."""
TRIPLE_PRICE: Final = 165
"""The lowest price in dollars from which a dividend moves it by three (4): R-1846-102."""


class ThreeStepDividendStep(DividendStep):
    """The dividend moves the price by its size: one left, none, or one to three right."""

    def offers(self, t: Table) -> Iterator[Offer]:
        if not (is_independent(t, t.company) or t.company.in_receivership):
            yield from super().offers(t)

    def skip(self, t: Table) -> None:
        """Pay half for an independent; withhold what a company without a president has earned.

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
        """Close the step; the turn of a company that its price has closed is over."""
        if t.company.closed:
            end_turn(t)
        else:
            super().close(t)

    def misplaced_obstacle(self, t: Table, request: Request) -> Fact:
        if is_independent(t, t.company):
            return fact("dividend.half_for_independents", company=t.company.id)
        return super().misplaced_obstacle(t, request)

    def total_payout(self, t: Table, option: DividendKind) -> int:
        """Dollars paid to all shares together; the treasury keeps its half rounded down.

        Rules: R-1846-100.
        """
        revenue = self.revenue(t)
        if option == "half":
            return revenue - revenue // 2 // KEPT_MULTIPLE * KEPT_MULTIPLE
        return revenue if option == "pay" else 0

    def holder_income(self, t: Table, payout: int, holder: HolderId) -> int:
        """Dollars for all shares of a holder, rounded up.

        Rules: R-1846-101.
        """
        return -(-payout * t.company.percent(holder) // 100)

    def holders_paying_company(self, t: Table) -> Sequence[HolderId]:
        """The treasury; the market's shares pay nobody (R-1846-101)."""
        return (t.company.treasury,)

    def cell_after_dividend(self, t: Table, cell: Cell, option: DividendKind) -> Cell:
        """The cell after a dividend; a company in receivership without a train falls by two.

        Rules: R-1846-102, R-1846-130.
        """
        price, payout = t.grid.price(cell), self.total_payout(t, option)
        if payout < price // 2 or not payout:
            return t.grid.left(cell, 2 if t.company.in_receivership and not t.company.running else 1)
        steps = min(payout // price, 3 if price >= TRIPLE_PRICE else 2)
        for _ in range(steps):
            cell = t.grid.right(cell)
        return cell
