"""The circuit breaker: when it opens, who may send requests meanwhile, and when it closes."""

from collections.abc import Callable

import pytest

from bot.table.outbox.circuit_breaker import (
    FAILURES_TO_OPEN,
    FIRST_PAUSE_SECONDS,
    MAX_BLOCK_SECONDS,
    MIN_FAILING_SECONDS,
    PAUSE_JITTER,
    PROBE_TIMEOUT_SECONDS,
    CircuitBreaker,
)
from tests.support.manual_timer import ManualTimer


class Breaker(CircuitBreaker):
    """A breaker whose time a test moves on; `late` is the part of the jitter that each pause has."""

    def __init__(self, late: float = 0.5) -> None:
        self.timer, self.jitters = ManualTimer(), set[tuple[float, float]]()
        self.timer.now = 100.0

        def chance(low: float, high: float) -> float:
            self.jitters.add((low, high))
            return low + late * (high - low)

        super().__init__(lambda: self.timer, chance)

    def fails(self, times: int = 1, seconds: float = 0.0) -> None:
        """N requests fail, one every few seconds."""
        for _ in range(times):
            self.record_failure("refuses", "it answers 503")
            self.timer.passes(seconds)

    @classmethod
    def opened(cls, late: float = 0.5) -> "Breaker":
        """One at the start of an outage."""
        breaker = cls(late)
        breaker.fails()
        breaker.timer.passes(MIN_FAILING_SECONDS)
        breaker.fails(FAILURES_TO_OPEN - 1)
        assert breaker.is_open
        return breaker


@pytest.mark.parametrize(
    ("times", "seconds", "is_open"), [(4, MIN_FAILING_SECONDS, False), (50, 0.0, False), (5, 0.25, True)]
)
def test_outage_begins_after_lasting_failures(times: int, seconds: float, is_open: bool) -> None:
    """A hiccup is none, nor a global rate limit, which refuses whatever is under way and is over within a second."""
    breaker = Breaker()
    breaker.fails(times, seconds)
    assert (breaker.is_open, FAILURES_TO_OPEN) == (is_open, 5)


def test_write_shows_that_discord_works() -> None:
    """A read shows nothing: Discord may take no posts all the same."""
    breaker = Breaker()
    for _ in range(10):
        breaker.fails(FAILURES_TO_OPEN - 1, MIN_FAILING_SECONDS)
        breaker.record_success(was_write=True)
    breaker.fails(FAILURES_TO_OPEN - 1, MIN_FAILING_SECONDS)
    breaker.record_success(was_write=False)
    breaker.fails()
    assert breaker.is_open


def test_one_probe_is_sent_at_a_time() -> None:
    breaker = Breaker.opened()
    breaker.timer.passes(FIRST_PAUSE_SECONDS)
    assert breaker.seconds_to_probe == 0
    assert breaker.admits_request()
    assert not breaker.admits_request()
    breaker.timer.passes(PROBE_TIMEOUT_SECONDS)
    assert breaker.admits_request(), "nobody waits longer for an answer"


def probes(breaker: Breaker, seconds: float) -> list[float]:
    """The seconds after which probes are sent that fail."""
    began, at = breaker.timer.now, list[float]()
    while breaker.timer.now + breaker.seconds_to_probe <= began + seconds:
        breaker.timer.passes(breaker.seconds_to_probe)
        assert breaker.admits_request()
        at.append(round(breaker.timer.now - began, 6))
        breaker.fails()
    return at


def test_pauses_between_probes_double() -> None:
    breaker = Breaker.opened()
    breaker.fails(10)
    assert probes(breaker, 10) == [1, 3, 6, 9], "failures from before make no pause longer"
    assert breaker.jitters == {(1 - PAUSE_JITTER, 1 + PAUSE_JITTER)}
    breaker.record_success(was_write=True)
    breaker.fails(FAILURES_TO_OPEN - 1, MIN_FAILING_SECONDS)
    breaker.fails()
    assert probes(breaker, 10) == [1, 3, 6, 9], "short again in the next outage"


@pytest.mark.parametrize(("said", "kept"), [(60.0, 60.0), (10 * MAX_BLOCK_SECONDS, MAX_BLOCK_SECONDS)])
@pytest.mark.parametrize("begin", [Breaker, Breaker.opened])
def test_block_lasts_as_discord_says(begin: Callable[[], Breaker], said: float, kept: float) -> None:
    """In an outage, too."""
    breaker = begin()
    breaker.record_block("Discord blocks this address", said)
    breaker.record_success(was_write=False)
    breaker.fails()
    assert (breaker.is_blocked, breaker.admits_request(), breaker.seconds_to_probe) == (True, False, kept)
    breaker.timer.passes(kept)
    assert not breaker.is_blocked


def test_outage_is_described_logged_and_announced(caplog: pytest.LogCaptureFixture) -> None:
    breaker, heard = Breaker.opened(), list[bool]()
    breaker.on_change = lambda: heard.append(breaker.is_open)
    breaker.timer.passes(10)
    assert breaker.seconds_open == MIN_FAILING_SECONDS + 10
    assert breaker.outage is not None
    assert (breaker.outage.kind, breaker.outage.detail) == ("refuses", "it answers 503")
    breaker.record_failure("unreachable", "it is unreachable")
    assert breaker.outage.kind == "unreachable"
    for _ in range(2):
        breaker.record_success(was_write=True)
    assert (breaker.seconds_open, heard) == (0, [False])
    assert caplog.messages == [
        "Discord is failing (it answers 503): posts wait until it works again",
        "Discord works again after 11 s",
    ]
    breaker.record_block("Discord blocks this address", 60)
    assert heard == [False, True]
