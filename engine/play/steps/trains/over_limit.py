"""Certificates above the limit go when a president sells for a train, too (18NewEngland 10.6)."""

from collections.abc import Iterator

from engine.core.actions import SellShares
from engine.core.facts import Fact
from engine.core.ids import CompanyId
from engine.core.offers import Offer
from engine.core.state import Company
from engine.play.shares import holdings
from engine.play.shares.limits import shed, too_many
from engine.play.shares.selling import sell
from engine.play.steps.base import Step, Wish
from engine.play.steps.trains.forced_purchase import sale_offers
from engine.play.table import Table
from engine.play.trains.emergency import cheapest_price
from engine.play.trains.raising import Aim, sellable


class ExcessStep(Step):
    """Once enough is sold for the train, selling continues until the president is within their limit again."""

    name = "excess"
    kinds = frozenset({"sell_shares"})
    exclusive = True

    def offers(self, t: Table) -> Iterator[Offer]:
        """Blocks that leave them fewer certificates, and no more than they must sell."""
        aim = _aim(t)
        if aim is not None:
            yield from sale_offers(t, aim, _blocks(t, aim))

    def apply(self, t: Table, action: SellShares) -> None:
        """Sell a block."""
        sell(t, action.actor, t.state.companies[action.company], action.shares)

    def why_not(self, t: Table, wish: Wish) -> Fact | None:
        """The limit comes first."""
        return too_many(t, t.president(t.company.id).id)


def _aim(t: Table) -> Aim | None:
    """The train that has been sold for, when it can be paid now and the president has too many certificates."""
    price = cheapest_price(t)
    if t.rules.flag("forced_sales_ignore_cert_limit") or t.turn.smallest_sale is None or price is None:
        return None
    aim = Aim(price, frozenset({t.company.id}))
    return aim if aim.missing(t) <= 0 and too_many(t, t.president(t.company.id).id) else None


def _blocks(t: Table, aim: Aim) -> dict[CompanyId, list[int]]:
    """Without its last share a block would leave them above the limit."""
    player = t.president(t.company.id).id
    over = holdings.certificates(t, player) - holdings.limit(t)

    def needed(company: Company, count: int) -> bool:
        before = shed(t, player, company, count - 1) if count > 1 else 0
        return before < over and shed(t, player, company, count) > 0

    companies = t.state.companies
    found = {
        name: [n for n in counts if needed(companies[name], n)]
        for name, counts in sellable(t, aim.keeps).items()
    }
    return {name: counts for name, counts in found.items() if counts}
