"""Charts of things to come: the phase chart, trains left in the bank, and tiles left."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from engine.views import ComingView, PhasesView, PhaseView, TableView, TilesView, TileView
from render.font_metrics import fitted, fitting, heading, wrapped
from render.hexes.hex_art import Overlay
from render.hexes.hex_geometry import HexGrid
from render.maps.map_art import hex_sprite
from render.scene import Block, Colour, Disc, Item, Placed, Polygon, RoundedBox, Scene, Sprite, Text
from render.theme import HIGHLIGHT, Theme, ink_on, palette, theme_named

_EDGE: Final = 20
_HEAD: Final = 66
_LINE: Final = 29
_EM: Final = 24
_CARD: Final = 62
_COMING_EM: Final = 21
_COMING_LINE: Final = 25


class _Columns(NamedTuple):
    """Column positions of the phase chart; `changes` is None if the changes are below the other columns."""

    width: int
    phase: int
    starts: int
    tiles: int
    limit: int
    rounds: int
    changes: int | None

    def headings(self) -> Iterator[tuple[str, int]]:
        """The words above each."""
        yield from zip(("Phase", "Starts with", "Tiles", "Limit", "ORs"), self[1:6], strict=True)
        if self.changes is not None:
            yield "Changes", self.changes

    @property
    def room_for_changes(self) -> int:
        """Pixels for what changes."""
        return self.width - _EDGE - (self.starts if self.changes is None else self.changes) - 12


_WIDE: Final = _Columns(1160, 40, 130, 372, 520, 606, 670)
_LARGE: Final = _Columns(800, 40, 130, 400, 560, 660, None)


def phases_scene(view: PhasesView, theme_name: str) -> Scene:
    """Phases that are over are pale, the one in force is framed."""
    theme = theme_named(theme_name)
    at = _LARGE if theme.large else _WIDE
    sprites = [Placed(Sprite(at.width, _HEAD + 40, theme.page, tuple(_head(view, theme, at))), 0, 0)]
    top = _HEAD + 40
    for phase in view.phases:
        lines = wrapped("; ".join(phase.changes), at.room_for_changes, _EM, "bold")
        height = (max(1, len(lines)) + (bool(lines) and at.changes is None)) * _LINE + 20
        items = tuple(_row(phase, lines, height, theme, at))
        sprites.append(Placed(Sprite(at.width - 2 * _EDGE, height, theme.page, items), _EDGE, top))
        top += height
    return Scene(at.width, top + 16, theme.page, tuple(sprites), palette(theme_name, ()))


def _head(view: PhasesView, theme: Theme, at: _Columns) -> Iterator[Item]:
    yield from heading(view.title, view.caption, at.width - _EDGE, theme.ink, x=_EDGE)
    for words, x in at.headings():
        yield Text(_EDGE + x, _HEAD + 18, words, 21, theme.soft, "bold", "left")


def _row(phase: PhaseView, lines: tuple[str, ...], height: int, theme: Theme, at: _Columns) -> Iterator[Item]:
    over = phase.reached and not phase.current
    ground = theme.pale if over else theme.sheet
    ink = theme.soft if over else theme.ink
    rim = HIGHLIGHT if phase.current else None
    yield RoundedBox(0, 2, at.width - 2 * _EDGE, height - 2, 8, ground, rim, 3)
    y = 10 + _LINE / 2
    if phase.current:
        yield Polygon(((12, y - 9), (28, y), (12, y + 9)), HIGHLIGHT)
    yield fitted(at.phase, y, phase.name, 84, 28, ink, "black", "left")
    started = phase.started_by or "the game"
    yield fitted(at.starts, y, started, 232, _EM, ink, align="left")
    for i, colour in enumerate(phase.tiles):
        paint = theme.ground(colour)
        yield Disc(at.tiles + 14 + i * 32, y, 13, paint, theme.ink, 1.5)
        yield Text(at.tiles + 14 + i * 32, y, f"{i + 1}", 15, ink_on(paint), "bold")
    yield Text(at.limit + 20, y, f"{phase.train_limit}", 26, ink, "bold")
    yield Text(at.rounds + 16, y, f"{phase.operating_rounds}", 26, ink, "bold")
    x, below = (at.starts, y + _LINE) if at.changes is None else (at.changes, y)
    for i, line in enumerate(lines):
        yield Text(x, below + i * _LINE, line, _EM, ink, "bold", "left")


def coming_block(view: TableView, theme: Theme, note: str, width: int) -> Block:
    """A line for each kind of train, the next one first; below it the bank pool, and a note on signs."""
    others = "".join(f", {kind} {limit}" for kind, limit in view.train_limits)
    what = "Trains in the bank" if view.trains else "No train is left in the bank"
    words = f"{what} (limit {view.train_limit}{others})"
    items: list[Item] = [fitted(0, 20, words, width, 23, theme.soft, align="left")]
    y = 42.0
    for train in view.trains:
        lines = wrapped(_changes_text(train), width - _CARD - 140, _COMING_EM, "bold")
        items.extend(_coming_line(train, lines, theme, y))
        y += max(44, len(lines) * _COMING_LINE + 10)
    if view.pool:
        pool = "Pool: " + ", ".join(f"{name} ${price}" for name, price in view.pool)
        items.append(fitted(0, y + 16, pool, width, 24, theme.ink, align="left"))
        y += 40
    items.append(Text(0, y + 14, note, fitting(note, width, 19), theme.soft, "regular", "left"))
    y += 30
    return Block(width, round(y), tuple(items))


def _changes_text(train: ComingView) -> str:
    """A phase's changes in a line: `3 rust, green tiles, limit 3`."""
    return ", ".join(train.brings).replace(":,", ":")


