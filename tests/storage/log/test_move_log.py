"""The log: appended in sequence, never changed, and folded to the rows that count."""

import asyncio

import pytest
from hypothesis import HealthCheck, given, settings, strategies

from storage import BadEntry, ConstraintBroken, Database, StaleSequence, Transaction, log
from storage.log import Row, fold, to_replay
from storage.outbox import OutboxMessage
from storage.pings import NotificationChanges
from tests.storage.makers import Act, NewGame, RunningGame, Undo
from tests.support.unsent import unsent

NOW = "2026-01-02T03:04:05+00:00"


async def test_rows_come_back_as_they_went_in(db: Database, game_id: int, act: Act) -> None:
    assert await log.commit_move(db, game_id, 1, [act("{}", "d2"), act("é–", "d3")], now=NOW) == 3
    assert await log.read(db, game_id) == [
        Row(game_id, 1, "start", "{}", "d1", "", None, NOW),
        Row(game_id, 2, "action", "{}", "d2", "p1", 7, NOW),
        Row(game_id, 3, "action", "é–", "d3", "p1", 7, NOW),
    ]
    assert [row.seq for row in await log.read(db, game_id, after=2)] == [3]
    assert await log.last_seq(db, game_id) == 3


async def test_a_game_may_begin_with_moves_of_which_some_are_undone(
    db: Database, new_game: NewGame, act: Act, undo: Undo
) -> None:
    """As one that is brought from elsewhere."""
    game = await new_game(db)
    begun = [log.Entry("start", "{}", "d1", ""), act("a"), act("b"), undo(2), act("c")]
    assert await log.commit_start(db, game.id, begun, now=NOW) == 5
    assert [row.payload for row in fold(await log.read(db, game.id))] == ["{}", "a", "c"]


async def test_nobody_goes_back_behind_an_accept_also_after_moves_that_were_undone_since(
    db: Database, game_id: int, act: Act, undo: Undo
) -> None:
    accept = log.Entry("accept", log.accept_payload("3", "{}"), "d", "p1", 7)
    await log.commit_move(db, game_id, 1, [act("a"), accept, act("b"), undo(3), act("c"), undo(3)], now=NOW)
    with pytest.raises(BadEntry):
        await log.commit_move(db, game_id, 7, [undo(2)], now=NOW)
    assert await log.last_seq(db, game_id) == 7


async def test_each_game_counts_for_itself(
    db: Database, game_id: int, running_game: RunningGame, act: Act
) -> None:
    other = await running_game(db)
    await log.commit_move(db, game_id, 1, [act()], now=NOW)
    assert await log.last_seq(db, other) == 1
    assert await log.commit_move(db, other, 1, [act()], now=NOW) == 2


@pytest.mark.parametrize("expected", [0, 1, 3])
async def test_who_does_not_know_the_last_move_is_refused(
    db: Database, game_id: int, act: Act, expected: int
) -> None:
    await log.commit_move(db, game_id, 1, [act()], now=NOW)
    with pytest.raises(StaleSequence, match="has moved on") as caught:
        await log.commit_move(db, game_id, expected, [act()], [OutboxMessage("turn", "")], now=NOW)
    assert (caught.value.expected, caught.value.actual) == (expected, 2)
    assert await log.last_seq(db, game_id) == 2
    assert await unsent(db) == []


async def test_of_two_at_once_exactly_one_wins(db: Database, game_id: int, act: Act) -> None:
    for seq in range(1, 20):
        outcomes = await asyncio.gather(
            log.commit_move(db, game_id, seq, [act("a")], [OutboxMessage("turn", "a")], now=NOW),
            log.commit_move(db, game_id, seq, [act("b")], [OutboxMessage("turn", "b")], now=NOW),
            return_exceptions=True,
        )
        assert sorted(map(type, outcomes), key=str) == [int, StaleSequence]
    moves = await log.read(db, game_id, after=1)
    assert [row.seq for row in moves] == list(range(2, 21))
    assert [posting.payload for posting in await unsent(db)] == [row.payload for row in moves]


