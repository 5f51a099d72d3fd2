"""Buying single shares: what is offered, what they cost, and why one is not possible (18Chesapeake 10.1, 10.4)."""

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from engine.core.facts import Fact, fact
from engine.core.ids import MARKET, OFFERING, REISSUED, CompanyId, HolderId, PlayerId
from engine.core.offers import Filtered, Offer, Slot, Suggestion
from engine.core.state import Company
from engine.play.shares import holdings, stock_turn
from engine.play.shares.limits import why_no_room
from engine.play.table import Table

Sources: TypeAlias = Callable[[CompanyId], list[HolderId]]
"""Where shares of a company are on sale that the player may buy and can pay."""


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


def purchase_places(t: Table, company: Company) -> list[HolderId]:
    """Where there are shares of the company that players may buy."""
    own = [company.treasury] if t.spec.treasury_sells else []
    more = t.spec.several_from_market and t.stock.bought == company.id
    selling = (MARKET,) if more else (OFFERING, REISSUED, MARKET, *own)
    return [place for place in selling if company.shares.get(place)]


def purchase_offer(
    t: Table, player: PlayerId, sources: Sources, label: Callable[[Company, HolderId], Fact]
) -> Offer | None:
    """One share from one of these sources; `label` tells what buying it from there means."""
    started = tuple(company.id for company in stock_turn.still_bought(t) if company.started)
    able = Filtered(started, lambda name: bool(sources(name)))
    if not able:
        return None

    def share_label(name: CompanyId, source: HolderId) -> Fact:
        return label(t.state.companies[name], source)

    return t.offer(
        "buy_share",
        player,
        fact("offer.buy_share"),
        Slot(
            "company",
            lambda _: able,
            lambda _, c: why_no_purchase(t, player, c),
        ),
        Slot(
            "source",
            lambda c: Filtered(
                sources(c["company"]), lambda _s: True, lambda s: share_label(c["company"], s)
            ),
            lambda c, s: _why_not_from(t, player, t.state.companies[c["company"]], s),
        ),
        suggest=lambda: [
            Suggestion(
                fact("choice.buy_share", share=share_label(name, source)), {"company": name, "source": source}
            )
            for name in map(str, able.values())
            for source in sources(name)
        ],
    )


def obstacle(t: Table, player: PlayerId, company: Company, percent: int) -> Fact | None:
    """Why the player may not get so much more of a company, whatever it costs (18Chesapeake 10.1, 10.4).

    Rules: R-AL-053, R-AL-060, R-CH-047, R-NE-044, R-TN-050, R-TN-061, D-CH-12.
    """
    if company.id in t.stock.sold.get(player, []) and not t.spec.buys_what_was_sold:
        return fact("buying.sold_in_round", player=player, company=company.id)
    limit = holdings.holding_limit(t, company)
    if company.percent(player) + percent > limit:
        return fact("limits.holding", player=player, company=company.id, limit=limit)
    return why_no_room(t, player) if holdings.counts(t, company) else None


def has_closed(company: Company) -> Fact:
    """A refusal: the company has closed, as minors and companies with shares do for reasons of their own."""
    return fact("minors.closed" if company.undivided else "buying.closed", company=company.id)


def why_no_purchase(t: Table, player: PlayerId, name: Any) -> Fact:
    """Why no share of the company is to be had."""
    company = t.state.companies.get(name)
    if company is None:
        return fact("choice.no_company", company=name)
    if not stock_turn.may_buy(t, company):
        return fact("stock.purchase_made", player=player)
    if t.stock.bought and not purchase_places(t, company):
        return fact("stock.several_from_market", player=player, company=company.id)
    if company.closed:
        return has_closed(company)
    if company.undivided:
        return fact("buying.no_shares", company=company.id)
    if not company.started:
        rule = "not_started" if t.rules.may_start(t, company) else "not_formed"
        return fact(f"buying.{rule}", company=company.id)
    if not purchase_places(t, company):
        return fact("buying.none_on_sale", company=company.id)
    return obstacle(t, player, company, company.share) or fact(
        "buying.none_for_cash", player=player, company=company.id, cash=t.cash(player)
    )


def why_no_share(t: Table, player: PlayerId) -> Fact:
    """Why no share of any company is to be had."""
    if t.stock.bought in t.state.companies:
        return why_no_purchase(t, player, t.stock.bought)
    if not stock_turn.may_buy(t):
        return fact("stock.purchase_made", player=player)
    started = [c.id for c in t.state.companies.values() if c.started and not c.undivided]
    if not started:
        by_players = any(t.rules.may_start(t, company) for company in t.state.companies.values())
        return fact("buying.none_started" if by_players else "buying.none_formed")
    nothing = fact("buying.no_share_for_cash", player=player, cash=t.cash(player))
    return most_telling([why_no_purchase(t, player, name) for name in started], nothing)


def _why_not_from(t: Table, player: PlayerId, company: Company, source: Any) -> Fact:
    """Why no share is bought from there, though one is from elsewhere."""
    where = {"company": company.id, "source": source}
    if source not in (OFFERING, REISSUED, MARKET, company.treasury):
        return fact("buying.not_from_there", **where)
    if not company.shares.get(source):
        return fact("buying.none_there", **where)
    price = purchase_price(t, company, source)
    return fact("buying.share_too_dear", player=player, price=price, cash=t.cash(player), **where)


def most_telling(reasons: Iterable[Fact], else_: Fact) -> Fact:
    """The one reason there is, or the limit of certificates among several; else the general one."""
    found = list(reasons)
    if all(reason == found[0] for reason in found):
        return found[0]
    return next(
        (reason for reason in found if reason.name in {"limits.at_limit", "limits.above_limit"}), else_
    )
