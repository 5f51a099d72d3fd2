"""What a log says about redoing: which moves may come back, since when none does, and which were undone."""

from dataclasses import dataclass, field
from typing import Final

import pytest

from bot.table.games.game_log import UndoHistory, UndoneMoves, UndoneRows, moves_text
from bot.table.live import LiveGame
from bot.table.past.game_record import moves_by_others, undone_lines
from storage import GameRow, Row, SeatEntry, log
from tests.titles.builders import new_game

START: Final = Row(1, 1, "start", "", "", "", None, "")


@dataclass
class Log:
    """Rows of a game, each with the next number."""

    rows: list[Row] = field(default_factory=lambda: [START])

    def add(self, kind: log.Kind, payload: str) -> Row:
        row = Row(1, len(self.rows) + 1, kind, payload, payload, "p1", 11, "")
        self.rows.append(row)
        return row

    def moves(self, *names: str) -> list[Row]:
        return [self.add("action", name) for name in names]

    def undo(self, to: int, **more: object) -> Row:
        return self.add("undo", log.undo_payload(to, **more))

    def read(self) -> UndoHistory:
        return UndoHistory.of(self.rows)

    def comes_back(self) -> list[int] | None:
        last = self.read().next_redo()
        return None if last is None else [row.seq for row in last.rows]


def table(rows: list[Row], *sat: SeatEntry) -> LiveGame:
    row = GameRow(1, 2, 3, 4, None, None, "", "", "", 0, "running", "", "")
    return LiveGame(row, (), new_game(), len(rows), rows, seat_history=sat, undo_history=UndoHistory.of(rows))


def test_undos_come_back_newest_first() -> None:
    game = Log()
    one, two, three = game.moves("one", "two", "three")
    assert game.comes_back() is None
    later = game.undo(2, agreed=["p2", "p3"])
    sooner = game.undo(1)
    stack = [UndoneMoves(later, (two, three)), UndoneMoves(sooner, (one,))]
    struck = [UndoneRows(later, 3, 4), UndoneRows(sooner, 2, 2)]
    assert game.read() == UndoHistory(stack, struck)
    assert game.read().next_redo() == stack[1]
    assert (
        [one.players_who_agreed for one in stack]
        == [one.players_who_agreed for one in struck]
        == [("p2", "p3"), ()]
    )
    assert [one.moves_text for one in struck] == ["moves 3 to 4", "move 2"]
    assert moves_text((two, three)) == "moves 3 to 4"
    game.moves("one")
    assert game.read().next_redo() == stack[0], "made again by hand"
    game.moves("two", "three")
    assert game.read() == UndoHistory([], struck)


def test_part_made_again_is_a_move() -> None:
    game = Log()
    game.moves("one", "two", "three", "four")
    all_four = game.undo(1)
    *_, last = game.moves("one", "two", "three")
    half = game.read()
    assert (half.next_redo(), half.move_that_ended_redo()) == (None, last)
    undo = game.undo(last.seq - 1)
    stack, struck = [UndoneMoves(undo, (last,))], [UndoneRows(all_four, 2, 5), UndoneRows(undo, 9, 9)]
    assert game.read() == UndoHistory(stack, struck, last)
    assert (game.read().next_redo(), game.read().move_that_ended_redo()) == (stack[0], last)


def test_other_move_or_accept_ends_a_redo() -> None:
    game = Log()
    game.moves("one", "two")
    undo = game.undo(2)
    (other,) = game.moves("other")
    assert game.read() == UndoHistory([], [UndoneRows(undo, 3, 3)], other)
    game.undo(4)
    accept = game.add("accept", log.accept_payload("2", "{}"))
    assert game.read() == UndoHistory([], [], accept)
    (after,) = game.moves("after")
    again = game.undo(accept.seq)
    assert game.read() == UndoHistory(
        [UndoneMoves(again, (after,))], [UndoneRows(again, after.seq, after.seq)], accept
    )


def test_repaired_moves_never_come_back() -> None:
    game = Log()
    game.moves("one", "two", "three")
    undo = game.undo(3)
    mends = game.undo(2, mends=True)
    assert game.read() == UndoHistory([], [UndoneRows(undo, 4, 4), UndoneRows(mends, 3, 3)], mends)
    assert (game.read().next_redo(), game.read().move_that_ended_redo()) == (None, mends)


def test_empty_undo_changes_nothing() -> None:
    game = Log()
    _, two = game.moves("one", "two")
    undo = game.undo(2)
    game.undo(2)
    assert game.read() == UndoHistory([UndoneMoves(undo, (two,))], [UndoneRows(undo, 3, 3)])


@pytest.mark.parametrize(
    ("agreed", "actor", "user", "who"),
    [
        ([], "a", 11, "**Ann**"),
        (["b"], "a", 11, "**Ann**, agreed to by **Bob**"),
        (["b", "c"], "a", 11, "**Ann**, agreed to by **Bob** and **Cy**"),
        ([], "", 99, "<@99> as a moderator"),
        ([], "", None, "somebody as a moderator"),
    ],
)
def test_undone_line_names_who_undid(agreed: list[str], actor: str, user: int | None, who: str) -> None:
    game = Log()
    game.moves("one")
    game.rows.append(game.undo(1, agreed=agreed)._replace(actor=actor, user_id=user))
    del game.rows[-2]
    assert undone_lines(table(game.rows)) == [(3, f"`3` ~~move 2~~, undone by {who}.")]


def test_moves_for_others_are_known() -> None:
    game = Log()
    game.moves("own", "other")
    accept = game.add("accept", "")._replace(user_id=99, actor="")
    rows = [*game.rows[:2], game.rows[2]._replace(user_id=88), accept]
    holder = SeatEntry("p1", "holder", 11, "Ann", 1, None, "")
    assert moves_by_others(table(rows, holder)) == {3: 88}
