"""Automatic starts of lobbies: when full, or at a date."""

from datetime import date, datetime
from typing import Final
from zoneinfo import ZoneInfo

from bot.table.errors import Refused
from bot.table.markdown import discord_time, strong
from bot.table.settings.person_settings import time_of_day
from bot.table.settings.table_settings import START, START_DATE_FORMAT, start_time
from storage import GAME_SETTINGS, Database, Transaction, games

MISSED_START_KEY: Final = "missed start"
"""Key of the game setting that stores why a lobby did not start at its date."""
STARTING_KEY: Final = "starting"
"""Key of the game setting that marks a lobby which has just started, until its message is updated."""


def start_value_from_text(typed_day: str, typed_time: str, zone: str) -> str:
    """The value of the start setting for a typed date and time of day in `zone`; raises Refused."""
    try:
        typed_date = date.fromisoformat(typed_day.strip())
    except ValueError:
        raise Refused(f"{strong(typed_day)} is not a date. Type it like `2030-12-31`.") from None
    local_time = datetime.combine(typed_date, time_of_day(typed_time), ZoneInfo(zone))
    return local_time.astimezone(ZoneInfo("UTC")).strftime(START_DATE_FORMAT)


def require_possible_start(value: str, now: datetime, expiry: datetime) -> None:
    """Raise Refused if the start date is in the past, or after the lobby's expiry."""
    start = start_time(value)
    if start is None:
        return
    if start <= now:
        raise Refused(f"{discord_time(start)} is in the past. Choose a later time.")
    if start >= expiry:
        raise Refused(f"This lobby closes {discord_time(expiry)}. Choose a time before that.")


async def write_start(tx: Transaction, game_id: int, value: str) -> None:
    """Store when a lobby starts, within a transaction. The reason for an earlier missed start is deleted."""
    await GAME_SETTINGS.forget_in_transaction(tx, game_id, MISSED_START_KEY)
    if value == START.default:
        await GAME_SETTINGS.forget_in_transaction(tx, game_id, START.name)
    else:
        await GAME_SETTINGS.write(tx, game_id, START.name, value)


async def record_missed_start(db: Database, game_id: int, value: str, reason: str) -> None:
    """Store why a lobby did not start, unless its start setting has changed from `value`.

    The setting stays until the lobby's message shows the reason.
    """

    async def write_reason(tx: Transaction) -> None:
        await games.lock_game(tx, game_id)
        if await GAME_SETTINGS.get(tx, game_id, START.name) == value:
            await GAME_SETTINGS.write(tx, game_id, MISSED_START_KEY, reason)

    await db.write(write_reason)


async def forget_missed_start(db: Database, game_id: int) -> None:
    """Reset the start setting of a lobby that missed its start, unless a new start has been chosen."""

    async def forget_start(tx: Transaction) -> None:
        await games.lock_game(tx, game_id)
        if await GAME_SETTINGS.get(tx, game_id, MISSED_START_KEY) is not None:
            await GAME_SETTINGS.forget_in_transaction(tx, game_id, START.name)

    await db.write(forget_start)
