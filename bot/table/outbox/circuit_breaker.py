"""The circuit breaker: while Discord as a whole fails, posts wait, and one at a time finds out when it works again."""

import asyncio
import logging
import random
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from itertools import count
from typing import Any, Final, Literal, NamedTuple, Protocol, TypeAlias

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
CATCHING_UP: Final = 8
"""Queues of a kind that post at the same time after an outage: about as many as requests may be under way."""

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
    """A time in which Discord as a whole fails."""

    began: float
    """By the clock of the timer."""
    reason: Reason
    detail: str
    """The last failure, in words."""


class _Turn(NamedTuple):
    """Somebody who waits, and what is given: a probe, or None once the outage is over."""

    kind: str
    place: int
    given: asyncio.Future[object]


_PROBE: ContextVar[object] = ContextVar("probe", default=None)
"""The probe as which a task was let through."""


class CircuitBreaker:
    """Open while Discord as a whole fails. Requests report how they went; queues of the outbox ask for their turn.

    While it is open, one queue at a time may try, the one that has waited longest, and after it the next. The first
    post that succeeds closes it, and all queues resume, in order.
    """

    def __init__(
        self,
        timer: Callable[[], Timer] = asyncio.get_running_loop,
        chance: Callable[[float, float], float] = random.uniform,
    ) -> None:
        self._timer = timer
        self._chance = chance
        self._failures: list[float] = []
        """When requests failed, since one was answered."""
        self._outage: Outage | None = None
        self._pause = FIRST_PAUSE
        self._due = self._blocked_until = 0.0
        """When the next probe is due, and Discord may take something again, in an outage."""
        self._probe: object = None
        self._turns: deque[_Turn] = deque()
        self._arranged = False
        self._catching_up: Counter[str] = Counter()
        self._places = count(1)
        self.on_close: Callable[[], None] = lambda: None
        """Run when an outage is over."""

    @property
    def is_open(self) -> bool:
        """True if Discord as a whole fails."""
        return self._outage is not None

    @property
    def is_blocked(self) -> bool:
        """True if Discord refuses everything from this address: even answers to users, which would all count."""
        return self.is_open and self._now() < self._blocked_until

    @property
    def outage(self) -> Outage | None:
        """The outage, while there is one."""
        return self._outage

    @property
    def lasted(self) -> float:
        """Seconds since Discord fails; 0 while it works."""
        return 0.0 if self._outage is None else self._now() - self._outage.began

    @property
    def waits_for_nobody(self) -> bool:
        """True if a probe is due for which no post is waiting."""
        return self.is_open and self._probe is None and not self._turns and self._now() >= self._due

    # -- requests --

    def admits(self) -> bool:
        """True if a request may be sent now: always, but in an outage only those of the probe.

        Where no queue waits for its turn, the request itself becomes the probe once one is due.
        """
        if self.waits_for_nobody:
            _PROBE.set(self._new_probe())
        return not self.is_open or self._is_probe()

    def worked(self, *, writes: bool) -> None:
        """A request was answered. What is read says nothing about posts, which fail separately."""
        if self._outage is None:
            if writes:
                self._failures.clear()
        elif writes or not self._turns:
            self._close()

    def failed(self, reason: Reason, detail: str) -> None:
        """A request failed in a way that says nothing about what was asked."""
        if self._outage is not None:
            self._outage.reason, self._outage.detail = reason, detail
            if self._is_probe():
                self._wait_longer()
            return
        self._failures.append(self._now())
        if len(self._failures) >= FAILURES and self._now() - self._failures[0] >= LASTING:
            self._open(reason, detail)

    def blocked(self, detail: str, seconds: float) -> None:
        """Discord refuses everything from this address for N seconds."""
        if self._outage is None:
            self._open("blocked", detail)
        assert self._outage is not None
        self._outage.reason, self._outage.detail = "blocked", detail
        self._blocked_until = self._due = self._now() + min(seconds, LONGEST_BLOCK)
        self._probe = None
        self._arrange()

    # -- queues --

    def place(self) -> int:
        """A place in the order in which all queues resume after the outage; a queue keeps it while its probes fail."""
        return next(self._places)

    @asynccontextmanager
    async def turn(self, kind: str, place: int) -> AsyncIterator[None]:
        """Wait for the turn to post; nobody waits while Discord works. Kinds do not wait for each other afterwards."""
        if not self.is_open:
            yield
            return
        probe = await self._turn(kind, place)
        _PROBE.set(probe)
        try:
            yield
        finally:
            self._mark_done(kind, probe)

    async def _turn(self, kind: str, place: int) -> object:
        """Wait in the queue; the probe that one is, or None once the outage is over."""
        mine = _Turn(kind, place, asyncio.get_running_loop().create_future())
        self._turns.append(mine)
        self._arrange()
        try:
            return await mine.given
        except asyncio.CancelledError:
            if mine in self._turns:
                self._turns.remove(mine)
            if not mine.given.cancelled():
                self._mark_done(kind, mine.given.result())
            raise

    def _mark_done(self, kind: str, probe: object) -> None:
        if probe is None:
            self._catching_up[kind] -= 1
        elif probe is self._probe:
            self._probe = None  # it has found out nothing: the next one does
        self._arrange()

    def _arrange(self) -> None:
        """Give turns to those whose turn it is."""
        self._turns = deque(turn for turn in self._turns if not turn.given.done())  # somebody may be stopping
        if not self.is_open:
            self._release_turns()
        elif self._turns and self._probe is None:
            wait = self._due - self._now()
            if wait > 0:
                self._arrange_in(wait)
            else:
                self._turns.popleft().given.set_result(self._new_probe())

    def _release_turns(self) -> None:
        waiting = sorted(self._turns, key=lambda turn: turn.place)
        self._turns.clear()
        for turn in waiting:
            if self._catching_up[turn.kind] < CATCHING_UP:
                self._catching_up[turn.kind] += 1
                turn.given.set_result(None)
            else:
                self._turns.append(turn)

    def _arrange_in(self, seconds: float) -> None:
        if not self._arranged:
            self._arranged = True
            self._timer().call_later(seconds, self._arrange_now)

    def _arrange_now(self) -> None:
        self._arranged = False
        self._arrange()

    # -- the outage --

    def _open(self, reason: Reason, detail: str) -> None:
        self._outage = Outage(self._failures[0] if self._failures else self._now(), reason, detail)
        self._pause, self._blocked_until = FIRST_PAUSE, self._outage.began
        self._due = self._now() + self._jittered()
        _log.warning("Discord fails (%s): posts wait until it works again", detail)

    def _close(self) -> None:
        _log.warning("Discord works again after %.0f s", self.lasted)
        self._outage, self._probe = None, None
        self._failures.clear()
        self._arrange()
        self.on_close()

    def _wait_longer(self) -> None:
        self._probe = None
        self._pause = min(2 * self._pause, LONGEST_PAUSE)
        self._due = self._now() + self._jittered()
        self._arrange()

    def _jittered(self) -> float:
        return self._pause * self._chance(1 - JITTER, 1 + JITTER)

    def _new_probe(self) -> object:
        probe = self._probe = object()
        self._timer().call_later(NO_ANSWER, self._unanswered, probe)
        return probe

    def _unanswered(self, probe: object) -> None:
        if probe is self._probe:
            self._wait_longer()

    def _is_probe(self) -> bool:
        return self._probe is not None and _PROBE.get() is self._probe

    def _now(self) -> float:
        return self._timer().time()
