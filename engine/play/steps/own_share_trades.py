"""In a stock round a company redeems a share of its own, or puts redeemed ones on sale again: one of both, once."""

from collections.abc import Iterator
from typing import Any

from engine.core.actions import RedeemShare, Reissue
from engine.core.facts import Fact, fact
from engine.core.ids import MARKET, CompanyId, HolderId
from engine.core.offers import Among, Choice, Offer, Suggestion
from engine.core.state import Company
from engine.play.shares.own_shares import (
    outstanding,
    redeem,
    redemption_sources,
    reissue,
    reissue_price,
)
from engine.play.steps.base import AnytimeStep, Wish
from engine.play.steps.consent import propose
from engine.play.table import Table


class RedeemShareStep(AnytimeStep):
    """The president of a floated company buys a share back in his turn, beside his own trading."""

    name = "redeem_share"
    kinds = frozenset({"redeem_share"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """From the market; where none lies there, from a player who agrees."""
        for company in _presided(t):
            sources = redemption_sources(t, company)
            if sources and company.id not in t.stock.own_shares:
                yield _redemption(t, company, sources)

    def apply(self, t: Table, action: RedeemShare) -> None:
        """Buy it; another player is asked first."""
        if action.source in (MARKET, action.actor) or t.rules.flag("consent_is_implied"):
            self.agreed(t, action)
        else:
            propose(t, action, action.source)

    def agreed(self, t: Table, action: RedeemShare) -> None:
        """Pay for it from the treasury."""
        _note(t, action.entity)
        redeem(t, t.state.companies[action.entity], 1, action.source)

    def why_not(self, t: Table, wish: Wish) -> Fact | None:
        """Why the company that was named, or any, redeems nothing."""
        company = _named(t, wish)
        if company is None:
            return fact("own_shares.no_company", player=wish.actor)
        return _why_not_now(t, company) or _why_not_from(t, company, MARKET)


class ReissueStep(AnytimeStep):
    """The president puts all the redeemed shares on sale in his turn, beside his own trading."""

    name = "reissue"
    kinds = frozenset({"reissue"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """One click for each company that has any."""
        for company in _presided(t):
            held = company.percent(company.treasury) // company.share
            if held and company.id not in t.stock.own_shares:
                price = reissue_price(t, company)
                label = fact("offer.reissue", company=company.id, shares=held, price=price)
                yield t.offer("reissue", company.id, label, blocking=False)

    def apply(self, t: Table, action: Reissue) -> None:
        """They are a pile of their own."""
        _note(t, action.entity)
        reissue(t, t.state.companies[action.entity])

    def why_not(self, t: Table, wish: Wish) -> Fact | None:
        """Why the company that was named, or any, reissues nothing."""
        company = _named(t, wish)
        if company is None:
            return fact("own_shares.no_company", player=wish.actor)
        return _why_not_now(t, company) or fact("own_shares.none_redeemed", company=company.id)


def _redemption(t: Table, company: Company, sources: list[HolderId]) -> Offer:
    price = t.price(company)
    choices = [Choice(source, _label(company, source, price)) for source in sources]
    return t.offer(
        "redeem_share",
        company.id,
        fact("offer.redeem_share", company=company.id, price=price),
        t.slot("source", lambda _: Among(choices), lambda _, source: _why_not_from(t, company, source)),
        suggest=lambda: [Suggestion(choice.label, {"source": choice.value}) for choice in choices],
        blocking=False,
    )


def _label(company: Company, source: HolderId, price: int) -> Fact:
    name = "choice.redeem_from_market" if source == MARKET else "choice.redeem_from_player"
    return fact(name, company=company.id, source=source, price=price)


def _presided(t: Table) -> list[Company]:
    player = t.state.players[t.stock.turn].id
    return [company for company in t.state.companies.values() if company.president == player]


def _note(t: Table, company: CompanyId) -> None:
    """It counts as an action of whoever is on turn."""
    t.stock.own_shares.append(company)
    t.stock.acted = True


def _named(t: Table, wish: Wish) -> Company | None:
    """The company that was named, or else the first of the player on turn."""
    return t.state.companies.get(wish.entity or "") or next(iter(_presided(t)), None)


def _why_not_now(t: Table, company: Company) -> Fact | None:
    player = t.state.players[t.stock.turn].id
    if company.president != player:
        return fact("own_shares.not_president", player=player, company=company.id)
    if company.id in t.stock.own_shares:
        return fact("own_shares.once_a_round", company=company.id)
    return None


def _why_not_from(t: Table, company: Company, source: Any) -> Fact:
    """Why no share, or none from there, is redeemed."""
    assert t.spec.own_shares is not None
    name, price = company.id, t.price(company)
    if not company.floated:
        return fact("own_shares.not_floated", company=name)
    if company.cash < price:
        return fact("own_shares.too_dear", company=name, price=price, cash=company.cash)
    if outstanding(t, company) - company.share < t.spec.own_shares.left:
        return fact("own_shares.too_few_left", company=name, left=t.spec.own_shares.left)
    if company.shares.get(MARKET):
        return fact("own_shares.market_first", company=name)
    return fact("own_shares.holds_none", company=name, source=source)
