"""Permission bits in a channel, computed as Discord does (docs/discord.md, permissions)."""

from __future__ import annotations

from typing import Final

from bot.sandbox.model import VOICE_KINDS, Channel, ChannelKind, Guild

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
ALL_PERMISSIONS: Final = (1 << 53) - 1

PERMISSIONS_THAT_NEED_SENDING: Final = MENTION_EVERYONE | SEND_TTS | ATTACH_FILES | EMBED_LINKS
"""Bits of permissions that depend on sending: without the permission to send messages, they have no effect."""
DM_PERMISSIONS: Final = ATTACH_FILES | EMBED_LINKS | MENTION_EVERYONE | EXTERNAL_EMOJI
"""The bot's permission bits in direct messages."""


def guild_permissions(guild: Guild, user_id: int) -> int:
    """A member's permission bits from their roles, before channel overwrites."""
    if user_id not in guild.members:
        return 0
    if user_id == guild.owner_id:
        return ALL_PERMISSIONS
    held_bits = 0
    for role in guild.roles_of(user_id):
        held_bits |= guild.roles[role].permissions
    return ALL_PERMISSIONS if held_bits & ADMINISTRATOR else held_bits


def channel_permissions(guild: Guild, user_id: int, channel: Channel, parent: Channel | None = None) -> int:
    """A member's permission bits in a channel, or in a thread whose channel is `parent`."""
    held_bits = guild_permissions(guild, user_id)
    if held_bits == ALL_PERMISSIONS or not held_bits:
        return held_bits
    held_bits = _apply_overwrites(held_bits, guild, user_id, parent or channel)
    return without_ineffective_bits(held_bits, channel) if _may_connect(held_bits, user_id, channel) else 0


def _apply_overwrites(held_bits: int, guild: Guild, user_id: int, channel: Channel) -> int:
    """The permission bits after the channel's overwrites for everyone, for the member's roles, and for the member."""
    for holder_ids in ([guild.id], guild.members[user_id], [user_id]):
        overwrites = [
            channel.overwrites[str(holder_id)]
            for holder_id in holder_ids
            if str(holder_id) in channel.overwrites
        ]
        for _, denied in overwrites:
            held_bits &= ~denied
        for allowed, _ in overwrites:
            held_bits |= allowed
    return held_bits


def _may_connect(held_bits: int, user_id: int, channel: Channel) -> bool:
    if channel.kind == ChannelKind.PRIVATE_THREAD:
        return user_id in channel.people or bool(held_bits & MANAGE_THREADS)
    # docs.discord.com, permissions: in a voice channel, a member who may not connect has no permissions.
    return channel.kind not in VOICE_KINDS or bool(held_bits & CONNECT)


def without_ineffective_bits(held_bits: int, channel: Channel) -> int:
    """The permission bits that have an effect: those whose prerequisites (other permissions) are not missing."""
    if not held_bits & VIEW_CHANNEL:
        return 0
    if channel.is_thread and channel.locked and not held_bits & MANAGE_THREADS:
        held_bits &= ~SEND_IN_THREADS  # reported in discord-api-docs #5919
    if not held_bits & (SEND_IN_THREADS if channel.is_thread else SEND_MESSAGES):
        held_bits &= ~PERMISSIONS_THAT_NEED_SENDING
    return held_bits
