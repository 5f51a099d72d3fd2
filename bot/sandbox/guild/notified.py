"""Whom a message notifies in its channel: mentions have effect on those who are there and may see it."""

from __future__ import annotations

from bot.sandbox.guild import permissions
from bot.sandbox.guild.mentions import Mentioned, read_mentions
from bot.sandbox.guild.world import World
from bot.sandbox.model import Channel, Flag, Message
from bot.sandbox.refusal import Json


def spoken_to(
    world: World, channel: Channel, content: str, allowed: Json | None, author_id: int
) -> Mentioned:
    """Whom a text mentions with effect: everyone and roles only where its author may (docs, permissions)."""
    guild = world.guild_of(channel)
    if guild is None:
        return read_mentions(content, allowed, world.users)
    everybody = bool(world.permissions(author_id, channel) & permissions.MENTION_EVERYONE)
    roles = [role.id for role in guild.roles.values() if role.mentionable or everybody]
    found = read_mentions(content, allowed, world.users, roles)
    return Mentioned(found.users, found.everyone and everybody, found.roles)


def notified(world: World, channel: Channel, message: Message) -> list[int]:
    """Who is notified of a message: of those whom it mentions, who is there and may see the channel."""
    if message.ephemeral or message.flags & Flag.SILENT:
        return []
    guild = world.guild_of(channel)
    if guild is None:
        return [i for i in channel.people if i != message.author_id]
    people = list(message.mentions)
    people += [i for i in guild.members if set(message.mention_roles) & set(guild.roles_of(i))]
    if message.mention_everyone:
        people = [i for i in guild.members if not world.users[i].bot]
    return [i for i in dict.fromkeys(people) if i != message.author_id and may_be_pinged(world, channel, i)]


def may_be_pinged(world: World, channel: Channel, user_id: int) -> bool:
    """Whether a mention reaches somebody: a member who sees the channel, or that of a thread to which it invites."""
    parent = world.channels.get(channel.parent_id or 0) if channel.is_thread else None
    return world.may_see(user_id, parent or channel)
