"""Rate limits of the page: users as on Discord, addresses for all their browsers; and limits of open streams."""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, Self

from bot.table.board_links_and_sessions import Visitor
from bot.table.bounded_caches import BoundedDict
from bot.table.errors import Refused
from bot.table.rate_limits import Allowance, Bucket, Kind, RateLimiter

_log = logging.getLogger("stationmaster.web")

ADDRESS: Final = Allowance(400, 20.0)
"""Allowance of one address: a household, or a club behind one router."""
OPENING: Final = Allowance(20, 0.2)
"""Links that may be opened from one address, good ones or not."""
ADDRESSES: Final = 10_000
"""Addresses of which something is remembered."""
STREAMS: Final = 8
"""Event streams that one user, or one spectator, may hold open."""
STREAMS_ADDRESS: Final = 48
"""Event streams that may be open from one address."""
STREAMS_GAME: Final = 200
"""Event streams that may be open for one game."""
AT_ONCE: Final = 128
"""Requests under way from one address, and connections that come straight from there."""

PATIENCE: Final = 10.0
MINUTE: Final = 60.0
"""Seconds between two lines of the log about what is refused."""


@dataclass(frozen=True, slots=True)
class PageRoom:
    """Limits of the page in its process: connections, streams, and timeouts."""

    connections: int = 4_000
    streams: int = 2_000
    patience: float = PATIENCE
    """Seconds until a request that has begun must be there."""
    idle: float = 75.0
    """Seconds that a connection may wait for its next request: longer than proxies let theirs wait."""

    @classmethod
    def of(cls, files: int) -> Self:
        """The limits for a process with this many open files: half are for connections."""
        connections = min(4_000, files // 2)
        return cls(connections, connections // 2)


USUAL: Final = PageRoom()


class Refusals:
    """Counts refusals: the first is logged at once, further ones once a minute."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._next: asyncio.TimerHandle | None = None

    def add(self, what: str) -> None:
        """Count a refusal."""
        self._counts[what] += 1
        if self._next is None:
            self._log()

    def close(self) -> None:
        """Log the remaining counts."""
        if self._next is not None:
            self._next.cancel()
            self._log()

    def _log(self) -> None:
        self._next = None
        if self._counts:
            _log.warning(
                "the board page refuses %s",
                "; ".join(f"{what}: {count}" for what, count in self._counts.most_common()),
            )
            self._counts.clear()
            self._next = asyncio.get_running_loop().call_later(MINUTE, self._log)


def asker_of(visitor: Visitor) -> int:
    """The id under which questions count: the user's, or a negative one for a spectator's session."""
    return visitor.user_id if visitor.user_id is not None else -int(visitor.session[:15] or "0", 16)


def line_of(visitor: Visitor, guild_id: int) -> int:
    """The queue in which questions wait: the server's; its spectators have their own."""
    return guild_id if visitor.user_id is not None else -guild_id


class SlowDown(Refused):
    """A rate limit was reached; more is allowed in N seconds."""

    def __init__(self, seconds: float) -> None:
        self.seconds = max(1, round(seconds + 0.5))
        super().__init__(f"Too many requests in a short time. Please wait {self.seconds} seconds.")


@dataclass
class _Addresses:
    """Allowances by address."""

    allowance: Allowance
    buckets: BoundedDict[str, Bucket]

    def require_allowance(self, address: str, now: float) -> None:
        bucket = self.buckets.get(address) or Bucket(self.allowance, self.allowance.at_once, now)
        bucket.refill(now)
        self.buckets[address] = bucket
        if bucket.wait():
            raise SlowDown(bucket.wait())
        bucket.left -= 1


class Streams:
    """Open event streams; spectators get at most half of each limit."""

    def __init__(self, maximum: int, factor: float = 1.0) -> None:
        """`maximum` in all; `factor` multiplies the limits of an address and a game."""
        self._max_streams = maximum
        self._factor = factor
        self._open: Counter[str] = Counter()

    @contextmanager
    def holding(self, visitor: Visitor, address: str) -> Iterator[bool]:
        """Hold a stream within this block; False if there is no room."""
        parts = self._limits_for(visitor, address)
        fits = all(self._open[part] < most for part, most in parts.items())
        self._open.update(parts.keys() if fits else ())
        try:
            yield fits
        finally:
            self._open.subtract(parts.keys() if fits else ())
            self._open += Counter()  # without parts that hold none

    def _limits_for(self, visitor: Visitor, address: str) -> dict[str, float]:
        """The limits that a visitor's stream counts against."""
        common = {
            f"address {address}": STREAMS_ADDRESS * self._factor,
            f"game {visitor.game_id}": STREAMS_GAME * self._factor,
            "all": self._max_streams,
        }
        if visitor.user_id is not None:
            return {f"user {visitor.user_id}": STREAMS, **common}
        spectators = {f"spectators, {part}": most // 2 for part, most in common.items()}
        return {f"session {visitor.session}": STREAMS, **common, **spectators}


class PageLimits:
    """Rate limits that raise SlowDown; a user's are shared with Discord's commands."""

    def __init__(
        self,
        rate_limiter: RateLimiter,
        factor: float = 1.0,
        clock: Callable[[], float] = time.monotonic,
        patience: float = PATIENCE,
    ) -> None:
        """`patience`: timeout for a request's body, in seconds."""
        self.patience = patience
        self._pace = rate_limiter
        self._at_once = AT_ONCE * factor
        self._open: Counter[str] = Counter()
        self._clock = clock
        self._addresses = _Addresses(ADDRESS.multiplied(factor), BoundedDict(ADDRESSES))
        self._opening = _Addresses(OPENING.multiplied(factor), BoundedDict(ADDRESSES))

    def require_address(self, address: str) -> None:
        """Count a request from an address."""
        self._addresses.require_allowance(address, self._clock())

    @contextmanager
    def in_progress(self, address: str) -> Iterator[None]:
        """Count a request from an address until it is answered."""
        if self._open[address] >= self._at_once:
            raise SlowDown(1)
        self._open[address] += 1
        try:
            yield
        finally:
            self._open[address] -= 1
            self._open += Counter()  # without addresses that ask nothing

    def require_opening(self, address: str) -> None:
        """Count an opened link from an address."""
        self._opening.require_allowance(address, self._clock())

    def require(self, visitor: Visitor, kind: Kind, guild_id: int | None = None) -> None:
        """Count a request of a kind by a visitor, and for the server where it is expensive."""
        line = None if guild_id is None else line_of(visitor, guild_id)
        retry = self._pace.ask(kind, asker_of(visitor), line)
        if retry is not None:
            raise SlowDown(retry.seconds)