async def test_a_move_and_its_notices_are_stored_together(db: Database, game_id: int, act: Act) -> None:
    await log.commit_move(
        db,
        game_id,
        1,
        [act(), act()],
        [OutboxMessage("turn", "Ann"), OutboxMessage("picture", "map")],
        now=NOW,
    )
    assert [(item.game_id, item.seq, item.kind, item.payload) for item in await unsent(db)] == [
        (game_id, 3, "turn", "Ann"),
        (game_id, 3, "picture", "map"),
    ]


async def test_a_failure_between_move_and_notices_leaves_neither(
    db: Database, game_id: int, act: Act
) -> None:
    class Fails(NotificationChanges):
        async def write(self, tx: Transaction, game_id: int, seq: int, now: str) -> None:
            assert await log.newest(tx, game_id) == seq == 2
            raise LookupError("in between")

    notice = OutboxMessage("turn", "Ann", Fails(()))
    with pytest.raises(LookupError):
        await log.commit_move(db, game_id, 1, [act()], [notice], now=NOW)
    assert await log.last_seq(db, game_id) == 1


async def test_a_notice_that_is_refused_takes_the_move_with_it(db: Database, game_id: int, act: Act) -> None:
    empty = OutboxMessage("turn", None)  # type: ignore[arg-type]  # what the table refuses
    with pytest.raises(ConstraintBroken):
        await log.commit_move(db, game_id, 1, [act()], [OutboxMessage("turn", "fine"), empty], now=NOW)
    assert await log.last_seq(db, game_id) == 1
    assert await unsent(db) == []


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE log SET payload = 'other' WHERE seq = 2",
        "UPDATE log SET digest = 'other'",
        "DELETE FROM log WHERE seq = 2",
        "DELETE FROM log",
        "INSERT INTO log SELECT game_id, seq, kind, 'other', digest, actor, user_id, created_at "
        "FROM log WHERE seq = 2 ON CONFLICT (game_id, seq) DO UPDATE SET payload = excluded.payload",
        "INSERT INTO log SELECT game_id, 4, kind, payload, digest, actor, user_id, created_at "
        "FROM log WHERE seq = 2",
        "INSERT INTO log SELECT game_id, 3, 'start', payload, digest, actor, user_id, created_at "
        "FROM log WHERE seq = 2",
        "DELETE FROM games",
    ],
)
async def test_the_log_can_only_grow_at_its_end(db: Database, game_id: int, act: Act, statement: str) -> None:
    await log.commit_move(db, game_id, 1, [act("mine")], now=NOW)
    before = await log.read(db, game_id)
    with pytest.raises(ConstraintBroken):
        await db.write(lambda tx: tx.run(statement))
    assert await log.read(db, game_id) == before


async def test_nothing_to_store_is_a_mistake(db: Database, game_id: int) -> None:
    with pytest.raises(BadEntry, match="nothing to store"):
        await log.commit_move(db, game_id, 1, [], now=NOW)


async def test_a_game_has_one_start(db: Database, game_id: int) -> None:
    with pytest.raises(BadEntry):
        await log.commit_move(db, game_id, 1, [log.Entry("start", "{}", "d", "")], now=NOW)


@pytest.mark.parametrize(
    "payload",
    ["", "[1]", "{}", '{"to": "1"}', '{"to": 0}', '{"to": -1}', '{"to": 2}', '{"to": 9}', '{"to": true}'],
)
async def test_an_undo_that_goes_nowhere_is_refused(db: Database, game_id: int, payload: str) -> None:
    with pytest.raises(BadEntry, match="undo at move 2"):
        await log.commit_move(db, game_id, 1, [log.Entry("undo", payload, "d", "p1")], now=NOW)
    assert await log.last_seq(db, game_id) == 1


async def test_the_refusal_of_an_undo_says_how_far_back_it_may_go(
    db: Database, game_id: int, act: Act, undo: Undo
) -> None:
    with pytest.raises(BadEntry, match="back to a move from 1 to 3, not to 4"):
        await log.commit_move(db, game_id, 1, [act(), act(), undo(4)], now=NOW)


