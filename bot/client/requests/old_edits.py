"""Edits of messages older than an hour: Discord takes few of them, so they wait for each other."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from math import inf
from time import monotonic
from typing import Final

import discord

from bot.table.bounded import BoundedDict

OLD: Final = timedelta(minutes=55)
"""A message of this age is edited rarely; Discord counts from an hour on."""
MOST: Final = 2
"""At most this many edits of old messages in a channel within SECONDS; Discord allows three, one is left for others.

An edit counts until SECONDS after its answer: when it came to Discord is known no better.
"""
SECONDS: Final = 6.0
CHANNELS: Final = 1_000
"""Of how many channels the last edits are known."""


def is_old(message_id: int) -> bool:
    """Whether a message is so old that Discord takes few edits of it."""
    return datetime.now(UTC) - discord.utils.snowflake_time(message_id) >= OLD


class _Channel:
    """The places for edits in a channel: each is free again some time after the edit that had it is answered."""

    def __init__(self) -> None:
        self.free = asyncio.Semaphore(MOST)
        self.ended = deque([-inf] * MOST)
        """When the edits were answered that had the free places, longest ago first."""


class OldEdits:
    """When old messages of each channel were edited."""

    def __init__(
        self, now: Callable[[], float] = monotonic, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> None:
        self._now = now
        self._sleep = sleep
        self._channels: BoundedDict[int, _Channel] = BoundedDict(CHANNELS)

    @asynccontextmanager
    async def place(self, channel_id: int, message_id: int) -> AsyncIterator[None]:
        """Wait until a message may be edited, which is done within; what shall be shown is best found out there."""
        if not is_old(message_id):
            yield
            return
        channel = self._channels.get(channel_id) or _Channel()
        self._channels[channel_id] = channel
        async with channel.free:
            ended = channel.ended.popleft()
            try:
                await self._sleep(max(0.0, ended + SECONDS - self._now()))
            except BaseException:
                channel.ended.appendleft(ended)  # nothing was edited
                raise
            try:
                yield
            finally:
                channel.ended.append(self._now())
