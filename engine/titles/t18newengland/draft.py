"""18NewEngland's first stock round. It is a draft in which players reserve and start minors (§9)."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from engine.core.actions import Pass, Reserve, StartMinor
from engine.core.events import CompanyReserved, Passed, ReservationsReturned
from engine.core.facts import Fact, fact
from engine.core.ids import CompanyId, PlayerId
from engine.core.offers import Choices, Offer, Slot
from engine.core.state import Draft, Player
from engine.play.rounds import Round
from engine.play.shares.starting_and_floating import affordable_market_spaces
from engine.play.steps.base import Request, Step
from engine.play.table import Table
from engine.play.turn_order import start_next_round
from engine.titles.t18newengland.minors import (
    minor_choice,
    minor_obstacle,
    minor_offer,
    start_minor,
)


class DraftStep(Step):
    """Draft turn: reserve a minor, start a reserved minor, or pass. A player who passes returns all reserved minors."""

    name = "draft"
    kinds = frozenset({"reserve", "start_minor", "pass"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """Offers to reserve or start a minor.

        The player must be able to pay for a market space (R-NE-021, R-NE-022, R-NE-024).
        """
        player = drafting_player(t).id
        if player in current_draft(t).out or not affordable_market_spaces(t, player):
            return
        offers = [_reserve_offer(t, player), minor_offer(t, player, minors_reserved_by(t, player))]
        possible_offers = [offer for offer in offers if offer is not None]
        if possible_offers or t.rules.has_flag("asks_when_nothing_is_legal"):
            yield from possible_offers
            label = "offer.relinquish" if minors_reserved_by(t, player) else "offer.pass_draft_turn"
            yield t.offer("pass", player, fact(label))

    def apply(self, t: Table, action: Reserve | StartMinor | Pass) -> None:
        if isinstance(action, Pass):
            self._apply_pass(t, action.actor)
            return
        if isinstance(action, Reserve):
            current_draft(t).reserved[action.company] = action.actor
            t.emit(CompanyReserved(action.actor, action.company))
        else:
            current_draft(t).reserved.pop(action.company)
            start_minor(t, action)
        current_draft(t).passed = []
        go_to_next_draft_turn(t)

    def skip(self, t: Table) -> None:
        """Return the reserved minors of a player who cannot pay for any free market space (R-NE-024)."""
        relinquish_reservations(t, drafting_player(t).id)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        if any(offer.kind == request.kind for offer in self.offers(t)):
            return None
        if request.kind == "start_minor":
            return fact("draft.nothing_reserved", player=request.actor)
        if request.kind == "reserve":
            return fact("draft.none_left")
        return fact("draft.what_is_possible")

    def _apply_pass(self, t: Table, player: PlayerId) -> None:
        if minors_reserved_by(t, player):
            relinquish_reservations(t, player)
        else:
            t.emit(Passed(player))
        pass_draft_turn(t)


class DraftRound(Round):
    """The draft. Turns start at the priority deal and go back and forth until all players pass (R-NE-020, R-NE-025)."""

    def __init__(self) -> None:
        super().__init__((DraftStep(),))

    def give_turn_to(self, t: Table, player: PlayerId, kind: str) -> bool:
        """Skip all turns before the player's next one. Returns False if the player has left the draft."""
        while drafting_player(t).id != player:
            current_draft(t).turn += 1
        return player not in current_draft(t).out

    def advance(self, t: Table) -> None:
        """Pass for a player who cannot act."""
        pass_draft_turn(t)


def current_draft(t: Table) -> Draft:
    """The state of the draft round."""
    assert isinstance(t.state.round, Draft)
    return t.state.round


def drafting_player(t: Table) -> Player:
    """The player whose turn it is. From the priority deal, three players act in the order 1 2 3 3 2 1 (R-NE-020)."""
    seat_count = len(t.state.players)
    turn_in_cycle = current_draft(t).turn % (2 * seat_count)
    seats_ahead = turn_in_cycle if turn_in_cycle < seat_count else 2 * seat_count - 1 - turn_in_cycle
    return t.state.players[(t.state.priority + seats_ahead) % seat_count]


def minors_reserved_by(t: Table, player: PlayerId) -> list[CompanyId]:
    """Minors that the player has reserved but not yet started."""
    return [company for company, owner in current_draft(t).reserved.items() if owner == player]


def relinquish_reservations(t: Table, player: PlayerId) -> None:
    """Return all minors that the player has reserved. The player then leaves the draft (R-NE-023)."""
    minor_ids = minors_reserved_by(t, player)
    if not minor_ids:
        return
    for name in minor_ids:
        del current_draft(t).reserved[name]
    current_draft(t).out.append(player)
    t.emit(ReservationsReturned(player, tuple(minor_ids)))


def pass_draft_turn(t: Table) -> None:
    """Pass for the current player. When all players have passed one after the other, the draft ends (R-NE-025)."""
    current_round, player = current_draft(t), drafting_player(t).id
    if player not in current_round.passed:
        current_round.passed.append(player)
    if {*current_round.passed, *current_round.out} == {seat.id for seat in t.state.players}:
        _end_draft(t)
    else:
        go_to_next_draft_turn(t)


def go_to_next_draft_turn(t: Table) -> None:
    current_draft(t).turn += 1


def _end_draft(t: Table) -> None:
    """End the draft. The player with the most cash gets the priority deal; in a tie, the lowest seat (R-NE-026)."""
    seat_indexes = range(len(t.state.players))
    t.state.priority = max(seat_indexes, key=lambda seat: t.state.players[seat].cash)
    start_next_round(t)


def _reserve_offer(t: Table, player: PlayerId) -> Offer | None:
    minor_ids = [
        company.id for company in t.state.companies.values() if _reserve_obstacle(t, company.id) is None
    ]
    if not minor_ids:
        return None
    choices = [minor_choice(t, name) for name in minor_ids]
    company_slot = Slot("company", lambda _: Choices(choices, partial(_reserve_obstacle, t)))
    return t.offer("reserve", player, fact("offer.reserve"), company_slot)


def _reserve_obstacle(t: Table, name: Any) -> Fact | None:
    if name in current_draft(t).reserved:
        return fact("draft.reserved_already", company=name, player=current_draft(t).reserved[name])
    return minor_obstacle(t, name)
