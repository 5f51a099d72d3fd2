"""The log: appended in sequence, never changed, and folded to the rows that count."""

import asyncio

import pytest
from hypothesis import HealthCheck, given, settings, strategies

from storage import Database, clocks, games, log, orders, outbox, proposals
from storage.clocks import ClockChanges, ClockTurn
from storage.contract import Transaction, fetch
from storage.errors import BadEntry, ConstraintBroken, StaleSequence
from storage.log import CombinedEffects, LogRow, NewLogRow, effective_rows, rows_to_replay
from storage.orders import EndedOrder, Order, OrderChanges
from storage.outbox import OutboxMessage
from storage.pings import NotificationChanges
from storage.positions import AddPosition
from storage.results import GameResult
from tests.storage.full_games import full_game, rows_of
from tests.storage.makers import (
    ANN,
    LATER,
    NOW,
    ON_FILE,
    START,
    accept,
    act,
    change,
    line,
    move,
    new_game,
    running_game,
    undo,
)
from tests.support.noted import noted
from tests.support.unsent import unsent


def numbers(rows: list[LogRow]) -> list[int]:
    return [row.seq for row in rows]


async def test_rows_come_back_as_stored(db: Database, game_id: int) -> None:
    assert await move(db, game_id, 1, act("{}", "d2"), act("é–", "d3")) == 3
    assert await log.read_rows(db, game_id) == [
        LogRow(game_id, 1, "start", "{}", "d1", "", None, NOW),
        LogRow(game_id, 2, "action", "{}", "d2", "p1", ANN, NOW),
        LogRow(game_id, 3, "action", "é–", "d3", "p1", ANN, NOW),
    ]
    assert numbers(await log.read_rows(db, game_id, after_seq=2)) == [3]
    assert await log.last_seq(db, game_id) == 3
    assert await move(db, await running_game(db), 1) == 2, "each game counts for itself"


async def test_imported_game_begins_with_undone_moves(db: Database) -> None:
    game = await new_game(db)
    begun = [START, act("a"), act("b"), undo(2), act("c")]
    assert await log.commit_start(db, game.id, begun, now=NOW) == 5
    assert [row.payload for row in effective_rows(await log.read_rows(db, game.id))] == ["{}", "a", "c"]


async def test_stale_move_is_refused(db: Database, game_id: int) -> None:
    await move(db, game_id, 1)
    for expected in (0, 1, 3):
        with pytest.raises(StaleSequence, match="has moved on") as caught:
            await move(db, game_id, expected, notices=[line("")])
        assert (caught.value.expected, caught.value.actual) == (expected, 2)
    assert (await log.last_seq(db, game_id), await unsent(db)) == (2, [])


async def test_one_of_two_moves_at_once_wins(db: Database, game_id: int) -> None:
    for seq in range(1, 8):
        both = [move(db, game_id, seq, act(text), notices=[line(text)]) for text in "ab"]
        outcomes = await asyncio.gather(*both, return_exceptions=True)
        assert sorted(map(type, outcomes), key=str) == [int, StaleSequence]
    moves = await log.read_rows(db, game_id, after_seq=1)
    assert numbers(moves) == list(range(2, 9))
    assert [posting.payload for posting in await unsent(db)] == [row.payload for row in moves]


async def test_move_is_stored_with_all_it_changes(db: Database) -> None:
    """Or nothing is, where somebody else has moved."""
    game = await full_game(db)
    standing = await proposals.open_proposals(db, game, NOW)
    changed = {
        "notices": [line("a"), OutboxMessage("turn", "b", NotificationChanges(("p2",), "p1", ("p2",)))],
        "state": "after 6",
        "status": "finished",
        "results_of_game": [GameResult("p2", 1, 5, True)],
        "proposal": standing[0],
        "changes": CombinedEffects(
            (
                OrderChanges(
                    new_orders=(Order(6, "p1", ANN, "{}", 1, NOW),),
                    ended_orders=(EndedOrder(4, "over"),),
                    automatic_moves=((6, orders.TIME_UP_ORDER_NUMBER),),
                ),
                ClockChanges((ClockTurn("p1", 6, NOW, ended=7, used=5, charged=3, quiet="q", zero=NOW),)),
                AddPosition("d", "after 6"),
            )
        ),
    }
    before = await rows_of(db, game)
    with pytest.raises(StaleSequence):
        await move(db, game, 5, act(), act(), **changed)
    assert await rows_of(db, game) == before
    assert await move(db, game, 4, act(), act(), **changed) == 6
    after = await rows_of(db, game)
    assert {table for table in after if after[table] != before[table]} == {
        *("games", "log", "states", "positions", "outbox", "proposals", "orders", "automatic_moves"),
        *("results", "ratings", "notifications", "pings", "turns"),
    }
    assert [(row.seq, row.kind, row.payload) for row in await outbox.unposted_notices_of_game(db, game)][
        -2:
    ] == [
        (6, "line", "a"),
        (6, "turn", "b"),
    ]
    assert await proposals.open_proposals(db, game, NOW) == standing[1:]
    assert await orders.automatic_moves(db, game) == {2: 1, 6: orders.TIME_UP_ORDER_NUMBER}
    assert (await fetch(db, clocks.turns_query(game)))[-1].quiet == "q"


