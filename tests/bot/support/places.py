"""Where games may be opened apart from a text channel."""

from bot.sandbox.guild import permissions, seed, threads
from bot.sandbox.guild.world import Change
from bot.sandbox.model import Channel, ChannelKind
from tests.bot.support import changes
from tests.bot.support.sandbox_bot import TABLE, SandboxBot


async def forum_of(
    sandbox: SandboxBot, *, tags: tuple[str, ...] = (), makes_tags: bool = False, flags: int = 0
) -> Channel:
    """A forum that was chosen for games, known to the bot."""
    guild = sandbox.world.guilds[seed.GUILD_ID]
    forum = changes.add_channel(sandbox.world, guild, ChannelKind.FORUM, "forum")
    forum.tags = [threads.stored_tag(sandbox.world, {"name": tag}) for tag in tags]
    forum.flags = flags
    if makes_tags:
        role = guild.id + seed.BOT_ROLE_OFFSET
        changes.overwrite(sandbox.world, forum, role, allow=permissions.MANAGE_CHANNELS)
    sandbox.world.publish(Change("channel_update", channel=forum))
    await sandbox.learns(lambda: _knows(sandbox, forum, tags, makes_tags))
    await sandbox.person("Ann").slash(TABLE, "setup", channel="forum")
    return forum


def _knows(sandbox: SandboxBot, forum: Channel, tags: tuple[str, ...], makes_tags: bool) -> bool:
    known = sandbox.client.guilds[0].get_channel(forum.id)
    if known is None or known.permissions_for(known.guild.me).manage_channels != makes_tags:
        return False
    return [tag.name for tag in getattr(known, "available_tags", [])] == list(tags)
