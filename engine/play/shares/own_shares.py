"""A company's own shares: redeeming, issuing and reissuing."""

from collections.abc import Callable
from typing import Any

from engine.core.events import PriceFell, SharesIssued, SharesRedeemed, SharesReissued
from engine.core.facts import Fact, fact
from engine.core.ids import BANK, MARKET, OFFERING, REISSUED, HolderId
from engine.core.offers import FilteredChoices, Offer, Slot, Suggestion
from engine.core.state import Company
from engine.play.shares import holdings, selling
from engine.play.table import Table


def redemption_offer(t: Table, price: int, obstacle: Callable[[Any], Fact | None]) -> Offer | None:
    """The legal action of redeeming the operating company's shares from the market, each at `price` dollars.

    None if no number of shares is legal.
    """
    legal_counts = FilteredChoices(
        range(1, _shares_held(t.company, MARKET) + 1),
        obstacle,
        lambda count: fact("choice.shares_for", count=count, amount=count * price),
    )
    if not legal_counts:
        return None
    return t.offer(
        "redeem",
        t.company.id,
        fact("offer.redeem"),
        Slot("shares", lambda _: legal_counts),
        suggest=lambda: [
            Suggestion(fact("choice.redeem", shares=choice.label), {"shares": choice.value})
            for choice in legal_counts.choices()
        ],
        blocking=False,
    )


def redeem_shares(
    t: Table, company: Company, share_count: int, source: HolderId = MARKET, *, price: int | None = None
) -> None:
    """Buy back a company's shares from the market or a player.

    Each share costs `price`, or the current price if none is given. The share price does not move.
    """
    amount = share_count * (t.price(company) if price is None else price)
    t.pay(company.id, BANK if source == MARKET else source, amount)
    holdings.give_shares(company, source, company.treasury, share_count * company.share)
    t.emit(SharesRedeemed(company.id, share_count, amount, company.cash, source))
    selling.update_president(t, company)


def outstanding_percent(t: Table, company: Company) -> int:
    """Percent of the company that players and the market hold together."""
    return sum(company.percent(holder) for holder in (*(player.id for player in t.state.players), MARKET))


def reissue_price(t: Table, company: Company) -> int:
    """Price per share in dollars at which a company's redeemed shares would be reissued now.

    Rules: R-C2C-081.
    """
    assert t.spec.own_shares is not None
    assert company.par is not None
    price = t.price(company)
    return max(price, company.par) if t.spec.own_shares.reissue_price == "par_at_least" else price


def reissue_shares(t: Table, company: Company) -> None:
    """Put all of a company's redeemed shares back on sale at the current reissue price."""
    count, price = _shares_held(company, company.treasury), reissue_price(t, company)
    holdings.give_shares(company, company.treasury, REISSUED, count * company.share)
    company.reissue_prices = sorted(company.reissue_prices + [price] * count)
    t.emit(SharesReissued(company.id, count, price))


def issuable_shares(t: Table, company: Company) -> dict[int, list[int]]:
    """The numbers of shares that a company can issue.

    For each number of shares from the offering, the numbers of redeemed shares that can go with it.
    """
    shares_market_can_take = (t.spec.pool_limit - company.percent(MARKET)) // company.share
    offering_count, treasury_count = _shares_held(company, OFFERING), _shares_held(company, company.treasury)
    legal_counts = {
        n: list(range(0 if n else 1, min(treasury_count, shares_market_can_take - n) + 1))
        for n in range(min(offering_count, shares_market_can_take) + 1)
    }
    return {n: redeemed_counts for n, redeemed_counts in legal_counts.items() if redeemed_counts}


def issue_proceeds(t: Table, company: Company, offering_count: int, treasury_count: int) -> int:
    """Dollars for issued shares: par price for shares from the offering, current price for redeemed shares.

    Rules: R-NE-081.
    """
    assert company.par is not None
    return offering_count * company.par + treasury_count * t.price(company)


def issue_shares(t: Table, company: Company, offering_count: int, treasury_count: int) -> None:
    """Issue shares to the market; `lower_price` moves the share price later.

    Rules: R-NE-082.
    """
    amount = issue_proceeds(t, company, offering_count, treasury_count)
    for holder, shares in ((OFFERING, offering_count), (company.treasury, treasury_count)):
        if shares:
            holdings.give_shares(company, holder, MARKET, shares * company.share)
    t.pay(BANK, company.id, amount)
    t.emit(SharesIssued(company.id, offering_count, treasury_count, amount, company.cash))


def lower_price(t: Table, company: Company, share_count: int) -> None:
    """Move the share price one cell to the left for each share issued.

    Rules: R-NE-081.
    """
    assert company.cell is not None
    old_price = t.price(company)
    t.move_price(company, t.grid.left(company.cell, share_count))
    t.emit(PriceFell(company.id, old_price, t.price(company)))


def _shares_held(company: Company, holder: HolderId) -> int:
    return company.shares.get(holder, 0) // company.share
