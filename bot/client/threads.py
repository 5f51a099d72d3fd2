"""The threads of games: making one, and finding what was posted there."""

import logging
from typing import Final

import discord

from bot.client import texts
from bot.client.posts import Test, delete, thread_from
from bot.table.live import Live
from bot.table.service import Tables
from storage import games, seats

_log = logging.getLogger("stationmaster.announce")

LOOK_BACK: Final = 50
"""Messages looked through for what was posted just before a crash."""


class Threads:
    """Each running game has a thread of its own, made from its lobby message."""

    def __init__(self, client: discord.Client, tables: Tables) -> None:
        self._client = client
        self._tables = tables

    async def of(self, game_id: int) -> tuple[discord.PartialMessageable, Live]:
        """The thread of a game that has one, and the game."""
        async with self._tables.reading(game_id) as live:
            assert live.row.thread_id is not None
            return self._messageable(live.row.thread_id, live.row.guild_id), live

    async def make(self, row: games.Game) -> discord.PartialMessageable:
        """Make the thread of a game, or find the one there is."""
        people = [seat.display_name for seat in await seats.seats(self._tables.db, row.id)]
        thread_id = await self._thread(row, texts.thread_name(row.id, row.name, people))
        await self._tables.show_in(row.id, thread_id)
        return self._messageable(thread_id, row.guild_id)

    async def own(self, thread: discord.PartialMessageable, same: Test) -> discord.Message | None:
        """What we posted lately that passes a test; the newest."""
        me = self._client.user
        async for message in thread.history(limit=LOOK_BACK):
            if me is not None and message.author.id == me.id and same(message):
                return message
        return None

    async def sweep(self, thread: discord.PartialMessageable, kept: int | None) -> None:
        """Delete what we posted lately with buttons, but for one message."""
        me = self._client.user
        stale = [
            message
            async for message in thread.history(limit=LOOK_BACK)
            if me is not None and message.author.id == me.id and message.id != kept and message.components
        ]
        for message in stale:
            await delete(message)

    async def archive(self, thread: discord.PartialMessageable) -> None:
        """Close a thread: nothing is posted there any more."""
        channel = self._client.get_channel(thread.id) or await self._client.fetch_channel(thread.id)
        if isinstance(channel, discord.Thread):
            await channel.edit(archived=True)

    async def _thread(self, row: games.Game, name: str) -> int:
        channel = self._messageable(row.channel_id, row.guild_id)
        if row.thread_id is not None:
            try:
                return await thread_from(channel.get_partial_message(row.thread_id), name)
            except discord.NotFound:
                _log.info("game %s: the lobby message is gone; the thread gets another", row.id)
        opener = await channel.send(texts.game_title(row), silent=True)
        await self._tables.show_in(row.id, opener.id)
        return await thread_from(channel.get_partial_message(opener.id), name)

    def _messageable(self, channel_id: int, guild_id: int) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(channel_id, guild_id=guild_id)
