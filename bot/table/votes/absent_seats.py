"""Absent players' seats, played by the group (the other players together) or by a caretaker."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from bot.table.errors import BelongsToAnother, Refused
from bot.table.live import LiveGame
from bot.table.markdown import MARKDOWN, strong
from bot.table.moves.moves import KINDS_WITHOUT_BUTTON
from bot.table.orders.sealed_auction import (
    BIDS_ARE_OPEN,
    is_sealing,
    players_waited_for,
    seal_ping_after_seating,
)
from bot.table.outbox import notices
from bot.table.outbox.notices import table_note
from bot.table.tables import MoveBuilder, Tables
from bot.table.votes.proposal_kinds import Electorate, Subject, more_than_half
from bot.table.votes.seat_proposals import require_absent
from engine import PlayerId, Request, preview, read_action
from storage import CARETAKER_USER, Database, OutboxMessage, SeatEntry, StoredProposal, seats

AbsentSeatPlayer = Literal["group", "caretaker"]
"""The new player of an absent player's seat: the other players by agreement, or a caretaker (computer player)."""


@dataclass(frozen=True, slots=True)
class AbsenceProposal(Subject):
    """The group or a caretaker should play a seat until its holder is back or the seat is taken over."""

    kind: ClassVar[str] = "absence"

    player: PlayerId
    holder: int
    name: str
    how: AbsentSeatPlayer = "group"

    def describe(self) -> str:
        """The proposal in words: the seat, and who would play it."""
        who, way = ("the group", " by agreement") if self.how == "group" else ("a caretaker (computer)", "")
        return f"{who} plays the seat of {strong(self.name)}{way} until somebody takes it over"

    def electorate(self, live: LiveGame, by_user: int) -> Electorate:
        """The other players, of whom more than half must agree; the absent holder may refuse."""
        others = live.other_users(self.player)
        holder = () if self.holder == CARETAKER_USER else (self.holder,)
        # A single other player cannot decide alone, so a moderator must agree.
        return Electorate(
            (), others, more_than_half(others), holder, needs_moderator=len(others) < 2, proposer=by_user
        )

    def expiry_reason(self, live: LiveGame) -> str | None:
        """The reason why the proposal is void: the seat has a new holder, or is played as proposed already."""
        if live.holder_of(self.player) != self.holder:
            return "The seat has a new player, so this proposal is void."
        return absence_obstacle(live, self.player, self.how)

    def absent_user(self) -> int | None:
        return self.holder

    async def require_allowed(self, tables: Tables, live: LiveGame, by_user: int) -> None:
        """Raise Refused if the players decide and the holder has not been absent long enough."""
        if not self.electorate(live, by_user).needs_moderator:
            await require_absent(tables, live, self.player)

    async def carry_out(self, tables: Tables, live: LiveGame, proposal: StoredProposal) -> None:
        """Store who plays the seat, and ping the other players if the group must act."""
        text = await _new_player_line(tables, live, self, f"(proposal {proposal.number})")
        turn_notices = await _bids_turn_change(tables, live)
        if self.how == "group":
            turn_notices += _turn_ping(live, self.player)
        pending = table_note(text, *turn_notices, new_post=True)
        await seats.record_seat_change(
            tables.db, live.id, _seat_entry(live, self, tables.clock()), proposal=proposal, notices=pending
        )


def _seat_entry(live: LiveGame, subject: AbsenceProposal, now: str) -> SeatEntry:
    return SeatEntry(subject.player, subject.how, subject.holder, subject.name, live.seq, None, now)


async def _new_player_line(tables: Tables, live: LiveGame, subject: AbsenceProposal, why: str) -> str:
    """The line about who plays the seat now; it also tells if sealed bids become open."""
    text = _takeover_text(live, subject, why)
    return f"{text}\n{BIDS_ARE_OPEN}" if await is_sealing(tables.db, live) else text


async def _bids_turn_change(tables: Tables, live: LiveGame) -> list[OutboxMessage]:
    """The notice that only the player on turn must bid, if bids are no longer sealed; else empty."""
    if not await is_sealing(tables.db, live):
        return []
    players_left = await players_waited_for(tables.db, live)
    return [notices.turn_change_between(players_left, live.game.actors(), None).notice()]


def _takeover_text(live: LiveGame, subject: AbsenceProposal, why: str) -> str:
    name, first_seq = strong(subject.name), live.seq + 1
    return_text = "" if subject.holder == CARETAKER_USER else f"{name} takes the seat back by making a move; "
    ending_text = f"{return_text}`/game replace` gives the seat to another member."
    if subject.how == "caretaker":
        return (
            f"From move {first_seq} on a caretaker (computer) plays the seat of {name} {why}. {ending_text}"
        )
    return (
        f"From move {first_seq} on the group plays the seat of {name} {why}: one player proposes a move with "
        "`/game propose`, "
        f"another agrees. {ending_text}"
    )


def absence_obstacle(live: LiveGame, player: PlayerId, how: AbsentSeatPlayer) -> str | None:
    """The reason why the group or a caretaker (`how`) cannot play a seat; None if they can."""
    if player in (live.group_players if how == "group" else live.caretaker_players):
        return (
            "The group already plays that seat." if how == "group" else "A caretaker already plays that seat."
        )
    if how == "caretaker" and not live.other_users(player):
        return "At least one seat must be played by a person."
    return None


