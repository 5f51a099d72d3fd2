"""The stock market as a scene: grid, legend in words, this turn's price moves, operating order."""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import product
from typing import Final

from engine import Cell
from engine.views import Badge, CellView, MarketView, OrderView, SpaceView
from render.font_metrics import fitted, fitting, shortened, text_width
from render.hexes.stop_art import token
from render.scene import (
    Block,
    Colour,
    Disc,
    Frame,
    Item,
    Placed,
    Polygon,
    Polyline,
    RoundedBox,
    Scene,
    Sprite,
    Text,
    Weight,
    placed,
)
from render.sheets.market_plot import (
    EDGE,
    HEAD,
    CellSize,
    Plot,
    enlarged,
    plot_of,
    used_columns,
    without_far_columns,
)
from render.theme import BLACK, HIGHLIGHT, WHITE, Theme, company, ink_on, mix, palette, theme_named
from render.words import space_mark

_ORDER: Final = 430
"""Width of the operating order beside the grid."""
_TALL: Final = 1.2
"""A grid less wide than this for its height gets the operating order on its right."""


def market_scene(view: MarketView, theme_name: str, *, whole: bool = False) -> Scene:
    """The grid with the operating order beside or below it; without `whole` a wide market is cut to what matters."""
    theme = theme_named(theme_name)
    view, further = (view, "") if whole else without_far_columns(view)
    plot = enlarged(plot_of(view)) if theme.large else plot_of(view)
    sprites = list(_grid(plot, theme, _crossings(plot, view.moves)))
    width = 2 * EDGE + plot.width
    order = order_block(view.order, theme, _ORDER)
    left, top = _corner_beside_rows(plot, order.width, order.height)
    if top is None and width < _TALL * (plot.bottom + 100):
        left, top = width, HEAD
        width += order.width + EDGE
    legend = _legend(view, theme, width - 2 * EDGE, further)
    if top is None:
        order = order_block(view.order, theme, width - 2 * EDGE, columns=3 if plot.fold else 2)
        left, top = EDGE, plot.bottom + 18 + legend.height + 8
    height = max(plot.bottom + 18 + legend.height + 16, top + order.height + 24)
    sprites.append(_head(view, theme, width))
    sprites.append(Placed(Sprite(order.width, order.height, theme.page, order.items), left, top))
    sprites.append(Placed(legend, EDGE, plot.bottom + 18))
    return Scene(width, height, theme.page, tuple(sprites), palette(theme_name, _badges(view)))


def _badges(view: MarketView) -> tuple[str, ...]:
    colours = {line.badge.colour for line in view.order}
    for cell in (cell for row in view.rows for cell in row if cell):
        colours.update(badge.colour for badge in cell.tokens)
        colours.update(space.badge.colour for space in cell.spaces if space.badge)
    return tuple(sorted(colours))


def _head(view: MarketView, theme: Theme, width: int) -> Placed:
    title = Text(0, 30, view.title, 34, theme.ink, "black", "left")
    after = text_width(view.title, "black") * 34 + 24
    caption = Text(after, 32, view.caption, 25, theme.ink, "bold", "left")
    return Placed(Sprite(width - 2 * EDGE, HEAD - 6, theme.page, (title, caption)), EDGE, 0)


def _grid(plot: Plot, theme: Theme, crossings: Mapping[Cell, Sequence[Item]]) -> Iterator[Placed]:
    """Every cell once, with its tokens and crossing arrows."""
    for r, line in enumerate(plot.lines):
        for c, cell in enumerate(line):
            if cell is not None:
                x, y = plot.corner_of(r, c)
                crossing = placed(crossings.get((r, c), ()), Frame(1 - x, 1 - y, 1.0))
                sprite = _cell_sprite(cell, plot.sizes[r], theme.name, crossing)
                yield Placed(sprite, x - 1, y - 1, space_mark(plot.cell(r, c), cell))


