"""Where games are played: in text channels, with a thread for each, and in forums, with a tagged post for each.

The tags of a post say what is played and how far it is.
"""

import logging
from collections.abc import Iterable, Sequence
from typing import Any, Final, TypeAlias

import discord

from bot.client.places.messages import WEEK
from bot.client.requests.problems import TABLE, Problem, lacking, missing
from bot.table.bounded import BoundedDict
from bot.table.errors import Refused
from bot.table.settings.server_settings import server_settings
from storage import Database, Game

_log = logging.getLogger("stationmaster.forums")

Venue: TypeAlias = discord.TextChannel | discord.ForumChannel
IN_A_FORUM: Final = tuple(name for name in TABLE if name != "create_public_threads")
"""What a game needs in a forum: a user who may post there opens a post."""
CREATE_POSTS: Final = "Create Posts"
"""The name of the permission to send messages in the settings of a forum."""
OPEN_IN: Final = "Open it in a text channel, or in a post of a forum"
_KINDS: Final[tuple[tuple[type[object], str], ...]] = (
    (
        discord.VoiceChannel,
        f"The chat of a voice channel has no threads, and each game needs its own. {OPEN_IN}.",
    ),
    (
        discord.StageChannel,
        f"The chat of a stage takes no threads, and each game needs one of its own. {OPEN_IN}.",
    ),
    (discord.CategoryChannel, f"A category takes no messages. {OPEN_IN}."),
    (
        discord.Thread,
        "A game gets a thread of its own, and Discord allows none within a thread. Open it in the channel "
        "of this thread.",
    ),
)
_ANNOUNCING: Final = (
    "What is posted in an announcement channel may be followed by other servers, and a game is no "
    f"announcement. {OPEN_IN}."
)
_NO_SERVER: Final = "Games are played on a server, in a channel that all players can see."


def suited(channel: object) -> Venue:
    """The channel, if games can be played there, or the forum of a post; raises Refused with the reason."""
    if isinstance(channel, discord.Thread) and isinstance(channel.parent, discord.ForumChannel):
        channel = channel.parent
    if isinstance(channel, discord.TextChannel) and channel.is_news():
        raise Refused(_ANNOUNCING)
    if isinstance(channel, discord.TextChannel | discord.ForumChannel):
        return channel
    raise Refused(next((why for kind, why in _KINDS if isinstance(channel, kind)), _NO_SERVER))


async def for_new_game(interaction: discord.Interaction[Any], db: Database) -> Venue:
    """Where a game that is asked for here is opened: in the server's channel for games, else here; raises Refused."""
    if interaction.guild is None:
        raise Refused(_NO_SERVER)
    chosen = (await server_settings(db, interaction.guild.id)).channel
    if chosen is None:
        return suited(interaction.channel)
    found = interaction.guild.get_channel(chosen)
    if found is None:
        raise Refused(
            "The channel that was chosen for games is gone, or I may not see it. A member who manages this server "
            "chooses another with `/setup channel:`, or none with `/setup back:`."
        )
    return suited(found)


async def for_another(interaction: discord.Interaction[Any], db: Database, row: Game) -> Venue:
    """Where a game like this one is opened: in the server's channel for games, else where this one was.

    Raises Refused.
    """
    assert interaction.guild is not None, "games are of a server"
    if (await server_settings(db, interaction.guild.id)).channel is not None:
        return await for_new_game(interaction, db)
    found = interaction.guild.get_channel(row.channel_id)
    if found is None:
        raise Refused(
            "The channel of this game is gone, or I may not see it. `/game new` opens another game."
        )
    return suited(found)


def require_place(interaction: discord.Interaction[Any], venue: Venue, refused: str) -> None:
    """Raise Refused, beginning so, unless we have all that a game needs in a channel."""
    absent = absent_in(venue, _permissions(interaction, venue))
    if absent:
        raise Refused(f"{refused} {missing(absent, venue.id)}")


def require_place_of(interaction: discord.Interaction[Any], row: Game, refused: str) -> None:
    """Raise Refused, beginning so, unless a game that was opened can be played in its channel."""
    found = interaction.guild and interaction.guild.get_channel(row.channel_id)
    if found is None:
        raise Refused(f"{refused} Its channel is gone, or I may not see it. `/game new` opens another.")
    require_place(interaction, suited(found), refused)


def absent_in(venue: Venue, held: discord.Permissions) -> list[str]:
    """What is missing for a game in a channel where we have these permissions, in the words of Discord's settings."""
    if isinstance(venue, discord.ForumChannel):
        return list(_as_in_forums(lacking(held, IN_A_FORUM)))
    return lacking(held)


def permissions_in(venue: Venue) -> discord.Permissions:
    """What we may do in a channel, by our roles and its overwrites."""
    return venue.permissions_for(venue.guild.me)


def _permissions(interaction: discord.Interaction[Any], venue: Venue) -> discord.Permissions:
    # Discord says what we may do where something is asked for; elsewhere roles and overwrites tell.
    return interaction.app_permissions if interaction.channel_id == venue.id else permissions_in(venue)


