"""Paying out or withholding (rulebook 11.6)."""

from collections.abc import Iterator

from engine.core.actions import Dividend
from engine.core.events import Paid
from engine.core.facts import Fact
from engine.core.ids import BANK, MARKET
from engine.core.offers import Among, Choice, Offer, Suggestion
from engine.core.state import LastRun
from engine.play.steps.base import CompanyStep, Wish
from engine.play.table import Table


class DividendStep(CompanyStep):
    """All or nothing: a tenth a share, or everything to the treasury."""

    name = "dividend"
    kinds = frozenset({"dividend"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """Both options with what they do; nothing to decide without revenue."""
        if not t.turn.revenue:
            return
        options = [Choice("pay", _label(t, "pay")), Choice("withhold", _label(t, "withhold"))]
        yield t.offer(
            "dividend",
            t.company.id,
            "Dividend",
            t.slot(
                "option",
                lambda _: Among(options),
                lambda _, o: f"A company pays out or withholds, not {o} (11.6).",
            ),
            suggest=lambda: [Suggestion(choice.label, {"option": choice.value}) for choice in options],
        )

    def apply(self, t: Table, action: Dividend) -> None:
        """Pay and move the price."""
        settle(t, pay=action.option == "pay")
        self.over(t)

    def skip(self, t: Table) -> None:
        """No revenue: the price moves left all the same."""
        settle(t, pay=False)
        self.over(t)

    def why_not(self, t: Table, wish: Wish) -> Fact | str | None:
        """What the dividend step allows."""
        return f"{t.company.id} pays out or withholds ${t.turn.revenue} now (11.6)."


def _label(t: Table, option: str) -> str:
    assert t.company.cell is not None
    old = t.price(t.company)
    if option == "pay":
        new = t.grid.price(t.grid.right(t.company.cell))
        return f"Pay ${t.turn.revenue // 10} a share, price {old} → {new}"
    return f"Withhold ${t.turn.revenue}, price {old} → {t.grid.price(t.grid.left(t.company.cell))}"


def settle(t: Table, *, pay: bool) -> None:
    """Shares in the market pay the company, shares in the offering nobody; the price moves right or left (11.6)."""
    company, revenue = t.company, t.turn.revenue
    assert company.cell is not None
    per_share = revenue // 10 if pay else 0
    kept = per_share * company.percent(MARKET) // 10 if pay else revenue
    t.pay(BANK, company.id, kept)
    for player in t.state.players:
        t.pay(BANK, player.id, per_share * company.percent(player.id) // 10)
    old = t.price(company)
    t.move_price(company, t.grid.right(company.cell) if pay else t.grid.left(company.cell))
    company.last_run = LastRun(t.turn.runs, t.turn.run_values, revenue, "paid" if pay else "withheld")
    t.emit(Paid(company.id, revenue, per_share, kept, old, t.price(company)))
