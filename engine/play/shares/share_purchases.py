"""Purchases of shares: from whom, at which price, and which rules forbid them (18Chesapeake 10.1, 10.4)."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, TypeAlias

from engine.core.facts import Fact, fact
from engine.core.ids import MARKET, OFFERING, REISSUED, REMOVED, CompanyId, HolderId, PlayerId
from engine.core.offers import FilteredChoices, Offer, Slot, Suggestion
from engine.core.state import Company
from engine.play.shares import holdings
from engine.play.shares.certificate_and_holding_limits import certificate_limit_obstacle
from engine.play.shares.stock_turn import (
    current_stock_player,
    may_buy_shares_after_private,
    purchase_made_obstacle,
)
from engine.play.table import Table

SourceObstacleFunction: TypeAlias = Callable[[Company, Any], Fact | None]
"""Function that finds the obstacle to buying a share of a company from a source; None if it is legal."""


def share_price_from_source(t: Table, company: Company, source: HolderId) -> int:
    """Price of a share in dollars: par price from the offering, else the current price (18Chesapeake 10.4, 18NewEngland
    10.6).

    Each reissued share has its own price.

    Rules: R-AL-051, R-AL-052, R-C2C-034, R-CH-046, R-NE-043, R-TN-049.
    """
    assert company.par is not None
    if source == REISSUED:
        return company.reissue_prices[0]
    sells_at_par = source == OFFERING and t.spec.offering_price == "par"
    return company.par if sells_at_par else t.price(company)


def possible_share_sources(company: Company) -> tuple[HolderId, ...]:
    """Holders that may sell shares of the company, such as the IPO.

    REMOVED is always among them: some titles use it as the source when a player takes a share out of the game.
    """
    holders = (OFFERING, REISSUED, MARKET, company.treasury)
    return (*[holder for holder in holders if _holder_sells(company, holder)], REMOVED)


def _holder_sells(company: Company, source: HolderId) -> bool:
    return bool(company.shares.get(source)) or (source == MARKET and company.is_in_receivership)


def purchase_sources(t: Table, company: Company) -> list[HolderId]:
    """Holders from which players can buy shares of the company now, such as the IPO."""
    return [
        source
        for source in possible_share_sources(company)
        if share_source_obstacle(t, company, source) is None
    ]


def share_source_obstacle(t: Table, company: Company, source: Any) -> Fact | None:
    """The rule that forbids buying shares of the company from this holder; None if players can."""
    is_possible_source = source in (OFFERING, REISSUED, MARKET, company.treasury)
    if is_possible_source and not _holder_sells(company, source):
        return fact("buying.none_there", company=company.id, source=source)
    if not is_possible_source or (source == company.treasury and not t.spec.treasury_sells):
        return fact("buying.not_from_there", company=company.id, source=source)
    may_be_second_purchase = source != MARKET and t.spec.further_buys_from_market
    if may_be_second_purchase and (t.stock_round.bought == company.id or may_buy_shares_after_private(t)):
        return fact("stock.several_from_market", player=current_stock_player(t), company=company.id)
    return None


def purchase_offer(
    t: Table,
    player: PlayerId,
    source_obstacle: SourceObstacleFunction,
    label_of: Callable[[Company, HolderId], Fact],
) -> Offer | None:
    """The legal action of buying one share; None if no purchase is legal. `label_of` makes a share's menu label."""
    companies = t.state.companies
    if purchase_made_obstacle(
        t, companies.get(t.stock_round.bought or "")
    ) and not may_buy_shares_after_private(t):
        return None
    started_ids = [company.id for company in companies.values() if company.is_started]
    company_choices = FilteredChoices(
        started_ids, lambda name: share_obstacle(t, player, name, source_obstacle)
    )
    if not company_choices:
        return None

    def share_choices(name: CompanyId) -> FilteredChoices:
        company = companies[name]
        return FilteredChoices(
            possible_share_sources(company), partial(source_obstacle, company), partial(label_of, company)
        )

    return t.offer(
        "buy_share",
        player,
        fact("offer.buy_share"),
        Slot("company", lambda _: company_choices),
        Slot("source", lambda c: share_choices(c["company"])),
        suggest=lambda: [
            Suggestion(fact("choice.buy_share", share=share.label), {"company": name, "source": share.value})
            for name in map(str, company_choices.values())
            for share in share_choices(name).choices()
        ],
    )


