"""Whole pictures: they decode, have the promised size and mode, and the same view gives the same bytes."""

from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from typing import Any

import pytest
from PIL import Image

import render
from engine.tell.views import MarketView
from render.maps.panel_art import panel_blocks
from render.raster import png, split_into_parts
from render.scene import Disc, PlacedSprite, Polygon, Polyline, RoundedBox, Scene, Sprite, Text
from render.theme import THEMES, rgb, theme_named
from tests.render.sales import sales
from tests.render.sheets import company, market, player, scores, standings
from tests.render.views import LAID, board, busy, late

AT = {"PRR": (1, 16), "B&O": (0, 9), "C&O": (0, 9), "SRR": (2, 4), "LV": (2, 4), "C&A": (2, 4), "N&W": (2, 4)}
LAST_MOVE = "#d6006c"


def moved() -> MarketView:
    return market(AT, [("B&O", (0, 8), (0, 9)), ("SRR", (3, 4), (2, 4))])


def opened(data: bytes) -> Image.Image:
    picture = Image.open(BytesIO(data))
    picture.load()
    return picture


def count(data: bytes, colour: str) -> int:
    colours = opened(data).convert("RGB").getcolors(1 << 24) or []
    return sum(number for number, value in colours if value == rgb(colour))


@pytest.mark.parametrize("theme", ["ours", "dark"])
@pytest.mark.parametrize(
    ("draw", "view", "width", "least", "most"),
    [
        (render.render_map, busy, 1462, 1.2, 1.7),
        (render.render_market, moved, 1492, 1.2, 2.2),
        (render.render_scores, scores, 1200, 1.2, 2.2),
        (render.render_company, company, 1000, 1.2, 1.8),
        (render.render_player, player, 1000, 1.2, 1.8),
        (render.render_table, late, 1204, 1.0, 1.8),
        (render.render_standings, lambda: standings(7), 1200, 0.7, 1.0),
        (render.render_sale, lambda: sales()["bids"], 1160, 0.5, 1.8),
    ],
)
def test_picture_is_small_and_opaque(
    draw: Callable[..., bytes], view: Callable[[], Any], width: int, least: float, most: float, theme: str
) -> None:
    """With a palette, about as high as Discord shows it, and the same each time."""
    data = draw(view(), theme=theme)
    picture = opened(data)
    assert (picture.mode, picture.width, "transparency" in picture.info) == ("P", width, False)
    assert least <= picture.width / picture.height <= most
    assert len(data) < 150_000
    assert draw(view(), theme=theme) == data


def test_parts_of_a_sprite_show_the_same() -> None:
    """Nothing is cut off: a line is as wide as it is."""
    items = (
        Polyline(((20.0, 20.0), (60.0, 20.0)), "#ff0000", 9),
        Polygon(((100.0, 10.0), (130.0, 10.0), (115.0, 40.0)), "#00ff00"),
        Disc(30.0, 70.0, 15.0, "#0000ff"),
        RoundedBox(80.0, 60.0, 120.0, 90.0, 4, "#ff00ff"),
        Text(160, 70, "Ab", 20, "#000000"),
    )
    sprite = Sprite(200, 100, "#ffffff", items)
    colours = ("#ffffff", "#ff0000", "#00ff00", "#0000ff", "#ff00ff", "#000000")
    whole, split = (
        png(Scene(200, 100, "#ffffff", shown, colours))
        for shown in ((PlacedSprite(sprite, 0, 0),), split_into_parts(sprite))
    )
    assert len(split_into_parts(sprite)) == len(items)
    assert split == whole
    picture = opened(whole).convert("RGB")
    for place, colour in {(40, 17): "#ff0000", (58, 23): "#ff0000", (115, 25): "#00ff00"}.items():
        assert picture.getpixel(place) == rgb(colour)


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"centre": ("Z9",)}, "there is no hex Z9"),
        ({"theme": "neon"}, "there is no theme 'neon'; themes are ours, safe, dark"),
    ],
)
def test_picture_refusals(more: dict[str, str], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        render.render_map(board(), **more)


def test_last_move_and_route_are_seen() -> None:
    """Also at the edge of the map, where it is outlined on the page, and on the market."""
    plain, marked = render.render_map(board(LAID)), render.render_map(busy())
    for colour in (LAST_MOVE, theme_named("ours").numbered_line_colour(0)):
        assert count(marked, colour) > count(plain, colour) + 500
    inner = replace(board({"G7": ("9", 0)}), fresh_hexes=("G7",))
    outer = replace(board({"L4": ("7", 0)}), fresh_hexes=("L4",))
    seen = [count(render.render_map(view), LAST_MOVE) for view in (inner, outer)]
    assert abs(seen[0] - seen[1]) < 0.1 * seen[0]
    assert count(render.render_market(moved()), LAST_MOVE) > count(
        render.render_market(market(AT)), LAST_MOVE
    )


def test_bank_pool_of_a_map() -> None:
    view = replace(board(), trains_in_pool=(("2", 80), ("2", 80), ("3", 180)))
    (facts, strip), *_ = panel_blocks(view, THEMES["ours"], 72, 1300)
    for block in (facts, strip()):
        words = [item.text for item in block.items if isinstance(item, Text)]
        assert words.count("Bank pool: 2 for $80 (2 of them), 3 for $180") == 1
