"""Retries: periodic checks that survive errors, and quick reconnects of the gateway."""

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

MINUTE: Final = 60.0
"""Seconds between two looks."""
HOUR: Final = 60 * MINUTE
"""The same, where nobody waits."""
Sleep: TypeAlias = Callable[[float], Awaitable[None]]
"""Waits for N seconds."""


async def keep_looking(
    what: str, look: Callable[[], Awaitable[None]], seconds: float, sleep: Sleep = asyncio.sleep
) -> None:
    """Check at once and every N seconds, until cancelled; failures are logged by purpose."""
    while True:
        try:
            await look()
        except (Refused, StorageError) as error:
            _log.warning("%s: %s", what, error)
        except Exception:  # noqa: BLE001 - were this to end, nobody would look any more until the next start
            _log.exception("%s", what)
        await sleep(seconds)


LONGEST: Final = 15.0
"""Seconds between two attempts, at most: discord.py itself would wait up to 17 minutes after a long outage."""
DAY: Final = 86_400.0
OFTEN: Final = 400
"""Attempts of a day that may follow each other so soon, more than an hour of an outage; then discord.py's own pauses
hold: Discord takes 1,000 identifications a day, and no token after that.
"""


class QuickBackoff(ExponentialBackoff[Literal[False]]):
    """Growing delays up to a few seconds, in place of discord.py's."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._soon = deque([-DAY] * OFTEN, OFTEN)
        """When the last short pauses began."""

    def delay(self) -> float:
        """Seconds until the next attempt."""
        now, usual = self._clock(), super().delay()
        if self._soon[0] > now - DAY:
            return usual
        self._soon.append(now)
        return min(usual, LONGEST)


def reconnect_soon(client: discord.AutoShardedClient, shard_id: int) -> None:
    """Let a newly connected shard reconnect quickly whenever its connection is lost."""
    shard = client.get_shard(shard_id)
    if shard is not None:
        shard._parent._backoff = QuickBackoff()  # discord.py has no setting for it
