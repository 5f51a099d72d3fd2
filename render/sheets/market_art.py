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
    MarketLayout,
    enlarged_layout,
    market_layout,
    used_column_count,
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

_ORDER_PANEL_WIDTH: Final = 430
_MAX_TALL_ASPECT_RATIO: Final = 1.2
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
    layout = enlarged_layout(market_layout(view)) if theme.has_large_letters else market_layout(view)
    sprites = list(_cell_sprites(layout, theme, _arrows_by_position(layout, view.price_moves), start_prices))
    width = 2 * MARGIN + layout.width
    order_panel = operating_order_block(view.operating_order, theme, _ORDER_PANEL_WIDTH)
    left, top = _corner_beside_rows(layout, order_panel.width, order_panel.height)
    if top is None and width < _MAX_TALL_ASPECT_RATIO * (layout.bottom + 100):
        left, top = width, HEADING_HEIGHT
        width += order_panel.width + MARGIN
    legend = _legend_sprite(view, theme, width - 2 * MARGIN, cut_note)
    if top is None:
        order_panel = operating_order_block(
            view.operating_order, theme, width - 2 * MARGIN, column_count=3 if layout.columns_per_line else 2
        )
        left, top = MARGIN, layout.bottom + 18 + legend.height + 8
    height = max(layout.bottom + 18 + legend.height + 16, top + order_panel.height + 24)
    sprites.append(_heading_sprite(view, theme, width))
    sprites.append(
        PlacedSprite(Sprite(order_panel.width, order_panel.height, theme.page, order_panel.items), left, top)
    )
    sprites.append(PlacedSprite(legend, MARGIN, layout.bottom + 18))
    return Scene(width, height, theme.page, tuple(sprites), palette(theme_name, _company_colours(view)))


def _company_colours(view: MarketView) -> tuple[str, ...]:
    colours = {line.badge.colour for line in view.operating_order}
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
    layout: MarketLayout,
    theme: Theme,
    arrows_by_position: Mapping[Cell, Sequence[Item]],
    start_prices: Collection[int],
) -> Iterator[PlacedSprite]:
    """Each cell as a sprite, with its tokens and with the parts of arrows that cross it."""
    for line_index, line in enumerate(layout.lines):
        for column, cell in enumerate(line):
            if cell is not None:
                x, y = layout.upper_left_of(line_index, column)
                arrows = items_in_pixels(
                    arrows_by_position.get((line_index, column), ()), Frame(1 - x, 1 - y, 1.0)
                )
                is_framed = cell.price in start_prices and (cell.is_par or bool(cell.spaces))
                sprite = _cell_sprite(cell, layout.sizes[line_index], theme.name, arrows, is_framed)
                yield PlacedSprite(
                    sprite, x - 1, y - 1, cell_svg_mark(layout.cell_at(line_index, column), cell)
                )


def cell_colour(cell: CellView, theme: Theme) -> str:
    """A cell's background colour: that of its zone or, without a zone, of its kind.

    The kinds are: closes companies, ends the game, par cell, and ordinary cell.
    """
    if cell.zone:
        return theme.zone_colour(cell.zone)
    if cell.closes_company:
        return mix_colours(theme.page, theme.ink, 0.25)
    if cell.ends_game:
        return theme.zone_colour("e")
    return theme.zone_colour("P") if cell.is_par else theme.sheet


