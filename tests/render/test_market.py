"""The stock market as a scene: stacks, arrows, zones, the operating order."""

from dataclasses import replace

import pytest

from engine.tell.views import MarketView
from render.scene import Item, Placed, Polygon, RoundedBox, Scene, Text
from render.sheets.market_art import cell_colour, market_scene
from render.theme import HIGHLIGHT, THEMES
from tests.render.sheets import market
from tests.render.views import boxes_of, long_row, wide

STACK = ("PRR", "B&O", "C&O", "LV")
EIGHT = ("PRR", "B&O", "C&O", "LV", "PLE", "C&A", "N&W", "SRR")


def texts(placed: Placed) -> list[str]:
    return [item.text for item in placed.sprite.items if isinstance(item, Text)]


def cell_of(scene: Scene, price: str, *more: str) -> Placed:
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
    """Number, price and president."""
    order = next(p for p in market_scene(stacked(*STACK), "ours").sprites if "Operating order" in texts(p))
    assert texts(order)[:5] == ["Operating order", "1", "PRR", "PRR", "$95"]
    assert "Ada (not floated)" in texts(order)
    assert ["No company has started"] in [texts(p) for p in market_scene(market({}), "ours").sprites]


def test_order_covers_no_cell() -> None:
    """It stands next to short rows, to the right of seven columns, or below three long rows."""
    view = stacked(*STACK)
    ragged = replace(view, rows=tuple(tuple(c for c in row if c is not None) for row in view.rows))
    assert market_scene(ragged, "ours") == market_scene(view, "ours")
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


@pytest.mark.parametrize("theme", sorted(THEMES))
def test_zones_of_the_market(theme: str) -> None:
    view = stacked(*STACK)
    yellow = view.rows[7][0]
    assert yellow is not None
    drawn = cell_of(market_scene(view, theme), "40", "Y")
    ground = cell_colour(yellow, THEMES[theme])
    assert any(isinstance(item, RoundedBox) and item.fill == ground for item in drawn.sprite.items)


def test_long_row_takes_two_lines() -> None:
    """As 18NewEngland's, of 28 prices: the spaces of minors stand below theirs."""
    scene = market_scene(long_row(), "ours")
    low, high = cell_of(scene, "10"), cell_of(scene, "150")
    assert low.top != high.top
    assert low.left == high.left
    assert low.sprite.height > high.sprite.height
    assert texts(low) == ["10", "GR", "3"]
    assert scene.width < 1600
    moved = market_scene(replace(long_row(), moves=(("PRR", (0, 13), (0, 14)),)), "ours")
    assert {texts(p)[0] for p in set(moved.sprites) - set(scene.sprites)} == {"140", "150"}


# --- arrows ------------------------------------------------------------------------------------------------------


def informs(item: Item) -> bool:
    return isinstance(item, Text) or (isinstance(item, Polygon) and item.fill == HIGHLIGHT)


def test_arrow_lies_under_what_it_crosses() -> None:
    """B&O falls two rows, past the tokens of the cell between."""
    scene = market_scene(
        market({"B&O": (4, 3), "LV": (3, 3), "PRR": (3, 3)}, moves=[("B&O", (2, 3), (4, 3))]), "ours"
    )
    crossed = next(p for p in scene.sprites if {"LV", "PRR"} <= {*texts(p)} and "B&O" not in texts(p))
    order = [
        item.text if isinstance(item, Text) else "arrow" for item in crossed.sprite.items if informs(item)
    ]
    assert order.index("arrow") < min(order.index(name) for name in ("LV", "PRR"))
    assert order[-1] != "arrow"


# --- wide markets ------------------------------------------------------------------------------------------------


def spaces(scene: Scene) -> set[str]:
    """The spaces of the grid, by row and column."""
    return {placed.mark.id for placed in scene.sprites if placed.mark is not None}


def test_far_right_of_a_wide_market_is_left_out() -> None:
    """While nobody is near: cells are large then, and the highest price stands in words. A page shows it whole."""
    shown, whole = market_scene(wide(11), "ours"), market_scene(wide(11), "ours", whole=True)
    words = [text for placed in shown.sprites for text in texts(placed)]
    assert {"space-0-15", "space-0-16"} <= spaces(whole)
    assert "space-0-15" in spaces(shown)
    assert "space-0-16" not in spaces(shown)
    assert any(text.startswith("Further to the right: up to $") for text in words)
    assert (shown.sprites[0].sprite.width, whole.sprites[0].sprite.width) == (86, 66)
    assert market_scene(wide(14), "ours") == market_scene(wide(14), "ours", whole=True)
