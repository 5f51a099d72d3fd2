"""Whole pictures: they decode, have the promised size and mode, and the same view gives the same bytes."""

from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image

import render
from engine.tell.views import MapView, RunView
from render.maps.panel_art import blocks
from render.raster import _stamp
from render.scene import Text
from render.theme import THEMES, ink_on, mix, palette, rgb, theme_named
from render.theme import company as paint
from tests.render.boards import board
from tests.render.sheets import company, market, player, scores

LAID = {
    "H6": ("X5", 0),
    "H4": ("14", 0),
    "G5": ("8", 0),
    "F4": ("9", 1),
    "G7": ("20", 0),
    "F8": ("X2", 0),
    "J4": ("X3", 0),
    "I5": ("58", 2),
    "K5": ("56", 0),
    "J6": ("57", 1),
}


def busy() -> MapView:
    """A board in phase 3 with a fresh tile, a fresh token and a route."""
    view = board(LAID, [("H6", 0, "B&O"), ("H4", 0, "SRR"), ("H4", 0, "B&O")], step=1)
    run = RunView("3", "40+30", 70, (("H6", 6, 3), ("H4", 0, 6)), (("H6", 0, True), ("H4", 0, True)))
    return replace(view, fresh_hexes=("H4",), fresh_tokens=(("H4", 0, 1),), runs=(run,))


def opened(data: bytes) -> Image.Image:
    picture = Image.open(BytesIO(data))
    picture.load()
    return picture


def count(picture: Image.Image, colour: str) -> int:
    """How many pixels have exactly this colour."""
    colours = picture.convert("RGB").getcolors(1 << 24) or []
    return sum(number for number, value in colours if value == rgb(colour))


@pytest.mark.parametrize("theme", sorted(THEMES))
def test_map_is_a_small_opaque_palette_picture(theme: str) -> None:
    data = render.render_map(busy(), theme=theme)
    picture = opened(data)
    assert picture.mode == "P"
    assert "transparency" not in picture.info
    assert len(data) < 150_000
    assert picture.width == 1462
    assert 1.2 <= picture.width / picture.height <= 1.7


def test_printed_map_has_the_size_of_its_extent() -> None:
    assert opened(render.render_map(board())).size == (1462, 1060)


def test_same_view_same_bytes_even_drawn_again() -> None:
    first = render.render_map(busy())
    assert render.render_map(busy()) == first
    _stamp.cache_clear()
    assert render.render_map(busy()) == first


def test_close_up_shows_fewer_hexes_larger() -> None:
    picture = opened(render.render_map(busy(), centre=("H4",)))
    assert 1100 <= picture.width <= 1250
    assert 1.1 <= picture.width / picture.height <= 1.4


def test_close_up_of_a_corner_stays_on_the_map() -> None:
    page = rgb(THEMES["ours"].page)
    for coord in ("A13", "L2"):
        picture = opened(render.render_map(board(), centre=(coord,))).convert("RGB")
        middle = [picture.getpixel((x, 400)) for x in range(0, picture.width, 8)]
        assert sum(pixel != page for pixel in middle) > len(middle) / 2


def test_close_up_of_an_unknown_hex_is_refused() -> None:
    with pytest.raises(ValueError, match="there is no hex Z9"):
        render.render_map(board(), centre=("Z9",))


def test_unknown_theme_is_refused() -> None:
    with pytest.raises(ValueError, match="there is no theme 'neon'; themes are ours, safe, dark"):
        render.render_map(board(), theme="neon")


def test_last_move_and_route_are_seen() -> None:
    plain, marked = opened(render.render_map(board(LAID))), opened(render.render_map(busy()))
    assert count(marked, "#d6006c") > count(plain, "#d6006c") + 500
    paint = theme_named("ours").line(0)
    assert count(marked, paint) > count(plain, paint) + 500


def test_move_at_the_edge_of_the_map_is_outlined_on_the_page() -> None:
    inner = replace(board({"G7": ("9", 0)}), fresh_hexes=("G7",))
    outer = replace(board({"L4": ("7", 0)}), fresh_hexes=("L4",))
    seen = [count(opened(render.render_map(view)), "#d6006c") for view in (inner, outer)]
    assert abs(seen[0] - seen[1]) < 0.1 * seen[0]


def test_current_off_board_value_changes_the_picture() -> None:
    assert render.render_map(board(step=0)) != render.render_map(board(step=1))


@pytest.mark.parametrize("theme", sorted(THEMES))
def test_market_and_scores_are_palette_pictures(theme: str) -> None:
    at = {
        "PRR": (1, 16),
        "B&O": (0, 9),
        "C&O": (0, 9),
        "SRR": (2, 4),
        "LV": (2, 4),
        "C&A": (2, 4),
        "N&W": (2, 4),
    }
    view = market(at, [("B&O", (0, 8), (0, 9)), ("SRR", (3, 4), (2, 4))])
    for data, width in (
        (render.render_market(view, theme=theme), 1492),
        (render.render_scores(scores(), theme=theme), 1200),
    ):
        picture = opened(data)
        assert picture.mode == "P"
        assert picture.width == width
        assert 1.2 <= picture.width / picture.height <= 2.2
        assert len(data) < 150_000


@pytest.mark.parametrize("theme", sorted(THEMES))
def test_sheets_are_palette_pictures(theme: str) -> None:
    for data in (render.render_company(company(), theme=theme), render.render_player(player(), theme=theme)):
        picture = opened(data)
        assert picture.mode == "P"
        assert picture.width == 1000
        assert 1.2 <= picture.width / picture.height <= 1.8


def test_company_that_has_not_started_has_a_sheet() -> None:
    new = replace(company(), president=None, par=None, price=None, floated=False, trains=(), tokens_placed=())
    new = replace(new, tokens_left=(0, 40), privates=(), holders=(), offering=100, market=0, last_run=None)
    assert opened(render.render_company(new)).height < opened(render.render_company(company())).height


def test_market_move_is_drawn_in_the_highlight() -> None:
    at = {"B&O": (0, 9)}
    still, moved = market(at), market(at, [("B&O", (1, 9), (0, 9))])
    assert count(opened(render.render_market(moved)), "#d6006c") > count(
        opened(render.render_market(still)), "#d6006c"
    )


@pytest.mark.parametrize("theme", sorted(THEMES))
def test_palette_holds_every_ground_and_company_exactly(theme: str) -> None:
    companies = ("#237333", "#000000", "#d81e3e", "#0189d1", "#a2dced", "#fff500", "#f48221", "#7b352a")
    colours = palette(theme, companies)
    assert len(colours) == len(set(colours)) <= 256
    assert {paint(colour) for colour in companies} <= set(colours)
    assert set(THEMES[theme].tiles.values()) <= set(colours)


def test_letters_go_by_contrast() -> None:
    assert ink_on("#fff500") == "#000000"
    assert ink_on("#237333") == "#ffffff"
    assert mix("#000000", "#ffffff", 0.5) == "#808080"


def test_bank_pool_names_trains_and_prices() -> None:
    view = replace(board(), trains_in_pool=(("2", 80), ("2", 80), ("3", 180)))
    (facts, strip), *_ = blocks(view, THEMES["ours"], 72, 1300)
    for block in (facts, strip()):
        words = [item.text for item in block.items if isinstance(item, Text)]
        assert "Bank pool: 2 for $80 (2 of them), 3 for $180" in words
