"""Moves judged by what one has afterwards: mergers, answers to other players, and whatever is tried."""

from collections.abc import Iterator
from typing import Final

from engine.caretaker.ideas import Idea, ways
from engine.caretaker.outlook import keeps_running, reserve, rises, rounds_left, shortage, wealth
from engine.caretaker.privates import held
from engine.core.ids import PlayerId
from engine.core.offers import Offer
from engine.core.state import Company
from engine.play.shares.holdings import holding_limit
from engine.play.table import Table
from engine.seat import Seat

PLAINLY: Final = 30.0
"""By how many dollars one must be better off to agree."""
RISK: Final = 5.0
"""What a dollar counts that may be missing for a train."""


def answers(seat: Seat, offer: Offer) -> Iterator[Idea]:
    """To refuse, unless one would be plainly better off."""
    for walk in ways(offer):
        if walk.chosen["reply"] == "agree":
            yield Idea(gained(seat, seat.game.after(walk)) - PLAINLY, walk)
        elif walk.chosen["reply"] == "refuse":
            yield Idea(0.0, walk)


def gained(seat: Seat, after: Table) -> float:
    """Dollars that a deal brings the player, with runs and privates that they lose by it."""
    before = seat.table
    gain = wealth(after, seat.player) - wealth(before, seat.player) - _runs_lost(before, after, seat)
    risk = max(0.0, _missing(after, seat) - _missing(before, seat)) * RISK
    return gain - risk + _private_worths(after, seat.player) - _private_worths(before, seat.player)


def tried(seat: Seat, offer: Offer) -> Iterator[Idea]:
    """Any way after which the player has more than before."""
    before = wealth(seat.table, seat.player)
    for walk in ways(offer):
        after = seat.game.after(walk)
        more = wealth(after, seat.player) - before
        if more > 0 and _missing(after, seat) <= _missing(seat.table, seat):
            yield Idea(more, walk)


def issues(seat: Seat, offer: Offer) -> Iterator[Idea]:
    """The fewest shares that pay for a train which the company lacks money for; none where it lacks nothing."""
    t = seat.table
    lacking = shortage(t, t.company)
    for walk in ways(offer) if lacking else ():
        raised = seat.game.after(walk).company.cash - t.company.cash
        yield Idea(min(raised, lacking) - abs(raised - lacking) / 10, walk)


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


def _private_worths(t: Table, player: PlayerId) -> float:
    """What the player's privates are worth above their face values, which count as wealth."""
    mine = [p.id for p in t.state.privates.values() if p.owner == player]
    return sum(held(t, player, private) - t.spec.privates[private].value for private in mine)


def _runs_lost(before: Table, after: Table, seat: Seat) -> float:
    """Dollars of dividends that the player loses with trains that their companies give up."""
    lost = 0.0
    for company in before.state.companies.values():
        had, left = company.running, len(after.state.companies[company.id].running)
        if company.last_run is not None and left < len(had):
            rounds = max(keeps_running(before, train) for train in had)
            part = company.percent(seat.player) / 100 * (len(had) - left) / len(had)
            lost += company.last_run.revenue * part * rounds
    return lost


def _missing(t: Table, seat: Seat) -> float:
    """Dollars that the player lacks for trains that their companies may soon be forced to buy."""
    return max(0.0, reserve(t, seat.player) - t.cash(seat.player))


def _is_new(before: Table, company: Company) -> bool:
    return company.started and not before.state.companies[company.id].started


def _gain(after: Table, seat: Seat, company: Company) -> float:
    held = company.percent(seat.player) / company.share
    room = holding_limit(after, company) / company.share - held
    bought = min(room, after.cash(seat.player) // after.price(company))
    return rises(after, company) * rounds_left(after) * (held + bought)
