"""The stock market as a picture: cells, legend, price changes of this turn, and operating order."""

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import product
from typing import Final

from engine import Cell
from engine.views import Badge, CellView, MarketView, OrderView, SpaceView
from render.font_metrics import fitted_text, fitting_size, shortened_text, text_width
from render.hexes.stop_art import token_items
from render.scene import (
    Block,
    Colour,
    Disc,
    Frame,
    Item,
    PlacedSprite,
    Polygon,
    Polyline,
    RoundedBox,
    Scene,
    Sprite,
    Text,
    Weight,
    items_in_pixels,
)
from render.sheets.market_plot import (
    HEADING_HEIGHT,
    MARGIN,
    CellSize,
    Plot,
    enlarged_plot,
    plot_of,
    used_columns,
    without_far_columns,
)
from render.theme import (
    BLACK,
    HIGHLIGHT_COLOUR,
    WHITE,
    Theme,
    ink_on,
    mix_colours,
    palette,
    readable_company_colour,
    theme_named,
)
from render.words import cell_svg_mark

_ORDER_WIDTH: Final = 430
_MAX_TALL_RATIO: Final = 1.2
"""Width divided by height below which a market counts as tall; its operating order goes to the right."""


def market_scene(
    view: MarketView,
    theme_name: str,
    *,
    start_prices: Collection[int] = (),
    show_all_columns: bool = False,
) -> Scene:
    """The stock market, with the operating order to its right or below.

    Par cells with a price in `start_prices` are framed. Unused columns at the right are left out unless
    `show_all_columns` is set.
    """
    theme = theme_named(theme_name)
    view, cut_note = (view, "") if show_all_columns else without_far_columns(view)
    plot = enlarged_plot(plot_of(view)) if theme.large_letters else plot_of(view)
    sprites = list(_cell_sprites(plot, theme, _arrows_by_place(plot, view.moves), start_prices))
    width = 2 * MARGIN + plot.width
    order_panel = order_block(view.order, theme, _ORDER_WIDTH)
    left, top = _corner_beside_rows(plot, order_panel.width, order_panel.height)
    if top is None and width < _MAX_TALL_RATIO * (plot.bottom + 100):
        left, top = width, HEADING_HEIGHT
        width += order_panel.width + MARGIN
    legend = _legend_sprite(view, theme, width - 2 * MARGIN, cut_note)
    if top is None:
        order_panel = order_block(
            view.order, theme, width - 2 * MARGIN, columns=3 if plot.columns_per_line else 2
        )
        left, top = MARGIN, plot.bottom + 18 + legend.height + 8
    height = max(plot.bottom + 18 + legend.height + 16, top + order_panel.height + 24)
    sprites.append(_heading_sprite(view, theme, width))
    sprites.append(
        PlacedSprite(Sprite(order_panel.width, order_panel.height, theme.page, order_panel.items), left, top)
    )
    sprites.append(PlacedSprite(legend, MARGIN, plot.bottom + 18))
    return Scene(width, height, theme.page, tuple(sprites), palette(theme_name, _company_colours(view)))


def _company_colours(view: MarketView) -> tuple[str, ...]:
    colours = {line.badge.colour for line in view.order}
    for cell in (cell for row in view.rows for cell in row if cell):
        colours.update(badge.colour for badge in cell.tokens)
        colours.update(space.badge.colour for space in cell.spaces if space.badge)
    return tuple(sorted(colours))


def _heading_sprite(view: MarketView, theme: Theme, width: int) -> PlacedSprite:
    title = Text(0, 30, view.title, 34, theme.ink, "black", "left")
    caption_x = text_width(view.title, "black") * 34 + 24
    caption = Text(caption_x, 32, view.caption, 25, theme.ink, "bold", "left")
    return PlacedSprite(
        Sprite(width - 2 * MARGIN, HEADING_HEIGHT - 6, theme.page, (title, caption)), MARGIN, 0
    )


def _cell_sprites(
    plot: Plot, theme: Theme, arrows_by_place: Mapping[Cell, Sequence[Item]], start_prices: Collection[int]
) -> Iterator[PlacedSprite]:
    """Each cell as a sprite, with its tokens and with the parts of arrows that cross it."""
    for r, line in enumerate(plot.lines):
        for c, cell in enumerate(line):
            if cell is not None:
                x, y = plot.corner_of(r, c)
                arrows = items_in_pixels(arrows_by_place.get((r, c), ()), Frame(1 - x, 1 - y, 1.0))
                is_framed = cell.price in start_prices and (cell.par or bool(cell.spaces))
                sprite = _cell_sprite(cell, plot.sizes[r], theme.name, arrows, is_framed)
                yield PlacedSprite(sprite, x - 1, y - 1, cell_svg_mark(plot.cell_at(r, c), cell))


