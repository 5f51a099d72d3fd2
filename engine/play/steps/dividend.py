"""Paying out, half of it, or withholding (rulebook 11.6)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from engine.core.actions import Dividend
from engine.core.events import Paid
from engine.core.facts import Fact, fact
from engine.core.ids import BANK, MARKET, Cell, HolderId
from engine.core.offers import Among, Choice, Offer, Suggestion
from engine.core.spec import DividendKind
from engine.core.state import LastRun, Outcome
from engine.play.steps.base import CompanyStep, Wish
from engine.play.table import Table

OUTCOMES: Final[Mapping[DividendKind, Outcome]] = {"pay": "paid", "half": "half", "withhold": "withheld"}
ROUNDED_TO: Final = 10
"""Half of the revenue is rounded up to so many dollars in favour of the shareholders."""


class DividendStep(CompanyStep):
    """What the title allows: everything to the shares, half of it, or everything to the treasury."""

    name = "dividend"
    kinds = frozenset({"dividend"})

    def options(self, t: Table) -> Sequence[DividendKind]:
        """What the operating company may choose from."""
        return t.spec.dividends

    def shared_out(self, t: Table, option: DividendKind) -> int:
        """Dollars of the revenue for all shares of the company together."""
        if option == "half":
            return -(-t.turn.revenue // (2 * ROUNDED_TO)) * ROUNDED_TO
        return t.turn.revenue if option == "pay" else 0

    def moved(self, t: Table, cell: Cell, shared_out: int) -> Cell:
        """Where the price goes when so much is paid out: right, or left where nothing is."""
        return t.grid.right(cell) if shared_out else t.grid.left(cell)

    def to_company(self, t: Table) -> Sequence[HolderId]:
        """Holders whose shares pay the company: the market and its treasury; those in the offering pay nobody."""
        return (MARKET, t.company.id)

    def offers(self, t: Table) -> Iterator[Offer]:
        """The options with what they do; nothing to decide without revenue."""
        if not t.turn.revenue:
            return
        options = [Choice(option, self._label(t, option)) for option in self.options(t)]
        yield t.offer(
            "dividend",
            t.company.id,
            fact("offer.dividend"),
            t.slot(
                "option",
                lambda _: Among(options),
                lambda _, o: fact("dividend.no_such_option", company=t.company.id, option=o),
            ),
            suggest=lambda: [Suggestion(choice.label, {"option": choice.value}) for choice in options],
        )

    def apply(self, t: Table, action: Dividend) -> None:
        """Pay and move the price."""
        self.settle(t, action.option)

    def skip(self, t: Table) -> None:
        """No revenue: the price moves as for nothing paid."""
        self.settle(t, "withhold")

    def why_not(self, t: Table, wish: Wish) -> Fact | None:
        """What the dividend step allows."""
        return fact("dividend.decides_now", company=t.company.id, revenue=t.turn.revenue)

    def _label(self, t: Table, option: DividendKind) -> Fact:
        assert t.company.cell is not None
        shared_out = self.shared_out(t, option)
        return fact(
            f"choice.dividend_{option}",
            revenue=t.turn.revenue,
            per_share=_per_share(t, shared_out),
            kept=t.turn.revenue - shared_out,
            old=t.price(t.company),
            new=t.grid.price(self.moved(t, t.company.cell, shared_out)),
        )

    def settle(self, t: Table, option: DividendKind) -> None:
        """Pay shares and treasury, and move the price."""
        company, revenue = t.company, t.turn.revenue
        assert company.cell is not None
        shared_out = self.shared_out(t, option)
        per_share = _per_share(t, shared_out)
        kept = revenue - shared_out + sum(_income(t, per_share, holder) for holder in self.to_company(t))
        t.pay(BANK, company.id, kept)
        for player in t.state.in_game():
            t.pay(BANK, player.id, _income(t, per_share, player.id))
        old = t.price(company)
        t.move_price(company, self.moved(t, company.cell, shared_out))
        company.last_run = LastRun(t.turn.runs, t.turn.run_values, revenue, OUTCOMES[option])
        t.emit(Paid(company.id, revenue, per_share, kept, old, t.price(company)))
        self.over(t)


def _per_share(t: Table, shared_out: int) -> int:
    return shared_out * t.company.share // 100


def _income(t: Table, per_share: int, holder: HolderId) -> int:
    return per_share * t.company.percent(holder) // t.company.share
