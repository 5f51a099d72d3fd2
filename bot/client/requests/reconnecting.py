"""How soon the event socket is connected again: soon after an outage, and never so often that Discord minds."""

import time
from collections import deque
from collections.abc import Callable
from typing import Final, Literal

import discord
from discord.backoff import ExponentialBackoff

LONGEST: Final = 15.0
"""Seconds between two attempts, at most: discord.py itself would wait up to 17 minutes after a long outage."""
DAY: Final = 86_400.0
OFTEN: Final = 400
"""Attempts of a day that may follow each other so soon, more than an hour of an outage; then discord.py's own pauses
hold: Discord takes 1,000 identifications a day, and no token after that.
"""


class SoonAgain(ExponentialBackoff[Literal[False]]):
    """Pauses that grow as discord.py's, up to a few seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._made: deque[float] = deque()

    def delay(self) -> float:
        """Seconds until the next attempt."""
        now, usual = self._clock(), super().delay()
        while self._made and self._made[0] <= now - DAY:
            self._made.popleft()
        if len(self._made) >= OFTEN:
            return usual
        self._made.append(now)
        return min(usual, LONGEST)


def reconnect_soon(client: discord.AutoShardedClient, shard_id: int) -> None:
    """Let a shard that was just launched connect again soon whenever its connection is lost."""
    shard = client.get_shard(shard_id)
    if shard is not None:
        shard._parent._backoff = SoonAgain()  # discord.py has no setting for it