@lru_cache(maxsize=1024)
def _cell_sprite(
    cell: CellView, size: CellSize, theme_name: str, arrows: tuple[Item, ...], is_framed: bool
) -> Sprite:
    theme = theme_named(theme_name)
    width, height = size.width, size.height
    background = cell_colour(cell, theme)
    ink = ink_on(background)
    line_colour = mix_colours(background, ink, 0.3)
    items: list[Item] = [RoundedBox(0, 0, width + 1, height + 1, 0, background, line_colour, 1.4)]
    if is_framed:
        items.append(RoundedBox(1, 1, width, height, 0, None, HIGHLIGHT_COLOUR, 5))
    elif cell.is_par:
        items.append(
            RoundedBox(
                3, 3, width - 2, height - 2, 0, None, mix_colours(theme.zone_colour("P"), BLACK, 0.6), 3
            )
        )
    if cell.ends_game:
        items.append(RoundedBox(3, 3, width - 2, height - 2, 0, None, ink, 2))
        items.append(RoundedBox(7, 7, width - 6, height - 6, 0, None, ink, 2))
    items.extend(_cell_arrows(cell, size, mix_colours(background, ink, 0.45)))
    if cell.is_ledge:
        items.extend(_ledge_items(size, ink))
    items.extend(arrows)
    price = "closed" if cell.closes_company else str(cell.price)
    price_em = fitting_size(price, 0.62 * width, (size.price_em if len(cell.tokens) < 3 else 0.26) * width)
    price_inset = 12 if cell.ends_game else 7
    items.append(Text(price_inset, price_inset + price_em * 0.36, price, price_em, ink, "bold", "left"))
    zone_letter = (cell.zone or ("P" if cell.is_par else "")).upper()
    if zone_letter:
        # Two tokens and more need the lower corner, and so do minors.
        is_letter_above = len(cell.tokens) > 1 or size.has_wide_names
        letter_inset = 6 if cell.ends_game else 0
        y = (
            15 + letter_inset
            if is_letter_above
            else height - 13 - (letter_inset or (5 if cell.is_ledge else 0))
        )
        items.append(Text(width - 7 - letter_inset, y, zone_letter, 0.18 * width, ink, "bold", "right"))
    items.extend(_company_tokens(cell.tokens, size, ink))
    items.extend(
        minor_space_items(
            cell.spaces, theme, background, (width / 2, size.upper_height + size.spaces_height / 4)
        )
    )
    return Sprite(width + 2, height + 2, background, tuple(items))


def _cell_arrows(cell: CellView, size: CellSize, colour: str) -> Iterator[Item]:
    width, height = size.width, size.height
    if cell.has_up_arrow:
        bottom_gap = (30 if cell.is_ledge else 26) if cell.zone or cell.is_par else 10
        yield from _vertical_arrow(width - 14, height - bottom_gap, -1, colour)
    if cell.has_down_arrow:
        yield from _vertical_arrow(13, height - 32, 1, colour)


def _vertical_arrow(x: float, y: float, direction: int, colour: str) -> Iterator[Item]:
    tip_y = y + direction * 24
    yield Polyline(((x, y), (x, y + direction * 15)), colour, 5)
    yield Polygon(((x - 8, y + direction * 12), (x, tip_y), (x + 8, y + direction * 12)), colour)


def _ledge_items(size: CellSize, ink: str) -> Iterator[Item]:
    width, height = size.width, size.height
    yield Polyline(((0, height - 1.5), (width + 1, height - 1.5)), ink, 4)
    for i in range(6):
        x = 6 + i * (width - 10) / 5
        yield Polyline(((x, height - 2), (x - 5, height - 8)), ink, 2)


def _company_tokens(badges: tuple[Badge, ...], size: CellSize, ink: str) -> Iterator[Item]:
    width = size.width
    radius = 0.22 * width
    y = size.upper_height - radius - 7
    if len(badges) > 2 or size.has_wide_names:
        yield from _company_pills(badges, size, ink)
    elif len(badges) == 1:
        yield from token_items(width / 2, y, radius, badges[0])
    elif badges:
        yield from token_items(width / 2 - radius - 1, y, radius, badges[0])
        yield from token_items(width / 2 + radius + 1, y, radius, badges[1])


def _company_pills(badges: tuple[Badge, ...], size: CellSize, ink: str) -> Iterator[Item]:
    """Company names in small rounded boxes, in one or two columns. If not all fit, the last box counts the rest."""
    row_count, row_step = size.pill_rows, size.pill_height + 1
    column_count = 1 if len(badges) <= row_count else 2
    shown_badges = (
        badges if len(badges) <= row_count * column_count else badges[: row_count * column_count - 1]
    )
    top, pill_width = size.upper_height - row_count * row_step - 3, (size.width - 9) / column_count
    for i, badge in enumerate(shown_badges):
        row, column = divmod(i, column_count)
        x, y = 5 + column * pill_width, top + row * row_step
        yield from _company_pill(badge, x, y, x + pill_width - column_count + 1, size.pill_height)
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
    available_width = x1 - x0 - 5
    yield fitted_text(
        (x0 + x1) / 2,
        y0 + height / 2,
        badge.company,
        available_width,
        height * 0.92,
        ink_on(company_colour),
        "black",
    )


def _arrows_by_position(
    layout: MarketLayout, moves: Iterable[tuple[str, Cell, Cell]]
) -> dict[Cell, list[Item]]:
    arrows_by_position: dict[Cell, list[Item]] = defaultdict(list)
    for _, old_cell, new_cell in moves:
        for start, end in _arrow_parts(layout, old_cell, new_cell):
            arrow_part_items = _arrow_part_items(layout, start, end)
            first_line, last_line = sorted((start[0], end[0]))
            first_column, last_column = sorted((start[1], end[1]))
            for position in product(range(first_line, last_line + 1), range(first_column, last_column + 1)):
                arrows_by_position[position].extend(arrow_part_items)
    return arrows_by_position


