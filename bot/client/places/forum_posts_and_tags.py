"""Games in forums: each has a post, whose tags show its title and state."""

import logging
from collections.abc import Sequence
from typing import Any, Final

import discord

from bot.client.places.game_channels import permissions_in
from bot.client.places.messages import WEEK_MINUTES
from bot.client.requests.permission_problems import DISCORD_ERRORS
from bot.table.bounded_caches import BoundedDict
from bot.table.errors import Refused
from storage import GameRow

_forum_log = logging.getLogger("stationmaster.forums")

STATE_TAGS: Final = {"lobby": "open", "running": "running", "finished": "over", "abandoned": "over"}
"""The tag for the state of a game's post, by the status of the game."""
MAX_TAG_LENGTH: Final = 20
"""Discord's limit for the characters of a tag."""
MAX_TAGS: Final = 20
"""Discord's limit for the tags of a forum."""
MAX_TAGGED_GAMES: Final = 1_000
"""The most games whose posts' tags are remembered."""


class ForumPosts:
    """The forum posts of games. Raises Discord's errors, except those about tags."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client
        self._status_shown_by_game: BoundedDict[int, str] = BoundedDict(MAX_TAGGED_GAMES)

    def forum_of(self, row: GameRow) -> discord.ForumChannel | None:
        """The forum in which a game is played; None if it is in a text channel."""
        channel = self._client.get_channel(row.channel_id)
        return channel if isinstance(channel, discord.ForumChannel) else None

    async def open_game_post(
        self, forum: discord.ForumChannel, row: GameRow, name: str, **message: Any
    ) -> int:
        """Open a game's post with this first message; returns the id, which post and message share."""
        post_id = await self.open_post(forum, name, (row.name, STATE_TAGS[row.status]), **message)
        self._status_shown_by_game[row.id] = row.status
        return post_id

    async def open_post(
        self, forum: discord.ForumChannel, name: str, tags: Sequence[str], **message: Any
    ) -> int:
        """Open a post with these tags, if the forum has them; returns the id, which post and first message share."""
        usable_tags = await self._usable_tags(forum, tags)
        created = await forum.create_thread(
            name=name, auto_archive_duration=WEEK_MINUTES, applied_tags=usable_tags, **message
        )
        return created.thread.id

    async def prepare_forum(self, forum: discord.ForumChannel, name: str) -> None:
        """Create a title's tags if the bot may; raises Refused if the forum requires a tag and the bot can use none."""
        tagged_forum = await self._add_tags(forum, [name, *STATE_TAGS.values()])
        if tagged_forum.flags.require_tag and not _matching_tags(tagged_forum, [name, STATE_TAGS["lobby"]]):
            raise Refused(
                f"The game was not opened: every post in <#{forum.id}> needs a tag, and the forum "
                f"has none that fits. A member who manages channels can add the tag {_cut_name(name)!r} "
                f"or {STATE_TAGS['lobby']!r}, or give me the permission Manage Channels there, so that "
                "I can."
            )

    async def show_tags(self, row: GameRow) -> None:
        """Update the tags of a game's post; errors are only logged."""
        forum = self.forum_of(row)
        if forum is None or row.thread_id is None or self._status_shown_by_game.get(row.id) == row.status:
            return
        try:
            thread = self._client.get_channel(row.thread_id) or await self._client.fetch_channel(
                row.thread_id
            )
            tags = await self._usable_tags(forum, (row.name, STATE_TAGS[row.status]))
            if isinstance(thread, discord.Thread) and not thread.archived and _tags_differ(thread, tags):
                await thread.edit(applied_tags=tags)
            self._status_shown_by_game[row.id] = row.status
        except DISCORD_ERRORS as error:
            _forum_log.info("game %s: cannot set the tags of its post: %r", row.id, error)

    async def _usable_tags(self, forum: discord.ForumChannel, names: Sequence[str]) -> list[discord.ForumTag]:
        tagged_forum = await self._add_tags(forum, [*names, *STATE_TAGS.values()])
        return _matching_tags(tagged_forum, names)

    async def _add_tags(self, forum: discord.ForumChannel, names: Sequence[str]) -> discord.ForumChannel:
        """The forum with these tags; missing ones are created if the bot may."""
        existing_names = {tag.name.casefold() for tag in forum.available_tags}
        missing_tags = [
            _cut_name(name)
            for name in dict.fromkeys(names)
            if _cut_name(name).casefold() not in existing_names
        ]
        if not missing_tags or not may_make_tags(forum) or len(existing_names) + len(missing_tags) > MAX_TAGS:
            return forum
        try:
            tags = [*forum.available_tags, *(discord.ForumTag(name=name) for name in missing_tags)]
            # The gateway reports the new tags only later, and the post is made now.
            return await forum.edit(available_tags=tags) or forum
        except DISCORD_ERRORS as error:
            _forum_log.info("forum %s: cannot make tags: %r", forum.id, error)
            return forum


def _tags_differ(thread: discord.Thread, tags: list[discord.ForumTag]) -> bool:
    """True if a post should have other tags than it has."""
    return bool(tags) and {tag.id for tag in thread.applied_tags} != {tag.id for tag in tags}


def may_make_tags(forum: discord.ForumChannel) -> bool:
    """True if the bot may change the forum, and so its tags."""
    return permissions_in(forum).manage_channels


def _matching_tags(forum: discord.ForumChannel, names: Sequence[str]) -> list[discord.ForumTag]:
    """The tags of the forum with these names that the bot may use."""
    wanted_names = {_cut_name(name).casefold() for name in names}
    manages_threads = permissions_in(forum).manage_threads
    return [
        tag
        for tag in forum.available_tags
        if tag.name.casefold() in wanted_names and (manages_threads or not tag.moderated)
    ]


def _cut_name(name: str) -> str:
    return name[:MAX_TAG_LENGTH].strip()