def cell_colour(cell: CellView, theme: Theme) -> str:
    """The ground of a cell: its zone, else the par colour, else the sheet."""
    if cell.zone:
        return theme.zone(cell.zone)
    if cell.closed:
        return mix(theme.page, theme.ink, 0.25)
    if cell.end:
        return theme.zone("e")
    return theme.zone("P") if cell.par else theme.sheet


@lru_cache(maxsize=1024)
def _cell_sprite(cell: CellView, size: CellSize, theme_name: str, crossing: tuple[Item, ...]) -> Sprite:
    theme = theme_named(theme_name)
    w, h = size.width, size.height
    ground = cell_colour(cell, theme)
    ink = ink_on(ground)
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
    items.extend(crossing)
    price = "closed" if cell.closed else str(cell.price)
    digits = fitting(price, 0.62 * w, (size.price if len(cell.tokens) < 3 else 0.26) * w)
    inset = 12 if cell.end else 7
    items.append(Text(inset, inset + digits * 0.36, price, digits, ink, "bold", "left"))
    letter = (cell.zone or ("P" if cell.par else "")).upper()
    if letter:
        # Two tokens and more need the lower corner, and so do minors.
        above = len(cell.tokens) > 1 or size.room
        inward = 6 if cell.end else 0
        y = 15 + inward if above else h - 13 - (inward or (5 if cell.ledge else 0))
        items.append(Text(w - 7 - inward, y, letter, 0.18 * w, ink, "bold", "right"))
    items.extend(_tokens(cell.tokens, size, ink))
    items.extend(spaces(cell.spaces, theme, ground, (w / 2, size.upper + size.lower / 4)))
    return Sprite(w + 2, h + 2, ground, tuple(items))


def _arrows(cell: CellView, size: CellSize, colour: str) -> Iterator[Item]:
    w, h = size.width, size.height
    if cell.up_arrow:
        low = (30 if cell.ledge else 26) if cell.zone or cell.par else 10
        yield from _shaft(w - 14, h - low, -1, colour)
    if cell.down_arrow:
        yield from _shaft(13, h - 32, 1, colour)


def _shaft(x: float, y: float, way: int, colour: str) -> Iterator[Item]:
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
    w = size.width
    r = 0.22 * w
    y = size.upper - r - 7
    if len(badges) > 2 or size.room:
        yield from _pills(badges, size, ink)
    elif len(badges) == 1:
        yield from token(w / 2, y, r, badges[0])
    elif badges:
        yield from token(w / 2 - r - 1, y, r, badges[0])
        yield from token(w / 2 + r + 1, y, r, badges[1])


def _pills(badges: tuple[Badge, ...], size: CellSize, ink: str) -> Iterator[Item]:
    """Company pills below each other, or side by side; of too many the first, and a count."""
    rows, step = size.pills, size.pill + 1
    columns = 1 if len(badges) <= rows else 2
    shown = badges if len(badges) <= rows * columns else badges[: rows * columns - 1]
    top, wide = size.upper - rows * step - 3, (size.width - 9) / columns
    for i, badge in enumerate(shown):
        row, column = divmod(i, columns)
        x, y = 5 + column * wide, top + row * step
        yield from _pill(badge, x, y, x + wide - columns + 1, size.pill)
    if len(badges) > len(shown):
        more = f"+{len(badges) - len(shown)}"
        yield Text(5 + 1.5 * wide, top + (rows - 0.5) * step, more, size.pill, ink, "black")


def _pill(badge: Badge, x0: float, y0: float, x1: float, height: float) -> Iterator[Item]:
    paint = company(badge.colour)
    yield RoundedBox(x0, y0, x1, y0 + height, height / 2, paint, BLACK, 1.2)
    room = x1 - x0 - 5
    yield fitted((x0 + x1) / 2, y0 + height / 2, badge.company, room, height * 0.92, ink_on(paint), "black")


