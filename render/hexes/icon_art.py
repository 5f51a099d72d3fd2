"""Printed icons of cities, 0.18 wide, in hex sides."""

import math
from collections.abc import Iterator
from typing import Final

from render.scene import Disc, Item, Point, Polygon, Polyline
from render.theme import LINE, MOUNTAIN, WATER

_GOLD: Final = "#d8a000"
_WOOD: Final = "#2f7d3b"
_FISH: Final = (
    (-0.09, 0.0),
    (-0.03, -0.05),
    (0.04, 0.0),
    (0.09, -0.05),
    (0.09, 0.05),
    (0.04, 0.0),
    (-0.03, 0.05),
)


def icon(name: str, x: float, y: float) -> Iterator[Item]:
    """The icon of this name; one nobody has drawn is a star."""
    match name:
        case "coal":
            yield from _coal(x, y)
        case "fish":
            yield Polygon(_at(x, y, _FISH), WATER)
        case "lumber":
            yield Polygon(_at(x, y, ((0, -0.1), (0.075, 0.05), (-0.075, 0.05))), _WOOD)
            yield Polyline(_at(x, y, ((0, 0.04), (0, 0.1))), LINE, 0.03)
        case "port":
            yield from _anchor(x, y)
        case "cattle":
            yield Polyline(
                _at(x, y, ((-0.09, -0.08), (-0.06, -0.02), (0.06, -0.02), (0.09, -0.08))), LINE, 0.03
            )
            yield Polygon(_at(x, y, ((-0.055, -0.03), (0.055, -0.03), (0.03, 0.09), (-0.03, 0.09))), MOUNTAIN)
        case "gold":
            yield Polygon(_at(x, y, ((-0.09, 0.06), (-0.05, -0.05), (0.05, -0.05), (0.09, 0.06))), _GOLD)
            yield Polyline(_at(x, y, ((-0.09, 0.06), (0.09, 0.06))), LINE, 0.02)
        case _:
            yield Polygon(_ring(x, y, 0.09, 0.04, 10), LINE)


def _at(x: float, y: float, points: tuple[Point, ...]) -> tuple[Point, ...]:
    return tuple((x + dx, y + dy) for dx, dy in points)


def _coal(x: float, y: float) -> Iterator[Item]:
    """A heap of three lumps."""
    for dx, dy in ((-0.045, 0.03), (0.045, 0.03), (0.0, -0.04)):
        yield Polygon(_ring(x + dx, y + dy, 0.055, 0.048, 6), LINE)
        yield Disc(x + dx - 0.012, y + dy - 0.014, 0.011, "#a6a6a6")


def _anchor(x: float, y: float) -> Iterator[Item]:
    yield Disc(x, y - 0.075, 0.025, None, LINE, 0.014)
    yield Polyline(_at(x, y, ((0, -0.05), (0, 0.09))), LINE, 0.025)
    yield Polyline(_at(x, y, ((-0.045, -0.02), (0.045, -0.02))), LINE, 0.022)
    yield Polyline(
        _at(x, y, ((-0.08, 0.03), (-0.05, 0.075), (0, 0.09), (0.05, 0.075), (0.08, 0.03))), LINE, 0.025
    )


def _ring(x: float, y: float, outer: float, inner: float, corners: int) -> tuple[Point, ...]:
    turns = [(2 * math.pi * i / corners, outer if i % 2 == 0 else inner) for i in range(corners)]
    return tuple((x + r * math.sin(t), y - r * math.cos(t)) for t, r in turns)
