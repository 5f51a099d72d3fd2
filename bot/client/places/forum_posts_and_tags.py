"""Games in forums: each game is a forum post, with tags for its title and state."""

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

TAG_BY_GAME_STATUS: Final = {"lobby": "open", "running": "running", "finished": "over", "abandoned": "over"}
"""By a game's status: the tag of its forum post (`open`, `running` or `over`)."""
MAX_TAG_LENGTH: Final = 20
"""Discord's limit for the characters of a tag."""
MAX_TAGS: Final = 20
"""Discord's limit for the tags of a forum."""
MAX_TAGGED_GAMES: Final = 1_000
"""Number of games for which the bot remembers the tags that Discord shows."""


class ForumPosts:
    """The forum posts in which games are played. Raises Discord's errors, except those about tags."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client
        self._status_shown_by_game: BoundedDict[int, str] = BoundedDict(MAX_TAGGED_GAMES)

    def forum_of(self, row: GameRow) -> discord.ForumChannel | None:
        """The forum in which a game is played; None if it is played in a text channel."""
        channel = self._client.get_channel(row.channel_id)
        return channel if isinstance(channel, discord.ForumChannel) else None

    async def open_game_post(
        self, forum: discord.ForumChannel, row: GameRow, name: str, **message: Any
    ) -> int:
        """Open a game's forum post, which starts with the message given by `message`; returns the post's id."""
        post_id = await self.open_post(forum, name, (row.name, TAG_BY_GAME_STATUS[row.status]), **message)
        self._status_shown_by_game[row.id] = row.status
        return post_id

    async def open_post(
        self, forum: discord.ForumChannel, name: str, tags: Sequence[str], **message: Any
    ) -> int:
        """Open a forum post with those of the tags that exist in the forum; returns the post's id.

        The post's first message has the same id.
        """
        usable_tags = await self._usable_tags(forum, tags)
        created_post = await forum.create_thread(
            name=name, auto_archive_duration=WEEK_MINUTES, applied_tags=usable_tags, **message
        )
        return created_post.thread.id

    async def prepare_forum(self, forum: discord.ForumChannel, name: str) -> None:
        """Create the missing tags for a title and for states of games, if the bot may.

        Raises Refused if the forum requires a tag and has none that the bot can use.
        """
        tagged_forum = await self._add_tags(forum, [name, *TAG_BY_GAME_STATUS.values()])
        if tagged_forum.flags.require_tag and not _matching_tags(
            tagged_forum, [name, TAG_BY_GAME_STATUS["lobby"]]
        ):
            raise Refused(
                f"The game was not opened: every post in <#{forum.id}> needs a tag, and the forum "
                f"has none that fits. A member who manages channels can add the tag {_cut_tag_name(name)!r} "
                f"or {TAG_BY_GAME_STATUS['lobby']!r}, or give me the permission Manage Channels there, so that "
                "I can."
            )

    async def show_tags(self, row: GameRow) -> None:
        """Update the tags of a game's forum post. Errors are logged, not raised."""
        forum = self.forum_of(row)
        if forum is None or row.thread_id is None or self._status_shown_by_game.get(row.id) == row.status:
            return
        try:
            thread = self._client.get_channel(row.thread_id) or await self._client.fetch_channel(
                row.thread_id
            )
            tags = await self._usable_tags(forum, (row.name, TAG_BY_GAME_STATUS[row.status]))
            if isinstance(thread, discord.Thread) and not thread.archived and _tags_differ(thread, tags):
                await thread.edit(applied_tags=tags)
            self._status_shown_by_game[row.id] = row.status
        except DISCORD_ERRORS as error:
            _forum_log.info("game %s: cannot set the tags of its post: %r", row.id, error)

    async def _usable_tags(self, forum: discord.ForumChannel, names: Sequence[str]) -> list[discord.ForumTag]:
        tagged_forum = await self._add_tags(forum, [*names, *TAG_BY_GAME_STATUS.values()])
        return _matching_tags(tagged_forum, names)

    async def _add_tags(self, forum: discord.ForumChannel, names: Sequence[str]) -> discord.ForumChannel:
        """Add these tags to the forum if they are missing and the bot may; returns the changed forum."""
        existing_names = {tag.name.casefold() for tag in forum.available_tags}
        missing_tags = [
            _cut_tag_name(name)
            for name in dict.fromkeys(names)
            if _cut_tag_name(name).casefold() not in existing_names
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
    return bool(tags) and {tag.id for tag in thread.applied_tags} != {tag.id for tag in tags}


def may_make_tags(forum: discord.ForumChannel) -> bool:
    """True if the bot may create tags in a forum."""
    return permissions_in(forum).manage_channels


def _matching_tags(forum: discord.ForumChannel, names: Sequence[str]) -> list[discord.ForumTag]:
    """The forum's tags with these names, except those that the bot may not use."""
    wanted_names = {_cut_tag_name(name).casefold() for name in names}
    may_manage_threads = permissions_in(forum).manage_threads
    return [
        tag
        for tag in forum.available_tags
        if tag.name.casefold() in wanted_names and (may_manage_threads or not tag.moderated)
    ]


def _cut_tag_name(name: str) -> str:
    return name[:MAX_TAG_LENGTH].strip()
