"""Line charts over the rounds: net worth of each player, and share price of each company."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from engine.views import HistoryView
from render.font_metrics import fitted_text, fitting_size, heading, shortened_text
from render.hexes.route_art import dashes
from render.scene import Colour, Disc, Item, PlacedSprite, Point, Polyline, RoundedBox, Scene, Sprite, Text
from render.theme import (
    Theme,
    dash_pattern_indexes_of,
    ink_on,
    mix_colours,
    palette,
    readable_company_colour,
    theme_named,
)

PICTURE_WIDTH: Final = 1200
_HEADING_HEIGHT: Final = 66
_MIN_CHART_HEIGHT: Final = 470
_LEFT_MARGIN, _RIGHT_MARGIN, _TOP_MARGIN, _BOTTOM_MARGIN = 92, 210, 54, 52
_LABEL_HEIGHT: Final = 30
_DASH_PATTERNS: Final = ((), (12.0, 10.0), (3.0, 9.0), (math.inf, 0.0), (4.0, 4.0), (26.0, 6.0))
"""Dash patterns (dash length, gap length) drawn inside lines whose colours could be confused."""
_GRID_STEPS: Final = (10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 2500, 5000, 10000)


@dataclass(frozen=True, slots=True)
class ChartLine:
    """A line of a chart: label, colour, and a value for each round (None before the company has started)."""

    name: str
    line_colour: Colour
    values: tuple[int | None, ...]
    dash_pattern_index: int
    """Index of the line's dash pattern."""


def chart_scene(view: HistoryView, theme_name: str) -> Scene:
    """The chart of share prices; above it the chart of net worths, if they are known."""
    theme = theme_named(theme_name)
    player_colours = tuple(theme.numbered_line_colour(i) for i in range(len(view.players)))
    net_worth_lines = _chart_lines(view.players, player_colours, [m.net_worths for m in view.rounds])
    company_line_colours = tuple(readable_company_colour(badge.colour) for badge in view.companies)
    price_lines = _chart_lines(
        [b.company for b in view.companies], company_line_colours, [m.prices for m in view.rounds]
    )
    charts = [
        (name, lines)
        for name, lines in (("Net worth", net_worth_lines), ("Share prices", price_lines))
        if lines
    ]
    sprites = [
        PlacedSprite(
            Sprite(
                PICTURE_WIDTH,
                _HEADING_HEIGHT,
                theme.page,
                heading(view.title, view.caption, PICTURE_WIDTH, theme.ink, x=24, gap=20),
            ),
            0,
            0,
        )
    ]
    top = _HEADING_HEIGHT
    for title, lines in charts:
        chart_height = max(_MIN_CHART_HEIGHT, _TOP_MARGIN + _BOTTOM_MARGIN + _LABEL_HEIGHT * len(lines))
        items = tuple(_chart_items(view, title, lines, theme, chart_height))
        sprites.append(PlacedSprite(Sprite(PICTURE_WIDTH, chart_height, theme.page, items), 0, top))
        top += chart_height
    return Scene(
        PICTURE_WIDTH,
        top,
        theme.page,
        tuple(sprites),
        palette(theme_name, tuple(sorted({*company_line_colours}))),
    )


def _chart_lines(
    names: Sequence[str], line_colours: Sequence[Colour], values_by_round: Sequence[Sequence[int | None]]
) -> list[ChartLine]:
    values_by_line = [tuple(row[i] for row in values_by_round) for i in range(len(names))]
    shown_indexes = [i for i, values in enumerate(values_by_line) if any(values)]
    dash_pattern_indexes = dash_pattern_indexes_of([line_colours[i] for i in shown_indexes])
    return [
        ChartLine(names[i], line_colours[i], values_by_line[i], pattern_index)
        for i, pattern_index in zip(shown_indexes, dash_pattern_indexes, strict=True)
    ]


def _chart_items(
    view: HistoryView, title: str, lines: Sequence[ChartLine], theme: Theme, height: int
) -> Iterator[Item]:
    yield Text(24, 22, title, 26, theme.ink, "black", "left")
    grid_step, top_value = _value_scale(
        [value for line in lines for value in line.values if value is not None]
    )
    yield RoundedBox(
        _LEFT_MARGIN, _TOP_MARGIN, PICTURE_WIDTH - _RIGHT_MARGIN, height - _BOTTOM_MARGIN, 0, theme.sheet
    )
    for value in range(0, top_value + 1, grid_step):
        y = _y_of_value(value, top_value, height)
        yield Polyline(
            ((_LEFT_MARGIN, y), (PICTURE_WIDTH - _RIGHT_MARGIN, y)),
            mix_colours(theme.sheet, theme.ink, 0.3),
            1.5,
        )
        yield Text(_LEFT_MARGIN - 10, y, view.money(value), 21, theme.ink, "bold", "right")
    yield from _round_names([round_view.name for round_view in view.rounds], theme.soft_ink, height)
    for line in lines:
        yield from _line_items(line, top_value, theme, height)
    yield from _end_labels(view, lines, top_value, theme, height)


