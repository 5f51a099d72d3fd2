"""Edits of old messages, which Discord limits: each waits for a place."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Final

import discord

from bot.table.bounded_caches import BoundedDict
from bot.table.outbox.circuit_breaker import Timer
from bot.table.outbox.sender import NotYet

OLD: Final = timedelta(minutes=55)
"""A message of this age is edited rarely; Discord counts from an hour on."""


OLD_EDITS: Final = 2
"""At most N edits of old messages in a channel within OLD_EDIT_SECONDS; Discord allows three."""


OLD_EDIT_SECONDS: Final = 6.0


def is_old(message_id: int) -> bool:
    """True for a message so old that Discord limits its edits."""
    return datetime.now(UTC) - discord.utils.snowflake_time(message_id) >= OLD


class OldEdits:
    """The places for edits of old messages, each free again some time after its edit."""

    def __init__(self, timer: Callable[[], Timer] = asyncio.get_running_loop) -> None:
        self._timer = timer
        self._channels: BoundedDict[int, asyncio.Semaphore] = BoundedDict(1_000)

    def require_place(self, channel_id: int, message_id: int) -> None:
        """Raise NotYet if a message may be edited only later."""
        if is_old(message_id) and self._places(channel_id).locked():
            raise NotYet(partial(self._timer().call_later, OLD_EDIT_SECONDS / OLD_EDITS))

    @asynccontextmanager
    async def waiting_place(self, channel_id: int, message_id: int) -> AsyncIterator[None]:
        """Wait until a message may be edited, within this block."""
        if not is_old(message_id):
            yield
            return
        places = self._places(channel_id)
        await places.acquire()
        try:
            yield
        finally:
            self._timer().call_later(OLD_EDIT_SECONDS, places.release)

    def _places(self, channel_id: int) -> asyncio.Semaphore:
        places = self._channels.get(channel_id) or asyncio.Semaphore(OLD_EDITS)
        self._channels[channel_id] = places
        return places
