"""Absent players: no pings and stopped clocks, and substitutes."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from bot.table.clocks.clocks_and_stops import SINCE, away_stops, game_clocks
from bot.table.errors import NotYours, Refused
from bot.table.live import LiveGame
from bot.table.markdown import discord_time, strong
from bot.table.orders.sealed_auction import has_to_act, waited_for
from bot.table.outbox import notices
from bot.table.outbox.notices import ThreadPing, TurnChange, table_note
from bot.table.player_names import harmless
from bot.table.settings.durations_and_zones import LONGEST, span_of
from bot.table.settings.person_settings import AWAY, person_settings
from bot.table.tables import Tables
from engine import PlayerId
from storage import (
    ANONYMISED,
    PEOPLE,
    GameRow,
    OutboxMessage,
    SeatEntry,
    Transaction,
    clocks,
    format_timestamp,
    games,
    log,
    outbox,
    parse_timestamp,
    pings,
    seats,
)

BACK: Final = frozenset({"back", "now", "none"})
"""Words for being back."""
_EXAMPLE: Final = timedelta(days=30)
"""Distance of the example date: it must not be over, nor further than one can be away."""


async def away_status(tables: Tables, user_id: int) -> str:
    """The end of a user's absence in words."""
    until = await PEOPLE.get(tables.db, user_id, AWAY)
    how = absence_examples(parse_timestamp(tables.clock()))
    return how if until is None else f"You are away until {discord_time(parse_timestamp(until))}. {how}"


async def set_absence(tables: Tables, user_id: int, typed_text: str) -> str:
    """Begin an absence until the typed time (days, hours or a date in the user's zone), or end it."""
    if typed_text.strip().casefold() in BACK:
        return await come_back(tables, user_id)
    now = parse_timestamp(tables.clock())
    zone = (await person_settings(tables.db, user_id)).zone
    return await begin_absence(tables, user_id, until_typed(typed_text, now, zone))


async def begin_absence(tables: Tables, user_id: int, until: datetime) -> str:
    """Begin an absence until a time, and post it in every game of the user."""
    now, text = tables.clock(), format_timestamp(until)
    played, stamp = await _played(tables, user_id, now), discord_time(until)
    ends = {row.id: await _clock_stands(tables, row, player, until, now) for row, player, _ in played}
    lines = {
        row.id: table_note(f"{name} is away until {stamp}: {_deadlines(ends[row.id], until)}.")
        for row, _, name in played
    }

    async def change(tx: Transaction) -> None:
        since = await PEOPLE.get(tx, user_id, SINCE)
        await PEOPLE.write(tx, user_id, AWAY, text)
        await PEOPLE.write(tx, user_id, SINCE, since or now)
        await _post(tx, lines, now)

    await tables.db.write(change)
    _wake(tables, played)
    acts = "You can still play while you are away. `/away until:back` ends it."
    limits = "".join(
        f" In game {game_id} your away budget lasts until {discord_time(end)}; after that your "
        "deadline runs again."
        for game_id, end in ends.items()
        if end is not None and end < until
    )
    runs = "I do not ping you." if limits else "None of your deadlines runs, and I do not ping you."
    return f"You are away until {stamp}. {runs}{limits} {acts}"


async def _clock_stands(
    tables: Tables, row: GameRow, player: PlayerId, until: datetime, now: str
) -> datetime | None:
    """End of the stop of a player's clock, by the away budget; None without a time bank."""
    there = await game_clocks(tables.db, tables.share, row, now)
    return None if there is None else there.budget_ends(player, until)


async def come_back(tables: Tables, user_id: int) -> str:
    """End a user's absence early."""
    if not await _end(tables, user_id):
        raise Refused(f"You are not away. {absence_examples(parse_timestamp(tables.clock()))}")
    return "You are back: deadlines run again, and I ping you where it is your turn."


async def end_absences(tables: Tables) -> None:
    """End all expired absences."""
    now = parse_timestamp(tables.clock())
    for user_id in await PEOPLE.having(tables.db, AWAY):
        until = await PEOPLE.get(tables.db, user_id, AWAY)
        if until is not None and parse_timestamp(until) <= now:
            await _end(tables, user_id)