def _value_scale(values: Sequence[int]) -> tuple[int, int]:
    """The step between grid lines in dollars, for at most eight lines, and the highest value on the axis."""
    highest_value = max(values, default=1) or 1
    grid_step = next(
        (grid_step for grid_step in _GRID_STEPS if highest_value / grid_step <= 8), highest_value
    )
    return grid_step, -(-highest_value // grid_step) * grid_step


def _x_of_round(round_index: int, round_count: int) -> float:
    return (
        _LEFT_MARGIN
        + 14
        + round_index * (PICTURE_WIDTH - _LEFT_MARGIN - _RIGHT_MARGIN - 28) / max(1, round_count - 1)
    )


def _y_of_value(value: float, top_value: int, height: int) -> float:
    return height - _BOTTOM_MARGIN - (height - _BOTTOM_MARGIN - _TOP_MARGIN) * value / top_value


def _round_names(round_names: Sequence[str], ink: Colour, height: int) -> Iterator[Item]:
    """The round names below a chart: as many as fit, including the last."""
    name_interval = -(-len(round_names) * 84 // (PICTURE_WIDTH - _LEFT_MARGIN - _RIGHT_MARGIN))
    for i, name in enumerate(round_names):
        if (len(round_names) - 1 - i) % max(1, name_interval) == 0:
            yield Text(_x_of_round(i, len(round_names)), height - _BOTTOM_MARGIN + 20, name, 20, ink, "bold")


def _line_items(line: ChartLine, top_value: int, theme: Theme, height: int) -> Iterator[Item]:
    round_count = len(line.values)
    points = [
        (_x_of_round(i, round_count), _y_of_value(value, top_value, height))
        for i, value in enumerate(line.values)
        if value is not None
    ]
    for point, next_point in pairwise(points):
        yield Polyline((point, next_point), mix_colours(theme.sheet, theme.ink, 0.7), 7)
    for point, next_point in pairwise(points):
        yield Polyline((point, next_point), line.line_colour, 4.5)
    dash_pattern = _DASH_PATTERNS[line.dash_pattern_index % len(_DASH_PATTERNS)]
    for dash in dashes(tuple(points), *dash_pattern) if dash_pattern and points else ():
        yield Polyline(dash, ink_on(line.line_colour), 2.2)
    for x, y in points:
        yield Disc(x, y, 5.5, line.line_colour, theme.ink, 1)


def _end_labels(
    view: HistoryView, lines: Sequence[ChartLine], top_value: int, theme: Theme, height: int
) -> Iterator[Item]:
    last_values = [(line, line.values[-1]) for line in lines]
    labelled_lines = sorted(
        ((line, value) for line, value in last_values if value is not None), key=lambda pair: -pair[1]
    )
    label_ys = _spread_labels([_y_of_value(value, top_value, height) for _, value in labelled_lines], height)
    for (line, value), y in zip(labelled_lines, label_ys, strict=True):
        yield from _end_label(line, view.money(value), (PICTURE_WIDTH - _RIGHT_MARGIN + 12, y), theme)


def _spread_labels(wanted_ys: Sequence[float], height: int) -> list[float]:
    """Heights of the labels at line ends, moved apart until none overlap."""
    label_ys: list[float] = []
    for y in wanted_ys:
        label_ys.append(max(y, label_ys[-1] + _LABEL_HEIGHT) if label_ys else max(y, _LABEL_HEIGHT / 2))
    lowest_y: float = height - _BOTTOM_MARGIN - 2
    for i in range(len(label_ys) - 1, -1, -1):
        label_ys[i] = min(label_ys[i], lowest_y)
        lowest_y = label_ys[i] - _LABEL_HEIGHT
    return label_ys


def _end_label(line: ChartLine, value: str, position: Point, theme: Theme) -> Iterator[Item]:
    x, y = position
    size = fitting_size(line.name, 90, 20, "black", smallest_size=14)
    yield RoundedBox(x, y - 13, x + 106, y + 13, 6, line.line_colour, theme.ink, 1)
    dash_pattern = _DASH_PATTERNS[line.dash_pattern_index % len(_DASH_PATTERNS)]
    for dash in dashes(((x + 4, y + 9.5), (x + 102, y + 9.5)), *dash_pattern) if dash_pattern else ():
        yield Polyline(dash, ink_on(line.line_colour), 2.2)
    yield Text(
        x + 53, y, shortened_text(line.name, 96, size, "black"), size, ink_on(line.line_colour), "black"
    )
    yield fitted_text(PICTURE_WIDTH - 14, y, value, 70, 22, theme.ink, align="right")
