"""18NewEngland's decisions that differ from those of most titles: shares, dividends, what minors become (12)."""

from collections.abc import Iterator, Sequence
from typing import Final

from engine.core.actions import BuyPrivate, BuyShare, Par, Pass, SellPrivate, SellShares, StartMinor
from engine.core.events import HalfPaid
from engine.core.facts import Fact, fact
from engine.core.ids import BANK, OFFERING, Cell, HolderId, PlayerId
from engine.core.offers import Offer
from engine.core.spec import DividendKind
from engine.core.state import Company, LastRun
from engine.play.mergers.forming import Plan
from engine.play.shares import stock_turn
from engine.play.shares.limits import why_no_room
from engine.play.steps.base import Request
from engine.play.steps.mergers.merge import MergeStep
from engine.play.steps.revenue.dividend import DividendStep
from engine.play.steps.stock.trade import TradeStep
from engine.play.table import Table
from engine.titles.t18newengland.minors import (
    available,
    is_minor,
    start,
    start_offer,
    why_no_space,
    why_not_started,
)


class ShareTradeStep(TradeStep):
    """As usual; instead of a share a minor may be started (10.2)."""

    kinds = TradeStep.kinds | {"start_minor"}

    def purchases(self, t: Table, player: PlayerId) -> Iterator[Offer | None]:
        """Shares, and minors on the spaces of the phase (R-NE-041)."""
        yield from super().purchases(t, player)
        if stock_turn.may_buy(t) and why_no_room(t, player) is None:
            yield start_offer(t, player, [company.id for company in available(t)])

    def apply(
        self, t: Table, action: SellShares | BuyShare | BuyPrivate | SellPrivate | Par | StartMinor | Pass
    ) -> None:
        """A minor started is the purchase of the turn."""
        if isinstance(action, StartMinor):
            stock_turn.note_purchase(t, "minor")
            start(t, action)
        else:
            super().apply(t, action)

    def why_not(self, t: Table, request: Request) -> Fact | None:
        """Why no minor can be started, or what else is not possible."""
        if request.kind != "start_minor" or any(offer.kind == request.kind for offer in self.offers(t)):
            return super().why_not(t, request)
        if not stock_turn.may_buy(t):
            return fact("stock.purchase_made", player=request.actor)
        room = why_no_room(t, request.actor)
        if room is not None:
            return room
        company, names = request.given.get("company"), [minor.id for minor in available(t)]
        if company is not None and company not in names:
            return why_not_started(t, company)
        return why_no_space(t, request.actor) if names else fact("minors.none_left")


class HalfPayStep(DividendStep):
    """Minors pay half, exactly and always; majors choose, and what they pay moves the price (11.6)."""

    def offers(self, t: Table) -> Iterator[Offer]:
        """Minors are not asked."""
        if not is_minor(t, t.company):
            yield from super().offers(t)

    def skip(self, t: Table) -> None:
        """A minor pays half; a major without revenue has nothing to decide."""
        if is_minor(t, t.company) and t.turn.revenue:
            _pay_half(t)
            self.over(t)
        else:
            super().skip(t)

    def why_not_now(self, t: Table, request: Request) -> Fact:
        """A minor has nothing to choose (R-NE-095)."""
        if is_minor(t, t.company):
            return fact("dividend.half_always", company=t.company.id)
        return super().why_not_now(t, request)

    def moved(self, t: Table, cell: Cell, option: DividendKind) -> Cell:
        """Left for nothing; right for the price, two right for twice the price; a minor's never moves (R-NE-098)."""
        shared_out = self.shared_out(t, option)
        if t.grid.is_space(cell):
            return cell
        if not shared_out:
            return t.grid.left(cell)
        for _ in range(min(2, shared_out // t.price(t.company))):
            cell = t.grid.right(cell)
        return cell

    def to_company(self, t: Table) -> Sequence[HolderId]:
        """Its offering and its treasury; the market's shares pay nobody (R-NE-097)."""
        return (OFFERING, t.company.treasury)


def _pay_half(t: Table) -> None:
    """Half to the owner, half to the treasury, to the dollar (R-NE-095)."""
    company, half = t.company, t.turn.revenue // 2
    owner = t.president(company.id).id
    t.pay(BANK, company.id, t.turn.revenue - half)
    t.pay(BANK, owner, half)
    company.last_run = LastRun(t.turn.runs, t.turn.run_values, t.turn.revenue, "half")
    t.emit(HalfPaid(company.id, t.turn.revenue, owner, half))


PAR_OF_CONVERTED: Final = 100
"""The par price of a major that was converted (R-NE-121)."""


class NewEnglandMergeStep(MergeStep):
    """A merged major costs nothing, a converted one what its minor lacks."""

    def merging(self, t: Table, company: Company, partner: Company) -> Plan:
        """Par is the sum of both values, rounded down to a price of the chart (R-NE-122)."""
        together = t.price(company) + t.price(partner)
        par = max(price for price, _ in t.grid.pars() if price <= together)
        return Plan((company.id, partner.id), par)

    def converting(self, t: Table, company: Company) -> Plan:
        """The president pays the difference between two shares at par and twice the value (R-NE-121)."""
        return Plan((company.id,), PAR_OF_CONVERTED, 2 * (PAR_OF_CONVERTED - t.price(company)))