async def _end(tables: Tables, user_id: int) -> bool:
    """End an absence with its notices; False if it has ended already."""
    now = tables.clock()
    played = await _played(tables, user_id, now)
    posts = {
        row.id: table_note(f"{name} is back.", *await _call(tables, row, player, user_id))
        for row, player, name in played
    }

    sat = {
        row.id: await seats.seat_entries(tables.db, row.id)
        for row in await seats.running_games_of(tables.db, user_id)
    }

    async def change(tx: Transaction) -> bool:
        until, since = await PEOPLE.get(tx, user_id, AWAY), await PEOPLE.get(tx, user_id, SINCE)
        if until is None:
            return False
        for game_id, people in sat.items():
            for one in away_stops(people, user_id, since or now, min(until, now)):
                await clocks.write_stop_if_timed(tx, game_id, one)
        for key in (AWAY, SINCE):
            await PEOPLE.erase(tx, user_id, key)
        await pings.make_due_for_user(tx, user_id, now)
        await _post(tx, posts, now)
        return True

    ended = await tables.db.write(change)
    _wake(tables, played)
    return ended


async def _call(tables: Tables, row: GameRow, player: PlayerId, user_id: int) -> list[OutboxMessage]:
    """The ping in a game that waits for the player, unless others play the seat."""
    try:
        async with tables.reading(row.id) as live:
            plays = user_id in live.people_of(player)
            waits = plays and player in await waited_for(tables.db, live)
            return [TurnChange((player,), None).notice()] if waits else []
    except Refused:
        return []  # it is damaged: nobody can act there


async def _played(tables: Tables, user_id: int, now: str) -> list[tuple[GameRow, PlayerId, str]]:
    """The running games in which a user plays, with player and name."""
    played = []
    for row in await seats.running_games_of(tables.db, user_id):
        standing_in = seats.substitutes(await seats.seat_entries(tables.db, row.id), now)
        for seat in await seats.seats(tables.db, row.id):
            substitute = standing_in.get(seat.player_id)
            if user_id == (seat.user_id if substitute is None else substitute.user_id):
                name = seat.display_name if substitute is None else substitute.display_name
                played.append((row, seat.player_id, strong(name)))
    return played


def _wake(tables: Tables, played: Sequence[tuple[GameRow, PlayerId, str]]) -> None:
    for row, _, _ in played:
        tables.on_notice(row.id)


def absence_examples(now: datetime) -> str:
    """Examples of typed absences that start now."""
    day = (now + _EXAMPLE).date()
    return f"Say until when: `/away until:10 days`, `/away until:{day}`; `/away until:back` ends it."


def until_typed(typed_text: str, now: datetime, zone: str) -> datetime:
    """The typed end of an absence: `10` or `10 days` from now, `36 hours`, or the start of a day in a zone.

    Raises Refused.
    """
    text = typed_text.strip().casefold().removeprefix("until ")
    span = span_of(f"{text} days" if text.isdecimal() else text)
    until = now + span if span is not None else _day(text, zone)
    if until is None:
        raise Refused(
            f"{strong(typed_text)} is not a date, nor a duration of at most {LONGEST.days} days. "
            f"{absence_examples(now)}"
        )
    if until <= now:
        raise Refused(f"{discord_time(until)} is in the past. {absence_examples(now)}")
    if until - now > LONGEST:
        raise Refused(
            f"You can be away for at most {LONGEST.days} days. For longer, let `/game replace` find a "
            "new player."
        )
    return until


