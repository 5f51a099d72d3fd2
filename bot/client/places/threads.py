"""The threads of games, and their posts in forums: making, opening and closing one, tags, who may see it."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any, Final

import discord
from discord.abc import GuildChannel

from bot.client import game_texts
from bot.client.places.game_channels import permissions_in
from bot.client.places.messages import WEEK, thread_from
from bot.client.requests.permission_problems import Problem
from bot.table.bounded_caches import BoundedDict
from bot.table.errors import Refused
from bot.table.tables import Tables
from storage import GameRow, games, seats

_log = logging.getLogger("stationmaster.announce")
_forum_log = logging.getLogger("stationmaster.forums")

SKEW: Final = timedelta(minutes=10)
"""How far our clock may be ahead of Discord's."""
HOUR: Final = 60
"""Minutes after which an idle thread is archived whose game is over; until then people read and talk."""
STATES: Final = {"lobby": "open", "running": "running", "finished": "over", "abandoned": "over"}
"""What the tag of a game's post says, by how far the game is."""
TAG: Final = 20
"""Characters of a tag."""
MOST: Final = 20
"""Tags that a forum may have."""
TAGGED: Final = 1_000
"""Of how many games it is known which tags their post has."""


class Threads:
    """Each running game has a thread of its own, made from its lobby message; in a forum it is a post with tags.

    Raises what Discord refuses, but for tags, which nobody waits for.
    """

    def __init__(self, client: discord.Client, tables: Tables) -> None:
        self._client = client
        self._tables = tables
        self._tagged: BoundedDict[int, str] = BoundedDict(TAGGED)

    async def of(self, game_id: int) -> discord.PartialMessageable:
        """The thread of a game that has one."""
        live = self._tables.cached(game_id)
        row = await games.get_game(self._tables.db, game_id) if live is None else live.row
        assert row.thread_id is not None
        return self._messageable(row.thread_id, row.guild_id)

    async def make(self, row: games.GameRow) -> discord.PartialMessageable:
        """Make the thread of a game, or find the one there is."""
        people = [seat.display_name for seat in await seats.seats(self._tables.db, row.id)]
        thread_id = await self._thread(row, game_texts.thread_name(row.id, row.name, people))
        await self._tables.show_in(row.id, thread_id)
        return self._messageable(thread_id, row.guild_id)

    async def ours(self, row: GameRow, after: int) -> list[discord.Message]:
        """Our posts in the thread of a game after this number, oldest first, but for answers to users."""
        assert row.thread_id is not None
        me, thread = self._client.user, self._messageable(row.thread_id, row.guild_id)
        history = thread.history(limit=None, after=discord.Object(after), oldest_first=True)
        mine = [one async for one in history if me is not None and one.author.id == me.id]
        return [one for one in mine if not one.is_system() and one.interaction_metadata is None]

    async def ready(self, thread_id: int) -> bool:
        """Whether a thread is there; one that was archived is opened. Raises what Discord refuses."""
        # Discord lists every thread that is not archived; others must be asked for.
        known = self._client.get_channel(thread_id)
        if known is None:
            return await self.ask(thread_id)
        await _opened(known)
        return True

    async def ask(self, thread_id: int) -> bool:
        """The same, whatever Discord has listed; raises discord.Forbidden where the thread cannot be seen."""
        try:
            await _opened(await self._client.fetch_channel(thread_id))
        except discord.NotFound:
            return False
        return True

    async def repost(self, row: games.GameRow, channel_id: int) -> int:
        """Post a message in a channel from which another thread for a game can be made; its number."""
        forum = self.forum_of(replace(row, channel_id=channel_id))
        if forum is not None:
            return await self._post(forum, row)
        channel = self._messageable(channel_id, row.guild_id)
        # Each thread that is lost is followed by one.
        opener = await channel.send(game_texts.game_title(row), silent=True, nonce=f"o{row.thread_id}")
        return opener.id

    async def open(self, thread: discord.PartialMessageable) -> None:
        """Open a thread that has been archived, so that its messages can be edited."""
        await self._change(thread, archived=False)

    async def end(self, thread: discord.PartialMessageable) -> None:
        """Let a thread be archived once nobody has written there for an hour."""
        await self._change(thread, auto_archive_duration=HOUR)

    async def keep_open(self, thread: discord.PartialMessageable) -> None:
        """Keep a thread open again whose game was over, and runs again."""
        await self._change(thread, auto_archive_duration=WEEK)

    async def ended(self, thread: discord.PartialMessageable) -> bool:
        """Whether a thread is archived, or will be soon."""
        channel = await self._client.fetch_channel(thread.id)
        return isinstance(channel, discord.Thread) and (
            channel.archived or channel.auto_archive_duration == HOUR
        )

    def forum_of(self, row: GameRow) -> discord.ForumChannel | None:
        """The forum in which a game is played; None for one in a text channel."""
        channel = self._client.get_channel(row.channel_id)
        return channel if isinstance(channel, discord.ForumChannel) else None

    async def post_in(self, forum: discord.ForumChannel, row: GameRow, name: str, **message: Any) -> int:
        """Open the post of a game, which begins with this message; its number, and that of the message."""
        number = await self.open_post(forum, name, (row.name, STATES[row.status]), **message)
        self._tagged[row.id] = row.status
        return number

    async def open_post(
        self, forum: discord.ForumChannel, name: str, tags: Sequence[str], **message: Any
    ) -> int:
        """Open a post with tags of these names, as far as there are any; its number, and that of its message."""
        given = await self._tags(forum, tags)
        opened = await forum.create_thread(
            name=name, auto_archive_duration=WEEK, applied_tags=given, **message
        )
        return opened.thread.id

    async def prepare_forum(self, forum: discord.ForumChannel, name: str) -> None:
        """Make the tags of a title where we may; raises Refused where the forum wants a tag and has none for us."""
        made = await self._made(forum, [name, *STATES.values()])
        if made.flags.require_tag and not _fitting(made, [name, STATES["lobby"]]):
            raise Refused(
                f"Every post in <#{forum.id}> needs a tag, and it has none that fits. A member who manages channels "
                f"gives it a tag {_cut(name)!r} or {STATES['lobby']!r}, or gives me the permission Manage Channels "
                "there, so that I make them. The game was not opened."
            )

    async def show_tags(self, row: GameRow) -> None:
        """Let the tags of a game's post say how far it is; where that is refused, the old ones stay."""
        forum = self.forum_of(row)
        if forum is None or row.thread_id is None or self._tagged.get(row.id) == row.status:
            return
        try:
            thread = self._client.get_channel(row.thread_id) or await self._client.fetch_channel(
                row.thread_id
            )
            tags = await self._tags(forum, (row.name, STATES[row.status]))
            if isinstance(thread, discord.Thread) and not thread.archived and _differ(thread, tags):
                await thread.edit(applied_tags=tags)
            self._tagged[row.id] = row.status
        except Problem as error:
            _forum_log.info("game %s: the tags of its post stay as they are: %r", row.id, error)

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
            _forum_log.info("forum %s: no tags are made: %r", forum.id, error)
            return forum

    async def _change(self, thread: discord.PartialMessageable, **changes: Any) -> None:
        channel = self._client.get_channel(thread.id) or await self._client.fetch_channel(thread.id)
        if isinstance(channel, discord.Thread):
            await channel.edit(**changes)

    async def _post(self, forum: discord.ForumChannel, row: games.GameRow) -> int:
        people = [seat.display_name for seat in await seats.seats(self._tables.db, row.id)]
        return await self.post_in(
            forum, row, game_texts.thread_name(row.id, row.name, people), content=game_texts.game_title(row)
        )

    async def _thread(self, row: games.GameRow, name: str) -> int:
        forum = self.forum_of(row)
        return await (self._from_message(row, name) if forum is None else self._in_forum(forum, row, name))

    async def _in_forum(self, forum: discord.ForumChannel, row: games.GameRow, name: str) -> int:
        """The post of the lobby, renamed; where it is missing, another."""
        if row.thread_id is not None:
            try:
                await self._change(self._messageable(row.thread_id, row.guild_id), name=name)
            except discord.NotFound:
                _log.info("game %s: its post is gone; there is another", row.id)
            else:
                return row.thread_id
        return await self._post(forum, row)

    async def _from_message(self, row: games.GameRow, name: str) -> int:
        channel = self._messageable(row.channel_id, row.guild_id)
        if row.thread_id is not None:
            try:
                return await thread_from(channel.get_partial_message(row.thread_id), name)
            except discord.NotFound:
                _log.info("game %s: the lobby message is gone; the thread gets another", row.id)
        opener = await channel.send(game_texts.game_title(row), silent=True, nonce=f"opener.{row.id}")
        await self._tables.show_in(row.id, opener.id)
        return await thread_from(channel.get_partial_message(opener.id), name)

    def _messageable(self, channel_id: int, guild_id: int) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(channel_id, guild_id=guild_id)


