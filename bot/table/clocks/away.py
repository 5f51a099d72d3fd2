"""Absent players, who get no pings and whose clocks stop; and substitutes, who play a seat for its holder."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from bot.table.clocks.clocks_and_stops import AWAY_SINCE_KEY, away_stops, game_clocks
from bot.table.errors import NotPermitted, Refused
from bot.table.live import LiveGame
from bot.table.markdown import discord_time, strong
from bot.table.orders.sealed_auction import must_act_at_once, players_who_must_act
from bot.table.outbox import notices
from bot.table.outbox.notices import ThreadPing, TurnChange, note_notices
from bot.table.player_names import harmless_name
from bot.table.settings.durations_and_zones import MAX_DURATION, parse_duration
from bot.table.settings.person_settings import AWAY_UNTIL_KEY, person_settings
from bot.table.tables import Tables
from engine import PlayerId
from storage import (
    ANONYMISED_USER,
    PERSON_SETTINGS,
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

WORDS_THAT_END_ABSENCE: Final = frozenset({"back", "now", "none"})
"""Words that a user can type to end an absence."""
_EXAMPLE_ABSENCE: Final = timedelta(days=30)


async def away_status(tables: Tables, user_id: int) -> str:
    """The reply to `/away` without a date: the end of the user's absence, if any, and examples of what to type."""
    away_until = await PERSON_SETTINGS.get(tables.db, user_id, AWAY_UNTIL_KEY)
    examples = absence_examples(parse_timestamp(tables.clock()))
    return (
        examples
        if away_until is None
        else f"You are away until {discord_time(parse_timestamp(away_until))}. {examples}"
    )


async def set_absence(tables: Tables, user_id: int, typed_text: str) -> str:
    """Begin an absence that ends at the typed time, or end the absence; returns the reply.

    The text is a duration in days or hours, a date in the user's time zone, or a word such as `back`.
    """
    if typed_text.strip().casefold() in WORDS_THAT_END_ABSENCE:
        return await end_absence_early(tables, user_id)
    now = parse_timestamp(tables.clock())
    zone = (await person_settings(tables.db, user_id)).zone
    return await begin_absence(tables, user_id, parse_absence_end(typed_text, now, zone))


async def begin_absence(tables: Tables, user_id: int, absence_end: datetime) -> str:
    """Begin an absence until this time and post it in all running games of the user; returns the reply."""
    now, absence_end_text = tables.clock(), format_timestamp(absence_end)
    running_games, shown_time = await _running_games_of(tables, user_id, now), discord_time(absence_end)
    resume_time_by_game = {
        row.id: await _end_of_clock_stop(tables, row, player, absence_end, now)
        for row, player, _ in running_games
    }
    notices_by_game = {
        row.id: note_notices(
            f"{name} is away until {shown_time}: {_deadlines_text(resume_time_by_game[row.id], absence_end)}."
        )
        for row, _, name in running_games
    }

    async def store_absence(tx: Transaction) -> None:
        away_since = await PERSON_SETTINGS.get(tx, user_id, AWAY_SINCE_KEY)
        await PERSON_SETTINGS.write(tx, user_id, AWAY_UNTIL_KEY, absence_end_text)
        await PERSON_SETTINGS.write(tx, user_id, AWAY_SINCE_KEY, away_since or now)
        await _add_notices(tx, notices_by_game, now)

    await tables.db.write(store_absence)
    _send_notices(tables, running_games)
    playing_hint = "You can still play while you are away. `/away until:back` ends it."
    away_budget_text = "".join(
        f" In game {game_id} your away budget lasts until {discord_time(end)}; after that your "
        "deadline runs again."
        for game_id, end in resume_time_by_game.items()
        if end is not None and end < absence_end
    )
    effects_text = "I do not ping you." if away_budget_text else "Your deadlines stop, and I do not ping you."
    return f"You are away until {shown_time}. {effects_text}{away_budget_text} {playing_hint}"


async def _end_of_clock_stop(
    tables: Tables, row: GameRow, player: PlayerId, absence_end: datetime, now: str
) -> datetime | None:
    clocks_of_game = await game_clocks(tables.db, tables.shards, row, now)
    return None if clocks_of_game is None else clocks_of_game.clock_resumes_at(player, absence_end)


async def end_absence_early(tables: Tables, user_id: int) -> str:
    """End the absence of a user who has come back early; returns the reply. Raises Refused if the user is not away."""
    if not await _end_absence(tables, user_id):
        raise Refused(f"You are not away. {absence_examples(parse_timestamp(tables.clock()))}")
    return "You are back: deadlines run again, and I ping you where it is your turn."


async def end_absences(tables: Tables) -> None:
    """End all absences whose end time has passed."""
    now = parse_timestamp(tables.clock())
    for user_id in await PERSON_SETTINGS.owners_with_setting(tables.db, AWAY_UNTIL_KEY):
        away_until = await PERSON_SETTINGS.get(tables.db, user_id, AWAY_UNTIL_KEY)
        if away_until is not None and parse_timestamp(away_until) <= now:
            await _end_absence(tables, user_id)


