"""Periodic checks that continue after errors, and quick reconnects to Discord's gateway."""

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
"""Seconds in a minute, the usual interval of periodic checks."""
HOUR_SECONDS: Final = 60 * MINUTE_SECONDS
"""Seconds in an hour, the interval of checks that are not urgent."""
SleepFunction: TypeAlias = Callable[[float], Awaitable[None]]
"""A function that sleeps for a number of seconds, such as `asyncio.sleep`."""


async def repeat_check(
    label: str,
    check: Callable[[], Awaitable[None]],
    interval_seconds: float,
    sleep: SleepFunction = asyncio.sleep,
) -> None:
    """Run a check now and every `interval_seconds` until cancelled. Failures are logged; the log names the `label`."""
    while True:
        try:
            await check()
        except (Refused, StorageError) as error:
            _log.warning("%s: %s", label, error)
        except Exception:  # noqa: BLE001 - if this ended, there would be no more checks until the next start
            _log.exception("%s", label)
        await sleep(interval_seconds)


MAX_PAUSE_SECONDS: Final = 15.0
"""Longest pause, in seconds, before reconnecting; discord.py alone waits up to 17 minutes."""
DAY_SECONDS: Final = 86_400.0
MAX_SHORT_PAUSES: Final = 400
"""Number of shortened pauses in a day, enough for an outage of an hour.

After them, discord.py's longer pauses apply, since Discord resets a bot's token after 1,000 logins in a day.
"""


class QuickBackoff(ExponentialBackoff[Literal[False]]):
    """Computes pauses between reconnects, which grow to MAX_PAUSE_SECONDS. discord.py's own pauses are longer."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._latest_reconnects = deque([-DAY_SECONDS] * MAX_SHORT_PAUSES, MAX_SHORT_PAUSES)

    def delay(self) -> float:
        """Seconds until the next attempt to reconnect."""
        now, usual_delay = self._clock(), super().delay()
        if self._latest_reconnects[0] > now - DAY_SECONDS:
            return usual_delay
        self._latest_reconnects.append(now)
        return min(usual_delay, MAX_PAUSE_SECONDS)


def use_quick_reconnects(client: discord.AutoShardedClient, shard_id: int) -> None:
    """Replace a connected shard's reconnect pauses by QuickBackoff."""
    shard = client.get_shard(shard_id)
    if shard is not None:
        shard._parent._backoff = QuickBackoff()  # discord.py has no setting for this
