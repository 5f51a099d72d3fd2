"""Large letters: shown at the same width, what is written is larger, and everything is still there."""

from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from statistics import median

import pytest

from engine.game import Game
from engine.record import load_game
from engine.tell.view_builders import (
    market_view,
    phases_view,
    table_view,
    tiles_view,
)
from render.choices import LARGE
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


def sizes(scene: Scene) -> dict[str, float]:
    """By what is written: the largest em, as a part of the picture's width."""
    found: dict[str, float] = {}
    for placed in scene.sprites:
        for item in placed.sprite.items:
            if isinstance(item, Text):
                found[item.text] = max(found.get(item.text, 0.0), item.size / scene.width)
    return found


@pytest.mark.parametrize("name", WHOLE)
def test_large_letters(name: str) -> None:
    draw = WHOLE[name]()
    usual, large = sizes(draw("ours")), sizes(draw(f"ours{LARGE}"))
    both = usual.keys() & large.keys()
    assert len(both) >= 0.9 * len(usual)  # lines of long sentences may break elsewhere
    assert median(large[text] / usual[text] for text in both) > GROWN.get(name, 1.2)
    assert all(large[text] >= usual[text] for text in both)


def test_large_themes_keep_their_colours() -> None:
    draw = WHOLE["table"]()
    for theme in THEMES:
        assert draw(f"{theme}{LARGE}").ground == draw(theme).ground
        assert draw(f"{theme}{LARGE}").palette == draw(theme).palette
