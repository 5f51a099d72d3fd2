"""Substitutes: for a time somebody plays for the holder of a seat, who keeps it, and may play meanwhile, too."""

from datetime import timedelta

from bot.table.display_names import harmless
from bot.table.errors import NotYours, Refused
from bot.table.live import LiveGame
from bot.table.orders.sealed import has_to_act
from bot.table.outbox import notices
from bot.table.outbox.notices import ThreadPing
from bot.table.style import strong
from bot.table.tables import Tables
from engine.core.ids import PlayerId
from storage import seats
from storage.contract import parse_timestamp, stored
from storage.outbox import OutboxMessage
from storage.people import ANONYMISED
from storage.seats import SeatEntry

_COME_BACK = (["group", "holder"], ["caretaker", "holder"])


class StandingIn:
    """Begins and ends it; each method returns the public line, and raises Refused or StorageError."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def begin(self, game_id: int, holder: int, who: tuple[int, str], days: int | None) -> str:
        """Let a user, by number and name, play for a holder for N days, or (None) until they are back."""
        async with self._tables.reading(game_id) as live:
            player, (person, name) = _held(live, holder), who
            if live.player_of(person) is not None:
                raise Refused(f"<@{person}> plays in this game already.")
            now = self._tables.clock()
            end = None if days is None else parse_timestamp(now) + timedelta(days=days)
            until = None if end is None else stored(end)
            last = "" if end is None else f" until <t:{int(end.timestamp())}:f>"
            whom = strong(live.name_of(player))
            text = f"From move {live.seq + 1} on <@{person}> plays for {whom}{last}; `/game back` ends that."
            seat_entry = SeatEntry(player, "substitute", person, harmless(name), live.seq, until, now)
            posts = await self._announcement(live, player, text)
            if not await has_to_act(self._tables.db, live, player):
                # A mention adds a user to the thread; where the seat must act, its ping does that.
                posts.append(ThreadPing((person,), f"You play for {whom} here.").notice())
            await seats.assign(self._tables.db, game_id, seat_entry, notices=posts)
        self._changed(game_id)
        return text

    async def end(self, game_id: int, holder: int) -> str:
        """The holder of a seat plays again."""
        async with self._tables.reading(game_id) as live:
            player = _held(live, holder)
            name = live.name_of(player)
            if _has_come_back(live, player):
                return f"{strong(name)} plays again."
            if player not in live.substitutes:
                raise Refused("You have no substitute in this game.")
            text = f"{strong(name)} is back, from move {live.seq + 1} on."
            seat_entry = SeatEntry(player, "holder", holder, name, live.seq, None, self._tables.clock())
            posts = await self._announcement(live, player, text)
            await seats.assign(self._tables.db, game_id, seat_entry, notices=posts)
        self._changed(game_id)
        return text

    async def run_out(self, game_id: int, player: PlayerId) -> None:
        """A substitute stops: the thread says so, and the holder is pinged where the seat must act."""
        async with self._tables.reading(game_id) as live:
            now, newest = self._tables.clock(), [s for s in live.seat_history if s.player_id == player][-1]
            if newest.role != "substitute" or player in live.substitutes:
                return
            name = live.name_of(player)
            who = f"<@{newest.user_id}> plays for {strong(name)} no longer, as was said"
            if newest.user_id == ANONYMISED:
                who = f"{newest.display_name} plays for {strong(name)} no longer"
            text = f"{who}; {strong(name)} does."
            seat_entry = SeatEntry(player, "holder", live.holder_of(player), name, live.seq, None, now)
            posts = await self._announcement(live, player, text)
            await seats.assign(self._tables.db, game_id, seat_entry, notices=posts)
        self._changed(game_id)

    async def _announcement(self, live: LiveGame, player: PlayerId, text: str) -> list[OutboxMessage]:
        """The line, and where the seat must act, the ping to the user who plays it now."""
        acts = await has_to_act(self._tables.db, live, player)
        over = [notices.TurnChange((player,), None, renewed=True).notice()] if acts else []
        return notices.aside(text, *over, loud=True)

    def _changed(self, game_id: int) -> None:
        self._tables.forget(game_id)
        self._tables.on_notice(game_id)


def _has_come_back(live: LiveGame, player: PlayerId) -> bool:
    """Whether the holder has the seat back from the group or the caretaker, by saying that they are back."""
    last = [seat_entry for seat_entry in live.seat_history if seat_entry.player_id == player][-2:]
    return last[-1].since == live.seq and [one.role for one in last] in _COME_BACK


def _held(live: LiveGame, holder: int) -> PlayerId:
    for seat in live.seats:
        if seat.user_id == holder:
            return seat.player_id
    raise NotYours("That is for the player who has the seat to say, not for a substitute.")
