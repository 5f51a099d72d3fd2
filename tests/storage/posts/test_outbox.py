"""The outbox: what has not been posted stays until it has been, and which message shows what."""

from dataclasses import replace

import pytest

from storage import Database, messages, outbox
from storage.errors import NoSuchGame
from storage.outbox import Backlog, OutboxMessage
from storage.shards import ShardSet
from tests.storage.makers import LAST, LATER, NOW, SECOND, line, move, running_game
from tests.support.noted import AT, noted
from tests.support.unsent import unsent


@pytest.fixture
async def three(db: Database, game_id: int) -> list[int]:
    """Lines of three moves of a game."""
    for seq, text in enumerate("abc", 1):
        await move(db, game_id, seq, notices=[line(text)])
    return [row.id for row in await unsent(db)]


async def payloads(db: Database) -> str:
    return "".join(posting.payload for posting in await unsent(db))


async def test_post_waits_until_it_was_sent(db: Database, game_id: int, three: list[int]) -> None:
    assert (three, await payloads(db)) == (sorted(three), "abc")
    await outbox.mark_sent(db, three[1], now=NOW, message_id=2**62)
    assert await payloads(db) == "ac"
    lines = await outbox.notices_of_kind(db, game_id, "line", 0)
    assert [(one.payload, one.message_id, one.is_unposted) for one in lines] == [
        ("a", None, True),
        ("b", 2**62, False),
        ("c", None, True),
    ]
    await outbox.mark_failed(db, three[1], error="late")
    await outbox.mark_sent(db, *three, now=LATER, message_id=8)
    asked = "SELECT sent_at, message_id, attempts, last_error FROM outbox ORDER BY id"
    sent = [(LATER, 8, 0, None), (NOW, 2**62, 0, None), (LATER, 8, 0, None)]
    assert await db.rows(asked) == sent, "what was sent stays so"
    assert await payloads(db) == ""


async def test_sent_posts_are_forgotten(db: Database, three: list[int]) -> None:
    await outbox.mark_sent(db, three[0], now=NOW)
    await outbox.mark_sent(db, three[1], now=LATER)
    assert await outbox.delete_sent_before(db, LATER) == 1
    assert await payloads(db) == "c"
    assert await outbox.delete_sent_before(db, LAST) == 1


async def test_notice_is_added_once(db: Database, three: list[int]) -> None:
    """Also when it has been sent meanwhile; one that differs is news."""
    assert await outbox.add_notice_once(db, 1, 3, line("d"), NOW)
    assert not await outbox.add_notice_once(db, 1, 3, line("d"), NOW)
    assert await payloads(db) == "abcd"
    await outbox.mark_sent(db, (await unsent(db))[-1].id, now=NOW)
    assert not await outbox.add_notice_once(db, 1, 3, line("d"), LATER)
    for seq, notice in ((4, line("d")), (3, OutboxMessage("turn", "d")), (3, line("e"))):
        assert await outbox.add_notice_once(db, 1, seq, notice, LATER)
    with pytest.raises(NoSuchGame):
        await outbox.add_notice_once(db, 99, 1, line("a"), NOW)


async def test_games_wait_in_order(db: Database) -> None:
    """However much one game has to post, another's rows are found at once."""
    busy, quiet = await running_game(db), await running_game(db)
    await outbox.queue_notices(db, busy, 1, [line("x")] * 200, NOW)
    await move(db, quiet, 1, notices=[OutboxMessage("turn", "y"), line("z")])
    assert (
        await outbox.games_with_unposted_notices(db)
        == await outbox.games_with_unposted_notices(db, ShardSet((0,), 2))
        == [busy, quiet]
    )
    assert await outbox.games_with_unposted_notices(db, SECOND) == []
    assert [row.payload for row in await outbox.unposted_notices_of_game(db, quiet)] == ["y", "z"]
    assert [one.payload for one in await outbox.notices_of_kind(db, quiet, "line", 0)] == ["z"]
    assert await outbox.notices_of_kind(db, quiet, "line", 2) == []


async def test_backlog_leaves_out_parked_posts(db: Database, three: list[int]) -> None:
    assert await outbox.backlog(db) == Backlog(row_count=3, parked_row_count=0, game_count=1, oldest_at=NOW)
    await move(db, await running_game(db), 1, notices=[line("x")], now=LATER)
    await outbox.mark_failed(db, *three[:2], error="closed", attempt_count=outbox.MAX_ATTEMPTS)
    await outbox.mark_sent(db, three[2], now=NOW)
    assert await outbox.backlog(db) == Backlog(row_count=3, parked_row_count=2, game_count=2, oldest_at=LATER)


async def test_boards_and_turns_remain(db: Database, game_id: int) -> None:
    for number, role in enumerate(("board", "turn", "line", "end"), 1):
        await noted(db, game_id, role, number)
    assert await messages.delete_before(db, AT) == 0
    assert await messages.delete_before(db, NOW) == 2
    assert await messages.message_ids_after(db, game_id, 0) == {1, 2}


async def test_turn_message_shows_lines(db: Database, game_id: int, three: list[int]) -> None:
    """Those that wait, those that stand in it, and those after a row."""
    await outbox.mark_sent(db, *three[:2], now=NOW, message_id=7)

    async def shown(after: int) -> list[tuple[str, bool]]:
        found = await messages.shown_turns(db, game_id, "line", "turn", after)
        return [(one.payload, one.is_unposted) for one in found.lines]

    assert await shown(4) == [("c", True)]
    turn = await noted(db, game_id, "turn", 7)
    assert await shown(4) == [("a", False), ("b", False), ("c", True)]
    await messages.record_message_changes(db, replace(turn, role="line"))
    await outbox.mark_sent(db, three[2], now=NOW, message_id=8)
    assert [await shown(after) for after in (4, 2)] == [[], [("b", False), ("c", False)]]
    await outbox.queue_notices(db, game_id, 4, [OutboxMessage("turn", "t")], NOW)
    found = await messages.shown_turns(db, game_id, "line", "turn", 4)
    assert ([one.payload for one in found.unposted_turns], found.turns) == (["t"], [])
