"""The president's sales for a forced purchase (rulebook 11.8); offered in the train step."""

from collections.abc import Callable

from engine.core.facts import Fact
from engine.core.offers import Offer, Those
from engine.play.shares import holdings
from engine.play.shares.selling import sell_label, why_not_so_many
from engine.play.table import Table
from engine.play.trains.emergency import blocks, funds, loses_company, raises_money, target


def sale_offer(t: Table) -> Offer | None:
    """The president's sales for a forced purchase (11.8)."""
    if not raises_money(t):
        return None
    player = t.president(t.company.id).id
    counts = blocks(t)
    names = [name for name, found in counts.items() if found]
    if not names:
        return None

    def why(name: str, count: int) -> Fact | str | None:
        company = t.state.companies[name]
        if count not in holdings.sellable(t, player, company):
            return why_not_so_many(t, player, company, count)
        if loses_company(t, company, count):
            return f"The presidency of {name} may not change while it buys this train (11.8)."
        if t.spec.forced_sales == "smallest_share":
            return (
                f"${target(t) - funds(t)} is missing: what is left afterwards has to be less than the smallest "
                "amount that any share sold for it brought (11.8)."
            )
        return (
            f"Only as many shares may be sold as the train needs; ${target(t) - funds(t)} is missing (11.8)."
        )

    return t.offer(
        "sell_shares",
        player,
        f"Sell shares for the train of {t.company.id}",
        t.slot("company", lambda _: Those(names, lambda _n: True), lambda _, c: _why_not_these(t, c, why)),
        t.slot(
            "shares",
            lambda c: Those(
                counts[c["company"]],
                lambda _n: True,
                lambda n: sell_label(t, player, t.state.companies[c["company"]], n),
            ),
            lambda c, n: why(c["company"], n),
        ),
    )


def _why_not_these(t: Table, name: object, why: Callable[[str, int], Fact | str | None]) -> Fact | str | None:
    if not isinstance(name, str) or name not in t.state.companies:
        return f"There is no company {name}."
    return why(name, 1)
