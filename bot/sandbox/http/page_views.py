"""JSON of the sandbox's state for the browser page, as one user sees it."""

from __future__ import annotations

from dataclasses import asdict

from bot.sandbox.guild import options, seed
from bot.sandbox.guild.person import InteractionResult, Person
from bot.sandbox.guild.pickers import add_picker_options
from bot.sandbox.guild.wire import message_json
from bot.sandbox.guild.world import World
from bot.sandbox.model import Channel, ChannelKind, Message, MessageKind
from bot.sandbox.refusal import Json


def state_view(world: World, person: Person) -> Json:
    """The channels and commands of one user, and all users with their numbers of unseen notifications."""
    return {
        "guild": seed.GUILD_NAME,
        "me": str(person.id),
        "bot": {"id": str(seed.BOT_ID), "name": world.users[seed.BOT_ID].name},
        "people": [
            {"id": str(u.id), "name": u.name, **_unseen_pings(world, u.id)}
            for u in world.users.values()
            if not u.bot
        ],
        "channels": [channel_view(c, person) for c in _listed_channels(world, person)],
        "commands": [command_view(v, person) for v in options.list_commands(world, seed.GUILD_ID)],
        "shown": None if world.shown_channel_id is None else str(world.shown_channel_id),
        "openings": [
            asdict(opening) for opening in (world.sample_games.openings if world.sample_games else ())
        ],
    }


def _unseen_pings(world: World, user_id: int) -> Json:
    """A user's number of unseen notifications, and the channels with them, oldest first."""
    unseen_messages = world.unseen_pings(user_id)
    newest_ping_by_channel = {
        message.channel_id: message for message in world.messages.values() if message.pinged
    }
    pinging_messages = [
        m for m in unseen_messages if newest_ping_by_channel[m.channel_id] is m and _mentions_user(m, user_id)
    ]
    return {
        "waiting": len(unseen_messages),
        "pinged": [str(message.channel_id) for message in pinging_messages],
    }


def _mentions_user(message: Message, user_id: int) -> bool:
    return message.mention_everyone or bool(message.mention_roles) or user_id in message.mentions


def _listed_channels(world: World, person: Person) -> list[Channel]:
    visible_channels = [c for c in world.channels.values() if world.may_see(person.id, c)]
    ordered_channels: list[Channel] = []
    for channel in (
        c for c in visible_channels if not c.is_thread and not c.is_dm and c.kind != ChannelKind.CATEGORY
    ):
        channel_threads = [c for c in visible_channels if c.parent_id == channel.id]
        ordered_channels += [channel, *sorted(channel_threads, key=lambda c: (c.archived, -c.id))]
    return ordered_channels + [c for c in visible_channels if c.is_dm]


def channel_view(channel: Channel, person: Person) -> Json:
    """A channel for the channel list."""
    world = person.world
    return {
        "id": str(channel.id),
        "name": world.users[seed.BOT_ID].name if channel.is_dm else channel.name,
        "kind": channel.kind,
        "parent": str(channel.parent_id) if channel.parent_id else None,
        "topic": channel.topic,
        "archived": channel.archived,
        "locked": channel.locked,
        "last": str(channel.last_message_id or 0),
        "pins": len(channel.pins),
        "waiting": sum(m.channel_id == channel.id for m in world.unseen_pings(person.id)),
    }


def message_view(world: World, message: Message) -> Json:
    """Discord's message object with more fields for the page."""
    body = message_json(world, message)
    referenced_message = world.messages.get(int((message.reference or {}).get("message_id", 0)))
    if message.kind == MessageKind.THREAD_STARTER and referenced_message is not None:
        body["starter"] = message_view(world, referenced_message)
    channel = world.channels[message.channel_id]
    return body | {
        "components": add_picker_options(world, channel, body["components"]),
        "ephemeral": message.ephemeral,
        "pinged": [str(i) for i in message.pinged],
        "used": message.interaction_name,
        "used_by": world.users[message.interaction_user_id].name if message.interaction_user_id else None,
    }


_ANY_GUILD_CHANNEL, _ANY_DM = Channel(0, ChannelKind.TEXT, "", seed.GUILD_ID), Channel(0, ChannelKind.DM, "")


def command_view(command: options.UsableCommand, person: Person) -> Json:
    """A command for the command list, with the channels in which the user may use it."""
    option_keys = (
        "name",
        "description",
        "type",
        "required",
        "autocomplete",
        "choices",
        "min_value",
        "max_value",
    )
    fields = [{key: option[key] for key in option_keys if key in option} for option in command.options]
    return {
        "name": command.name,
        "description": command.description,
        "options": fields,
        "guild": options.may_use(person.world, command, person.id, _ANY_GUILD_CHANNEL),
        "direct": options.may_use(person.world, command, person.id, _ANY_DM),
    }


def result_view(result: InteractionResult) -> Json:
    """The immediate result of an interaction. Its messages are sent over the WebSocket."""
    modal = result.modal
    body: Json = {"failed": result.failure_text}
    if modal is not None:
        body["modal"] = {
            "title": modal.title,
            "fields": list(modal.fields),
            "texts": [c.get("content", "") for c in modal.body["components"] if c.get("type") == 10],
            "opened_by": str(modal.opened_by.id),
        }
    return body
