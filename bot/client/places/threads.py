"""Games' threads: makes, opens and archives them, and reads the bot's posts in them."""

import logging
from dataclasses import replace
from datetime import timedelta
from typing import Any, Final

import discord

from bot.client import game_texts
from bot.client.places.forum_posts_and_tags import ForumPosts
from bot.client.places.messages import WEEK_MINUTES, make_thread_from
from bot.table.tables import Tables
from storage import GameRow, games, seats

_log = logging.getLogger("stationmaster.announce")
_forum_log = logging.getLogger("stationmaster.forums")

MAX_CLOCK_SKEW: Final = timedelta(minutes=10)
"""Largest expected lead of this machine's clock over Discord's, allowed for when messages are searched by time."""
HOUR_MINUTES: Final = 60
"""Minutes in an hour. Discord archives an ended game's thread after an hour without posts."""


class Threads:
    """Makes, opens and archives games' threads; in a forum, a game's thread is its forum post.

    Raises Discord's errors, except those about tags.
    """

    def __init__(self, client: discord.Client, tables: Tables) -> None:
        self._client = client
        self._tables = tables
        self.forums = ForumPosts(client)

    async def thread_of(self, game_id: int) -> discord.PartialMessageable:
        """The thread of a game. The game must already have one."""
        live = self._tables.find_cached(game_id)
        row = await games.get_game(self._tables.db, game_id) if live is None else live.row
        assert row.thread_id is not None
        return self._messageable(row.thread_id, row.guild_id)

    async def make_thread(self, row: games.GameRow) -> discord.PartialMessageable:
        """Find or make a game's thread, and record it."""
        player_names = [seat.display_name for seat in await seats.seats(self._tables.db, row.id)]
        thread_id = await self._find_or_make_thread(
            row, game_texts.thread_name(row.id, row.name, player_names)
        )
        await self._tables.record_thread_of_game(row.id, thread_id)
        return self._messageable(thread_id, row.guild_id)

    async def bot_posts_in_thread(self, row: GameRow, after_id: int) -> list[discord.Message]:
        """The bot's posts in a game's thread after message id `after_id`, oldest first, except replies to commands."""
        assert row.thread_id is not None
        bot_user, thread = self._client.user, self._messageable(row.thread_id, row.guild_id)
        history = thread.history(limit=None, after=discord.Object(after_id), oldest_first=True)
        bot_messages = [
            message async for message in history if bot_user is not None and message.author.id == bot_user.id
        ]
        return [
            message
            for message in bot_messages
            if not message.is_system() and message.interaction_metadata is None
        ]

    async def open_if_exists(self, thread_id: int) -> bool:
        """Open a thread if it is archived; False if it was deleted. Discord is asked only about unlisted threads."""
        # Discord lists all threads that are not archived; about others it must be asked.
        listed_thread = self._client.get_channel(thread_id)
        if listed_thread is None:
            return await self.exists_on_discord(thread_id)
        await _unarchive_thread(listed_thread)
        return True

    async def exists_on_discord(self, thread_id: int) -> bool:
        """True if a thread exists; an archived one is opened. Raises discord.Forbidden if the bot may not see it."""
        try:
            await _unarchive_thread(await self._client.fetch_channel(thread_id))
        except discord.NotFound:
            return False
        return True

    async def post_opening_message(self, row: games.GameRow, channel_id: int) -> int:
        """Post the message on which a game's new thread will be opened; returns the message's id."""
        forum = self.forums.forum_of(replace(row, channel_id=channel_id))
        if forum is not None:
            return await self._open_forum_post(forum, row)
        channel = self._messageable(channel_id, row.guild_id)
        # The message says which thread it replaces.
        opening_message = await channel.send(
            game_texts.game_title(row), silent=True, nonce=f"o{row.thread_id}"
        )
        return opening_message.id

    async def open(self, thread: discord.PartialMessageable) -> None:
        """Open an archived thread, so that its messages can be edited."""
        await self._edit_thread(thread, archived=False)

    async def archive_after_hour(self, thread: discord.PartialMessageable) -> None:
        """Let Discord archive a thread after an hour without posts."""
        await self._edit_thread(thread, auto_archive_duration=HOUR_MINUTES)

    async def archive_after_week(self, thread: discord.PartialMessageable) -> None:
        """Let Discord archive a resumed game's thread only after a week without posts."""
        await self._edit_thread(thread, auto_archive_duration=WEEK_MINUTES)

    async def is_ended(self, thread: discord.PartialMessageable) -> bool:
        """True if a thread is archived, or will be after an hour without posts as for an ended game."""
        channel = await self._client.fetch_channel(thread.id)
        return isinstance(channel, discord.Thread) and (
            channel.archived or channel.auto_archive_duration == HOUR_MINUTES
        )

    async def _edit_thread(self, thread: discord.PartialMessageable, **changes: Any) -> None:
        channel = self._client.get_channel(thread.id) or await self._client.fetch_channel(thread.id)
        if isinstance(channel, discord.Thread):
            await channel.edit(**changes)

    async def _open_forum_post(self, forum: discord.ForumChannel, row: games.GameRow) -> int:
        player_names = [seat.display_name for seat in await seats.seats(self._tables.db, row.id)]
        return await self.forums.open_game_post(
            forum,
            row,
            game_texts.thread_name(row.id, row.name, player_names),
            content=game_texts.game_title(row),
        )

    async def _find_or_make_thread(self, row: games.GameRow, name: str) -> int:
        forum = self.forums.forum_of(row)
        return await (
            self._thread_from_message(row, name) if forum is None else self._forum_post(forum, row, name)
        )

    async def _forum_post(self, forum: discord.ForumChannel, row: games.GameRow, name: str) -> int:
        """The id of a game's forum post: either the lobby's post, which is renamed, or a new post."""
        if row.thread_id is not None:
            try:
                await self._edit_thread(self._messageable(row.thread_id, row.guild_id), name=name)
            except discord.NotFound:
                _log.info("game %s: its post was deleted; made a new one", row.id)
            else:
                return row.thread_id
        return await self._open_forum_post(forum, row)

    async def _thread_from_message(self, row: games.GameRow, name: str) -> int:
        channel = self._messageable(row.channel_id, row.guild_id)
        if row.thread_id is not None:
            try:
                return await make_thread_from(channel.get_partial_message(row.thread_id), name)
            except discord.NotFound:
                _log.info("game %s: its lobby message was deleted; the thread gets a new one", row.id)
        opening_message = await channel.send(
            game_texts.game_title(row), silent=True, nonce=f"opener.{row.id}"
        )
        await self._tables.record_thread_of_game(row.id, opening_message.id)
        return await make_thread_from(channel.get_partial_message(opening_message.id), name)

    def _messageable(self, channel_id: int, guild_id: int) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(channel_id, guild_id=guild_id)


async def _unarchive_thread(channel: object) -> None:
    """Open an archived thread, unless it is locked."""
    if isinstance(channel, discord.Thread) and channel.archived and not channel.locked:
        await channel.edit(archived=False)
