"""Rate limits: allowances of requests for each user and server, refilled over time."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple, TypeAlias


class RequestKind(Enum):
    """A kind of request with its own allowance, so that pictures are limited first and moves last."""

    MOVE = "moves"
    QUESTION = "questions"
    PICTURE = "pictures"
    COMPLETION = "completions"
    """Autocomplete, which sends a request with each key."""
    WARNING = "words"
    """Warnings to slow down; after these, requests are ignored silently."""


class Allowance(NamedTuple):
    """At most `burst` requests at once, refilled by `per_second`."""

    burst: float
    per_second: float

    def multiplied(self, factor: float) -> "Allowance":
        """The allowance with both numbers multiplied."""
        return Allowance(self.burst * factor, self.per_second * factor)


USER_ALLOWANCES: Final = {
    RequestKind.MOVE: Allowance(30, 1.5),
    RequestKind.QUESTION: Allowance(20, 0.5),
    RequestKind.PICTURE: Allowance(10, 0.25),
    RequestKind.COMPLETION: Allowance(80, 8.0),
    RequestKind.WARNING: Allowance(4, 0.1),
}
"""Allowances of one user; nobody who plays reaches them, even in six games at once."""
SERVER_ALLOWANCES: Final = {
    RequestKind.MOVE: Allowance(300, 15.0),
    RequestKind.QUESTION: Allowance(120, 4.0),
    RequestKind.PICTURE: Allowance(60, 2.0),
    RequestKind.COMPLETION: Allowance(800, 60.0),
    RequestKind.WARNING: Allowance(60, 1.0),
}
"""Allowances of one server, enough for thirty tables at full speed."""
MAX_IDLE_BUCKETS: Final = 4096
"""Allowances in use that are kept in memory before full ones are dropped."""


class LimitScope(Enum):
    """The owner of an allowance: a user or a server."""

    USER = "person"
    SERVER = "server"


class RetryAfter(NamedTuple):
    """The owner of the used-up allowance, and the seconds until the next request is allowed."""

    scope: LimitScope
    seconds: float


_BucketKey: TypeAlias = tuple[LimitScope, int, RequestKind]


@dataclass(slots=True)
class AllowanceInUse:
    """An allowance in use: how many requests were left at the time `refilled_at`."""

    allowance: Allowance
    requests_left: float
    refilled_at: float

    def refill(self, now: float) -> None:
        """Add the requests allowed since the last refill."""
        self.requests_left = min(
            self.allowance.burst, self.requests_left + (now - self.refilled_at) * self.allowance.per_second
        )
        self.refilled_at = now

    def seconds_to_wait(self) -> float:
        """Seconds until the next request is allowed; 0 if it is allowed now."""
        return max(0.0, (1 - self.requests_left) / self.allowance.per_second)


class RateLimiter:
    """Counts requests. `factor` multiplies all allowances; `clock` returns increasing seconds."""

    def __init__(self, factor: float = 1.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._allowed = {
            (whose, kind): allowance.multiplied(factor)
            for whose, allowances in (
                (LimitScope.USER, USER_ALLOWANCES),
                (LimitScope.SERVER, SERVER_ALLOWANCES),
            )
            for kind, allowance in allowances.items()
        }
        self._buckets: dict[_BucketKey, AllowanceInUse] = {}
        self._sweep_at = MAX_IDLE_BUCKETS

    def count_request(self, kind: RequestKind, person: int, server: int | None) -> RetryAfter | None:
        """Count a request and return None. If an allowance is used up, count nothing and return a RetryAfter."""
        owners = {LimitScope.USER: person} | ({} if server is None else {LimitScope.SERVER: server})
        buckets = {scope: self._bucket(scope, owner, kind) for scope, owner in owners.items()}
        for scope, bucket in buckets.items():
            if bucket.seconds_to_wait():
                return RetryAfter(scope, bucket.seconds_to_wait())
        for bucket in buckets.values():
            bucket.requests_left -= 1
        return None

    def __len__(self) -> int:
        return len(self._buckets)

    def _bucket(self, scope: LimitScope, owner: int, kind: RequestKind) -> AllowanceInUse:
        now, allowance = self._clock(), self._allowed[scope, kind]
        if len(self._buckets) >= self._sweep_at:
            self._drop_full_buckets(now)
        bucket = self._buckets.setdefault(
            (scope, owner, kind), AllowanceInUse(allowance, allowance.burst, now)
        )
        bucket.refill(now)
        return bucket

    def _drop_full_buckets(self, now: float) -> None:
        """Drop full buckets, which equal new ones."""
        for bucket in self._buckets.values():
            bucket.refill(now)
        used_buckets = {
            key: bucket_in_use
            for key, bucket_in_use in self._buckets.items()
            if bucket_in_use.requests_left < bucket_in_use.allowance.burst
        }
        self._buckets = used_buckets
        self._sweep_at = max(MAX_IDLE_BUCKETS, 2 * len(used_buckets))
