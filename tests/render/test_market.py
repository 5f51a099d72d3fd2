"""The stock market as a scene: stacks, arrows, zones, the operating order."""

from dataclasses import replace

import pytest

from engine.tell.views import MarketView
from render.scene import PlacedSprite, Scene, Text
from render.sheets.market_art import market_scene
from tests.render.sheets import market
from tests.render.views import boxes_of, long_row, wide, words_of

STACK = ("PRR", "B&O", "C&O", "LV")
EIGHT = ("PRR", "B&O", "C&O", "LV", "PLE", "C&A", "N&W", "SRR")


def texts(placed: PlacedSprite) -> list[str]:
    return [item.text for item in placed.sprite.items if isinstance(item, Text)]


def cell_of(scene: Scene, price: str, *more: str) -> PlacedSprite:
    return next(p for p in scene.sprites if texts(p)[: 1 + len(more)] == [price, *more])


def stacked(*names: str) -> MarketView:
    return market(dict.fromkeys(names, (2, 4)))


@pytest.mark.parametrize("count", [1, 2, 3, 4, 8])
def test_companies_of_a_cell_are_named(count: int) -> None:
    """First to act first; of eight three are counted, but not in a long row."""
    found = texts(cell_of(market_scene(stacked(*EIGHT[:count]), "ours"), "95", "P", EIGHT[0]))[2:]
    assert found == ([*EIGHT[:count]] if count < 6 else [*EIGHT[:5], "+3"])
    assert texts(cell_of(market_scene(long_row(EIGHT[:count]), "ours"), "150"))[1:] == [*EIGHT[:count]]


def test_operating_order() -> None:
    order = next(p for p in market_scene(stacked(*STACK), "ours").sprites if "Operating order" in texts(p))
    assert texts(order)[:5] == ["Operating order", "1", "PRR", "PRR", "$95"]
    assert "Ann (not floated)" in texts(order)
    assert ["No company has started"] in [texts(p) for p in market_scene(market({}), "ours").sprites]


def test_order_covers_no_cell() -> None:
    """It stands next to short rows, to the right of seven columns, or below three long rows."""
    view = stacked(*STACK)
    narrow = replace(view, rows=tuple(row[:7] for row in view.rows))
    short = replace(view, rows=(view.rows[0], *view.rows[:2]))
    for one in (view, narrow, short):
        scene = market_scene(one, "ours")
        order = next(p for p in scene.sprites if "Operating order" in texts(p))
        x0, y0, x1, y1 = boxes_of(scene)[scene.sprites.index(order)]
        for placed, box in zip(scene.sprites, boxes_of(scene), strict=True):
            if placed.sprite.width < 90:
                assert box[2] <= x0 + 2 or box[0] >= x1 - 2 or box[3] <= y0 + 2 or box[1] >= y1 - 2
        assert x1 <= scene.width
        assert y1 <= scene.height


def test_far_right_of_a_wide_market_is_left_out() -> None:
    """While nobody is near: cells are large then, and the highest price stands in words. A page shows it whole."""
    shown, whole = market_scene(wide(11), "ours"), market_scene(wide(11), "ours", show_all_columns=True)
    last = {"space-0-15", "space-0-16"}
    seen = [{p.mark.id for p in scene.sprites if p.mark is not None} & last for scene in (shown, whole)]
    assert seen == [{"space-0-15"}, last]
    assert any(text.startswith("More cells on the right: up to $") for text in words_of(shown))
    assert (shown.sprites[0].sprite.width, whole.sprites[0].sprite.width) == (86, 66)
    assert market_scene(wide(14), "ours") == market_scene(wide(14), "ours", show_all_columns=True)