def cell_colour(cell: CellView, theme: Theme) -> str:
    """A cell's background: the colour of its zone, or a colour that shows if companies can start there."""
    if cell.zone:
        return theme.zone_colour(cell.zone)
    if cell.closed:
        return mix_colours(theme.page, theme.ink, 0.25)
    if cell.end:
        return theme.zone_colour("e")
    return theme.zone_colour("P") if cell.par else theme.sheet


@lru_cache(maxsize=1024)
def _cell_sprite(
    cell: CellView, size: CellSize, theme_name: str, arrows: tuple[Item, ...], is_framed: bool
) -> Sprite:
    theme = theme_named(theme_name)
    w, h = size.width, size.height
    ground = cell_colour(cell, theme)
    ink = ink_on(ground)
    line_colour = mix_colours(ground, ink, 0.3)
    items: list[Item] = [RoundedBox(0, 0, w + 1, h + 1, 0, ground, line_colour, 1.4)]
    if is_framed:
        items.append(RoundedBox(1, 1, w, h, 0, None, HIGHLIGHT_COLOUR, 5))
    elif cell.par:
        items.append(
            RoundedBox(3, 3, w - 2, h - 2, 0, None, mix_colours(theme.zone_colour("P"), BLACK, 0.6), 3)
        )
    if cell.end:
        items.append(RoundedBox(3, 3, w - 2, h - 2, 0, None, ink, 2))
        items.append(RoundedBox(7, 7, w - 6, h - 6, 0, None, ink, 2))
    items.extend(_cell_arrows(cell, size, mix_colours(ground, ink, 0.45)))
    if cell.ledge:
        items.extend(_ledge_items(size, ink))
    items.extend(arrows)
    price = "closed" if cell.closed else str(cell.price)
    price_em = fitting_size(price, 0.62 * w, (size.price_em if len(cell.tokens) < 3 else 0.26) * w)
    price_inset = 12 if cell.end else 7
    items.append(Text(price_inset, price_inset + price_em * 0.36, price, price_em, ink, "bold", "left"))
    zone_letter = (cell.zone or ("P" if cell.par else "")).upper()
    if zone_letter:
        # Two tokens and more need the lower corner, and so do minors.
        is_letter_above = len(cell.tokens) > 1 or size.wide_names
        letter_inset = 6 if cell.end else 0
        y = 15 + letter_inset if is_letter_above else h - 13 - (letter_inset or (5 if cell.ledge else 0))
        items.append(Text(w - 7 - letter_inset, y, zone_letter, 0.18 * w, ink, "bold", "right"))
    items.extend(_company_tokens(cell.tokens, size, ink))
    items.extend(
        minor_space_items(cell.spaces, theme, ground, (w / 2, size.upper_height + size.spaces_height / 4))
    )
    return Sprite(w + 2, h + 2, ground, tuple(items))


def _cell_arrows(cell: CellView, size: CellSize, colour: str) -> Iterator[Item]:
    w, h = size.width, size.height
    if cell.up_arrow:
        bottom_gap = (30 if cell.ledge else 26) if cell.zone or cell.par else 10
        yield from _vertical_arrow(w - 14, h - bottom_gap, -1, colour)
    if cell.down_arrow:
        yield from _vertical_arrow(13, h - 32, 1, colour)


def _vertical_arrow(x: float, y: float, direction: int, colour: str) -> Iterator[Item]:
    tip_y = y + direction * 24
    yield Polyline(((x, y), (x, y + direction * 15)), colour, 5)
    yield Polygon(((x - 8, y + direction * 12), (x, tip_y), (x + 8, y + direction * 12)), colour)


def _ledge_items(size: CellSize, ink: str) -> Iterator[Item]:
    w, h = size.width, size.height
    yield Polyline(((0, h - 1.5), (w + 1, h - 1.5)), ink, 4)
    for i in range(6):
        x = 6 + i * (w - 10) / 5
        yield Polyline(((x, h - 2), (x - 5, h - 8)), ink, 2)


