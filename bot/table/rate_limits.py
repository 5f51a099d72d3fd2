"""Rate limits: allowances for each user and server, refilled over time."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple, TypeAlias


class Kind(Enum):
    """A kind of request with its own allowance, so that pictures wait first and moves last."""

    MOVE = "moves"
    QUESTION = "questions"
    PICTURE = "pictures"
    COMPLETION = "completions"
    """Autocomplete, which asks with every key."""
    WARNING = "words"
    """Warnings to slow down: at most this many, and then silence."""


class Allowance(NamedTuple):
    """An allowance: this many at once, refilled by this many a second."""

    burst: float
    per_second: float

    def multiplied(self, factor: float) -> "Allowance":
        """The allowance multiplied."""
        return Allowance(self.burst * factor, self.per_second * factor)


USER_ALLOWANCES: Final = {
    Kind.MOVE: Allowance(30, 1.5),
    Kind.QUESTION: Allowance(20, 0.5),
    Kind.PICTURE: Allowance(10, 0.25),
    Kind.COMPLETION: Allowance(80, 8.0),
    Kind.WARNING: Allowance(4, 0.1),
}
"""Allowances of one user. Nobody who plays comes near them, not even in six games at once."""
SERVER_ALLOWANCES: Final = {
    Kind.MOVE: Allowance(300, 15.0),
    Kind.QUESTION: Allowance(120, 4.0),
    Kind.PICTURE: Allowance(60, 2.0),
    Kind.COMPLETION: Allowance(800, 60.0),
    Kind.WARNING: Allowance(60, 1.0),
}
"""Allowances of one server: as much as thirty tables at full speed."""
MOST_IDLE_BUCKETS: Final = 4096
"""Allowances kept in memory before those that are full again are dropped."""


class LimitScope(Enum):
    """The owner of an allowance."""

    USER = "person"
    SERVER = "server"


class RetryAfter(NamedTuple):
    """A used-up allowance, and seconds until more."""

    scope: LimitScope
    seconds: float


_BucketKey: TypeAlias = tuple[LimitScope, int, Kind]


@dataclass(slots=True)
class AllowanceInUse:
    """An allowance in use: the amount left at a time of the clock."""

    allowance: Allowance
    requests_left: float
    refilled_at: float

    def refill(self, now: float) -> None:
        """Add the refill since the last use."""
        self.requests_left = min(
            self.allowance.burst, self.requests_left + (now - self.refilled_at) * self.allowance.per_second
        )
        self.refilled_at = now

    def seconds_to_wait(self) -> float:
        """Seconds until one more may be taken; 0 if one may be taken now."""
        return max(0.0, (1 - self.requests_left) / self.allowance.per_second)


class RateLimiter:
    """Counts requests; `factor` multiplies allowances, `clock` gives growing seconds."""

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
        self._sweep_at = MOST_IDLE_BUCKETS

    def count_request(self, kind: Kind, person: int, server: int | None) -> RetryAfter | None:
        """Count a request and return None; or return the used-up allowance, counting nothing."""
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

    def _bucket(self, scope: LimitScope, owner: int, kind: Kind) -> AllowanceInUse:
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
        self._sweep_at = max(MOST_IDLE_BUCKETS, 2 * len(used_buckets))