def _crossings(plot: Plot, moves: Iterable[tuple[str, Cell, Cell]]) -> dict[Cell, list[Item]]:
    """The arrows of these moves, by the places that they cross."""
    crossings: dict[Cell, list[Item]] = defaultdict(list)
    for _, old, new in moves:
        for start, end in _legs(plot, old, new):
            drawing = _leg(plot, start, end)
            low, high = sorted((start[0], end[0]))
            first, last = sorted((start[1], end[1]))
            for place in product(range(low, high + 1), range(first, last + 1)):
                crossings[place].extend(drawing)
    return crossings


def _legs(plot: Plot, old: Cell, new: Cell) -> Iterator[tuple[Cell, Cell]]:
    """The way between two cells, split where a row is folded."""
    start, end = plot.place(old), plot.place(new)
    if old == new:
        return
    if plot.fold and start[0] != end[0]:
        out, into = (plot.fold, -1) if new > old else (-1, plot.fold)
        yield start, (start[0], out)
        yield (end[0], into), end
    else:
        yield start, end


def _leg(plot: Plot, start: Cell, end: Cell) -> tuple[Item, ...]:
    """A thin arrow to the rim of the place where it ends."""
    size = plot.sizes[end[0]]
    across = 0.68 if start[1] == end[1] else 0.5  # a vertical arrow passes the price on its right
    (x0, y0), (x1, y1) = _anchor(plot, start, across), _anchor(plot, end, across)
    reach = min(_share(x1 - x0, 0.5 * size.width), _share(y1 - y0, (0.38 if y1 < y0 else 0.62) * size.upper))
    length = math.dist((x0, y0), (x1, y1))
    back = max(0.0, reach - 10 / length)  # the tip stands just inside the new cell, before its token
    x1, y1 = x1 - (x1 - x0) * back, y1 - (y1 - y0) * back
    return tuple(_dart(x0, y0, x1, y1))


def _anchor(plot: Plot, place: Cell, across: float) -> tuple[float, float]:
    x, y = plot.corner_of(*place)
    size = plot.sizes[place[0]]
    return x + across * size.width, y + size.arrow * size.upper


def _share(distance: float, part: float) -> float:
    return part / abs(distance) if distance else math.inf


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


def _corner_beside_rows(plot: Plot, width: int, height: int) -> tuple[int, int | None]:
    """The upper left corner of a box right of the short rows; None if it does not fit."""
    right = EDGE + plot.width
    for r in range(len(plot.lines)):
        longest = max(used_columns(line) for line in plot.lines[r:])
        top = plot.corner_of(r, 0)[1] + 18
        if right - plot.corner_of(r, longest)[0] >= width + 20 and plot.bottom + 60 - top >= height:
            return right - width, top
    return 0, None


def _legend(view: MarketView, theme: Theme, width: int, further: str) -> Sprite:
    """The legend of colours, and notes on omitted parts."""
    items: list[Item] = []
    x, y = 0.0, 20.0
    zones = ((words, partial(_legend_zone, letter, theme)) for letter, words in view.legend)
    minors = ((words, partial(legend_space, space, theme)) for space, words in view.space_legend)
    for words, draw in (*zones, *minors):
        wide = text_width(words, "regular") * 22 + 76
        if x and x + wide > width:
            x, y = 0.0, y + 38
        items.extend(draw(x, y))
        items.append(Text(x + 44, y, words, 22, theme.ink, "regular", "left"))
        x += wide
    if further:
        x, y = (0.0, y + 38) if x and x + text_width(further, "regular") * 22 > width else (x, y)
        items.append(Text(x, y, further, 22, theme.ink, "regular", "left"))
    return Sprite(width, round(y + 20), theme.page, tuple(items))


def _legend_zone(letter: str, theme: Theme, x: float, y: float) -> Iterator[Item]:
    ground = theme.zone(letter)
    yield RoundedBox(x, y - 15, x + 34, y + 15, 3, ground, mix(theme.page, theme.ink, 0.7), 2)
    yield Text(x + 17, y, letter.upper(), 20, ink_on(ground), "bold")


