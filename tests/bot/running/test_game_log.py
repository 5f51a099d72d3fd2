"""The log of a game: which rows count, what is wrong with it, and what an undo has taken away."""

import json
from collections.abc import Sequence

import pytest

from bot.table.games.game_log import (
    GameStart,
    RowDamaged,
    checked_rows,
    rows_with_undone_rows,
)
from engine.core.actions import Pass
from storage import LogRow, log
from storage.log import LogRowKind


def row(seq: int, kind: LogRowKind = "action", payload: str = "") -> LogRow:
    """A row that can be read, unless its payload is given."""
    usual = {
        "start": GameStart("18chesapeake", "rulebook", (), 3, (("a", "Ann"), ("b", "Bob"))).payload(),
        "action": Pass(actor="a", entity="a").model_dump_json(),
        "accept": log.accept_payload("2", "{}"),
    }
    return LogRow(5, seq, kind, payload or usual[kind], "", "a", 1, "now")


def undo(seq: int, to: int) -> LogRow:
    return row(seq, "undo", log.undo_payload(to))


START = row(1, "start")
ODD = json.dumps({"kind": "nonsense"})
COUNTING: dict[str, tuple[list[LogRow], list[int]]] = {
    "an undo": ([START, row(2), row(3), undo(4, 2), row(5)], [1, 2, 5]),
    "a row is gone that was undone": ([START, row(2), undo(4, 2), row(5)], [1, 2, 5]),
    "a row is unreadable that was undone": ([START, row(2, payload=ODD), undo(3, 1), row(4)], [1, 4]),
    "an unreadable row before an accept": ([START, row(2, payload="x"), row(3, "accept"), row(4)], [3, 4]),
    "nothing before an accept": ([row(3, "accept"), row(4)], [3, 4]),
}


def numbers(rows: Sequence[LogRow]) -> list[int]:
    return [one.seq for one in rows]


@pytest.mark.parametrize(("rows", "counting"), COUNTING.values(), ids=COUNTING)
def test_rows_that_count(rows: list[LogRow], counting: list[int]) -> None:
    assert numbers(checked_rows(rows)) == counting


UNREAD = "move {} in its log cannot be read"
GONE = "move {} is missing from its log"
NO_START = "move 1, its start, is missing from its log"
CONTRADICTS = "its log contradicts itself: "
FLAWED: dict[str, tuple[list[LogRow], int, str]] = {
    "no row": ([], 1, NO_START),
    "no start": ([row(2), row(3)], 1, NO_START),
    "a hole": ([START, row(3), row(4)], 2, GONE),
    "a hole that an undo does not cover": ([START, row(2), undo(5, 3), row(6)], 3, GONE),
    "a hole behind an undo": ([START, undo(3, 1), row(5)], 4, GONE),
    "an unreadable move": ([START, row(2, payload=ODD), row(3)], 2, UNREAD),
    "an unreadable start": ([row(1, "start", "x"), row(2)], 1, UNREAD),
    "an unreadable undo": ([START, row(2), row(3, "undo", "x")], 3, UNREAD),
    "an unreadable accept": ([START, row(2), row(3, "accept", "x"), row(4)], 3, UNREAD),
    "a hole before an unreadable move": ([START, row(3), row(4, payload="x")], 2, GONE),
    "a hole behind an unreadable move": ([START, row(2, payload=ODD), row(4)], 2, UNREAD),
    "an undo behind an accept": ([START, row(2), row(3, "accept"), row(4), undo(5, 2)], 5, CONTRADICTS),
}


@pytest.mark.parametrize(("rows", "seq", "why"), FLAWED.values(), ids=FLAWED)
def test_first_flaw_is_named(rows: list[LogRow], seq: int, why: str) -> None:
    with pytest.raises(RowDamaged) as found:
        checked_rows(rows)
    assert found.value.seq == seq
    assert str(found.value).startswith(why.format(seq))


def test_undos_are_found_from_the_last_accept() -> None:
    """And from the first of them on."""
    rows = [START, row(2), row(3), undo(4, 2), row(5), row(6), undo(7, 1)]
    later = [*rows, row(8, "accept"), row(9), row(10), undo(11, 9)]
    for there, expected in (
        (rows, [(4, [3]), (5, []), (6, []), (7, [2, 5, 6])]),
        (rows[:3], []),
        (later, [(8, []), (11, [10])]),
    ):
        assert [(one.seq, numbers(gone)) for one, gone in rows_with_undone_rows(there)] == expected
