"""Stale direct messages: they are deleted, as turn messages are."""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

import discord

from bot.client.pings.direct_messages import CLOSES
from bot.client.requests.permission_problems import Problem
from bot.table.bounded import BoundedDict
from bot.table.past.anonymise import anonymised
from bot.table.tables import Tables
from storage import direct_messages, people
from storage.contract import parse_timestamp
from storage.direct_messages import Posted

_log = logging.getLogger("stationmaster.direct_messages")

PAUSE: Final = timedelta(minutes=10)
"""Between attempts to delete a message that could not be deleted."""
KEPT: Final = 1_000
"""At most this many are remembered."""


class ExpiredDirectMessages:
    """Deletes pings of users who have acted since, or who were pinged again."""

    def __init__(self, client: discord.Client, tables: Tables) -> None:
        self._client = client
        self._tables = tables
        self._later: BoundedDict[int, datetime] = BoundedDict(KEPT)
        """By direct message, when it is tried again."""

    async def clear(self) -> None:
        """Delete whatever is out of date."""
        now = parse_timestamp(self._tables.clock())
        for dm in await direct_messages.outdated(self._tables.db, self._tables.share):
            if self._later.get(dm.dm_id, now) <= now:
                await self._delete(dm, now)

    async def take(self, posted: Sequence[Posted]) -> None:
        """Delete these, whatever they are about."""
        now = parse_timestamp(self._tables.clock())
        for dm in posted:
            await self._delete(dm, now)

    async def _delete(self, dm: Posted, now: datetime) -> None:
        try:
            channel = await self._client.create_dm(discord.Object(dm.user_id))
            await channel.get_partial_message(dm.message_id).delete()
        except CLOSES:
            pass  # deleted by hand, or the user accepts no messages any more
        except Problem as error:
            self._later[dm.dm_id] = now + PAUSE
            _log.warning("message %s cannot be deleted: %r", dm.message_id, error)
            return
        await direct_messages.gone(self._tables.db, dm.dm_id)


async def anonymise(
    tables: Tables, expired: ExpiredDirectMessages, user_id: int, guild_id: int | None = None
) -> list[int]:
    """Anonymise a user in the games of a server, or everywhere; the games they were in. Raises StillSeated.

    The caller sweeps the file afterwards.
    """
    # Once their numbers are removed, nothing would delete the messages that still ping them.
    posted = await direct_messages.posted_to(tables.db, user_id, guild_id)
    games = await people.anonymise(tables.db, user_id, anonymised, guild_id=guild_id)
    await expired.take(posted)
    for game_id in games:
        tables.forget(game_id)
    return games