def _arrow_parts(layout: MarketLayout, old_cell: Cell, new_cell: Cell) -> Iterator[tuple[Cell, Cell]]:
    """Start and end of each part of the arrow for a price change.

    If a long row is drawn as two lines, an arrow from one line to the other has two parts.
    """
    start, end = layout.line_and_column_of(old_cell), layout.line_and_column_of(new_cell)
    if old_cell == new_cell:
        return
    if layout.columns_per_line and start[0] != end[0]:
        exit_column, entry_column = (
            (layout.columns_per_line, -1) if new_cell > old_cell else (-1, layout.columns_per_line)
        )
        yield start, (start[0], exit_column)
        yield (end[0], entry_column), end
    else:
        yield start, end


def _arrow_part_items(layout: MarketLayout, start: Cell, end: Cell) -> tuple[Item, ...]:
    size = layout.sizes[end[0]]
    x_fraction = 0.68 if start[1] == end[1] else 0.5  # a vertical arrow passes the price on its right
    (x0, y0), (x1, y1) = _arrow_point(layout, start, x_fraction), _arrow_point(layout, end, x_fraction)
    tip_gap = min(
        _fraction_within(x1 - x0, 0.5 * size.width),
        _fraction_within(y1 - y0, (0.38 if y1 < y0 else 0.62) * size.upper_height),
    )
    length = math.dist((x0, y0), (x1, y1))
    tip_shift = max(0.0, tip_gap - 10 / length)  # the tip stands just inside the new cell, before its token
    x1, y1 = x1 - (x1 - x0) * tip_shift, y1 - (y1 - y0) * tip_shift
    return tuple(_arrow_items(x0, y0, x1, y1))


def _arrow_point(layout: MarketLayout, position: Cell, x_fraction: float) -> tuple[float, float]:
    x, y = layout.upper_left_of(*position)
    size = layout.sizes[position[0]]
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


def _corner_beside_rows(layout: MarketLayout, width: int, height: int) -> tuple[int, int | None]:
    """Top left corner of a box in the empty area to the right of the short rows; y is None if the box does not fit."""
    right_edge = MARGIN + layout.width
    for line_index in range(len(layout.lines)):
        max_column_count = max(used_column_count(line) for line in layout.lines[line_index:])
        top = layout.upper_left_of(line_index, 0)[1] + 18
        if (
            right_edge - layout.upper_left_of(line_index, max_column_count)[0] >= width + 20
            and layout.bottom + 60 - top >= height
        ):
            return right_edge - width, top
    return 0, None


def _legend_sprite(view: MarketView, theme: Theme, width: int, cut_note: str) -> Sprite:
    """The legend of zone colours, and a note about columns that were cut."""
    items: list[Item] = []
    x, y = 0.0, 20.0
    zone_entries = (
        (explanation, partial(_legend_zone, letter, theme)) for letter, explanation in view.legend
    )
    minor_entries = (
        (explanation, partial(legend_minor_space, space, theme)) for space, explanation in view.space_legend
    )
    for explanation, draw_sign in (*zone_entries, *minor_entries):
        entry_width = text_width(explanation, "regular") * 22 + 76
        if x and x + entry_width > width:
            x, y = 0.0, y + 38
        items.extend(draw_sign(x, y))
        items.append(Text(x + 44, y, explanation, 22, theme.ink, "regular", "left"))
        x += entry_width
    if cut_note:
        x, y = (0.0, y + 38) if x and x + text_width(cut_note, "regular") * 22 > width else (x, y)
        items.append(Text(x, y, cut_note, 22, theme.ink, "regular", "left"))
    return Sprite(width, round(y + 20), theme.page, tuple(items))


def _legend_zone(letter: str, theme: Theme, x: float, y: float) -> Iterator[Item]:
    background = theme.zone_colour(letter)
    yield RoundedBox(x, y - 15, x + 34, y + 15, 3, background, mix_colours(theme.page, theme.ink, 0.7), 2)
    yield Text(x + 17, y, letter.upper(), 20, ink_on(background), "bold")


MINOR_SPACE_RADIUS: Final = 30.0
_FLIPPED_MARKER_COLOUR: Final = "#8d9299"


