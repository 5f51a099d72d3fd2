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
from bot.table.rate_limits import Allowance, AllowanceInUse, RateLimiter, RequestKind

_log = logging.getLogger("stationmaster.web")

ADDRESS_ALLOWANCE: Final = Allowance(400, 20.0)
"""Allowance of one address: a household, or a club behind one router."""
OPENING_ALLOWANCE: Final = Allowance(20, 0.2)
"""Allowance for opening links from one address, valid or not."""
MAX_ADDRESSES: Final = 10_000
"""Addresses whose allowances are remembered."""
STREAMS_PER_USER: Final = 8
"""Event streams that one user, or one spectator, may hold open."""
STREAMS_PER_ADDRESS: Final = 48
"""Event streams that may be open from one address."""
STREAMS_PER_GAME: Final = 200
"""Event streams that may be open for one game."""
MAX_OPEN_PER_ADDRESS: Final = 128
"""Requests in progress from one address; also its open connections."""

REQUEST_TIMEOUT_SECONDS: Final = 10.0
SECONDS_BETWEEN_LOGS: Final = 60.0
"""Seconds between log lines about refusals."""


@dataclass(frozen=True, slots=True)
class PageCapacity:
    """Limits of the page in its process: connections, streams, and timeouts."""

    connections: int = 4_000
    streams: int = 2_000
    request_timeout: float = REQUEST_TIMEOUT_SECONDS
    """Seconds within which a request must arrive completely."""
    idle_timeout: float = 75.0
    """Seconds that a connection may wait for its next request: longer than proxies let theirs wait."""

    @classmethod
    def for_open_files(cls, max_open_files: int) -> Self:
        """The limits for a process with this many open files: half are for connections."""
        connections = min(4_000, max_open_files // 2)
        return cls(connections, connections // 2)


USUAL_CAPACITY: Final = PageCapacity()


class Refusals:
    """Counts refusals: the first is logged at once, further ones once a minute."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._next_log: asyncio.TimerHandle | None = None

    def add(self, refusal_kind: str) -> None:
        """Count a refusal."""
        self._counts[refusal_kind] += 1
        if self._next_log is None:
            self._log_counts()

    def close(self) -> None:
        """Log the remaining counts."""
        if self._next_log is not None:
            self._next_log.cancel()
            self._log_counts()

    def _log_counts(self) -> None:
        self._next_log = None
        if self._counts:
            _log.warning(
                "the board page refuses %s",
                "; ".join(f"{refusal_kind}: {count}" for refusal_kind, count in self._counts.most_common()),
            )
            self._counts.clear()
            self._next_log = asyncio.get_running_loop().call_later(SECONDS_BETWEEN_LOGS, self._log_counts)


def asker_of(visitor: Visitor) -> int:
    """The id under which questions count: the user's, or a negative one for a spectator's session."""
    return visitor.user_id if visitor.user_id is not None else -int(visitor.session[:15] or "0", 16)


def queue_id_of(visitor: Visitor, guild_id: int) -> int:
    """The queue in which questions wait: the server's; its spectators have their own."""
    return guild_id if visitor.user_id is not None else -guild_id


class SlowDown(Refused):
    """A rate limit was reached; more is allowed in N seconds."""

    def __init__(self, seconds: float) -> None:
        self.seconds = max(1, round(seconds + 0.5))
        super().__init__(f"Too many requests in a short time. Please wait {self.seconds} seconds.")


@dataclass
class _AddressAllowances:
    """Allowances by address."""

    allowance: Allowance
    buckets: BoundedDict[str, AllowanceInUse]

    def require_allowance(self, address: str, now: float) -> None:
        bucket = self.buckets.get(address) or AllowanceInUse(self.allowance, self.allowance.burst, now)
        bucket.refill(now)
        self.buckets[address] = bucket
        if bucket.seconds_to_wait():
            raise SlowDown(bucket.seconds_to_wait())
        bucket.requests_left -= 1


class Streams:
    """Open event streams; spectators get at most half of each limit."""

    def __init__(self, max_streams: int, limit_factor: float = 1.0) -> None:
        """`maximum` in all; `factor` multiplies the limits of an address and a game."""
        self._max_streams = max_streams
        self._limit_factor = limit_factor
        self._open: Counter[str] = Counter()

    @contextmanager
    def hold_stream(self, visitor: Visitor, address: str) -> Iterator[bool]:
        """Hold a stream within this block; False if there is no room."""
        stream_limits = self._limits_for(visitor, address)
        has_room = all(self._open[limit_name] < maximum for limit_name, maximum in stream_limits.items())
        self._open.update(stream_limits.keys() if has_room else ())
        try:
            yield has_room
        finally:
            self._open.subtract(stream_limits.keys() if has_room else ())
            self._open += Counter()  # without parts that hold none

    def _limits_for(self, visitor: Visitor, address: str) -> dict[str, float]:
        """The limits that a visitor's stream counts against."""
        shared_limits = {
            f"address {address}": STREAMS_PER_ADDRESS * self._limit_factor,
            f"game {visitor.game_id}": STREAMS_PER_GAME * self._limit_factor,
            "all": self._max_streams,
        }
        if visitor.user_id is not None:
            return {f"user {visitor.user_id}": STREAMS_PER_USER, **shared_limits}
        spectator_limits = {
            f"spectators, {limit_name}": maximum // 2 for limit_name, maximum in shared_limits.items()
        }
        return {f"session {visitor.session}": STREAMS_PER_USER, **shared_limits, **spectator_limits}


class PageLimits:
    """Rate limits that raise SlowDown; a user's are shared with Discord's commands."""

    def __init__(
        self,
        rate_limiter: RateLimiter,
        limit_factor: float = 1.0,
        clock: Callable[[], float] = time.monotonic,
        request_timeout: float = REQUEST_TIMEOUT_SECONDS,
    ) -> None:
        """`patience`: timeout for a request's body, in seconds."""
        self.request_timeout = request_timeout
        self._rate_limiter = rate_limiter
        self._max_in_progress = MAX_OPEN_PER_ADDRESS * limit_factor
        self._open: Counter[str] = Counter()
        self._clock = clock
        self._address_allowances = _AddressAllowances(
            ADDRESS_ALLOWANCE.multiplied(limit_factor), BoundedDict(MAX_ADDRESSES)
        )
        self._opening_allowances = _AddressAllowances(
            OPENING_ALLOWANCE.multiplied(limit_factor), BoundedDict(MAX_ADDRESSES)
        )

    def count_address_request(self, address: str) -> None:
        """Count a request from an address."""
        self._address_allowances.require_allowance(address, self._clock())

    @contextmanager
    def in_progress(self, address: str) -> Iterator[None]:
        """Count a request from an address until it is answered."""
        if self._open[address] >= self._max_in_progress:
            raise SlowDown(1)
        self._open[address] += 1
        try:
            yield
        finally:
            self._open[address] -= 1
            self._open += Counter()  # without addresses that ask nothing

    def count_opened_link(self, address: str) -> None:
        """Count an opened link from an address."""
        self._opening_allowances.require_allowance(address, self._clock())

    def count_request(self, visitor: Visitor, kind: RequestKind, guild_id: int | None = None) -> None:
        """Count a request of a kind by a visitor, and for the server where it is expensive."""
        queue_id = None if guild_id is None else queue_id_of(visitor, guild_id)
        retry_after = self._rate_limiter.count_request(kind, asker_of(visitor), queue_id)
        if retry_after is not None:
            raise SlowDown(retry_after.seconds)
