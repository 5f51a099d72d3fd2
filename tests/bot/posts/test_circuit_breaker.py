"""The circuit breaker: when it opens, who may send requests meanwhile, and when it closes."""

import asyncio
from collections.abc import Sequence

import pytest

from bot.table.outbox.circuit_breaker import (
    FAILURES,
    FIRST_PAUSE,
    JITTER,
    LASTING,
    LONGEST_BLOCK,
    NO_ANSWER,
    CircuitBreaker,
)
from tests.support.manual_timer import ManualTimer

ROUNDS = 20
"""Of the event loop: what follows from one thing takes fewer."""


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
            self.failed("refuses", "it answers 503")
            self.timer.passes(seconds)

    @classmethod
    def opened(cls, late: float = 0.5) -> "Breaker":
        """One at the start of an outage."""
        breaker = cls(late)
        breaker.fails()
        breaker.timer.passes(LASTING)
        breaker.fails(FAILURES - 1)
        assert breaker.is_open
        return breaker


def test_hiccup_is_no_outage() -> None:
    breaker = Breaker()
    breaker.fails(FAILURES - 1, LASTING)
    assert not breaker.is_open


def test_failures_at_one_instant_are_no_outage() -> None:
    """A global rate limit refuses whatever is under way, and is over within a second."""
    breaker = Breaker()
    breaker.fails(10 * FAILURES)
    assert not breaker.is_open


def test_write_in_between_shows_that_discord_works() -> None:
    """A read shows nothing: Discord may take no posts all the same."""
    breaker = Breaker()
    for _ in range(10):
        breaker.fails(FAILURES - 1, LASTING)
        breaker.worked(writes=True)
    breaker.fails(FAILURES - 1, LASTING)
    breaker.worked(writes=False)
    breaker.fails()
    assert breaker.is_open


def test_requests_are_held_up_until_a_write_works() -> None:
    breaker = Breaker.opened()
    assert not breaker.admits()
    breaker.worked(writes=False)
    assert not breaker.admits()
    breaker.worked(writes=True)
    assert breaker.admits()
    assert not breaker.is_open


def test_request_is_the_probe_once_one_is_due() -> None:
    """As the commands are registered at a start."""
    breaker = Breaker.opened()
    breaker.timer.passes(FIRST_PAUSE)
    assert breaker.admits()
    assert breaker.admits(), "so are those that follow it"
    breaker.fails()
    assert not breaker.admits()
    breaker.timer.passes(2 * FIRST_PAUSE)
    assert breaker.admits()


async def test_one_probe_is_sent_at_a_time() -> None:
    breaker = Breaker.opened()
    breaker.timer.passes(FIRST_PAUSE)
    assert await asyncio.create_task(_admitted(breaker))
    assert not await asyncio.create_task(_admitted(breaker))
    breaker.timer.passes(NO_ANSWER)
    assert await asyncio.create_task(_admitted(breaker)), "nobody waits longer for an answer"


async def _admitted(breaker: CircuitBreaker) -> bool:
    return breaker.admits()


async def probes(breaker: Breaker, seconds: float, works: Sequence[bool] = ()) -> list[float]:
    """The seconds after which probes were sent; what becomes of each."""
    began, at = breaker.timer.now, list[float]()

    async def probing() -> None:
        while breaker.is_open:
            async with breaker.probe():
                if breaker.admits() and breaker.is_open:
                    at.append(round(breaker.timer.now - began, 6))
                    if works[len(at) - 1 : len(at)] == [True]:
                        breaker.worked(writes=True)
                    else:
                        breaker.fails()

    task = asyncio.create_task(probing())
    await breaker.timer.lets_tasks_work(seconds, ROUNDS)
    task.cancel()
    await asyncio.wait({task})
    return at


