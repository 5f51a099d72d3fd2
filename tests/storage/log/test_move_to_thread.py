"""A game shown elsewhere: the rows of the old thread are removed, and what the new one needs is noted."""

from storage import Database, games, log, outbox
from storage.outbox import OutboxMessage
from tests.support.noted import noted
from tests.support.unsent import unsent

NOW = "2026-01-02T03:04:05+00:00"


async def test_board_turn_and_links_of_the_old_thread_are_forgotten(db: Database, game_id: int) -> None:
    await games.show_in(db, game_id, 20)
    await noted(db, game_id, "board", 21)
    await noted(db, game_id, "turn", 22)
    await outbox.put(db, game_id, 1, [OutboxMessage("line", "a")], NOW)
    await outbox.mark_sent(db, (await unsent(db))[-1].id, now=NOW, message_id=23)
    before = await games.get_game(db, game_id)
    assert await log.move_to_thread(
        db, before, channel_id=30, thread_id=31, notices=[OutboxMessage("turn", "b")], now=NOW
    )
    row = await games.get_game(db, game_id)
    assert (row.channel_id, row.thread_id, row.board_message_id, row.turn_message_id) == (30, 31, None, None)
    assert [line.message_id for line in await outbox.of_kind(db, game_id, "line", 0)] == [None]
    assert [(posting.seq, posting.payload) for posting in await unsent(db)][-1:] == [(1, "b")]


async def test_a_game_is_moved_once_when_two_find_its_thread_gone(db: Database, game_id: int) -> None:
    await games.show_in(db, game_id, 20)
    before = await games.get_game(db, game_id)
    assert await log.move_to_thread(db, before, channel_id=30, thread_id=31, notices=[], now=NOW)
    assert not await log.move_to_thread(
        db, before, channel_id=30, thread_id=32, notices=[OutboxMessage("turn", "b")], now=NOW
    )
    assert (await games.get_game(db, game_id)).thread_id == 31
    assert "b" not in [posting.payload for posting in await unsent(db)]
