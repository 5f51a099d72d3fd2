"""Servers that the bot has left: 90 days later, their games are abandoned and their users anonymised."""

import logging
from datetime import timedelta
from typing import Final

from bot.client.anonymise_user import anonymise
from bot.client.bot_client import BotClient, PeriodicCheck
from bot.client.requests.retries import HOUR_SECONDS
from storage import (
    GUILD_SETTINGS,
    games,
    moving,
    outbox,
    parse_timestamp,
    personal_data,
    settings,
)

_log = logging.getLogger("stationmaster.departures")

DATA_RETENTION: Final = timedelta(days=90)
"""Time for which a server's data is kept after the bot has left the server."""
DATA_DELETED_MARK: Final = "forgotten"
"""Value of the server setting LEFT_SERVER_KEY after the server's data was deleted."""


async def handle_guild_removal(client: BotClient, guild_id: int) -> None:
    """Record that the bot has left a server, if any data of the server is stored."""
    if guild_id in await moving.guilds_with_data(client.tables.db):
        await _record_removal(client, guild_id)


async def handle_guild_return(client: BotClient, guild_id: int) -> None:
    """If the bot is back on a server that it had left, post the notices that have waited."""
    tables = client.tables
    if await GUILD_SETTINGS.get(tables.db, guild_id, settings.LEFT_SERVER_KEY) is None:
        return
    await GUILD_SETTINGS.forget(tables.db, guild_id, settings.LEFT_SERVER_KEY)
    for row in await games.list_games(tables.db, guild_id, "running"):
        tables.on_notice(row.id)


async def _find_left_and_rejoined_servers(client: BotClient) -> None:
    """Find servers that the bot left or rejoined while it was not running."""
    joined_server_ids = {guild.id for guild in client.guilds}
    for guild_id in await moving.guilds_with_data(client.tables.db):
        if guild_id and client.tables.shards.holds(guild_id):
            await (handle_guild_return if guild_id in joined_server_ids else _record_removal)(
                client, guild_id
            )


LEFT_SERVERS_CHECK: Final = PeriodicCheck(
    "servers the bot has left", _find_left_and_rejoined_servers, HOUR_SECONDS
)


async def _record_removal(client: BotClient, guild_id: int) -> None:
    """Record when the bot left a server; once DATA_KEPT_FOR is over, delete the server's data."""
    db, now = client.tables.db, client.tables.clock()
    left_at = await GUILD_SETTINGS.get(db, guild_id, settings.LEFT_SERVER_KEY)
    if left_at is None:
        await GUILD_SETTINGS.put(db, guild_id, settings.LEFT_SERVER_KEY, now)
        _log.info("the bot left server %s; its games are kept for %s days", guild_id, DATA_RETENTION.days)
    elif left_at != DATA_DELETED_MARK and parse_timestamp(left_at) + DATA_RETENTION <= parse_timestamp(now):
        await _delete_server_data(client, guild_id)


async def _delete_server_data(client: BotClient, guild_id: int) -> None:
    db = client.tables.db
    for row in await games.list_games(db, guild_id):
        if row.status in ("lobby", "running"):
            await games.abandon_game(db, row.id)
        client.tables.forget(row.id)
    for user_id in await personal_data.users_of_guild(db, guild_id):
        await anonymise(client, user_id, guild_id)
    await outbox.delete_outbox_of_guild(db, guild_id)
    await GUILD_SETTINGS.forget_all(db, guild_id)
    client.tables.themes.forget_all()
    await GUILD_SETTINGS.put(db, guild_id, settings.LEFT_SERVER_KEY, DATA_DELETED_MARK)
    await db.vacuum()
    _log.info(
        "the bot left server %s %s days ago; players of its games are now anonymised",
        guild_id,
        DATA_RETENTION.days,
    )