async def _end_absence(tables: Tables, user_id: int) -> bool:
    """End an absence and announce the user's return in their games; returns False if the absence had already ended."""
    now = tables.clock()
    running_games = await _running_games_of(tables, user_id, now)
    notices_by_game = {
        row.id: note_notices(f"{name} is back.", *await _ping_on_return(tables, row, player, user_id))
        for row, player, name in running_games
    }

    seat_histories = {
        row.id: await seats.seat_entries(tables.db, row.id)
        for row in await seats.running_games_of_user(tables.db, user_id)
    }

    async def store_return(tx: Transaction) -> bool:
        away_until, away_since = (
            await PERSON_SETTINGS.get(tx, user_id, AWAY_UNTIL_KEY),
            await PERSON_SETTINGS.get(tx, user_id, AWAY_SINCE_KEY),
        )
        if away_until is None:
            return False
        for game_id, seat_entries in seat_histories.items():
            for clock_stop in away_stops(seat_entries, user_id, away_since or now, min(away_until, now)):
                await clocks.write_clock_stop_if_timed(tx, game_id, clock_stop)
        for key in (AWAY_UNTIL_KEY, AWAY_SINCE_KEY):
            await PERSON_SETTINGS.forget_in_transaction(tx, user_id, key)
        await pings.make_due_for_user(tx, user_id, now)
        await _add_notices(tx, notices_by_game, now)
        return True

    has_ended = await tables.db.write(store_return)
    _send_notices(tables, running_games)
    return has_ended


async def _ping_on_return(
    tables: Tables, row: GameRow, player: PlayerId, user_id: int
) -> list[OutboxMessage]:
    """The ping for a user who is back, if it is their turn in this game; empty otherwise."""
    try:
        async with tables.reading(row.id) as live:
            plays_seat = user_id in live.users_to_ping(player)
            must_act = plays_seat and player in await players_who_must_act(tables.db, live)
            return [TurnChange((player,), None).notice()] if must_act else []
    except Refused:
        return []  # damaged: nobody can act in it


async def _running_games_of(tables: Tables, user_id: int, now: str) -> list[tuple[GameRow, PlayerId, str]]:
    """Running games in which a user plays now, as holder or substitute: (game, player, display name in bold)."""
    running_games = []
    for row in await seats.running_games_of_user(tables.db, user_id):
        substitutes = seats.substitutes(await seats.seat_entries(tables.db, row.id), now)
        for seat in await seats.seats(tables.db, row.id):
            substitute = substitutes.get(seat.player_id)
            if user_id == (seat.user_id if substitute is None else substitute.user_id):
                name = seat.display_name if substitute is None else substitute.display_name
                running_games.append((row, seat.player_id, strong(name)))
    return running_games


def _send_notices(tables: Tables, running_games: Sequence[tuple[GameRow, PlayerId, str]]) -> None:
    for row, _, _ in running_games:
        tables.on_notice(row.id)


def absence_examples(now: datetime) -> str:
    """A sentence with examples of what to type after `/away`."""
    example_date = (now + _EXAMPLE_ABSENCE).date()
    return f"Type days or a date: `/away until:10 days`, `/away until:{example_date}`. `/away until:back` ends it."


def parse_absence_end(typed_text: str, now: datetime, zone: str) -> datetime:
    """The end of an absence from typed text: `10`, `10 days`, `36 hours`, or a date such as `2027-03-01`.

    A date means the start of that day in the time zone `zone`. Raises Refused.
    """
    text = typed_text.strip().casefold().removeprefix("until ")
    duration = parse_duration(f"{text} days" if text.isdecimal() else text)
    absence_end = now + duration if duration is not None else _start_of_day(text, zone)
    if absence_end is None:
        raise Refused(
            f"{strong(typed_text)} is neither a date nor a duration of up to {MAX_DURATION.days} days. "
            f"{absence_examples(now)}"
        )
    if absence_end <= now:
        raise Refused(f"{discord_time(absence_end)} is in the past. {absence_examples(now)}")
    if absence_end - now > MAX_DURATION:
        raise Refused(
            f"You can be away for at most {MAX_DURATION.days} days. For longer, give up your seat "
            "with `/game replace`."
        )
    return absence_end


