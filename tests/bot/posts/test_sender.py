"""Posting that fails is tried again after growing pauses; what cannot be posted rests, and silences nobody else."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bot.table.outbox.circuit_breaker import CircuitBreaker
from bot.table.outbox.notices import queue_name
from bot.table.outbox.retrying_queue import LONGEST_PAUSE, TRIES, Mark, OutboxQueue
from bot.table.outbox.sender import FINISHING_SECONDS, Sender
from storage import DatabaseUnreachable, Posting, outbox
from tests.bot.support.tables import ANN, Bench
from tests.support.unsent import unsent

SOON = 10.0
"""Seconds a test waits for what happens at once."""
HOUR = 3600.0
"""A pause that no test sees the end of."""


class Post:
    """Where postings are delivered: fails as long as it is closed, and counts the attempts."""

    def __init__(self) -> None:
        self.closed = True
        self.shut: set[int] = set()
        """Games whose thread is gone."""
        self.poison: set[str] = set()
        """Payloads that can never be posted."""
        self.attempts: list[str] = []
        self.tried: list[int] = []
        """The games of the attempts."""
        self.sent: list[Posting] = []

    async def deliver(self, game_id: int, postings: Sequence[Posting], mark: Mark, *, unsure: bool) -> None:
        """Take these, or fail."""
        del unsure
        self.attempts.append(queue_name(postings[0].kind))
        self.tried.append(game_id)
        if self.closed:
            raise ConnectionError("closed")
        for posting in postings:
            if game_id in self.shut or posting.payload in self.poison:
                raise RuntimeError("no such thread")
            await mark([posting])
            self.sent.append(posting)

    def words(self, game_id: int) -> list[str]:
        """What has been posted of a game, in order, but for its boards."""
        return [
            row.payload for row in self.sent if row.game_id == game_id and queue_name(row.kind) == "words"
        ]


def is_passing(error: Exception) -> bool:
    """As with Discord: what the network does says nothing about a row."""
    return isinstance(error, ConnectionError)


@asynccontextmanager
async def sending(bench: Bench, post: Post, breaker: CircuitBreaker | None = None) -> AsyncIterator[Sender]:
    """A running sender."""
    breaker = breaker or CircuitBreaker()
    sender = Sender(bench.db, post.deliver, lambda: "2026-01-02T03:04:05+00:00", is_passing, breaker)
    task = asyncio.create_task(sender.run())
    try:
        yield sender
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def until(condition: Callable[[], bool]) -> None:
    """Wait until it holds."""
    async with asyncio.timeout(SOON):
        while not condition():  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.005)


def pauses(caplog: pytest.LogCaptureFixture) -> list[float]:
    """The pauses in seconds that were announced, in order."""
    failures = [record for record in caplog.records if "next attempt" in record.msg]
    return [float(record.args[3]) for record in failures]  # type: ignore[index,arg-type]


def failed_before(tmp_path: Path, times: int) -> None:
    """Everything in the outbox has failed so often."""
    with sqlite3.connect(tmp_path / "games.db") as conn:
        conn.execute("UPDATE outbox SET attempts = ?", (times,))


@pytest.mark.parametrize(("times", "pause"), [(0, 1), (1, 2), (2, 4), (4, 16)])
async def test_each_failure_of_a_row_doubles_its_pause(
    bench: Bench, tmp_path: Path, caplog: pytest.LogCaptureFixture, times: int, pause: float
) -> None:
    game = await bench.game()
    failed_before(tmp_path, times)
    post = Post()
    post.closed, post.shut = False, {game}
    async with sending(bench, post):
        await until(lambda: len(pauses(caplog)) == 2)
    assert pauses(caplog) == [pause, pause]
    assert sorted(post.attempts) == ["board", "words"]


async def test_a_game_for_which_discord_fails_is_tried_at_least_every_fifteen_seconds(
    bench: Bench, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However often it has failed: it is posted within 20 seconds of the end."""
    monkeypatch.setattr("bot.table.outbox.retrying_queue.OutboxQueue._wait", _at_once)
    await bench.game()
    post = Post()
    async with sending(bench, post):
        await until(lambda: len(pauses(caplog)) >= 14)
    assert sorted(pauses(caplog)[:14]) == [1, 1, 2, 2, 4, 4, 8, 8, *[LONGEST_PAUSE] * 6]


async def _at_once(queue: OutboxQueue, pause: float) -> None:
    """The pause is over at once, if there is one."""
    if pause:
        await asyncio.sleep(0)
        queue.wake()


