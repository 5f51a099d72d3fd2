"""Companies that become others: only where the player does not lose by it."""

from collections.abc import Iterator
from typing import Final

from engine.caretaker.outlook import reserve, rises, rounds_left, wealth
from engine.caretaker.seat import Idea, Seat, ways
from engine.core.offers import Offer
from engine.core.state import Company
from engine.play.shares.holdings import holding_limit
from engine.play.table import Table

RISK: Final = 5.0
"""What a dollar counts that may be missing for a train."""


def mergers(seat: Seat, offer: Offer) -> Iterator[Idea]:
    """By what the player has afterwards, and what shares of the new company will gain that they hold or can buy."""
    before = seat.table
    had = wealth(before, seat.player)
    for walk in ways(offer):
        after = seat.game.after(walk)
        new = [c for c in after.state.companies.values() if _is_new(before, c)]
        gains = sum(_gain(after, seat, company) for company in new)
        risk = max(0.0, _missing(after, seat) - _missing(before, seat)) * RISK
        yield Idea(wealth(after, seat.player) - had + gains - risk, walk)


def _missing(t: Table, seat: Seat) -> float:
    """Dollars that the player lacks for trains that their companies may soon be forced to buy."""
    return max(0.0, reserve(t, seat.player) - t.cash(seat.player))


def _is_new(before: Table, company: Company) -> bool:
    return company.started and not before.state.companies[company.id].started


def _gain(after: Table, seat: Seat, company: Company) -> float:
    held = company.percent(seat.player) // company.share
    room = holding_limit(after, company) // company.share - held
    bought = min(room, after.cash(seat.player) // max(1, after.price(company)))
    return rises(after, company) * rounds_left(after) * (held + bought)
