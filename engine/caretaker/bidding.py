"""Privates at the start: what they are worth, and how much of one's money may go into them."""

from collections.abc import Iterator
from typing import Final

from engine.caretaker.seat import Idea, Seat, ways
from engine.caretaker.starting import least_start
from engine.core.ids import PrivateId
from engine.core.offers import Offer
from engine.core.spec import SharePower
from engine.core.state import Auction
from engine.play.table import Table

ROUNDS: Final = 4
"""For how many rounds the income of a private is counted."""
SHARE: Final = 70
"""What a share is worth of a company that has no price yet."""
MOST: Final = 0.5
"""How much of a player's money may go into privates."""


def bids(seat: Seat, offer: Offer) -> Iterator[Idea]:
    """The least amount, as long as the private is worth it and enough is left for a company."""
    t = seat.table
    most = seat.cash * MOST
    if isinstance(t.state.round, Auction):
        # In a stock round the privates need not be bought first: with money kept back they would wait for many rounds.
        most = min(most, max(0.0, seat.cash - least_start(t)))
    for walk in ways(offer):
        amount = int(walk.chosen["amount"])
        worth = value(t, walk.chosen["private"])
        if amount <= most:
            yield Idea(worth - amount, walk)


def value(t: Table, private: PrivateId) -> float:
    """Dollars that a private is worth: its face value, some income, and the certificate that it brings."""
    spec = t.spec.privates[private]
    whole = float(spec.value + spec.income * ROUNDS)
    for power in spec.powers:
        linked = t.state.privates[private].linked
        if isinstance(power, SharePower) and linked is not None:
            company = t.state.companies[linked]
            percent = company.certificate if power.president else company.share
            whole += SHARE * percent / company.share
    return whole
