"""How long a player has let the others wait: from the beginning of their turn to their decision."""

from datetime import timedelta

import pytest

from bot.table.results_and_ratings import DecisionTimes, decision_spans, format_thinking_time
from storage import Entry, log, results
from tests.bot.support.table_service import ANN, BOB, CY, TableService

MINUTE = timedelta(minutes=1)


def row(actor: str, user: int, minute: int, *, own: bool = True) -> results.Decision:
    """A row of a log."""
    return results.Decision(1, actor, user, f"2026-01-01T00:{minute:02}:00.000+00:00", own)


START = row("", 0, 0, own=False)


def test_a_turn_is_waited_for_once_however_many_steps_it_has() -> None:
    rows = [START, row("p1", ANN, 5), row("p1", ANN, 6), row("p2", BOB, 16)]
    assert list(decision_spans(rows)) == [(ANN, 5 * MINUTE), (BOB, 10 * MINUTE)]


def test_the_time_of_a_substitute_is_their_own() -> None:
    assert list(decision_spans([START, row("p1", CY, 7), row("p2", BOB, 9), row("p1", ANN, 12)])) == [
        (CY, 7 * MINUTE),
        (BOB, 2 * MINUTE),
        (ANN, 3 * MINUTE),
    ]


def test_moves_that_nobody_decided_are_not_waited_for_and_hand_the_turn_on() -> None:
    """An order of Bob's has passed with Ann's move; a moderator has moved for Bob later."""
    automatic, for_him = row("p2", BOB, 5, own=False), row("p2", CY, 20, own=False)
    rows = [START, row("p1", ANN, 5), automatic, row("p1", ANN, 9), for_him, row("p1", ANN, 21)]
    assert list(decision_spans(rows)) == [(ANN, 5 * MINUTE), (ANN, 4 * MINUTE), (ANN, MINUTE)]


def test_who_takes_their_own_move_back_is_waited_for_no_second_time() -> None:
    undo = row("p1", ANN, 6, own=False)
    assert list(decision_spans([START, row("p1", ANN, 5), undo, row("p1", ANN, 8)])) == [(ANN, 5 * MINUTE)]


def test_who_is_due_again_by_an_undo_of_somebody_else_is_waited_for_from_then_on() -> None:
    moderators = row("", CY, 30, own=False)
    rows = [START, row("p1", ANN, 5), row("p2", BOB, 6), moderators, row("p1", ANN, 33)]
    assert list(decision_spans(rows)) == [(ANN, 5 * MINUTE), (BOB, MINUTE), (ANN, 3 * MINUTE)]


def test_rows_that_were_stored_together_are_not_waited_for() -> None:
    """Such as those of a game that was imported."""
    assert list(decision_spans([START, row("p1", ANN, 0), row("p2", BOB, 0)])) == []


@pytest.mark.parametrize(
    ("span", "said"),
    [
        (timedelta(seconds=40), "40 s"),
        (timedelta(seconds=59.7), "1 min"),
        (timedelta(minutes=12, seconds=40), "12 min"),
        (timedelta(hours=3), "3 h"),
        (timedelta(hours=3, minutes=20), "3 h 20 min"),
        (timedelta(days=1), "1 day"),
        (timedelta(days=2, hours=4, minutes=5), "2 days 4 h"),
    ],
)
def test_a_span_reads_in_its_two_largest_units(span: timedelta, said: str) -> None:
    assert format_thinking_time(span) == said


async def test_a_decision_is_by_somebody_for_a_seat_of_their_and_by_hand(service: TableService) -> None:
    """Neither automatic, nor in another's name, nor the word for an end."""
    game = await service.game()
    for _ in range(3):
        await service.pass_on(game)
    await service.db.write(
        lambda tx: tx.run("INSERT INTO automatic_moves (game_id, seq) VALUES (?, 3)", game)
    )
    async with service.tables.reading(game) as live:
        digest = live.game.digest()
    end = '{"kind":"end_game","actor":"p1","entity":"p1"}'
    rows = [Entry("action", "{}", digest, "p1", BOB), Entry("action", end, digest, "p1", ANN)]
    await log.commit_move(service.db, game, 4, rows, now="2026-01-01T00:00:00Z")
    found = await results.decisions_of_game(service.db, game)
    assert [(one.actor, one.own) for one in found] == [
        ("", False),
        ("p1", True),
        ("p2", False),
        ("p3", True),
        ("p1", False),
        ("p1", False),
    ]


async def test_what_has_come_since_is_added_to_the_times_that_are_known(service: TableService) -> None:
    """Only that is read again; a turn of which the beginning was read before is waited for, too."""
    game, times = await service.game(), DecisionTimes(service.db)
    assert await times.of(game) == []
    minutes = iter(range(0, 60, 5))
    service.tables.clock = lambda: f"2099-01-01T00:{next(minutes):02}:00.000+00:00"
    for _ in range(2):
        await service.pass_on(game)
    found = await times.of(game)
    assert [user for user, _ in found] == [ANN, BOB]
    await service.pass_on(game)
    assert [user for user, _ in await times.of(game)] == [ANN, BOB, CY]
    assert (await times.of(game))[:2] == found
    assert await times.of(game) == await DecisionTimes(service.db).of(game)
