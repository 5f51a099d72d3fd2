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
from storage.people import ANONYMISED
from storage.posts.outbox import OutboxMessage
from storage.tables import seat_history
from storage.tables.seat_history import SeatEntry
from storage.timestamps import moment, stored

_COME_BACK = (["group", "holder"], ["caretaker", "holder"])


async def begin_substitution(
    tables: Tables, game_id: int, holder: int, who: tuple[int, str], days: int | None
) -> str:
    """Let a user, by number and name, play for a holder for N days, or (None) until they are back."""
    async with tables.reading(game_id) as live:
        player, (person, name) = _held(live, holder), who
        if live.player_of(person) is not None:
            raise Refused(f"<@{person}> plays in this game already.")
        now = tables.clock()
        end = None if days is None else moment(now) + timedelta(days=days)
        until = None if end is None else stored(end)
        last = "" if end is None else f" until <t:{int(end.timestamp())}:f>"
        whom = strong(live.name_of(player))
        text = f"From move {live.seq + 1} on <@{person}> plays for {whom}{last}; `/game back` ends that."
        seat_entry = SeatEntry(player, "substitute", person, harmless(name), live.seq, until, now)
        posts = await _announcement(tables, live, player, text)
        if not await has_to_act(tables.db, live, player):
            # A mention adds a user to the thread; where the seat must act, its ping does that.
            posts.append(ThreadPing((person,), f"You play for {whom} here.").notice())
        await seat_history.assign(tables.db, game_id, seat_entry, notices=posts)
    _changed(tables, game_id)
    return text


async def end_substitution(tables: Tables, game_id: int, holder: int) -> str:
    """The holder of a seat plays again."""
    async with tables.reading(game_id) as live:
        player = _held(live, holder)
        name = live.name_of(player)
        if _has_come_back(live, player):
            return f"{strong(name)} plays again."
        if player not in live.substitutes:
            raise Refused("You have no substitute in this game.")
        text = f"{strong(name)} is back, from move {live.seq + 1} on."
        seat_entry = SeatEntry(player, "holder", holder, name, live.seq, None, tables.clock())
        posts = await _announcement(tables, live, player, text)
        await seat_history.assign(tables.db, game_id, seat_entry, notices=posts)
    _changed(tables, game_id)
    return text


async def expire_substitution(tables: Tables, game_id: int, player: PlayerId) -> None:
    """A substitute stops: the thread says so, and the holder is pinged where the seat must act."""
    async with tables.reading(game_id) as live:
        now, newest = tables.clock(), [s for s in live.seat_history if s.player_id == player][-1]
        if newest.role != "substitute" or player in live.substitutes:
            return
        name = live.name_of(player)
        who = f"<@{newest.user_id}> plays for {strong(name)} no longer, as was said"
        if newest.user_id == ANONYMISED:
            who = f"{newest.display_name} plays for {strong(name)} no longer"
        text = f"{who}; {strong(name)} does."
        seat_entry = SeatEntry(player, "holder", live.holder_of(player), name, live.seq, None, now)
        posts = await _announcement(tables, live, player, text)
        await seat_history.assign(tables.db, game_id, seat_entry, notices=posts)
    _changed(tables, game_id)


async def _announcement(tables: Tables, live: LiveGame, player: PlayerId, text: str) -> list[OutboxMessage]:
    """The line, and where the seat must act, the ping to the user who plays it now."""
    acts = await has_to_act(tables.db, live, player)
    over = [notices.TurnChange((player,), None, renewed=True).notice()] if acts else []
    return notices.aside(text, *over, loud=True)


def _changed(tables: Tables, game_id: int) -> None:
    tables.forget(game_id)
    tables.on_notice(game_id)


def _has_come_back(live: LiveGame, player: PlayerId) -> bool:
    """Whether the holder has the seat back from the group or the caretaker, by saying that they are back."""
    last = [seat_entry for seat_entry in live.seat_history if seat_entry.player_id == player][-2:]
    return last[-1].since == live.seq and [one.role for one in last] in _COME_BACK


def _held(live: LiveGame, holder: int) -> PlayerId:
    for seat in live.seats:
        if seat.user_id == holder:
            return seat.player_id
    raise NotYours("That is for the player who has the seat to say, not for a substitute.")