def holding_obstacle(t: Table, player: PlayerId, company: Company, percent: int) -> Fact | None:
    """The rule that forbids a player to get `percent` more of a company; None if they can (18Chesapeake 10.1, 10.4).

    Rules: R-AL-053, R-AL-060, R-CH-047, R-NE-044, R-TN-050, R-TN-061, D-CH-12.
    """
    if company.id in t.stock_round.sold.get(player, []) and not t.spec.buys_what_was_sold:
        return fact("buying.sold_in_round", player=player, company=company.id)
    limit = holdings.holding_limit(t, company)
    if company.percent(player) + percent > limit:
        return fact("limits.holding", player=player, company=company.id, limit=limit)
    return certificate_limit_obstacle(t, player) if holdings.counts_for_limit(t, company) else None


def closed_company_refusal(company: Company) -> Fact:
    """The error message for buying or selling shares of a company that has closed."""
    return fact("minors.closed" if company.is_undivided else "buying.closed", company=company.id)


def share_obstacle(
    t: Table, player: PlayerId, name: Any, source_obstacle: SourceObstacleFunction
) -> Fact | None:
    """The rule that forbids the player to buy any share of a company; None if they can buy one."""
    company = t.state.companies.get(name)
    if company is None:
        return fact("choice.no_company", company=name)
    if purchase_obstacle := purchase_made_obstacle(t, company):
        return purchase_obstacle
    if company.closed:
        return closed_company_refusal(company)
    if company.is_undivided:
        return fact("buying.no_shares", company=company.id)
    if not company.is_started:
        fact_key = "not_started" if t.rules.may_start(t, company) else "not_formed"
        return fact(f"buying.{fact_key}", company=company.id)
    can_buy = any(source_obstacle(company, source) is None for source in possible_share_sources(company))
    if not (can_buy or purchase_sources(t, company)):
        if t.stock_round.bought:
            return fact("stock.several_from_market", player=player, company=company.id)
        return fact("buying.none_on_sale", company=company.id)
    if (limit_obstacle := holding_obstacle(t, player, company, company.share)) or can_buy:
        return limit_obstacle
    return fact("buying.none_for_cash", player=player, company=company.id, cash=t.cash(player))


def no_share_reason(t: Table, player: PlayerId, source_obstacle: SourceObstacleFunction) -> Fact:
    """The reason why the player cannot buy any share, as an error message."""
    bought_company = t.state.companies.get(t.stock_round.bought or "")
    if refusal := purchase_made_obstacle(t, bought_company):
        return refusal
    started_companies = [c for c in t.state.companies.values() if c.is_started and not c.is_undivided]
    if not started_companies:
        may_be_started = any(t.rules.may_start(t, company) for company in t.state.companies.values())
        return fact("buying.none_started" if may_be_started else "buying.none_formed")
    companies = [bought_company] if bought_company else started_companies
    no_cash_refusal = fact("buying.no_share_for_cash", player=player, cash=t.cash(player))
    return most_specific_reason(
        [share_obstacle(t, player, company.id, source_obstacle) for company in companies], no_cash_refusal
    )


def most_specific_reason(reasons: Iterable[Fact | None], general_reason: Fact) -> Fact:
    """The one reason to show for several refusals.

    The common reason if all are the same; else the certificate limit if it is among them; else `general_reason`.
    """
    known_reasons = [reason for reason in reasons if reason is not None]
    if known_reasons and all(reason == known_reasons[0] for reason in known_reasons):
        return known_reasons[0]
    return next(
        (reason for reason in known_reasons if reason.name in {"limits.at_limit", "limits.above_limit"}),
        general_reason,
    )
