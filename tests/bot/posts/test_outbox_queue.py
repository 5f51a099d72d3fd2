"""One queue of the outbox: what it posts in which order, how it blames a failure, how long it pauses, how it ends."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from bot.table.log_context import facts_of
from bot.table.outbox.circuit_breaker import FAILURES, LASTING, CircuitBreaker
from bot.table.outbox.retrying_queue import (
    FIRST_PAUSE,
    LONGEST_PAUSE,
    TAKEN_PAUSE,
    TRIES,
    UNREAD_PAUSE,
    ClaimedElsewhere,
    Mark,
    OutboxQueue,
    QueueWork,
    RowSource,
)
from storage import DatabaseUnreachable, Posting, ShardLost, outbox
from tests.support.manual_timer import ManualTimer

GAME = 7
PASSING, OWN = ConnectionError("closed"), RuntimeError("no such thread")


def row(number: int, kind: str = "line", attempts: int = 0) -> Posting:
    """A row of the outbox."""
    return Posting(number, GAME, number, kind, "{}", "2026", attempts, None)


class Post(RowSource):
    """Everything a queue works with: rows that wait, where they are posted, and what becomes of it."""

    def __init__(self, *rows: Posting) -> None:
        self.waiting = list(rows)
        self.failures: list[Exception | None] = []
        """What becomes of each attempt; the last one holds for all after it."""
        self.unread: list[Exception] = []
        """Why the rows cannot be read, one after the other."""
        self.takes = 0
        """How many rows are posted in an attempt before it fails."""
        self.tries: list[tuple[list[int], bool]] = []
        self.marked: list[tuple[list[int], int | None]] = []
        self.posted: list[int] = []
        self.rests: list[int] = []
        self.failed: list[int] = []
        self.parked: list[list[int]] = []
        self.pauses: list[float] = []
        self.open = asyncio.Event()
        self.open.set()
        self.breaker = CircuitBreaker()
        work = QueueWork(
            None,  # type: ignore[arg-type]
            self,
            self.deliver,
            lambda: "now",
            self.breaker,
            lambda error: error is PASSING,
            self.posted.append,
            self.rests.append,
        )
        self.queue = OutboxQueue(work, GAME, "words")

    async def fetch(self, game_id: int) -> list[Posting]:
        assert game_id == GAME
        if self.unread:
            raise self.unread.pop(0)
        return list(self.waiting)

    async def mark(
        self, game_id: int, posting_ids: Sequence[int], now: str, message_id: int | None = None
    ) -> None:
        assert (game_id, now) == (GAME, "now")
        self.marked.append((list(posting_ids), message_id))
        self.waiting = [one for one in self.waiting if one.id not in posting_ids]

    async def deliver(self, game_id: int, postings: Sequence[Posting], mark: Mark, *, unsure: bool) -> None:
        assert game_id == GAME
        self.tries.append(([posting.id for posting in postings], unsure))
        await self.open.wait()
        error = self.failures.pop(0) if len(self.failures) > 1 else next(iter(self.failures), None)
        for posting in postings[: len(postings) if error is None else self.takes]:
            await mark([posting], 99)
        if error is not None:
            raise error

    async def until_idle(self) -> None:
        """Wake the queue, and wait until it has nothing to do any more."""
        self.queue.wake()
        async with asyncio.timeout(10):
            while not self.queue.idle:  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0)


@pytest.fixture
def post(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Post]:
    """Makes a queue whose pauses are over at once."""

    def made(*rows: Posting) -> Post:
        post = Post(*rows)

        async def failed(_: object, number: int, error: str) -> None:
            assert error == repr(OWN)
            post.failed.append(number)
            post.waiting = [replace(one, attempts=one.attempts + (one.id == number)) for one in post.waiting]

        async def park(_: object, *numbers: int, error: str, now: str) -> None:
            assert (error, now) == (repr(OWN), "now")
            post.parked.append(list(numbers))
            post.waiting = [one for one in post.waiting if one.id not in numbers]

        async def at_once(queue: Any, pause: float) -> None:
            if pause:
                post.pauses.append(pause)
                queue.wake()

        monkeypatch.setattr(outbox, "mark_failed", failed)
        monkeypatch.setattr(outbox, "park", park)
        monkeypatch.setattr(OutboxQueue, "_wait", at_once)
        return post

    return made


async def test_rows_of_other_queues_are_left_alone_and_lines_come_before_the_turn(post: Any) -> None:
    made = post(
        row(1, "turn"), row(2, "board"), row(3), row(4, "of a later version"), row(5, "papers"), row(6)
    )
    await made.until_idle()
    assert made.tries == [([3, 6, 1, 4], True)]
    assert made.marked == [([3], 99), ([6], 99), ([1], 99), ([4], 99)]


async def test_what_is_logged_of_a_delivery_says_which_game_and_which_move_it_is_about(post: Any) -> None:
    """The newest of those that are posted."""
    made, found = post(row(2), row(3), row(1, "turn")), list[dict[str, Any]]()

    async def deliver(*_: object, unsure: bool) -> None:
        found.append(facts_of(logging.makeLogRecord({})))
        made.waiting = []

    made.queue._work.deliver = deliver
    await made.until_idle()
    assert found == [{"game": GAME, "seq": 3}]


async def test_where_nothing_waits_nothing_is_delivered(post: Any) -> None:
    made = post(row(2, "board"))
    await made.until_idle()
    assert (made.tries, made.posted, made.pauses) == ([], [], [])


async def test_what_may_have_been_posted_before_is_unsure_until_a_delivery_is_done(post: Any) -> None:
    made = post(row(1))
    await made.until_idle()
    made.waiting, made.failures = [row(2)], [PASSING, None]
    await made.until_idle()
    made.waiting, made.failures = [row(3)], []
    await made.until_idle()
    assert [unsure for _, unsure in made.tries] == [True, False, True, False]


async def test_a_game_is_reachable_where_something_was_posted(post: Any) -> None:
    made = post(row(1))
    await made.until_idle()
    assert made.posted == [GAME]
    nothing = post(row(1))

    async def deliver(*_: object, unsure: bool) -> None:
        """What a newer row stands for is left out."""
        nothing.waiting = []

    nothing.queue._work.deliver = deliver
    await nothing.until_idle()
    assert nothing.posted == []


async def test_pauses_double_while_discord_fails_and_are_short_again_after_a_success(post: Any) -> None:
    made = post(row(1))
    made.failures = [PASSING] * 7 + [None]
    await made.until_idle()
    assert made.pauses == [1, 2, 4, 8, LONGEST_PAUSE, LONGEST_PAUSE, LONGEST_PAUSE]
    made.waiting, made.failures = [row(2)], [PASSING, None]
    await made.until_idle()
    assert made.pauses[7:] == [FIRST_PAUSE]
    assert made.failed == made.parked == []


async def test_a_failure_of_a_row_ends_the_row_of_those_of_discord(post: Any) -> None:
    made = post(row(1))
    made.failures = [PASSING, PASSING, OWN, PASSING, None]
    await made.until_idle()
    assert made.pauses == [1, 2, 1, 1]
    assert made.failed == [1]


async def test_the_first_row_that_is_left_is_blamed(post: Any) -> None:
    made = post(row(1), row(2, attempts=TRIES - 2), row(3))
    made.failures, made.takes = [OWN, None], 1
    await made.until_idle()
    assert [numbers for numbers, _ in made.tries] == [[1, 2, 3], [2, 3]]
    assert (made.failed, made.pauses, made.parked) == ([2], [2.0 ** (TRIES - 2)], [])


async def test_a_row_at_fault_rests_alone_and_all_of_them_where_the_next_one_fails_too(post: Any) -> None:
    made = post(*(row(number, attempts=TRIES - 1) for number in (1, 2, 3)))
    made.failures = [OWN]
    await made.until_idle()
    assert made.parked == [[1], [2, 3]]
    assert made.rests == [GAME, GAME]
    assert made.pauses == []


async def test_a_row_that_is_posted_in_between_shows_that_it_is_not_the_thread(post: Any) -> None:
    made = post(*(row(number, attempts=TRIES - 1) for number in (1, 2, 3, 4)))
    made.failures = [OWN, OWN, None]

    async def one_later(game_id: int, postings: Sequence[Posting], mark: Mark, *, unsure: bool) -> None:
        made.takes = len(made.tries)
        await Post.deliver(made, game_id, postings, mark, unsure=unsure)

    made.queue._work.deliver = one_later
    await made.until_idle()
    assert made.parked == [[1], [3]], "the second was posted before the third failed"
    assert [numbers for numbers, _ in made.marked] == [[2], [4]]


async def test_where_all_was_posted_before_the_failure_the_last_row_is_blamed(post: Any) -> None:
    made = post(row(1), row(2), row(3))
    made.failures, made.takes = [OWN, None], 3
    await made.until_idle()
    assert made.failed == [3]
    assert made.posted == []


@pytest.mark.parametrize(
    ("problem", "pause"),
    [
        (ClaimedElsewhere(), TAKEN_PAUSE),
        (ShardLost(1), UNREAD_PAUSE),
        (DatabaseUnreachable("gone"), UNREAD_PAUSE),
        (ValueError("nobody foresaw this"), UNREAD_PAUSE),
    ],
)
async def test_what_cannot_be_read_is_looked_at_again(post: Any, problem: Exception, pause: float) -> None:
    made = post(row(1))
    made.unread = [problem]
    await made.until_idle()
    assert made.pauses == [pause]
    assert made.marked == [([1], 99)]


async def test_what_cannot_be_ticked_off_is_no_failure_of_the_row(post: Any) -> None:
    made = post(row(1))
    made.failures = [DatabaseUnreachable("gone"), None]
    await made.until_idle()
    assert (made.pauses, made.failed) == ([UNREAD_PAUSE], [])


async def test_who_waits_for_the_first_attempt_waits_for_no_more(post: Any) -> None:
    made = post(row(1))
    made.open.clear()
    made.queue.wake()
    waiting = asyncio.create_task(made.queue.tried())
    for _ in range(20):
        await asyncio.sleep(0)
    assert made.tries
    assert not waiting.done()
    assert not made.queue.idle
    made.open.set()
    await asyncio.wait_for(waiting, 10)
    await made.until_idle()
    made.waiting = [row(2)]
    made.open.clear()
    made.queue.wake()
    again = asyncio.create_task(made.queue.tried())
    for _ in range(20):
        await asyncio.sleep(0)
    assert not again.done(), "each waking has an attempt of its own"
    made.open.set()
    await asyncio.wait_for(again, 10)


async def test_a_post_under_way_has_a_while_to_finish_when_the_queue_stops(post: Any) -> None:
    made = post(row(1), row(2))
    made.open.clear()
    made.queue.wake()
    for _ in range(20):
        await asyncio.sleep(0)
    made.queue.wake()
    stopping = asyncio.create_task(made.queue.stop(10))
    for _ in range(20):
        await asyncio.sleep(0)
    assert not stopping.done()
    made.waiting.append(row(3))
    made.open.set()
    await asyncio.wait_for(stopping, 10)
    assert made.marked == [([1], 99), ([2], 99)]
    assert len(made.tries) == 1, "no other post begins"
    assert made.queue.idle


async def test_a_post_that_takes_too_long_is_cut_off(post: Any) -> None:
    made = post(row(1))
    made.open.clear()
    made.queue.wake()
    for _ in range(20):
        await asyncio.sleep(0)
    waiting = asyncio.create_task(made.queue.tried())
    await asyncio.wait_for(made.queue.stop(0), 10)
    for _ in range(5):
        await asyncio.sleep(0)
    assert waiting.done(), "nobody waits for an attempt that never comes"
    assert made.queue.idle
    assert made.marked == []


async def test_a_queue_has_stopped_once_the_post_that_was_cut_off_is_over(post: Any) -> None:
    made, over = post(row(1)), list[bool]()

    async def deliver(*postings: object, unsure: bool) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            for _ in range(20):
                await asyncio.sleep(0)
            over.append(True)

    made.queue._work.deliver = deliver
    made.queue.wake()
    for _ in range(20):
        await asyncio.sleep(0)
    await made.queue.stop(0)
    assert over == [True]


async def test_an_idle_queue_stops_at_once(post: Any) -> None:
    await asyncio.wait_for(post().queue.stop(1000), 10)


async def test_in_an_outage_a_queue_keeps_its_place_and_nobody_waits_for_it(post: Any) -> None:
    made = post(row(1))
    now = iter([0.0])
    made.breaker._now = lambda: next(now, LASTING)
    for _ in range(FAILURES):
        made.breaker.failed("refuses", "it answers 503")
    made.queue.wake()
    await asyncio.wait_for(made.queue.tried(), 10)
    assert made.tries == []
    assert made.breaker.place() == 2, "the queue has the first place"
    made.breaker.worked(writes=True)
    await made.until_idle()
    assert made.marked == [([1], 99)]


async def test_a_queue_in_a_pause_is_woken_at_once() -> None:
    made = Post(row(1))
    made.failures = [PASSING, None]
    made.queue.wake()
    async with asyncio.timeout(10):
        await made.queue.tried()
        assert len(made.tries) == 1, "who waits for an attempt waits for no pause"
        made.queue.wake()
        while not made.queue.idle:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0)
    assert made.marked == [([1], 99)]


async def test_a_queue_whose_probes_fail_has_one_place_in_an_outage_and_a_new_one_in_the_next(
    post: Any,
) -> None:
    """Else it would fall behind the queues that began to wait after it."""
    made, timer = post(row(1)), ManualTimer()
    made.breaker._timer = lambda: timer

    async def refuses(game_id: int, postings: Sequence[Posting], mark: Mark, *, unsure: bool) -> None:
        if made.breaker.is_open:
            made.breaker.failed("refuses", "it answers 503")
        await Post.deliver(made, game_id, postings, mark, unsure=unsure)

    made.queue._work.deliver = refuses
    for _ in range(2):
        made.waiting, made.failures = [row(1)], [PASSING]
        for _ in range(FAILURES):
            made.breaker.failed("refuses", "it answers 503")
            timer.passes(LASTING)
        made.queue.wake()
        await timer.lets_tasks_work(8, rounds=20)
        made.failures = []
        made.breaker.worked(writes=True)
        await made.until_idle()
    assert len(made.tries) > 4
    assert made.pauses == [], "its next turn comes after everybody else's"
    assert made.breaker.place() == 3, "one for each outage"