def _company_tokens(badges: tuple[Badge, ...], size: CellSize, ink: str) -> Iterator[Item]:
    w = size.width
    r = 0.22 * w
    y = size.upper_height - r - 7
    if len(badges) > 2 or size.wide_names:
        yield from _company_pills(badges, size, ink)
    elif len(badges) == 1:
        yield from token_items(w / 2, y, r, badges[0])
    elif badges:
        yield from token_items(w / 2 - r - 1, y, r, badges[0])
        yield from token_items(w / 2 + r + 1, y, r, badges[1])


def _company_pills(badges: tuple[Badge, ...], size: CellSize, ink: str) -> Iterator[Item]:
    """Company names in small rounded boxes, in one or two columns. If not all fit, the last box counts the rest."""
    row_count, row_step = size.pill_rows, size.pill_height + 1
    columns = 1 if len(badges) <= row_count else 2
    shown_badges = badges if len(badges) <= row_count * columns else badges[: row_count * columns - 1]
    top, pill_width = size.upper_height - row_count * row_step - 3, (size.width - 9) / columns
    for i, badge in enumerate(shown_badges):
        row, column = divmod(i, columns)
        x, y = 5 + column * pill_width, top + row * row_step
        yield from _company_pill(badge, x, y, x + pill_width - columns + 1, size.pill_height)
    if len(badges) > len(shown_badges):
        count_text = f"+{len(badges) - len(shown_badges)}"
        yield Text(
            5 + 1.5 * pill_width,
            top + (row_count - 0.5) * row_step,
            count_text,
            size.pill_height,
            ink,
            "black",
        )


def _company_pill(badge: Badge, x0: float, y0: float, x1: float, height: float) -> Iterator[Item]:
    company_colour = readable_company_colour(badge.colour)
    yield RoundedBox(x0, y0, x1, y0 + height, height / 2, company_colour, BLACK, 1.2)
    room = x1 - x0 - 5
    yield fitted_text(
        (x0 + x1) / 2, y0 + height / 2, badge.company, room, height * 0.92, ink_on(company_colour), "black"
    )


def _arrows_by_place(plot: Plot, moves: Iterable[tuple[str, Cell, Cell]]) -> dict[Cell, list[Item]]:
    arrows_by_place: dict[Cell, list[Item]] = defaultdict(list)
    for _, old, new in moves:
        for start, end in _arrow_parts(plot, old, new):
            arrow_part_items = _arrow_part_items(plot, start, end)
            first_line, last_line = sorted((start[0], end[0]))
            first_column, last_column = sorted((start[1], end[1]))
            for place in product(range(first_line, last_line + 1), range(first_column, last_column + 1)):
                arrows_by_place[place].extend(arrow_part_items)
    return arrows_by_place


def _arrow_parts(plot: Plot, old_cell: Cell, new_cell: Cell) -> Iterator[tuple[Cell, Cell]]:
    """Start and end of each part of the arrow for a price change.

    If a long row is drawn as two lines, an arrow from one line to the other has two parts.
    """
    start, end = plot.place_of(old_cell), plot.place_of(new_cell)
    if old_cell == new_cell:
        return
    if plot.columns_per_line and start[0] != end[0]:
        exit_column, entry_column = (
            (plot.columns_per_line, -1) if new_cell > old_cell else (-1, plot.columns_per_line)
        )
        yield start, (start[0], exit_column)
        yield (end[0], entry_column), end
    else:
        yield start, end


def _arrow_part_items(plot: Plot, start: Cell, end: Cell) -> tuple[Item, ...]:
    size = plot.sizes[end[0]]
    x_fraction = 0.68 if start[1] == end[1] else 0.5  # a vertical arrow passes the price on its right
    (x0, y0), (x1, y1) = _arrow_point(plot, start, x_fraction), _arrow_point(plot, end, x_fraction)
    tip_gap = min(
        _fraction_within(x1 - x0, 0.5 * size.width),
        _fraction_within(y1 - y0, (0.38 if y1 < y0 else 0.62) * size.upper_height),
    )
    length = math.dist((x0, y0), (x1, y1))
    tip_shift = max(0.0, tip_gap - 10 / length)  # the tip stands just inside the new cell, before its token
    x1, y1 = x1 - (x1 - x0) * tip_shift, y1 - (y1 - y0) * tip_shift
    return tuple(_arrow_items(x0, y0, x1, y1))


