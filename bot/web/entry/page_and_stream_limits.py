"""Rate limits of the board page, per user and per client address, and limits on open event streams."""

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
from bot.table.rate_limits import Allowance, RateLimiter, RequestKind, TokenBucket

_log = logging.getLogger("stationmaster.web")

ADDRESS_ALLOWANCE: Final = Allowance(400, 20.0)
"""Request rate allowed for one client address. Several users may share an address, as in a household."""
LINK_OPENING_ALLOWANCE: Final = Allowance(20, 0.2)
"""Rate at which one client address may try to open board links, valid or not."""
MAX_ADDRESSES: Final = 10_000
"""Maximum number of client addresses whose request rates are remembered."""
MAX_STREAMS_PER_USER: Final = 8
"""Maximum number of open event streams of one user, or of one spectator's session."""
MAX_STREAMS_PER_ADDRESS: Final = 48
"""Maximum number of open event streams from one client address."""
MAX_STREAMS_PER_GAME: Final = 200
"""Maximum number of open event streams for one game."""
MAX_REQUESTS_PER_ADDRESS: Final = 128
"""Maximum number of requests in progress from one client address, and of connections from it."""

REQUEST_TIMEOUT_SECONDS: Final = 10.0
SECONDS_BETWEEN_LOGS: Final = 60.0
"""Seconds between two log lines with counts of refused requests."""