def _as_in_forums(names: Iterable[str]) -> Iterable[str]:
    return (CREATE_POSTS if name == "Send Messages" else name for name in names)


# --- forums ----------------------------------------------------------------------------------------------------------

STATES: Final = {"lobby": "open", "running": "running", "finished": "over", "abandoned": "over"}
"""What the tag of a game's post says, by how far the game is."""
TAG: Final = 20
"""Characters of a tag."""
MOST: Final = 20
"""Tags that a forum may have."""
SHOWN: Final = 1_000
"""Of how many games it is known which tags their post has."""


class Forums:
    """Posts of games, and their tags; raises what Discord refuses, but for tags, which nobody waits for."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client
        self._shown: BoundedDict[int, str] = BoundedDict(SHOWN)

    def of(self, row: Game) -> discord.ForumChannel | None:
        """The forum in which a game is played; None for one in a text channel."""
        channel = self._client.get_channel(row.channel_id)
        return channel if isinstance(channel, discord.ForumChannel) else None

    async def post(self, forum: discord.ForumChannel, row: Game, name: str, **message: Any) -> int:
        """Open the post of a game, which begins with this message; its number, and that of the message."""
        number = await self.open(forum, name, (row.name, STATES[row.status]), **message)
        self._shown[row.id] = row.status
        return number

    async def open(self, forum: discord.ForumChannel, name: str, tags: Sequence[str], **message: Any) -> int:
        """Open a post with tags of these names, as far as there are any; its number, and that of its message."""
        given = await self._tags(forum, tags)
        opened = await forum.create_thread(
            name=name, auto_archive_duration=WEEK, applied_tags=given, **message
        )
        return opened.thread.id

    async def ready(self, forum: discord.ForumChannel, name: str) -> None:
        """Make the tags of a title where we may; raises Refused where the forum wants a tag and has none for us."""
        made = await self._made(forum, [name, *STATES.values()])
        if made.flags.require_tag and not _fitting(made, [name, STATES["lobby"]]):
            raise Refused(
                f"Every post in <#{forum.id}> needs a tag, and it has none that fits. A member who manages channels "
                f"gives it a tag {_cut(name)!r} or {STATES['lobby']!r}, or gives me the permission Manage Channels "
                "there, so that I make them. The game was not opened."
            )

    async def show(self, row: Game) -> None:
        """Let the tags of a game's post say how far it is; where that is refused, the old ones stay."""
        forum = self.of(row)
        if forum is None or row.thread_id is None or self._shown.get(row.id) == row.status:
            return
        try:
            thread = self._client.get_channel(row.thread_id) or await self._client.fetch_channel(
                row.thread_id
            )
            tags = await self._tags(forum, (row.name, STATES[row.status]))
            if isinstance(thread, discord.Thread) and not thread.archived and _differ(thread, tags):
                await thread.edit(applied_tags=tags)
            self._shown[row.id] = row.status
        except Problem as error:
            _log.info("game %s: the tags of its post stay as they are: %r", row.id, error)

    async def _tags(self, forum: discord.ForumChannel, names: Sequence[str]) -> list[discord.ForumTag]:
        made = await self._made(forum, [*names, *STATES.values()])
        return _fitting(made, names)

    async def _made(self, forum: discord.ForumChannel, names: Sequence[str]) -> discord.ForumChannel:
        """The forum with tags of these names, where they are there, or we may make them and there is room."""
        there = {tag.name.casefold() for tag in forum.available_tags}
        new = [_cut(name) for name in dict.fromkeys(names) if _cut(name).casefold() not in there]
        if not new or not may_make_tags(forum) or len(there) + len(new) > MOST:
            return forum
        try:
            tags = [*forum.available_tags, *(discord.ForumTag(name=name) for name in new)]
            # Discord tells of the change a moment later, too, but the post is made now.
            return await forum.edit(available_tags=tags) or forum
        except Problem as error:
            _log.info("forum %s: no tags are made: %r", forum.id, error)
            return forum


def _differ(thread: discord.Thread, tags: list[discord.ForumTag]) -> bool:
    """Whether a post has other tags than these, if there are any."""
    return bool(tags) and {tag.id for tag in thread.applied_tags} != {tag.id for tag in tags}


def may_make_tags(forum: discord.ForumChannel) -> bool:
    """Whether we may change the forum, and so its tags."""
    return permissions_in(forum).manage_channels


def _fitting(forum: discord.ForumChannel, names: Sequence[str]) -> list[discord.ForumTag]:
    """The tags of a forum of these names that we may give to a post."""
    wanted = {_cut(name).casefold() for name in names}
    manages = permissions_in(forum).manage_threads
    return [
        tag
        for tag in forum.available_tags
        if tag.name.casefold() in wanted and (manages or not tag.moderated)
    ]


def _cut(name: str) -> str:
    return name[:TAG].strip()
