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
    WORD = "words"
    """Warnings to slow down: at most this many, and then silence."""


class Allowance(NamedTuple):
    """An allowance: this many at once, refilled by this many a second."""

    at_once: float
    a_second: float

    def multiplied(self, factor: float) -> "Allowance":
        """The allowance multiplied."""
        return Allowance(self.at_once * factor, self.a_second * factor)


PERSON: Final = {
    Kind.MOVE: Allowance(30, 1.5),
    Kind.QUESTION: Allowance(20, 0.5),
    Kind.PICTURE: Allowance(10, 0.25),
    Kind.COMPLETION: Allowance(80, 8.0),
    Kind.WORD: Allowance(4, 0.1),
}
"""Allowances of one user. Nobody who plays comes near them, not even in six games at once."""
SERVER: Final = {
    Kind.MOVE: Allowance(300, 15.0),
    Kind.QUESTION: Allowance(120, 4.0),
    Kind.PICTURE: Allowance(60, 2.0),
    Kind.COMPLETION: Allowance(800, 60.0),
    Kind.WORD: Allowance(60, 1.0),
}
"""Allowances of one server: as much as thirty tables at full speed."""
KEPT: Final = 4096
"""Allowances kept in memory before those that are full again are dropped."""


class Scope(Enum):
    """The owner of an allowance."""

    PERSON = "person"
    SERVER = "server"


class RetryAfter(NamedTuple):
    """A used-up allowance, and seconds until more."""

    whose: Scope
    seconds: float


_Key: TypeAlias = tuple[Scope, int, Kind]


@dataclass(slots=True)
class Bucket:
    """An allowance in use: the amount left at a time of the clock."""

    allowance: Allowance
    left: float
    at: float

    def refill(self, now: float) -> None:
        """Add the refill since the last use."""
        self.left = min(self.allowance.at_once, self.left + (now - self.at) * self.allowance.a_second)
        self.at = now

    def wait(self) -> float:
        """Seconds until one more may be taken; 0 if one may be taken now."""
        return max(0.0, (1 - self.left) / self.allowance.a_second)


class RateLimiter:
    """Counts requests; `factor` multiplies allowances, `clock` gives growing seconds."""

    def __init__(self, factor: float = 1.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._allowed = {
            (whose, kind): allowance.multiplied(factor)
            for whose, allowances in ((Scope.PERSON, PERSON), (Scope.SERVER, SERVER))
            for kind, allowance in allowances.items()
        }
        self._buckets: dict[_Key, Bucket] = {}
        self._sweep_at = KEPT

    def ask(self, kind: Kind, person: int, server: int | None) -> RetryAfter | None:
        """Count a request and return None; or return the used-up allowance, counting nothing."""
        asking = {Scope.PERSON: person} | ({} if server is None else {Scope.SERVER: server})
        buckets = {whose: self._bucket(whose, owner, kind) for whose, owner in asking.items()}
        for whose, bucket in buckets.items():
            if bucket.wait():
                return RetryAfter(whose, bucket.wait())
        for bucket in buckets.values():
            bucket.left -= 1
        return None

    def __len__(self) -> int:
        return len(self._buckets)

    def _bucket(self, whose: Scope, owner: int, kind: Kind) -> Bucket:
        now, allowance = self._clock(), self._allowed[whose, kind]
        if len(self._buckets) >= self._sweep_at:
            self._sweep(now)
        bucket = self._buckets.setdefault((whose, owner, kind), Bucket(allowance, allowance.at_once, now))
        bucket.refill(now)
        return bucket

    def _sweep(self, now: float) -> None:
        """Drop full buckets, which equal new ones."""
        for bucket in self._buckets.values():
            bucket.refill(now)
        kept = {key: one for key, one in self._buckets.items() if one.left < one.allowance.at_once}
        self._buckets = kept
        self._sweep_at = max(KEPT, 2 * len(kept))
