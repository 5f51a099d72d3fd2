"""Guilds in the form in which Discord sends them."""

from __future__ import annotations

from bot.sandbox.guild import seed
from bot.sandbox.guild.guilds import Guild, Role
from bot.sandbox.guild.wire import channel_json, member_json
from bot.sandbox.guild.world import World
from bot.sandbox.model import iso_of
from bot.sandbox.refusal import Json


def guild_json(world: World, guild: Guild) -> Json:
    """The guild as GUILD_CREATE carries it: channels, the active threads that the bot sees, and it as only member."""
    inside = [channel for channel in world.channels.values() if channel.guild_id == guild.id]
    threads = [c for c in inside if c.is_thread and not c.archived and world.may_see(seed.BOT_ID, c)]
    return guild_core_json(world, guild) | {
        "member_count": len(guild.members),
        "joined_at": iso_of(guild.id),
        "large": False,
        "unavailable": False,
        "members": [member_json(guild, world.users[seed.BOT_ID])],
        "channels": [channel_json(world, channel) for channel in inside if not channel.is_thread],
        "threads": [channel_json(world, thread) for thread in threads],
        "presences": [],
        "voice_states": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
    }


def guild_core_json(world: World, guild: Guild) -> Json:
    """The guild without what is in it."""
    return {
        "id": str(guild.id),
        "name": guild.name,
        "icon": None,
        "owner_id": str(guild.owner_id),
        "roles": [role_json(world, role, place) for place, role in enumerate(guild.roles.values())],
        "emojis": [],
        "stickers": [],
        "features": [],
        "preferred_locale": "en-US",
        "verification_level": 0,
        "default_message_notifications": 1,
        "explicit_content_filter": 0,
        "mfa_level": 0,
        "nsfw_level": 0,
        "premium_tier": 0,
        "afk_timeout": 300,
        "system_channel_flags": 0,
        "premium_progress_bar_enabled": False,
    }


def role_json(world: World, role: Role, place: int) -> Json:
    """A role object; what is withheld from the bot is in none."""
    return {
        "id": str(role.id),
        "icon": None,
        "unicode_emoji": None,
        "name": role.name,
        "permissions": str(role.permissions & ~world.withheld),
        "position": place,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "managed": role.managed,
        "mentionable": role.mentionable,
        "flags": 0,
    }
