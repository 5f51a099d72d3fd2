"""The daily digest: a direct message that lists the games in which it is the user's turn."""

from collections.abc import Sequence
from datetime import UTC, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from bot.table.markdown import strong
from bot.table.settings.person_settings import person_settings
from bot.table.tables import Tables
from storage import (
    PERSON_SETTINGS,
    GameRow,
    Transaction,
    direct_messages,
    format_timestamp,
    games,
    overviews,
    parse_timestamp,
)

NEXT_DIGEST_KEY: Final = "digest_next"
"""Key of the user setting that stores the time of the next digest (ISO 8601, UTC)."""
MAX_LISTED_GAMES: Final = 12
"""Maximum number of games that a digest lists; it only counts the rest."""


def next_digest_time(now: datetime, time_of_day: time, zone: str) -> datetime:
    """The next date and time when local clocks in `zone` show `time_of_day`."""
    today = now.astimezone(ZoneInfo(zone)).date()
    possible_times = (
        datetime.combine(today + timedelta(days=n), time_of_day, ZoneInfo(zone)) for n in (0, 1)
    )
    return next(
        digest_time
        for digest_time in (candidate.astimezone(UTC) for candidate in possible_times)
        if digest_time > now
    )


async def schedule_digest(tables: Tables, user_id: int) -> None:
    """Schedule a user's next digest, if the user has chosen to get digests."""
    person, now = await person_settings(tables.db, user_id), parse_timestamp(tables.clock())
    if person.digest is None:
        await PERSON_SETTINGS.forget(tables.db, user_id, NEXT_DIGEST_KEY)
    else:
        await PERSON_SETTINGS.put(
            tables.db,
            user_id,
            NEXT_DIGEST_KEY,
            format_timestamp(next_digest_time(now, person.digest, person.zone)),
        )


async def queue_digests(tables: Tables) -> None:
    """Queue all due digests. A user gets none if no game waits for them."""
    # Users belong to no server, so only the process with the first shard writes digests.
    if 0 in tables.shards.shards:
        for user_id in await PERSON_SETTINGS.owners_with_value_at_most(
            tables.db, NEXT_DIGEST_KEY, tables.clock()
        ):
            await _write_digest(tables, user_id)


async def _write_digest(tables: Tables, user_id: int) -> None:
    person, now = await person_settings(tables.db, user_id), parse_timestamp(tables.clock())
    waiting_game_ids = [] if person.is_away(now) else await overviews.games_waiting_for(tables.db, user_id)
    rows = [await games.get_game(tables.db, game_id) for game_id in waiting_game_ids]
    time_of_day = person.digest

    async def write_digest(tx: Transaction) -> None:
        if time_of_day is not None:
            await PERSON_SETTINGS.write(
                tx,
                user_id,
                NEXT_DIGEST_KEY,
                format_timestamp(next_digest_time(now, time_of_day, person.zone)),
            )
        if time_of_day is not None and rows:
            await direct_messages.queue_message(
                tx, user_id, _digest_text(rows), (), rows[0].id, tables.clock()
            )

    await tables.db.write(write_digest)


def _digest_text(rows: Sequence[GameRow]) -> str:
    games_count = "1 game" if len(rows) == 1 else f"{len(rows)} games"
    game_links = [f"[{strong(row.name)}, game {row.id}]({turn_link(row)})" for row in rows[:MAX_LISTED_GAMES]]
    omitted_games_line = (
        [f"and {len(rows) - MAX_LISTED_GAMES} more: `/mine` lists all."]
        if len(rows) > MAX_LISTED_GAMES
        else []
    )
    return "\n".join([f"Your move in {strong(games_count)}:", *game_links, *omitted_games_line])


def turn_link(row: GameRow) -> str:
    """The URL of a game for a direct message: its turn message, or else its thread or channel."""
    thread_url = f"https://discord.com/channels/{row.guild_id}/{row.thread_id or row.channel_id}"
    return f"{thread_url}/{row.turn_message_id}" if row.turn_message_id else thread_url
