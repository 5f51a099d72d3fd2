"""Thousands of undos in one log: what is worked out from it takes no more than their number."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

import pytest

from bot.table.games.game_log import UndoHistory, rows_with_undone_rows
from bot.table.past.game_record import undo_lines
from bot.table.results_and_ratings import thinking_times_of_rows
from storage import LogRow, format_timestamp, log, results
from tests.bot.seats.test_votes import table
from tests.support.work_done import lines_run


def log_of(*done: str | int) -> list[LogRow]:
    """A log: the start, and then moves by their payloads and undos by the rows they go back to."""
    rows = [LogRow(1, 1, "start", "{}", "d", "", None, "")]
    for seq, one in enumerate(done, 2):
        kind: log.LogRowKind = "undo" if isinstance(one, int) else "action"
        payload = log.undo_payload(one) if isinstance(one, int) else one
        rows.append(LogRow(1, seq, kind, payload, "d", "p1", 11, ""))
    return rows


SHAPES: dict[str, Callable[[int], list[LogRow]]] = {
    "each at once": lambda size: log_of(*(done for n in range(size) for done in ("move", 2 * n + 1))),
    "one by one": lambda size: log_of(*["move"] * size, *range(size, 0, -1)),
    "redone": lambda size: log_of(*["move"] * size, *range(size, 0, -1), *["move"] * size),
}


def waits(rows: list[LogRow]) -> list[results.TimedMove]:
    times = [format_timestamp(datetime(2026, 1, 2, microsecond=row.seq, tzinfo=UTC)) for row in rows]
    return [results.TimedMove(n, f"p{n % 2}", n % 2, at, is_own_move=n % 3 > 0) for n, at in enumerate(times)]


LIVE: Final = table()


def said(rows: list[LogRow]) -> object:
    LIVE.undo_history = UndoHistory.of(rows)
    return undo_lines(LIVE)


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize(
    "work",
    [
        UndoHistory.of,
        lambda rows: list(rows_with_undone_rows(rows)),
        said,
        lambda rows: list(thinking_times_of_rows(waits(rows))),
    ],
    ids=["what may be redone", "what each undo took", "what is said of undos", "how long each decision took"],
)
def test_undos_take_linear_work(
    work: Callable[[list[LogRow]], object], shape: Callable[[int], list[LogRow]]
) -> None:
    small, large = shape(200), shape(800)
    assert lines_run(lambda: work(large)) < 4.2 * lines_run(lambda: work(small))