RADIUS: Final = 30.0
_FLIPPED: Final = "#8d9299"


def spaces(
    views: Sequence[SpaceView], theme: Theme, ground: Colour, upper: tuple[float, float]
) -> Iterator[Item]:
    """Spaces one below the other on this ground; the middle of the upper one is given."""
    x, y = upper
    for number, view in enumerate(views):
        yield from _space(view, theme, ground, (x, y + number * (2 * RADIUS + 8)), RADIUS)


def _space(
    view: SpaceView, theme: Theme, ground: Colour, position: tuple[float, float], radius: float
) -> Iterator[Item]:
    """One space: the minor's marker, a flipped marker, or a faint ring with its phase."""
    x, y = position
    colour = theme.zone(view.zone)
    if view.state == "taken" and view.badge is not None:
        yield from token(x, y, radius, view.badge)
    elif view.state == "blocked":
        yield Disc(x, y, radius, _FLIPPED, BLACK, 2)
        yield from _cross(x, y, 0.46 * radius)
    elif view.state == "later":
        faint = mix(colour, BLACK, 0.6) if ink_on(ground) == BLACK else colour
        yield Disc(x, y, radius, ground, mix(colour, BLACK, 0.3), 2.5)
        yield Text(x, y, view.phase, 0.62 * radius, faint, "bold")
    else:
        yield Disc(x, y, radius, colour, BLACK, 2.5)


def _cross(x: float, y: float, reach: float) -> Iterator[Item]:
    for way in (-1, 1):
        yield Polyline(((x - reach, y - way * reach), (x + reach, y + way * reach)), BLACK, 5)


def legend_space(view: SpaceView, theme: Theme, x: float, y: float) -> Iterator[Item]:
    """A small space before its words in the legend."""
    yield from _space(view, theme, theme.sheet, (x + 17, y), 16)


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


def _line(i: int, order: OrderView, theme: Theme, x: float, top: float, width: float) -> Iterator[Item]:
    y = top + _ROW / 2
    ink = theme.ink if order.progress != "done" else mix(theme.page, theme.ink, 0.62)
    if order.progress == "acting":
        yield RoundedBox(x, top + 2, x + width, top + _ROW - 2, 8, theme.sheet, HIGHLIGHT, 2.5)
        yield Polygon(((x + 6, y - 9), (x + 20, y), (x + 6, y + 9)), HIGHLIGHT)
    elif order.progress == "done":
        yield Polyline(((x + 6, y), (x + 11, y + 6), (x + 21, y - 8)), ink, 3.5)
    yield Text(x + 52, y, f"{i + 1}", 24, ink, "bold", "right")
    yield from token(x + 82, y, 20, order.badge)
    if order.progress == "done":
        yield Disc(x + 82, y, 12.5, theme.page)
        yield fitted(x + 82, y, order.badge.company, 24, 12, ink)
    yield Text(x + 170, y, f"${order.price}", 25, ink, "bold", "right")
    room = width - 196
    for marker in order.markers:
        wide = text_width(marker) * _MARKER + 16
        room -= wide + 6
        x0 = x + 186 + room + 10
        yield RoundedBox(x0, y - 13, x0 + wide, y + 13, 13, theme.sheet, ink, 2)
        yield Text(x0 + wide / 2, y, marker, _MARKER, theme.ink, "bold")
    yield from _president(order, (x + 186, y), room, ink)


def _president(order: OrderView, position: tuple[float, float], room: float, ink: str) -> Iterator[Item]:
    """The president's name, shortened if necessary; "not floated" is never cut."""
    weight: Weight = "bold" if order.floated else "regular"
    note = "" if order.floated or not order.president else " (not floated)"
    size = fitting(order.president + note, room, 24, weight, smallest=19)
    name = shortened(order.president, room - text_width(note, weight) * size, size, weight)
    yield Text(*position, name + note, size, ink, weight, "left")
