"""Where games may be opened beside a text channel."""

from bot.sandbox import forums, permissions, seed, servers
from bot.sandbox.model import Channel, ChannelKind
from bot.sandbox.world import Change
from tests.bot.house import TABLE, House


async def forum_of(
    house: House, *, tags: tuple[str, ...] = (), makes_tags: bool = False, flags: int = 0
) -> Channel:
    """A forum that was chosen for games, of which the bot knows."""
    guild = house.world.guilds[seed.GUILD_ID]
    forum = servers.add_channel(house.world, guild, ChannelKind.FORUM, "forum")
    forum.tags = [forums.tag_of(house.world, {"name": tag}) for tag in tags]
    forum.flags = flags
    if makes_tags:
        role = guild.id + seed.BOT_ROLE
        servers.overwrite(house.world, forum, role, allow=permissions.MANAGE_CHANNELS)
    house.world.tell(Change("channel_update", channel=forum))
    await house.learns(lambda: _knows(house, forum, tags, makes_tags))
    await house.person("Ann").slash(TABLE, "setup", channel="forum")
    return forum


def _knows(house: House, forum: Channel, tags: tuple[str, ...], makes_tags: bool) -> bool:
    known = house.client.guilds[0].get_channel(forum.id)
    if known is None or known.permissions_for(known.guild.me).manage_channels != makes_tags:
        return False
    return [tag.name for tag in getattr(known, "available_tags", [])] == list(tags)
