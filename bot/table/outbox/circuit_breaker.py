"""The circuit breaker: in an outage of Discord posts wait, and a probe every few seconds finds out when it ends."""

import asyncio
import logging
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Final, Literal, Protocol, TypeAlias

_log = logging.getLogger("stationmaster.discord")

FAILURES: Final = 5
"""Failures in a row after which Discord as a whole is taken to fail; one or two are a hiccup, or one thread's own."""
LASTING: Final = 1.0
"""Seconds that such a row has lasted at least: a global rate limit is over within a second."""
FIRST_PAUSE: Final = 1.0
"""Seconds from the start of an outage to the first probe; each pause after is twice as long."""
LONGEST_PAUSE: Final = 3.0
"""Seconds between two probes, at most: 200 in the ten minutes in which Discord allows 10,000 refused requests."""
JITTER: Final = 0.2
"""Part by which each pause is longer or shorter by chance, so that not all bots of the world come back at once."""
NO_ANSWER: Final = 10.0
"""Seconds after which a probe without an answer has failed."""
LONGEST_BLOCK: Final = 3600.0
"""Seconds for which Discord's word that it takes nothing from this address is believed, at most."""

Reason: TypeAlias = Literal["refuses", "unreachable", "blocked"]
"""A kind of outage: Discord answers with errors, does not answer, or takes nothing from this address."""


class Timer(Protocol):
    """The clock of an event loop."""

    def time(self) -> float:
        """Seconds since some moment."""

    def call_later(self, delay: float, callback: Callable[..., object], /, *args: Any) -> object:
        """Run this after N seconds."""


@dataclass
class Outage:
    """A time in which Discord as a whole fails, since `began` by the clock of the timer, with the last failure."""

    began: float
    reason: Reason
    detail: str


_PROBE: ContextVar[object] = ContextVar("probe", default=None)
"""The probe as which a task sends its requests."""


class CircuitBreaker:
    """Open in an outage: then one probe at a time may send requests, and the first write that works closes it."""

    def __init__(
        self,
        timer: Callable[[], Timer] = asyncio.get_running_loop,
        chance: Callable[[float, float], float] = random.uniform,
    ) -> None:
        self._timer = timer
        self._chance = chance
        self.outage: Outage | None = None
        self.on_change: Callable[[], None] = lambda: None
        """Run when an outage begins or ends."""
        self._failures: list[float] = []
        """When requests failed, since one was answered."""
        self._pause = FIRST_PAUSE
        self._due = self._blocked_until = 0.0
        """When the next probe is due, and Discord may take something again, in an outage."""
        self._probe: object = None
        self._changed = asyncio.Event()

    @property
    def is_open(self) -> bool:
        """True if Discord as a whole fails."""
        return self.outage is not None

    @property
    def is_blocked(self) -> bool:
        """True if Discord refuses everything from this address: even answers to users, which would all count."""
        return self.is_open and self._now() < self._blocked_until

    @property
    def holds_up(self) -> bool:
        """True if the task that asks may send nothing: in an outage, unless it is the probe."""
        return self.is_open and (self._probe is None or _PROBE.get() is not self._probe)

    @property
    def lasted(self) -> float:
        """Seconds since Discord fails; 0 while it works."""
        return 0.0 if self.outage is None else self._now() - self.outage.began

    def admits(self) -> bool:
        """True if a request may be sent now; where a probe is due, it becomes the probe."""
        if self.holds_up and self._now() >= self._due:
            self._begin_probe()
        return not self.holds_up

    @asynccontextmanager
    async def probe(self) -> AsyncIterator[None]:
        """Wait until a probe is due, or the outage is over; requests made within are sent as the probe."""
        while self.is_open and (wait := self._due - self._now()) > 0:
            self._changed.clear()
            self._timer().call_later(wait, self._changed.set)
            await self._changed.wait()
        mine = self._begin_probe() if self.is_open else None
        try:
            yield
        finally:
            if mine is not None and mine is self._probe:
                self._rest()  # it has found out nothing

    def worked(self, *, writes: bool) -> None:
        """A request was answered. A read says nothing about posts, which fail separately."""
        if writes:
            self._failures.clear()
            if self.is_open:
                _log.warning("Discord works again after %.0f s", self.lasted)
                self._change(None)

    def failed(self, reason: Reason, detail: str) -> None:
        """A request failed in a way that says nothing about what was asked."""
        if self.outage is not None:
            self.outage.reason, self.outage.detail = reason, detail
            if not self.holds_up:
                self._pause = min(2 * self._pause, LONGEST_PAUSE)
                self._rest()
            return
        self._failures.append(self._now())
        if len(self._failures) >= FAILURES and self._now() - self._failures[0] >= LASTING:
            self._open(reason, detail)

    def blocked(self, detail: str, seconds: float) -> None:
        """Discord refuses everything from this address for N seconds."""
        if self.outage is None:
            self._open("blocked", detail)
        else:
            self.outage.reason, self.outage.detail = "blocked", detail
        self._probe = None
        self._blocked_until = self._due = self._now() + min(seconds, LONGEST_BLOCK)

    def _open(self, reason: Reason, detail: str) -> None:
        _log.warning("Discord fails (%s): posts wait until it works again", detail)
        self._pause, self._blocked_until = FIRST_PAUSE, 0.0
        self._rest()
        self._change(Outage(self._failures[0] if self._failures else self._now(), reason, detail))

    def _change(self, outage: Outage | None) -> None:
        self.outage = outage
        self._changed.set()
        self.on_change()

    def _begin_probe(self) -> object:
        self._due = self._now() + NO_ANSWER  # nobody waits longer for it
        self._probe = object()
        _PROBE.set(self._probe)
        return self._probe

    def _rest(self) -> None:
        self._probe = None
        self._due = self._now() + self._pause * self._chance(1 - JITTER, 1 + JITTER)
        self._changed.set()

    def _now(self) -> float:
        return self._timer().time()
