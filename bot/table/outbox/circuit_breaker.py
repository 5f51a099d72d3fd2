"""The circuit breaker: while Discord is down, posts wait and single requests (probes) test if it works again."""

import asyncio
import logging
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal, Protocol, TypeAlias

_log = logging.getLogger("stationmaster.discord")

FAILURES_TO_OPEN: Final = 5
"""Consecutive failures that count as an outage. One or two may be chance, or the fault of a single thread."""
MIN_FAILING_SECONDS: Final = 1.0
"""Minimum time from the first to the last failure, in seconds, for the failures to count as an outage."""
FIRST_PAUSE_SECONDS: Final = 1.0
"""Seconds from the start of an outage to the first probe (test request); the pause doubles after each probe."""
MAX_PAUSE_SECONDS: Final = 3.0
"""Maximum pause between probes (test requests), in seconds.

In ten minutes at most 200 probes fail; Discord allows 10,000 invalid requests in that time.
"""
PAUSE_JITTER: Final = 0.2
"""Random fraction by which pauses between probes (test requests) vary, so that bots do not send them together."""
PROBE_TIMEOUT_SECONDS: Final = 10.0
"""Seconds after which an unanswered probe (test request) counts as failed."""
MAX_BLOCK_SECONDS: Final = 3600.0
"""Maximum pause in requests when Discord reports that it blocks this IP address, in seconds."""

OutageKind: TypeAlias = Literal["refuses", "unreachable", "blocked"]
"""The kind of outage: Discord answers with errors, does not answer, or blocks this IP address."""


class Timer(Protocol):
    """The clock and scheduler of an event loop."""

    def time(self) -> float:
        """The time of a monotonic clock, in seconds."""

    def call_later(self, delay: float, callback: Callable[..., object], /, *args: Any) -> object:
        """Call the callback after `delay` seconds."""


@dataclass
class Outage:
    """An outage of Discord: its start (time of the timer's clock), and the kind and text of its latest failure."""

    began_at: float
    kind: OutageKind
    detail: str


class CircuitBreaker:
    """Stops requests during an outage of Discord, except single probes (test requests), until a write succeeds.

    After a successful read, the next request may follow at once, since some posts begin with a read.
    """

    def __init__(
        self,
        get_timer: Callable[[], Timer] = asyncio.get_running_loop,
        random_between: Callable[[float, float], float] = random.uniform,
    ) -> None:
        self._get_timer = get_timer
        self._random_between = random_between
        self.outage: Outage | None = None
        self.on_change: Callable[[], None] = lambda: None
        """Function that is called when an outage starts or ends."""
        self._failure_times: list[float] = []
        self._pause_seconds = FIRST_PAUSE_SECONDS
        self._probe_due_at = self._blocked_until = 0.0
        self._is_probing = False

    @property
    def is_open(self) -> bool:
        """True during an outage (an open circuit breaker stops requests)."""
        return self.outage is not None

    @property
    def is_blocked(self) -> bool:
        """True while Discord blocks this IP address. A request in that time would count as invalid."""
        return self.is_open and self._now() < self._blocked_until

    @property
    def seconds_open(self) -> float:
        """Seconds since the outage began; 0 without an outage."""
        return 0.0 if self.outage is None else self._now() - self.outage.began_at

    @property
    def seconds_to_probe(self) -> float:
        """Seconds until the next probe (a single test request); 0 if it is due, or without an outage."""
        return max(0.0, self._probe_due_at - self._now()) if self.is_open else 0.0

    def admits_request(self) -> bool:
        """True if the caller may send a request now.

        During an outage, the request is the next probe: the caller must send it.
        """
        if self.seconds_to_probe:
            return False
        self._is_probing, self._probe_due_at = True, self._now() + PROBE_TIMEOUT_SECONDS
        return True

    def record_success(self, *, was_write: bool) -> None:
        """Record a successful request. A read does not end an outage, since writes may still fail."""
        if not was_write:
            self._probe_due_at = max(self._now(), self._blocked_until)
            return
        self._failure_times.clear()
        if self.is_open:
            _log.warning("Discord works again after %.0f s", self.seconds_open)
            self.outage = None
            self.on_change()

    def record_failure(self, kind: OutageKind, detail: str) -> None:
        """Record a failure that is Discord's fault, not the request's."""
        if self.outage is not None:
            self.outage.kind, self.outage.detail = kind, detail
            if self._is_probing:
                self._schedule_probe(min(2 * self._pause_seconds, MAX_PAUSE_SECONDS))
            return
        self._failure_times.append(self._now())
        if (
            len(self._failure_times) >= FAILURES_TO_OPEN
            and self._now() - self._failure_times[0] >= MIN_FAILING_SECONDS
        ):
            self._open_breaker(kind, detail)

    def record_block(self, detail: str, seconds: float) -> None:
        """Record that Discord blocks this IP address for this many seconds."""
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

    def _schedule_probe(self, pause_seconds: float) -> None:
        self._pause_seconds, self._is_probing = pause_seconds, False
        self._probe_due_at = self._now() + pause_seconds * self._random_between(
            1 - PAUSE_JITTER, 1 + PAUSE_JITTER
        )

    def _now(self) -> float:
        return self._get_timer().time()
