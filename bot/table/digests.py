"""Direct messages: the daily digest of games in which it is a user's move, and notifications of ended orders."""

from collections.abc import Sequence
from datetime import UTC, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from bot.table.markdown import strong
from bot.table.settings.person_settings import person_settings
from bot.table.tables import Tables
from storage import (
    PEOPLE,
    GameRow,
    Transaction,
    direct_messages,
    format_timestamp,
    games,
    parse_timestamp,
    waiting_games,
)

NEXT: Final = "digest_next"
"""The key under which stands when the next one is due (ISO 8601 in UTC)."""
LISTED: Final = 12
"""At most this many games are listed; of more, their number."""


def next_digest(now: datetime, at: time, zone: str) -> datetime:
    """The next digest at this time of day in a zone."""
    today = now.astimezone(ZoneInfo(zone)).date()
    days = (datetime.combine(today + timedelta(days=n), at, ZoneInfo(zone)) for n in (0, 1))
    return next(due for due in (day.astimezone(UTC) for day in days) if due > now)


async def plan_digest(tables: Tables, user_id: int) -> None:
    """Schedule a user's next digest, if they want one."""
    person, now = await person_settings(tables.db, user_id), parse_timestamp(tables.clock())
    if person.digest is None:
        await PEOPLE.forget(tables.db, user_id, NEXT)
    else:
        await PEOPLE.put(
            tables.db, user_id, NEXT, format_timestamp(next_digest(now, person.digest, person.zone))
        )


async def write_digests(tables: Tables) -> None:
    """Queue every due digest; a user without a turn gets none."""
    # People belong to no server: the process with the first shard writes to all.
    if 0 in tables.share.shards:
        for user_id in await PEOPLE.up_to(tables.db, NEXT, tables.clock()):
            await _write_digest(tables, user_id)


async def _write_digest(tables: Tables, user_id: int) -> None:
    person, now = await person_settings(tables.db, user_id), parse_timestamp(tables.clock())
    waiting = [] if person.is_away(now) else await waiting_games.waiting_for(tables.db, user_id)
    rows = [await games.get_game(tables.db, game_id) for game_id in waiting]
    at = person.digest

    async def change(tx: Transaction) -> None:
        if at is not None:
            await PEOPLE.write(tx, user_id, NEXT, format_timestamp(next_digest(now, at, person.zone)))
        if at is not None and rows:
            await direct_messages.queue_message(
                tx, user_id, _digest_text(rows), (), rows[0].id, tables.clock()
            )

    await tables.db.write(change)


def _digest_text(rows: Sequence[GameRow]) -> str:
    many = "1 game" if len(rows) == 1 else f"{len(rows)} games"
    listed = [f"[{strong(row.name)}, game {row.id}]({turn_link(row)})" for row in rows[:LISTED]]
    more = [f"and {len(rows) - LISTED} more: `/mine` lists all."] if len(rows) > LISTED else []
    return "\n".join([f"Your move in {strong(many)}:", *listed, *more])


def turn_link(row: GameRow) -> str:
    """Link of a direct message: to the turn message, else to the thread, else to the channel."""
    place = f"https://discord.com/channels/{row.guild_id}/{row.thread_id or row.channel_id}"
    return f"{place}/{row.turn_message_id}" if row.turn_message_id else place
