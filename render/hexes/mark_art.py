"""Marks and printed icons on hexes: flags of objectives, coal, named trains, privates; one look for each kind."""

import math
from collections.abc import Iterator
from typing import Final

from engine.views import Badge, MarkView
from render.font_metrics import fitted, text_width
from render.hexes.label_slots import Blob, box_blobs
from render.hexes.stop_art import token
from render.scene import Colour, Disc, Item, Point, Polygon, Polyline, RoundedBox, Text
from render.theme import BLACK, LINE, MOUNTAIN, WATER, WHITE, company, ink_on, mix

MarkSize = tuple[float, float]

_EM: Final = 0.15
_FLAG: Final = 0.20
"""Height of a flag's cloth with its letters."""
_MUTED: Final = "#6a6a6a"
_COAL: Final = 0.135
"""Radius of the coal chip."""
_BESIDE: Final = 0.2
"""Radius of a token that takes no space."""


def mark_sizes(mark: MarkView) -> tuple[MarkSize, ...]:
    """Widths and heights a mark may have in hex sides, best first; the second is for crowded hexes."""
    if mark.kind == "objective":
        return ((_cloth(mark.text) + 0.04, 0.31), (0.20, 0.25))
    if mark.kind == "city_bonus":
        alone = (2 * _COAL, 2 * _COAL)
        wide = 2 * _COAL + text_width(mark.text) * _EM + 0.06
        return ((wide, 2 * _COAL), alone) if mark.done else (alone,)
    if mark.kind == "beside":
        return ((2 * _BESIDE, 2 * _BESIDE), (1.4 * _BESIDE, 1.4 * _BESIDE))
    return ((text_width(mark.text) * _EM + 0.15, 0.22),)


def mark_blobs(size: MarkSize) -> tuple[Blob, ...]:
    """The discs a mark covers, about its own centre: small ones along both long sides, for it has corners."""
    wide, tall = size
    return (*box_blobs(0.0, -tall / 4, wide, tall / 2), *box_blobs(0.0, tall / 4, wide, tall / 2))


def mark_items(mark: MarkView, position: Point, size: MarkSize) -> Iterator[Item]:
    """A mark centred at a point."""
    if mark.kind == "objective":
        yield from _flag(mark, position, size, lettered=size == mark_sizes(mark)[0])
    elif mark.kind == "city_bonus":
        yield from _coal(mark, position, size)
    elif mark.kind == "beside" and mark.badge is not None:
        yield from token(*position, size[0] / 2, mark.badge)
    else:
        yield from _chip(mark, position, size)


def _paint(badge: Badge | None) -> Colour:
    return _MUTED if badge is None else company(badge.colour)


def _cloth(text: str) -> float:
    return text_width(text, "black") * 0.13 + 0.10


def _flag(mark: MarkView, position: Point, size: MarkSize, *, lettered: bool) -> Iterator[Item]:
    """A pole and a cloth in the company's colour: an outline until the objective is reached, then filled."""
    paint = _paint(mark.badge)
    x, y = position
    left, top, bottom = x - size[0] / 2, y - size[1] / 2, y + size[1] / 2
    tall = _FLAG if lettered else 0.15
    right = x + size[0] / 2
    yield Polyline(((left + 0.02, top), (left + 0.02, bottom)), WHITE, 0.07)
    yield Polyline(((left + 0.02, top), (left + 0.02, bottom)), LINE, 0.035)
    # The cloth's free end is cut like a pennant, so that it is no chip even without its colour.
    edge = ((left + 0.02, top), (right, top), (right - 0.05, top + tall / 2), (right, top + tall))
    cloth = (*edge, (left + 0.02, top + tall))
    yield Polygon(cloth, paint if mark.done else WHITE)
    yield Polyline(cloth, LINE if mark.done else paint, 0.02 if mark.done else 0.035, closed=True)
    if lettered:
        ink = ink_on(paint) if mark.done else BLACK
        yield Text(x - 0.005, top + tall / 2, mark.text, 0.13, ink, "black")


