"""Edits of messages older than an hour: Discord takes few of them, so they wait for each other."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from time import monotonic
from typing import Final

import discord

from bot.table.bounded import BoundedDict

OLD: Final = timedelta(minutes=55)
"""A message of this age is edited rarely; Discord counts from an hour on."""
MOST: Final = 2
"""At most this many edits of old messages in a channel within SECONDS; Discord allows three, one is left for others."""
SECONDS: Final = 6.0
CHANNELS: Final = 1_000
"""Of how many channels the last edits are known."""


def is_old(message_id: int) -> bool:
    """Whether a message is so old that Discord takes few edits of it."""
    return datetime.now(UTC) - discord.utils.snowflake_time(message_id) >= OLD


class OldEdits:
    """When old messages of each channel were edited."""

    def __init__(
        self, now: Callable[[], float] = monotonic, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> None:
        self._now = now
        self._sleep = sleep
        self._made: BoundedDict[int, tuple[float, ...]] = BoundedDict(CHANNELS)

    async def wait(self, channel_id: int, message_id: int) -> None:
        """Wait until a message may be edited, and count the edit; what shall be shown is best found out afterwards."""
        if not is_old(message_id):
            return
        # A wait is counted at once, so that the next edit waits longer.
        made = self._made.get(channel_id, ())[-MOST:]
        free = made[-MOST] + SECONDS if len(made) == MOST else self._now()
        at = max(self._now(), free)
        self._made[channel_id] = (*made, at)[-MOST:]
        await self._sleep(at - self._now())
