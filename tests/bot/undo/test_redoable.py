"""What a log says about redoing: which moves may come back, since when none does, and which were undone."""

from dataclasses import dataclass
from typing import Final

from bot.table.games.game_log import Struck, TakenBack, Undone, moves_text
from storage import Row, log


@dataclass
class Log:
    """Rows of a game, each with the next number."""

    rows: list[Row]

    def add(self, kind: log.Kind, payload: str) -> Row:
        row = Row(1, len(self.rows) + 1, kind, payload, payload, "p1", 11, "")
        self.rows.append(row)
        return row

    def moves(self, *names: str) -> list[Row]:
        return [self.add("action", name) for name in names]

    def undo(self, to: int, **more: object) -> Row:
        return self.add("undo", log.undo_payload(to, **more))

    def read(self) -> Undone:
        return Undone.of(self.rows)


START: Final = Row(1, 1, "start", "", "", "", None, "")


def test_what_was_undone_comes_back_one_undo_after_the_other() -> None:
    game = Log([START])
    one, two, three = game.moves("one", "two", "three")
    later = game.undo(2, agreed=["p2", "p3"])
    sooner = game.undo(1)
    stack = [TakenBack(later, (two, three)), TakenBack(sooner, (one,))]
    assert game.read() == Undone(stack, [Struck(later, 3, 4), Struck(sooner, 2, 2)])
    assert game.read().last() == stack[1]
    assert [taken.agreed for taken in stack] == [("p2", "p3"), ()]
    assert [struck.agreed for struck in game.read().struck] == [("p2", "p3"), ()]
    assert [struck.moves for struck in game.read().struck] == ["moves 3 to 4", "move 2"]
    assert moves_text((two, three)) == "moves 3 to 4"
    game.moves("one")
    assert game.read().last() == stack[0]
    game.moves("two", "three")
    assert game.read() == Undone([], [Struck(later, 3, 4), Struck(sooner, 2, 2)])


def test_part_of_what_was_undone_made_again_is_a_move_since_which_nothing_comes_back() -> None:
    game = Log([START])
    game.moves("one", "two", "three", "four")
    all_four = game.undo(1)
    *_, last = game.moves("one", "two", "three")
    half = game.read()
    assert (half.last(), half.since()) == (None, last)
    undo = game.undo(last.seq - 1)
    stack, struck = [TakenBack(undo, (last,))], [Struck(all_four, 2, 5), Struck(undo, 9, 9)]
    assert game.read() == Undone(stack, struck, last)
    assert (game.read().last(), game.read().since()) == (stack[0], last)


def test_another_move_ends_every_redo_and_an_accept_what_is_struck_out_too() -> None:
    game = Log([START])
    game.moves("one", "two")
    undo = game.undo(2)
    (other,) = game.moves("other")
    assert game.read() == Undone([], [Struck(undo, 3, 3)], other)
    game.undo(4)
    accept = game.add("accept", log.accept_payload("2", "{}"))
    assert game.read() == Undone([], [], accept)
    (after,) = game.moves("after")
    again = game.undo(accept.seq)
    assert game.read() == Undone([TakenBack(again, (after,))], [Struck(again, after.seq, after.seq)], accept)


def test_a_repair_strikes_out_what_was_damaged_and_nothing_undone_before_comes_back() -> None:
    game = Log([START])
    game.moves("one", "two", "three")
    undo = game.undo(3)
    mends = game.undo(2, mends=True)
    assert game.read() == Undone([], [Struck(undo, 4, 4), Struck(mends, 3, 3)], mends)
    assert (game.read().last(), game.read().since()) == (None, mends)


def test_an_undo_that_takes_no_move_away_leaves_what_was_undone_before_as_it_is() -> None:
    game = Log([START])
    _, two = game.moves("one", "two")
    undo = game.undo(2)
    game.undo(2)
    assert game.read() == Undone([TakenBack(undo, (two,))], [Struck(undo, 3, 3)])
