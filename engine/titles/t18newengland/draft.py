"""The first stock round: a draft in which minors are reserved and started (9)."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from engine.core.actions import Pass, Reserve, StartMinor
from engine.core.events import Passed, Relinquished, Reserved
from engine.core.facts import Fact, fact
from engine.core.ids import CompanyId, PlayerId
from engine.core.offers import Choices, Offer, Slot
from engine.core.state import Draft, Player
from engine.play.rounds import Round
from engine.play.shares.starting_and_floating import payable_spaces
from engine.play.steps.base import Request, Step
from engine.play.table import Table
from engine.play.turn_order import next_round
from engine.titles.t18newengland.minors import (
    minor_choice,
    minor_obstacle,
    minor_offer,
    start_minor,
)


class DraftStep(Step):
    """Reserve a minor, start a reserved one, or pass, which returns reservations."""

    name = "draft"
    kinds = frozenset({"reserve", "start_minor", "pass"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """Reservations and starts of the player on turn, if they can pay some free space (R-NE-021, R-NE-022,
        R-NE-024).
        """
        player = on_turn(t).id
        if player in draft(t).out or not payable_spaces(t, player):
            return
        moves = [_reserve_offer(t, player), minor_offer(t, player, reserved_by(t, player))]
        listed = [offer for offer in moves if offer is not None]
        if listed or t.rules.flag("asks_when_nothing_is_legal"):
            yield from listed
            label = "offer.relinquish" if reserved_by(t, player) else "offer.pass_draft_turn"
            yield t.offer("pass", player, fact(label))

    def apply(self, t: Table, action: Reserve | StartMinor | Pass) -> None:
        if isinstance(action, Pass):
            self._pass(t, action.actor)
            return
        if isinstance(action, Reserve):
            draft(t).reserved[action.company] = action.actor
            t.emit(Reserved(action.actor, action.company))
        else:
            draft(t).reserved.pop(action.company)
            start_minor(t, action)
        draft(t).passed = []
        end_turn(t)

    def skip(self, t: Table) -> None:
        """Return the reservations of a player who cannot pay any free space (R-NE-024)."""
        relinquish(t, on_turn(t).id)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        if any(offer.kind == request.kind for offer in self.offers(t)):
            return None
        if request.kind == "start_minor":
            return fact("draft.nothing_reserved", player=request.actor)
        if request.kind == "reserve":
            return fact("draft.none_left")
        return fact("draft.what_is_possible")

    def _pass(self, t: Table, player: PlayerId) -> None:
        if reserved_by(t, player):
            relinquish(t, player)
        else:
            t.emit(Passed(player))
        pass_turn(t)


class DraftRound(Round):
    """Turns back and forth from the priority deal until all have passed (R-NE-020, R-NE-025)."""

    def __init__(self) -> None:
        super().__init__((DraftStep(),))

    def hand_to(self, t: Table, player: PlayerId, kind: str) -> bool:
        """Make it the player's next turn; False if they have left the round."""
        while on_turn(t).id != player:
            draft(t).turn += 1
        return player not in draft(t).out

    def advance(self, t: Table) -> None:
        """Pass for a player who can do nothing."""
        pass_turn(t)


def draft(t: Table) -> Draft:
    """The running draft."""
    assert isinstance(t.state.round, Draft)
    return t.state.round


def on_turn(t: Table) -> Player:
    """The player on turn: 1 2 ... n n ... 2 1 1 2 ... from the priority deal (R-NE-020)."""
    seats = len(t.state.players)
    place = draft(t).turn % (2 * seats)
    ahead = place if place < seats else 2 * seats - 1 - place
    return t.state.players[(t.state.priority + ahead) % seats]


def reserved_by(t: Table, player: PlayerId) -> list[CompanyId]:
    """Minors reserved by the player and not started."""
    return [company for company, owner in draft(t).reserved.items() if owner == player]


def relinquish(t: Table, player: PlayerId) -> None:
    """Return all reservations and leave the round (R-NE-023)."""
    names = reserved_by(t, player)
    if not names:
        return
    for name in names:
        del draft(t).reserved[name]
    draft(t).out.append(player)
    t.emit(Relinquished(player, tuple(names)))


def pass_turn(t: Table) -> None:
    """Pass the turn; the round ends after passes in a row (R-NE-025)."""
    now, player = draft(t), on_turn(t).id
    if player not in now.passed:
        now.passed.append(player)
    if {*now.passed, *now.out} == {seat.id for seat in t.state.players}:
        _end_draft(t)
    else:
        end_turn(t)


def end_turn(t: Table) -> None:
    """Go to the next turn of the draft."""
    draft(t).turn += 1


def _end_draft(t: Table) -> None:
    """End the draft; priority goes to the player with most cash, ties to the first in order (R-NE-026)."""
    seats = range(len(t.state.players))
    t.state.priority = max(seats, key=lambda seat: t.state.players[seat].cash)
    next_round(t)


def _reserve_offer(t: Table, player: PlayerId) -> Offer | None:
    names = [company.id for company in t.state.companies.values() if _reserve_obstacle(t, company.id) is None]
    if not names:
        return None
    choices = [minor_choice(t, name) for name in names]
    company = Slot("company", lambda _: Choices(choices, partial(_reserve_obstacle, t)))
    return t.offer("reserve", player, fact("offer.reserve"), company)


def _reserve_obstacle(t: Table, name: Any) -> Fact | None:
    if name in draft(t).reserved:
        return fact("draft.reserved_already", company=name, player=draft(t).reserved[name])
    return minor_obstacle(t, name)
