"""Checks if a user may see a game's thread or channel, for pages outside of Discord."""

import discord
from discord.abc import GuildChannel

from storage import GameRow


async def may_see(client: discord.Client, row: GameRow, user_id: int) -> bool:
    """True if a user may see a game's thread, or its channel if the thread is deleted.

    Raises DISCORD_ERRORS if Discord does not answer.
    """
    try:
        guild = await client.fetch_guild(row.guild_id, with_counts=False)
        member = await guild.fetch_member(user_id)
        thread = await _fetch_thread(client, row)
        place = row.channel_id if thread is None else thread.parent_id
        channel = next((channel for channel in await guild.fetch_channels() if channel.id == place), None)
        return channel is not None and await _member_may_see(member, channel, thread)
    except (discord.NotFound, discord.Forbidden):
        return False


async def may_see_channel(client: discord.Client, guild_id: int, channel_id: int, user_id: int) -> bool:
    """True if a user may see a channel of a server; raises DISCORD_ERRORS if Discord does not answer."""
    try:
        guild = await client.fetch_guild(guild_id, with_counts=False)
        member = await guild.fetch_member(user_id)
        channel = next(
            (channel for channel in await guild.fetch_channels() if channel.id == channel_id), None
        )
        return channel is not None and channel.permissions_for(member).view_channel
    except (discord.NotFound, discord.Forbidden):
        return False


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
