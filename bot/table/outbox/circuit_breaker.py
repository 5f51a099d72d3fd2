"""The circuit breaker: in an outage of Discord posts wait, and single requests (probes) find out when it ends."""

import asyncio
import logging
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal, Protocol, TypeAlias

_log = logging.getLogger("stationmaster.discord")

FAILURES_TO_OPEN: Final = 5
"""Failures in a row after which this counts as an outage; one or two may be chance, or one thread's problem."""
MIN_FAILING_SECONDS: Final = 1.0
"""Seconds that these failures must span, since a global rate limit is over within a second."""
FIRST_PAUSE_SECONDS: Final = 1.0
"""Seconds from the start of an outage to the first probe; each later pause is twice as long."""
MAX_PAUSE_SECONDS: Final = 3.0
"""The most seconds between probes. In ten minutes they are at most 200 of the 10,000 failures that Discord allows."""
PAUSE_JITTER: Final = 0.2
"""The fraction by which pauses vary at random, so that not all bots send probes at the same time."""
PROBE_TIMEOUT_SECONDS: Final = 10.0
"""Seconds after which a probe without an answer counts as failed."""
MAX_BLOCK_SECONDS: Final = 3600.0
"""The most seconds for which requests stop when Discord reports that it blocks this address."""

OutageKind: TypeAlias = Literal["refuses", "unreachable", "blocked"]
"""Discord answers with errors, does not answer, or blocks this address."""


class Timer(Protocol):
    """The clock of an event loop."""

    def time(self) -> float:
        """Seconds of a monotonic clock."""

    def call_later(self, delay: float, callback: Callable[..., object], /, *args: Any) -> object:
        """Run a callback after N seconds."""


@dataclass
class Outage:
    """An outage of Discord, since `began_at` by the timer's clock, with the last failure."""

    began_at: float
    kind: OutageKind
    detail: str


class CircuitBreaker:
    """Open during an outage: only single probes are sent until a write succeeds.

    A successful read lets the next request follow at once, since some posts begin with a read.
    """

    def __init__(
        self,
        timer: Callable[[], Timer] = asyncio.get_running_loop,
        random_between: Callable[[float, float], float] = random.uniform,
    ) -> None:
        self._timer = timer
        self._random_between = random_between
        self.outage: Outage | None = None
        self.on_change: Callable[[], None] = lambda: None
        """Called when an outage begins or ends."""
        self._failure_times: list[float] = []
        """Times of failures since the last success."""
        self._pause = FIRST_PAUSE_SECONDS
        self._probe_due_at = self._blocked_until = 0.0
        """In an outage, the time of the next probe, and the time until which Discord blocks this address."""
        self._is_probing = False

    @property
    def is_open(self) -> bool:
        """True during an outage."""
        return self.outage is not None

    @property
    def is_blocked(self) -> bool:
        """True while Discord blocks this address, so that every request would count as invalid."""
        return self.is_open and self._now() < self._blocked_until

    @property
    def seconds_open(self) -> float:
        """Seconds since the start of the outage; 0 without one."""
        return 0.0 if self.outage is None else self._now() - self.outage.began_at

    @property
    def seconds_to_probe(self) -> float:
        """Seconds until the next probe; 0 if due."""
        return max(0.0, self._probe_due_at - self._now()) if self.is_open else 0.0

    def admits_request(self) -> bool:
        """True if a request may be sent now. In an outage that request is the probe, and must be sent."""
        if self.seconds_to_probe:
            return False
        self._is_probing, self._probe_due_at = True, self._now() + PROBE_TIMEOUT_SECONDS
        return True

    def record_success(self, *, was_write: bool) -> None:
        """Record a success. A read does not end an outage, since writes may fail separately."""
        if not was_write:
            self._probe_due_at = max(self._now(), self._blocked_until)
            return
        self._failure_times.clear()
        if self.is_open:
            _log.warning("Discord works again after %.0f s", self.seconds_open)
            self.outage = None
            self.on_change()

    def record_failure(self, kind: OutageKind, detail: str) -> None:
        """Record a failure that is not the fault of the request."""
        if self.outage is not None:
            self.outage.kind, self.outage.detail = kind, detail
            if self._is_probing:
                self._schedule_probe(min(2 * self._pause, MAX_PAUSE_SECONDS))
            return
        self._failure_times.append(self._now())
        if (
            len(self._failure_times) >= FAILURES_TO_OPEN
            and self._now() - self._failure_times[0] >= MIN_FAILING_SECONDS
        ):
            self._open_breaker(kind, detail)

    def record_block(self, detail: str, seconds: float) -> None:
        """Record that Discord blocks this address for this many seconds."""
        if self.outage is None:
            self._open_breaker("blocked", detail)
        else:
            self.outage.kind, self.outage.detail = "blocked", detail
        self._is_probing = False
        self._blocked_until = self._probe_due_at = self._now() + min(seconds, MAX_BLOCK_SECONDS)

    def _open_breaker(self, kind: OutageKind, detail: str) -> None:
        _log.warning("Discord is failing (%s): posts wait until it works again", detail)
        self.outage = Outage(self._failure_times[0] if self._failure_times else self._now(), kind, detail)
        self._blocked_until = 0.0
        self._schedule_probe(FIRST_PAUSE_SECONDS)
        self.on_change()

    def _schedule_probe(self, pause: float) -> None:
        self._pause, self._is_probing = pause, False
        self._probe_due_at = self._now() + pause * self._random_between(1 - PAUSE_JITTER, 1 + PAUSE_JITTER)

    def _now(self) -> float:
        return self._timer().time()
