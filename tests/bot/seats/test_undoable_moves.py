"""The moves that an undo concerns: the last one of a player with the automatic ones after it, or all after a row."""

from typing import Any

import pytest

from bot.table.errors import Refused
from bot.table.live import LiveGame
from bot.table.undo import last_undoable_row, rows_lost_by
from storage import Row, SeatEntry, log
from tests.bot.seats.test_votes import OVER, table


def row(seq: int, actor: str = "p1", kind: log.Kind = "action") -> Row:
    return Row(5, seq, kind, '{"kind": "pass", "actor": "p1", "entity": "p1"}', "", actor, 1, "now")


START, ACCEPTED = row(1, "", "start"), row(3, "", "accept")


def after(
    *rows: Row, automatic: dict[int, int | None] | None = None, cared: str = "", **more: Any
) -> LiveGame:
    """A game whose log has these rows after its start; a caretaker plays one seat from the second row on."""
    live = table(**more)
    live.effective_rows = [START, *rows]
    live.automatic_rows = automatic or {}
    if cared:
        live.seat_history = (SeatEntry(cared, "caretaker", 0, "Somebody", 2, None, "now"),)
    return live


@pytest.mark.parametrize(
    ("live", "seq"),
    [
        (after(row(2), row(3, "p2"), automatic={3: None}), 2),
        # What one's own order did after one's own move goes with it; after another's move it is a move.
        (after(row(2), row(3, "p2"), row(4), automatic={3: 7, 4: 8}), 2),
        (after(row(2, "p2"), row(3), row(4), automatic={3: 7, 4: None}), 3),
        # What the caretaker has played for one is one's own; what another's has played goes with one's move.
        (after(row(2, "p2"), row(3), automatic={3: None}, cared="p1"), 3),
        (after(row(2), row(3, "p2"), automatic={3: None}, cared="p2"), 2),
    ],
)
def test_own_last_move_is_undone(live: LiveGame, seq: int) -> None:
    assert last_undoable_row(live, "p1").seq == seq


@pytest.mark.parametrize(
    ("live", "why"),
    [
        (after(), "no move to undo"),
        (after(row(2, "", "accept")), "accepted the position at move 2"),
        (after(row(2, "p2")), "number 2, is Bob's.*`/undo to:`"),
        (after(row(2, "p2"), moves=OVER), "only a moderator can undo more"),
    ],
)
def test_no_own_move_is_undone(live: LiveGame, why: str) -> None:
    with pytest.raises(Refused, match=why):
        last_undoable_row(live, "p1")


def test_moves_after_one_that_counts_are_lost() -> None:
    assert [one.seq for one in rows_lost_by(after(row(2), row(4), row(5)), 2)] == [4, 5]
    assert [one.seq for one in rows_lost_by(after(ACCEPTED, row(4)), 3)] == [4]


@pytest.mark.parametrize(
    ("live", "to", "why"),
    [
        (after(row(2), row(4)), 3, "was undone or does not exist"),
        (after(row(2), row(4)), 4, "nothing to undo after it"),
        (after(row(2), status="abandoned"), 1, "was abandoned"),
        (after(row(2), ACCEPTED, row(4)), 2, "accepted the position at move 3"),
    ],
)
def test_no_move_is_lost(live: LiveGame, to: int, why: str) -> None:
    with pytest.raises(Refused, match=why):
        rows_lost_by(live, to)
