"""The outbox: what has not been posted stays until it has been."""

from pathlib import Path
from typing import Any

import pytest

from storage import Database, NoSuchGame, log, open_database, outbox
from storage.outbox import OutboxMessage
from storage.shards import ShardSet
from tests.storage.makers import Act, NewGame, RunningGame
from tests.support.unsent import unsent

NOW = "2026-01-02T03:04:05+00:00"
LATER = "2026-02-03T04:05:06+00:00"


@pytest.fixture
async def three(db: Database, game_id: int, act: Act) -> list[int]:
    await log.commit_move(
        db, game_id, 1, [act()], [OutboxMessage("turn", "a"), OutboxMessage("turn", "b")], now=NOW
    )
    await log.commit_move(db, game_id, 2, [act()], [OutboxMessage("turn", "c")], now=NOW)
    return [posting.id for posting in await unsent(db)]


async def payloads(db: Database) -> str:
    return "".join(posting.payload for posting in await unsent(db))


async def test_the_oldest_comes_first(db: Database, three: list[int]) -> None:
    assert three == sorted(three)
    assert await payloads(db) == "abc"


async def test_what_was_sent_is_done(db: Database, three: list[int]) -> None:
    await outbox.mark_sent(db, three[1], now=LATER)
    assert await payloads(db) == "ac"
    await outbox.mark_sent(db, three[0], three[1], three[2], now=LATER)
    assert await payloads(db) == ""


async def test_marking_twice_keeps_the_first_time(db: Database, three: list[int]) -> None:
    await outbox.mark_sent(db, three[0], now=NOW)
    await outbox.mark_sent(db, three[0], now=LATER)
    sent = await db.read(lambda tx: tx.row("SELECT sent_at FROM outbox WHERE id = ?", three[0]))
    assert sent == (NOW,)


async def test_what_failed_stays_and_says_why(db: Database, three: list[int]) -> None:
    await outbox.mark_failed(db, three[0], error="503 from Discord")
    await outbox.mark_failed(db, three[0], error="cannot see the channel")
    first = (await unsent(db))[0]
    assert (first.id, first.attempts, first.last_error) == (three[0], 2, "cannot see the channel")
    assert await payloads(db) == "abc"


async def test_a_failure_reported_late_does_not_reopen_what_was_sent(db: Database, three: list[int]) -> None:
    await outbox.mark_sent(db, three[0], now=NOW)
    await outbox.mark_failed(db, three[0], error="late")
    assert await payloads(db) == "bc"
    sent = await db.read(lambda tx: tx.row("SELECT attempts, last_error FROM outbox WHERE id = ?", three[0]))
    assert sent == (0, None)


async def test_what_was_not_sent_is_still_there_after_a_restart(
    where: str | Path, running_game: RunningGame, act: Act
) -> None:
    async with await open_database(where) as db:
        await log.commit_move(db, await running_game(db), 1, [act()], [OutboxMessage("turn", "a")], now=NOW)
    async with await open_database(where) as db:
        assert await payloads(db) == "a"


async def test_only_what_was_sent_long_ago_is_forgotten(db: Database, three: list[int]) -> None:
    await outbox.mark_sent(db, three[0], now=NOW)
    await outbox.mark_sent(db, three[1], now=LATER)
    assert await outbox.forget_sent(db, LATER) == 1
    assert await payloads(db) == "c"
    assert await outbox.forget_sent(db, "2027") == 1


async def test_what_comes_with_no_move_is_put_there_once(db: Database, three: list[int]) -> None:
    """Also when it has been sent meanwhile; after another move it is news again."""
    message = OutboxMessage("line", "d")
    assert await outbox.add_once(db, 1, 3, message, NOW)
    assert not await outbox.add_once(db, 1, 3, message, NOW)
    assert await payloads(db) == "abcd"
    sent = (await unsent(db))[-1].id
    await outbox.mark_sent(db, sent, now=NOW)
    assert not await outbox.add_once(db, 1, 3, message, LATER)
    assert await outbox.add_once(db, 1, 4, message, LATER)


async def test_nothing_is_put_there_for_a_game_that_is_not(db: Database) -> None:
    with pytest.raises(NoSuchGame):
        await outbox.add_once(db, 99, 1, OutboxMessage("line", "a"), NOW)