def _coal(mark: MarkView, position: Point, size: MarkSize) -> Iterator[Item]:
    """A heap of coal on a white chip; where the token lies, a ring in its owner's colour and what it is worth."""
    x, y = position
    half = size[0] / 2
    rim = _paint(mark.badge) if mark.done else LINE
    if half <= _COAL:
        yield Disc(x, y, _COAL, WHITE, rim, 0.035 if mark.done else 0.014)
        yield from icon(mark.icon, x, y)
        return
    yield RoundedBox(x - half, y - _COAL, x + half, y + _COAL, 0.9 * _COAL, WHITE, rim, 0.035)
    yield from icon(mark.icon, x - half + _COAL, y)
    yield Text(x - half + 2 * _COAL - 0.04, y, mark.text, _EM, BLACK, "bold", "left")


def _chip(mark: MarkView, position: Point, size: MarkSize) -> Iterator[Item]:
    """Letters: of a named train in a pill ringed in its owner's colour, of a private in a box with square corners."""
    x, y = position
    half, tall = size[0] / 2, size[1] / 2
    if mark.kind == "named_train":
        rim = _paint(mark.badge)
        yield RoundedBox(x - half, y - tall, x + half, y + tall, tall, WHITE, rim, 0.035)
    else:
        yield RoundedBox(x - half, y - tall, x + half, y + tall, 0.03, WHITE, LINE, 0.018)
    ink = BLACK if mark.badge or mark.kind == "power" else mix(WHITE, BLACK, 0.65)
    yield fitted(x, y, mark.text, size[0] - 0.1, _EM, ink)


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
            yield from _coal_lump(x, y)
        case "fish":
            yield Polygon(_moved_to(x, y, _FISH), WATER)
        case "lumber":
            yield Polygon(_moved_to(x, y, ((0, -0.1), (0.075, 0.05), (-0.075, 0.05))), _WOOD)
            yield Polyline(_moved_to(x, y, ((0, 0.04), (0, 0.1))), LINE, 0.03)
        case "port":
            yield from _anchor(x, y)
        case "cattle":
            yield Polyline(
                _moved_to(x, y, ((-0.09, -0.08), (-0.06, -0.02), (0.06, -0.02), (0.09, -0.08))), LINE, 0.03
            )
            yield Polygon(
                _moved_to(x, y, ((-0.055, -0.03), (0.055, -0.03), (0.03, 0.09), (-0.03, 0.09))), MOUNTAIN
            )
        case "gold":
            yield Polygon(
                _moved_to(x, y, ((-0.09, 0.06), (-0.05, -0.05), (0.05, -0.05), (0.09, 0.06))), _GOLD
            )
            yield Polyline(_moved_to(x, y, ((-0.09, 0.06), (0.09, 0.06))), LINE, 0.02)
        case _:
            yield Polygon(_ring(x, y, 0.09, 0.04, 10), LINE)


def _moved_to(x: float, y: float, points: tuple[Point, ...]) -> tuple[Point, ...]:
    return tuple((x + dx, y + dy) for dx, dy in points)


def _coal_lump(x: float, y: float) -> Iterator[Item]:
    for dx, dy in ((-0.045, 0.03), (0.045, 0.03), (0.0, -0.04)):
        yield Polygon(_ring(x + dx, y + dy, 0.055, 0.048, 6), LINE)
        yield Disc(x + dx - 0.012, y + dy - 0.014, 0.011, "#a6a6a6")


def _anchor(x: float, y: float) -> Iterator[Item]:
    yield Disc(x, y - 0.075, 0.025, None, LINE, 0.014)
    yield Polyline(_moved_to(x, y, ((0, -0.05), (0, 0.09))), LINE, 0.025)
    yield Polyline(_moved_to(x, y, ((-0.045, -0.02), (0.045, -0.02))), LINE, 0.022)
    yield Polyline(
        _moved_to(x, y, ((-0.08, 0.03), (-0.05, 0.075), (0, 0.09), (0.05, 0.075), (0.08, 0.03))), LINE, 0.025
    )


def _ring(x: float, y: float, outer: float, inner: float, corners: int) -> tuple[Point, ...]:
    turns = [(2 * math.pi * i / corners, outer if i % 2 == 0 else inner) for i in range(corners)]
    return tuple((x + r * math.sin(t), y - r * math.cos(t)) for t, r in turns)
