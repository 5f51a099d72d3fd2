"""Absences: for a time a user is not pinged, and their clocks stop, in all their games."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from bot.table.clocks.clocks import SINCE, away, of_game
from bot.table.durations import LONGEST, span_of
from bot.table.errors import Refused
from bot.table.orders.sealed import waited_for
from bot.table.outbox.notices import TurnChange, aside
from bot.table.settings.person_settings import AWAY, person_settings
from bot.table.style import strong
from bot.table.tables import Tables
from engine.core.ids import PlayerId
from storage import Transaction, games
from storage.games import Game
from storage.log import log
from storage.posts import outbox, pings
from storage.posts.outbox import OutboxMessage
from storage.settings import PEOPLE
from storage.tables import clocks, seat_history, seats
from storage.timestamps import moment, stored

BACK: Final = frozenset({"back", "now", "none"})
"""What a user types when they are back."""
_EXAMPLE: Final = timedelta(days=30)
"""How far ahead the day lies that is given as an example: it must not be over, nor further than one can be away."""


async def away_status(tables: Tables, user_id: int) -> str:
    """Until when somebody is away."""
    until = await PEOPLE.get(tables.db, user_id, AWAY)
    how = how_typed(moment(tables.clock()))
    return how if until is None else f"You are away until {_stamp(moment(until))}. {how}"


async def be_away(tables: Tables, user_id: int, typed: str) -> str:
    """Be away until what was typed: days, hours or a date in the person's zone; or be back."""
    if typed.strip().casefold() in BACK:
        return await come_back(tables, user_id)
    now = moment(tables.clock())
    zone = (await person_settings(tables.db, user_id)).zone
    return await begin_absence(tables, user_id, until_typed(typed, now, zone))


async def begin_absence(tables: Tables, user_id: int, until: datetime) -> str:
    """Be away until a time; every game of the user says so."""
    now, text = tables.clock(), stored(until)
    played, stamp = await _played(tables, user_id, now), _stamp(until)
    ends = {row.id: await _clock_stands(tables, row, player, until, now) for row, player, _ in played}
    lines = {
        row.id: aside(f"{name} is away until {stamp}: {_deadlines(ends[row.id], until)}.")
        for row, _, name in played
    }

    async def change(tx: Transaction) -> None:
        since = await PEOPLE.read(tx, user_id, SINCE)
        await PEOPLE.write(tx, user_id, AWAY, text)
        await PEOPLE.write(tx, user_id, SINCE, since or now)
        await _post(tx, lines, now)

    await tables.db.write(change)
    _wake(tables, played)
    acts = "You may act meanwhile, which does not end it; `/away until:back` does."
    limits = "".join(
        f" In game {game_id} your away budget lasts until {_stamp(end)}; then your deadline runs again."
        for game_id, end in ends.items()
        if end is not None and end < until
    )
    runs = "You are not pinged." if limits else "None of your deadlines runs, and you are not pinged."
    return f"You are away until {stamp}. {runs}{limits} {acts}"


async def _clock_stands(
    tables: Tables, row: Game, player: PlayerId, until: datetime, now: str
) -> datetime | None:
    """Until when the player's clock stands in a game, by its away budget; None where it has no time bank."""
    there = await of_game(tables.db, tables.share, row, now)
    return None if there is None else there.budget_ends(player, until)


async def come_back(tables: Tables, user_id: int) -> str:
    """Be back before the time that was said."""
    if not await _end(tables, user_id):
        raise Refused(f"You are not away. {how_typed(moment(tables.clock()))}")
    return "You are back: deadlines run again, and you are pinged where it is your turn."


async def end_absences(tables: Tables) -> None:
    """End the absences that have run out."""
    now = moment(tables.clock())
    for user_id in await PEOPLE.having(tables.db, AWAY):
        until = await PEOPLE.get(tables.db, user_id, AWAY)
        if until is not None and moment(until) <= now:
            await _end(tables, user_id)


