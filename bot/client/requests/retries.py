"""Periodic checks that continue after errors, and quick reconnects of the gateway."""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Final, Literal, TypeAlias

import discord
from discord.backoff import ExponentialBackoff

from bot.table.errors import Refused
from storage import StorageError

_log = logging.getLogger("stationmaster.watching")

MINUTE_SECONDS: Final = 60.0
"""Seconds in a minute: the usual time between checks."""
HOUR_SECONDS: Final = 60 * MINUTE_SECONDS
"""Seconds in an hour: the time between checks for which nobody waits."""
Sleep: TypeAlias = Callable[[float], Awaitable[None]]
"""A function that waits for this many seconds."""


async def repeat_check(
    purpose: str, check: Callable[[], Awaitable[None]], seconds: float, sleep: Sleep = asyncio.sleep
) -> None:
    """Run a check now and every `seconds`, until cancelled; failures are logged with the purpose."""
    while True:
        try:
            await check()
        except (Refused, StorageError) as error:
            _log.warning("%s: %s", purpose, error)
        except Exception:  # noqa: BLE001 - if this ended, there would be no more checks until the next start
            _log.exception("%s", purpose)
        await sleep(seconds)


MAX_PAUSE_SECONDS: Final = 15.0
"""The most seconds between attempts; discord.py itself waits up to 17 minutes after a long outage."""
DAY_SECONDS: Final = 86_400.0
MAX_SHORT_PAUSES: Final = 400
"""The most short pauses in a day, enough for an outage of an hour.

After that discord.py's own pauses apply, since Discord resets a bot's token after 1,000 identifications in a day.
"""


class QuickBackoff(ExponentialBackoff[Literal[False]]):
    """Growing pauses up to MAX_PAUSE_SECONDS, in place of discord.py's."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._latest_reconnects = deque([-DAY_SECONDS] * MAX_SHORT_PAUSES, MAX_SHORT_PAUSES)
        """Start times of the last short pauses."""

    def delay(self) -> float:
        """Seconds until the next attempt."""
        now, usual_delay = self._clock(), super().delay()
        if self._latest_reconnects[0] > now - DAY_SECONDS:
            return usual_delay
        self._latest_reconnects.append(now)
        return min(usual_delay, MAX_PAUSE_SECONDS)


def use_quick_reconnects(client: discord.AutoShardedClient, shard_id: int) -> None:
    """Let a connected shard reconnect quickly after a lost connection."""
    shard = client.get_shard(shard_id)
    if shard is not None:
        shard._parent._backoff = QuickBackoff()  # discord.py has no setting for this
