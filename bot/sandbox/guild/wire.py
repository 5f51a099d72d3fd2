"""Discord's JSON objects for servers and their contents."""

from __future__ import annotations

from bot.sandbox.guild import seed
from bot.sandbox.guild.world import Interaction, World
from bot.sandbox.message_limits import MAX_FILE_BYTES
from bot.sandbox.model import (
    EMBED_PICTURE_FIELDS,
    VOICE_KINDS,
    Attachment,
    Channel,
    ChannelKind,
    Guild,
    Message,
    Role,
    User,
    iso_time_of_id,
    walk_components,
)
from bot.sandbox.refusal import Json


def user_json(user: User) -> Json:
    return {
        "id": str(user.id),
        "username": user.name.lower(),
        "global_name": user.name,
        "discriminator": "0",
        "avatar": None,
        "bot": user.bot,
        "public_flags": 0,
        "flags": 0,
        "primary_guild": None,
    }


def member_json(guild: Guild, user: User) -> Json:
    """The guild member object of a user, without permissions."""
    return {
        "user": user_json(user),
        "nick": None,
        "avatar": None,
        "banner": None,
        "premium_since": None,
        "communication_disabled_until": None,
        "roles": [str(role) for role in guild.members.get(user.id, [])],
        "joined_at": iso_time_of_id(guild.id),
        "deaf": False,
        "mute": False,
        "pending": False,
        "flags": 0,
    }


def channel_json(world: World, channel: Channel) -> Json:
    """The channel object of a channel, thread or direct message."""
    common_fields: Json = {"id": str(channel.id), "type": channel.kind, "flags": channel.flags}
    common_fields["last_message_id"] = str(channel.last_message_id) if channel.last_message_id else None
    if channel.is_dm:
        common_fields["recipients"] = [user_json(world.users[i]) for i in channel.people]
        return common_fields
    common_fields |= {"guild_id": str(channel.guild_id), "name": channel.name, "rate_limit_per_user": 0}
    if channel.is_thread:
        return common_fields | _thread_json(channel)
    body: Json = {
        "position": channel.id % 100,
        "parent_id": None if channel.parent_id is None else str(channel.parent_id),
        "topic": channel.topic,
        "nsfw": False,
        "permission_overwrites": _overwrites_json(world, channel),
    }
    if channel.kind in VOICE_KINDS:
        body |= {"bitrate": 64_000, "user_limit": 0, "rtc_region": None}
    if channel.kind == ChannelKind.FORUM:
        body |= {"available_tags": channel.tags, "default_sort_order": None, "default_forum_layout": 0}
        body |= {"default_reaction_emoji": None, "default_thread_rate_limit_per_user": 0}
    return common_fields | body


def _overwrites_json(world: World, channel: Channel) -> list[Json]:
    guild = world.guild_of(channel)
    role_ids = set(guild.roles) if guild else set()
    return [
        {
            "id": holder_id,
            "type": 0 if int(holder_id) in role_ids else 1,
            "allow": str(allowed),
            "deny": str(denied),
        }
        for holder_id, (allowed, denied) in channel.overwrites.items()
    ]


def _thread_json(thread: Channel) -> Json:
    return {
        "applied_tags": thread.applied_tags,
        "parent_id": str(thread.parent_id),
        "owner_id": str(thread.owner_id),
        "member_count": len(thread.people),
        "message_count": thread.message_count,
        "total_message_sent": thread.message_count,
        **({"member": thread_member_json(thread, seed.BOT_ID)} if seed.BOT_ID in thread.people else {}),
        "thread_metadata": {
            "archived": thread.archived,
            "auto_archive_duration": thread.archive_minutes,
            "archive_timestamp": thread.archive_changed or iso_time_of_id(thread.id),
            "locked": thread.locked,
            "invitable": thread.invitable,
            "create_timestamp": iso_time_of_id(thread.id),
        },
    }


def thread_member_json(thread: Channel, user_id: int) -> Json:
    return {
        "id": str(thread.id),
        "user_id": str(user_id),
        "join_timestamp": iso_time_of_id(thread.id),
        "flags": 0,
    }


def attachment_json(world: World, channel_id: int, attachment: Attachment) -> Json:
    """The attachment object, with a URL on the sandbox's server."""
    url = f"{world.base_url}/cdn/attachments/{channel_id}/{attachment.id}/{attachment.filename}"
    body: Json = {
        "id": str(attachment.id),
        "filename": attachment.filename,
        "size": attachment.size,
        "url": url,
        "proxy_url": url,
        "content_type": attachment.content_type,
    }
    if attachment.description:
        body["description"] = attachment.description
    if attachment.width:
        body |= {"width": attachment.width, "height": attachment.height}
    return body


def message_json(world: World, message: Message) -> Json:
    """The message object. Files that embeds show are not listed as attachments (discord-api-docs #8279)."""
    files_by_name = {a.filename: attachment_json(world, message.channel_id, a) for a in message.attachments}
    embedded_files = message.embedded_file_names
    body: Json = {
        "id": str(message.id),
        "channel_id": str(message.channel_id),
        "author": user_json(world.users[message.author_id]),
        "content": message.content,
        "timestamp": message.timestamp,
        "edited_timestamp": message.edited,
        "tts": False,
        "mention_everyone": message.mention_everyone,
        "mentions": [user_json(world.users[i]) for i in message.mentions],
        "mention_roles": [str(role) for role in message.mention_roles],
        "attachments": [f for name, f in files_by_name.items() if name not in embedded_files],
        "embeds": [_embed_json(embed, files_by_name) for embed in message.embeds],
        "components": _add_component_ids(message.components),
        "pinned": message.pinned,
        "type": message.kind,
        "flags": message.flags,
    }
    if message.nonce is not None:
        body["nonce"] = message.nonce
    if message.author_id == seed.BOT_ID:
        body["application_id"] = str(seed.APPLICATION_ID)
    if message.interaction_id is not None:
        body |= _interaction_metadata(world, message)
    if message.reference is not None:
        body["message_reference"] = {
            "type": 0,
            **_guild_id_field(world, message.channel_id),
            **message.reference,
        }
    if message.thread_id is not None and message.thread_id in world.channels:
        body["thread"] = channel_json(world, world.channels[message.thread_id])
    return body


