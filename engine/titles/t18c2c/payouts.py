"""18C2C's dividends and the price moves that follow (R-C2C-185, R-C2C-200 to R-C2C-204)."""

from collections.abc import Iterator, Sequence

from engine.core.facts import Fact, fact
from engine.core.ids import MARKET, OFFERING, REISSUED, Cell, HolderId
from engine.core.offers import Offer
from engine.core.spec import DividendKind
from engine.play.steps.base import Request
from engine.play.steps.dividend import DividendStep
from engine.play.table import Table
from engine.play.trains.phases import occupied_charter_count


class PayoutStep(DividendStep):
    """Dividend step: pay out everything, half or nothing. Dividends on pool shares go to nobody (R-C2C-202)."""

    def columns_moved(self, t: Table, option: DividendKind) -> int:
        """Columns that the share price moves right; -1 means one column left.

        For a full dividend, it is the number of charters with a train, minus the coast-to-coast proofs of this turn
        (R-C2C-204). A half dividend moves nothing, and withholding moves the price left.

        Rules: R-C2C-200, R-C2C-203.
        """
        if not self.total_payout(t, option):
            return -1
        return max(0, occupied_charter_count(t.company) - t.turn.proofs) if option == "pay" else 0

    def cell_after_dividend(self, t: Table, cell: Cell, option: DividendKind) -> Cell:
        """The market cell of the share price after this dividend."""
        for direction in _move_directions(self.columns_moved(t, option)):
            cell = _neighbouring_cell(t, cell, direction)
        return cell

    def move_price(self, t: Table, option: DividendKind) -> None:
        """Move the price column by column. At the end of the market the shares split (R-C2C-052)."""
        for direction in _move_directions(self.columns_moved(t, option)):
            if t.company.cell is not None:
                t.move_price(t.company, _neighbouring_cell(t, t.company.cell, direction))

    def dollars_per_share(self, t: Table, payout: int) -> int:
        """Dollars per share, rounded up, for a total payout in dollars (R-C2C-201)."""
        return -(-payout * t.company.share // 100)

    def holder_income(self, t: Table, payout: int, holder: HolderId) -> int:
        """Dollars that a holder gets for all their shares together, rounded up once (R-C2C-201)."""
        return -(-payout * t.company.percent(holder) // 100)

    def holders_paying_company(self, t: Table) -> Sequence[HolderId]:
        """Holders whose dividends go to the company: IPO, reissued shares and treasury (R-C2C-202).

        A house rule adds the pool.
        """
        own_holders = (OFFERING, REISSUED, t.company.treasury)
        return (
            (*own_holders, MARKET) if t.spec.house_rule("pool_shares_pay") == "corporation" else own_holders
        )


class DestinationPayoutStep(PayoutStep):
    """Dividend step for a destination run. A full dividend moves the price one column right (R-C2C-185)."""

    name = "destination_dividend"

    def revenue(self, t: Table) -> int:
        return 0 if t.turn.destination is None else t.turn.destination.revenue

    def columns_moved(self, t: Table, option: DividendKind) -> int:
        """Columns that the price moves right: 1 for a full dividend, otherwise 0."""
        return int(option == "pay")

    def offers(self, t: Table) -> Iterator[Offer]:
        if t.turn.destination is not None:
            yield from super().offers(t)

    def skip(self, t: Table) -> None:
        """Do nothing: without a destination run there is no dividend."""

    def misplaced_obstacle(self, t: Table, request: Request) -> Fact:
        """The error message for a dividend without a destination run."""
        return fact("dividend.no_destination_run", company=t.company.id)

    def record_run(self, t: Table, option: DividendKind) -> None:
        """Do nothing: the company's last run stays its ordinary run."""

    def close(self, t: Table) -> None:
        """Forget the destination run that was just paid. The step stays open for a run to another destination."""
        t.turn.destination = None


def _move_directions(columns: int) -> list[int]:
    return [1 if columns > 0 else -1] * abs(columns)


def _neighbouring_cell(t: Table, cell: Cell, direction: int) -> Cell:
    return t.grid.right(cell) if direction > 0 else t.grid.left(cell)
