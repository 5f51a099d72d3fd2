"""Panels next to a map: title, trains in the bank, routes with revenue, legend, and revenue values by phase."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Final, TypeAlias

from engine.views import HexView, MapView, RunView, StopView
from render.font_metrics import fitted_text, fitting_size, text_width
from render.hexes.hex_geometry import Layout
from render.hexes.labels import MAX_VALUES_IN_ROW
from render.maps.legend_art import close_up_legend, legend_panel, legend_strip, map_entries
from render.maps.overlays import hexes_named_elsewhere
from render.scene import Block, Disc, Frame, Item, Polyline, RoundedBox, Sprite, Text, items_in_pixels
from render.theme import BLACK, WHITE, Theme, mix_colours

_MAX_CARDS_IN_ROW: Final = 7
"""Maximum number of train boxes in a row."""
_MIN_CARD_WIDTH: Final = 48


def panel_sprite(block: Block, theme: Theme) -> Sprite:
    """A panel as a sprite on the page's background colour."""
    return Sprite(block.width, block.height, theme.page, block.items)


def panel_blocks(
    view: MapView, theme: Theme, radius: int, strip_width: int
) -> tuple[tuple[Block, Callable[[], Block]], ...]:
    """The panels of a map, most important first. Each is paired with a function that draws it as a strip instead."""
    width = round(5.75 * radius)
    panels = [(_facts_panel(view, theme, width), partial(facts_strip, view, theme, strip_width))]
    if view.runs:
        panels.insert(
            0,
            (
                _route_revenue_panel(view, theme, width),
                partial(_route_revenue_panel, view, theme, strip_width),
            ),
        )
    entries = map_entries(view)
    if entries:
        panels.append(
            (legend_panel(entries, theme, width), partial(legend_strip, entries, theme, strip_width))
        )
    values_block = values_panel(view, theme, width)
    if values_block is not None:
        panels.append((values_block, partial(values_strip, view, view.hexes, theme, strip_width)))
    return tuple(panels)


def _facts_panel(view: MapView, theme: Theme, width: int) -> Block:
    items = _title_items(view, theme, width)
    y = 88
    if view.trains_left:
        items.append(Text(0, y + 12, "Trains in the bank", 20, theme.soft_ink, "bold", "left"))
        y += 30
        for row_view in _train_rows(view, width):
            items.extend(_train_cards(row_view, theme, width, y))
            y += 78
    if view.trains_in_pool:
        items.append(fitted_text(0, y + 14, _bank_pool_text(view), width, 21, theme.ink, align="left"))
        y += 32
    return Block(width, y, tuple(items))


def facts_strip(view: MapView, theme: Theme, width: int) -> Block:
    """A strip below a map: title, trains in the bank, and trains in the bank pool."""
    items = _title_items(view, theme, width * 0.42)
    if view.trains_left:
        cards_frame = Frame(width * 0.45, 0, 1.0)
        items.extend(items_in_pixels(_train_cards(view, theme, round(width * 0.55), 4), cards_frame))
    if view.trains_in_pool:
        items.append(fitted_text(0, 96, _bank_pool_text(view), width, 21, theme.ink, align="left"))
    return Block(width, 112 if view.trains_in_pool else 80, tuple(items))


def _title_items(view: MapView, theme: Theme, width: float) -> list[Item]:
    return [
        fitted_text(0, 22, view.title, width, 34, theme.ink, "black", "left"),
        fitted_text(0, 60, view.caption, width, 25, theme.ink, align="left"),
    ]


def _bank_pool_text(view: MapView) -> str:
    """The trains in the bank pool, such as `Bank pool: 2 for $80, 3 for $180 (2 of them)`."""
    trains = Counter(view.trains_in_pool)
    train_texts = (
        f"{name} for {view.money(price)}" + (f" ({n} of them)" if n > 1 else "")
        for (name, price), n in trains.items()
    )
    return "Bank pool: " + ", ".join(train_texts)


