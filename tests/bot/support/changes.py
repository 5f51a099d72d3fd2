"""Changes to servers of the sandbox: members, roles, channels and permissions."""

from __future__ import annotations

from bot.sandbox.guild import seed
from bot.sandbox.guild.world import Change, World
from bot.sandbox.model import Channel, ChannelKind, Guild


def open_server(world: World, name: str, owner_id: int, people: list[int]) -> Guild:
    guild = seed.new_guild(world.new_id(), name, owner_id, [*people])
    world.guilds[guild.id] = guild
    world.publish(Change("member_add", guild=guild, user_id=seed.BOT_ID))
    return guild


def add_channel(
    world: World, guild: Guild, kind: ChannelKind, name: str, parent_id: int | None = None
) -> Channel:
    channel = Channel(world.new_id(), kind, name, guild.id, parent_id)
    world.channels[channel.id] = channel
    world.publish(Change("channel_create", channel=channel))
    return channel


def join(world: World, guild: Guild, user_id: int) -> None:
    """Somebody becomes a member; the bot, with the role of its invitation."""
    role = seed.BOT_ROLE_OFFSET if user_id == seed.BOT_ID else seed.PLAYERS_ROLE_OFFSET
    guild.members[user_id] = [guild.id + role]
    world.publish(Change("member_add", guild=guild, user_id=user_id))


def leave(world: World, guild: Guild, user_id: int) -> None:
    """A member leaves, or is removed: they leave the threads, too."""
    del guild.members[user_id]
    for thread in [c for c in world.channels.values() if c.guild_id == guild.id and user_id in c.people]:
        thread.people.remove(user_id)
        world.publish(Change("thread_people", channel=thread, user_id=user_id))
    world.publish(Change("member_remove", guild=guild, user_id=user_id))


def permit(world: World, guild: Guild, role: int, permissions: int) -> None:
    guild.roles[role].permissions = permissions
    world.publish(Change("roles", guild=guild))


def give(world: World, guild: Guild, user_id: int, roles: list[int]) -> None:
    """Give a member these roles in addition to that of everyone."""
    guild.members[user_id] = roles
    world.publish(Change("member_update", guild=guild, user_id=user_id))


def overwrite(world: World, channel: Channel, target: int, *, allow: int = 0, deny: int = 0) -> None:
    """Allow and deny permissions to a role or a member in a channel; neither of both takes the overwrite away."""
    if allow or deny:
        channel.overwrites[str(target)] = [allow, deny]
    else:
        channel.overwrites.pop(str(target), None)
    world.publish(Change("channel_update", channel=channel))
