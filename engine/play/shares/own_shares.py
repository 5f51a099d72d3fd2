"""A company's own shares: redeeming, issuing and reissuing."""

from engine.core.events import Issued, PriceFell, Redeemed, Reissued
from engine.core.ids import BANK, MARKET, OFFERING, REISSUED, HolderId
from engine.core.state import Company
from engine.play.shares import holdings, selling
from engine.play.table import Table


def redeem(t: Table, company: Company, shares: int, source: HolderId = MARKET) -> None:
    """Buy own shares from the market, or from a player, at the present price, which stays."""
    amount = shares * t.price(company)
    t.pay(company.id, BANK if source == MARKET else source, amount)
    holdings.give_shares(company, source, company.treasury, shares * company.share)
    t.emit(Redeemed(company.id, shares, amount, company.cash, source))
    selling.settle_president(t, company)


def outstanding(t: Table, company: Company) -> int:
    """Percent that players and market have."""
    return sum(company.percent(holder) for holder in (*(player.id for player in t.state.players), MARKET))


def reissue_price(t: Table, company: Company) -> int:
    """The price at which redeemed shares would be put back on sale now.

    Rules: R-C2C-081.
    """
    assert t.spec.own_shares is not None
    assert company.par is not None
    price = t.price(company)
    return max(price, company.par) if t.spec.own_shares.reissued_at == "par_at_least" else price


def reissue(t: Table, company: Company) -> None:
    """Put all redeemed shares back on sale at the current reissue price."""
    count, price = _percent_held(company, company.treasury), reissue_price(t, company)
    holdings.give_shares(company, company.treasury, REISSUED, count * company.share)
    company.reissue_prices = sorted(company.reissue_prices + [price] * count)
    t.emit(Reissued(company.id, count, price))


def issuable(t: Table, company: Company) -> dict[int, list[int]]:
    """Numbers of offering shares that a company may issue, each with the number of redeemed ones."""
    room = (t.spec.pool_limit - company.percent(MARKET)) // company.share
    offering, own = _percent_held(company, OFFERING), _percent_held(company, company.treasury)
    amounts = {n: list(range(0 if n else 1, min(own, room - n) + 1)) for n in range(min(offering, room) + 1)}
    return {n: others for n, others in amounts.items() if others}


def proceeds(t: Table, company: Company, offering: int, own: int) -> int:
    """Dollars for N issued shares: par for the offering's, the present price for redeemed ones.

    Rules: R-NE-081.
    """
    assert company.par is not None
    return offering * company.par + own * t.price(company)


def issue(t: Table, company: Company, offering: int, own: int) -> None:
    """Issue shares to the market at the present price; the price falls afterwards.

    Rules: R-NE-082.
    """
    amount = proceeds(t, company, offering, own)
    for place, shares in ((OFFERING, offering), (company.treasury, own)):
        if shares:
            holdings.give_shares(company, place, MARKET, shares * company.share)
    t.pay(BANK, company.id, amount)
    t.emit(Issued(company.id, offering, own, amount, company.cash))


def lower_price(t: Table, company: Company, shares: int) -> None:
    """Move the price one to the left for each share issued.

    Rules: R-NE-081.
    """
    assert company.cell is not None
    old = t.price(company)
    t.move_price(company, t.grid.left(company.cell, shares))
    t.emit(PriceFell(company.id, old, t.price(company)))


def _percent_held(company: Company, holder: HolderId) -> int:
    return company.shares.get(holder, 0) // company.share
