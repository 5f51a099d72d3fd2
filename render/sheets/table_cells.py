"""Cells of a table as small sprites: equal cells are drawn once, whichever row they stand in."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from engine.tell.views import Badge
from render.font_metrics import fitting, shortened
from render.scene import Align, Colour, Item, RoundedBox, Sprite, Text, Weight
from render.theme import company, ink_on

ROW: Final = 44
"""Height of a row in pixels."""
EM: Final = 26
_INSET: Final = 8


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: its words, how they stand, and whether they are a filled box in a company's colour."""

    text: str
    align: Align = "right"
    weight: Weight = "bold"
    paint: Colour | None = None
    """Ground of a box around the words, which says: president."""
    size: float = EM


def chip(badge: Badge) -> Cell:
    """A company's letters on its colour."""
    return Cell(badge.company, "middle", "black", company(badge.colour))


@lru_cache(maxsize=1024)
def cell_sprite(cell: Cell, width: int, ground: Colour, ink: Colour, height: int = ROW) -> Sprite:
    """The cell at this width."""
    return Sprite(width, height, ground, tuple(_items(cell, width, height, ink)))


def _items(cell: Cell, width: int, height: int, ink: Colour) -> Iterator[Item]:
    if cell.paint is not None:
        yield RoundedBox(3, 4, width - 3, height - 4, 8, cell.paint, ink, 1)
        ink = ink_on(cell.paint)
    room = width - 2 * _INSET
    size = fitting(cell.text, room, cell.size, cell.weight, smallest=15)
    words = shortened(cell.text, room, size, cell.weight)
    x = {"left": _INSET, "middle": width / 2, "right": width - _INSET}[cell.align]
    yield Text(x, height / 2, words, size, ink, cell.weight, cell.align)