async def _end(tables: Tables, user_id: int) -> bool:
    """End an absence, in one step with what tells of it; False, and nothing, where it has ended."""
    now = tables.clock()
    played = await _played(tables, user_id, now)
    posts = {
        row.id: aside(f"{name} is back.", *await _call(tables, row, player, user_id))
        for row, player, name in played
    }

    sat = {
        row.id: await seat_history.history(tables.db, row.id)
        for row in await seat_history.running_with(tables.db, user_id)
    }

    async def change(tx: Transaction) -> bool:
        until, since = await PEOPLE.read(tx, user_id, AWAY), await PEOPLE.read(tx, user_id, SINCE)
        if until is None:
            return False
        for game_id, people in sat.items():
            for one in away(people, user_id, since or now, min(until, now)):
                await clocks.stand_if_timed(tx, game_id, one)
        for key in (AWAY, SINCE):
            await PEOPLE.erase(tx, user_id, key)
        await pings.look_again(tx, user_id, now)
        await _post(tx, posts, now)
        return True

    ended = await tables.db.write(change)
    _wake(tables, played)
    return ended


async def _call(tables: Tables, row: Game, player: PlayerId, user_id: int) -> list[OutboxMessage]:
    """The ping to a game that waits for the player, unless others play the seat."""
    try:
        async with tables.reading(row.id) as live:
            plays = user_id in live.people_of(player)
            waits = plays and player in await waited_for(tables.db, live)
            return [TurnChange((player,), None, renewed=True).notice()] if waits else []
    except Refused:
        return []  # it is damaged: nobody can act there


async def _played(tables: Tables, user_id: int, now: str) -> list[tuple[Game, PlayerId, str]]:
    """The running games in which a user plays, as which player, and that player's name."""
    found = []
    for row in await seat_history.running_with(tables.db, user_id):
        standing_in = seat_history.substitutes(await seat_history.history(tables.db, row.id), now)
        for seat in await seats.seats(tables.db, row.id):
            substitute = standing_in.get(seat.player_id)
            if user_id == (seat.user_id if substitute is None else substitute.user_id):
                name = seat.display_name if substitute is None else substitute.display_name
                found.append((row, seat.player_id, strong(name)))
    return found


def _wake(tables: Tables, played: Sequence[tuple[Game, PlayerId, str]]) -> None:
    for row, _, _ in played:
        tables.on_notice(row.id)


def how_typed(now: datetime) -> str:
    """How an absence is typed that begins now, by examples."""
    day = (now + _EXAMPLE).date()
    return f"Say until when: `/away until:10 days`, `/away until:{day}`; `/away until:back` ends it."


def until_typed(typed: str, now: datetime, zone: str) -> datetime:
    """The moment that was typed: `10` or `10 days` from now on, `36 hours`, or the beginning of a day in a zone.

    Raises Refused.
    """
    text = typed.strip().casefold().removeprefix("until ")
    span = span_of(f"{text} days" if text.isdecimal() else text)
    until = now + span if span is not None else _day(text, zone)
    if until is None:
        raise Refused(
            f"{strong(typed)} is neither a date nor a time of at most {LONGEST.days} days. {how_typed(now)}"
        )
    if until <= now:
        raise Refused(f"{_stamp(until)} is over. {how_typed(now)}")
    if until - now > LONGEST:
        raise Refused(f"You can be away for at most {LONGEST.days} days: `/game replace` finds a new player.")
    return until


def _day(text: str, zone: str) -> datetime | None:
    try:
        day = date.fromisoformat(text)
        return datetime(day.year, day.month, day.day, tzinfo=ZoneInfo(zone)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _stamp(at: datetime) -> str:
    """A timestamp as Discord shows it, in each reader's own zone."""
    return f"<t:{int(at.timestamp())}:f>"


def _deadlines(end: datetime | None, until: datetime) -> str:
    """What a game says of deadlines of a player who is away."""
    if end is None or end >= until:
        return "no deadline runs, and there are no pings"
    return f"the away budget lasts until {_stamp(end)}, then deadlines run again; there are no pings"


async def _post(tx: Transaction, posts: dict[int, list[OutboxMessage]], now: str) -> None:
    for game_id, pending in posts.items():
        if (await games.hold(tx, game_id)).status == "running":
            await outbox.add(tx, game_id, await log.newest(tx, game_id), pending, now)
