"""Privates for the caretaker: their values, bids, and sales to companies."""

from collections.abc import Iterator
from typing import Final

from engine.caretaker.ideas import Idea, complete_fillings
from engine.caretaker.outlook import TREASURY_SHARE, rounds_left, rounds_until
from engine.caretaker.stock_rounds import cheapest_start
from engine.core.ids import PlayerId, PrivateId
from engine.core.offers import Cursor, IntRange, Offer
from engine.core.spec import SharePower
from engine.core.state import Auction
from engine.play.privates.auction import free_cash
from engine.play.table import Table
from engine.seat import SeatedPlayer

INCOME_ROUNDS: Final = 4
"""Operating rounds for which the income of a private is counted."""
UNPRICED_SHARE_VALUE: Final = 70
"""Value in dollars of a share of a company that has no price yet."""
MAX_CASH_PART: Final = 0.5
"""Part of a player's cash that may be bid on a private."""


def bids(seat: SeatedPlayer, offer: Offer) -> Iterator[Idea]:
    """The lowest legal bid, while the private is worth it and money for a company remains."""
    t = seat.table
    for walk in complete_fillings(offer):
        amount, private = int(walk.chosen["amount"]), walk.chosen["private"]
        if amount <= _highest_bid(seat, private) and not _is_highest_bidder(t, seat.player, private):
            yield Idea(first_value(t, private) - amount, walk)


def _highest_bid(seat: SeatedPlayer, private: PrivateId) -> float:
    """Dollars to bid at most, so that a company can be started with what no bid binds, or with a bid that brings one.

    In a stock round the privates need not be bought first: with money kept back they would wait for many rounds.
    """
    t, part = seat.table, seat.cash * MAX_CASH_PART
    if not isinstance(t.state.round, Auction):
        return part
    bids = t.auction.bids.items()
    for_companies = sum(
        placed.get(seat.player, 0) for name, placed in bids if name != private and _brings_presidency(t, name)
    )
    available = min(seat.cash, free_cash(t, seat.player, private) + for_companies)
    return min(part, available - cheapest_start(t))


def _brings_presidency(t: Table, private: PrivateId) -> bool:
    return any(isinstance(power, SharePower) and power.president for power in t.spec.privates[private].powers)


def _is_highest_bidder(t: Table, player: PlayerId, private: PrivateId) -> bool:
    bid_by_player = t.auction.bids.get(private, {})
    return player in bid_by_player and bid_by_player[player] == max(bid_by_player.values())


def first_value(t: Table, private: PrivateId) -> float:
    """Value of a private at the start, in dollars: face value, some income, and the certificate it brings.

    A card of a draft that is no private has none.
    """
    if private not in t.spec.privates:
        return 0.0
    spec = t.spec.privates[private]
    total = float(spec.value + spec.income * INCOME_ROUNDS)
    for power in spec.powers:
        linked_company = t.state.privates[private].linked
        if isinstance(power, SharePower) and linked_company is not None:
            company = t.state.companies[linked_company]
            percent = company.certificate if power.president else company.share
            total += UNPRICED_SHARE_VALUE * percent / company.share
    return total


def held_value(t: Table, player: PlayerId, private: PrivateId) -> float:
    """Lowest price in dollars at which a player would sell a private; at least its face value."""
    spec = t.spec.privates[private]
    return max(float(spec.value), spec.income * income_rounds_left(t), takeover_value(t, player, private))


def income_rounds_left(t: Table) -> float:
    """Number of times that privates will still pay before they close."""
    closing = [phase.name for phase in t.spec.phases if phase.closes_privates]
    return min([rounds_left(t), *(rounds_until(t, name) for name in closing)])


def takeover_value(t: Table, player: PlayerId, private: PrivateId) -> float:
    """Dollars that a private brings a player whose company buys it at the highest price; 0: none of theirs can."""
    spec, price_percents = t.spec.privates[private], t.rules.private_prices(t)
    if price_percents is None or not spec.sold_to_companies:
        return 0.0
    best_value, highest_price = 0.0, spec.value * price_percents[1] // 100
    for company in t.state.companies.values():
        if company.president == player and company.trains and company.cash >= highest_price:
            owned_part = company.percent(player) / 100
            best_value = max(
                best_value,
                highest_price * (1 - owned_part * TREASURY_SHARE)
                + spec.income * income_rounds_left(t) * owned_part,
            )
    return best_value


def own_private_purchases(seat: SeatedPlayer, offer: Offer) -> Iterator[Idea]:
    """Purchases of the president's own privates by the company, at the highest price it can spare."""
    t = seat.table
    if offer.entity not in t.state.companies:
        return
    for private in (choice.value for choice in offer.slots[0].domain({}).choices()):
        if t.state.privates[str(private)].owner == seat.player:
            yield from _purchases_at_top_price(seat, offer, str(private))


def _purchases_at_top_price(seat: SeatedPlayer, offer: Offer, private: str) -> Iterator[Idea]:
    t = seat.table
    company = t.state.companies[offer.entity]
    prices = offer.slots[1].domain({"private": private})
    if not isinstance(prices, IntRange) or not company.trains:
        return
    for walk in complete_fillings(offer):
        if walk.chosen["private"] == private:
            top_price_filling = Cursor(offer, {**walk.chosen, "price": prices.high})
            yield Idea(prices.high - t.spec.privates[private].value, top_price_filling)
