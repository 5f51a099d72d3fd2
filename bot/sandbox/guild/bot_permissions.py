"""The refusal of what the bot may not do in a channel (docs/discord.md, permissions)."""

from __future__ import annotations

from collections.abc import Sequence

from bot.sandbox.guild import messages, permissions, seed
from bot.sandbox.guild.world import World
from bot.sandbox.model import Channel, ChannelKind, Message, Upload
from bot.sandbox.refusal import Json, Refusal

_OF_CREATOR = {"name", "archived", "auto_archive_duration", "invitable", "applied_tags"}
"""Fields that the creator of a thread may change without the right to manage threads."""


def may(world: World, channel: Channel, permission: int) -> bool:
    """True if the bot has a permission in a channel."""
    return bool(world.permissions(seed.BOT_ID, channel) & permission)


def require(world: World, channel: Channel, *needed: int) -> None:
    """Refuse actions without the bot's permission: 50001 for an invisible channel, else 50013."""
    if channel.is_dm:
        return
    held = world.permissions(seed.BOT_ID, channel)
    if not held & permissions.VIEW_CHANNEL:
        raise Refusal(403, 50001, "Missing Access")
    if any(not held & permission for permission in needed):
        raise Refusal(403, 50013, "Missing Permissions")


def require_to_post(world: World, channel: Channel, payload: Json, uploads: Sequence[Upload]) -> None:
    """Refuse a message without permission, or to a channel without messages."""
    if channel.is_dm:
        _require_open_ears(world, channel)
        return
    require(world, channel)
    if channel.kind in (ChannelKind.FORUM, ChannelKind.CATEGORY):
        raise Refusal(400, 50008, "Cannot send messages in a non-text channel")
    messages.check_open(channel)
    require(world, channel, permissions.SEND_IN_THREADS if channel.is_thread else permissions.SEND_MESSAGES)
    require_parts(world, channel, payload, uploads)


def _require_open_ears(world: World, channel: Channel) -> None:
    """Refuse a direct message to a user who accepts none, or without a common server."""
    for person in channel.people:
        if not any({person, seed.BOT_ID} <= guild.members.keys() for guild in world.guilds.values()):
            # docs.discord.com, JSON error codes: 50278.
            sentence = "Cannot send messages to this user due to having no mutual guilds"
            raise Refusal(403, 50278, sentence)
        if world.user(person).closed:
            raise Refusal(403, 50007, "Cannot send messages to this user")


def require_parts(world: World, channel: Channel, payload: Json, uploads: Sequence[Upload]) -> None:
    """Refuse embeds and files that the bot may not send."""
    require(world, channel, *[permissions.EMBED_LINKS] * bool(payload.get("embeds")))
    require(world, channel, *[permissions.ATTACH_FILES] * bool(uploads))


def require_to_open(world: World, channel: Channel, kind: int) -> None:
    """Refuse a thread without permission; a forum post is a message (docs, threads)."""
    if channel.kind == ChannelKind.FORUM:
        require(world, channel, permissions.SEND_MESSAGES)
    elif kind == ChannelKind.PRIVATE_THREAD:
        require(world, channel, permissions.CREATE_PRIVATE_THREADS)
    else:
        require(world, channel, permissions.CREATE_THREADS)


def require_to_change(world: World, channel: Channel, payload: Json) -> None:
    """Refuse a change of a channel or thread without permission (docs, threads, editing and deleting)."""
    require(world, channel)
    if not channel.is_thread:
        require(world, channel, permissions.MANAGE_CHANNELS)
    elif may(world, channel, permissions.MANAGE_THREADS):
        return
    elif channel.locked or not _is_its_own(channel, payload):
        raise Refusal(403, 50013, "Missing Permissions")
    else:
        require(world, channel, *[permissions.SEND_IN_THREADS] * (payload.get("archived") is False))


def _is_its_own(thread: Channel, payload: Json) -> bool:
    """True if the thread's creator may make this change, or if it only opens an archived thread."""
    changed = set(payload)
    opened = changed == {"archived"} and payload["archived"] is False
    return opened or (thread.owner_id == seed.BOT_ID and changed <= _OF_CREATOR)


def require_to_delete(world: World, channel: Channel, message: Message) -> None:
    """Refuse to delete another user's message, or a system message."""
    own = message.author_id == seed.BOT_ID
    require(world, channel, *[permissions.MANAGE_MESSAGES] * (not own))


def require_to_add(world: World, thread: Channel) -> None:
    """Refuse to add people to a thread in which the bot may not write (docs, add thread member)."""
    if thread.is_thread:
        require(world, thread, permissions.SEND_IN_THREADS)
