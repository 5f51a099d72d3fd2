"""The stock market as a scene: grid, legend in words, this turn's price moves, operating order."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from engine.core.ids import Cell
from engine.tell.views import Badge, CellView, MarketView
from render.metrics import fitting, text_width
from render.order_art import order_block
from render.scene import Disc, Item, Placed, Polygon, Polyline, RoundedBox, Scene, Sprite, Text
from render.stop_art import token
from render.theme import BLACK, HIGHLIGHT, WHITE, Theme, company, letters_on, mix, palette, theme_named

_EDGE: Final = 32
_HEAD: Final = 64
_ORDER: Final = 430
"""Width of the operating order beside the grid."""
_TALL: Final = 1.2
"""A grid less wide than this for its height gets the operating order on its right."""


@dataclass(frozen=True, slots=True)
class CellSize:
    """Width and height of a cell in pixels."""

    width: int
    height: int


def market_scene(view: MarketView, theme_name: str) -> Scene:
    """The grid with the operating order beside its short rows, on its right or below it."""
    theme = theme_named(theme_name)
    columns = max(_used(row) for row in view.rows)
    size = CellSize(84, 78) if columns <= 18 else CellSize(64, 64)
    badges = _badges(view)
    sprites = list(_grid(view, size, theme))
    for move in view.moves:
        sprites.extend(_arrow(view, move[1], move[2], size, theme))
    width = 2 * _EDGE + columns * size.width
    bottom = _HEAD + len(view.rows) * size.height
    order = order_block(view.order, theme, _ORDER)
    left, top = _beside(view, size, order.width, order.height)
    if top is None and width < _TALL * (bottom + 100):
        left, top = width, _HEAD
        width += order.width + _EDGE
    legend = _legend(view, theme, width - 2 * _EDGE)
    if top is None:
        order = order_block(view.order, theme, width - 2 * _EDGE, columns=2)
        left, top = _EDGE, bottom + 18 + legend.height + 8
    height = max(bottom + 18 + legend.height + 16, top + order.height + 24)
    sprites.append(_head(view, theme, width))
    sprites.append(Placed(Sprite(order.width, order.height, theme.page, order.items), left, top))
    sprites.append(Placed(legend, _EDGE, bottom + 18))
    return Scene(width, height, theme.page, tuple(sprites), palette(theme_name, badges))


def _badges(view: MarketView) -> tuple[str, ...]:
    found = {line.badge.colour for line in view.order}
    found.update(badge.colour for row in view.rows for cell in row if cell for badge in cell.tokens)
    return tuple(sorted(found))


def _head(view: MarketView, theme: Theme, width: int) -> Placed:
    title = Text(0, 30, view.title, 34, theme.ink, "black", "left")
    after = text_width(view.title, "black") * 34 + 24
    caption = Text(after, 32, view.caption, 25, theme.ink, "bold", "left")
    return Placed(Sprite(width - 2 * _EDGE, _HEAD - 6, theme.page, (title, caption)), _EDGE, 0)


def _at(cell: Cell, size: CellSize) -> tuple[int, int]:
    return _EDGE + cell[1] * size.width, _HEAD + cell[0] * size.height


def _grid(view: MarketView, size: CellSize, theme: Theme) -> Iterator[Placed]:
    for r, row in enumerate(view.rows):
        for c, cell in enumerate(row):
            if cell is not None:
                x, y = _at((r, c), size)
                yield Placed(_cell_sprite(cell, size, theme.name), x - 1, y - 1)


def cell_colour(cell: CellView, theme: Theme) -> str:
    """Ground of a cell: its zone, else the par colour, else the sheet."""
    if cell.zone:
        return theme.zone(cell.zone)
    if cell.end:
        return theme.zone("e")
    return theme.zone("P") if cell.par else theme.sheet


@lru_cache(maxsize=1024)
def _cell_sprite(cell: CellView, size: CellSize, theme_name: str) -> Sprite:
    theme = theme_named(theme_name)
    w, h = size.width, size.height
    ground = cell_colour(cell, theme)
    ink = letters_on(ground)
    line = mix(ground, ink, 0.3)
    items: list[Item] = [RoundedBox(0, 0, w + 1, h + 1, 0, ground, line, 1.4)]
    if cell.par:
        items.append(RoundedBox(3, 3, w - 2, h - 2, 0, None, mix(theme.zone("P"), BLACK, 0.6), 3))
    if cell.end:
        items.append(RoundedBox(3, 3, w - 2, h - 2, 0, None, ink, 2))
        items.append(RoundedBox(7, 7, w - 6, h - 6, 0, None, ink, 2))
    items.extend(_arrows(cell, size, mix(ground, ink, 0.45)))
    if cell.ledge:
        items.extend(_ledge(size, ink))
    price = str(cell.price)
    digits = fitting(price, 0.62 * w, 0.33 * w if len(cell.tokens) < 3 else 0.26 * w)
    inset = 12 if cell.end else 7
    items.append(Text(inset, inset + digits * 0.36, price, digits, ink, "bold", "left"))
    letter = (cell.zone or ("P" if cell.par else "")).upper()
    if letter:
        # Two tokens and more need the lower corner.
        y = h - 13 if len(cell.tokens) < 2 else 15
        inward = 6 if cell.end else 0
        up = inward or (5 if cell.ledge and y > h / 2 else 0)
        items.append(Text(w - 7 - inward, y - up, letter, 0.18 * w, ink, "bold", "right"))
    items.extend(_tokens(cell.tokens, size, ink))
    return Sprite(w + 2, h + 2, ground, tuple(items))


def _arrows(cell: CellView, size: CellSize, colour: str) -> Iterator[Item]:
    w, h = size.width, size.height
    if cell.up_arrow:
        low = (30 if cell.ledge else 26) if cell.zone or cell.par else 10
        yield from _shaft(w - 14, h - low, -1, colour)
    if cell.down_arrow:
        yield from _shaft(13, h - 32, 1, colour)


def _shaft(x: float, y: float, way: int, colour: str) -> Iterator[Item]:
    """A short arrow from (x, y), up (-1) or down (1)."""
    tip = y + way * 24
    yield Polyline(((x, y), (x, y + way * 15)), colour, 5)
    yield Polygon(((x - 8, y + way * 12), (x, tip), (x + 8, y + way * 12)), colour)


def _ledge(size: CellSize, ink: str) -> Iterator[Item]:
    w, h = size.width, size.height
    yield Polyline(((0, h - 1.5), (w + 1, h - 1.5)), ink, 4)
    for i in range(6):
        x = 6 + i * (w - 10) / 5
        yield Polyline(((x, h - 2), (x - 5, h - 8)), ink, 2)


def _tokens(badges: tuple[Badge, ...], size: CellSize, ink: str) -> Iterator[Item]:
    w, h = size.width, size.height
    r = 0.22 * w
    y = h - r - 7
    if len(badges) == 1:
        yield from token(w / 2, y, r, badges[0])
    elif len(badges) == 2:
        yield from token(w / 2 - r - 1, y, r, badges[0])
        yield from token(w / 2 + r + 1, y, r, badges[1])
    elif badges:
        shown = badges if len(badges) == 3 else badges[:2]
        tall = 0.19 * h
        top = h - 3 * (tall + 1) - 3
        for i, badge in enumerate(shown):
            yield from _pill(badge, 5, top + i * (tall + 1), w - 4, tall)
        if len(badges) > 3:
            yield Text(w / 2, top + 2.5 * (tall + 1), f"+{len(badges) - 2}", 0.2 * h, ink, "black")


def _pill(badge: Badge, x0: float, y0: float, x1: float, tall: float) -> Iterator[Item]:
    paint = company(badge.colour)
    yield RoundedBox(x0, y0, x1, y0 + tall, tall / 2, paint, BLACK, 1.2)
    yield Text((x0 + x1) / 2, y0 + tall / 2, badge.company, tall * 0.92, letters_on(paint), "black")


def _arrow(view: MarketView, old: Cell, new: Cell, size: CellSize, theme: Theme) -> Iterator[Placed]:
    """A thin arrow from the old cell to the rim of the new one, cut into the cells it crosses."""
    if old == new:
        return
    across = 0.68 if old[1] == new[1] else 0.5  # a vertical arrow passes the price on its right
    x0, y0 = _at(old, size)[0] + across * size.width, _at(old, size)[1] + 0.62 * size.height
    x1, y1 = _at(new, size)[0] + across * size.width, _at(new, size)[1] + 0.62 * size.height
    reach = min(_share(x1 - x0, 0.5 * size.width), _share(y1 - y0, (0.38 if y1 < y0 else 0.62) * size.height))
    length = math.dist((x0, y0), (x1, y1))
    back = max(0.0, reach - 10 / length)  # the tip stands just inside the new cell, before its token
    x1, y1 = x1 - (x1 - x0) * back, y1 - (y1 - y0) * back
    drawing = tuple(_dart(x0, y0, x1, y1))
    low, high = sorted((old[0], new[0]))
    first, last = sorted((old[1], new[1]))
    for r in range(low, high + 1):
        for c in range(first, last + 1):
            cell = view.rows[r][c] if c < len(view.rows[r]) else None
            left, top = _at((r, c), size)
            if cell is not None:
                base = _cell_sprite(cell, size, theme.name)
                moved = tuple(_moved(item, left - 1, top - 1) for item in drawing)
                yield Placed(
                    Sprite(base.width, base.height, base.ground, (*base.items, *moved)), left - 1, top - 1
                )


def _share(distance: float, part: float) -> float:
    return part / abs(distance) if distance else math.inf


def _moved(item: Item, left: float, top: float) -> Item:
    if isinstance(item, Polygon):
        return Polygon(tuple((x - left, y - top) for x, y in item.points), item.fill)
    if isinstance(item, Polyline):
        return Polyline(tuple((x - left, y - top) for x, y in item.points), item.colour, item.width)
    if isinstance(item, Disc):
        return Disc(item.x - left, item.y - top, item.r, item.fill, item.line, item.width)
    raise TypeError(f"{type(item).__name__} is not part of an arrow")


def _dart(x0: float, y0: float, x1: float, y1: float) -> Iterator[Item]:
    length = math.dist((x0, y0), (x1, y1)) or 1.0
    ux, uy = (x1 - x0) / length, (y1 - y0) / length
    neck = (x1 - ux * 12, y1 - uy * 12)
    head = ((x1, y1), (neck[0] - uy * 9, neck[1] + ux * 9), (neck[0] + uy * 9, neck[1] - ux * 9))
    yield Polyline(((x0, y0), neck), WHITE, 8)
    yield Disc(x0, y0, 8, WHITE)
    yield Disc(x0, y0, 6, HIGHLIGHT)
    yield Polyline(((x0, y0), neck), HIGHLIGHT, 4)
    yield Polygon(head, HIGHLIGHT)


def _used(row: tuple[CellView | None, ...]) -> int:
    """Columns up to the last cell of a row."""
    return max((c + 1 for c, cell in enumerate(row) if cell is not None), default=0)


def _beside(view: MarketView, size: CellSize, width: int, height: int) -> tuple[int, int | None]:
    """Upper left corner for a box right of the short rows, as high as it fits; top None when it does not."""
    columns = max(_used(row) for row in view.rows)
    right = _EDGE + columns * size.width
    for r in range(len(view.rows)):
        longest = max(_used(row) for row in view.rows[r:])
        top = _HEAD + r * size.height + 18
        bottom = _HEAD + len(view.rows) * size.height + 60
        if right - (_EDGE + longest * size.width) >= width + 20 and bottom - top >= height:
            return right - width, top
    return 0, None


def _legend(view: MarketView, theme: Theme, width: int) -> Sprite:
    items: list[Item] = []
    x, y = 0.0, 20.0
    for letter, words in view.legend:
        ground = theme.zone(letter)
        wide = text_width(words, "regular") * 22 + 76
        if x and x + wide > width:
            x, y = 0.0, y + 38
        items.append(RoundedBox(x, y - 15, x + 34, y + 15, 3, ground, mix(theme.page, theme.ink, 0.7), 2))
        items.append(Text(x + 17, y, letter.upper(), 20, letters_on(ground), "bold"))
        items.append(Text(x + 44, y, words, 22, theme.ink, "regular", "left"))
        x += wide
    return Sprite(width, round(y + 20), theme.page, tuple(items))
