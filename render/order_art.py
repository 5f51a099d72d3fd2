"""The operating order as a list: number, token, price, president, and how far its turn has come."""

from collections.abc import Iterator, Sequence

from engine.views import OrderView
from render.metrics import fitting, shortened
from render.panel_art import Block
from render.scene import Disc, Item, Polygon, Polyline, RoundedBox, Text, Weight
from render.stop_art import token
from render.theme import HIGHLIGHT, Theme, mix

_ROW = 44
_HEAD = 40


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
    who = line.president if line.floated else f"{line.president} (not floated)" if line.president else ""
    size = fitting(who, width - 196, 24, smallest=19)
    weight: Weight = "bold" if line.floated else "regular"
    yield Text(x + 186, y, shortened(who, width - 196, size), size, ink, weight, "left")