async def test_pauses_between_probes_double_up_to_the_longest() -> None:
    breaker = Breaker.opened()
    assert await probes(breaker, 12, [False, False, False, True]) == [1, 3, 6, 9]
    assert breaker.jitters == {(1 - JITTER, 1 + JITTER)}
    breaker.fails(FAILURES, LASTING)
    began = breaker.timer.now
    breaker.timer.now = began - LASTING
    assert await probes(breaker, 9) == [1, 3, 6, 9], "short again in the next outage"


@pytest.mark.parametrize(("late", "first"), [(0.0, 1 - JITTER), (1.0, 1 + JITTER)])
async def test_pause_is_longer_or_shorter_by_chance(late: float, first: float) -> None:
    assert (await probes(Breaker.opened(late), 2))[0] == pytest.approx(first * FIRST_PAUSE)


async def test_probe_that_finds_out_nothing_is_followed() -> None:
    """Its game had nothing to post any more."""
    breaker = Breaker.opened()

    async def nothing() -> None:
        async with breaker.probe():
            pass

    task = asyncio.create_task(nothing())
    await breaker.timer.lets_tasks_work(FIRST_PAUSE, ROUNDS)
    assert task.done()
    assert await probes(breaker, FIRST_PAUSE) == [FIRST_PAUSE]


async def test_end_of_outage_is_noticed_by_waiting_probe() -> None:
    breaker, told = Breaker.opened(), list[bool]()
    breaker.on_change = lambda: told.append(breaker.is_open)

    async def waiting() -> None:
        async with breaker.probe():
            told.append(breaker.is_open)

    task = asyncio.create_task(waiting())
    await asyncio.sleep(0)
    breaker.worked(writes=True)
    await asyncio.wait_for(task, 10)
    breaker.blocked("this address is blocked", 60)
    assert told == [False, False, True]


async def test_request_from_before_an_outage_is_no_probe() -> None:
    breaker = Breaker()
    assert breaker.admits()
    breaker.fails(FAILURES, LASTING)
    assert await probes(breaker, 0.0) == [0.0], "the queue that waits is it"


@pytest.mark.parametrize(("said", "kept"), [(60.0, 60.0), (10 * LONGEST_BLOCK, LONGEST_BLOCK)])
async def test_block_lasts_as_long_as_discord_says(said: float, kept: float) -> None:
    breaker = Breaker()
    breaker.blocked("this address is blocked", said)
    assert breaker.is_blocked
    assert await probes(breaker, kept - 1) == []
    assert await probes(breaker, 1) == [1]
    assert not breaker.is_blocked


def test_block_replaces_an_outage_and_its_probe() -> None:
    breaker = Breaker.opened()
    breaker.timer.passes(FIRST_PAUSE)
    assert breaker.admits()
    breaker.blocked("this address is blocked", 60)
    assert not breaker.admits()
    assert breaker.outage is not None
    assert (breaker.outage.reason, breaker.outage.detail) == ("blocked", "this address is blocked")
    assert breaker.lasted == LASTING + FIRST_PAUSE
    breaker.worked(writes=True)
    assert not breaker.is_blocked


def test_outage_says_how_long_and_how_discord_fails() -> None:
    breaker = Breaker.opened()
    breaker.timer.passes(10)
    assert breaker.lasted == LASTING + 10
    assert breaker.outage is not None
    assert (breaker.outage.reason, breaker.outage.detail) == ("refuses", "it answers 503")
    breaker.failed("unreachable", "it cannot be reached")
    assert breaker.outage.reason == "unreachable"
    breaker.worked(writes=True)
    assert breaker.lasted == 0


def test_log_says_once_that_discord_fails_and_works(caplog: pytest.LogCaptureFixture) -> None:
    breaker = Breaker.opened()
    breaker.fails(5)
    breaker.worked(writes=True)
    breaker.worked(writes=True)
    assert caplog.messages == [
        "Discord fails (it answers 503): posts wait until it works again",
        "Discord works again after 1 s",
    ]
