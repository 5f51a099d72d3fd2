"""Shares of a company in its own hands: it redeems them from the market, and issues them and its offering there."""

from engine.core.events import Issued, PriceFell, Redeemed
from engine.core.ids import BANK, MARKET, OFFERING, HolderId
from engine.core.state import Company
from engine.play.shares import holdings
from engine.play.table import Table


def redeemable(t: Table, company: Company) -> int:
    """How many shares of the market the treasury can pay."""
    lying = _held(company, MARKET)
    return min(lying, company.cash // t.price(company)) if lying else 0


def redeem(t: Table, company: Company, shares: int) -> None:
    """Buy own shares from the market at the present price, which stays."""
    amount = shares * t.price(company)
    t.pay(company.id, BANK, amount)
    holdings.give(company, MARKET, company.treasury, shares * company.share)
    t.emit(Redeemed(company.id, shares, amount, company.cash))


def issuable(t: Table, company: Company) -> dict[int, list[int]]:
    """Shares of its offering that a company may put into the market, with the numbers of redeemed ones beside them."""
    room = (t.spec.pool_limit - company.percent(MARKET)) // company.share
    offering, own = _held(company, OFFERING), _held(company, company.treasury)
    found = {n: list(range(0 if n else 1, min(own, room - n) + 1)) for n in range(min(offering, room) + 1)}
    return {n: others for n, others in found.items() if others}


def proceeds(t: Table, company: Company, offering: int, own: int) -> int:
    """Dollars for so many shares: par for those of the offering, the present price for redeemed ones."""
    assert company.par is not None
    return offering * company.par + own * t.price(company)


def issue(t: Table, company: Company, offering: int, own: int) -> None:
    """Sell shares to the market at the present price, which falls when all are sold."""
    amount = proceeds(t, company, offering, own)
    for place, shares in ((OFFERING, offering), (company.treasury, own)):
        if shares:
            holdings.give(company, place, MARKET, shares * company.share)
    t.pay(BANK, company.id, amount)
    t.emit(Issued(company.id, offering, own, amount, company.cash))


def lower(t: Table, company: Company, shares: int) -> None:
    """Move the price one to the left for each share issued."""
    assert company.cell is not None
    old = t.price(company)
    t.move_price(company, t.grid.left(company.cell, shares))
    t.emit(PriceFell(company.id, old, t.price(company)))


def _held(company: Company, place: HolderId) -> int:
    return company.shares.get(place, 0) // company.share