@dataclass(frozen=True, slots=True)
class PageCapacity:
    """Limits of the board page in one process: connections, event streams, and timeouts."""

    connections: int = 4_000
    streams: int = 2_000
    request_timeout: float = REQUEST_TIMEOUT_SECONDS
    """Seconds within which a request must arrive completely."""
    idle_timeout: float = 75.0
    """Seconds for which a connection may wait for its next request; longer than the idle timeout of common proxies."""

    @classmethod
    def for_open_files(cls, max_open_files: int) -> Self:
        """The limits for a process that may open this many files; half of them are for connections."""
        connections = min(4_000, max_open_files // 2)
        return cls(connections, connections // 2)


USUAL_CAPACITY: Final = PageCapacity()


class RefusalCounter:
    """Counts refused requests by kind; logs the first at once, then the counts once a minute."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._next_log_timer: asyncio.TimerHandle | None = None

    def add(self, refusal_kind: str) -> None:
        """Count a refused request of this kind."""
        self._counts[refusal_kind] += 1
        if self._next_log_timer is None:
            self._log_counts()

    def close(self) -> None:
        """Stop the timer, and log the counts that are not logged yet."""
        if self._next_log_timer is not None:
            self._next_log_timer.cancel()
            self._log_counts()

    def _log_counts(self) -> None:
        self._next_log_timer = None
        if self._counts:
            _log.warning(
                "the board page refuses %s",
                "; ".join(f"{refusal_kind}: {count}" for refusal_kind, count in self._counts.most_common()),
            )
            self._counts.clear()
            self._next_log_timer = asyncio.get_running_loop().call_later(
                SECONDS_BETWEEN_LOGS, self._log_counts
            )


def rate_limit_id_of(visitor: Visitor) -> int:
    """Id for rate limits: the user's id, or a negative number for a spectator's session."""
    return visitor.user_id if visitor.user_id is not None else -int(visitor.session[:15] or "0", 16)


def queue_id_of(visitor: Visitor, guild_id: int) -> int:
    """Id of the worker queue for a visitor's questions: the server's id, or a negative number for a spectator."""
    return guild_id if visitor.user_id is not None else -guild_id


class RateLimitReached(Refused):
    """A rate limit was reached; the client may repeat the request after `seconds`."""

    def __init__(self, seconds: float) -> None:
        self.seconds = max(1, round(seconds + 0.5))
        super().__init__(f"Too many requests in a short time. Please wait {self.seconds} seconds.")


@dataclass
class _AddressAllowances:
    allowance: Allowance
    buckets: BoundedDict[str, TokenBucket]

    def require_allowance(self, address: str, now: float) -> None:
        bucket = self.buckets.get(address) or TokenBucket(self.allowance, self.allowance.burst, now)
        bucket.refill(now)
        self.buckets[address] = bucket
        if bucket.seconds_to_wait():
            raise RateLimitReached(bucket.seconds_to_wait())
        bucket.requests_left -= 1


class StreamLimits:
    """Counts open event streams against their limits; spectators get at most half of each shared limit."""

    def __init__(self, max_streams: int, limit_factor: float = 1.0) -> None:
        """`max_streams` is the total limit; `limit_factor` multiplies the limits per client address and per game."""
        self._max_streams = max_streams
        self._limit_factor = limit_factor
        self._open_counts: Counter[str] = Counter()

    @contextmanager
    def hold_stream(self, visitor: Visitor, address: str) -> Iterator[bool]:
        """Within the context, count a stream as open; yields False if a limit is reached."""
        stream_limits = self._limits_for(visitor, address)
        has_room = all(
            self._open_counts[limit_name] < maximum for limit_name, maximum in stream_limits.items()
        )
        self._open_counts.update(stream_limits.keys() if has_room else ())
        try:
            yield has_room
        finally:
            self._open_counts.subtract(stream_limits.keys() if has_room else ())
            self._open_counts += Counter()  # without parts that hold none

    def _limits_for(self, visitor: Visitor, address: str) -> dict[str, float]:
        shared_limits = {
            f"address {address}": MAX_STREAMS_PER_ADDRESS * self._limit_factor,
            f"game {visitor.game_id}": MAX_STREAMS_PER_GAME * self._limit_factor,
            "all": self._max_streams,
        }
        if visitor.user_id is not None:
            return {f"user {visitor.user_id}": MAX_STREAMS_PER_USER, **shared_limits}
        spectator_limits = {
            f"spectators, {limit_name}": maximum // 2 for limit_name, maximum in shared_limits.items()
        }
        return {f"session {visitor.session}": MAX_STREAMS_PER_USER, **shared_limits, **spectator_limits}


class PageLimits:
    """Rate limits of requests, which raise RateLimitReached. A user's limit is shared with Discord's commands."""

    def __init__(
        self,
        rate_limiter: RateLimiter,
        limit_factor: float = 1.0,
        clock: Callable[[], float] = time.monotonic,
        request_timeout: float = REQUEST_TIMEOUT_SECONDS,
    ) -> None:
        """`limit_factor` multiplies the limits of client addresses; `request_timeout` is in seconds."""
        self.request_timeout = request_timeout
        self._rate_limiter = rate_limiter
        self._max_requests_in_progress = MAX_REQUESTS_PER_ADDRESS * limit_factor
        self._open_counts: Counter[str] = Counter()
        self._clock = clock
        self._address_allowances = _AddressAllowances(
            ADDRESS_ALLOWANCE.multiplied(limit_factor), BoundedDict(MAX_ADDRESSES)
        )
        self._opening_allowances = _AddressAllowances(
            LINK_OPENING_ALLOWANCE.multiplied(limit_factor), BoundedDict(MAX_ADDRESSES)
        )

    def count_address_request(self, address: str) -> None:
        """Count a request from a client address; raises RateLimitReached."""
        self._address_allowances.require_allowance(address, self._clock())

    @contextmanager
    def in_progress(self, address: str) -> Iterator[None]:
        """Within the context, count a request from a client address as in progress; raises RateLimitReached."""
        if self._open_counts[address] >= self._max_requests_in_progress:
            raise RateLimitReached(1)
        self._open_counts[address] += 1
        try:
            yield
        finally:
            self._open_counts[address] -= 1
            self._open_counts += Counter()  # without addresses that ask nothing

    def count_opened_link(self, address: str) -> None:
        """Count an attempt to open a link from a client address; raises RateLimitReached."""
        self._opening_allowances.require_allowance(address, self._clock())

    def count_request(self, visitor: Visitor, kind: RequestKind, guild_id: int | None = None) -> None:
        """Count a request of this kind against the visitor's limit, and against the server's if `guild_id` is given.

        Raises RateLimitReached.
        """
        queue_id = None if guild_id is None else queue_id_of(visitor, guild_id)
        retry_after = self._rate_limiter.count_request(kind, rate_limit_id_of(visitor), queue_id)
        if retry_after is not None:
            raise RateLimitReached(retry_after.seconds)
