"""Absent players' seats: played by the group by agreement, or by a caretaker."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from bot.table.errors import NotYours, Refused
from bot.table.live import LiveGame
from bot.table.markdown import MARKDOWN, strong
from bot.table.moves.moves import ASIDE
from bot.table.orders.sealed_auction import OPEN_BIDS, is_sealing, seals_again, waited_for
from bot.table.outbox import notices
from bot.table.outbox.notices import table_note
from bot.table.tables import MoveBuilder, Tables
from bot.table.votes.proposal_kinds import Electorate, Subject, more_than_half
from bot.table.votes.seat_proposals import require_absent
from engine import PlayerId, Request, preview, read_action
from storage import CARETAKER, Database, OutboxMessage, SeatEntry, StoredProposal, seats

How = Literal["group", "caretaker"]
"""The player of an empty seat: the others, who agree on each move, or the computer."""


@dataclass(frozen=True, slots=True)
class AbsenceProposal(Subject):
    """The group or a caretaker plays a seat until its holder is back, or it is taken over."""

    kind: ClassVar[str] = "absence"

    player: PlayerId
    holder: int
    name: str
    how: How = "group"

    def says(self) -> str:
        """The seat, and who is to play it."""
        who, way = ("the group", " by agreement") if self.how == "group" else ("a caretaker (computer)", "")
        return f"{who} plays the seat of {strong(self.name)}{way} until somebody takes it"

    def electorate(self, live: LiveGame, by_user: int) -> Electorate:
        """The other players, of whom more than half must agree; the holder is present if they vote."""
        others = live.others_than(self.player)
        holder = () if self.holder == CARETAKER else (self.holder,)
        # One alone has nobody to agree with but a moderator.
        return Electorate((), others, more_than_half(others), holder, moderator=len(others) < 2, by=by_user)

    def expiry_reason(self, live: LiveGame) -> str | None:
        """The reason: the seat changed hands, or is played so already."""
        if live.holder_of(self.player) != self.holder:
            return "The seat has a new player, so this proposal is void."
        return played_so(live, self.player, self.how)

    def absent_user(self) -> int | None:
        return self.holder

    async def require(self, tables: Tables, live: LiveGame, by_user: int) -> None:
        """Raise Refused unless the holder has been absent long enough, or a moderator decides, too."""
        if not self.electorate(live, by_user).moderator:
            await require_absent(tables, live, self.player)

    async def carry_out(self, tables: Tables, live: LiveGame, proposal: StoredProposal) -> None:
        """Record the seat's player, and ping the others if the seat is on turn."""
        text = await _new_player_line(tables, live, self, f"(proposal {proposal.number})")
        over = await _opens_bids(tables, live)
        if self.how == "group":
            over += _call(live, self.player)
        pending = table_note(text, *over, new_post=True)
        await seats.assign(
            tables.db, live.id, _sits(live, self, tables.clock()), proposal=proposal, notices=pending
        )


def _sits(live: LiveGame, subject: AbsenceProposal, now: str) -> SeatEntry:
    return SeatEntry(subject.player, subject.how, subject.holder, subject.name, live.seq, None, now)


async def _new_player_line(tables: Tables, live: LiveGame, subject: AbsenceProposal, why: str) -> str:
    """The line about a seat's new player, how that ends, and suspended sealed bids."""
    text = _plays(live, subject, why)
    return f"{text}\n{OPEN_BIDS}" if await is_sealing(tables.db, live) else text


async def _opens_bids(tables: Tables, live: LiveGame) -> list[OutboxMessage]:
    """True if the seat ends a sealed auction, in which only the player on turn must bid from now on."""
    if not await is_sealing(tables.db, live):
        return []
    left = await waited_for(tables.db, live)
    return [notices.newly_on_turn(left, live.game.actors(), None).notice()]


def _plays(live: LiveGame, subject: AbsenceProposal, why: str) -> str:
    name, first = strong(subject.name), live.seq + 1
    over = "" if subject.holder == CARETAKER else f"{name} takes the seat back by making a move; "
    ends = f"{over}`/game replace` gives the seat to another member."
    if subject.how == "caretaker":
        return f"From move {first} on a caretaker (computer) plays the seat of {name} {why}. {ends}"
    return (
        f"From move {first} on the group plays the seat of {name} {why}: one player proposes a move with "
        "`/game propose`, "
        f"another agrees. {ends}"
    )


def played_so(live: LiveGame, player: PlayerId, how: How) -> str | None:
    """The reason why the group or a caretaker cannot play a seat: it does already, or nobody would be left."""
    if player in (live.by_group if how == "group" else live.by_caretaker):
        return (
            "The group already plays that seat." if how == "group" else "A caretaker already plays that seat."
        )
    if how == "caretaker" and not live.others_than(player):
        return "A person must play at least one seat."
    return None


