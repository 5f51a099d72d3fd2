"""The threads of games: creation, opening, closing, and our posts in them."""

import logging
from dataclasses import replace
from datetime import timedelta
from typing import Any, Final

import discord

from bot.client import game_texts
from bot.client.places.forum_posts_and_tags import ForumPosts
from bot.client.places.messages import WEEK, thread_from
from bot.table.tables import Tables
from storage import GameRow, games, seats

_log = logging.getLogger("stationmaster.announce")
_forum_log = logging.getLogger("stationmaster.forums")

SKEW: Final = timedelta(minutes=10)
"""The most that our clock may be ahead of Discord's."""
HOUR: Final = 60
"""Minutes after which an idle thread is archived whose game is over; until then people read and talk."""


class Threads:
    """The threads of running games, made from lobby messages, or forum posts.

    Raises what Discord refuses, but for tags, which nobody waits for.
    """

    def __init__(self, client: discord.Client, tables: Tables) -> None:
        self._client = client
        self._tables = tables
        self.forums = ForumPosts(client)

    async def thread_of(self, game_id: int) -> discord.PartialMessageable:
        """The thread of a game that has one."""
        live = self._tables.cached(game_id)
        row = await games.get_game(self._tables.db, game_id) if live is None else live.row
        assert row.thread_id is not None
        return self._messageable(row.thread_id, row.guild_id)

    async def make(self, row: games.GameRow) -> discord.PartialMessageable:
        """Make a game's thread, or find the existing one."""
        people = [seat.display_name for seat in await seats.seats(self._tables.db, row.id)]
        thread_id = await self._thread(row, game_texts.thread_name(row.id, row.name, people))
        await self._tables.show_in(row.id, thread_id)
        return self._messageable(thread_id, row.guild_id)

    async def own_posts(self, row: GameRow, after: int) -> list[discord.Message]:
        """Our posts in a game's thread after this id, oldest first, without replies to users."""
        assert row.thread_id is not None
        me, thread = self._client.user, self._messageable(row.thread_id, row.guild_id)
        history = thread.history(limit=None, after=discord.Object(after), oldest_first=True)
        mine = [message async for message in history if me is not None and message.author.id == me.id]
        return [
            message for message in mine if not message.is_system() and message.interaction_metadata is None
        ]

    async def open_if_there(self, thread_id: int) -> bool:
        """True if a thread exists; an archived one is opened. Raises Discord's refusals."""
        # Discord lists every thread that is not archived; others must be asked for.
        known = self._client.get_channel(thread_id)
        if known is None:
            return await self.ask_discord(thread_id)
        await _open_archived(known)
        return True

    async def ask_discord(self, thread_id: int) -> bool:
        """True if a thread exists, by a request; raises discord.Forbidden if it is not visible."""
        try:
            await _open_archived(await self._client.fetch_channel(thread_id))
        except discord.NotFound:
            return False
        return True

    async def repost(self, row: games.GameRow, channel_id: int) -> int:
        """Post a message in a channel for a new thread of a game; returns its id."""
        forum = self.forums.forum_of(replace(row, channel_id=channel_id))
        if forum is not None:
            return await self._post(forum, row)
        channel = self._messageable(channel_id, row.guild_id)
        # Each thread that is lost is followed by one.
        opener = await channel.send(game_texts.game_title(row), silent=True, nonce=f"o{row.thread_id}")
        return opener.id

    async def open(self, thread: discord.PartialMessageable) -> None:
        """Open an archived thread, so that its messages can be edited."""
        await self._change(thread, archived=False)

    async def archive_soon(self, thread: discord.PartialMessageable) -> None:
        """Let a thread be archived after an hour without messages."""
        await self._change(thread, auto_archive_duration=HOUR)

    async def keep_open(self, thread: discord.PartialMessageable) -> None:
        """Keep the thread of a resumed game open."""
        await self._change(thread, auto_archive_duration=WEEK)

    async def is_ended(self, thread: discord.PartialMessageable) -> bool:
        """True if a thread is archived, or will be soon."""
        channel = await self._client.fetch_channel(thread.id)
        return isinstance(channel, discord.Thread) and (
            channel.archived or channel.auto_archive_duration == HOUR
        )

    async def _change(self, thread: discord.PartialMessageable, **changes: Any) -> None:
        channel = self._client.get_channel(thread.id) or await self._client.fetch_channel(thread.id)
        if isinstance(channel, discord.Thread):
            await channel.edit(**changes)

    async def _post(self, forum: discord.ForumChannel, row: games.GameRow) -> int:
        people = [seat.display_name for seat in await seats.seats(self._tables.db, row.id)]
        return await self.forums.post_in(
            forum, row, game_texts.thread_name(row.id, row.name, people), content=game_texts.game_title(row)
        )

    async def _thread(self, row: games.GameRow, name: str) -> int:
        forum = self.forums.forum_of(row)
        return await (self._from_message(row, name) if forum is None else self._in_forum(forum, row, name))

    async def _in_forum(self, forum: discord.ForumChannel, row: games.GameRow, name: str) -> int:
        """The lobby's forum post, renamed, or a new one."""
        if row.thread_id is not None:
            try:
                await self._change(self._messageable(row.thread_id, row.guild_id), name=name)
            except discord.NotFound:
                _log.info("game %s: its post was deleted; made a new one", row.id)
            else:
                return row.thread_id
        return await self._post(forum, row)

    async def _from_message(self, row: games.GameRow, name: str) -> int:
        channel = self._messageable(row.channel_id, row.guild_id)
        if row.thread_id is not None:
            try:
                return await thread_from(channel.get_partial_message(row.thread_id), name)
            except discord.NotFound:
                _log.info("game %s: its lobby message was deleted; the thread gets a new one", row.id)
        opener = await channel.send(game_texts.game_title(row), silent=True, nonce=f"opener.{row.id}")
        await self._tables.show_in(row.id, opener.id)
        return await thread_from(channel.get_partial_message(opener.id), name)

    def _messageable(self, channel_id: int, guild_id: int) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(channel_id, guild_id=guild_id)


async def _open_archived(channel: object) -> None:
    """Open an archived thread, unless a user locked it."""
    if isinstance(channel, discord.Thread) and channel.archived and not channel.locked:
        await channel.edit(archived=False)


# --- who may see one -------------------------------------------------------------------------------------------------