def _arrow_point(plot: Plot, place: Cell, x_fraction: float) -> tuple[float, float]:
    x, y = plot.corner_of(*place)
    size = plot.sizes[place[0]]
    return x + x_fraction * size.width, y + size.arrow_end_height * size.upper_height


def _fraction_within(distance: float, limit: float) -> float:
    return limit / abs(distance) if distance else math.inf


def _arrow_items(x0: float, y0: float, x1: float, y1: float) -> Iterator[Item]:
    length = math.dist((x0, y0), (x1, y1)) or 1.0
    unit_x, unit_y = (x1 - x0) / length, (y1 - y0) / length
    neck_point = (x1 - unit_x * 12, y1 - unit_y * 12)
    head_points = (
        (x1, y1),
        (neck_point[0] - unit_y * 9, neck_point[1] + unit_x * 9),
        (neck_point[0] + unit_y * 9, neck_point[1] - unit_x * 9),
    )
    yield Polyline(((x0, y0), neck_point), WHITE, 8)
    yield Disc(x0, y0, 8, WHITE)
    yield Disc(x0, y0, 6, HIGHLIGHT_COLOUR)
    yield Polyline(((x0, y0), neck_point), HIGHLIGHT_COLOUR, 4)
    yield Polygon(head_points, HIGHLIGHT_COLOUR)


def _corner_beside_rows(plot: Plot, width: int, height: int) -> tuple[int, int | None]:
    """Top left corner of a box in the empty area to the right of the short rows; y is None if the box does not fit."""
    right_edge = MARGIN + plot.width
    for r in range(len(plot.lines)):
        longest_line = max(used_columns(line) for line in plot.lines[r:])
        top = plot.corner_of(r, 0)[1] + 18
        if right_edge - plot.corner_of(r, longest_line)[0] >= width + 20 and plot.bottom + 60 - top >= height:
            return right_edge - width, top
    return 0, None


def _legend_sprite(view: MarketView, theme: Theme, width: int, cut_note: str) -> Sprite:
    """The legend of zone colours, and a note about columns that were cut."""
    items: list[Item] = []
    x, y = 0.0, 20.0
    zone_entries = ((words, partial(_legend_zone, letter, theme)) for letter, words in view.legend)
    minor_entries = ((words, partial(legend_minor_space, space, theme)) for space, words in view.space_legend)
    for words, draw_sign in (*zone_entries, *minor_entries):
        entry_width = text_width(words, "regular") * 22 + 76
        if x and x + entry_width > width:
            x, y = 0.0, y + 38
        items.extend(draw_sign(x, y))
        items.append(Text(x + 44, y, words, 22, theme.ink, "regular", "left"))
        x += entry_width
    if cut_note:
        x, y = (0.0, y + 38) if x and x + text_width(cut_note, "regular") * 22 > width else (x, y)
        items.append(Text(x, y, cut_note, 22, theme.ink, "regular", "left"))
    return Sprite(width, round(y + 20), theme.page, tuple(items))


def _legend_zone(letter: str, theme: Theme, x: float, y: float) -> Iterator[Item]:
    ground = theme.zone_colour(letter)
    yield RoundedBox(x, y - 15, x + 34, y + 15, 3, ground, mix_colours(theme.page, theme.ink, 0.7), 2)
    yield Text(x + 17, y, letter.upper(), 20, ink_on(ground), "bold")


MINOR_SPACE_RADIUS: Final = 30.0
_FLIPPED_MARKER_COLOUR: Final = "#8d9299"


def minor_space_items(
    views: Sequence[SpaceView], theme: Theme, ground: Colour, upper_middle: tuple[float, float]
) -> Iterator[Item]:
    """A market cell's spaces for minors, one below the other; `upper_middle` is the centre of the first space."""
    x, y = upper_middle
    for number, view in enumerate(views):
        yield from _single_minor_space(
            view, theme, ground, (x, y + number * (2 * MINOR_SPACE_RADIUS + 8)), MINOR_SPACE_RADIUS
        )