async def let_caretaker_play(tables: Tables, game_id: int, user_id: int, player: PlayerId) -> str:
    """Let a caretaker play a seat, as a moderator; returns the public line. Raises Refused."""
    async with tables.reading(game_id) as live:
        live.require_running()
        why = played_so(live, player, "caretaker")
        if why is not None:
            raise Refused(why)
        subject = AbsenceProposal(player, live.holder_of(player), live.name_of(player), "caretaker")
        text = await _new_player_line(tables, live, subject, f"(decided by <@{user_id}> as a moderator)")
        pending = table_note(text, *await _opens_bids(tables, live), new_post=True)
        await seats.assign(tables.db, game_id, _sits(live, subject, tables.clock()), notices=pending)
    tables.changed(game_id)
    return text


@dataclass(frozen=True, slots=True)
class MoveProposal(Subject):
    """A move for the group's seat, in the position after a log row."""

    kind: ClassVar[str] = "move"
    acts: ClassVar[bool] = True

    player: PlayerId
    holder: int
    name: str
    seq: int
    action: str
    """As JSON."""
    deed: str

    def says(self) -> str:
        """The move, and its player."""
        return f"for {strong(self.name)}: {self.deed}"

    def electorate(self, live: LiveGame, by_user: int) -> Electorate:
        """One of the group other than the proposer."""
        others = tuple(user for user in live.others_than(self.player) if user != by_user)
        two = not others
        return Electorate((), others, 0 if two else 1, moderator=two, by=by_user)

    def expiry_reason(self, live: LiveGame) -> str | None:
        """The reason: another move was made, or the group no longer plays the seat."""
        if self.player not in live.by_group:
            return f"The group no longer plays the seat of {self.name}."
        return "The game has moved on since then." if self.is_overtaken(live.seq) else None

    def is_overtaken(self, seq: int) -> bool:
        return seq != self.seq

    async def carry_out(self, tables: Tables, live: LiveGame, proposal: StoredProposal) -> None:
        """Make the move; the log names its proposer, and those who agreed."""
        choice = Request.of_action(read_action(self.action))
        by, number = proposal.by_user, proposal.number
        who = f"-# For {self.name}: proposed by <@{by}>, agreed by the group (proposal {number})."
        await tables.make_move(live, self.player, by, lambda game, _: game.walk(choice), (who,), proposal)


def propose_absence(live: LiveGame, by_user: int, player: PlayerId, how: How = "group") -> AbsenceProposal:
    """The proposal that the group, or a caretaker, plays this seat; raises Refused."""
    name = live.name_of(player)
    if how == "group" and player in live.by_group:
        raise Refused(f"The group already plays the seat of {name}. `/game propose` proposes a move.")
    why = played_so(live, player, how)
    if why is not None:
        raise Refused(why)
    if player in live.substitutes:
        raise Refused(f"<@{live.user_of(player)}> plays for {name} now.")
    if by_user not in live.others_than(player):
        raise Refused("Only another player of this game can propose this.")
    return AbsenceProposal(player, live.holder_of(player), name, how)


def absent_seats(live: LiveGame, user_id: int) -> list[PlayerId]:
    """The group's seats for which a user may propose moves."""
    if user_id not in [seat.user_id for seat in live.seats]:
        return []
    return [player for player in sorted(live.by_group) if live.holder_of(player) != user_id]


def absent_seat(live: LiveGame, user_id: int) -> PlayerId:
    """The group's seat for which a user may propose a move now; raises Refused."""
    if user_id not in [seat.user_id for seat in live.seats]:
        raise NotYours("Only the other players can propose moves for a seat that the group plays.")
    seats = absent_seats(live, user_id)
    if not seats:
        raise Refused("The group plays no seat in this game. `/game agreement` changes that.")
    return next((player for player in seats if player in live.game.actors()), seats[0])


def propose_move(live: LiveGame, player: PlayerId, build_move: MoveBuilder) -> MoveProposal:
    """The proposal of a move for the group's seat; raises Refused, IllegalAction."""
    name = live.name_of(player)
    if player not in live.by_group:
        raise Refused(f"The group does not play the seat of {name}.")
    walk = build_move(live.game, player)
    if walk.offer.actor != player or walk.offer.kind in ASIDE:
        raise Refused(f"This is not a move of {name}.")
    shown = preview(live.game, walk, MARKDOWN)
    action = walk.action().model_dump_json()
    return MoveProposal(player, live.holder_of(player), name, live.seq, action, shown.full)


async def coming_back(
    db: Database, live: LiveGame, player: PlayerId, now: str
) -> tuple[SeatEntry, list[OutboxMessage]]:
    """The row and notices of a returning holder."""
    holder, name = live.holder_of(player), live.name_of(player)
    text = f"{strong(name)} is back from move {live.seq + 1} on."
    seat_entry = SeatEntry(player, "holder", holder, name, live.seq, None, now)
    asks = await seals_again(db, live, seat_entry)
    return seat_entry, table_note(text, *_call(live, player), *asks)


def _call(live: LiveGame, player: PlayerId) -> list[OutboxMessage]:
    over = notices.TurnChange((player,), None)
    return [over.notice()] if player in live.game.actors() else []
