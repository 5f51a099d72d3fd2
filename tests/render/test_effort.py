"""A picture that is new to a process can be drawn bit by bit: each time it is asked for, so much and no more."""

from dataclasses import replace

import pytest

import render
from engine.game import Game
from engine.tell.view_builders import map_view
from render import DrawingLimitReached, limit_new_drawings

AT_ONCE = 40


def test_picture_drawn_bit_by_bit() -> None:
    """A large map with names that nobody has drawn."""
    view = map_view(Game("18newengland", [("p1", "Ann"), ("p2", "Bob"), ("p3", "Cleo")], 1))
    new = replace(view, hexes=tuple(replace(h, name=f"{h.coord} anew") for h in view.hexes))
    with pytest.raises(DrawingLimitReached), limit_new_drawings(0):
        render.render_map(new)
    refused, picture = 0, None
    while picture is None:
        try:
            with limit_new_drawings(AT_ONCE):
                picture = render.render_map(new)
        except DrawingLimitReached:
            refused += 1
    assert 3 < refused < len(new.hexes)
    with limit_new_drawings(0):
        assert render.render_map(new) == picture, "drawn already, it costs nothing"
