"""Rate limits for users and servers: token buckets, one for each kind of request."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple, TypeAlias


class RequestKind(Enum):
    """A kind of request. Each kind has a separate rate limit, so that many pictures do not block moves."""

    MOVE = "moves"
    QUESTION = "questions"
    PICTURE = "pictures"
    COMPLETION = "completions"
    """Autocomplete; Discord sends a request for each key that the user presses."""
    WARNING = "words"
    """Warnings: replies that ask the user to slow down. Beyond this limit, requests get no reply at all."""


class Allowance(NamedTuple):
    """A rate limit: at most `burst` requests at once, refilled at `per_second` requests a second."""

    burst: float
    per_second: float

    def multiplied(self, factor: float) -> "Allowance":
        """The rate limit with both numbers multiplied by `factor`."""
        return Allowance(self.burst * factor, self.per_second * factor)


USER_ALLOWANCES: Final = {
    RequestKind.MOVE: Allowance(30, 1.5),
    RequestKind.QUESTION: Allowance(20, 0.5),
    RequestKind.PICTURE: Allowance(10, 0.25),
    RequestKind.COMPLETION: Allowance(80, 8.0),
    RequestKind.WARNING: Allowance(4, 0.1),
}
"""Rate limits of one user, by kind of request. Nobody who plays reaches them, even in six games at once."""
SERVER_ALLOWANCES: Final = {
    RequestKind.MOVE: Allowance(300, 15.0),
    RequestKind.QUESTION: Allowance(120, 4.0),
    RequestKind.PICTURE: Allowance(60, 2.0),
    RequestKind.COMPLETION: Allowance(800, 60.0),
    RequestKind.WARNING: Allowance(60, 1.0),
}
"""Rate limits of one server, by kind of request, enough for thirty games at full speed."""
MAX_IDLE_BUCKETS: Final = 4096
"""Maximum number of token buckets in memory; above it, full ones, which nobody has used lately, are dropped."""


class RateLimitScope(Enum):
    """The owner of a rate limit: a user or a server."""

    USER = "person"
    SERVER = "server"


class ExceededLimit(NamedTuple):
    """The rate limit that a request exceeded (user's or server's), and the seconds until a request is allowed."""

    scope: RateLimitScope
    seconds: float


_BucketKey: TypeAlias = tuple[RateLimitScope, int, RequestKind]


@dataclass(slots=True)
class TokenBucket:
    """A token bucket: a rate limit, and the number of requests that were left at the time `refilled_at`."""

    allowance: Allowance
    requests_left: float
    refilled_at: float

    def refill(self, now: float) -> None:
        """Add the requests that the rate limit has allowed since the last refill."""
        self.requests_left = min(
            self.allowance.burst, self.requests_left + (now - self.refilled_at) * self.allowance.per_second
        )
        self.refilled_at = now

    def seconds_to_wait(self) -> float:
        """Seconds until the next request is allowed; 0 if it is allowed now."""
        return max(0.0, (1 - self.requests_left) / self.allowance.per_second)


class RateLimiter:
    """Counts requests against rate limits. `factor` multiplies all limits; `clock` is a monotonic clock."""

    def __init__(self, factor: float = 1.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._allowances = {
            (scope, kind): allowance.multiplied(factor)
            for scope, allowance_by_kind in (
                (RateLimitScope.USER, USER_ALLOWANCES),
                (RateLimitScope.SERVER, SERVER_ALLOWANCES),
            )
            for kind, allowance in allowance_by_kind.items()
        }
        self._buckets: dict[_BucketKey, TokenBucket] = {}
        self._bucket_count_to_sweep = MAX_IDLE_BUCKETS

    def count_request(self, kind: RequestKind, user_id: int, server_id: int | None) -> ExceededLimit | None:
        """Count a request and return None; if it exceeds a rate limit, return its ExceededLimit without counting it."""
        owner_by_scope = {RateLimitScope.USER: user_id} | (
            {} if server_id is None else {RateLimitScope.SERVER: server_id}
        )
        bucket_by_scope = {scope: self._bucket(scope, owner, kind) for scope, owner in owner_by_scope.items()}
        for scope, bucket in bucket_by_scope.items():
            if bucket.seconds_to_wait():
                return ExceededLimit(scope, bucket.seconds_to_wait())
        for bucket in bucket_by_scope.values():
            bucket.requests_left -= 1
        return None

    def __len__(self) -> int:
        return len(self._buckets)

    def _bucket(self, scope: RateLimitScope, owner: int, kind: RequestKind) -> TokenBucket:
        now, allowance = self._clock(), self._allowances[scope, kind]
        if len(self._buckets) >= self._bucket_count_to_sweep:
            self._drop_full_buckets(now)
        bucket = self._buckets.setdefault((scope, owner, kind), TokenBucket(allowance, allowance.burst, now))
        bucket.refill(now)
        return bucket

    def _drop_full_buckets(self, now: float) -> None:
        """Drop full token buckets, which are the same as new ones."""
        for bucket in self._buckets.values():
            bucket.refill(now)
        used_buckets = {
            key: bucket_in_use
            for key, bucket_in_use in self._buckets.items()
            if bucket_in_use.requests_left < bucket_in_use.allowance.burst
        }
        self._buckets = used_buckets
        self._bucket_count_to_sweep = max(MAX_IDLE_BUCKETS, 2 * len(used_buckets))
