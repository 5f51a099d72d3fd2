"""Taking a share of one's company from another player, as the purchase of a stock turn."""

from collections.abc import Iterator
from typing import Any

from engine.core.actions import Privatize
from engine.core.facts import Fact, fact
from engine.core.ids import PlayerId
from engine.core.offers import Among, Choice, Chosen, Offer, Suggestion, Those
from engine.core.state import Company
from engine.play.shares import privatizing, stock_turn
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
        if privatizing.why_none(t, player):
            return
        found = {c.id: privatizing.sellers(t, player, c) for c in t.state.companies.values()}
        sellers = {name: players for name, players in found.items() if players}
        if not sellers:
            return

        def choices(c: Chosen) -> Among:
            company = t.state.companies[c["company"]]
            return Among([Choice(seller, _label(t, company, seller)) for seller in sellers[company.id]])

        yield t.offer(
            "privatize",
            player,
            fact("offer.privatize"),
            t.slot(
                "company",
                lambda _: Those(list(sellers), lambda _n: True),
                lambda _, name: _why_not(t, player, name),
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
        privatizing.take(t, action.actor, action.company, action.seller)

    def why_not(self, t: Table, request: Request) -> Fact | None:
        """Why nothing of the company that was named, or of any, can be taken."""
        return _why_not(t, request.actor, request.given.get("company"))


def _label(t: Table, company: Company, seller: PlayerId) -> Fact:
    price = privatizing.price(t, company)
    return fact("choice.share_of_player", company=company.id, seller=seller, price=price)


def _why_not(t: Table, player: PlayerId, name: Any) -> Fact:
    """Why the player takes no share of this company; without a name, of any."""
    company = t.state.companies.get(name or "")
    if company is not None:
        reason = privatizing.why_not(t, player, company)
    elif name is not None:
        reason = fact("choice.no_company", company=name)
    else:
        reason = privatizing.why_none(t, player)
    return reason or fact("privatizing.of_no_company", player=player, least=t.spec.privatize_least)


def _why_not_from(t: Table, chosen: Chosen, seller: Any) -> Fact:
    return fact("privatizing.not_from", company=chosen["company"], seller=seller)
