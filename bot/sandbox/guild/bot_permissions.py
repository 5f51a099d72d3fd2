"""Checks of the bot's permissions. They raise Refusal where Discord would (docs/discord.md, permissions)."""

from __future__ import annotations

from collections.abc import Sequence

from bot.sandbox.guild import messages, permissions, seed
from bot.sandbox.guild.world import World
from bot.sandbox.model import Channel, ChannelKind, Message, Upload
from bot.sandbox.refusal import Json, Refusal

_CREATOR_FIELDS = {"name", "archived", "auto_archive_duration", "invitable", "applied_tags"}
"""Fields of a thread that its creator may change even without the permission to manage threads."""


def has_permission(world: World, channel: Channel, permission: int) -> bool:
    """True if the bot has any of these permission bits in a channel."""
    return bool(world.permissions(seed.BOT_ID, channel) & permission)


def require_permissions(world: World, channel: Channel, *permission_bits: int) -> None:
    """Raise Refusal unless the bot has all these permissions in a channel.

    The code is 50001 if the bot cannot see the channel, else 50013.
    """
    if channel.is_dm:
        return
    held_permissions = world.permissions(seed.BOT_ID, channel)
    if not held_permissions & permissions.VIEW_CHANNEL:
        raise Refusal(403, 50001, "Missing Access")
    if any(not held_permissions & permission for permission in permission_bits):
        raise Refusal(403, 50013, "Missing Permissions")


def require_to_post(world: World, channel: Channel, payload: Json, uploads: Sequence[Upload]) -> None:
    """Raise Refusal if the bot may not post this message, or if the channel's kind has no messages."""
    if channel.is_dm:
        _require_dm_accepted(world, channel)
        return
    require_permissions(world, channel)
    if channel.kind in (ChannelKind.FORUM, ChannelKind.CATEGORY):
        raise Refusal(400, 50008, "Cannot send messages in a non-text channel")
    messages.check_not_closed(channel)
    require_permissions(
        world, channel, permissions.SEND_IN_THREADS if channel.is_thread else permissions.SEND_MESSAGES
    )
    require_embeds_and_files(world, channel, payload, uploads)


def _require_dm_accepted(world: World, channel: Channel) -> None:
    """Raise Refusal if the user accepts no direct messages, or is in no server with the bot."""
    for user_id in channel.people:
        if not any({user_id, seed.BOT_ID} <= guild.members.keys() for guild in world.guilds.values()):
            # docs.discord.com, JSON error codes: 50278.
            sentence = "Cannot send messages to this user due to having no mutual guilds"
            raise Refusal(403, 50278, sentence)
        if world.user(user_id).refuses_dms:
            raise Refusal(403, 50007, "Cannot send messages to this user")


def require_embeds_and_files(
    world: World, channel: Channel, payload: Json, uploads: Sequence[Upload]
) -> None:
    """Raise Refusal if the payload has embeds or files that the bot may not send."""
    require_permissions(world, channel, *[permissions.EMBED_LINKS] * bool(payload.get("embeds")))
    require_permissions(world, channel, *[permissions.ATTACH_FILES] * bool(uploads))


def require_to_open_thread(world: World, channel: Channel, kind: int) -> None:
    """Raise Refusal if the bot may not open a thread of this kind, or a forum post."""
    if channel.kind == ChannelKind.FORUM:
        require_permissions(world, channel, permissions.SEND_MESSAGES)
    elif kind == ChannelKind.PRIVATE_THREAD:
        require_permissions(world, channel, permissions.CREATE_PRIVATE_THREADS)
    else:
        require_permissions(world, channel, permissions.CREATE_THREADS)


def require_to_change_channel(world: World, channel: Channel, payload: Json) -> None:
    """Raise Refusal if the bot may not make this change of a channel or thread."""
    require_permissions(world, channel)
    if not channel.is_thread:
        require_permissions(world, channel, permissions.MANAGE_CHANNELS)
    elif has_permission(world, channel, permissions.MANAGE_THREADS):
        return
    elif channel.locked or not _may_change_thread(channel, payload):
        raise Refusal(403, 50013, "Missing Permissions")
    else:
        require_permissions(
            world, channel, *[permissions.SEND_IN_THREADS] * (payload.get("archived") is False)
        )


def _may_change_thread(thread: Channel, payload: Json) -> bool:
    """True if the change only reopens the thread, or only changes fields that the thread's creator may change."""
    changed_fields = set(payload)
    is_only_reopening = changed_fields == {"archived"} and payload["archived"] is False
    return is_only_reopening or (thread.owner_id == seed.BOT_ID and changed_fields <= _CREATOR_FIELDS)


def require_to_delete_message(world: World, channel: Channel, message: Message) -> None:
    """Raise Refusal unless the bot posted the message or may manage messages."""
    is_own_message = message.author_id == seed.BOT_ID
    require_permissions(world, channel, *[permissions.MANAGE_MESSAGES] * (not is_own_message))


def require_to_add_people(world: World, thread: Channel) -> None:
    """Raise Refusal if the bot may not write in the thread, since it then may not add users either."""
    if thread.is_thread:
        require_permissions(world, thread, permissions.SEND_IN_THREADS)