def _single_minor_space(
    view: SpaceView, theme: Theme, ground: Colour, position: tuple[float, float], radius: float
) -> Iterator[Item]:
    """One space for a minor: the minor's marker, a flipped marker, or a faint ring with its phase."""
    x, y = position
    colour = theme.zone_colour(view.zone)
    if view.state == "taken" and view.badge is not None:
        yield from token_items(x, y, radius, view.badge)
    elif view.state == "blocked":
        yield Disc(x, y, radius, _FLIPPED_MARKER_COLOUR, BLACK, 2)
        yield from _cross_items(x, y, 0.46 * radius)
    elif view.state == "later":
        faint_colour = mix_colours(colour, BLACK, 0.6) if ink_on(ground) == BLACK else colour
        yield Disc(x, y, radius, ground, mix_colours(colour, BLACK, 0.3), 2.5)
        yield Text(x, y, view.phase, 0.62 * radius, faint_colour, "bold")
    else:
        yield Disc(x, y, radius, colour, BLACK, 2.5)


def _cross_items(x: float, y: float, half_size: float) -> Iterator[Item]:
    for direction in (-1, 1):
        yield Polyline(
            ((x - half_size, y - direction * half_size), (x + half_size, y + direction * half_size)), BLACK, 5
        )


def legend_minor_space(view: SpaceView, theme: Theme, x: float, y: float) -> Iterator[Item]:
    """A small sample of a minor's space, in front of its explanation in the legend."""
    yield from _single_minor_space(view, theme, theme.sheet, (x + 17, y), 16)


_ORDER_ROW_HEIGHT = 44
_ORDER_HEADING_HEIGHT = 40
_MARKER_EM = 18


def order_block(order: Sequence[OrderView], theme: Theme, width: int, *, columns: int = 1) -> Block:
    """The operating order as a panel, in columns that are read from top to bottom."""
    row_count = -(-len(order) // columns)
    column_width = width / columns
    title = "Operating order" if order else "No company has started"
    items: list[Item] = [Text(0, 18, title, 26, theme.ink, "black", "left")]
    for i, line in enumerate(order):
        column, row = divmod(i, max(1, row_count))
        items.extend(
            _order_row(
                i,
                line,
                theme,
                column * column_width,
                _ORDER_HEADING_HEIGHT + row * _ORDER_ROW_HEIGHT,
                column_width - 12,
            )
        )
    return Block(width, _ORDER_HEADING_HEIGHT + row_count * _ORDER_ROW_HEIGHT + 4, tuple(items))


def _order_row(i: int, order: OrderView, theme: Theme, x: float, top: float, width: float) -> Iterator[Item]:
    y = top + _ORDER_ROW_HEIGHT / 2
    ink = theme.ink if order.progress != "done" else mix_colours(theme.page, theme.ink, 0.62)
    if order.progress == "acting":
        yield RoundedBox(
            x, top + 2, x + width, top + _ORDER_ROW_HEIGHT - 2, 8, theme.sheet, HIGHLIGHT_COLOUR, 2.5
        )
        yield Polygon(((x + 6, y - 9), (x + 20, y), (x + 6, y + 9)), HIGHLIGHT_COLOUR)
    elif order.progress == "done":
        yield Polyline(((x + 6, y), (x + 11, y + 6), (x + 21, y - 8)), ink, 3.5)
    yield Text(x + 52, y, f"{i + 1}", 24, ink, "bold", "right")
    yield from token_items(x + 82, y, 20, order.badge)
    if order.progress == "done":
        yield Disc(x + 82, y, 12.5, theme.page)
        yield fitted_text(x + 82, y, order.badge.company, 24, 12, ink)
    yield Text(x + 170, y, order.money(order.price), 25, ink, "bold", "right")
    name_room = width - 196
    for marker in order.markers:
        marker_width = text_width(marker) * _MARKER_EM + 16
        name_room -= marker_width + 6
        x0 = x + 186 + name_room + 10
        yield RoundedBox(x0, y - 13, x0 + marker_width, y + 13, 13, theme.sheet, ink, 2)
        yield Text(x0 + marker_width / 2, y, marker, _MARKER_EM, theme.ink, "bold")
    yield from _president_name(order, (x + 186, y), name_room, ink)


def _president_name(order: OrderView, position: tuple[float, float], room: float, ink: str) -> Iterator[Item]:
    """The president's name, followed by "(not floated)" where true; only the name is shortened."""
    weight: Weight = "bold" if order.floated else "regular"
    note = "" if order.floated or not order.president else " (not floated)"
    size = fitting_size(order.president + note, room, 24, weight, smallest_size=19)
    name = shortened_text(order.president, room - text_width(note, weight) * size, size, weight)
    yield Text(*position, name + note, size, ink, weight, "left")