def _train_rows(view: MapView, width: int) -> Iterator[MapView]:
    """The types of trains in rows of equal length. Each row is a copy of the view with only the trains of the row."""
    train_count = len(view.trains_left)
    row_length = -(-train_count // -(-train_count // min(_MAX_CARDS_IN_ROW, width // _MIN_CARD_WIDTH)))
    for start in range(0, train_count, row_length):
        yield replace(view, trains_left=view.trains_left[start : start + row_length])


def _train_cards(view: MapView, theme: Theme, width: int, top: int) -> Iterator[Item]:
    """A box for each type of train: name, number left, and price."""
    card_step = min(76.0, width / len(view.trains_left))
    for i, (name, trains_left, price) in enumerate(view.trains_left):
        x0, x1 = i * card_step, (i + 1) * card_step - 6
        middle_x = (x0 + x1) / 2
        is_sold_out = trains_left == 0
        background = mix_colours(theme.page, theme.sheet, 0.25) if is_sold_out else theme.sheet
        ink = theme.soft_ink if is_sold_out else theme.ink
        yield RoundedBox(x0, top, x1, top + 72, 7, background, theme.soft_ink, 1.5)
        count_text = "∞" if trains_left is None else f"×{trains_left}"
        size = fitting_size(name + count_text, x1 - x0 - 16, 27, "black")
        half_width = (text_width(name, "black") + text_width(count_text, "bold") * 0.8) * size / 2 + 2
        yield Text(middle_x - half_width, top + 23, name, size, ink, "black", "left")
        yield Text(middle_x + half_width, top + 23, count_text, size * 0.8, ink, "bold", "right")
        yield fitted_text(middle_x, top + 53, view.money(price), x1 - x0 - 8, 21, ink)


def _route_revenue_panel(view: MapView, theme: Theme, width: int) -> Block:
    items: list[Item] = []
    for i, run in enumerate(view.runs):
        items.extend(_route_revenue_items(run, i, theme, (0, 20 + i * 38), width))
    items.append(Text(0, 22 + len(view.runs) * 38, _total_revenue_text(view), 28, theme.ink, "black", "left"))
    return Block(width, 42 + len(view.runs) * 38, tuple(items))


def _total_revenue_text(view: MapView) -> str:
    return f"Revenue {view.money(sum(run.revenue for run in view.runs))}"


def _route_revenue_items(
    run: RunView, i: int, theme: Theme, position: tuple[float, float], width: float
) -> Iterator[Item]:
    x, y = position
    yield Polyline(((x, y), (x + 54, y)), BLACK, 13)
    yield Polyline(((x + 2, y), (x + 52, y)), theme.numbered_line_colour(i), 9)
    yield Disc(x + 27, y, 15, WHITE, theme.numbered_line_colour(i), 4)
    yield Text(x + 27, y, run.short_train_name, 19 if len(run.short_train_name) < 3 else 13, BLACK, "black")
    sum_text = f"{run.sum_text} = {run.money(run.revenue)}" if "+" in run.sum_text else run.money(run.revenue)
    yield fitted_text(x + 64, y, sum_text, width - 66, 25, theme.ink, align="left")


def strips_below(view: MapView, shown_hexes: Sequence[HexView], theme: Theme, width: int) -> Iterator[Block]:
    """The strips below a close-up of these hexes: caption, legend, and revenue values by phase."""
    yield caption_strip(view, theme, width)
    legend = close_up_legend(view, shown_hexes, theme, width)
    if legend is not None:
        yield legend
    values_block = values_strip(view, shown_hexes, theme, width, inset=24)
    if values_block.items:
        yield replace(values_block, height=values_block.height + 10)


def caption_strip(view: MapView, theme: Theme, width: int) -> Block:
    """The strip below a close-up: title, caption, and the revenue of each route, two routes per line."""
    words = f"{view.title}   {view.caption}"
    items: list[Item] = [Polyline(((0, 1), (width, 1)), theme.hairline, 2)]
    items.append(fitted_text(24, 30, words, width - 48, 27, theme.ink, align="left"))
    column_width = (width - 48) / 2
    for i, run in enumerate(view.runs):
        items.extend(
            _route_revenue_items(
                run, i, theme, (24 + (i % 2) * column_width, 72 + (i // 2) * 38), column_width - 12
            )
        )
    line_count = (len(view.runs) + 1) // 2
    if view.runs:
        items.append(Text(width - 24, 30, _total_revenue_text(view), 27, theme.ink, "black", "right"))
    return Block(width, 58 + 38 * line_count, tuple(items))


_VALUE_EM: Final = 19
_VALUE_LINE_HEIGHT: Final = 27
_VALUES_HEADING_HEIGHT: Final = 58
_VALUE_WIDTH: Final = 38
_MIN_VALUES_WIDTH: Final = 350
"""Smallest width, in pixels, at which stop names and their revenue values are readable."""
_VALUES_GAP: Final = 36
_ValuedStop: TypeAlias = tuple[HexView, StopView]


def values_panel(view: MapView, theme: Theme, width: int) -> Block | None:
    """The panel of revenue values by phase, one stop per line; None if no stop needs it.

    It lists the stops whose values do not all fit on their hex.
    """
    valued_stops = _valued_stops(view.layout, view.hexes)
    return (
        _values_block(tuple(valued_stops), view.revenue_steps, theme, max(width, _MIN_VALUES_WIDTH))
        if valued_stops
        else None
    )


@lru_cache(maxsize=64)
def _values_block(
    valued_stops: tuple[_ValuedStop, ...], revenue_steps: tuple[str, ...], theme: Theme, width: int
) -> Block:
    return Block(
        width,
        _values_height(valued_stops),
        tuple(_value_lines(valued_stops, revenue_steps, theme, (0.0, width))),
    )


def values_strip(view: MapView, hexes: Sequence[HexView], theme: Theme, width: int, inset: int = 0) -> Block:
    """A strip, in columns, of revenue values by phase; empty if no stop needs it.

    It lists the stops of these hexes whose values do not all fit on their hex.
    """
    valued_stops = _valued_stops(view.layout, tuple(hexes))
    total_width = width - 2 * inset + _VALUES_GAP
    column_count = max(1, total_width // (_MIN_VALUES_WIDTH + _VALUES_GAP))
    stops_in_column = -(-len(valued_stops) // column_count) or 1
    column_width = total_width / column_count
    items: list[Item] = []
    for i in range(0, len(valued_stops), stops_in_column):
        left = inset + i // stops_in_column * column_width
        items.extend(
            _value_lines(
                valued_stops[i : i + stops_in_column],
                view.revenue_steps,
                theme,
                (left, left + column_width - _VALUES_GAP),
            )
        )
    return Block(width, _values_height(valued_stops[:stops_in_column]) if valued_stops else 0, tuple(items))


def _valued_stops(layout: Layout, hexes: tuple[HexView, ...]) -> list[_ValuedStop]:
    coords_named_elsewhere = hexes_named_elsewhere(layout, hexes)
    long_row_stops = (
        (h, next((s for s in h.stops if len(s.revenue) > MAX_VALUES_IN_ROW), None)) for h in hexes
    )
    return sorted(
        ((h, s) for h, s in long_row_stops if s is not None and h.coord not in coords_named_elsewhere),
        key=lambda place: place[0].name,
    )


def _values_height(valued_stops: Sequence[_ValuedStop]) -> int:
    return _VALUES_HEADING_HEIGHT + _VALUE_LINE_HEIGHT * len(valued_stops)


def _value_lines(
    valued_stops: Sequence[_ValuedStop],
    revenue_steps: tuple[str, ...],
    theme: Theme,
    x_range: tuple[float, float],
) -> Iterator[Item]:
    left, right = x_range
    soft_ink = theme.soft_ink
    yield Text(left, 12, "Value by phase", 20, soft_ink, "bold", "left")
    for x, step in zip(_column_xs(right, len(revenue_steps)), revenue_steps, strict=True):
        yield fitted_text(x, 42, step, _VALUE_WIDTH - 4, 17, soft_ink)
    for i, (hex_view, stop) in enumerate(valued_stops):
        yield from _value_line(
            hex_view, stop, theme, x_range, _VALUES_HEADING_HEIGHT + (i + 0.5) * _VALUE_LINE_HEIGHT
        )


def _column_xs(right: float, count: int) -> list[float]:
    return [right - (count - i - 0.5) * _VALUE_WIDTH for i in range(count)]


def _value_line(
    hex_view: HexView, stop: StopView, theme: Theme, x_range: tuple[float, float], y: float
) -> Iterator[Item]:
    left, right = x_range
    column_xs = _column_xs(right, len(stop.revenue))
    stop_name = f"{hex_view.coord} {hex_view.name}"
    yield fitted_text(
        left, y, stop_name, column_xs[0] - _VALUE_WIDTH / 2 - 8 - left, _VALUE_EM, theme.ink, align="left"
    )
    for i, (x, value) in enumerate(zip(column_xs, stop.revenue, strict=True)):
        is_current = i == stop.revenue_index
        if is_current:
            half_width = _VALUE_WIDTH / 2 - 1
            yield RoundedBox(x - half_width, y - 12, x + half_width, y + 12, 4, theme.sheet, theme.ink, 2)
        yield Text(
            x,
            y,
            str(value),
            fitting_size(str(value), _VALUE_WIDTH - 8, _VALUE_EM),
            theme.ink,
            "black" if is_current else "regular",
        )