def minor_space_items(
    views: Sequence[SpaceView], theme: Theme, background: Colour, upper_middle: tuple[float, float]
) -> Iterator[Item]:
    """A market cell's spaces for minors, one below the other; `upper_middle` is the centre of the first space."""
    x, y = upper_middle
    for number, view in enumerate(views):
        yield from _single_minor_space(
            view, theme, background, (x, y + number * (2 * MINOR_SPACE_RADIUS + 8)), MINOR_SPACE_RADIUS
        )


def _single_minor_space(
    view: SpaceView, theme: Theme, background: Colour, position: tuple[float, float], radius: float
) -> Iterator[Item]:
    """One space for a minor: the minor's marker, a crossed-out disc, a faint ring with its phase, or a free space."""
    x, y = position
    colour = theme.zone_colour(view.zone)
    if view.state == "taken" and view.badge is not None:
        yield from token_items(x, y, radius, view.badge)
    elif view.state == "blocked":
        yield Disc(x, y, radius, _FLIPPED_MARKER_COLOUR, BLACK, 2)
        yield from _cross_items(x, y, 0.46 * radius)
    elif view.state == "later":
        faint_colour = mix_colours(colour, BLACK, 0.6) if ink_on(background) == BLACK else colour
        yield Disc(x, y, radius, background, mix_colours(colour, BLACK, 0.3), 2.5)
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


def operating_order_block(
    operating_order: Sequence[OrderView], theme: Theme, width: int, *, column_count: int = 1
) -> Block:
    """The operating order as a panel, in columns that are read from top to bottom."""
    row_count = -(-len(operating_order) // column_count)
    column_width = width / column_count
    title = "Operating order" if operating_order else "No company has started"
    items: list[Item] = [Text(0, 18, title, 26, theme.ink, "black", "left")]
    for i, order_entry in enumerate(operating_order):
        column, row = divmod(i, max(1, row_count))
        items.extend(
            _order_row(
                i,
                order_entry,
                theme,
                column * column_width,
                _ORDER_HEADING_HEIGHT + row * _ORDER_ROW_HEIGHT,
                column_width - 12,
            )
        )
    return Block(width, _ORDER_HEADING_HEIGHT + row_count * _ORDER_ROW_HEIGHT + 4, tuple(items))


def _order_row(
    index: int, order_entry: OrderView, theme: Theme, x: float, top: float, width: float
) -> Iterator[Item]:
    y = top + _ORDER_ROW_HEIGHT / 2
    ink = theme.ink if order_entry.progress != "done" else mix_colours(theme.page, theme.ink, 0.62)
    if order_entry.progress == "acting":
        yield RoundedBox(
            x, top + 2, x + width, top + _ORDER_ROW_HEIGHT - 2, 8, theme.sheet, HIGHLIGHT_COLOUR, 2.5
        )
        yield Polygon(((x + 6, y - 9), (x + 20, y), (x + 6, y + 9)), HIGHLIGHT_COLOUR)
    elif order_entry.progress == "done":
        yield Polyline(((x + 6, y), (x + 11, y + 6), (x + 21, y - 8)), ink, 3.5)
    yield Text(x + 52, y, f"{index + 1}", 24, ink, "bold", "right")
    yield from token_items(x + 82, y, 20, order_entry.badge)
    if order_entry.progress == "done":
        yield Disc(x + 82, y, 12.5, theme.page)
        yield fitted_text(x + 82, y, order_entry.badge.company, 24, 12, ink)
    yield Text(x + 170, y, order_entry.money(order_entry.price), 25, ink, "bold", "right")
    name_width = width - 196
    for marker in order_entry.markers:
        marker_width = text_width(marker) * _MARKER_EM + 16
        name_width -= marker_width + 6
        x0 = x + 186 + name_width + 10
        yield RoundedBox(x0, y - 13, x0 + marker_width, y + 13, 13, theme.sheet, ink, 2)
        yield Text(x0 + marker_width / 2, y, marker, _MARKER_EM, theme.ink, "bold")
    yield from _president_name(order_entry, (x + 186, y), name_width, ink)


def _president_name(
    order_entry: OrderView, position: tuple[float, float], available_width: float, ink: str
) -> Iterator[Item]:
    """The president's name, followed by "(not floated)" where true; only the name is shortened."""
    weight: Weight = "bold" if order_entry.is_floated else "regular"
    note = "" if order_entry.is_floated or not order_entry.president else " (not floated)"
    size = fitting_size(order_entry.president + note, available_width, 24, weight, smallest_size=19)
    name = shortened_text(
        order_entry.president, available_width - text_width(note, weight) * size, size, weight
    )
    yield Text(*position, name + note, size, ink, weight, "left")
