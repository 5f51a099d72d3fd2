"""In addition to trading: a company redeems or reissues its own shares, and a president takes one from a player."""

from collections.abc import Iterator
from typing import Any

from engine.core.actions import Privatize, RedeemShare, Reissue
from engine.core.events import Privatized
from engine.core.facts import Fact, fact
from engine.core.ids import MARKET, CompanyId, HolderId, PlayerId
from engine.core.offers import Choice, Choices, Chosen, Filtered, Offer, Slot, Suggestion
from engine.core.state import Company
from engine.play.shares import holdings, stock_turn
from engine.play.shares.limits import must_sell, why_no_room
from engine.play.shares.own_shares import (
    redeem,
    redemption_sources,
    reissue,
    reissue_price,
)
from engine.play.shares.selling import successor
from engine.play.steps.agreements import propose
from engine.play.steps.base import AnytimeStep, Request
from engine.play.table import Table


class RedeemShareStep(AnytimeStep):
    """The president of a floated company has it buy a share back in their turn, in addition to their own trading.

    Rules: R-C2C-080.
    """

    name = "redeem_share"
    kinds = frozenset({"redeem_share"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """From the market; where none lies there, from a player who agrees."""
        sources = {c.id: redemption_sources(t, c) for c in _able(t)}
        names = [name for name, found in sources.items() if found]
        if not names:
            return

        def choices(c: Chosen) -> list[Choice]:
            company = t.state.companies[c["company"]]
            return [Choice(source, _redeemed(t, company, source)) for source in sources[company.id]]

        yield t.offer(
            "redeem_share",
            _on_turn(t),
            fact("offer.redeem_share"),
            Slot(
                "company",
                lambda _: Filtered(names, lambda _n: True),
                lambda _, name: _why_no_redemption(t, name),
            ),
            Slot(
                "source",
                lambda c: Choices(choices(c)),
                lambda c, source: _why_not_redeemed_from(t, c, source),
            ),
            suggest=lambda: [
                Suggestion(
                    fact("choice.redeem_share", share=choice.label), {"company": name, "source": choice.value}
                )
                for name in names
                for choice in choices({"company": name})
            ],
            blocking=False,
        )

    def apply(self, t: Table, action: RedeemShare) -> None:
        if action.source in (MARKET, action.actor) or t.rules.flag("consent_is_implied"):
            self.agreed(t, action)
        else:
            propose(t, action, action.source)

    def agreed(self, t: Table, action: RedeemShare) -> None:
        _note(t, action.company)
        redeem(t, t.state.companies[action.company], 1, action.source)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        return _why_no_redemption(t, _named(t, request))


class ReissueStep(AnytimeStep):
    """The president puts all the redeemed shares on sale in their turn, in addition to their own trading.

    Rules: R-C2C-081.
    """

    name = "reissue"
    kinds = frozenset({"reissue"})

    def offers(self, t: Table) -> Iterator[Offer]:
        names = [company.id for company in _able(t) if company.percent(company.treasury)]
        if not names:
            return
        yield t.offer(
            "reissue",
            _on_turn(t),
            fact("offer.reissue"),
            Slot(
                "company",
                lambda _: Filtered(names, lambda _n: True, lambda name: _reissued(t, name)),
                lambda _, name: _why_no_reissue(t, name),
            ),
            suggest=lambda: [
                Suggestion(fact("choice.reissue", shares=_reissued(t, name)), {"company": name})
                for name in names
            ],
            blocking=False,
        )

    def apply(self, t: Table, action: Reissue) -> None:
        _note(t, action.company)
        reissue(t, t.state.companies[action.company])

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        return _why_no_reissue(t, _named(t, request))


def _on_turn(t: Table) -> PlayerId:
    return t.state.players[t.stock.turn].id


def _presided(t: Table) -> list[Company]:
    return [company for company in t.state.companies.values() if company.president == _on_turn(t)]


def _able(t: Table) -> list[Company]:
    """Companies of the player on turn that have neither redeemed nor reissued in this round."""
    return [company for company in _presided(t) if company.id not in t.stock.own_shares]


def _note(t: Table, company: CompanyId) -> None:
    t.stock.own_shares.append(company)
    t.stock.acted = True


def _redeemed(t: Table, company: Company, source: HolderId) -> Fact:
    name = "choice.share_of_market" if source == MARKET else "choice.share_of_player"
    sale = fact(name, company=company.id, seller=source, price=t.price(company))
    new = successor(t, company, company.share) if source == company.president else None
    return sale if new is None else fact("choice.sale_of_presidency", sale=sale, player=new.id)


def _reissued(t: Table, name: CompanyId) -> Fact:
    company = t.state.companies[name]
    count = company.percent(company.treasury) // company.share
    return fact("choice.reissued_shares", company=name, count=count, price=reissue_price(t, company))


# --- what stops it ---------------------------------------------------------------------------------------------------


def _named(t: Table, request: Request) -> CompanyId | None:
    """The company that was named, or else the first of the player on turn."""
    first = next((company.id for company in _presided(t)), None)
    named: CompanyId | None = request.given.get("company", first)
    return named


def _why_not_now(t: Table, name: Any) -> Fact | None:
    player = _on_turn(t)
    if name is None:
        return fact("own_shares.no_company", player=player)
    if name not in t.state.companies:
        return fact("choice.no_company", company=name)
    if t.state.companies[name].president != player:
        return fact("own_shares.not_president", player=player, company=name)
    return fact("own_shares.once_a_round", company=name) if name in t.stock.own_shares else None


def _why_no_reissue(t: Table, name: Any) -> Fact:
    return _why_not_now(t, name) or fact("own_shares.none_redeemed", company=name)


def _why_no_redemption(t: Table, name: Any) -> Fact:
    now = _why_not_now(t, name)
    if now is not None:
        return now
    assert t.spec.own_shares is not None
    company = t.state.companies[name]
    price, left = t.price(company), t.spec.own_shares.left
    if not company.floated:
        return fact("own_shares.not_floated", company=name)
    if company.cash < price:
        return fact("own_shares.too_dear", company=name, price=price, cash=company.cash)
    return fact("own_shares.too_few_left", company=name, left=left)


def _why_not_redeemed_from(t: Table, chosen: Chosen, source: Any) -> Fact:
    company = t.state.companies[chosen["company"]]
    if company.shares.get(MARKET):
        return fact("own_shares.market_first", company=company.id)
    return fact("own_shares.holds_none", company=company.id, source=source)


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
        companies = [c for c in t.state.companies.values() if _why_not(t, player, c) is None]
        sellers = {company.id: _holders(t, player, company) for company in companies}
        if not sellers:
            return

        def choices(c: Chosen) -> Choices:
            company = t.state.companies[c["company"]]
            return Choices(
                [Choice(seller, _privatized(t, company, seller)) for seller in sellers[company.id]]
            )

        yield t.offer(
            "privatize",
            player,
            fact("offer.privatize"),
            Slot(
                "company",
                lambda _: Filtered(list(sellers), lambda _n: True),
                lambda _, name: _why_not_named(t, player, name),
            ),
            Slot(
                "seller",
                choices,
                lambda c, who: fact("privatizing.not_from", company=c["company"], seller=who),
            ),
            suggest=lambda: [
                Suggestion(
                    fact("choice.privatize", share=_privatized(t, t.state.companies[name], seller)),
                    {"company": name, "seller": seller},
                )
                for name, players in sellers.items()
                for seller in players
            ],
            blocking=False,
        )

    def apply(self, t: Table, action: Privatize) -> None:
        stock_turn.note_purchase(t, "privatized")
        _take(t, action.actor, action.company, action.seller)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        return _why_not_named(t, request.actor, request.given.get("company"))


def _privatized(t: Table, company: Company, seller: PlayerId) -> Fact:
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


def _price(t: Table, company: Company) -> int:
    """Dollars for one share: N percent of the present price, rounded up.

    Rules: R-C2C-082.
    """
    assert t.phase.privatize is not None
    return -(-t.price(company) * t.phase.privatize // 100)


def _why_none(t: Table, player: PlayerId) -> Fact | None:
    """Why the player may take no share of any company now, no matter which they preside over."""
    if t.phase.privatize is None:
        return fact("privatizing.never")
    if not stock_turn.may_buy(t):
        return fact("stock.purchase_made", player=player)
    # Above a limit nothing is taken that no sale could follow: with it the turn could end above the limit.
    return None if stock_turn.may_sell_after_purchase(t) else must_sell(t, player)


def _why_not(t: Table, player: PlayerId, company: Company) -> Fact | None:
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