def _guild_id_field(world: World, channel_id: int) -> Json:
    channel = world.channels.get(channel_id)
    return {"guild_id": str(channel.guild_id)} if channel and channel.guild_id else {}


def _interaction_metadata(world: World, message: Message) -> Json:
    """The metadata about the interaction to which a message responds."""
    user = user_json(world.users[message.interaction_user_id or seed.BOT_ID])
    owner_ids = {"0": _guild_id_field(world, message.channel_id).get("guild_id", "0")}
    common_fields: Json = {"user": user, "authorizing_integration_owners": owner_ids}
    metadata: Json = common_fields | {"id": str(message.interaction_id), "type": message.interaction_kind}
    used_message_id = message.interaction_message_id
    component_fields = {"type": 3, "interacted_message_id": str(used_message_id)}
    if message.interaction_kind == 2:
        metadata["name"] = message.interaction_name
    elif message.interaction_kind == 3:
        metadata |= component_fields
    else:
        trigger_fields = {"type": 2} if used_message_id is None else component_fields
        opener_field = {"id": str(message.interaction_opened_by or message.interaction_id)}
        metadata["triggering_interaction_metadata"] = common_fields | opener_field | trigger_fields
    return {"webhook_id": str(seed.APPLICATION_ID), "interaction_metadata": metadata}


def _embed_json(embed: Json, files_by_name: dict[str, Json]) -> Json:
    shown_embed = {"type": "rich", **embed}
    for embed_part, key in EMBED_PICTURE_FIELDS:
        url = (embed.get(embed_part) or {}).get(key) or ""
        file = (
            files_by_name.get(url.removeprefix("attachment://")) if url.startswith("attachment://") else None
        )
        if file is not None:
            pixel_sizes = {k: file[k] for k in ("width", "height") if k in file}
            shown_embed[embed_part] = {**embed[embed_part], key: file["url"], **pixel_sizes}
    return shown_embed


def _add_component_ids(components: list[Json]) -> list[Json]:
    """The message components, with an id added to each."""
    for number, component in enumerate(walk_components(components), start=1):
        if not component.get("id"):
            component["id"] = number
        for default_value in component.get("default_values") or []:
            default_value["id"] = str(default_value["id"])
    return components


def interaction_json(world: World, interaction: Interaction) -> Json:
    """The interaction object. The client requires `attachment_size_limit` (docs/discord.md, client)."""
    channel = world.channels[interaction.channel_id]
    user = world.users[interaction.user_id]
    guild = world.guild_of(channel)
    body: Json = {
        "id": str(interaction.id),
        "application_id": str(seed.APPLICATION_ID),
        "type": interaction.kind,
        "token": interaction.token,
        "version": 1,
        "channel_id": str(channel.id),
        "channel": channel_json(world, channel) | {"permissions": str(world.permissions(user.id, channel))},
        "data": interaction.data,
        "locale": "en-US",
        "app_permissions": str(world.permissions(seed.BOT_ID, channel)),
        "attachment_size_limit": MAX_FILE_BYTES,
        "entitlements": [],
        "authorizing_integration_owners": {"0": str(guild.id) if guild else "0"},
        "context": 0 if guild else 1,
    }
    if guild is None:
        body["user"] = user_json(user)
    else:
        body["guild_id"] = str(guild.id)
        body["guild"] = {"id": str(guild.id), "locale": "en-US", "features": []}
        body["guild_locale"] = "en-US"
        body["member"] = member_json(guild, user) | {"permissions": str(world.permissions(user.id, channel))}
    if interaction.shown_message is not None:
        body["message"] = interaction.shown_message
    return body


def guild_json(world: World, guild: Guild) -> Json:
    """The guild object of GUILD_CREATE: channels, active threads that the bot sees, and the bot as only member."""
    guild_channels = [channel for channel in world.channels.values() if channel.guild_id == guild.id]
    threads = [c for c in guild_channels if c.is_thread and not c.archived and world.may_see(seed.BOT_ID, c)]
    return guild_core_json(world, guild) | {
        "member_count": len(guild.members),
        "joined_at": iso_time_of_id(guild.id),
        "large": False,
        "unavailable": False,
        "members": [member_json(guild, world.users[seed.BOT_ID])],
        "channels": [channel_json(world, channel) for channel in guild_channels if not channel.is_thread],
        "threads": [channel_json(world, thread) for thread in threads],
        "presences": [],
        "voice_states": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
    }


def guild_core_json(world: World, guild: Guild) -> Json:
    """The guild object without channels, threads and members."""
    return {
        "id": str(guild.id),
        "name": guild.name,
        "icon": None,
        "owner_id": str(guild.owner_id),
        "roles": [role_json(world, role, position) for position, role in enumerate(guild.roles.values())],
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


def role_json(world: World, role: Role, position: int) -> Json:
    """The role as JSON, without the permissions that the bot lacks in a test."""
    return {
        "id": str(role.id),
        "icon": None,
        "unicode_emoji": None,
        "name": role.name,
        "permissions": str(role.permissions & ~world.withheld_permissions),
        "position": position,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "managed": role.managed,
        "mentionable": role.mentionable,
        "flags": 0,
    }
