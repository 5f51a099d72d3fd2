"""Seats of absent players, played by the group (the other players together) or by a caretaker (computer player)."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from bot.table.errors import NotPermitted, Refused
from bot.table.live import LiveGame
from bot.table.markdown import MARKDOWN, strong
from bot.table.moves.moves import KINDS_WITHOUT_BUTTON
from bot.table.orders.sealed_auction import (
    BIDS_ARE_OPEN_LINE,
    is_sealing,
    players_who_must_act,
    seal_pings_after_seat_change,
)
from bot.table.outbox import notices
from bot.table.outbox.notices import note_notices
from bot.table.tables import MoveBuilder, Tables
from bot.table.votes.proposal_kinds import Electorate, ProposalSubject, more_than_half
from bot.table.votes.seat_proposals import require_absent
from engine import PlayerId, Request, preview, read_action
from storage import CARETAKER_USER, Database, OutboxMessage, SeatEntry, StoredProposal, seats

AbsentSeatPlayer = Literal["group", "caretaker"]
"""The player of an absent player's seat: the group (the other players together), or a caretaker (computer player)."""


@dataclass(frozen=True, slots=True)
class AbsenceProposal(ProposalSubject):
    """A proposal that the other players together, or a computer player, play an absent player's seat.

    This ends when the holder is back or when somebody takes over the seat.
    """

    kind: ClassVar[str] = "absence"

    player: PlayerId
    holder: int
    name: str
    how: AbsentSeatPlayer = "group"

    def describe(self) -> str:
        """The proposal in words: who would play the seat, and whose seat it is."""
        seat_player_text, manner_text = (
            ("the group", " by agreement") if self.how == "group" else ("a caretaker (computer)", "")
        )
        return f"{seat_player_text} plays the seat of {strong(self.name)}{manner_text} until somebody takes it over"

    def electorate(self, live: LiveGame, by_user: int) -> Electorate:
        """The voters: more than half of the other players must agree. The absent holder may refuse.

        If there are fewer than two other players, the agreement of a moderator is also needed.
        """
        other_users = live.other_users(self.player)
        users_who_may_refuse = () if self.holder == CARETAKER_USER else (self.holder,)
        # A single other player cannot decide alone, so a moderator must agree.
        return Electorate(
            (),
            other_users,
            more_than_half(other_users),
            users_who_may_refuse,
            needs_moderator=len(other_users) < 2,
            proposer=by_user,
        )

    def expiry_reason(self, live: LiveGame) -> str | None:
        """The reason why the proposal is void; None if it is valid.

        It is void if the seat has a new holder, or is already played as proposed.
        """
        if live.holder_of(self.player) != self.holder:
            return "The seat has a new player, so this proposal is void."
        return absence_obstacle(live, self.player, self.how)

    def absent_user(self) -> int | None:
        return self.holder

    async def require_allowed(self, tables: Tables, live: LiveGame, by_user: int) -> None:
        """Raise Refused unless the holder has been absent long enough, or a moderator must agree."""
        if not self.electorate(live, by_user).needs_moderator:
            await require_absent(tables, live, self.player)

    async def carry_out(self, tables: Tables, live: LiveGame, proposal: StoredProposal) -> None:
        """Record who plays the seat. If the other players now play it and it is the seat's turn, they are pinged."""
        text = await _new_player_line(tables, live, self, f"(proposal {proposal.number})")
        turn_notices = await _open_bidding_notices(tables, live)
        if self.how == "group":
            turn_notices += _turn_ping_notices(live, self.player)
        pending_notices = note_notices(text, *turn_notices, is_new_post=True)
        await seats.record_seat_change(
            tables.db,
            live.id,
            _seat_entry(live, self, tables.clock()),
            proposal=proposal,
            notices=pending_notices,
        )


def _seat_entry(live: LiveGame, subject: AbsenceProposal, now: str) -> SeatEntry:
    return SeatEntry(subject.player, subject.how, subject.holder, subject.name, live.seq, None, now)


