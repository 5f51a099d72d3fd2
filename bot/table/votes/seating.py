"""New holders of seats in a running game: a newcomer takes over, who agrees."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from bot.table.display_names import distinct_name
from bot.table.errors import NotYours, Refused
from bot.table.games.storing import SEE_LOG, certainly, finished
from bot.table.live import LiveGame
from bot.table.orders.sealed import has_to_act, seals_again
from bot.table.outbox import notices
from bot.table.style import strong
from bot.table.tables import Tables
from bot.table.votes.presence import require_absent
from bot.table.votes.subjects import Electorate, Subject
from engine.core.ids import PlayerId
from storage import seats
from storage.people import CARETAKER
from storage.proposals import Proposal
from storage.seats import SeatEntry

Warrant = Literal["own", "group", "moderator"]
"""Whose word gives a seat to somebody else: its holder's, the other players', or a moderator's."""


@dataclass(frozen=True, slots=True)
class Handing(Subject):
    """A seat, held by whom, is to go to whom, and on whose word."""

    kind: ClassVar[str] = "replace"

    player: PlayerId
    leaving: int
    left_by: str
    newcomer: int
    taken_by: str
    warrant: Warrant

    def says(self) -> str:
        """Who takes over which seat."""
        return f"<@{self.newcomer}> takes over the seat of {strong(self.left_by)}"

    def electorate(self, live: LiveGame, by: int) -> Electorate:
        """The newcomer; where the table decides, more than half of the others, too."""
        others = live.others_than(self.player) if self.warrant == "group" else ()
        # A moderator's word needs nobody's but the newcomer's.
        objects = () if self.warrant == "moderator" or self.leaving == CARETAKER else (self.leaving,)
        # The others may have vanished since it was proposed: nobody gives a person's seat away alone.
        alone = self.warrant == "group" and len(others) < 2 and bool(objects)
        return Electorate((self.newcomer,), others, more_than_half(others), objects, moderator=alone, by=by)

    def gone(self, live: LiveGame) -> str | None:
        """The seat is somebody else's, or the newcomer plays."""
        if live.holder_of(self.player) != self.leaving:
            return "The seat has a new player, so this proposal is void."
        return plays_already(self.newcomer) if _plays(live, self.newcomer, self.player) else None

    def without(self) -> int | None:
        """The holder, where the others give the seat away."""
        return self.leaving if self.warrant == "group" else None

    async def require(self, tables: Tables, live: LiveGame, by: int) -> None:
        """The holder says so, or has been absent for long enough, or a moderator decides, too."""
        if self.warrant == "group" and not self.electorate(live, by).moderator:
            await require_absent(tables, live, self.player, self.newcomer)

    async def carry(self, tables: Tables, live: LiveGame, proposal: Proposal) -> None:
        """Give the seat to the newcomer."""
        others = [seat.display_name for seat in live.seats if seat.player_id != self.player]
        name, now = distinct_name(self.taken_by, others), tables.clock()
        seat_entry = SeatEntry(self.player, "holder", self.newcomer, name, live.seq, None, now)
        text = (
            f"{strong(name)} takes over the seat of {strong(self.left_by)} (proposal {proposal.number}); "
            f"moves up to {live.seq} stay {self.left_by}'s."
        )
        again = await seals_again(tables.db, live, seat_entry)
        over = list(again)
        if again or await has_to_act(tables.db, live, self.player):
            over.append(notices.TurnChange((self.player,), None, renewed=True).notice())
        pending = [*notices.aside(text, *over, loud=True), notices.board()]
        write = seats.replace_holder(
            tables.db, live.id, seat_entry, leaving=self.leaving, proposal=proposal, notices=pending
        )
        await certainly(finished(write), lambda: self._handed(tables, live.id), SEE_LOG)

    async def _handed(self, tables: Tables, game_id: int) -> bool | None:
        taken = await seats.seats(tables.db, game_id)
        return any((seat.player_id, seat.user_id) == (self.player, self.newcomer) for seat in taken) or None


def handing(
    live: LiveGame, by: int, player: PlayerId, newcomer: tuple[int, str], warrant: Warrant
) -> Handing:
    """What `by` proposes: that the newcomer, by number and name, takes over this seat; raises Refused."""
    if warrant != "moderator":
        own_seat(live, by)
    if warrant == "group" and live.holder_of(player) != CARETAKER and len(live.others_than(player)) < 2:
        raise Refused(
            "You cannot give another player's seat away alone: that player can, or a moderator with `/mod replace`."
        )
    if _plays(live, newcomer[0], player):
        raise Refused(plays_already(newcomer[0]))
    return Handing(player, live.holder_of(player), live.name_of(player), *newcomer, warrant)


def seat_meant(live: LiveGame, typed: str) -> PlayerId:
    """The player of whom a text is the id or the name; raises Refused."""
    wanted = typed.strip().casefold()
    for seat in live.seats:
        if wanted in (seat.player_id.casefold(), seat.display_name.casefold(), f"<@{seat.user_id}>"):
            return seat.player_id
    names = ", ".join(seat.display_name for seat in live.seats)
    raise Refused(f"No player of this game has that name; the players are {names}.")


def own_seat(live: LiveGame, user_id: int) -> PlayerId:
    """The player whose seat somebody has; raises Refused, for a substitute, too."""
    for seat in live.seats:
        if seat.user_id == user_id:
            return seat.player_id
    raise NotYours(f"That is for the player who has a seat in game {live.id} to say.")


def more_than_half(people: tuple[int, ...]) -> int:
    """The number in words; `none` for zero."""
    return len(people) // 2 + 1 if people else 0


def _plays(live: LiveGame, newcomer: int, player: PlayerId) -> bool:
    """Whether somebody has a seat, or plays for another player than this one."""
    return newcomer in live.people or live.player_of(newcomer) not in (None, player)


def plays_already(user_id: int) -> str:
    """That somebody can have no second seat."""
    return f"<@{user_id}> plays in this game already."
