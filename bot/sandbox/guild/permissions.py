"""Permissions in a channel, computed as the service does (docs/discord.md, permissions)."""

from __future__ import annotations

from typing import Final

from bot.sandbox.model import VOICES, Channel, ChannelKind, Guild

ADMINISTRATOR: Final = 1 << 3
MANAGE_CHANNELS: Final = 1 << 4
ADD_REACTIONS: Final = 1 << 6
VIEW_CHANNEL: Final = 1 << 10
SEND_MESSAGES: Final = 1 << 11
SEND_TTS: Final = 1 << 12
MANAGE_MESSAGES: Final = 1 << 13
EMBED_LINKS: Final = 1 << 14
ATTACH_FILES: Final = 1 << 15
READ_HISTORY: Final = 1 << 16
MENTION_EVERYONE: Final = 1 << 17
EXTERNAL_EMOJI: Final = 1 << 18
CONNECT: Final = 1 << 20
USE_COMMANDS: Final = 1 << 31
MANAGE_THREADS: Final = 1 << 34
CREATE_THREADS: Final = 1 << 35
CREATE_PRIVATE_THREADS: Final = 1 << 36
SEND_IN_THREADS: Final = 1 << 38
PIN_MESSAGES: Final = 1 << 51
ALL: Final = (1 << 53) - 1

WITH_SENDING: Final = MENTION_EVERYONE | SEND_TTS | ATTACH_FILES | EMBED_LINKS
"""Permissions that depend on the right to send."""
DIRECT: Final = ATTACH_FILES | EMBED_LINKS | MENTION_EVERYONE | EXTERNAL_EMOJI
"""The bot's permissions in its direct conversations."""


def in_guild(guild: Guild, user_id: int) -> int:
    """A member's permissions by roles, before channels."""
    if user_id not in guild.members:
        return 0
    if user_id == guild.owner_id:
        return ALL
    held = 0
    for role in guild.roles_of(user_id):
        held |= guild.roles[role].permissions
    return ALL if held & ADMINISTRATOR else held


def in_channel(guild: Guild, user_id: int, channel: Channel, parent: Channel | None = None) -> int:
    """Permissions of a member in a channel, or in a thread below its parent."""
    held = in_guild(guild, user_id)
    if held == ALL or not held:
        return held
    held = _overwritten(held, guild, user_id, parent or channel)
    return implied(held, channel) if _may_connect(held, user_id, channel) else 0


def _overwritten(held: int, guild: Guild, user_id: int, channel: Channel) -> int:
    """Permissions after overwrites: everyone's, then roles', then the member's (docs, permission overwrites)."""
    for idents in ([guild.id], guild.members[user_id], [user_id]):
        overwrites = [channel.overwrites[str(ident)] for ident in idents if str(ident) in channel.overwrites]
        for _, denied in overwrites:
            held &= ~denied
        for allowed, _ in overwrites:
            held |= allowed
    return held


def _may_connect(held: int, user_id: int, channel: Channel) -> bool:
    if channel.kind == ChannelKind.PRIVATE_THREAD:
        return user_id in channel.people or bool(held & MANAGE_THREADS)
    # docs.discord.com, permissions: in voice channels, who may not connect may do nothing.
    return channel.kind not in VOICES or bool(held & CONNECT)


def implied(held: int, channel: Channel) -> int:
    """Permissions without those implied by a denied one (docs, implicit permissions)."""
    if not held & VIEW_CHANNEL:
        return 0
    if channel.is_thread and channel.locked and not held & MANAGE_THREADS:
        held &= ~SEND_IN_THREADS  # reported, discord-api-docs #5919
    if not held & (SEND_IN_THREADS if channel.is_thread else SEND_MESSAGES):
        held &= ~WITH_SENDING
    return held
