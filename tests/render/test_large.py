"""Large letters: shown at the same width, what is written is larger, and everything is still there."""

from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from statistics import median

import pytest

from engine.core.offers import Cursor
from engine.game import Game
from engine.record import load_game
from engine.tell.view_builders import (
    lay_views,
    map_view,
    market_view,
    phases_view,
    spot_pages,
    table_view,
    tiles_view,
)
from render.choices import LARGE
from render.maps.map_art import close_up_scene
from render.maps.numbered_hexes_and_tiles import lays_scene
from render.scene import Scene, Text
from render.sheets.market_art import market_scene
from render.sheets.sale_art import sale_scene
from render.sheets.supply_art import phases_scene, tiles_scene
from render.sheets.table_art import table_scene
from render.theme import THEMES
from tests.render.sales import sales


@cache
def late() -> Game:
    """A golden game with many companies."""
    return load_game((Path(__file__).parents[1] / "golden" / "18newengland-bank-3p.json").read_bytes(), 240)


Draw = Callable[[str], Scene]
WHOLE: dict[str, Callable[[], Draw]] = {
    "table": lambda: partial(table_scene, table_view(late())),
    "tiles": lambda: partial(tiles_scene, tiles_view(late())),
    "phases": lambda: partial(phases_scene, phases_view(late())),
    "market": lambda: partial(market_scene, market_view(late())),
    "sale": lambda: partial(sale_scene, sales()["bids"]),
}
"""Pictures that show the same in both sizes."""
GROWN = {"market": 1.08}
"""How much larger half of the writing must be, where prices alone grow; elsewhere a fifth."""


def sizes(scene: Scene) -> dict[str, float]:
    """By what is written: the largest em, as a part of the picture's width."""
    found: dict[str, float] = {}
    for placed in scene.sprites:
        for item in placed.sprite.items:
            if isinstance(item, Text):
                found[item.text] = max(found.get(item.text, 0.0), item.size / scene.width)
    return found


@pytest.mark.parametrize("name", WHOLE)
def test_letters_are_larger_and_none_is_missing(name: str) -> None:
    draw = WHOLE[name]()
    usual, large = sizes(draw("ours")), sizes(draw(f"ours{LARGE}"))
    both = usual.keys() & large.keys()
    assert len(both) >= 0.9 * len(usual)  # lines of long sentences may break elsewhere
    assert median(large[text] / usual[text] for text in both) > GROWN.get(name, 1.2)
    assert all(large[text] >= usual[text] for text in both)


def test_a_close_up_shows_fewer_hexes_in_larger_letters() -> None:
    draw = partial(close_up_scene, map_view(late()), centre=["E4"])
    usual, large = sizes(draw("ours")), sizes(draw(f"ours{LARGE}"))
    assert large["E4"] > 1.4 * usual["E4"]
    assert len(large) < len(usual)


def test_tiles_to_pick_from_stand_in_fewer_columns() -> None:
    for number in range(200, 420):
        game = load_game((Path(__file__).parents[1] / "golden" / "18tn-bank-3p.json").read_bytes(), number)
        lay = next((Cursor(offer) for offer in game.offers() if offer.kind == "lay_tile"), None)
        if lay is None:
            continue
        lays = max((tuple(lay_views(game, here)) for here in spot_pages(game, lay, 100)[0]), key=len)
        if len(lays) > 9:
            usual = lays_scene(map_view(game), "ours", lays)
            large = lays_scene(map_view(game), f"ours{LARGE}", lays)
            assert large.width == usual.width
            assert large.height > usual.height
            return
    raise AssertionError("nobody could choose among ten tiles")


def test_every_theme_has_large_letters_in_its_own_colours() -> None:
    draw = WHOLE["table"]()
    for theme in THEMES:
        assert draw(f"{theme}{LARGE}").ground == draw(theme).ground
        assert draw(f"{theme}{LARGE}").palette == draw(theme).palette