async def test_the_game_cannot_go_back_to_what_was_undone(
    db: Database, game_id: int, act: Act, undo: Undo
) -> None:
    steps = [act(), act(), undo(2), act()]
    with pytest.raises(BadEntry, match="Move 3 has been undone"):
        await log.commit_move(db, game_id, 1, [*steps, undo(3)], now=NOW)
    seq = await log.commit_move(db, game_id, 1, steps, now=NOW)
    with pytest.raises(BadEntry, match="Move 3 has been undone"):
        await log.commit_move(db, game_id, seq, [undo(3)], now=NOW)
    # An undo is a place to go back to like any other, until it is undone in its turn.
    assert await log.commit_move(db, game_id, seq, [undo(4), act(), undo(2)], now=NOW) == 8
    for gone in (3, 4, 5, 6, 7):
        with pytest.raises(BadEntry, match=f"Move {gone} has been undone"):
            await log.commit_move(db, game_id, 8, [undo(gone)], now=NOW)
    assert [row.seq for row in fold(await log.read(db, game_id))] == [1, 2]


def rows(*steps: str | int) -> list[Row]:
    """A log from a short notation: an undo for a number, an accept for "=", an action for anything else."""
    return [
        Row(1, seq, "undo", log.undo_payload(step), "", "p1", 7, NOW)
        if isinstance(step, int)
        else Row(
            1, seq, "start" if seq == 1 else "accept" if step == "=" else "action", step, "", "p1", 7, NOW
        )
        for seq, step in enumerate(steps, start=1)
    ]


@pytest.mark.parametrize(
    ("steps", "counting"),
    [
        ((), ""),
        (("s", "a", "b"), "sab"),
        (("s", "a", "b", 2), "sa"),
        (("s", "a", "b", 3), "sab"),
        (("s", "a", "b", 1), "s"),
        (("s", "a", "b", 2, "c"), "sac"),
        # Undo over undo: the second goes further back.
        (("s", "a", "b", 2, 1), "s"),
        # The second goes to a row that is already undone: what stood before it stays, nothing comes back.
        (("s", "a", "b", "c", 2, "d", 4), "sa"),
        # The second names the first: what came after the first is dropped, what the first dropped stays so.
        (("s", "a", "b", 2, "c", "d", 4), "sa"),
        (("s", "a", "b", 2, "c", "d", 5, "e"), "sace"),
        # One undo reaches across another.
        (("s", "a", "b", 2, "c", 1, "d"), "sd"),
    ],
)
def test_folding(steps: tuple[str | int, ...], counting: str) -> None:
    assert "".join(row.payload for row in fold(rows(*steps))) == counting


# However busy the machine is.
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(strategies.lists(strategies.none() | strategies.just("=") | strategies.integers(0, 30), max_size=30))
def test_after_an_undo_the_game_stands_where_it_stood(choices: list[int | str | None]) -> None:
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
    counting = fold(rows(*steps))
    standing = stack[-1][1]
    assert "".join(row.payload for row in counting) == standing
    assert "".join(row.payload for row in to_replay(counting)) == standing[max(standing.rfind("="), 0) :]


def test_folding_leaves_its_input_alone_and_keeps_sequence_numbers() -> None:
    given = rows("s", "a", "b", 2, "c")
    assert [row.seq for row in fold(iter(given))] == [1, 2, 5]
    assert given == rows("s", "a", "b", 2, "c")


def test_folding_refuses_to_go_behind_an_accept() -> None:
    with pytest.raises(BadEntry, match=r"Move 4 accepted the position it found; .* behind it, to move 2"):
        fold(rows("s", "a", "b", "=", "c", 2))


def test_folding_refuses_what_could_not_have_been_stored() -> None:
    broken = [*rows("s", "a"), Row(1, 3, "undo", "{", "", "p1", 7, NOW)]
    with pytest.raises(BadEntry, match="not readable"):
        fold(broken)