async def test_nothing_is_tried_again_before_the_pause_is_over(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Games that come later are tried meanwhile."""
    monkeypatch.setattr("bot.table.outbox.retrying_queue.LONGEST_PAUSE", HOUR)
    monkeypatch.setattr("bot.table.outbox.retrying_queue.FIRST_PAUSE", HOUR)
    paused = [await bench.game(), await bench.game()]
    post = Post()
    async with sending(bench, post) as sender:
        await until(lambda: len(post.attempts) == 4)
        await bench.do(paused[1], ANN, "pass")
        later = [await bench.game() for _ in range(3)]
        for game in later:
            sender.wake(game)
            await until(lambda game=game: post.tried.count(game) == 2)  # type: ignore[misc]
    assert [post.tried.count(game) for game in (*paused, *later)] == [2] * 5


async def test_the_acting_player_has_the_pause_of_the_game_ended(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.table.outbox.retrying_queue.LONGEST_PAUSE", HOUR)
    monkeypatch.setattr("bot.table.outbox.retrying_queue.FIRST_PAUSE", HOUR)
    game = await bench.game()
    post = Post()
    async with sending(bench, post) as sender:
        await until(lambda: len(post.attempts) == 2)
        post.closed = False
        sender.nudge(game)
        await until(lambda: len(post.attempts) == 4)
        await everything_sent(bench)


async def test_a_failure_of_discord_counts_against_no_row(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    """A row rests for failures of its own, and none of the outage before takes one of these away."""
    await bench.game()
    post = Post()
    async with sending(bench, post):
        await until(lambda: len(pauses(caplog)) == 4)
    assert sorted(pauses(caplog)) == [1, 1, 2, 2]
    assert {row.attempts for row in await unsent(bench.db)} == {0}


async def everything_sent(bench: Bench) -> None:
    """Wait until the outbox is empty."""
    async with asyncio.timeout(SOON):
        while (await outbox.backlog(bench.db)).rows:  # noqa: ASYNC110 - the database tells nobody
            await asyncio.sleep(0.005)


async def test_what_failed_is_delivered_once_the_way_is_free(bench: Bench) -> None:
    await bench.game()
    post = Post()
    async with sending(bench, post):
        await until(lambda: len(post.attempts) == 2)
        post.closed = False
        await until(lambda: len(post.attempts) == 4)
        await everything_sent(bench)


async def test_after_an_outage_what_pauses_is_tried_at_once(
    bench: Bench, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    game = await bench.game()
    failed_before(tmp_path, 4)
    post, breaker = Post(), CircuitBreaker()
    post.closed, post.shut = False, {game}
    async with sending(bench, post, breaker):
        await until(lambda: len(pauses(caplog)) == 2)
        post.shut = set()
        breaker.on_close()
        await until(lambda: len(post.sent) >= 2)
    assert min(pauses(caplog)) > SOON


async def test_an_outage_of_discord_lets_nothing_rest(bench: Bench, tmp_path: Path) -> None:
    """It is over for everybody at once; nobody has to act for it."""
    await bench.game()
    failed_before(tmp_path, 5000)
    post = Post()
    async with sending(bench, post):
        await until(lambda: len(post.attempts) == 2)
    assert (await outbox.backlog(bench.db)).parked == 0


async def test_what_keeps_failing_by_itself_rests_with_its_reason(bench: Bench, tmp_path: Path) -> None:
    game = await bench.game()
    failed_before(tmp_path, TRIES - 1)
    post = Post()
    post.closed, post.shut = False, {game}
    async with sending(bench, post):
        await resting(bench)
    backlog = await outbox.backlog(bench.db)
    assert backlog.rows == backlog.parked == 5
    await outbox.requeue(bench.db)
    assert {row.last_error for row in await outbox.of_game(bench.db, game)} == {
        "RuntimeError('no such thread')"
    }


async def resting(bench: Bench) -> None:
    """Wait until all that is in the outbox rests."""
    async with asyncio.timeout(SOON):
        while await outbox.waiting(bench.db):  # noqa: ASYNC110 - the database tells nobody
            await asyncio.sleep(0.005)


async def test_what_rests_is_tried_again_when_somebody_acts_there(bench: Bench, tmp_path: Path) -> None:
    game = await bench.game()
    failed_before(tmp_path, TRIES)
    post = Post()
    post.closed, post.shut = False, {game}
    async with sending(bench, post) as sender:
        await resting(bench)
        post.shut = set()
        sender.nudge(game)
        await everything_sent(bench)


async def test_what_rests_is_tried_again_after_a_restart(bench: Bench, tmp_path: Path) -> None:
    game = await bench.game()
    failed_before(tmp_path, TRIES)
    post = Post()
    post.closed, post.shut = False, {game}
    async with sending(bench, post):
        await resting(bench)
    post.shut = set()
    async with sending(bench, post):
        await everything_sent(bench)


async def test_a_row_that_nobody_can_post_keeps_no_other_row_waiting(bench: Bench, tmp_path: Path) -> None:
    game = await bench.game()
    lines = [outbox.OutboxMessage("line", text) for text in "abc"]
    await bench.db.write(lambda tx: outbox.add(tx, game, 1, lines, "2026"))
    failed_before(tmp_path, TRIES)
    post = Post()
    post.closed, post.poison = False, {"b"}
    async with sending(bench, post):
        await resting(bench)
    assert [text for text in post.words(game) if text in "abc"] == ["a", "c"]
    assert (await outbox.backlog(bench.db)).rows == 1


async def test_rows_that_cannot_be_posted_silence_no_other_table(bench: Bench, tmp_path: Path) -> None:
    """Two accounts in a server of their own fill the outbox; everybody else is served all the same."""
    shut, other = await bench.game(), await bench.game()
    await bench.db.write(
        lambda tx: outbox.add(
            tx, shut, 1, [outbox.OutboxMessage("line", str(number)) for number in range(3000)], "2026"
        )
    )
    failed_before(tmp_path, TRIES - 1)
    post = Post()
    post.closed, post.shut = False, {shut}
    async with sending(bench, post):
        await until(lambda: len(post.words(other)) == 4)
        await resting(bench)
    assert (await outbox.backlog(bench.db)).games == 1


async def test_a_long_backlog_of_turns_is_posted_without_a_busy_loop(bench: Bench) -> None:
    """After an outage the turns of sixty moves are one post; what a newer one stands for is not tried for ever."""
    games = [await bench.game() for _ in range(3)]
    for game in games:
        for _ in range(60):
            await bench.do(game, ANN, "pass")
            await bench.undo(game, ANN)
    post = Post()
    post.closed = False
    async with sending(bench, post):
        await everything_sent(bench)
    assert len(post.attempts) == 2 * len(games)


class Thread(Post):
    """As a thread is written in: lines first, then the newest turn."""

    async def deliver(self, game_id: int, postings: Sequence[Posting], mark: Mark, *, unsure: bool) -> None:
        """Take the rows kind by kind, or fail."""
        kinds = ["open", "ping", "line", "turn", "end", "board"]
        ordered = sorted(postings, key=lambda posting: kinds.index(posting.kind))
        await super().deliver(game_id, ordered, mark, unsure=unsure)


async def test_the_row_that_fails_rests_and_not_the_turn_stored_before_it(
    bench: Bench, tmp_path: Path
) -> None:
    """Lines of several moves are posted before their turns: the turns are not blamed for a line."""
    game = await bench.game()
    rows = [outbox.OutboxMessage(*row) for row in (("turn", "t1"), ("line", "bad"), ("turn", "t2"))]
    await bench.db.write(lambda tx: outbox.add(tx, game, 1, rows, "2026"))
    failed_before(tmp_path, TRIES)
    post = Thread()
    post.closed, post.poison = False, {"bad"}
    async with sending(bench, post):
        await resting(bench)
    assert post.words(game)[-2:] == ["t1", "t2"]
    assert (await outbox.backlog(bench.db)).rows == 1


async def test_a_second_bad_row_leaves_the_turn_alone_where_others_are_posted(
    bench: Bench, tmp_path: Path
) -> None:
    game = await bench.game()
    rows = [outbox.OutboxMessage("line", text) for text in ("bad", "good", "worse")]
    await bench.db.write(
        lambda tx: outbox.add(tx, game, 1, [*rows, outbox.OutboxMessage("turn", "whose turn")], "2026")
    )
    failed_before(tmp_path, TRIES)
    post = Thread()
    post.closed, post.poison = False, {"bad", "worse"}
    async with sending(bench, post):
        await resting(bench)
    assert "whose turn" in post.words(game)
    assert (await outbox.backlog(bench.db)).rows == 2


async def test_an_outbox_that_cannot_be_read_at_the_start_silences_nobody(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever it is that fails: it is looked through again, and what rested before is tried, too."""
    game = await bench.game()
    rows = await unsent(bench.db)
    await outbox.park(bench.db, *(row.id for row in rows), error="no such thread", now="2026")
    whole = outbox.requeue
    failures = iter([RuntimeError("nobody foresaw this"), DatabaseUnreachable("gone")])

    async def failing(*args: Any, **share: Any) -> int:
        for error in failures:
            raise error
        return await whole(*args, **share)

    monkeypatch.setattr(outbox, "requeue", failing)
    monkeypatch.setattr("bot.table.outbox.sender.LOOK_AGAIN", 0.01)
    post = Post()
    post.closed = False
    async with sending(bench, post):
        await everything_sent(bench)
    assert post.words(game)


async def test_what_rests_is_posted_before_what_comes_later(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the database takes its time to take it up."""
    game = await bench.game()
    failed_before(tmp_path, TRIES)
    whole, begun, go_on = outbox.requeue, asyncio.Event(), asyncio.Event()

    async def slowly(*args: Any, **share: Any) -> int:
        begun.set()
        await go_on.wait()
        return await whole(*args, **share)

    post = Post()
    post.closed, post.shut = False, {game}
    async with sending(bench, post) as sender:
        await resting(bench)
        monkeypatch.setattr(outbox, "requeue", slowly)
        post.shut = set()
        await bench.do(game, ANN, "pass")
        sender.wake(game)
        await asyncio.wait_for(begun.wait(), SOON)
        for _ in range(5):
            assert await unsent(bench.db)
        assert post.words(game) == []
        go_on.set()
        await everything_sent(bench)
    lines = [row.seq for row in post.sent if row.kind == "line"]
    assert lines == [1, 2]


async def test_what_rests_is_tried_at_the_start_and_after_so_many_looks_at_the_outbox(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Looks that fail are not counted: at the start what rests is tried in any case."""
    looks: list[str] = []
    unread = iter([True, True, False, False, False, True])

    async def requeue(*_: object, **__: object) -> None:
        looks.append("rests")

    async def waiting(*_: object) -> list[int]:
        looks.append("waits")
        if next(unread, False):
            raise DatabaseUnreachable("gone")
        return []

    monkeypatch.setattr(outbox, "requeue", requeue)
    monkeypatch.setattr(outbox, "waiting", waiting)
    monkeypatch.setattr("bot.table.outbox.sender.LOOK_AGAIN", 0.0)
    monkeypatch.setattr("bot.table.outbox.sender.TAKE_UP", 3)
    async with sending(bench, Post()):
        await until(lambda: len(looks) > 20)
    started = ["rests", "waits"] * 3
    assert looks[:17] == [
        *started,
        "waits",
        "waits",
        *["rests", "waits"] * 2,
        "waits",
        "waits",
        "rests",
        "waits",
        "waits",
    ]


def sender_of(db: Any, breaker: CircuitBreaker | None = None) -> Sender:
    """A sender that has not begun."""
    return Sender(db, Post().deliver, lambda: "now", is_passing, breaker or CircuitBreaker())


ALONE: Any = SimpleNamespace(shared=False)
"""A database of one process."""


def test_of_many_games_the_idle_ones_leave_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.table.outbox.sender.KEPT", 2)
    sender = sender_of(ALONE)
    first = sender._of(1)
    assert sender._of(1) is first
    sender._of(2)
    assert set(sender._queues) == {1, 2}
    first[0]._task = object()  # type: ignore[assignment]
    sender._of(3)
    assert set(sender._queues) == {1, 3}
    assert sender._of(1) is first


def test_after_an_outage_only_queues_that_pause_are_woken(monkeypatch: pytest.MonkeyPatch) -> None:
    breaker, woken = CircuitBreaker(), list[OutboxQueue]()
    sender = sender_of(ALONE, breaker)
    monkeypatch.setattr(OutboxQueue, "wake", lambda queue: woken.append(queue))
    idle, pausing, *_ = sender._of(1)
    pausing._task = object()  # type: ignore[assignment]
    breaker.on_close()
    sender.wake(1)
    assert woken == [], "it has not begun"
    sender._open = True
    breaker.on_close()
    assert woken == [pausing]
    sender.nudge(2)
    assert woken == [pausing], "nothing waits there"
    sender.nudge(1)
    assert woken == [pausing, *sender._of(1)]
    assert idle in woken


async def test_what_cannot_be_taken_up_rests_until_somebody_acts_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sender, woken, asked = sender_of(ALONE), list[OutboxQueue](), list[int]()
    problems = [DatabaseUnreachable("gone")]

    async def requeue(_: object, game_id: int) -> None:
        asked.append(game_id)
        if problems:
            raise problems.pop()

    monkeypatch.setattr(outbox, "requeue", requeue)
    monkeypatch.setattr(OutboxQueue, "wake", lambda queue: woken.append(queue))
    sender._open = True
    sender._resting.add(1)
    sender._posted(2)
    assert not sender._jobs
    for rests, count in ((True, 0), (False, 3)):
        sender.nudge(1)
        await asyncio.gather(*sender._jobs)
        assert (1 in sender._resting, len(woken)) == (rests, count)
    assert asked == [1, 1]
    sender._posted(1)
    assert not sender._jobs, "nothing rests there any more"
    sender._resting.add(1)
    sender._posted(1)
    await asyncio.gather(*sender._jobs)
    assert asked == [1, 1, 1], "where a post succeeds, the way is free for what rests"


async def test_a_process_that_stops_sending_leaves_the_rest_to_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sender, stopped = sender_of(ALONE), list[object]()

    async def given_up() -> None:
        stopped.append("given up")

    async def stop(queue: OutboxQueue, finishing: float) -> None:
        stopped.append((queue, finishing))

    async def for_ever() -> None:
        await asyncio.sleep(HOUR)

    monkeypatch.setattr(sender._source, "give_up", given_up)
    monkeypatch.setattr(OutboxQueue, "stop", stop)
    queues, job = sender._of(1), asyncio.create_task(for_ever())
    sender._jobs.add(job)
    sending, looks = asyncio.create_task(sender.run()), list[bool]()

    async def look(*, again: bool) -> bool:
        looks.append(again)
        return True

    monkeypatch.setattr(sender, "_look_through", look)
    await until(lambda: bool(looks))
    assert sender._open
    sending.cancel()
    await asyncio.wait({sending}, timeout=SOON)
    assert (looks, sender._open) == ([True], False)
    assert job.cancelled()
    assert stopped == [*((queue, FINISHING_SECONDS) for queue in queues), "given up"]


async def test_a_game_has_caught_up_once_each_of_its_queues_has_tried(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sender, woken = sender_of(ALONE), list[OutboxQueue]()
    monkeypatch.setattr(OutboxQueue, "wake", lambda queue: woken.append(queue))
    queues = sender._of(1)
    start, found = asyncio.create_task(sender._start(1)), []
    for queue in queues:
        for _ in range(5):
            await asyncio.sleep(0)
        found.append(start.done())
        queue._tried.set()
    await asyncio.wait_for(start, SOON)
    assert (woken, found) == ([*queues], [False] * len(queues))


async def test_after_a_start_a_few_games_catch_up_at_a_time_and_slow_ones_hold_up_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sender, games, begun = sender_of(ALONE), list(range(8)), list[int]()
    free = {game: asyncio.Event() for game in games}
    requeued: list[object] = []

    async def start(game: int) -> None:
        begun.append(game)
        await free[game].wait()

    async def waiting(*_: object) -> list[int]:
        return games

    async def requeue(_: object, *, share: object) -> None:
        requeued.append(share)

    monkeypatch.setattr(sender, "_start", start)
    monkeypatch.setattr(outbox, "waiting", waiting)
    monkeypatch.setattr(outbox, "requeue", requeue)
    sender._resting.add(1)
    look = asyncio.create_task(sender._look_through(again=False))
    await until(lambda: len(begun) == 3)
    for _ in range(20):
        await asyncio.sleep(0)
    assert (begun, requeued, sender._resting) == ([0, 1, 2], [], {1})
    free[1].set()
    await until(lambda: len(begun) == 4)
    for event in free.values():
        event.set()
    assert await asyncio.wait_for(look, SOON)
    assert begun == games
    monkeypatch.setattr("bot.table.outbox.sender.PATIENCE", 0.001)
    wait, waited_for = asyncio.wait, list[int]()

    async def noted(tasks: Any, **more: Any) -> Any:
        waited_for.append(len(tasks))
        return await wait(tasks, **more)

    for event in free.values():
        event.clear()
    with monkeypatch.context() as patch:
        patch.setattr(asyncio, "wait", noted)
        assert await asyncio.wait_for(sender._look_through(again=True), SOON)
    assert waited_for == [3, 3], "after the slow ones as many others begin"
    assert (begun, requeued, sender._resting) == (2 * games, [sender._share], set())
    for event in free.values():
        event.set()
