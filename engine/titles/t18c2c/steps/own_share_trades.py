"""In a stock round a company redeems a share of its own, or puts redeemed ones on sale again: one of both, once."""

from collections.abc import Iterator
from typing import Any

from engine.core.actions import RedeemShare, Reissue
from engine.core.facts import Fact, fact
from engine.core.ids import MARKET, CompanyId, HolderId, PlayerId
from engine.core.offers import Choice, Choices, Chosen, Filtered, Offer, Suggestion
from engine.core.state import Company
from engine.play.shares.own_shares import (
    redeem,
    redemption_sources,
    reissue,
    reissue_price,
)
from engine.play.shares.presidency import successor
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
            return [Choice(source, _label(t, company, source)) for source in sources[company.id]]

        yield t.offer(
            "redeem_share",
            _on_turn(t),
            fact("offer.redeem_share"),
            t.slot(
                "company",
                lambda _: Filtered(names, lambda _n: True),
                lambda _, name: _why_no_redemption(t, name),
            ),
            t.slot("source", lambda c: Choices(choices(c)), lambda c, source: _why_not_from(t, c, source)),
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
        """Buy it; another player is asked first."""
        if action.source in (MARKET, action.actor) or t.rules.flag("consent_is_implied"):
            self.agreed(t, action)
        else:
            propose(t, action, action.source)

    def agreed(self, t: Table, action: RedeemShare) -> None:
        """Pay for it from the treasury."""
        _note(t, action.company)
        redeem(t, t.state.companies[action.company], 1, action.source)

    def why_not(self, t: Table, request: Request) -> Fact | None:
        """Why the company that was named, or any, redeems nothing."""
        return _why_no_redemption(t, _named(t, request))


class ReissueStep(AnytimeStep):
    """The president puts all the redeemed shares on sale in their turn, in addition to their own trading.

    Rules: R-C2C-081.
    """

    name = "reissue"
    kinds = frozenset({"reissue"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """The companies that have any."""
        names = [company.id for company in _able(t) if company.percent(company.treasury)]
        if not names:
            return
        yield t.offer(
            "reissue",
            _on_turn(t),
            fact("offer.reissue"),
            t.slot(
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
        """They are a pile of their own."""
        _note(t, action.company)
        reissue(t, t.state.companies[action.company])

    def why_not(self, t: Table, request: Request) -> Fact | None:
        """Why the company that was named, or any, reissues nothing."""
        return _why_no_reissue(t, _named(t, request))


def _on_turn(t: Table) -> PlayerId:
    return t.state.players[t.stock.turn].id


def _presided(t: Table) -> list[Company]:
    return [company for company in t.state.companies.values() if company.president == _on_turn(t)]


def _able(t: Table) -> list[Company]:
    """Companies of the player on turn that have neither redeemed nor reissued in this round."""
    return [company for company in _presided(t) if company.id not in t.stock.own_shares]


def _note(t: Table, company: CompanyId) -> None:
    """It counts as an action of the player on turn."""
    t.stock.own_shares.append(company)
    t.stock.acted = True


def _label(t: Table, company: Company, source: HolderId) -> Fact:
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


def _why_not_from(t: Table, chosen: Chosen, source: Any) -> Fact:
    company = t.state.companies[chosen["company"]]
    if company.shares.get(MARKET):
        return fact("own_shares.market_first", company=company.id)
    return fact("own_shares.holds_none", company=company.id, source=source)