class Fails(NotificationChanges):
    """Fails between a move and its notices."""

    async def write(self, tx: Transaction, game_id: int, seq: int, now: str) -> None:
        assert await log.newest_seq(tx, game_id) == seq == 2
        raise LookupError("in between")


async def test_failure_takes_the_move_with_it(db: Database, game_id: int) -> None:
    before = await rows_of(db, game_id)
    failing: tuple[tuple[type[Exception], dict[str, object]], ...] = (
        (LookupError, {"notices": [OutboxMessage("turn", "Ann", Fails(()))]}),
        (ConstraintBroken, {"notices": [line("fine"), OutboxMessage("turn", None)]}),  # type: ignore[arg-type]
        (ConstraintBroken, {"state": b"no text"}),
        (ConstraintBroken, {"changes": AddPosition(None, "text")}),  # type: ignore[arg-type]
    )
    for error, more in failing:
        with pytest.raises(error):
            await move(db, game_id, 1, **more)
        assert await rows_of(db, game_id) == before


SAME = "game_id, {}, payload, digest, actor, user_id, created_at FROM log WHERE seq = 2"


FORBIDDEN = (
    "UPDATE log SET payload = 'other' WHERE seq = 2",
    "UPDATE log SET digest = 'other'",
    "UPDATE log SET user_id = NULL",
    "DELETE FROM log WHERE seq = 2",
    "DELETE FROM log",
    f"INSERT INTO log SELECT {SAME.format('seq, kind')} ON CONFLICT (game_id, seq) DO UPDATE SET payload = ''",
    f"INSERT INTO log SELECT {SAME.format('4, kind')}",
    "INSERT INTO log SELECT " + SAME.format("3, 'start'"),
    "INSERT INTO log SELECT " + SAME.format("5, 'start'"),
    "INSERT INTO log SELECT " + SAME.format("5, 'of no kind'"),
    f"INSERT INTO log SELECT {SAME.format('6, kind')}",
    "DELETE FROM games",
    "DELETE FROM seat_history",
    "UPDATE seat_history SET since = 9",
)


async def test_log_only_grows_at_its_end(db: Database) -> None:
    game = await full_game(db)
    before = await rows_of(db, game)
    for statement in FORBIDDEN:
        with pytest.raises(ConstraintBroken):
            await change(db, statement)
        assert await rows_of(db, game) == before, statement


def bad(kind: log.LogRowKind, payload: str) -> NewLogRow:
    return NewLogRow(kind, payload, "d", "p1")


NOWHERE = ("", "[1]", "{}", *(f'{{"to": {to}}}' for to in ('"1"', "0", "-1", "2", "9", "true")))
NO_STATE = ("", "[1]", "{}", '{"rules": "1"}', '{"state": "{}"}', '{"rules": 1, "state": "{}"}')
REFUSED: list[tuple[str, list[NewLogRow]]] = [
    ("no rows to store", []),
    ("have no other", [START]),
    *(("undo at move 2", [bad("undo", payload)]) for payload in NOWHERE),
    *(
        ("accept at move 2", [bad("accept", payload)])
        for payload in (*NO_STATE, '{"rules": "1", "state": {}}')
    ),
    ("back to a move from 1 to 3, not to 4", [act(), act(), undo(4)]),
    ("Move 3 has been undone", [act(), act(), undo(2), act(), undo(3)]),
    *(
        (f"Move {seq} has", [act(), act(), undo(2), act(), undo(4), act(), undo(2), undo(seq)])
        for seq in (3, 7)
    ),
    *(
        (f"accepted the position at move 3, .* to move {to}", [act(), accept(), act(), undo(to)])
        for to in (1, 2)
    ),
    ("position at move 3", [act(), accept(), act(), undo(3), act(), undo(3), undo(2)]),
]


