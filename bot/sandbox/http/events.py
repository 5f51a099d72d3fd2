"""Which gateway events a change in the world causes, and which of them a client's intents let through."""

from __future__ import annotations

from collections.abc import Iterator

from bot.sandbox.guild import seed
from bot.sandbox.guild.guild_wire import guild_core_json, guild_json, role_json
from bot.sandbox.guild.wire import (
    channel_json,
    interaction_json,
    member_json,
    message_json,
    thread_member_json,
    user_json,
)
from bot.sandbox.guild.world import Change, World
from bot.sandbox.model import Channel, Message
from bot.sandbox.refusal import Json

GUILDS, GUILD_MEMBERS, GUILD_MESSAGES, DM_MESSAGES, CONTENT = 1 << 0, 1 << 1, 1 << 9, 1 << 12, 1 << 15
"""Intent bits (docs.discord.com, "Gateway Intents")."""
Events = Iterator[tuple[str, Json]]


def events_of(world: World, change: Change, intents: int) -> Events:
    """Name and data of every event that a client with these intents receives for a change."""
    if change.kind == "interaction" and change.interaction is not None:
        yield "INTERACTION_CREATE", interaction_json(world, change.interaction)
    elif change.message is not None:
        yield from _message_events(world, change.kind, change.message, intents)
    elif change.guild is not None:
        yield from _guild_events(world, change, intents)
    elif change.channel is not None and intents & GUILDS and not change.channel.is_dm:
        yield from _channel_events(world, change, change.channel, intents)


def _message_events(world: World, kind: str, message: Message, intents: int) -> Events:
    channel = world.channels[message.channel_id]
    wanted = DM_MESSAGES if channel.is_dm else GUILD_MESSAGES
    if message.ephemeral or not intents & wanted:  # ephemeral: docs/discord.md, messages
        return
    if not channel.is_dm and not world.may_see(seed.BOT_ID, channel):
        return
    if kind == "message_delete":
        data: Json = {"id": str(message.id), "channel_id": str(channel.id)}
    else:
        data = message_json(world, message)
        if not _may_read(message, channel, intents):
            # docs.discord.com, "Message Content Intent": the fields come empty without it.
            data |= {"content": "", "embeds": [], "attachments": [], "components": []}
    guild = world.guild_of(channel)
    if guild is not None:
        data["guild_id"] = str(guild.id)
        if kind != "message_delete":
            member = member_json(guild, world.users[message.author_id])
            del member["user"]
            data["member"] = member
    names = {"message_create": "MESSAGE_CREATE", "message_delete": "MESSAGE_DELETE"}
    yield names.get(kind, "MESSAGE_UPDATE"), data


def _may_read(message: Message, channel: Channel, intents: int) -> bool:
    own = message.author_id == seed.BOT_ID or seed.BOT_ID in message.mentions
    return own or channel.is_dm or bool(intents & CONTENT)


def _channel_events(world: World, change: Change, channel: Channel, intents: int) -> Events:
    if channel.is_thread and not _sees_thread_event(world, change, channel):
        return
    if change.kind == "pins":
        yield "CHANNEL_PINS_UPDATE", {"guild_id": str(channel.guild_id), "channel_id": str(channel.id)}
    elif change.kind == "thread_people":
        # docs.discord.com, "Thread Members Update": without the members intent only what concerns the bot itself.
        if intents & GUILD_MEMBERS or change.user_id == seed.BOT_ID:
            yield "THREAD_MEMBERS_UPDATE", _thread_people(world, channel, change.user_id or 0)
    else:
        verbs = {"channel_create": "CREATE", "channel_update": "UPDATE", "channel_delete": "DELETE"}
        if change.kind in verbs:
            family = "THREAD" if channel.is_thread else "CHANNEL"
            yield f"{family}_{verbs[change.kind]}", _channel_payload(world, change.kind, channel)


def _sees_thread_event(world: World, change: Change, thread: Channel) -> bool:
    """Events of threads come where the bot sees them; of a deleted one they come as of its channel."""
    parent = world.channels.get(thread.parent_id or 0)
    if change.kind == "channel_delete":
        return parent is None or world.may_see(seed.BOT_ID, parent)
    return world.may_see(seed.BOT_ID, thread) or change.user_id == seed.BOT_ID


def _channel_payload(world: World, kind: str, channel: Channel) -> Json:
    body = channel_json(world, channel)
    if channel.is_thread and kind == "channel_delete":
        # docs.discord.com, "Thread Delete": these fields only.
        return {key: body[key] for key in ("id", "guild_id", "parent_id", "type")}
    return body | ({"newly_created": True} if channel.is_thread and kind == "channel_create" else {})


def _thread_people(world: World, thread: Channel, user_id: int) -> Json:
    body: Json = {
        "id": str(thread.id),
        "guild_id": str(thread.guild_id),
        "member_count": len(thread.people),
    }
    guild = world.guild_of(thread)
    if guild is None or user_id not in thread.people:
        return body | {"removed_member_ids": [str(user_id)]}
    member = thread_member_json(thread, user_id) | {"member": member_json(guild, world.users[user_id])}
    return body | {"added_members": [member]}


def _guild_events(world: World, change: Change, intents: int) -> Events:
    guild = change.guild
    assert guild is not None
    ident = {"guild_id": str(guild.id)}
    if change.kind in ("member_add", "member_remove"):
        if change.user_id == seed.BOT_ID:
            joined = change.kind == "member_add"
            yield (
                ("GUILD_CREATE", guild_json(world, guild))
                if joined
                else ("GUILD_DELETE", {"id": str(guild.id)})
            )
        elif intents & GUILD_MEMBERS:
            user = world.users[change.user_id or 0]
            joined = change.kind == "member_add"
            data = member_json(guild, user) if joined else {"user": user_json(user)}
            yield f"GUILD_{change.kind.upper()}", ident | data
    elif change.kind == "member_update" and (intents & GUILD_MEMBERS or change.user_id == seed.BOT_ID):
        # docs.discord.com, "List of Intents": about itself the bot always gets events.
        yield "GUILD_MEMBER_UPDATE", ident | member_json(guild, world.users[change.user_id or 0])
    elif change.kind == "roles" and intents & GUILDS:
        for place, role in enumerate(guild.roles.values()):
            yield "GUILD_ROLE_UPDATE", ident | {"role": role_json(world, role, place)}
    elif change.kind == "guild_update" and intents & GUILDS:
        yield "GUILD_UPDATE", guild_core_json(world, guild)
