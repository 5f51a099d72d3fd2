"""Purchases of single shares: sources, prices and obstacles (18Chesapeake 10.1, 10.4)."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, TypeAlias

from engine.core.facts import Fact, fact
from engine.core.ids import MARKET, OFFERING, REISSUED, REMOVED, CompanyId, HolderId, PlayerId
from engine.core.offers import Offer, Permitted, Slot, Suggestion
from engine.core.state import Company
from engine.play.shares import holdings
from engine.play.shares.certificate_and_holding_limits import limit_reached
from engine.play.shares.stock_turn import player_on_turn, purchase_made
from engine.play.table import Table

SourceObstacle: TypeAlias = Callable[[Company, Any], Fact | None]
"""The rule that keeps the player from buying a share of a company there."""


def purchase_price(t: Table, company: Company, source: HolderId) -> int:
    """Par from the offering (18Chesapeake 10.4), or the present price as from everywhere else (18NewEngland 10.6).

    Reissued shares have prices of their own.

    Rules: R-AL-051, R-AL-052, R-C2C-034, R-CH-046, R-NE-043, R-TN-049.
    """
    assert company.par is not None
    if source == REISSUED:
        return company.reissue_prices[0]
    at_par = source == OFFERING and t.spec.offering_price == "par"
    return company.par if at_par else t.price(company)


def sources(company: Company) -> tuple[HolderId, ...]:
    """The holders from whom shares may be on sale; some rules let one be bought out of the game."""
    places = (OFFERING, REISSUED, MARKET, company.treasury)
    return (*[place for place in places if company.shares.get(place)], REMOVED)


def purchase_places(t: Table, company: Company) -> list[HolderId]:
    """Places with shares of the company that players may buy."""
    return [place for place in sources(company) if place_obstacle(t, company, place) is None]


def place_obstacle(t: Table, company: Company, place: Any) -> Fact | None:
    """The rule that keeps players from buying shares of the company there."""
    known = place in (OFFERING, REISSUED, MARKET, company.treasury)
    if known and not company.shares.get(place):
        return fact("buying.none_there", company=company.id, source=place)
    if not known or (place == company.treasury and not t.spec.treasury_sells):
        return fact("buying.not_from_there", company=company.id, source=place)
    if place != MARKET and t.spec.several_from_market and t.stock.bought == company.id:
        return fact("stock.several_from_market", player=player_on_turn(t), company=company.id)
    return None


def purchase_offer(
    t: Table, player: PlayerId, from_source: SourceObstacle, label: Callable[[Company, HolderId], Fact]
) -> Offer | None:
    """The purchase of one share wherever it is legal; `label` describes it."""
    companies = t.state.companies
    if purchase_made(t, companies.get(t.stock.bought or "")):
        return None
    started = [company.id for company in companies.values() if company.started]
    able = Permitted(started, lambda name: share_obstacle(t, player, name, from_source))
    if not able:
        return None

    def shares(name: CompanyId) -> Permitted:
        company = companies[name]
        return Permitted(sources(company), partial(from_source, company), partial(label, company))

    return t.offer(
        "buy_share",
        player,
        fact("offer.buy_share"),
        Slot("company", lambda _: able),
        Slot("source", lambda c: shares(c["company"])),
        suggest=lambda: [
            Suggestion(fact("choice.buy_share", share=share.label), {"company": name, "source": share.value})
            for name in map(str, able.values())
            for share in shares(name).choices()
        ],
    )


def holding_obstacle(t: Table, player: PlayerId, company: Company, percent: int) -> Fact | None:
    """The rule against holding that much more of a company (18Chesapeake 10.1, 10.4).

    Rules: R-AL-053, R-AL-060, R-CH-047, R-NE-044, R-TN-050, R-TN-061, D-CH-12.
    """
    if company.id in t.stock.sold.get(player, []) and not t.spec.buys_what_was_sold:
        return fact("buying.sold_in_round", player=player, company=company.id)
    limit = holdings.holding_limit(t, company)
    if company.percent(player) + percent > limit:
        return fact("limits.holding", player=player, company=company.id, limit=limit)
    return limit_reached(t, player) if holdings.counts_for_limit(t, company) else None


def has_closed(company: Company) -> Fact:
    """A refusal: the company has closed."""
    return fact("minors.closed" if company.undivided else "buying.closed", company=company.id)


def share_obstacle(t: Table, player: PlayerId, name: Any, from_source: SourceObstacle) -> Fact | None:
    """The rule that keeps the player from buying any share of a company."""
    company = t.state.companies.get(name)
    if company is None:
        return fact("choice.no_company", company=name)
    if made := purchase_made(t, company):
        return made
    if company.closed:
        return has_closed(company)
    if company.undivided:
        return fact("buying.no_shares", company=company.id)
    if not company.started:
        rule = "not_started" if t.rules.may_start(t, company) else "not_formed"
        return fact(f"buying.{rule}", company=company.id)
    payable = any(from_source(company, source) is None for source in sources(company))
    if not (payable or purchase_places(t, company)):
        if t.stock.bought:
            return fact("stock.several_from_market", player=player, company=company.id)
        return fact("buying.none_on_sale", company=company.id)
    if (limit := holding_obstacle(t, player, company, company.share)) or payable:
        return limit
    return fact("buying.none_for_cash", player=player, company=company.id, cash=t.cash(player))


def no_share_reason(t: Table, player: PlayerId, from_source: SourceObstacle) -> Fact:
    """The reason why the player can buy no share at all."""
    bought = t.state.companies.get(t.stock.bought or "")
    if made := purchase_made(t, bought):
        return made
    started = [c for c in t.state.companies.values() if c.started and not c.undivided]
    if not started:
        by_players = any(t.rules.may_start(t, company) for company in t.state.companies.values())
        return fact("buying.none_started" if by_players else "buying.none_formed")
    asked = [bought] if bought else started
    nothing = fact("buying.no_share_for_cash", player=player, cash=t.cash(player))
    return most_telling([share_obstacle(t, player, question.id, from_source) for question in asked], nothing)


def most_telling(reasons: Iterable[Fact | None], else_: Fact) -> Fact:
    """The only reason, or the certificate limit if among several; else the general one."""
    telling = [reason for reason in reasons if reason is not None]
    if telling and all(reason == telling[0] for reason in telling):
        return telling[0]
    return next(
        (reason for reason in telling if reason.name in {"limits.at_limit", "limits.above_limit"}), else_
    )
