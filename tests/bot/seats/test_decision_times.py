"""Decision times: from the beginning of a player's turn to their decision."""

from datetime import timedelta

import pytest

from bot.table.results_and_ratings import ThinkingTimeCache, format_thinking_time, thinking_times_of_rows
from storage import NewLogRow, log, results
from tests.bot.support.table_service import ANN, BOB, CY, TableService


def row(actor: str, user: int, minute: int, *, is_own_move: bool = True) -> results.TimedMove:
    return results.TimedMove(1, actor, user, f"2026-01-01T00:{minute:02}:00.000+00:00", is_own_move)


NOBODYS = row("p2", CY, 20, is_own_move=False)


@pytest.mark.parametrize(
    ("rows", "minutes"),
    [
        # A turn is waited for once, however many steps it has.
        ([row("p1", ANN, 5), row("p1", ANN, 6), row("p2", BOB, 16)], [(ANN, 5), (BOB, 10)]),
        # The time of a substitute is their own.
        ([row("p1", CY, 7), row("p2", BOB, 9), row("p1", ANN, 12)], [(CY, 7), (BOB, 2), (ANN, 3)]),
        # What an order or a moderator does for Bob hands the turn on.
        ([row("p1", ANN, 5), row("p2", BOB, 5, is_own_move=False), row("p1", ANN, 9), NOBODYS, row("p1", ANN, 21)],
         [(ANN, 5), (ANN, 4), (ANN, 1)]),
        # A move that is undone and made again is waited for once.
        ([row("p1", ANN, 5), row("p1", ANN, 6, is_own_move=False), row("p1", ANN, 8)], [(ANN, 5)]),
        # After another's undo the player is waited for from then on.
        ([row("p1", ANN, 5), row("p2", BOB, 6), row("", CY, 30, is_own_move=False), row("p1", ANN, 33)],
         [(ANN, 5), (BOB, 1), (ANN, 3)]),
        # Rows of an imported game were stored together.
        ([row("p1", ANN, 0), row("p2", BOB, 0)], []),
    ],
)  # fmt: skip
def test_decision_is_waited_for(rows: list[results.TimedMove], minutes: list[tuple[int, int]]) -> None:
    found = thinking_times_of_rows([row("", 0, 0, is_own_move=False), *rows])
    assert list(found) == [(user, timedelta(minutes=count)) for user, count in minutes]


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
def test_span_reads_in_two_units(span: timedelta, said: str) -> None:
    assert format_thinking_time(span) == said


async def test_own_decisions_are_made_by_hand(service: TableService) -> None:
    game = await service.game()
    for _ in range(3):
        await service.pass_on(game)
    automatic = "INSERT INTO automatic_moves (game_id, seq) VALUES (?, 3)"
    await service.db.write(lambda tx: tx.run(automatic, game))
    digest, end = await service.digest(game), '{"kind":"end_game","actor":"p1","entity":"p1"}'
    rows = [NewLogRow("action", "{}", digest, "p1", BOB), NewLogRow("action", end, digest, "p1", ANN)]
    await log.commit_move(service.db, game, 4, rows, now="2026-01-01T00:00:00Z")
    found = await results.timed_moves_of_game(service.db, game)
    assert [(one.actor, one.is_own_move) for one in found] == [
        ("", False), ("p1", True), ("p2", False), ("p3", True), ("p1", False), ("p1", False),
    ]  # fmt: skip


async def test_times_are_added_as_moves_come(service: TableService) -> None:
    game, times = await service.game(), ThinkingTimeCache(service.db)
    assert await times.times_of_game(game) == []
    minutes = iter(range(0, 60, 5))
    service.tables.clock = lambda: f"2099-01-01T00:{next(minutes):02}:00.000+00:00"
    for _ in range(2):
        await service.pass_on(game)
    found = await times.times_of_game(game)
    await service.pass_on(game)
    later = await times.times_of_game(game)
    assert ([user for user, _ in later], later[:2]) == ([ANN, BOB, CY], found)
    assert later == await ThinkingTimeCache(service.db).times_of_game(game)