def _start_of_day(text: str, zone: str) -> datetime | None:
    try:
        day = date.fromisoformat(text)
        return datetime(day.year, day.month, day.day, tzinfo=ZoneInfo(zone)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _deadlines_text(clock_stop_end: datetime | None, absence_end: datetime) -> str:
    if clock_stop_end is None or clock_stop_end >= absence_end:
        return "no deadlines and no pings"
    return f"no deadlines until the away budget ends {discord_time(clock_stop_end)}, and no pings"


async def _add_notices(tx: Transaction, notices_by_game: dict[int, list[OutboxMessage]], now: str) -> None:
    for game_id, game_notices in notices_by_game.items():
        if (await games.lock_and_read(tx, game_id)).status == "running":
            await outbox.add_notices(tx, game_id, await log.newest_seq(tx, game_id), game_notices, now)


_RETURNED_HOLDER_ROLES = (["group", "holder"], ["caretaker", "holder"])


async def begin_substitution(
    tables: Tables, game_id: int, holder: int, substitute: tuple[int, str], days: int | None
) -> str:
    """Let a substitute (user id, name) play the seat of a holder (user id); returns the public line. Raises Refused.

    The substitute plays for `days` days or, if `days` is None, until the holder comes back.
    """
    async with tables.reading(game_id) as live:
        player, (user_id, name) = _player_of_holder(live, holder), substitute
        if live.player_of(user_id) is not None:
            raise Refused(f"<@{user_id}> already plays in this game.")
        now = tables.clock()
        end = None if days is None else parse_timestamp(now) + timedelta(days=days)
        end_timestamp = None if end is None else format_timestamp(end)
        end_text = "" if end is None else f" until <t:{int(end.timestamp())}:f>"
        holder_name = strong(live.name_of(player))
        text = f"<@{user_id}> plays for {holder_name} from move {live.seq + 1} on{end_text}. `/game back` ends this."
        seat_entry = SeatEntry(
            player, "substitute", user_id, harmless_name(name), live.seq, end_timestamp, now
        )
        game_notices = await _announcement(tables, live, player, text)
        if not await must_act_at_once(tables.db, live, player):
            # A mention adds the substitute to the thread. If the seat must act, its ping mentions them.
            game_notices.append(ThreadPing((user_id,), f"You play for {holder_name} here.").notice())
        await seats.record_seat_change(tables.db, game_id, seat_entry, notices=game_notices)
    tables.reload_and_post(game_id)
    return text


async def end_substitution(tables: Tables, game_id: int, holder: int) -> str:
    """Return the seat from the substitute to its holder (user id); returns the public line. Raises Refused."""
    async with tables.reading(game_id) as live:
        player = _player_of_holder(live, holder)
        name = live.name_of(player)
        if _has_just_returned(live, player):
            return f"{strong(name)} plays again."
        if player not in live.substitutes:
            raise Refused("You have no substitute in this game.")
        text = f"{strong(name)} is back from move {live.seq + 1} on."
        await _return_seat(tables, live, player, text)
    tables.reload_and_post(game_id)
    return text


async def expire_substitution(tables: Tables, game_id: int, player: PlayerId) -> None:
    """Return a seat to its holder if the substitution has expired, and announce this in the game's thread.

    The holder is pinged if they must act.
    """
    async with tables.reading(game_id) as live:
        newest_entry = [s for s in live.seat_history if s.player_id == player][-1]
        if newest_entry.role != "substitute" or player in live.substitutes:
            return
        name = live.name_of(player)
        sentence = f"<@{newest_entry.user_id}> stops playing for {strong(name)}, as agreed"
        if newest_entry.user_id == ANONYMISED_USER:
            sentence = f"{newest_entry.display_name} stops playing for {strong(name)}"
        await _return_seat(tables, live, player, f"{sentence}. {strong(name)} plays again.")
    tables.reload_and_post(game_id)


async def _return_seat(tables: Tables, live: LiveGame, player: PlayerId, text: str) -> None:
    name, now = live.name_of(player), tables.clock()
    seat_entry = SeatEntry(player, "holder", live.holder_of(player), name, live.seq, None, now)
    game_notices = await _announcement(tables, live, player, text)
    await seats.record_seat_change(tables.db, live.id, seat_entry, notices=game_notices)


async def _announcement(tables: Tables, live: LiveGame, player: PlayerId, text: str) -> list[OutboxMessage]:
    must_act = await must_act_at_once(tables.db, live, player)
    pings = [notices.TurnChange((player,), None).notice()] if must_act else []
    return notices.note_notices(text, *pings, is_new_post=True)


def _has_just_returned(live: LiveGame, player: PlayerId) -> bool:
    """True if the seat's holder has just come back to play the seat.

    Before, the other players together or a computer player played it. False after the next move.
    """
    last_entries = [seat_entry for seat_entry in live.seat_history if seat_entry.player_id == player][-2:]
    return (
        last_entries[-1].since == live.seq
        and [entry.role for entry in last_entries] in _RETURNED_HOLDER_ROLES
    )


def _player_of_holder(live: LiveGame, holder: int) -> PlayerId:
    for seat in live.seats:
        if seat.user_id == holder:
            return seat.player_id
    raise NotPermitted("Only the player who has the seat can do this, not a substitute.")
