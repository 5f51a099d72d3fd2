"""Discord limits edits of messages older than an hour. Each such edit needs a slot, of which a channel has few."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Final

import discord

from bot.table.bounded_caches import BoundedDict
from bot.table.outbox.circuit_breaker import Timer
from bot.table.outbox.sender import PostLater

OLD_MESSAGE_AGE: Final = timedelta(minutes=55)
"""Age of a message from which an edit needs a slot. Discord's limit applies from one hour."""


MAX_OLD_EDITS: Final = 2
"""Maximum number of edits of old messages in a channel within OLD_EDIT_SECONDS; Discord allows three."""


OLD_EDIT_SECONDS: Final = 6.0


def is_old_message(message_id: int) -> bool:
    """True if a message is so old that Discord limits its edits."""
    return datetime.now(UTC) - discord.utils.snowflake_time(message_id) >= OLD_MESSAGE_AGE


class OldEdits:
    """Slots for edits of old messages, separate for each channel. Each is free again after OLD_EDIT_SECONDS."""

    def __init__(self, timer: Callable[[], Timer] = asyncio.get_running_loop) -> None:
        self._timer = timer
        self._slots_by_channel: BoundedDict[int, asyncio.Semaphore] = BoundedDict(1_000)

    def require_slot(self, channel_id: int, message_id: int) -> None:
        """Raise PostLater if an edit must wait: the message is old, and its channel has no free slot."""
        if is_old_message(message_id) and self._edit_slots(channel_id).locked():
            raise PostLater(partial(self._timer().call_later, OLD_EDIT_SECONDS / MAX_OLD_EDITS))

    @asynccontextmanager
    async def edit_slot(self, channel_id: int, message_id: int) -> AsyncIterator[None]:
        """Context manager for an edit. If the message is old, it waits for a free slot."""
        if not is_old_message(message_id):
            yield
            return
        slots = self._edit_slots(channel_id)
        await slots.acquire()
        try:
            yield
        finally:
            self._timer().call_later(OLD_EDIT_SECONDS, slots.release)

    def _edit_slots(self, channel_id: int) -> asyncio.Semaphore:
        slots = self._slots_by_channel.get(channel_id) or asyncio.Semaphore(MAX_OLD_EDITS)
        self._slots_by_channel[channel_id] = slots
        return slots