@ON_FILE
@pytest.mark.parametrize(("words", "entries"), REFUSED)
async def test_bad_row_is_refused(db: Database, game_id: int, words: str, entries: list[NewLogRow]) -> None:
    """Also where the rows before it were stored earlier."""
    with pytest.raises(BadEntry, match=words):
        await log.commit_move(db, game_id, 1, entries, now=NOW)
    assert await log.last_seq(db, game_id) == 1
    if earlier := entries[:-1]:
        seq = await move(db, game_id, 1, *earlier)
        with pytest.raises(BadEntry, match=words):
            await log.commit_move(db, game_id, seq, entries[-1:], now=NOW)
        assert await log.last_seq(db, game_id) == seq


@ON_FILE
@pytest.mark.parametrize("entry", [act(), accept()])
async def test_game_begins_with_its_start(db: Database, entry: NewLogRow) -> None:
    game = await new_game(db)
    with pytest.raises(BadEntry, match="must begin with a start row"):
        await log.commit_start(db, game.id, [entry], now=NOW)
    assert await games.get_game(db, game.id) == game


async def test_undo_goes_back_to_an_undo(db: Database, game_id: int) -> None:
    """Until it is undone in its turn; an accept of another game binds nobody here."""
    await move(db, await running_game(db), 1, act(), act(), accept())
    assert await move(db, game_id, 1, act(), act(), undo(2), act()) == 5
    assert await move(db, game_id, 5, undo(4), act(), undo(2)) == 8
    assert numbers(effective_rows(await log.read_rows(db, game_id))) == [1, 2]
    assert await move(db, game_id, 8, accept(), act(), undo(9)) == 11


def rows(*steps: str | int) -> list[LogRow]:
    """A log from a short notation: an undo for a number, an accept for "=", an action for anything else."""
    found = []
    for seq, step in enumerate(steps, start=1):
        kind: log.LogRowKind = "start" if seq == 1 else "accept" if step == "=" else "action"
        payload = str(step)
        if isinstance(step, int):
            kind, payload = "undo", log.undo_payload(step)
        found.append(LogRow(1, seq, kind, payload, "", "p1", 7, NOW))
    return found


# However busy the machine is.
@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(strategies.lists(strategies.none() | strategies.just("=") | strategies.integers(0, 30), max_size=30))
def test_undo_restores_where_the_game_stood(choices: list[int | str | None]) -> None:
    """A number undoes to one of the rows not undone yet, None plays on; the stack is all there is to know.

    An accept forgets where the game stood before: no undo goes back there.
    """
    steps: list[str | int] = ["s"]
    stack = [(1, "s")]
    for seq, choice in enumerate(choices, start=2):
        if choice is None:
            steps.append(f"a{seq}")
            stack.append((seq, stack[-1][1] + f"a{seq}"))
        elif isinstance(choice, str):
            steps.append("=")
            stack = [(seq, stack[-1][1] + "=")]
        else:
            del stack[choice % len(stack) + 1 :]
            to, standing = stack[-1]
            steps.append(to)
            stack.append((seq, standing))
    counting = effective_rows(rows(*steps))
    standing = stack[-1][1]
    assert "".join(row.payload for row in counting) == standing
    assert "".join(row.payload for row in rows_to_replay(counting)) == standing[max(standing.rfind("="), 0) :]


@pytest.mark.parametrize(
    ("words", "broken"),
    [
        (r"accepted the position at move 4, .* to move 2", rows("s", "a", "b", "=", "c", 2)),
        ("Cannot read the", [*rows("s", "a"), LogRow(1, 3, "undo", "{", "", "p1", 7, NOW)]),
    ],
)
def test_fold_refuses_what_no_log_holds(words: str, broken: list[LogRow]) -> None:
    with pytest.raises(BadEntry, match=words):
        effective_rows(broken)


async def test_move_to_another_thread(db: Database, game_id: int) -> None:
    """Once; what is noted of the old thread is deleted."""
    await games.set_thread(db, game_id, 20)
    for role, number in (("board", 21), ("turn", 22)):
        await noted(db, game_id, role, number)
    await outbox.queue_notices(db, game_id, 1, [line("a")], NOW)
    await outbox.mark_sent(db, (await unsent(db))[-1].id, now=NOW, message_id=23)
    before = await games.get_game(db, game_id)

    async def shown_in(thread: int, text: str) -> bool:
        said = [line(text)]
        return await log.move_to_thread(db, before, channel_id=30, thread_id=thread, notices=said, now=LATER)

    assert await shown_in(31, "b")
    row = await games.get_game(db, game_id)
    assert (row.channel_id, row.thread_id, row.board_message_id, row.turn_message_id) == (30, 31, None, None)
    assert [one.message_id for one in await outbox.notices_of_kind(db, game_id, "line", 0)] == [None, None]
    assert not await shown_in(32, "c")
    assert await games.get_game(db, game_id) == row
    assert [(posting.seq, posting.payload) for posting in await unsent(db)] == [(1, "b")]