def _day(text: str, zone: str) -> datetime | None:
    try:
        day = date.fromisoformat(text)
        return datetime(day.year, day.month, day.day, tzinfo=ZoneInfo(zone)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _deadlines(end: datetime | None, until: datetime) -> str:
    if end is None or end >= until:
        return "no deadlines and no pings"
    return f"no deadlines until the away budget ends {discord_time(end)}, and no pings"


async def _post(tx: Transaction, posts: dict[int, list[OutboxMessage]], now: str) -> None:
    for game_id, pending in posts.items():
        if (await games.lock_and_read(tx, game_id)).status == "running":
            await outbox.add_notices(tx, game_id, await log.newest_seq(tx, game_id), pending, now)


_COME_BACK = (["group", "holder"], ["caretaker", "holder"])


async def begin_substitution(
    tables: Tables, game_id: int, holder: int, who: tuple[int, str], days: int | None
) -> str:
    """Let a user (id, name) play for a holder for N days, or (None) until the holder is back."""
    async with tables.reading(game_id) as live:
        player, (person, name) = _held(live, holder), who
        if live.player_of(person) is not None:
            raise Refused(f"<@{person}> already plays in this game.")
        now = tables.clock()
        end = None if days is None else parse_timestamp(now) + timedelta(days=days)
        until = None if end is None else format_timestamp(end)
        last = "" if end is None else f" until <t:{int(end.timestamp())}:f>"
        whom = strong(live.name_of(player))
        text = f"<@{person}> plays for {whom} from move {live.seq + 1} on{last}. `/game back` ends this."
        seat_entry = SeatEntry(player, "substitute", person, harmless(name), live.seq, until, now)
        posts = await _announcement(tables, live, player, text)
        if not await has_to_act(tables.db, live, player):
            # A mention adds a user to the thread; where the seat must act, its ping does that.
            posts.append(ThreadPing((person,), f"You play for {whom} here.").notice())
        await seats.assign(tables.db, game_id, seat_entry, notices=posts)
    tables.changed(game_id)
    return text


async def end_substitution(tables: Tables, game_id: int, holder: int) -> str:
    """Let the holder of a seat play again."""
    async with tables.reading(game_id) as live:
        player = _held(live, holder)
        name = live.name_of(player)
        if _has_come_back(live, player):
            return f"{strong(name)} plays again."
        if player not in live.substitutes:
            raise Refused("You have no substitute in this game.")
        text = f"{strong(name)} is back from move {live.seq + 1} on."
        await _give_back(tables, live, player, text)
    tables.changed(game_id)
    return text


async def expire_substitution(tables: Tables, game_id: int, player: PlayerId) -> None:
    """End a substitution: the thread says so, and the holder is pinged if the seat is on turn."""
    async with tables.reading(game_id) as live:
        newest = [s for s in live.seat_history if s.player_id == player][-1]
        if newest.role != "substitute" or player in live.substitutes:
            return
        name = live.name_of(player)
        who = f"<@{newest.user_id}> stops playing for {strong(name)}, as agreed"
        if newest.user_id == ANONYMISED:
            who = f"{newest.display_name} stops playing for {strong(name)}"
        await _give_back(tables, live, player, f"{who}. {strong(name)} plays again.")
    tables.changed(game_id)


async def _give_back(tables: Tables, live: LiveGame, player: PlayerId, text: str) -> None:
    """Return the seat to its holder, with notices."""
    name, now = live.name_of(player), tables.clock()
    seat_entry = SeatEntry(player, "holder", live.holder_of(player), name, live.seq, None, now)
    posts = await _announcement(tables, live, player, text)
    await seats.assign(tables.db, live.id, seat_entry, notices=posts)


async def _announcement(tables: Tables, live: LiveGame, player: PlayerId, text: str) -> list[OutboxMessage]:
    """The line, and a ping if the seat is on turn."""
    acts = await has_to_act(tables.db, live, player)
    over = [notices.TurnChange((player,), None).notice()] if acts else []
    return notices.table_note(text, *over, new_post=True)


def _has_come_back(live: LiveGame, player: PlayerId) -> bool:
    """True if the holder took the seat back from the group or the caretaker."""
    last = [seat_entry for seat_entry in live.seat_history if seat_entry.player_id == player][-2:]
    return last[-1].since == live.seq and [absence.role for absence in last] in _COME_BACK


def _held(live: LiveGame, holder: int) -> PlayerId:
    for seat in live.seats:
        if seat.user_id == holder:
            return seat.player_id
    raise NotYours("Only the player who has the seat can do this, not a substitute.")
