"""The stock market as a scene: stacks, arrows, ledges, the operating order."""

from dataclasses import replace

import pytest

from engine.tell.views import Badge, CellView, MarketView, SpaceView
from render.scene import Disc, Item, Placed, Polygon, RoundedBox, Scene, Text
from render.sheets.market_art import cell_colour, market_scene
from render.theme import HIGHLIGHT, THEMES
from tests.render.sheets import market

STACK = {"PRR": (2, 4), "B&O": (2, 4), "C&O": (2, 4), "LV": (2, 4)}


def texts(placed: Placed) -> list[str]:
    return [item.text for item in placed.sprite.items if isinstance(item, Text)]


def cell(scene: Scene, price: str, row: int) -> list[str]:
    """Texts of the cell with this price in this row of the grid."""
    there = [p for p in scene.sprites if price in texts(p) and p.sprite.width < 90]
    return next(texts(p) for p in there if (p.top - 63) // 78 == row)


def test_one_to_three_companies_in_a_cell_are_all_named_first_to_act_first() -> None:
    for count in (1, 2, 3):
        names = list(STACK)[:count]
        scene = market_scene(market(dict.fromkeys(names, (2, 4))), "ours")
        assert cell(scene, "95", 2) == ["95", "P", *names]


def test_four_companies_in_a_cell_are_all_named() -> None:
    assert cell(market_scene(market(STACK), "ours"), "95", 2) == ["95", "P", *STACK]


def test_of_eight_companies_in_a_cell_five_are_named_and_three_counted() -> None:
    names = ("PRR", "B&O", "C&O", "LV", "C&A", "N&W", "PLE", "SRR")
    there = cell(market_scene(market(dict.fromkeys(names, (2, 4))), "ours"), "95", 2)
    assert there == ["95", "P", *names[:5], "+3"]


def test_operating_order_names_number_price_and_president() -> None:
    order = next(p for p in market_scene(market(STACK), "ours").sprites if "Operating order" in texts(p))
    assert texts(order)[:5] == ["Operating order", "1", "PRR", "PRR", "$95"]
    assert "Ada (not floated)" in texts(order)


def test_market_without_companies_says_so() -> None:
    assert ["No company has started"] in [texts(p) for p in market_scene(market({}), "ours").sprites]


def test_order_stands_next_to_the_short_rows_and_covers_no_cell() -> None:
    ragged = market(STACK)
    ragged = replace(ragged, rows=tuple(tuple(c for c in row if c is not None) for row in ragged.rows))
    assert market_scene(ragged, "ours") == market_scene(market(STACK), "ours")
    for view in (market(STACK), narrow(), short()):
        scene = market_scene(view, "ours")
        boxes = [
            (p.left, p.top, p.left + p.sprite.width, p.top + p.sprite.height)
            for p in scene.sprites
            if "Operating order" in texts(p) or p.sprite.width < 90
        ]
        order = next(p for p in scene.sprites if "Operating order" in texts(p))
        x0, y0, x1, y1 = (
            order.left,
            order.top,
            order.left + order.sprite.width,
            order.top + order.sprite.height,
        )
        for box in boxes:
            if box != (x0, y0, x1, y1):
                assert box[2] <= x0 + 2 or box[0] >= x1 - 2 or box[3] <= y0 + 2 or box[1] >= y1 - 2
        assert x1 <= scene.width
        assert y1 <= scene.height


def narrow() -> MarketView:
    """Seven columns: the order goes to the right of the grid."""
    view = market(STACK)
    return replace(view, rows=tuple(row[:7] for row in view.rows))


def short() -> MarketView:
    """Three long rows: the order goes below the grid."""
    view = market(STACK)
    return replace(view, rows=(view.rows[0], *view.rows[:2]))


def test_unmoved_price_draws_no_arrow() -> None:
    still, same = market(STACK), market(STACK, [("PRR", (2, 4), (2, 4))])
    assert market_scene(still, "ours") == market_scene(same, "ours")


@pytest.mark.parametrize("theme", sorted(THEMES))
def test_zone_has_its_colour_and_its_letter(theme: str) -> None:
    view = market(STACK)
    yellow = view.rows[7][0]
    assert yellow is not None
    ground = cell_colour(yellow, THEMES[theme])
    scene = market_scene(view, theme)
    drawn = next(p for p in scene.sprites if texts(p) == ["40", "Y"])
    assert any(isinstance(item, RoundedBox) and item.fill == ground for item in drawn.sprite.items)


def test_a_long_single_row_takes_two_lines() -> None:
    """As 18NewEngland's, of 28 prices: the spaces of minors stand below theirs."""
    scene = market_scene(long_row(), "ours")
    drawn = {texts(p)[0]: p for p in scene.sprites if texts(p) and texts(p)[0].isdigit()}
    assert len({p.top for p in drawn.values()}) == 2
    assert drawn["10"].left == drawn["150"].left
    assert drawn["10"].sprite.height > drawn["150"].sprite.height
    assert texts(drawn["10"]) == ["10", "GR", "3"]
    assert texts(drawn["150"])[1:] == ["PRR"]
    assert scene.width < 1600


def test_many_companies_in_a_cell_of_a_long_row_are_all_named() -> None:
    for count in (4, 5, 8):
        names = ("PRR", "B&O", "C&O", "LV", "PLE", "C&A", "N&W", "SRR")[:count]
        drawn = cell_of(market_scene(long_row(names), "ours"), "150")
        assert texts(drawn)[1:] == list(names)


def test_a_move_from_line_to_line_leaves_one_and_comes_into_the_other() -> None:
    still, moved = long_row(), replace(long_row(), moves=(("PRR", (0, 13), (0, 14)),))
    scenes = [market_scene(view, "ours") for view in (still, moved)]
    changed = {texts(p)[0] for p in set(scenes[1].sprites) - set(scenes[0].sprites)}
    assert changed == {"140", "150"}


def test_the_legend_shows_the_spaces() -> None:
    view = replace(long_row(), space_legend=((SpaceView("free", "y"), "free for a minor"),))
    legend = next(p for p in market_scene(view, "ours").sprites if "free for a minor" in texts(p))
    assert any(isinstance(item, Disc) for item in legend.sprite.items)


def long_row(names: tuple[str, ...] = ("PRR",)) -> MarketView:
    """28 cells; companies in the one of $150, spaces below $10: a minor's and one for later."""
    view = market({})
    taken = SpaceView("taken", "y", Badge("GR", "#09743b"))
    cells = [CellView(10 * price) for price in range(1, 29)]
    cells[0] = replace(cells[0], spaces=(taken, SpaceView("later", "g", phase="3")))
    cells[14] = replace(cells[14], tokens=tuple(Badge(name, "#237333") for name in names))
    return replace(view, rows=(tuple(cells),))


def cell_of(scene: Scene, price: str) -> Placed:
    return next(p for p in scene.sprites if texts(p)[:1] == [price])


def test_an_arrow_lies_under_the_price_and_the_tokens_that_it_crosses() -> None:
    """B&O falls two rows, past the tokens of the cell between."""
    view = market({"B&O": (4, 3), "LV": (3, 3), "PRR": (3, 3)}, moves=[("B&O", (2, 3), (4, 3))])
    [crossed] = [sprite for sprite in cells(view) if {"LV", "PRR"} <= set(lettered(sprite))]
    order = [item.text if isinstance(item, Text) else "arrow" for item in crossed if informs(item)]
    assert order.index("arrow") < min(order.index(name) for name in ("LV", "PRR"))
    assert order[-1] != "arrow"


def test_of_two_arrows_through_a_cell_both_are_drawn() -> None:
    """One falls into the cell that the other one leaves."""
    view = market({"B&O": (4, 3), "LV": (6, 3)}, moves=[("B&O", (2, 3), (4, 3)), ("LV", (4, 3), (6, 3))])
    [both] = [sprite for sprite in cells(view) if "B&O" in lettered(sprite)]
    assert sum(isinstance(item, Polygon) and item.fill == HIGHLIGHT for item in both) == 2
    places = [(placed.left, placed.top) for placed in market_scene(view, "ours").sprites]
    assert len(places) == len(set(places))


def spaces(scene: Scene) -> set[str]:
    """The spaces of the grid, by row and column."""
    return {placed.mark.id for placed in scene.sprites if placed.mark is not None}


def wide(column: int) -> MarketView:
    """A market of 24 columns, with a company in one of them."""
    view = market({"PRR": (2, 4)})
    rows = [(*row, *[CellView(300 + 10 * c) for c in range(24 - len(row))]) for row in view.rows]
    there = rows[0][column]
    assert there is not None
    rows[0] = (*rows[0][:column], replace(there, tokens=(Badge("LV", "#ff0000"),)), *rows[0][column + 1 :])
    return replace(view, rows=tuple(rows))


def test_of_a_wide_market_what_is_far_to_the_right_is_left_out_while_nobody_is_near() -> None:
    """Cells are large then; the highest price stands in words. A page that zooms shows the whole market."""
    shown, whole = market_scene(wide(11), "ours"), market_scene(wide(11), "ours", whole=True)
    words = [text for placed in shown.sprites for text in texts(placed)]
    assert {"space-0-15", "space-0-16"} <= spaces(whole)
    assert "space-0-15" in spaces(shown)
    assert "space-0-16" not in spaces(shown)
    assert any(text.startswith("Further to the right: up to $") for text in words)
    assert (shown.sprites[0].sprite.width, whole.sprites[0].sprite.width) == (86, 66)
    assert market_scene(wide(14), "ours") == market_scene(wide(14), "ours", whole=True)


def cells(view: MarketView) -> list[tuple[Item, ...]]:
    """What is drawn in every cell."""
    return [placed.sprite.items for placed in market_scene(view, "ours").sprites[:-3]]


def lettered(items: tuple[Item, ...]) -> list[str]:
    return [item.text for item in items if isinstance(item, Text)]


def informs(item: Item) -> bool:
    return isinstance(item, Text) or (isinstance(item, Polygon) and item.fill == HIGHLIGHT)
