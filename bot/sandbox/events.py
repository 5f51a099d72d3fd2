"""Which gateway events a change in the world causes, and which of them a client's intents let through."""

from __future__ import annotations

from collections.abc import Iterator

from bot.sandbox import seed
from bot.sandbox.model import Channel, Message
from bot.sandbox.refusal import Json
from bot.sandbox.wire import channel_json, interaction_json, member_json, message_json, thread_member_json
from bot.sandbox.world import Change, World

GUILDS, GUILD_MESSAGES, GUILD_TYPING, DM_MESSAGES, CONTENT = 1 << 0, 1 << 9, 1 << 11, 1 << 12, 1 << 15
"""Intent bits (docs.discord.com, "Gateway Intents")."""


def events_of(world: World, change: Change, intents: int) -> Iterator[tuple[str, Json]]:
    """Name and data of every event that a client with these intents receives for a change."""
    if change.kind == "interaction" and change.interaction is not None:
        yield "INTERACTION_CREATE", interaction_json(world, change.interaction)
    elif change.message is not None:
        yield from _message_events(world, change.kind, change.message, intents)
    elif change.channel is not None and intents & GUILDS and not change.channel.is_dm:
        yield from _channel_events(world, change.kind, change.channel)


def _message_events(world: World, kind: str, message: Message, intents: int) -> Iterator[tuple[str, Json]]:
    channel = world.channels[message.channel_id]
    wanted = DM_MESSAGES if channel.is_dm else GUILD_MESSAGES
    if message.ephemeral or not intents & wanted:  # ephemeral: docs/discord.md, messages
        return
    if kind == "message_delete":
        data: Json = {"id": str(message.id), "channel_id": str(channel.id)}
    else:
        data = message_json(world, message)
        if not _may_read(message, channel, intents):
            # docs.discord.com, "Message Content Intent": the fields come empty without it.
            data |= {"content": "", "embeds": [], "attachments": [], "components": []}
    if not channel.is_dm:
        data["guild_id"] = str(seed.GUILD_ID)
        if kind != "message_delete":
            member = member_json(world.users[message.author_id])
            del member["user"]
            data["member"] = member
    names = {"message_create": "MESSAGE_CREATE", "message_delete": "MESSAGE_DELETE"}
    yield names.get(kind, "MESSAGE_UPDATE"), data


def _may_read(message: Message, channel: Channel, intents: int) -> bool:
    own = message.author_id == seed.BOT_ID or seed.BOT_ID in message.mentions
    return own or channel.is_dm or bool(intents & CONTENT)


def _channel_events(world: World, kind: str, channel: Channel) -> Iterator[tuple[str, Json]]:
    if kind == "pins":
        yield "CHANNEL_PINS_UPDATE", {"guild_id": str(seed.GUILD_ID), "channel_id": str(channel.id)}
    elif kind == "thread_people":
        yield (
            "THREAD_MEMBERS_UPDATE",
            {
                "id": str(channel.id),
                "guild_id": str(seed.GUILD_ID),
                "member_count": len(channel.people),
                "added_members": [
                    thread_member_json(channel, i) | {"member": member_json(world.users[i])}
                    for i in channel.people
                ],
            },
        )
    else:
        family = "THREAD" if channel.is_thread else "CHANNEL"
        verbs = {"channel_create": "CREATE", "channel_update": "UPDATE", "channel_delete": "DELETE"}
        if kind in verbs:
            yield f"{family}_{verbs[kind]}", channel_json(world, channel)
