"""A copy of a map of 18C2C, with all that lies on no other map."""

from collections.abc import Callable

import pytest

from engine.board.map import Map
from engine.board.track import board_copy
from engine.titles import TITLES


@pytest.mark.parametrize(
    "change",
    [
        lambda board: board.lay("H55", "57", 0),
        lambda board: board.place_token("I78", 0, "PRR"),
        lambda board: board.place_token_without_space("I78", 0, "PRR"),
        lambda board: board.remove_token("L69", 0, "PRR"),
        lambda board: board.remove_token("I78", 0, "B&O"),
        lambda board: board.replace_token("L69", 0, "PRR", "B&O"),
        lambda board: board.replace_token("I78", 0, "B&O", "PRR"),
        lambda board: board.remove_company("NYC"),
        lambda board: board.relabel("D63", "X"),
        lambda board: board.open_spaces_of_phase("5"),
    ],
)
def test_copy_changes_alone(change: Callable[[Map], None]) -> None:
    """18C2C has labels that are given, spaces that are opened, and tokens beside the spaces."""
    board = Map(TITLES["18c2c"].spec)
    board.place_token("L69", 0, "PRR")
    board.place_token_without_space("I78", 0, "B&O")
    before, copied, anew = board.changes_in_play(), board_copy(board), board_copy(board)
    assert copied.changes_in_play() == before
    change(copied)
    assert copied.changes_in_play() != before
    assert (board.changes_in_play(), board.changed_hexes, board.hexes_with_new_tiles) == (
        before,
        ["L69", "I78"],
        [],
    )
    change(board)
    assert board.changes_in_play() == copied.changes_in_play()
    assert anew.changes_in_play() == before
