"""An accept: from it on the log alone rebuilds the game, and what came before it is history."""

from collections.abc import Awaitable, Callable

import pytest

from storage import BadEntry, Database, games, log
from storage.log import Accepted, Entry, Row, fold, to_replay

NOW = "2026-01-02T03:04:05+00:00"

Act = Callable[..., Entry]
Undo = Callable[[int], Entry]


def accept(state: str = '{"bank": 8000}') -> Entry:
    return Entry("accept", log.accept_payload("18tn 2", state), "d", "", 9)


def numbers(rows: list[Row]) -> list[int]:
    return [row.seq for row in rows]


async def test_an_accept_holds_the_rules_and_the_whole_state(db: Database, game_id: int, act: Act) -> None:
    state = '{"name": "Ann – \\"é\\"", "bank": 8000}'
    await log.commit_move(db, game_id, 1, [act(), accept(state)], now=NOW, state=state)
    row = (await log.read(db, game_id))[-1]
    assert (row.kind, row.actor, row.user_id) == ("accept", "", 9)
    assert log.accepted(row.seq, row.payload) == Accepted("18tn 2", state)


async def test_a_game_is_rebuilt_from_its_last_accept(
    db: Database, game_id: int, act: Act, undo: Undo
) -> None:
    entries = [act(), accept(), act(), act(), accept(), act(), undo(6), act()]
    assert await log.commit_move(db, game_id, 1, entries, now=NOW) == 9
    counting = fold(await log.read(db, game_id))
    assert numbers(counting) == [1, 2, 3, 4, 5, 6, 9]
    assert numbers(to_replay(counting)) == [6, 9]
    # Where the game stood earlier is rebuilt from the accept of that time.
    assert numbers(to_replay(counting[:5])) == [3, 4, 5]


async def test_a_game_without_an_accept_is_rebuilt_from_its_start(
    db: Database, game_id: int, act: Act
) -> None:
    await log.commit_move(db, game_id, 1, [act()], now=NOW)
    rows = await log.read(db, game_id)
    assert to_replay(rows) == rows
    assert to_replay([]) == []


async def test_moves_after_an_accept_are_undone_down_to_it(
    db: Database, game_id: int, act: Act, undo: Undo
) -> None:
    await log.commit_move(db, game_id, 1, [act(), accept(), act(), undo(3)], now=NOW)
    assert numbers(fold(await log.read(db, game_id))) == [1, 2, 3]


@pytest.mark.parametrize("to", [1, 2])
async def test_an_undo_does_not_go_back_behind_an_accept(
    db: Database, game_id: int, act: Act, undo: Undo, to: int
) -> None:
    await log.commit_move(db, game_id, 1, [act(), accept(), act()], now=NOW)
    with pytest.raises(BadEntry, match=f"Move 3 accepted .* cannot go back behind it, to move {to}"):
        await log.commit_move(db, game_id, 4, [undo(to)], now=NOW)
    assert await log.last_seq(db, game_id) == 4


async def test_an_accept_and_an_undo_behind_it_are_not_stored_together(
    db: Database, game_id: int, act: Act, undo: Undo
) -> None:
    with pytest.raises(BadEntry, match="Move 3 accepted"):
        await log.commit_move(db, game_id, 1, [act(), accept(), undo(1)], now=NOW)
    assert await log.last_seq(db, game_id) == 1


async def test_an_accept_of_one_game_binds_no_other(
    db: Database,
    game_id: int,
    running_game: Callable[[Database], Awaitable[int]],
    act: Act,
    undo: Undo,
) -> None:
    other = await running_game(db)
    await log.commit_move(db, other, 1, [act(), act(), accept()], now=NOW)
    assert await log.commit_move(db, game_id, 1, [act(), undo(1)], now=NOW) == 3


def test_folding_refuses_an_undo_behind_an_accept() -> None:
    rows = [
        Row(1, 1, "start", "{}", "d", "", None, NOW),
        Row(1, 2, "accept", log.accept_payload("1", "{}"), "d", "", 9, NOW),
        Row(1, 3, "action", "{}", "d", "p1", 7, NOW),
        Row(1, 4, "undo", log.undo_payload(1), "d", "p1", 7, NOW),
    ]
    with pytest.raises(BadEntry, match="Move 2 accepted"):
        fold(rows)


@pytest.mark.parametrize(
    "payload",
    [
        "",
        "[1]",
        "{}",
        '{"rules": "1"}',
        '{"state": "{}"}',
        '{"rules": 1, "state": "{}"}',
        '{"rules": "1", "state": {}}',
        '{"rules": "1", "state": null}',
    ],
)
async def test_an_accept_that_does_not_hold_all_is_refused(db: Database, game_id: int, payload: str) -> None:
    with pytest.raises(BadEntry, match="accept at move 2"):
        await log.commit_move(db, game_id, 1, [Entry("accept", payload, "d", "", 9)], now=NOW)
    assert await log.last_seq(db, game_id) == 1


async def test_a_game_does_not_begin_with_an_accept(
    db: Database, new_game: Callable[[Database], Awaitable[games.GameRow]]
) -> None:
    game = await new_game(db)
    with pytest.raises(BadEntry, match="begins with a row that starts it"):
        await log.commit_start(db, game.id, [accept()], now=NOW)
