"""The phase chart as a scene: a row a phase, with its tiles, limits, rounds, and what it changes."""

from collections.abc import Iterator
from typing import Final

from engine.tell.views import PhasesView, PhaseView
from render.legend_art import wrapped
from render.metrics import fitting, text_width
from render.scene import Disc, Item, Placed, Polygon, RoundedBox, Scene, Sprite, Text
from render.theme import HIGHLIGHT, Theme, letters_on, mix, palette, theme_named

WIDTH: Final = 1160
_EDGE: Final = 20
_HEAD: Final = 66
_LINE: Final = 29
_EM: Final = 24
_AT: Final = {"Phase": 40, "Starts with": 130, "Tiles": 372, "Limit": 520, "ORs": 606, "Changes": 670}


def phases_scene(view: PhasesView, theme_name: str) -> Scene:
    """Phases that are over are pale, the one in force is framed."""
    theme = theme_named(theme_name)
    sprites = [Placed(Sprite(WIDTH, _HEAD + 40, theme.page, tuple(_head(view, theme))), 0, 0)]
    top = _HEAD + 40
    for phase in view.phases:
        lines = wrapped("; ".join(phase.changes), WIDTH - _EDGE - _AT["Changes"] - 12, _EM, "bold")
        height = max(1, len(lines)) * _LINE + 20
        items = tuple(_row(phase, lines, height, theme))
        sprites.append(Placed(Sprite(WIDTH - 2 * _EDGE, height, theme.page, items), _EDGE, top))
        top += height
    return Scene(WIDTH, top + 16, theme.page, tuple(sprites), palette(theme_name, ()))


def _head(view: PhasesView, theme: Theme) -> Iterator[Item]:
    after = text_width(view.title, "black") * 34 + _EDGE + 24
    yield Text(_EDGE, 34, view.title, 34, theme.ink, "black", "left")
    size = fitting(view.caption, WIDTH - after - _EDGE, 26)
    yield Text(after, 36, view.caption, size, theme.ink, "bold", "left")
    for words, x in _AT.items():
        yield Text(_EDGE + x, _HEAD + 18, words, 21, mix(theme.page, theme.ink, 0.72), "bold", "left")


def _row(phase: PhaseView, lines: tuple[str, ...], height: int, theme: Theme) -> Iterator[Item]:
    over = phase.reached and not phase.current
    ground = mix(theme.page, theme.sheet, 0.35) if over else theme.sheet
    ink = mix(theme.page, theme.ink, 0.72) if over else theme.ink
    rim = HIGHLIGHT if phase.current else None
    yield RoundedBox(0, 2, WIDTH - 2 * _EDGE, height - 2, 8, ground, rim, 3)
    y = 10 + _LINE / 2
    if phase.current:
        yield Polygon(((12, y - 9), (28, y), (12, y + 9)), HIGHLIGHT)
    yield Text(_AT["Phase"], y, phase.name, fitting(phase.name, 84, 28, "black"), ink, "black", "left")
    started = phase.started_by or "the game"
    yield Text(_AT["Starts with"], y, started, fitting(started, 232, _EM), ink, "bold", "left")
    for i, colour in enumerate(phase.tiles):
        paint = theme.ground(colour)
        yield Disc(_AT["Tiles"] + 14 + i * 32, y, 13, paint, theme.ink, 1.5)
        yield Text(_AT["Tiles"] + 14 + i * 32, y, f"{i + 1}", 15, letters_on(paint), "bold")
    yield Text(_AT["Limit"] + 20, y, f"{phase.train_limit}", 26, ink, "bold")
    yield Text(_AT["ORs"] + 16, y, f"{phase.operating_rounds}", 26, ink, "bold")
    for i, line in enumerate(lines):
        yield Text(_AT["Changes"], y + i * _LINE, line, _EM, ink, "bold", "left")