async def test_every_game_is_read_automatically_and_the_longest_wait_comes_first(
    db: Database, running_game: RunningGame, act: Act
) -> None:
    """However much one game has to post, another's rows are found at once."""
    busy, quiet = await running_game(db), await running_game(db)
    await log.commit_move(db, busy, 1, [act()], [OutboxMessage("turn", "x")] * 2000, now=NOW)
    await log.commit_move(db, quiet, 1, [act()], [OutboxMessage("turn", "y")], now=NOW)
    assert await outbox.waiting(db) == [busy, quiet]
    assert [row.payload for row in await outbox.of_game(db, quiet)] == ["y"]


async def test_it_is_known_which_message_has_a_line(db: Database, game_id: int, three: list[int]) -> None:
    assert [line.message_id for line in await outbox.of_kind(db, game_id, "turn", 0)] == [None, None, None]
    await outbox.mark_sent(db, three[1], now=NOW, message_id=2**62)
    lines = await outbox.of_kind(db, game_id, "turn", 0)
    assert [(line.payload, line.message_id) for line in lines] == [("a", None), ("b", 2**62), ("c", None)]


async def test_notices_of_a_kind_are_those_of_the_game_after_a_row(
    db: Database, game_id: int, three: list[int], running_game: RunningGame, act: Act
) -> None:
    other = await running_game(db)
    notices = [OutboxMessage("turn", "x"), OutboxMessage("line", "y")]
    await log.commit_move(db, other, 1, [act()], notices, now=NOW)
    assert [one.payload for one in await outbox.of_kind(db, other, "line", 0)] == ["y"]
    assert [one.payload for one in await outbox.of_kind(db, other, "turn", 0)] == ["x"]
    assert [one.payload for one in await outbox.of_kind(db, game_id, "turn", 2)] == ["c"]


async def test_the_backlog_says_since_when_something_waits_that_is_not_parked(
    db: Database, three: list[int], running_game: RunningGame, act: Act
) -> None:
    assert await outbox.backlog(db) == outbox.Backlog(rows=3, parked=0, games=1, oldest=NOW)
    other = await running_game(db)
    await log.commit_move(db, other, 1, [act()], [OutboxMessage("turn", "x")], now=LATER)
    await outbox.mark_failed(db, *three[:2], error="closed", times=outbox.TRIES)
    await outbox.mark_sent(db, three[2], now=NOW)
    assert await outbox.backlog(db) == outbox.Backlog(rows=3, parked=2, games=2, oldest=LATER)
    assert await outbox.waiting(db, ShardSet((0,), 2)) == await outbox.waiting(db)
    assert await outbox.waiting(db, ShardSet((1,), 2)) == []


async def test_a_post_that_is_sent_keeps_the_message_that_shows_it(
    db: Database, game_id: int, three: list[int]
) -> None:
    await outbox.mark_sent(db, three[0], now=NOW, message_id=7)
    await outbox.mark_sent(db, *three[:2], now=NOW, message_id=None)
    await outbox.mark_sent(db, three[2], now=NOW, message_id=8)
    found = await outbox.of_kind(db, game_id, "turn", 0)
    assert [(one.message_id, one.waits) for one in found] == [(7, False), (None, False), (8, False)]


async def test_all_posts_of_a_server_are_dropped_sent_or_not(
    db: Database, three: list[int], new_game: NewGame
) -> None:
    elsewhere = await new_game(db, guild_id=11)
    await outbox.put(db, elsewhere.id, 0, [OutboxMessage("line", "d")], NOW)
    await outbox.mark_sent(db, three[0], now=NOW)
    assert await outbox.drop(db, 10) == 3
    assert await payloads(db) == "d"


@pytest.mark.parametrize("changed", [{"seq": 4}, {"kind": "turn"}, {"payload": "e"}])
async def test_a_notice_that_differs_from_one_that_is_there_is_new(
    db: Database, three: list[int], changed: dict[str, Any]
) -> None:
    notice = {"seq": 3, "kind": "line", "payload": "d"}
    for one in (notice, notice | changed):
        values: dict[str, Any] = one
        assert await outbox.add_once(
            db, 1, values["seq"], OutboxMessage(values["kind"], values["payload"]), NOW
        )
