"""A picture that is new to a process can be drawn bit by bit: each time it is asked for, so much and no more."""

from itertools import pairwise

import pytest

import render
from engine.game import Game
from engine.tell.view_builders import map_view
from engine.tell.views import MapView
from render import DrawingLimitReached, limit_new_drawings, raster
from render.draw_cache import PLAN
from render.hexes import hex_art, label_plan
from render.maps import map_art

AT_ONCE = 40


@pytest.fixture
def new() -> MapView:
    """A large map, nothing of it in the cache."""
    forget()
    return map_view(Game("18newengland", [("p1", "Ann"), ("p2", "Bob"), ("p3", "Cleo")], 1))


def forget() -> None:
    """Let nothing be drawn yet."""
    label_plan._plan.cache_clear()
    raster._stamp.cache_clear()
    hex_art.hex_items.cache_clear()
    map_art.hex_sprite.cache_clear()
    map_art.placed_hex.cache_clear()


def drawn() -> int:
    """The effort that has gone into what is kept."""
    return PLAN * label_plan._plan.cache_info().currsize + raster._stamp.cache_info().currsize


def test_picture_drawn_bit_by_bit(new: MapView) -> None:
    at_once = render.render_map(new)
    forget()
    efforts, picture = [0], None
    while picture is None:
        try:
            with limit_new_drawings(AT_ONCE):
                picture = render.render_map(new)
        except DrawingLimitReached:
            efforts.append(drawn())
    bits = [after - before for before, after in pairwise(efforts)]
    assert len(bits) > 3
    assert all(AT_ONCE <= bit < AT_ONCE + PLAN for bit in bits), bits
    assert picture == at_once


def test_cached_picture_costs_nothing(new: MapView) -> None:
    picture = render.render_map(new)
    with limit_new_drawings(0):
        assert render.render_map(new) == picture


def test_picture_drawn_at_once(new: MapView) -> None:
    with pytest.raises(DrawingLimitReached), limit_new_drawings(0):
        render.render_map(new)
    assert render.render_map(new)
