"""Charts over the rounds as a scene: net worth of every player, share price of every company."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from engine.views import HistoryView
from render.font_metrics import fitted, fitting, heading, shortened
from render.hexes.route_art import dashes
from render.scene import Colour, Disc, Item, Placed, Point, Polyline, RoundedBox, Scene, Sprite, Text
from render.theme import Theme, company, ink_on, line_cores, mix, palette, theme_named

WIDTH: Final = 1200
_HEAD: Final = 66
_TALL: Final = 470
"""The least height of one chart with its heading and its rounds."""
_LEFT, _RIGHT, _TOP, _BOTTOM = 92, 210, 54, 52
_LABEL: Final = 30
"""Height of a label at the end of a line."""
_CORES: Final = ((), (12.0, 10.0), (3.0, 9.0), (math.inf, 0.0), (4.0, 4.0), (26.0, 6.0))
"""Dashes in lines that somebody takes for another one, and what lies between them."""
_STEPS: Final = (10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 2500, 5000, 10000)


@dataclass(frozen=True, slots=True)
class ChartLine:
    """A chart line: label, colour, values (None: not started)."""

    name: str
    paint: Colour
    values: tuple[int | None, ...]
    core: int
    """Which dashes are in it."""


def chart_scene(view: HistoryView, theme_name: str) -> Scene:
    """Net worths above, where they are known, share prices below; each line is named where it ends."""
    theme = theme_named(theme_name)
    rounds = [moment.name for moment in view.moments]
    own = tuple(theme.line(i) for i in range(len(view.players)))
    worth = _lines(view.players, own, [m.worth for m in view.moments])
    colours = tuple(company(badge.colour) for badge in view.companies)
    prices = _lines([b.company for b in view.companies], colours, [m.prices for m in view.moments])
    charts = [(name, lines) for name, lines in (("Net worth", worth), ("Share prices", prices)) if lines]
    sprites = [
        Placed(
            Sprite(
                WIDTH, _HEAD, theme.page, heading(view.title, view.caption, WIDTH, theme.ink, x=24, gap=20)
            ),
            0,
            0,
        )
    ]
    top = _HEAD
    for title, lines in charts:
        tall = max(_TALL, _TOP + _BOTTOM + _LABEL * len(lines))
        items = tuple(_chart(title, lines, rounds, theme, tall))
        sprites.append(Placed(Sprite(WIDTH, tall, theme.page, items), 0, top))
        top += tall
    return Scene(WIDTH, top, theme.page, tuple(sprites), palette(theme_name, tuple(sorted({*colours}))))


def _lines(
    names: Sequence[str], paints: Sequence[Colour], rows: Sequence[Sequence[int | None]]
) -> list[ChartLine]:
    columns = [tuple(row[i] for row in rows) for i in range(len(names))]
    there = [i for i, values in enumerate(columns) if any(values)]
    inner = line_cores([paints[i] for i in there])
    return [ChartLine(names[i], paints[i], columns[i], core) for i, core in zip(there, inner, strict=True)]


def _chart(
    title: str, lines: Sequence[ChartLine], rounds: Sequence[str], theme: Theme, height: int
) -> Iterator[Item]:
    soft = theme.soft
    yield Text(24, 22, title, 26, theme.ink, "black", "left")
    step, most = _scale([value for line in lines for value in line.values if value is not None])
    yield RoundedBox(_LEFT, _TOP, WIDTH - _RIGHT, height - _BOTTOM, 0, theme.sheet)
    for value in range(0, most + 1, step):
        y = _y(value, most, height)
        yield Polyline(((_LEFT, y), (WIDTH - _RIGHT, y)), mix(theme.sheet, theme.ink, 0.3), 1.5)
        yield Text(_LEFT - 10, y, f"${value}", 21, theme.ink, "bold", "right")
    yield from _rounds(rounds, soft, height)
    for line in lines:
        yield from _drawn_line(line, most, theme, height)
    yield from _labels(lines, most, theme, height)


def _scale(values: Sequence[int]) -> tuple[int, int]:
    """Dollars between grid lines, at most eight of them, and the top value."""
    highest = max(values, default=1) or 1
    step = next((step for step in _STEPS if highest / step <= 8), highest)
    return step, -(-highest // step) * step


def _x(i: int, count: int) -> float:
    return _LEFT + 14 + i * (WIDTH - _LEFT - _RIGHT - 28) / max(1, count - 1)


def _y(value: float, maximum: int, height: int) -> float:
    return height - _BOTTOM - (height - _BOTTOM - _TOP) * value / maximum


def _rounds(rounds: Sequence[str], ink: Colour, height: int) -> Iterator[Item]:
    """Names of rounds below the chart, as many as fit, always with the last."""
    every = -(-len(rounds) * 84 // (WIDTH - _LEFT - _RIGHT))
    for i, name in enumerate(rounds):
        if (len(rounds) - 1 - i) % max(1, every) == 0:
            yield Text(_x(i, len(rounds)), height - _BOTTOM + 20, name, 20, ink, "bold")


def _drawn_line(line: ChartLine, maximum: int, theme: Theme, height: int) -> Iterator[Item]:
    count = len(line.values)
    points = [
        (_x(i, count), _y(value, maximum, height)) for i, value in enumerate(line.values) if value is not None
    ]
    for one, other in pairwise(points):
        yield Polyline((one, other), mix(theme.sheet, theme.ink, 0.7), 7)
    for one, other in pairwise(points):
        yield Polyline((one, other), line.paint, 4.5)
    core = _CORES[line.core % len(_CORES)]
    for dash in dashes(tuple(points), *core) if core and points else ():
        yield Polyline(dash, ink_on(line.paint), 2.2)
    for x, y in points:
        yield Disc(x, y, 5.5, line.paint, theme.ink, 1)


def _labels(lines: Sequence[ChartLine], maximum: int, theme: Theme, height: int) -> Iterator[Item]:
    ended = [(line, line.values[-1]) for line in lines]
    here = sorted(((line, value) for line, value in ended if value is not None), key=lambda pair: -pair[1])
    places = _spread_labels([_y(value, maximum, height) for _, value in here], height)
    for (line, value), y in zip(here, places, strict=True):
        yield from _label(line, f"${value}", (WIDTH - _RIGHT + 12, y), theme)


def _spread_labels(wanted: Sequence[float], height: int) -> list[float]:
    """Label heights at least one label apart, within the chart."""
    heights: list[float] = []
    for y in wanted:
        heights.append(max(y, heights[-1] + _LABEL) if heights else max(y, _LABEL / 2))
    lowest: float = height - _BOTTOM - 2
    for i in range(len(heights) - 1, -1, -1):
        heights[i] = min(heights[i], lowest)
        lowest = heights[i] - _LABEL
    return heights


def _label(line: ChartLine, value: str, position: Point, theme: Theme) -> Iterator[Item]:
    x, y = position
    size = fitting(line.name, 90, 20, "black", smallest=14)
    yield RoundedBox(x, y - 13, x + 106, y + 13, 6, line.paint, theme.ink, 1)
    core = _CORES[line.core % len(_CORES)]
    for dash in dashes(((x + 4, y + 9.5), (x + 102, y + 9.5)), *core) if core else ():
        yield Polyline(dash, ink_on(line.paint), 2.2)
    yield Text(x + 53, y, shortened(line.name, 96, size, "black"), size, ink_on(line.paint), "black")
    yield fitted(WIDTH - 14, y, value, 70, 22, theme.ink, align="right")