def _differ(thread: discord.Thread, tags: list[discord.ForumTag]) -> bool:
    """True if a post has other tags than these, if there are any."""
    return bool(tags) and {tag.id for tag in thread.applied_tags} != {tag.id for tag in tags}


def may_make_tags(forum: discord.ForumChannel) -> bool:
    """True if we may change the forum, and so its tags."""
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


async def _opened(channel: object) -> None:
    """Open a thread that was archived; who locks one wants nothing to be posted there."""
    if isinstance(channel, discord.Thread) and channel.archived and not channel.locked:
        await channel.edit(archived=False)


# --- who may see one -------------------------------------------------------------------------------------------------


async def may_see(client: discord.Client, row: GameRow, user_id: int) -> bool:
    """True if a user may see the thread of a game, or its channel where the thread is gone.

    Raises Problem where Discord does not say.
    """
    try:
        guild = await client.fetch_guild(row.guild_id, with_counts=False)
        member = await guild.fetch_member(user_id)
        thread = await _thread(client, row)
        place = row.channel_id if thread is None else thread.parent_id
        channel = next((one for one in await guild.fetch_channels() if one.id == place), None)
        return channel is not None and await _may_see(member, channel, thread)
    except (discord.NotFound, discord.Forbidden):
        return False


async def _thread(client: discord.Client, row: GameRow) -> discord.Thread | None:
    if row.thread_id is None:
        return None
    try:
        thread = await client.fetch_channel(row.thread_id)
    except discord.NotFound:
        return None
    return thread if isinstance(thread, discord.Thread) else None


async def _may_see(member: discord.Member, channel: GuildChannel, thread: discord.Thread | None) -> bool:
    held = channel.permissions_for(member)
    if not held.view_channel or thread is None or not thread.is_private() or held.manage_threads:
        return held.view_channel
    try:
        await thread.fetch_member(member.id)
    except discord.NotFound:
        return False
    return True
