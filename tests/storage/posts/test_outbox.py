"""The outbox: what has not been posted stays until it has been, and which message shows what."""

from dataclasses import replace

import pytest

from storage import Database, games, messages, outbox
from storage.errors import NoSuchGame
from storage.messages import ShownMessage
from storage.outbox import Backlog, OutboxMessage
from storage.shards import ShardSet
from tests.storage.makers import LAST, LATER, NOW, SECOND, line, move, new_game, running_game
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
    assert [(one.payload, one.message_id, one.waits) for one in lines] == [
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


async def test_failed_post_says_why(db: Database, three: list[int]) -> None:
    for error in ("503 from Discord", "cannot see the channel"):
        await outbox.mark_failed(db, three[0], error=error)
    first = (await unsent(db))[0]
    assert (first.id, first.attempts, first.last_error) == (three[0], 2, "cannot see the channel")
    assert await payloads(db) == "abc"


async def test_sent_posts_are_forgotten(db: Database, three: list[int]) -> None:
    await outbox.mark_sent(db, three[0], now=NOW)
    await outbox.mark_sent(db, three[1], now=LATER)
    assert await outbox.delete_sent_before(db, LATER) == 1
    assert await payloads(db) == "c"
    assert await outbox.delete_sent_before(db, LAST) == 1


async def test_posts_of_a_server_are_dropped(db: Database, three: list[int]) -> None:
    elsewhere = await new_game(db, guild_id=11)
    await outbox.put_notices(db, elsewhere.id, 0, [line("d")], NOW)
    await outbox.mark_sent(db, three[0], now=NOW)
    assert await outbox.delete_outbox_of_guild(db, 10) == 3
    assert await payloads(db) == "d"


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
    await outbox.put_notices(db, busy, 1, [line("x")] * 200, NOW)
    await move(db, quiet, 1, notices=[OutboxMessage("turn", "y"), line("z")])
    assert (
        await outbox.games_with_postings(db)
        == await outbox.games_with_postings(db, ShardSet((0,), 2))
        == [busy, quiet]
    )
    assert await outbox.games_with_postings(db, SECOND) == []
    assert [row.payload for row in await outbox.postings_of_game(db, quiet)] == ["y", "z"]
    assert [one.payload for one in await outbox.notices_of_kind(db, quiet, "line", 0)] == ["z"]
    assert await outbox.notices_of_kind(db, quiet, "line", 2) == []


async def test_backlog_leaves_out_parked_posts(db: Database, three: list[int]) -> None:
    assert await outbox.backlog(db) == Backlog(rows=3, parked_rows=0, games=1, oldest_at=NOW)
    await move(db, await running_game(db), 1, notices=[line("x")], now=LATER)
    await outbox.mark_failed(db, *three[:2], error="closed", times=outbox.MAX_ATTEMPTS)
    await outbox.mark_sent(db, three[2], now=NOW)
    assert await outbox.backlog(db) == Backlog(rows=3, parked_rows=2, games=2, oldest_at=LATER)


async def test_message_is_in_doubt_until_noted(db: Database, game_id: int) -> None:
    begun = await messages.put_message(db, ShownMessage(0, game_id, "line", "1,2", None, "", "[]", AT))
    assert await messages.doubtful_messages(db, game_id) == [begun]
    assert (await games.get_game(db, game_id)).in_doubt
    again = await messages.put_message(db, replace(begun, key="1,2,3"))
    assert again.id == begun.id, "the same message is tried again"
    sent = replace(again, message_id=2**62, shows="x", files='[["map", 7]]')
    await messages.record_changes(db, sent)
    assert await messages.doubtful_messages(db, game_id) == []
    assert not (await games.get_game(db, game_id)).in_doubt
    assert await messages.newest_of_role(db, game_id, "line", "1,2,3") == sent
    assert await messages.newest_of_role(db, game_id, "line", "1") is None
    assert await messages.message_numbers_after(db, game_id, 2**62 - 1) == {2**62}


async def test_turn_messages_until_closed(db: Database, game_id: int) -> None:
    first, second = await noted(db, game_id, "turn", 5), await noted(db, game_id, "turn", 6)
    await noted(db, game_id, "turn", None)
    assert await messages.open_turn_messages(db, game_id) == [first, second]
    await messages.record_changes(db, replace(first, role="line"))
    assert await messages.open_turn_messages(db, game_id) == [second]
    await messages.delete_message_rows(db, second.id)
    assert await messages.open_turn_messages(db, game_id) == []


async def test_boards_and_turns_remain(db: Database, game_id: int) -> None:
    for number, role in enumerate(("board", "turn", "line", "end"), 1):
        await noted(db, game_id, role, number)
    assert await messages.delete_before(db, AT) == 0
    assert await messages.delete_before(db, NOW) == 2
    assert await messages.message_numbers_after(db, game_id, 0) == {1, 2}


async def test_turn_message_shows_lines(db: Database, game_id: int, three: list[int]) -> None:
    """Those that wait, those that stand in it, and those after a row."""
    await outbox.mark_sent(db, *three[:2], now=NOW, message_id=7)

    async def shown(after: int) -> list[tuple[str, bool]]:
        found = await messages.shown_turns(db, game_id, "line", "turn", after)
        return [(one.payload, one.waits) for one in found.lines]

    assert await shown(4) == [("c", True)]
    turn = await noted(db, game_id, "turn", 7)
    assert await shown(4) == [("a", False), ("b", False), ("c", True)]
    await messages.record_changes(db, replace(turn, role="line"))
    await outbox.mark_sent(db, three[2], now=NOW, message_id=8)
    assert [await shown(after) for after in (4, 2)] == [[], [("b", False), ("c", False)]]
    await outbox.put_notices(db, game_id, 4, [OutboxMessage("turn", "t")], NOW)
    found = await messages.shown_turns(db, game_id, "line", "turn", 4)
    assert ([one.payload for one in found.begun_turns], found.turns) == (["t"], [])


async def test_struck_message_is_read_whole(db: Database, game_id: int, three: list[int]) -> None:
    first, second, third = three
    await outbox.mark_sent(db, second, third, now=NOW, message_id=7)
    assert [one.id for one in await messages.notices_with_neighbours(db, game_id, "line", 3)] == [
        second,
        third,
    ]
    await outbox.mark_sent(db, first, now=NOW, message_id=8)
    assert [one.id for one in await messages.notices_with_neighbours(db, game_id, "line", 1)] == three
    assert await messages.notices_with_neighbours(db, game_id, "turn", 0) == []
