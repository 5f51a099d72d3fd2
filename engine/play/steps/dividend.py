"""Dividends: full, half or withheld (18Chesapeake 11.6, 18NewEngland 11.6)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from engine.core.actions import Dividend
from engine.core.events import DividendDecided
from engine.core.facts import Fact, fact
from engine.core.ids import BANK, MARKET, Cell, HolderId
from engine.core.offers import FilteredChoices, Offer, Slot, Suggestion
from engine.core.spec import DividendKind
from engine.core.state import LastRun, RunOutcome
from engine.play.steps.base import CompanyStep, Request
from engine.play.table import Table

OUTCOME_BY_OPTION: Final[Mapping[DividendKind, RunOutcome]] = {
    "pay": "paid",
    "half": "half",
    "withhold": "withheld",
}


class DividendStep(CompanyStep):
    """The dividend decision of a company's turn: pay out all revenue, half of it, or nothing, as the title allows."""

    name = "dividend"
    kinds = frozenset({"dividend"})

    def options(self, t: Table) -> Sequence[DividendKind]:
        """The uses of revenue among which the operating company can choose."""
        return t.spec.dividends

    def revenue(self, t: Table) -> int:
        """The run's revenue in dollars, which is paid out or withheld."""
        return t.turn.revenue

    def total_payout(self, t: Table, option: DividendKind) -> int:
        """Total dollars of a dividend on all shares of the company.

        A half dividend is rounded up to whole dollars per share.

        Rules: R-NE-096.
        """
        revenue, share_count = self.revenue(t), 100 // t.company.share
        if option == "half":
            return -(-revenue // (2 * share_count)) * share_count
        return revenue if option == "pay" else 0

    def cell_after_dividend(self, t: Table, cell: Cell, option: DividendKind) -> Cell:
        """The company's market cell after the dividend: one to the right if it pays anything, else one to the left.

        Rules: R-AL-162, R-AL-163, R-AL-164, R-CH-130, R-CH-131, R-TN-151.
        """
        return t.grid.right(cell) if self.total_payout(t, option) else t.grid.left(cell)

    def dollars_per_share(self, t: Table, payout: int) -> int:
        """Dollars paid on each share, for a total payout in dollars.

        Rules: R-CH-132, R-CH-244.
        """
        return payout * t.company.share // 100

    def holder_income(self, t: Table, payout: int, holder: HolderId) -> int:
        """Dollars paid on all shares of one holder, for a total payout in dollars."""
        company = t.company
        return self.dollars_per_share(t, payout) * company.percent(holder) // company.share

    def holders_paying_company(self, t: Table) -> Sequence[HolderId]:
        """Holders whose dividends go to the company: market and treasury.

        Shares in the IPO pay nobody.

        Rules: R-AL-160, R-CH-131, R-TN-150.
        """
        return (MARKET, t.company.id)

    def offers(self, t: Table) -> Iterator[Offer]:
        """The company's legal dividends, labelled with their effects; none if there is no revenue."""
        if not self.revenue(t):
            return
        options = self.options(t)
        yield t.offer(
            "dividend",
            t.company.id,
            fact("offer.dividend"),
            Slot(
                "option",
                lambda _: FilteredChoices(
                    options,
                    lambda o: self._option_obstacle(t, o),
                    lambda option: self._option_label(t, option),
                ),
            ),
            suggest=lambda: [
                Suggestion(self._option_label(t, option), {"option": option}) for option in options
            ],
        )

    def apply(self, t: Table, action: Dividend) -> None:
        self.settle_dividend(t, action.option)

    def skip(self, t: Table) -> None:
        """Withhold and lower the share price, because there is no revenue."""
        self.settle_dividend(t, "withhold")

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        if request.kind == "dividend":
            return None
        return fact("dividend.decides_now", company=t.company.id, revenue=self.revenue(t))

    def _option_obstacle(self, t: Table, option: Any) -> Fact | None:
        is_listed = option in self.options(t)
        return None if is_listed else fact("dividend.no_such_option", company=t.company.id, option=option)

    def _option_label(self, t: Table, option: DividendKind) -> Fact:
        assert t.company.cell is not None
        payout = self.total_payout(t, option)
        return fact(
            f"choice.dividend_{option}",
            revenue=self.revenue(t),
            per_share=self.dollars_per_share(t, payout),
            kept=self.revenue(t) - payout,
            old=t.price(t.company),
            new=t.price(t.company, self.cell_after_dividend(t, t.company.cell, option)),
        )

    def settle_dividend(self, t: Table, option: DividendKind) -> None:
        """Pay shareholders and treasury, then move the share price.

        If the move closes the company, the event for the payment still comes before the event for the closing.

        Rules: R-AL-160, R-AL-161, R-TN-150.
        """
        company, revenue = t.company, self.revenue(t)
        payout = self.total_payout(t, option)
        company_dollars = (
            revenue
            - payout
            + sum(self.holder_income(t, payout, holder) for holder in self.holders_paying_company(t))
        )
        t.pay(BANK, company.id, company_dollars)
        for player in t.state.players_in_game():
            t.pay(BANK, player.id, self.holder_income(t, payout, player.id))
        old_price, dollars_per_share = t.price(company), self.dollars_per_share(t, payout)
        event_count_before = len(t.events)
        self.move_price(t, option)
        self.record_run(t, option)
        dividend_event = DividendDecided(
            company.id, revenue, dollars_per_share, company_dollars, old_price, t.price(company)
        )
        t.events.insert(event_count_before if company.closed else len(t.events), dividend_event)
        self.close(t)

    def move_price(self, t: Table, option: DividendKind) -> None:
        assert t.company.cell is not None
        t.move_price(t.company, self.cell_after_dividend(t, t.company.cell, option))

    def record_run(self, t: Table, option: DividendKind) -> None:
        """Store the run and its dividend as the company's last run."""
        outcome = OUTCOME_BY_OPTION[option]
        t.company.last_run = LastRun(t.turn.runs, t.turn.run_values, self.revenue(t), outcome)