async def let_caretaker_play(tables: Tables, game_id: int, user_id: int, player: PlayerId) -> str:
    """Let a caretaker play a seat, decided by a moderator; returns the public line. Raises Refused."""
    async with tables.reading(game_id) as live:
        live.require_running()
        obstacle = absence_obstacle(live, player, "caretaker")
        if obstacle is not None:
            raise Refused(obstacle)
        subject = AbsenceProposal(player, live.holder_of(player), live.name_of(player), "caretaker")
        text = await _new_player_line(tables, live, subject, f"(decided by <@{user_id}> as a moderator)")
        pending = table_note(text, *await _bids_turn_change(tables, live), new_post=True)
        await seats.record_seat_change(
            tables.db, game_id, _seat_entry(live, subject, tables.clock()), notices=pending
        )
    tables.reload_and_post(game_id)
    return text


@dataclass(frozen=True, slots=True)
class MoveProposal(Subject):
    """A move for a seat that the group plays, in the position after row `seq`."""

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
        """The users of the other seats; one of them, other than the proposer, must agree."""
        others = tuple(user for user in live.other_users(self.player) if user != by_user)
        is_alone = not others
        return Electorate((), others, 0 if is_alone else 1, needs_moderator=is_alone, proposer=by_user)

    def expiry_reason(self, live: LiveGame) -> str | None:
        """The reason why the proposal is void: a move was made, or the group no longer plays the seat."""
        if self.player not in live.group_players:
            return f"The group no longer plays the seat of {self.name}."
        return "The game has moved on since then." if self.is_overtaken(live.seq) else None

    def is_overtaken(self, seq: int) -> bool:
        return seq != self.seq

    async def carry_out(self, tables: Tables, live: LiveGame, proposal: StoredProposal) -> None:
        """Make the move; its lines name the proposer."""
        choice = Request.of_action(read_action(self.action))
        proposer, number = proposal.by_user, proposal.number
        attribution = (
            f"-# For {self.name}: proposed by <@{proposer}>, agreed by the group (proposal {number})."
        )
        await tables.make_move(
            live, self.player, proposer, lambda game, _: game.cursor_for(choice), (attribution,), proposal
        )


def propose_absence(
    live: LiveGame, by_user: int, player: PlayerId, how: AbsentSeatPlayer = "group"
) -> AbsenceProposal:
    """A proposal that the group or a caretaker plays this seat; raises Refused."""
    name = live.name_of(player)
    if how == "group" and player in live.group_players:
        raise Refused(f"The group already plays the seat of {name}. `/game propose` proposes a move.")
    obstacle = absence_obstacle(live, player, how)
    if obstacle is not None:
        raise Refused(obstacle)
    if player in live.substitutes:
        raise Refused(f"<@{live.user_of(player)}> plays for {name} now.")
    if by_user not in live.other_users(player):
        raise Refused("Only another player of this game can propose this.")
    return AbsenceProposal(player, live.holder_of(player), name, how)


def absent_seats(live: LiveGame, user_id: int) -> list[PlayerId]:
    """Seats played by the group for which a user may propose moves."""
    if user_id not in [seat.user_id for seat in live.seats]:
        return []
    return [player for player in sorted(live.group_players) if live.holder_of(player) != user_id]


def absent_seat(live: LiveGame, user_id: int) -> PlayerId:
    """The seat for which a user may propose a move now, one on turn first; raises Refused."""
    if user_id not in [seat.user_id for seat in live.seats]:
        raise BelongsToAnother("Only the other players can propose moves for a seat that the group plays.")
    seats = absent_seats(live, user_id)
    if not seats:
        raise Refused("The group plays no seat in this game. `/game agreement` changes that.")
    return next((player for player in seats if player in live.game.actors()), seats[0])


def propose_move(live: LiveGame, player: PlayerId, build_move: MoveBuilder) -> MoveProposal:
    """A proposal of a move for a seat that the group plays; raises Refused, IllegalAction."""
    name = live.name_of(player)
    if player not in live.group_players:
        raise Refused(f"The group does not play the seat of {name}.")
    cursor = build_move(live.game, player)
    if cursor.offer.actor != player or cursor.offer.kind in KINDS_WITHOUT_BUTTON:
        raise Refused(f"This is not a move of {name}.")
    shown = preview(live.game, cursor, MARKDOWN)
    action = cursor.action().model_dump_json()
    return MoveProposal(player, live.holder_of(player), name, live.seq, action, shown.full)


async def holder_return(
    db: Database, live: LiveGame, player: PlayerId, now: str
) -> tuple[SeatEntry, list[OutboxMessage]]:
    """The seat entry and notices for a holder who plays again."""
    holder, name = live.holder_of(player), live.name_of(player)
    text = f"{strong(name)} is back from move {live.seq + 1} on."
    seat_entry = SeatEntry(player, "holder", holder, name, live.seq, None, now)
    asks = await seal_ping_after_seating(db, live, seat_entry)
    return seat_entry, table_note(text, *_turn_ping(live, player), *asks)


def _turn_ping(live: LiveGame, player: PlayerId) -> list[OutboxMessage]:
    turn_change = notices.TurnChange((player,), None)
    return [turn_change.notice()] if player in live.game.actors() else []
