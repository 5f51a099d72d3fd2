"""Finds deleted threads and channels, by Discord's events or, after a start, by comparing stored games with Discord."""

import logging
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

import discord

from bot.client.bot_client import BotClient
from bot.client.places.lost_threads import missing_thread_advice
from bot.client.requests.permission_problems import DISCORD_ERRORS
from storage import GUILD_SETTINGS, GameRow, StorageError, games

_log = logging.getLogger("stationmaster.announce")

REPORTED_THREAD_KEY_PREFIX: Final = "posted that a thread is missing"
"""Start of a server setting's key, which continues with a game id.

The setting's value is the deleted thread that was already reported to the game's players.
"""


async def handle_deleted_thread(client: BotClient, thread_id: int) -> None:
    """If a running game's thread was deleted, tell its players in the channel."""
    row = await _running_game_of_thread(client, thread_id)
    if row is not None:
        await _report_lost_thread(client, row)


async def handle_deleted_channel(client: BotClient, guild_id: int, channel_id: int) -> None:
    """Close the lobbies of a deleted channel. Its running games wait until a moderator moves them."""
    lobbies = await games.list_games(client.tables.db, guild_id, "lobby")
    for row in [*lobbies, *await games.list_games(client.tables.db, guild_id, "running")]:
        if row.channel_id == channel_id:
            await _handle_missing_channel(client, row)


async def handle_thread_update(client: BotClient, thread: Mapping[str, Any]) -> None:
    """Reopen a running game's thread if Discord archived it for inactivity."""
    if not was_archived_when_idle(thread) or await _running_game_of_thread(client, int(thread["id"])) is None:
        return
    try:
        await client.threads.exists_on_discord(int(thread["id"]))
    except DISCORD_ERRORS as error:
        _log.info("cannot reopen thread %s; the next post will: %r", thread["id"], error)


async def check_shard(client: BotClient, shard_id: int) -> None:
    """Find deleted threads and channels of a shard's games.

    Discord does not list archived or deleted threads, so it is asked about each thread that it did not list.
    """
    db, own_shards = client.tables.db, client.tables.shards
    try:
        for row in [
            *await games.games_with_status(db, "lobby", own_shards),
            *await games.games_with_status(db, "running", own_shards),
        ]:
            guild = client.get_guild(row.guild_id)
            if guild is not None and guild.shard_id == shard_id:
                await _check_thread_of_game(client, guild, row)
    except StorageError as error:
        _log.warning("cannot check for deleted threads; the next post to one will notice: %s", error)


async def _check_thread_of_game(client: BotClient, guild: discord.Guild, row: GameRow) -> None:
    if guild.get_channel(row.channel_id) is None:
        await _handle_missing_channel(client, row)
    # Without a board post the thread is still being made.
    elif row.board_message_id is not None and guild.get_thread(row.thread_id or 0) is None:
        await _check_thread_on_discord(client, row, row.thread_id or 0)


async def _check_thread_on_discord(client: BotClient, row: GameRow, thread_id: int) -> None:
    try:
        channel = await client.fetch_channel(thread_id)
        if isinstance(channel, discord.Thread) and _was_thread_archived_when_idle(channel):
            await channel.edit(archived=False)
    except discord.NotFound:
        await _report_lost_thread(client, row)
    except DISCORD_ERRORS as error:
        _log.info("game %s: cannot read its thread: %r", row.id, error)


async def _running_game_of_thread(client: BotClient, thread_id: int) -> GameRow | None:
    game_id = client.tables.game_shown_in(thread_id)
    row = None if game_id is None else await games.get_game(client.tables.db, game_id)
    return row if row and row.status == "running" and row.thread_id == thread_id else None


async def _handle_missing_channel(client: BotClient, row: GameRow) -> None:
    """After a game's channel was deleted, close the game's lobby or, if it is running, record that it must be moved."""
    if row.status == "running":
        client.lost_threads.record_missing_channel(row)
    elif row.status == "lobby":
        async with client.tables.lock(row.id):
            if (await games.get_game(client.tables.db, row.id)).status == "lobby":
                await client.lobbies.withdraw(row.id)
                _log.info("game %s: lobby closed, because its channel was deleted", row.id)


async def _report_lost_thread(client: BotClient, row: GameRow) -> None:
    if client.get_channel(row.channel_id) is None:
        client.lost_threads.record_missing_channel(row)
        return
    client.lost_threads.record_missing_thread(row)
    if client.threads.forums.forum_of(row) is not None:
        return  # no message can be posted in a forum itself; lists of games show the problem
    key, value = f"{REPORTED_THREAD_KEY_PREFIX}: {row.id}", str(row.thread_id)
    if await GUILD_SETTINGS.get(client.tables.db, row.guild_id, key) == value:
        return  # reported already
    channel = client.get_partial_messageable(row.channel_id, guild_id=row.guild_id)
    try:
        await channel.send(f"**Game {row.id}: {row.name}** {missing_thread_advice(row.id)}", silent=True)
    except DISCORD_ERRORS as error:
        _log.info("game %s: cannot report the missing thread in its channel: %r", row.id, error)
        return
    await GUILD_SETTINGS.put(client.tables.db, row.guild_id, key, value)


def was_archived_when_idle(thread: Mapping[str, Any]) -> bool:
    """True if Discord archived a thread for inactivity; False if the thread is open or a user closed it."""
    metadata = thread["thread_metadata"]
    if not metadata["archived"] or metadata.get("locked"):
        return False
    last_message_id = int(thread.get("last_message_id") or thread["id"])
    return _was_thread_idle(
        last_message_id,
        datetime.fromisoformat(metadata["archive_timestamp"]),
        metadata["auto_archive_duration"],
    )


def _was_thread_archived_when_idle(thread: discord.Thread) -> bool:
    last_message_id = thread.last_message_id or thread.id
    was_idle = _was_thread_idle(last_message_id, thread.archive_timestamp, thread.auto_archive_duration)
    return thread.archived and not thread.locked and was_idle


def _was_thread_idle(last_message_id: int, archived_at: datetime, idle_minutes: int) -> bool:
    return archived_at - discord.utils.snowflake_time(last_message_id) >= timedelta(minutes=idle_minutes)
