"""Taking a share of one's company from another player, as the purchase of a stock turn: from whom, at what price."""

from collections.abc import Iterator
from typing import Any

from engine.core.actions import Privatize
from engine.core.events import Privatized
from engine.core.facts import Fact, fact
from engine.core.ids import CompanyId, PlayerId
from engine.core.offers import Choice, Choices, Chosen, Filtered, Offer, Suggestion
from engine.core.state import Company
from engine.play.shares import holdings, stock_turn
from engine.play.shares.limits import must_sell, why_no_room
from engine.play.steps.base import AnytimeStep, Request
from engine.play.table import Table


class PrivatizeStep(AnytimeStep):
    """Without the other's consent, for more than the present price.

    Rules: R-C2C-082.
    """

    name = "privatize"
    kinds = frozenset({"privatize"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """One share of a company whose president has enough."""
        player = t.state.players[t.stock.turn].id
        if _why_none(t, player):
            return
        found = {c.id: _sellers(t, player, c) for c in t.state.companies.values()}
        sellers = {name: players for name, players in found.items() if players}
        if not sellers:
            return

        def choices(c: Chosen) -> Choices:
            company = t.state.companies[c["company"]]
            return Choices([Choice(seller, _label(t, company, seller)) for seller in sellers[company.id]])

        yield t.offer(
            "privatize",
            player,
            fact("offer.privatize"),
            t.slot(
                "company",
                lambda _: Filtered(list(sellers), lambda _n: True),
                lambda _, name: _why_not_named(t, player, name),
            ),
            t.slot("seller", choices, lambda c, who: _why_not_from(t, c, who)),
            suggest=lambda: [
                Suggestion(
                    fact("choice.privatize", share=_label(t, t.state.companies[name], seller)),
                    {"company": name, "seller": seller},
                )
                for name, players in sellers.items()
                for seller in players
            ],
            blocking=False,
        )

    def apply(self, t: Table, action: Privatize) -> None:
        """The purchase of the turn."""
        stock_turn.note_purchase(t, "privatized")
        _take(t, action.actor, action.company, action.seller)

    def why_not(self, t: Table, request: Request) -> Fact | None:
        """Why nothing of the company that was named, or of any, can be taken."""
        return _why_not_named(t, request.actor, request.given.get("company"))


def _label(t: Table, company: Company, seller: PlayerId) -> Fact:
    return fact("choice.share_of_player", company=company.id, seller=seller, price=_price(t, company))


def _why_not_named(t: Table, player: PlayerId, name: Any) -> Fact:
    """Why the player takes no share of this company; without a name, of any."""
    company = t.state.companies.get(name or "")
    if company is not None:
        reason = _why_not(t, player, company)
    elif name is not None:
        reason = fact("choice.no_company", company=name)
    else:
        reason = _why_none(t, player)
    return reason or fact("privatizing.of_no_company", player=player, least=t.spec.privatize_least)


def _why_not_from(t: Table, chosen: Chosen, seller: Any) -> Fact:
    return fact("privatizing.not_from", company=chosen["company"], seller=seller)


def _price(t: Table, company: Company) -> int:
    """Dollars for one share: N percent of the present price, rounded up.

    Rules: R-C2C-082.
    """
    assert t.phase.privatize is not None
    return -(-t.price(company) * t.phase.privatize // 100)


def _sellers(t: Table, player: PlayerId, company: Company) -> list[PlayerId]:
    """From whom the player may take a share of the company now."""
    return [] if _why_not(t, player, company) else _holders(t, player, company)


def _why_none(t: Table, player: PlayerId) -> Fact | None:
    """Why the player may take no share of any company now, no matter which they preside over."""
    if t.phase.privatize is None:
        return fact("privatizing.never")
    if not stock_turn.may_buy(t):
        return fact("stock.purchase_made", player=player)
    # Above a limit nothing is taken that no sale could follow: with it the turn could end above the limit.
    return None if stock_turn.may_sell_after_purchase(t) else must_sell(t, player)


def _why_not(t: Table, player: PlayerId, company: Company) -> Fact | None:
    """What keeps the player from taking a share of the company now; None: nothing."""
    least = t.spec.privatize_least
    who = {"player": player, "company": company.id}
    if now := _why_none(t, player):
        return now
    if company.president != player or company.percent(player) < least:
        return fact("privatizing.holds_too_little", least=least, **who)
    if not _holders(t, player, company):
        return fact("privatizing.nobody_else", **who)
    if t.cash(player) < _price(t, company):
        return fact("privatizing.too_dear", price=_price(t, company), cash=t.cash(player), **who)
    return why_no_room(t, player) if holdings.counts(t, company) else None


def _take(t: Table, player: PlayerId, company: CompanyId, seller: PlayerId) -> None:
    """Pay the other player for an ordinary certificate; the share price stays."""
    taken, amount = t.state.companies[company], _price(t, t.state.companies[company])
    t.pay(player, seller, amount)
    holdings.give(taken, seller, player, taken.share)
    t.emit(Privatized(player, company, seller, taken.share, amount))


def _holders(t: Table, player: PlayerId, company: Company) -> list[PlayerId]:
    return [seat.id for seat in t.state.in_game() if seat.id != player and company.shares.get(seat.id)]
