"""Checks that a user may see a game's thread or channel on Discord, for pages in a browser."""

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias

import discord
from discord.abc import GuildChannel

from storage import GameRow

_FindThread: TypeAlias = Callable[[discord.Client, GameRow], Awaitable[discord.Thread | None]]


async def may_see(client: discord.Client, row: GameRow, user_id: int) -> bool:
    """True if a user may see a game's thread or, if that was deleted, its channel.

    Raises DISCORD_ERRORS if Discord does not answer.
    """
    return bool(await _visible_game_ids(client, [row], user_id, _fetch_thread))


async def visible_games(client: discord.Client, rows: Sequence[GameRow], user_id: int) -> frozenset[int]:
    """Ids of the games that a user may see; `rows` are one or more games of one server. Raises DISCORD_ERRORS.

    Discord is asked about the member, the channels, and threads that the client does not know, such as archived ones.
    """
    return await _visible_game_ids(client, rows, user_id, _find_thread)


async def _visible_game_ids(
    client: discord.Client, rows: Sequence[GameRow], user_id: int, thread_of: _FindThread
) -> frozenset[int]:
    try:
        guild = await client.fetch_guild(rows[0].guild_id, with_counts=False)
        member = await guild.fetch_member(user_id)
        channel_by_id = {channel.id: channel for channel in await guild.fetch_channels()}
    except (discord.NotFound, discord.Forbidden):
        return frozenset()

    async def user_sees_game(row: GameRow) -> bool:
        try:
            thread = await thread_of(client, row)
            channel = channel_by_id.get((row.channel_id if thread is None else thread.parent_id) or 0)
            return channel is not None and await _member_may_see(member, channel, thread)
        except (discord.NotFound, discord.Forbidden):
            return False

    return frozenset([row.id for row in rows if await user_sees_game(row)])


async def may_see_channel(client: discord.Client, guild_id: int, channel_id: int, user_id: int) -> bool:
    """True if a user may see a server's channel; raises DISCORD_ERRORS if Discord does not answer."""
    try:
        guild = await client.fetch_guild(guild_id, with_counts=False)
        member = await guild.fetch_member(user_id)
        channel = next(
            (channel for channel in await guild.fetch_channels() if channel.id == channel_id), None
        )
        return channel is not None and channel.permissions_for(member).view_channel
    except (discord.NotFound, discord.Forbidden):
        return False


async def _find_thread(client: discord.Client, row: GameRow) -> discord.Thread | None:
    cached_thread = client.get_channel(row.thread_id or 0)
    return cached_thread if isinstance(cached_thread, discord.Thread) else await _fetch_thread(client, row)


async def _fetch_thread(client: discord.Client, row: GameRow) -> discord.Thread | None:
    if row.thread_id is None:
        return None
    try:
        thread = await client.fetch_channel(row.thread_id)
    except discord.NotFound:
        return None
    return thread if isinstance(thread, discord.Thread) else None


async def _member_may_see(
    member: discord.Member, channel: GuildChannel, thread: discord.Thread | None
) -> bool:
    permissions = channel.permissions_for(member)
    if (
        not permissions.view_channel
        or thread is None
        or not thread.is_private()
        or permissions.manage_threads
    ):
        return permissions.view_channel
    try:
        await thread.fetch_member(member.id)
    except discord.NotFound:
        return False
    return True