def _coming_line(train: ComingView, lines: tuple[str, ...], theme: Theme, top: float) -> Iterator[Item]:
    y = top + 20
    ink = ink_on(theme.sheet)
    yield RoundedBox(0, top + 1, _CARD - 8, top + 39, 7, theme.sheet, theme.soft, 1.5)
    yield fitted((_CARD - 8) / 2, y, train.train, _CARD - 18, 27, ink, "black")
    count = "∞" if train.left is None else f"×{train.left}"
    yield Text(_CARD, y, count, 24, theme.ink, "bold", "left")
    yield Text(_CARD + 126, y, f"${train.price}", 24, theme.ink, "bold", "right")
    for i, line in enumerate(lines):
        yield Text(_CARD + 140, y + i * _COMING_LINE, line, _COMING_EM, theme.ink, "bold", "left")


_RADIUS: Final = 52
_ACROSS: Final = 9
_FEW: Final = 6
"""Tiles a row in large letters."""
_STEP: Final = 126
_DOWN: Final = 150
_TILES_EDGE: Final = 18


def tiles_scene(view: TilesView, theme_name: str) -> Scene:
    """Nine tiles a row, in large letters six; one that is used up is crossed out in words: none left."""
    theme = theme_named(theme_name)
    across = _FEW if theme.large else _ACROSS
    width = 2 * _TILES_EDGE + across * _STEP
    rows = -(-len(view.tiles) // across)
    sprites = [_tiles_head(view, theme, width)]
    for i, tile in enumerate(view.tiles):
        row, column = divmod(i, across)
        sprites.extend(_tile(tile, view, theme, (_TILES_EDGE + column * _STEP, _HEAD + row * _DOWN)))
    return Scene(width, _HEAD + rows * _DOWN + 8, theme.page, tuple(sprites), palette(theme_name, ()))


def _tiles_head(view: TilesView, theme: Theme, width: int) -> Placed:
    room = width - 2 * _TILES_EDGE
    items = heading(view.title, f"Tiles left   {view.caption}", room, theme.ink)
    return Placed(Sprite(room, _HEAD - 4, theme.page, items), _TILES_EDGE, 0)


def _tile(tile: TileView, view: TilesView, theme: Theme, at: tuple[int, int]) -> Iterator[Placed]:
    x, y = at
    sprite = hex_sprite(tile.hex, view.layout, _RADIUS, theme.name, Overlay())
    half_x, half_y = HexGrid(view.layout, _RADIUS).half
    yield Placed(sprite, x + _STEP // 2 - half_x - 2, y + 54 - half_y - 2)
    gone = tile.left == 0
    ink = theme.soft if gone else theme.ink
    yield Placed(_words(f"{tile.hex.tile}", _number_left(tile), theme.page, ink), x, y + 108)


def _number_left(tile: TileView) -> str:
    if tile.left is None:
        return "any number"
    return "none left" if tile.left == 0 else f"{tile.left} of {tile.count}"


@lru_cache(maxsize=512)
def _words(number: str, left: str, ground: Colour, ink: Colour) -> Sprite:
    text = f"{number}: {left}"
    return Sprite(_STEP, 34, ground, (fitted(_STEP / 2, 15, text, _STEP - 6, 22, ink),))
