"""The legend of the marks on a map: each kind as drawn there, with what it means."""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Final, TypeAlias

from engine.tell.views import MapView, MarkView
from render.font_metrics import text_width
from render.hexes.mark_art import mark_items, sizes
from render.scene import Block, Frame, Item, Text, Weight, placed
from render.theme import Theme, mix

_Words: TypeAlias = tuple[tuple[MarkView, str], ...]
_SCALE: Final = 84
"""Pixels of a hex side as which the marks are drawn."""
_MARGIN: Final = 66
_EM: Final = 19
_LINE: Final = 23
_HEAD: Final = 28
_GAP: Final = 24


def legend(view: MapView, theme: Theme, width: int) -> Block | None:
    """One mark under the other; None when the map has none."""
    return _legend(view.mark_words, theme, width) if view.mark_words else None


@lru_cache(maxsize=256)
def _legend(words_of: _Words, theme: Theme, width: int) -> Block:
    items: list[Item] = [
        Text(0, 12, "Marks on the map", 20, mix(theme.page, theme.ink, 0.72), "bold", "left")
    ]
    y = float(_HEAD)
    for mark, words in words_of:
        lines = wrapped(words, width - _MARGIN)
        items.extend(_entry(mark, lines, theme, (0.0, y)))
        y += _tall(lines)
    return Block(width, round(y), tuple(items))


def legend_strip(view: MapView, theme: Theme, width: int) -> Block:
    """The same in three columns, for the space below a map."""
    return _strip(view.mark_words, theme, width)


@lru_cache(maxsize=256)
def _strip(words_of: _Words, theme: Theme, width: int) -> Block:
    step = (width - 2 * _GAP) / 3
    entries = [(mark, wrapped(words, step - _MARGIN)) for mark, words in words_of]
    rows = -(-len(entries) // 3)
    items: list[Item] = []
    lowest = 0.0
    for column in range(3):
        y = 0.0
        for mark, lines in entries[column * rows : (column + 1) * rows]:
            items.extend(_entry(mark, lines, theme, (column * (step + _GAP), y)))
            y += _tall(lines)
        lowest = max(lowest, y)
    return Block(width, round(lowest), tuple(items))


def wrapped(words: str, width: float, em: float = _EM, weight: Weight = "regular") -> tuple[str, ...]:
    """The words on lines no wider than this in pixels at this em, broken at blanks."""
    lines: list[str] = []
    for word in words.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, weight) * em <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return tuple(lines)


def _tall(lines: tuple[str, ...]) -> float:
    return max(34, len(lines) * _LINE + 8)


def _entry(mark: MarkView, lines: tuple[str, ...], theme: Theme, at: tuple[float, float]) -> Iterator[Item]:
    x, y = at
    middle = y + _tall(lines) / 2
    shown = replace(mark, text=mark.text[:5])
    size = sizes(shown)[0]
    frame = Frame(x + _MARGIN / 2 - 4, middle, min(_SCALE, (_MARGIN - 12) / size[0]))
    yield from placed(mark_items(shown, (0.0, 0.0), size), frame)
    for i, line in enumerate(lines):
        below = middle + (i - (len(lines) - 1) / 2) * _LINE
        yield Text(x + _MARGIN, below, line, _EM, theme.ink, "regular", "left")
