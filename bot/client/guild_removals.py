"""Servers that the bot has left: all data waits for a while, then everything except the games is deleted."""

import logging
from datetime import timedelta
from typing import Final

import discord

from bot.client.pings.expired_direct_messages import ExpiredDirectMessages, anonymise
from bot.client.requests.retry_loop import HOUR, keep_looking
from bot.table.tables import Tables
from storage import games, outbox, people
from storage.contract import parse_timestamp
from storage.moving import guilds as known_guilds
from storage.settings import GUILDS, LEFT

_log = logging.getLogger("stationmaster.departures")

KEPT: Final = timedelta(days=90)
"""How long all that a server has is kept after the bot has left it."""
FORGOTTEN: Final = "forgotten"
"""What replaces the data of a deleted server."""


class GuildRemovals:
    """Notes which servers are gone and which are back, and forgets those that stay away."""

    def __init__(self, client: discord.Client, tables: Tables, expired: ExpiredDirectMessages) -> None:
        self._client = client
        self._tables = tables
        self._db = tables.db
        self._expired = expired

    async def watch(self) -> None:
        """Look every hour: the bot may have been sent away, or invited again, while it was not running."""
        await keep_looking("servers that were left", self.look, HOUR)

    async def look(self) -> None:
        """Compare the servers of this share that have games or settings with those that the bot is on."""
        present = {guild.id for guild in self._client.guilds}
        for guild_id in await known_guilds(self._db):
            if guild_id and self._tables.share.holds(guild_id):
                await (self.back(guild_id) if guild_id in present else self.gone(guild_id))

    async def look_at(self, guild_id: int) -> None:
        """Note that a server was left just now, if there is anything of it."""
        if guild_id in await known_guilds(self._db):
            await self.gone(guild_id)

    async def gone(self, guild_id: int) -> None:
        """The bot is not on a server: note since when, or forget it when that is long enough ago."""
        left, now = await GUILDS.get(self._db, guild_id, LEFT), self._tables.clock()
        if left is None:
            await GUILDS.put(self._db, guild_id, LEFT, now)
            _log.info("server %s was left; it is kept for %s days", guild_id, KEPT.days)
        elif left != FORGOTTEN and parse_timestamp(left) + KEPT <= parse_timestamp(now):
            await self._forget(guild_id)

    async def back(self, guild_id: int) -> None:
        """The bot is on a server: what waited there since it was left is posted."""
        if await GUILDS.get(self._db, guild_id, LEFT) is None:
            return
        await GUILDS.forget(self._db, guild_id, LEFT)
        for row in await games.list_games(self._db, guild_id, "running"):
            await outbox.requeue(self._db, row.id)
            self._tables.on_notice(row.id)

    async def _forget(self, guild_id: int) -> None:
        for row in await games.list_games(self._db, guild_id):
            if row.status in ("lobby", "running"):
                await games.abandon(self._db, row.id)
            self._tables.forget(row.id)
        for person in await people.of_guild(self._db, guild_id):
            await anonymise(self._tables, self._expired, person, guild_id)
        await outbox.drop(self._db, guild_id)
        await GUILDS.forget_all(self._db, guild_id)
        await GUILDS.put(self._db, guild_id, LEFT, FORGOTTEN)
        await self._db.vacuum()
        _log.info(
            "server %s was left %s days ago; its games stay, with anonymised players", guild_id, KEPT.days
        )
