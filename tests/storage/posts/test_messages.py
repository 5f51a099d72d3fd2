"""Messages of games: a row before each is sent, its number afterwards, and which notices stand in it."""

from dataclasses import replace

import pytest

from storage import Database, games, log, messages, outbox
from storage.messages import ShownMessage
from storage.outbox import OutboxMessage
from tests.storage.makers import Act, RunningGame
from tests.support.noted import AT, noted
from tests.support.unsent import unsent

NOW = "2026-01-02T03:04:05+00:00"


@pytest.fixture
async def three(db: Database, game_id: int, act: Act) -> list[int]:
    """Lines of three moves."""
    for seq, text in enumerate("abc", 1):
        await log.commit_move(db, game_id, seq, [act()], [OutboxMessage("line", text)], now=NOW)
    return [row.id for row in await unsent(db) if row.kind == "line"][-3:]


async def test_a_message_is_in_doubt_until_noted(db: Database, game_id: int) -> None:
    begun = await messages.put(db, ShownMessage(0, game_id, "line", "1,2", None, "", "[]", AT))
    assert await messages.in_doubt(db, game_id) == [begun]
    assert (await games.get_game(db, game_id)).in_doubt
    again = await messages.put(db, replace(begun, key="1,2,3"))
    assert again.id == begun.id, "the same message is tried again"
    sent = replace(again, message_id=2**62, shows="x", files='[["map", 7]]')
    await messages.note(db, sent)
    assert await messages.in_doubt(db, game_id) == []
    assert not (await games.get_game(db, game_id)).in_doubt
    assert await messages.of_role(db, game_id, "line", "1,2,3") == sent
    assert await messages.of_role(db, game_id, "line", "1") is None
    assert await messages.numbers(db, game_id, 2**62 - 1) == {2**62}


async def test_turn_messages_are_those_not_closed(db: Database, game_id: int) -> None:
    first, second = await noted(db, game_id, "turn", 5), await noted(db, game_id, "turn", 6)
    await noted(db, game_id, "turn", None)
    assert await messages.turns(db, game_id) == [first, second]
    await messages.note(db, replace(first, role="line"))
    assert await messages.turns(db, game_id) == [second]
    await messages.forget(db, second.id)
    assert await messages.turns(db, game_id) == []


async def test_boards_and_turns_remain(db: Database, game_id: int) -> None:
    for number, role in enumerate(("board", "turn", "line", "end"), 1):
        await noted(db, game_id, role, number)
    assert await messages.forget_old(db, AT) == 0
    assert await messages.forget_old(db, NOW) == 2
    assert await messages.numbers(db, game_id, 0) == {1, 2}


async def test_lines_shown_are_read_with_new_ones(
    db: Database, game_id: int, three: list[int], running_game: RunningGame, act: Act
) -> None:
    other = await running_game(db)
    await log.commit_move(db, other, 1, [act()], [OutboxMessage("line", "x")], now=NOW)
    await outbox.mark_sent(db, *three[:2], now=NOW, message_id=7)

    async def shown(after: int) -> list[tuple[str, bool]]:
        return [
            (one.payload, one.waits)
            for one in (await messages.shown(db, game_id, "line", "turn", after)).lines
        ]

    assert await shown(4) == [("c", True)], "what waits is always among it"
    turn = await noted(db, game_id, "turn", 7)
    assert await shown(4) == [("a", False), ("b", False), ("c", True)]
    await messages.note(db, replace(turn, role="line"))
    await outbox.mark_sent(db, three[2], now=NOW, message_id=8)
    assert [await shown(after) for after in (4, 2)] == [[], [("b", False), ("c", False)]]
    await outbox.put(db, game_id, 4, [OutboxMessage("turn", "t")], NOW)
    found = await messages.shown(db, game_id, "line", "turn", 4)
    assert ([one.payload for one in found.overs], found.turns) == (["t"], [])


async def test_all_lines_of_a_struck_message_are_read(db: Database, game_id: int, three: list[int]) -> None:
    first, second, third = three
    await outbox.mark_sent(db, second, third, now=NOW, message_id=7)
    assert [one.id for one in await messages.with_neighbours(db, game_id, "line", 3)] == [second, third]
    await outbox.mark_sent(db, first, now=NOW, message_id=8)
    assert [one.id for one in await messages.with_neighbours(db, game_id, "line", 1)] == three
    assert await messages.with_neighbours(db, game_id, "turn", 0) == []
