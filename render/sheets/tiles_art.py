"""The tiles that are left as a scene: each as it is laid, its number and how many of how many below."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from engine.tell.views import TilesView, TileView
from render.font_metrics import fitting, text_width
from render.hexes.hex_art import Overlay
from render.hexes.hexgrid import Grid
from render.maps.map_art import hex_sprite
from render.scene import Colour, Placed, Scene, Sprite, Text
from render.theme import Theme, mix, palette, theme_named

_RADIUS: Final = 52
_ACROSS: Final = 9
_FEW: Final = 6
"""Tiles a row in large letters."""
_STEP: Final = 126
_DOWN: Final = 150
_EDGE: Final = 18
_HEAD: Final = 66


def tiles_scene(view: TilesView, theme_name: str) -> Scene:
    """Nine tiles a row, in large letters six; one that is used up is crossed out in words: none left."""
    theme = theme_named(theme_name)
    across = _FEW if theme.large else _ACROSS
    width = 2 * _EDGE + across * _STEP
    rows = -(-len(view.tiles) // across)
    sprites = [_head(view, theme, width)]
    for i, tile in enumerate(view.tiles):
        row, column = divmod(i, across)
        sprites.extend(_tile(tile, view, theme, (_EDGE + column * _STEP, _HEAD + row * _DOWN)))
    return Scene(width, _HEAD + rows * _DOWN + 8, theme.page, tuple(sprites), palette(theme_name, ()))


def _head(view: TilesView, theme: Theme, width: int) -> Placed:
    words = f"Tiles left   {view.caption}"
    after = text_width(view.title, "black") * 34 + 24
    size = fitting(words, width - 2 * _EDGE - after, 26)
    items = (
        Text(0, 34, view.title, 34, theme.ink, "black", "left"),
        Text(after, 36, words, size, theme.ink, "bold", "left"),
    )
    return Placed(Sprite(width - 2 * _EDGE, _HEAD - 4, theme.page, items), _EDGE, 0)


def _tile(tile: TileView, view: TilesView, theme: Theme, at: tuple[int, int]) -> Iterator[Placed]:
    x, y = at
    sprite = hex_sprite(tile.hex, view.layout, _RADIUS, theme.name, Overlay())
    half_x, half_y = Grid(view.layout, _RADIUS).half
    yield Placed(sprite, x + _STEP // 2 - half_x - 2, y + 54 - half_y - 2)
    gone = tile.left == 0
    ink = mix(theme.page, theme.ink, 0.72) if gone else theme.ink
    yield Placed(_words(f"{tile.hex.tile}", _left(tile), theme.page, ink), x, y + 108)


def _left(tile: TileView) -> str:
    if tile.left is None:
        return "any number"
    return "none left" if tile.left == 0 else f"{tile.left} of {tile.count}"


@lru_cache(maxsize=512)
def _words(number: str, left: str, ground: Colour, ink: Colour) -> Sprite:
    """`57: 3 of 4`."""
    text = f"{number}: {left}"
    return Sprite(_STEP, 34, ground, (Text(_STEP / 2, 15, text, fitting(text, _STEP - 6, 22), ink, "bold"),))
