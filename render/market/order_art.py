"""The operating order as a list: number, token, price, president, and how far its turn has come."""

from collections.abc import Iterator, Sequence

from engine.tell.views import OrderView
from render.hexes.stop_art import token
from render.maps.block import Block
from render.metrics import fitting, shortened, text_width
from render.scene import Disc, Item, Polygon, Polyline, RoundedBox, Text, Weight
from render.theme import HIGHLIGHT, Theme, mix

_ROW = 44
_HEAD = 40
_MARKER = 18
"""Em of a marker's words."""


def order_block(order: Sequence[OrderView], theme: Theme, width: int, *, columns: int = 1) -> Block:
    """The operating order in one or more columns, each read downward."""
    rows = -(-len(order) // columns)
    step = width / columns
    title = "Operating order" if order else "No company has started"
    items: list[Item] = [Text(0, 18, title, 26, theme.ink, "black", "left")]
    for i, line in enumerate(order):
        column, row = divmod(i, max(1, rows))
        items.extend(_line(i, line, theme, column * step, _HEAD + row * _ROW, step - 12))
    return Block(width, _HEAD + rows * _ROW + 4, tuple(items))


def _line(i: int, line: OrderView, theme: Theme, x: float, top: float, width: float) -> Iterator[Item]:
    y = top + _ROW / 2
    ink = theme.ink if line.progress != "done" else mix(theme.page, theme.ink, 0.62)
    if line.progress == "acting":
        yield RoundedBox(x, top + 2, x + width, top + _ROW - 2, 8, theme.sheet, HIGHLIGHT, 2.5)
        yield Polygon(((x + 6, y - 9), (x + 20, y), (x + 6, y + 9)), HIGHLIGHT)
    elif line.progress == "done":
        yield Polyline(((x + 6, y), (x + 11, y + 6), (x + 21, y - 8)), ink, 3.5)
    yield Text(x + 52, y, f"{i + 1}", 24, ink, "bold", "right")
    yield from token(x + 82, y, 20, line.badge)
    if line.progress == "done":
        yield Disc(x + 82, y, 12.5, theme.page)
        yield Text(x + 82, y, line.badge.company, fitting(line.badge.company, 24, 12), ink, "bold")
    yield Text(x + 170, y, f"${line.price}", 25, ink, "bold", "right")
    room = width - 196
    for marker in line.markers:
        wide = text_width(marker) * _MARKER + 16
        room -= wide + 6
        x0 = x + 186 + room + 10
        yield RoundedBox(x0, y - 13, x0 + wide, y + 13, 13, theme.sheet, ink, 2)
        yield Text(x0 + wide / 2, y, marker, _MARKER, theme.ink, "bold")
    yield from _president(line, (x + 186, y), room, ink)


def _president(line: OrderView, at: tuple[float, float], room: float, ink: str) -> Iterator[Item]:
    """The name, cut where it is too long; that the company has not floated is never cut."""
    weight: Weight = "bold" if line.floated else "regular"
    note = "" if line.floated or not line.president else " (not floated)"
    size = fitting(line.president + note, room, 24, weight, smallest=19)
    name = shortened(line.president, room - text_width(note, weight) * size, size, weight)
    yield Text(*at, name + note, size, ink, weight, "left")