async def _new_player_line(tables: Tables, live: LiveGame, subject: AbsenceProposal, reason: str) -> str:
    text = _takeover_text(live, subject, reason)
    return f"{text}\n{BIDS_ARE_OPEN_LINE}" if await is_sealing(tables.db, live) else text


async def _open_bidding_notices(tables: Tables, live: LiveGame) -> list[OutboxMessage]:
    """If players sealed bids until now, the notice that only the player whose turn it is must bid; else empty."""
    if not await is_sealing(tables.db, live):
        return []
    players_to_act = await players_who_must_act(tables.db, live)
    return [notices.turn_change_between(players_to_act, live.game.actors(), None).notice()]


def _takeover_text(live: LiveGame, subject: AbsenceProposal, reason: str) -> str:
    name, first_seq = strong(subject.name), live.seq + 1
    return_text = "" if subject.holder == CARETAKER_USER else f"{name} takes the seat back by making a move; "
    ending_hint = f"{return_text}`/game replace` gives the seat to another member."
    if subject.how == "caretaker":
        return f"From move {first_seq} on a caretaker (computer) plays the seat of {name} {reason}. {ending_hint}"
    return (
        f"From move {first_seq} on the group plays the seat of {name} {reason}: one player proposes a move with "
        "`/game propose`, "
        f"another agrees. {ending_hint}"
    )


def absence_obstacle(live: LiveGame, player: PlayerId, seat_player: AbsentSeatPlayer) -> str | None:
    """The reason why a seat cannot be played in the proposed way; None if it can.

    `seat_player` is `group` (by the other players together) or `caretaker` (by a computer player).
    """
    if player in (live.group_players if seat_player == "group" else live.caretaker_players):
        return (
            "The group already plays that seat."
            if seat_player == "group"
            else "A caretaker already plays that seat."
        )
    if seat_player == "caretaker" and not live.other_users(player):
        return "At least one seat must be played by a person."
    return None


async def let_caretaker_play(tables: Tables, game_id: int, user_id: int, player: PlayerId) -> str:
    """Let a caretaker (computer player) play a seat, as a moderator; returns the public line. Raises Refused."""
    async with tables.reading(game_id) as live:
        live.require_running()
        obstacle = absence_obstacle(live, player, "caretaker")
        if obstacle is not None:
            raise Refused(obstacle)
        subject = AbsenceProposal(player, live.holder_of(player), live.name_of(player), "caretaker")
        text = await _new_player_line(tables, live, subject, f"(decided by <@{user_id}> as a moderator)")
        pending_notices = note_notices(text, *await _open_bidding_notices(tables, live), is_new_post=True)
        await seats.record_seat_change(
            tables.db, game_id, _seat_entry(live, subject, tables.clock()), notices=pending_notices
        )
    tables.reload_and_post(game_id)
    return text


@dataclass(frozen=True, slots=True)
class MoveProposal(ProposalSubject):
    """A proposed move for a seat that the other players play together.

    It is valid only in the position after log row `seq`.
    """

    kind: ClassVar[str] = "move"
    changes_position: ClassVar[bool] = True

    player: PlayerId
    holder: int
    name: str
    seq: int
    action: str
    """The action as JSON."""
    deed: str

    def describe(self) -> str:
        """The proposal in words: the player and the move."""
        return f"for {strong(self.name)}: {self.deed}"

    def electorate(self, live: LiveGame, by_user: int) -> Electorate:
        """The voters: one of the other users, except the proposer, must agree; without other users, a moderator."""
        other_users = tuple(user for user in live.other_users(self.player) if user != by_user)
        is_alone = not other_users
        return Electorate((), other_users, 0 if is_alone else 1, needs_moderator=is_alone, proposer=by_user)

    def expiry_reason(self, live: LiveGame) -> str | None:
        """The reason why the proposal is void; None if it is valid.

        It is void if a move was made, or if the other players no longer play the seat.
        """
        if self.player not in live.group_players:
            return f"The group no longer plays the seat of {self.name}."
        return "The game has moved on since then." if self.is_outdated(live.seq) else None

    def is_outdated(self, seq: int) -> bool:
        return seq != self.seq

    async def carry_out(self, tables: Tables, live: LiveGame, proposal: StoredProposal) -> None:
        """Make the proposed move; its lines name the proposer."""
        request = Request.of_action(read_action(self.action))
        proposer, number = proposal.by_user, proposal.number
        attribution = (
            f"-# For {self.name}: proposed by <@{proposer}>, agreed by the group (proposal {number})."
        )
        await tables.make_move(
            live, self.player, proposer, lambda game, _: game.cursor_for(request), (attribution,), proposal
        )


