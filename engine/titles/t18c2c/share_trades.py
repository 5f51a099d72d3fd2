"""Additions to trading: a company redeems or reissues shares, a president takes one from a player."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from engine.core.actions import Privatize, RedeemShare, Reissue
from engine.core.events import Privatized
from engine.core.facts import Fact, fact
from engine.core.ids import MARKET, CompanyId, HolderId, PlayerId
from engine.core.offers import Choice, Choices, Chosen, Offer, Permitted, Slot, Suggestion
from engine.core.state import Company
from engine.play.shares import holdings, stock_turn
from engine.play.shares.certificate_and_holding_limits import limit_reached, must_sell
from engine.play.shares.own_shares import outstanding, redeem, reissue, reissue_price
from engine.play.shares.selling import successor
from engine.play.steps.agreements import propose
from engine.play.steps.base import AnytimeStep, Request
from engine.play.table import Table


class RedeemShareStep(AnytimeStep):
    """The president lets a floated company buy back a share, in addition to trading.

    Rules: R-C2C-080.
    """

    name = "redeem_share"
    kinds = frozenset({"redeem_share"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """A share from the market; if it has none, from a player who consents."""
        companies = Permitted(_presided(t), partial(_redemption_obstacle, t))
        if not companies:
            return
        yield t.offer(
            "redeem_share",
            _on_turn(t),
            fact("offer.redeem_share"),
            Slot("company", lambda _: companies),
            Slot("source", partial(_sources, t)),
            suggest=lambda: [
                Suggestion(
                    fact("choice.redeem_share", share=choice.label), {"company": name, "source": choice.value}
                )
                for name in companies.values()
                for choice in _sources(t, {"company": name}).choices()
            ],
            blocking=False,
        )

    def apply(self, t: Table, action: RedeemShare) -> None:
        if action.source in (MARKET, action.actor) or t.rules.flag("consent_is_implied"):
            self.agreed(t, action)
        else:
            propose(t, action, action.source)

    def agreed(self, t: Table, action: RedeemShare) -> None:
        _record_trade(t, action.company)
        redeem(t, t.state.companies[action.company], 1, action.source)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        return _redemption_obstacle(t, _named_company(t, request))


class ReissueStep(AnytimeStep):
    """The president puts all redeemed shares back on sale, in addition to trading.

    Rules: R-C2C-081.
    """

    name = "reissue"
    kinds = frozenset({"reissue"})

    def offers(self, t: Table) -> Iterator[Offer]:
        companies = Permitted(_presided(t), partial(_reissue_obstacle, t), partial(_reissued, t))
        if not companies:
            return
        yield t.offer(
            "reissue",
            _on_turn(t),
            fact("offer.reissue"),
            Slot("company", lambda _: companies),
            suggest=lambda: [
                Suggestion(fact("choice.reissue", shares=choice.label), {"company": choice.value})
                for choice in companies.choices()
            ],
            blocking=False,
        )

    def apply(self, t: Table, action: Reissue) -> None:
        _record_trade(t, action.company)
        reissue(t, t.state.companies[action.company])

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        return _reissue_obstacle(t, _named_company(t, request))


def _on_turn(t: Table) -> PlayerId:
    return t.state.players[t.stock.turn].id


def _presided(t: Table) -> list[CompanyId]:
    return [company.id for company in t.state.companies.values() if company.president == _on_turn(t)]


def _named_company(t: Table, request: Request) -> CompanyId | None:
    """The named company, or the first of the player on turn."""
    named: CompanyId | None = request.given.get("company", next(iter(_presided(t)), None))
    return named


def _record_trade(t: Table, company: CompanyId) -> None:
    t.stock.own_shares.append(company)
    t.stock.acted = True


def _own_shares_obstacle(t: Table, name: Any) -> Fact | None:
    """The refusal of a company not presided over, or with a redemption or reissue in this round."""
    player = _on_turn(t)
    if name is None:
        return fact("own_shares.no_company", player=player)
    if name not in t.state.companies:
        return fact("choice.no_company", company=name)
    if t.state.companies[name].president != player:
        return fact("own_shares.not_president", player=player, company=name)
    return fact("own_shares.once_a_round", company=name) if name in t.stock.own_shares else None


def _reissue_obstacle(t: Table, name: Any) -> Fact | None:
    if reason := _own_shares_obstacle(t, name):
        return reason
    company = t.state.companies[name]
    return None if company.percent(company.treasury) else fact("own_shares.none_redeemed", company=name)


def _redemption_obstacle(t: Table, name: Any) -> Fact | None:
    """The rule against the company buying back a share in a stock round.

    Rules: R-C2C-080.
    """
    if reason := _own_shares_obstacle(t, name):
        return reason
    assert t.spec.own_shares is not None
    company = t.state.companies[name]
    price, left = t.price(company), t.spec.own_shares.left
    if not company.floated:
        return fact("own_shares.not_floated", company=name)
    if company.cash < price:
        return fact("own_shares.too_dear", company=name, price=price, cash=company.cash)
    if outstanding(t, company) - company.share < left:
        return fact("own_shares.too_few_left", company=name, left=left)
    return None


def _sources(t: Table, chosen: Chosen) -> Choices:
    """The sellers of a share: the market, or else players."""
    company = t.state.companies[chosen["company"]]
    lying = company.shares.get(MARKET)
    sources = [MARKET] if lying else _holders(t, company)

    def obstacle(source: Any) -> Fact:
        if lying:
            return fact("own_shares.market_first", company=company.id)
        return fact("own_shares.holds_none", company=company.id, source=source)

    return Choices([Choice(source, _redeemed(t, company, source)) for source in sources], obstacle)


def _redeemed(t: Table, company: Company, source: HolderId) -> Fact:
    name = "choice.share_of_market" if source == MARKET else "choice.share_of_player"
    sale = fact(name, company=company.id, seller=source, price=t.price(company))
    new = successor(t, company, company.share) if source == company.president else None
    return sale if new is None else fact("choice.sale_of_presidency", sale=sale, player=new.id)


def _reissued(t: Table, name: CompanyId) -> Fact:
    company = t.state.companies[name]
    count = company.percent(company.treasury) // company.share
    return fact("choice.reissued_shares", company=name, count=count, price=reissue_price(t, company))


class PrivatizeStep(AnytimeStep):
    """The president takes another player's share without consent, above the present price.

    Rules: R-C2C-082.
    """

    name = "privatize"
    kinds = frozenset({"privatize"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """One share of a company whose president can pay."""
        player = _on_turn(t)
        companies = Permitted(_presided(t), partial(_privatizing_obstacle, t, player))
        if not companies:
            return
        yield t.offer(
            "privatize",
            player,
            fact("offer.privatize"),
            Slot("company", lambda _: companies),
            Slot("seller", partial(_sellers, t, player)),
            suggest=lambda: [
                Suggestion(
                    fact("choice.privatize", share=choice.label), {"company": name, "seller": choice.value}
                )
                for name in companies.values()
                for choice in _sellers(t, player, {"company": name}).choices()
            ],
            blocking=False,
        )

    def apply(self, t: Table, action: Privatize) -> None:
        stock_turn.note_purchase(t, "privatized")
        _take_share(t, action.actor, action.company, action.seller)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        player, name = request.actor, request.given.get("company")
        if name is not None:
            return _privatizing_obstacle(t, player, name)
        nothing = fact("privatizing.of_no_company", player=player, least=t.spec.privatize_least)
        return _turn_obstacle(t, player) or nothing


def _turn_obstacle(t: Table, player: PlayerId) -> Fact | None:
    """The rule against the player taking any share now."""
    if t.phase.privatize is None:
        return fact("privatizing.never")
    if made := stock_turn.purchase_made(t):
        return made
    # Above a limit nothing is taken that no sale could follow: with it the turn could end above the limit.
    return None if stock_turn.may_sell_after_purchase(t) else must_sell(t, player)


def _privatizing_obstacle(t: Table, player: PlayerId, name: Any) -> Fact | None:
    company, least = t.state.companies.get(name), t.spec.privatize_least
    if company is None:
        return fact("choice.no_company", company=name)
    if reason := _turn_obstacle(t, player):
        return reason
    who = {"player": player, "company": name}
    if company.president != player or company.percent(player) < least:
        return fact("privatizing.holds_too_little", least=least, **who)
    if not _holders(t, company, player):
        return fact("privatizing.nobody_else", **who)
    if t.cash(player) < _price(t, company):
        return fact("privatizing.too_dear", price=_price(t, company), cash=t.cash(player), **who)
    return limit_reached(t, player) if holdings.counts_for_limit(t, company) else None


def _sellers(t: Table, player: PlayerId, chosen: Chosen) -> Choices:
    """The other players who have a share of the company."""
    company = t.state.companies[chosen["company"]]
    name, price = company.id, _price(t, company)
    return Choices(
        [
            Choice(seller, fact("choice.share_of_player", company=name, seller=seller, price=price))
            for seller in _holders(t, company, player)
        ],
        lambda seller: fact("privatizing.not_from", company=name, seller=seller),
    )


def _price(t: Table, company: Company) -> int:
    """Dollars for one share: N percent of the present price, rounded up.

    Rules: R-C2C-082.
    """
    assert t.phase.privatize is not None
    return -(-t.price(company) * t.phase.privatize // 100)


def _take_share(t: Table, player: PlayerId, company: CompanyId, seller: PlayerId) -> None:
    """Pay the other player for an ordinary certificate; the share price stays."""
    taken, amount = t.state.companies[company], _price(t, t.state.companies[company])
    t.pay(player, seller, amount)
    holdings.give_shares(taken, seller, player, taken.share)
    t.emit(Privatized(player, company, seller, taken.share, amount))


def _holders(t: Table, company: Company, but: PlayerId | None = None) -> list[PlayerId]:
    """The players, except one, who have an ordinary share of the company."""
    return [seat.id for seat in t.state.in_game() if seat.id != but and company.shares.get(seat.id)]
