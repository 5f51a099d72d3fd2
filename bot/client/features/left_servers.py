"""Servers that the bot has left: stored data is kept for 90 days, then players are anonymised."""

import logging
from datetime import timedelta
from typing import Final

from bot.client.anonymise_user import anonymise
from bot.client.bot_client import BotClient, PeriodicCheck
from bot.client.requests.retries import HOUR
from storage import (
    GUILDS,
    games,
    moving,
    outbox,
    parse_timestamp,
    personal_data,
    settings,
)

_log = logging.getLogger("stationmaster.departures")

KEPT: Final = timedelta(days=90)
"""The time for which a server's data are kept after the bot has left it."""
FORGOTTEN: Final = "forgotten"
"""The mark of a server whose data are deleted."""


async def guild_removed(client: BotClient, guild_id: int) -> None:
    """Record the removal from a server, if it has stored data."""
    if guild_id in await moving.guilds(client.tables.db):
        await _is_gone(client, guild_id)


async def guild_is_back(client: BotClient, guild_id: int) -> None:
    """Post what waited while the bot was away from a server."""
    tables = client.tables
    if await GUILDS.get(tables.db, guild_id, settings.LEFT) is None:
        return
    await GUILDS.forget(tables.db, guild_id, settings.LEFT)
    for row in await games.list_games(tables.db, guild_id, "running"):
        tables.on_notice(row.id)


async def _compare(client: BotClient) -> None:
    """Compare the servers with stored data with those of the bot.

    It may have been sent away, or invited again, while it was not running.
    """
    present = {guild.id for guild in client.guilds}
    for guild_id in await moving.guilds(client.tables.db):
        if guild_id and client.tables.share.holds(guild_id):
            await (guild_is_back if guild_id in present else _is_gone)(client, guild_id)


REMOVALS: Final = PeriodicCheck("servers the bot has left", _compare, HOUR)


async def _is_gone(client: BotClient, guild_id: int) -> None:
    """Record the removal's time, or forget the server after long enough."""
    db, now = client.tables.db, client.tables.clock()
    left = await GUILDS.get(db, guild_id, settings.LEFT)
    if left is None:
        await GUILDS.put(db, guild_id, settings.LEFT, now)
        _log.info("the bot left server %s; its games are kept for %s days", guild_id, KEPT.days)
    elif left != FORGOTTEN and parse_timestamp(left) + KEPT <= parse_timestamp(now):
        await _forget(client, guild_id)


async def _forget(client: BotClient, guild_id: int) -> None:
    db = client.tables.db
    for row in await games.list_games(db, guild_id):
        if row.status in ("lobby", "running"):
            await games.abandon(db, row.id)
        client.tables.forget(row.id)
    for person in await personal_data.users_of_guild(db, guild_id):
        await anonymise(client, person, guild_id)
    await outbox.drop(db, guild_id)
    await GUILDS.forget_all(db, guild_id)
    await GUILDS.put(db, guild_id, settings.LEFT, FORGOTTEN)
    await db.vacuum()
    _log.info(
        "the bot left server %s %s days ago; players of its games are now anonymised", guild_id, KEPT.days
    )