def propose_absence(
    live: LiveGame, by_user: int, player: PlayerId, seat_player: AbsentSeatPlayer = "group"
) -> AbsenceProposal:
    """The proposal that the group (other players together) or a caretaker (computer) plays a seat; raises Refused."""
    name = live.name_of(player)
    if seat_player == "group" and player in live.group_players:
        raise Refused(f"The group already plays the seat of {name}. `/game propose` proposes a move.")
    obstacle = absence_obstacle(live, player, seat_player)
    if obstacle is not None:
        raise Refused(obstacle)
    if player in live.substitutes:
        raise Refused(f"<@{live.user_of(player)}> plays for {name} now.")
    if by_user not in live.other_users(player):
        raise Refused("Only another player of this game can propose this.")
    return AbsenceProposal(player, live.holder_of(player), name, seat_player)


def absent_seats(live: LiveGame, user_id: int) -> list[PlayerId]:
    """Seats for which this user may propose moves: the other players, with this user, play them together."""
    if user_id not in [seat.user_id for seat in live.seats]:
        return []
    return [player for player in sorted(live.group_players) if live.holder_of(player) != user_id]


def seat_to_propose_for(live: LiveGame, user_id: int) -> PlayerId:
    """The seat for which this user may propose a move.

    Of several such seats, this is the first one whose turn it is or, if there is none, the first one. Raises
    NotPermitted for a user without a seat, and Refused if the group (the other players together) plays no other seat.
    """
    if user_id not in [seat.user_id for seat in live.seats]:
        raise NotPermitted("Only the other players can propose moves for a seat that the group plays.")
    proposable_seats = absent_seats(live, user_id)
    if not proposable_seats:
        raise Refused("The group plays no seat in this game. `/game agreement` changes that.")
    return next((player for player in proposable_seats if player in live.game.actors()), proposable_seats[0])


def propose_move(live: LiveGame, player: PlayerId, build_move: MoveBuilder) -> MoveProposal:
    """The proposal of a move for a seat that the other players play together; raises Refused, IllegalAction."""
    name = live.name_of(player)
    if player not in live.group_players:
        raise Refused(f"The group does not play the seat of {name}.")
    cursor = build_move(live.game, player)
    if cursor.offer.actor != player or cursor.offer.kind in KINDS_WITHOUT_BUTTON:
        raise Refused(f"This is not a move of {name}.")
    move_preview = preview(live.game, cursor, MARKDOWN)
    action = cursor.action().model_dump_json()
    return MoveProposal(player, live.holder_of(player), name, live.seq, action, move_preview.full_text)


async def holder_return(
    db: Database, live: LiveGame, player: PlayerId, now: str
) -> tuple[SeatEntry, list[OutboxMessage]]:
    """The seat change and the notices with which a holder starts to play their seat again."""
    holder, name = live.holder_of(player), live.name_of(player)
    text = f"{strong(name)} is back from move {live.seq + 1} on."
    seat_entry = SeatEntry(player, "holder", holder, name, live.seq, None, now)
    seal_pings = await seal_pings_after_seat_change(db, live, seat_entry)
    return seat_entry, note_notices(text, *_turn_ping_notices(live, player), *seal_pings)


def _turn_ping_notices(live: LiveGame, player: PlayerId) -> list[OutboxMessage]:
    turn_change = notices.TurnChange((player,), None)
    return [turn_change.notice()] if player in live.game.actors() else []
