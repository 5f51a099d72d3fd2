"""Marks as drawn: one look for each kind, all of them on crowded hexes, a legend; charters and the order."""

from dataclasses import replace

import pytest

from engine.game import Game
from engine.tell.view_builders import map_view
from engine.tell.views import Badge, MarkView, OrderView
from render.hexes.mark_art import mark_items, mark_sizes
from render.maps.legend_art import legend_panel, legend_strip
from render.maps.panel_art import panel_blocks
from render.scene import Item, Polygon, Text
from render.sheets.market_art import order_block
from render.theme import THEMES

GREEN = Badge("ABC", "#008000")


def words(items: tuple[Item, ...]) -> list[str]:
    return [item.text for item in items if isinstance(item, Text)]


@pytest.mark.parametrize("size", [0, 1])
def test_flag_is_filled_when_reached(size: int) -> None:
    flags = [MarkView("objective", "ABC", GREEN, done=done) for done in (False, True)]
    drawn = [mark_items(flag, (0.0, 0.0), mark_sizes(flag)[size]) for flag in flags]
    cloths = [next(item.fill for item in items if isinstance(item, Polygon)) for items in drawn]
    assert cloths == ["#ffffff", "#008000"]


def test_legend_of_marks() -> None:
    view = map_view(Game("18al", [("p1", "Ann"), ("p2", "Bob"), ("p3", "Cy")], 1))
    theme = THEMES["ours"]
    said = " ".join(words(legend_panel(view.mark_words, theme, 414).items))
    assert "York (K2): $100 for the first token" in said
    assert "Robert E. Lee: Atlanta to Birmingham $20" in said
    strip = " ".join(words(legend_strip(view.mark_words, theme, 1300).items))
    assert "Robert E. Lee: Atlanta to Birmingham $20" in strip
    without = replace(view, mark_words=(), sign_words=())
    assert len(panel_blocks(without, theme, 72, 1300)) == len(panel_blocks(view, theme, 72, 1300)) - 1


def test_not_floated_is_never_cut() -> None:
    line = OrderView(GREEN, 100, "Maximiliane von Habsburg", floated=False, progress="waiting")
    said = words(order_block((line,), THEMES["ours"], 430).items)
    assert said[-1].startswith("Maxi")
    assert said[-1].endswith("… (not floated)")
