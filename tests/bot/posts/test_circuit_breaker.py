"""The circuit breaker: when it opens, who may try meanwhile, and who continues when it closes."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from bot.table.outbox.circuit_breaker import (
    CATCHING_UP,
    FAILURES,
    FIRST_PAUSE,
    JITTER,
    LASTING,
    LONGEST_BLOCK,
    LONGEST_PAUSE,
    NO_ANSWER,
    CircuitBreaker,
)
from tests.support.manual_timer import ManualTimer

ROUNDS = 20
"""Of the event loop: what a queue does after one thing takes fewer."""


class Outage:
    """A breaker, its timer, and queues that ask for their turn."""

    def __init__(self) -> None:
        self.timer = ManualTimer()
        self.breaker = CircuitBreaker(lambda: self.timer, chance=lambda low, high: (low + high) / 2)
        self.tried: list[str] = []
        """Who had a turn, in order."""
        self.works = False
        self.held = asyncio.Event()
        """Until this is set, nobody is done with a turn."""
        self.held.set()
        self.queues: set[asyncio.Task[None]] = set()
        self.kinds: dict[str, str] = {}
        """By name, of what kind a queue is that is of another."""

    async def begins(self) -> None:
        """Discord fails as a whole."""
        self.breaker.failed("refuses", "it answers 503")
        self.timer.passes(LASTING)
        for _ in range(FAILURES - 1):
            self.breaker.failed("refuses", "it answers 503")
        await self.settles()

    def wants(self, *names: str) -> None:
        """Queues have something to post, and try until it is posted."""
        for name in names:
            task = asyncio.create_task(self._queue(name))
            self.queues.add(task)

    async def _queue(self, name: str) -> None:
        posted = False
        while not posted:
            async with self.breaker.turn(self.kinds.get(name, "words"), 0):
                self.tried.append(name)
                posted = await self._post()

    async def _post(self) -> bool:
        if not self.breaker.admits():
            return False
        if self.works:
            self.breaker.worked(writes=True)
        else:
            self.breaker.failed("refuses", "it answers 503")
        await self.held.wait()
        return self.works

    async def settles(self) -> None:
        """All that can happen now happens."""
        await self.timer.lets_tasks_work(0, rounds=ROUNDS)

    async def passes(self, seconds: float) -> None:
        """Seconds pass; whenever something was due, all that can happen happens."""
        await self.timer.lets_tasks_work(seconds, rounds=ROUNDS)


@asynccontextmanager
async def an_outage() -> AsyncIterator[Outage]:
    """Discord fails as a whole."""
    outage = Outage()
    await outage.begins()
    try:
        yield outage
    finally:
        for task in outage.queues:
            task.cancel()
        await asyncio.gather(*outage.queues, return_exceptions=True)


async def test_a_hiccup_is_no_outage() -> None:
    outage = Outage()
    for _ in range(FAILURES - 1):
        outage.breaker.failed("refuses", "it answers 503")
        outage.timer.passes(LASTING)
    assert not outage.breaker.is_open


async def test_failures_at_one_instant_are_no_outage() -> None:
    """A global rate limit refuses whatever is under way, and is over within a second."""
    outage = Outage()
    outage.timer.passes(100)
    for _ in range(10 * FAILURES):
        outage.breaker.failed("refuses", "it answers 429")
    assert not outage.breaker.is_open


async def test_a_post_that_succeeds_in_between_shows_that_discord_works() -> None:
    """What is read shows nothing: Discord may take no posts all the same."""
    outage = Outage()
    for _ in range(10):
        for _ in range(FAILURES - 1):
            outage.breaker.failed("refuses", "it answers 503")
            outage.timer.passes(LASTING)
        assert not outage.breaker.is_open
        outage.breaker.worked(writes=True)
    for _ in range(FAILURES - 1):
        outage.breaker.failed("refuses", "it answers 503")
        outage.breaker.worked(writes=False)
        outage.timer.passes(LASTING)
    outage.breaker.failed("refuses", "it answers 503")
    assert outage.breaker.is_open


async def test_an_outage_lets_one_probe_through_at_a_time() -> None:
    async with an_outage() as outage:
        outage.held.clear()
        outage.wants("A", "B", "C")
        await outage.passes(FIRST_PAUSE)
        assert outage.tried == ["A"]
        assert not outage.breaker.admits()


async def test_probes_come_oldest_first_and_in_turn() -> None:
    """One game that always fails keeps nobody from finding out that Discord works."""
    async with an_outage() as outage:
        outage.wants("A", "B", "C")
        await outage.passes(7 * LONGEST_PAUSE)
        assert outage.tried[:6] == ["A", "B", "C", "A", "B", "C"]


async def test_pauses_between_probes_are_bounded() -> None:
    """An hour draws a probe every few seconds, and no more."""
    async with an_outage() as outage:
        outage.wants("A")
        await outage.passes(600)
        assert 600 / LONGEST_PAUSE - 2 <= len(outage.tried) <= 600 / LONGEST_PAUSE + 2


async def test_moves_in_an_outage_make_no_pause_longer() -> None:
    async with an_outage() as outage:
        outage.wants("A")
        await outage.passes(LONGEST_PAUSE)
        tried = len(outage.tried)
        timers = len(outage.timer._due)
        outage.wants(*map(str, range(200)))
        await outage.settles()
        assert len(outage.timer._due) == timers, "the next probe is arranged once for all of them"
        await outage.passes(600)
        assert len(outage.tried) - tried <= 600 / LONGEST_PAUSE + 2


async def test_one_success_lets_everybody_continue_in_order() -> None:
    async with an_outage() as outage:
        names = [str(number) for number in range(200)]
        outage.wants(*names)
        closed = list[int]()
        outage.breaker.on_close = lambda: closed.append(len(outage.tried))
        await outage.settles()
        outage.works = True
        await outage.passes(FIRST_PAUSE)
        assert outage.tried == names
        assert closed == [1], "with the first that is posted"
        assert not outage.breaker.is_open


async def test_a_few_queues_catch_up_at_the_same_time() -> None:
    async with an_outage() as outage:
        outage.held.clear()
        outage.works = True
        outage.wants(*map(str, range(200)))
        await outage.passes(FIRST_PAUSE)
        assert len(outage.tried) == 1 + CATCHING_UP
        outage.held.set()
        await outage.settles()
        assert len(outage.tried) == 200


async def test_each_queue_that_has_caught_up_lets_one_more_begin() -> None:
    async with an_outage() as outage:
        done = asyncio.Semaphore(0)

        async def posts() -> bool:
            outage.breaker.worked(writes=True)
            await done.acquire()
            return True

        outage._post = posts  # type: ignore[method-assign]
        outage.wants(*map(str, range(20)))
        await outage.passes(FIRST_PAUSE)
        found = []
        for _ in range(6):
            done.release()
            await outage.settles()
            found.append(len(outage.tried))
        probe = 1
        assert found == [probe + CATCHING_UP + more for more in range(6)]


async def test_boards_that_are_drawn_hold_no_words_up() -> None:
    """Each kind catches up separately."""
    async with an_outage() as outage:
        outage.held.clear()
        outage.works = True
        boards = [f"board {number}" for number in range(100)]
        outage.kinds = dict.fromkeys(boards, "board")
        outage.wants("first", *boards, *map(str, range(100)))
        await outage.passes(FIRST_PAUSE)
        assert outage.tried[1:] == [*boards[:CATCHING_UP], *map(str, range(CATCHING_UP))]


async def test_who_has_something_new_to_post_waits_for_nobody_who_catches_up() -> None:
    async with an_outage() as outage:
        outage.held.clear()
        outage.works = True
        outage.wants(*map(str, range(200)))
        await outage.passes(FIRST_PAUSE)
        outage.wants("new")
        await outage.settles()
        assert outage.tried[-1] == "new"


async def test_an_outage_that_comes_again_stops_those_who_catch_up() -> None:
    async with an_outage() as outage:
        outage.held.clear()
        outage.works = True
        outage.wants(*map(str, range(100)))
        await outage.passes(FIRST_PAUSE)
        outage.works = False
        await outage.begins()
        outage.held.set()
        await outage.settles()
        tried = len(outage.tried)
        await outage.passes(FIRST_PAUSE)
        assert len(outage.tried) == tried + 1
        outage.works = True
        await outage.passes(LONGEST_PAUSE + 1)
        assert all(task.done() for task in outage.queues)


async def test_a_probe_without_an_answer_has_failed() -> None:
    async with an_outage() as outage:
        outage.held.clear()
        outage.works = True

        async def hangs() -> bool:
            await outage.held.wait()
            return False

        outage._post = hangs  # type: ignore[method-assign]
        outage.wants("A", "B")
        await outage.passes(FIRST_PAUSE)
        assert not outage.breaker.admits(), "only the probe may ask"
        await outage.passes(NO_ANSWER + 2 * FIRST_PAUSE)
        assert outage.tried == ["A", "B"]


async def test_after_a_block_nobody_waits_for_a_probe_from_before_it() -> None:
    async with an_outage() as outage:
        outage.held.clear()

        async def hangs() -> bool:
            await outage.held.wait()
            return True

        outage._post = hangs  # type: ignore[method-assign]
        outage.wants("A", "B")
        await outage.passes(FIRST_PAUSE)
        outage.breaker.blocked("this address is blocked", NO_ANSWER / 2)
        await outage.passes(NO_ANSWER / 2)
        assert outage.tried == ["A", "B"]


async def test_a_probe_that_finds_out_nothing_hands_on_to_the_next() -> None:
    """Its game had nothing to post any more."""
    async with an_outage() as outage:

        async def nothing() -> bool:
            return True

        outage._post = nothing  # type: ignore[method-assign]
        outage.wants("A", "B", "C")
        await outage.passes(FIRST_PAUSE)
        assert outage.tried == ["A", "B", "C"]
        assert outage.breaker.is_open


async def test_who_is_stopped_while_waiting_leaves_the_turn_to_others() -> None:
    async with an_outage() as outage:
        outage.wants("A")
        await outage.settles()
        (first,) = outage.queues
        outage.wants("B")
        await outage.settles()
        first.cancel()
        await outage.passes(FIRST_PAUSE)
        assert outage.tried == ["B"]
        assert first.cancelled()


async def test_once_who_waited_is_stopped_nobody_waits_and_what_is_read_ends_the_outage() -> None:
    async with an_outage() as outage:
        outage.wants("A")
        await outage.settles()
        for task in outage.queues:
            task.cancel()
        await outage.settles()
        outage.breaker.worked(writes=False)
        assert not outage.breaker.is_open


async def test_who_is_stopped_as_the_outage_ends_leaves_the_turn_to_others() -> None:
    async with an_outage() as outage:
        outage.wants("A")
        await outage.settles()
        (first,) = outage.queues
        outage.wants("B")
        await outage.settles()
        first.cancel()
        outage.works = True
        outage.breaker.worked(writes=True)
        await outage.settles()
        assert outage.tried == ["B"]


async def test_who_is_stopped_with_a_turn_already_given_leaves_it_to_others() -> None:
    async with an_outage() as outage:
        outage.wants(*map(str, range(CATCHING_UP)))
        await outage.settles()
        given = list(outage.queues)
        outage.held.clear()
        others = [f"later {number}" for number in range(3 * CATCHING_UP)]
        outage.wants(*others)
        await outage.settles()
        outage.works = True
        outage.breaker.worked(writes=True)
        for task in given:
            task.cancel()
        await outage.settles()
        assert outage.tried == others[:CATCHING_UP]


async def test_a_request_that_nobody_queues_for_is_the_probe_once_one_is_due() -> None:
    """As the commands are registered at a start, or where only direct messages wait."""
    async with an_outage() as outage:
        assert not outage.breaker.admits()
        outage.timer.passes(FIRST_PAUSE)
        assert outage.breaker.admits()
        outage.breaker.failed("refuses", "it answers 503")
        assert not outage.breaker.admits()
        outage.timer.passes(LONGEST_PAUSE)
        assert outage.breaker.admits()
        outage.breaker.worked(writes=False)
        assert not outage.breaker.is_open


async def test_a_request_sent_before_an_outage_is_no_probe_of_it() -> None:
    outage = Outage()
    outage.timer.passes(100)
    assert outage.breaker.admits()
    await outage.begins()
    outage.wants("a")
    await outage.passes(FIRST_PAUSE)
    assert outage.tried == ["a"]
    for task in outage.queues:
        task.cancel()
    await asyncio.gather(*outage.queues, return_exceptions=True)


async def test_the_log_says_once_that_discord_fails_and_once_that_it_works(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with an_outage() as outage:
        outage.timer.passes(FIRST_PAUSE)
        outage.breaker.worked(writes=True)
    assert caplog.messages == [
        "Discord fails (it answers 503): posts wait until it works again",
        f"Discord works again after {LASTING + FIRST_PAUSE:.0f} s",
    ]


async def test_what_is_read_ends_no_outage_while_posts_wait() -> None:
    async with an_outage() as outage:
        outage.wants("A")
        await outage.settles()
        outage.breaker.worked(writes=False)
        assert outage.breaker.is_open
        outage.breaker.worked(writes=True)
        assert not outage.breaker.is_open


@pytest.mark.parametrize(("said", "kept"), [(60.0, 60.0), (10 * LONGEST_BLOCK, LONGEST_BLOCK)])
async def test_a_block_is_left_alone_for_as_long_as_discord_says(said: float, kept: float) -> None:
    outage = Outage()
    outage.breaker.blocked("this address is blocked", said)
    outage.wants("A")
    found = []
    for seconds in (kept - 1, 1):
        await outage.passes(seconds)
        found.append((outage.breaker.is_blocked, list(outage.tried)))
    assert found == [(True, []), (False, ["A"])]
    for task in outage.queues:
        task.cancel()


async def test_an_outage_says_how_long_it_has_lasted_and_how_discord_fails() -> None:
    async with an_outage() as outage:
        outage.timer.passes(10)
        assert outage.breaker.lasted == LASTING + 10
        assert outage.breaker.outage is not None
        assert (outage.breaker.outage.reason, outage.breaker.outage.detail) == ("refuses", "it answers 503")
        outage.breaker.failed("unreachable", "it cannot be reached")
        assert outage.breaker.outage.reason == "unreachable"
        outage.breaker.worked(writes=True)
        assert outage.breaker.lasted == 0


async def test_no_request_is_the_probe_in_place_of_a_queue_that_waits_for_it() -> None:
    async with an_outage() as outage:
        outage.wants("A")
        await outage.settles()
        outage.timer.now += FIRST_PAUSE
        assert not outage.breaker.waits_for_nobody
        assert not outage.breaker.admits()


async def test_each_pause_of_an_outage_is_twice_as_long_up_to_the_longest_and_short_again_in_the_next() -> (
    None
):
    async with an_outage() as outage:
        shares: set[tuple[float, float]] = set()
        outage.breaker._chance = lambda low, high: shares.add((low, high)) or 1.0  # type: ignore[func-returns-value]
        found = []
        for _ in range(2):
            outage.wants("A")
            for half_seconds in range(1, 19):
                before = len(outage.tried)
                await outage.passes(0.5)
                found += [half_seconds / 2] * (len(outage.tried) - before)
            outage.works = True
            await outage.passes(LONGEST_PAUSE)
            assert not outage.breaker.is_open
            outage.works = False
            await outage.begins()
        assert found == 2 * [1, 3, 6, 9]
        assert shares == {(1 - JITTER, 1 + JITTER)}


async def test_a_pause_is_longer_or_shorter_by_chance() -> None:
    async with an_outage() as outage:
        outage.breaker._chance = lambda low, high: high
        outage.breaker.worked(writes=True)
        await outage.begins()
        outage.wants("A")
        found = []
        for seconds in (FIRST_PAUSE, JITTER):
            await outage.passes(seconds)
            found.append(list(outage.tried))
        assert found == [[], ["A"]]


async def test_after_an_outage_failures_are_counted_from_the_first() -> None:
    async with an_outage() as outage:
        outage.breaker.worked(writes=True)
        outage.breaker.failed("refuses", "it answers 503")
        assert not outage.breaker.is_open
        assert outage.breaker.admits()
        assert not outage.breaker.waits_for_nobody


async def test_a_block_in_an_outage_replaces_it_and_stops_the_probe() -> None:
    async with an_outage() as outage:
        outage.timer.passes(FIRST_PAUSE)
        found = [outage.breaker.waits_for_nobody, outage.breaker.admits(), outage.breaker.waits_for_nobody]
        assert found == [True, True, False]
        outage.breaker.blocked("this address is blocked", 60)
        assert outage.breaker.outage is not None
        assert (outage.breaker.outage.reason, outage.breaker.outage.detail) == (
            "blocked",
            "this address is blocked",
        )
        assert outage.breaker.lasted == LASTING + FIRST_PAUSE
        assert not outage.breaker.admits()
        outage.timer.passes(60)
        assert outage.breaker.admits()


async def test_a_block_begins_when_discord_says_so_and_ends_with_the_outage(
    caplog: pytest.LogCaptureFixture,
) -> None:
    outage = Outage()
    outage.timer.passes(100)
    assert (outage.breaker.lasted, outage.breaker.outage) == (0, None)
    outage.breaker.blocked("this address is blocked", 60)
    assert caplog.messages == ["Discord fails (this address is blocked): posts wait until it works again"]
    assert (outage.breaker.lasted, outage.breaker.is_blocked) == (0, True)
    outage.breaker.worked(writes=True)
    assert not outage.breaker.is_blocked
    outage.breaker.failed("refuses", "it answers 503")
    outage.timer.passes(5)
    outage.breaker.blocked("this address is blocked", 60)
    assert outage.breaker.lasted == 5
