"""How often somebody may ask: each user as in Discord, with the same allowances; each address for all its browsers."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from bot.client.entry.rate_limits import Allowance, Bucket, Kind, RateLimiter
from bot.table.board.links import Visitor
from bot.table.bounded import BoundedDict
from bot.table.errors import Refused

ADDRESS: Final = Allowance(400, 20.0)
"""What may come from one address: a household, or a club behind one router."""
OPENING: Final = Allowance(20, 0.2)
"""Links that may be opened from one address, good ones or not."""
ADDRESSES: Final = 10_000
"""Addresses of which something is remembered."""
STREAMS: Final = 8
"""Event streams that one user, or one spectator, may hold open."""


def asker_of(visitor: Visitor) -> int:
    """The number by which questions count: the user's, and below zero that of a spectator's session."""
    return visitor.user_id if visitor.user_id is not None else -int(visitor.session[:15] or "0", 16)


def line_of(visitor: Visitor, guild_id: int) -> int:
    """The number of the line in which questions wait and count: that of the server; its spectators have their own."""
    return guild_id if visitor.user_id is not None else -guild_id


class SlowDown(Refused):
    """Too much was asked for: in N seconds more may be."""

    def __init__(self, seconds: float) -> None:
        self.seconds = max(1, round(seconds + 0.5))
        super().__init__(f"That was a lot in a short time. Please wait {self.seconds} seconds.")


@dataclass
class _Addresses:
    """Allowances by address."""

    allowance: Allowance
    buckets: BoundedDict[str, Bucket]

    def take(self, address: str, now: float) -> None:
        bucket = self.buckets.get(address) or Bucket(self.allowance, self.allowance.at_once, now)
        bucket.fill(now)
        self.buckets[address] = bucket
        if bucket.wait():
            raise SlowDown(bucket.wait())
        bucket.left -= 1


class Limits:
    """Raises SlowDown where an allowance is used up; a user's is the one that Discord's commands use, too."""

    def __init__(
        self, pace: RateLimiter, factor: float = 1.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._pace = pace
        self._clock = clock
        self._addresses = _Addresses(ADDRESS.times(factor), BoundedDict(ADDRESSES))
        self._opening = _Addresses(OPENING.times(factor), BoundedDict(ADDRESSES))

    def require_address(self, address: str) -> None:
        """One more request from there."""
        self._addresses.take(address, self._clock())

    def require_opening(self, address: str) -> None:
        """One more link that is opened from there."""
        self._opening.take(address, self._clock())

    def require(self, visitor: Visitor, kind: Kind, guild_id: int | None = None) -> None:
        """One more of a kind by a visitor, and in a server where that costs anything."""
        line = None if guild_id is None else line_of(visitor, guild_id)
        retry = self._pace.ask(kind, asker_of(visitor), line)
        if retry is not None:
            raise SlowDown(retry.seconds)
