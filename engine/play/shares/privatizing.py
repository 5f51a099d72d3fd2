"""A president takes a share of their company from another player at a price that the phase sets."""

from engine.core.events import Privatized
from engine.core.facts import Fact, fact
from engine.core.ids import CompanyId, PlayerId
from engine.core.state import Company
from engine.play.shares import holdings, stock_turn
from engine.play.shares.limits import must_sell, why_no_room
from engine.play.table import Table


def price(t: Table, company: Company) -> int:
    """Dollars for one share: N percent of the present price, rounded up.

    Rules: R-C2C-082.
    """
    assert t.phase.privatize is not None
    return -(-t.price(company) * t.phase.privatize // 100)


def sellers(t: Table, player: PlayerId, company: Company) -> list[PlayerId]:
    """From whom the player may take a share of the company now."""
    return [] if why_not(t, player, company) else _holders(t, player, company)


def why_none(t: Table, player: PlayerId) -> Fact | None:
    """Why the player may take no share of any company now, no matter which they preside over."""
    if t.phase.privatize is None:
        return fact("privatizing.never")
    if not stock_turn.may_buy(t):
        return fact("stock.purchase_made", player=player)
    # Above a limit nothing is taken that no sale could follow: with it the turn could end above the limit.
    return None if stock_turn.may_sell_after_purchase(t) else must_sell(t, player)


def why_not(t: Table, player: PlayerId, company: Company) -> Fact | None:
    """What keeps the player from taking a share of the company now; None: nothing."""
    least = t.spec.privatize_least
    told = {"player": player, "company": company.id}
    if now := why_none(t, player):
        return now
    if company.president != player or company.percent(player) < least:
        return fact("privatizing.holds_too_little", least=least, **told)
    if not _holders(t, player, company):
        return fact("privatizing.nobody_else", **told)
    if t.cash(player) < price(t, company):
        return fact("privatizing.too_dear", price=price(t, company), cash=t.cash(player), **told)
    return why_no_room(t, player) if holdings.counts(t, company) else None


def take(t: Table, player: PlayerId, company: CompanyId, seller: PlayerId) -> None:
    """Pay the other player for an ordinary certificate; the share price stays."""
    taken, amount = t.state.companies[company], price(t, t.state.companies[company])
    t.pay(player, seller, amount)
    holdings.give(taken, seller, player, taken.share)
    t.emit(Privatized(player, company, seller, taken.share, amount))


def _holders(t: Table, player: PlayerId, company: Company) -> list[PlayerId]:
    return [seat.id for seat in t.state.in_game() if seat.id != player and company.shares.get(seat.id)]
