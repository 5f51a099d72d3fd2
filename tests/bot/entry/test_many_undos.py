"""Thousands of undos in one log: what is worked out from it takes no more than their number."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import cast

import pytest

from bot.table.games.game_log import UndoHistory, undo_walk
from bot.table.live import LiveGame
from bot.table.past.game_record import undone_lines
from bot.table.results_and_ratings import decision_spans
from storage import Row, format_timestamp, log, parse_timestamp, results
from tests.support.work_done import lines_run

START = parse_timestamp("2026-01-02T03:04:05.000+00:00")


def log_of(*done: str | int) -> list[Row]:
    """A log: the start, and then moves by their payloads and undos by the rows they go back to."""
    rows = [Row(1, 1, "start", "{}", "d", "", None, "")]
    for seq, one in enumerate(done, 2):
        kind: log.Kind = "undo" if isinstance(one, int) else "action"
        payload = log.undo_payload(one) if isinstance(one, int) else one
        rows.append(Row(1, seq, kind, payload, "d", "p1", 11, ""))
    return rows


def at_once(size: int) -> list[Row]:
    """Every move is undone at once."""
    return log_of(*(done for number in range(size) for done in ("move", 2 * number + 1)))


def one_by_one(size: int) -> list[Row]:
    """All moves are made, then undone one by one."""
    return log_of(*("move" for _ in range(size)), *range(size, 0, -1))


def redone(size: int) -> list[Row]:
    """All moves are made, undone one by one, and redone one by one."""
    return log_of(*("move" for _ in range(size)), *range(size, 0, -1), *("move" for _ in range(size)))


def table(rows: list[Row]) -> LiveGame:
    """A table with this log, at which somebody has a name."""
    game = SimpleNamespace(players=(("p1", "Ann"),))
    return cast("LiveGame", SimpleNamespace(game=game, seat_history=(), undone=UndoHistory.of(rows)))


WORK: dict[str, Callable[[list[Row]], object]] = {
    "what may be redone": UndoHistory.of,
    "what each undo took": lambda rows: list(undo_walk(rows)),
    "what is said of undos": lambda rows: undone_lines(table(rows)),
}


@pytest.mark.parametrize("shape", [at_once, one_by_one, redone])
@pytest.mark.parametrize("what", WORK)
def test_undos_take_linear_work(what: str, shape: Callable[[int], list[Row]]) -> None:
    small, large = shape(200), shape(800)
    assert lines_run(lambda: WORK[what](large)) < 4.2 * lines_run(lambda: WORK[what](small))


def test_waits_take_linear_work() -> None:
    def rows(size: int) -> list[results.Decision]:
        times = [format_timestamp(START.replace(microsecond=number)) for number in range(size)]
        return [
            results.Decision(number, f"p{number % 2}", number % 2, time, own=number % 3 > 0)
            for number, time in enumerate(times)
        ]

    small, large = rows(200), rows(800)
    few, many = (
        lines_run(lambda: list(decision_spans(small))),
        lines_run(lambda: list(decision_spans(large))),
    )
    assert many < 4.2 * few
