"""Rate limits of the page: each user as in Discord, with the same allowances; each address for all its browsers.
Also how much may be open at a time, in all, for a game and for an address.

And how much may be open at a time, in all, for a game and for an address.
"""

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
    """Room that the page may take in its process at a time, and for how long."""

    connections: int = 4_000
    streams: int = 2_000
    patience: float = PATIENCE
    """Seconds until a request that has begun must be there."""
    idle: float = 75.0
    """Seconds that a connection may wait for its next request: longer than proxies let theirs wait."""

    @classmethod
    def of(cls, files: int) -> Self:
        """That of a process that may open this many files: half for connections, as the bot needs some itself."""
        connections = min(4_000, files // 2)
        return cls(connections, connections // 2)


USUAL: Final = PageRoom()


class Refusals:
    """Counts what is refused: the log has the first at once, and how many more once a minute."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._next: asyncio.TimerHandle | None = None

    def add(self, what: str) -> None:
        """One more of a kind."""
        self._counts[what] += 1
        if self._next is None:
            self._log()

    def close(self) -> None:
        """Log the rest."""
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
    """The number by which questions count: the user's, and below zero that of a spectator's session."""
    return visitor.user_id if visitor.user_id is not None else -int(visitor.session[:15] or "0", 16)


def line_of(visitor: Visitor, guild_id: int) -> int:
    """The number of the line in which questions wait and count: that of the server; its spectators have their own."""
    return guild_id if visitor.user_id is not None else -guild_id


class SlowDown(Refused):
    """Too much was asked for: in N seconds more may be."""

    def __init__(self, seconds: float) -> None:
        self.seconds = max(1, round(seconds + 0.5))
        super().__init__(f"Too many requests in a short time. Please wait {self.seconds} seconds.")


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


class Streams:
    """Event streams that are open: spectators hold at most half of what an address, a game and all may hold."""

    def __init__(self, most: int, factor: float = 1.0) -> None:
        """`most` in all; `factor` multiplies the part of an address and of a game."""
        self._most = most
        self._factor = factor
        self._open: Counter[str] = Counter()

    @contextmanager
    def held(self, visitor: Visitor, address: str) -> Iterator[bool]:
        """Hold a stream meanwhile; False where there is no room for it."""
        parts = self._parts(visitor, address)
        fits = all(self._open[part] < most for part, most in parts.items())
        self._open.update(parts.keys() if fits else ())
        try:
            yield fits
        finally:
            self._open.subtract(parts.keys() if fits else ())
            self._open += Counter()  # without parts that hold none

    def _parts(self, visitor: Visitor, address: str) -> dict[str, float]:
        """The parts for which the stream of a visitor counts, and how many each may hold."""
        common = {
            f"address {address}": STREAMS_ADDRESS * self._factor,
            f"game {visitor.game_id}": STREAMS_GAME * self._factor,
            "all": self._most,
        }
        if visitor.user_id is not None:
            return {f"user {visitor.user_id}": STREAMS, **common}
        spectators = {f"spectators, {part}": most // 2 for part, most in common.items()}
        return {f"session {visitor.session}": STREAMS, **common, **spectators}


class Limits:
    """Raises SlowDown where an allowance is used up; a user's is the one that Discord's commands use, too."""

    def __init__(
        self,
        pace: RateLimiter,
        factor: float = 1.0,
        clock: Callable[[], float] = time.monotonic,
        patience: float = PATIENCE,
    ) -> None:
        """`patience`: seconds until the body of a request must be there."""
        self.patience = patience
        self._pace = pace
        self._at_once = AT_ONCE * factor
        self._open: Counter[str] = Counter()
        self._clock = clock
        self._addresses = _Addresses(ADDRESS.times(factor), BoundedDict(ADDRESSES))
        self._opening = _Addresses(OPENING.times(factor), BoundedDict(ADDRESSES))

    def require_address(self, address: str) -> None:
        """One more request from there."""
        self._addresses.take(address, self._clock())

    @contextmanager
    def under_way(self, address: str) -> Iterator[None]:
        """Count a request from there until it is answered."""
        if self._open[address] >= self._at_once:
            raise SlowDown(1)
        self._open[address] += 1
        try:
            yield
        finally:
            self._open[address] -= 1
            self._open += Counter()  # without addresses that ask nothing

    def require_opening(self, address: str) -> None:
        """One more link that is opened from there."""
        self._opening.take(address, self._clock())

    def require(self, visitor: Visitor, kind: Kind, guild_id: int | None = None) -> None:
        """One more of a kind by a visitor, and in a server where that costs anything."""
        line = None if guild_id is None else line_of(visitor, guild_id)
        retry = self._pace.ask(kind, asker_of(visitor), line)
        if retry is not None:
            raise SlowDown(retry.seconds)
