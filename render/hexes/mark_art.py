"""Drawing of marks on hexes: objectives, coal, named trains and privates."""

import math
from collections.abc import Iterator
from typing import Final

from engine.views import Badge, MarkView
from render.font_metrics import fitted_text, text_width
from render.hexes.label_slots import ShapeDisc, box_discs
from render.hexes.stop_art import token_items
from render.scene import Colour, Disc, Item, Point, Polygon, Polyline, RoundedBox, Text
from render.theme import (
    BARRIER_COLOUR,
    BLACK,
    LINE_COLOUR,
    MOUNTAIN_COLOUR,
    WATER_COLOUR,
    WHITE,
    ink_on,
    mix_colours,
    readable_company_colour,
)

MarkSize = tuple[float, float]

_LETTER_EM: Final = 0.15
_FLAG_HEIGHT: Final = 0.20
_MUTED_COLOUR: Final = "#6a6a6a"
_COAL_RADIUS: Final = 0.135
_SLOTLESS_TOKEN_RADIUS: Final = 0.2
"""Radius of a token that occupies no city slot, in hex sides."""


def mark_sizes(mark: MarkView) -> tuple[MarkSize, ...]:
    """Sizes (width, height) in which a mark can be drawn, in hex sides; a second, smaller size is for crowded hexes."""
    if mark.kind == "objective":
        return ((_flag_width(mark.text) + 0.04, 0.31), (0.20, 0.25))
    if mark.kind == "city_bonus":
        chip_size = (2 * _COAL_RADIUS, 2 * _COAL_RADIUS)
        width = 2 * _COAL_RADIUS + text_width(mark.text) * _LETTER_EM + 0.06
        return ((width, 2 * _COAL_RADIUS), chip_size) if mark.is_done else (chip_size,)
    if mark.kind == "beside":
        return (
            (2 * _SLOTLESS_TOKEN_RADIUS, 2 * _SLOTLESS_TOKEN_RADIUS),
            (1.4 * _SLOTLESS_TOKEN_RADIUS, 1.4 * _SLOTLESS_TOKEN_RADIUS),
        )
    return ((text_width(mark.text) * _LETTER_EM + 0.15, 0.22),)


def mark_discs(size: MarkSize) -> tuple[ShapeDisc, ...]:
    """Discs that cover a mark of this size centred at (0, 0)."""
    width, height = size
    return (*box_discs(0.0, -height / 4, width, height / 2), *box_discs(0.0, height / 4, width, height / 2))


def mark_items(mark: MarkView, position: Point, size: MarkSize) -> Iterator[Item]:
    """Drawing items of a mark centred at `position`."""
    if mark.kind == "objective":
        yield from _flag_items(mark, position, size, has_letters=size == mark_sizes(mark)[0])
    elif mark.kind == "city_bonus":
        yield from _coal_items(mark, position, size)
    elif mark.kind == "beside" and mark.badge is not None:
        yield from token_items(*position, size[0] / 2, mark.badge)
    else:
        yield from _lettered_chip(mark, position, size)


def _badge_colour(badge: Badge | None) -> Colour:
    return _MUTED_COLOUR if badge is None else readable_company_colour(badge.colour)


def _flag_width(text: str) -> float:
    return text_width(text, "black") * 0.13 + 0.10


def _flag_items(mark: MarkView, position: Point, size: MarkSize, *, has_letters: bool) -> Iterator[Item]:
    """An objective's flag in the company's colour: an outline until the objective is reached, then filled."""
    badge_colour = _badge_colour(mark.badge)
    x, y = position
    left, top, bottom = x - size[0] / 2, y - size[1] / 2, y + size[1] / 2
    flag_height = _FLAG_HEIGHT if has_letters else 0.15
    right = x + size[0] / 2
    yield Polyline(((left + 0.02, top), (left + 0.02, bottom)), WHITE, 0.07)
    yield Polyline(((left + 0.02, top), (left + 0.02, bottom)), LINE_COLOUR, 0.035)
    # The cloth's free end is cut like a pennant, so that it is no chip even without its colour.
    free_edge = (
        (left + 0.02, top),
        (right, top),
        (right - 0.05, top + flag_height / 2),
        (right, top + flag_height),
    )
    flag_points = (*free_edge, (left + 0.02, top + flag_height))
    yield Polygon(flag_points, badge_colour if mark.is_done else WHITE)
    yield Polyline(
        flag_points,
        LINE_COLOUR if mark.is_done else badge_colour,
        0.02 if mark.is_done else 0.035,
        is_closed=True,
    )
    if has_letters:
        ink = ink_on(badge_colour) if mark.is_done else BLACK
        yield Text(x - 0.005, top + flag_height / 2, mark.text, 0.13, ink, "black")


def _coal_items(mark: MarkView, position: Point, size: MarkSize) -> Iterator[Item]:
    """A coal icon on a white disc. Once a token is placed, the bonus and a ring in the owner's colour are added."""
    x, y = position
    half_width = size[0] / 2
    rim_colour = _badge_colour(mark.badge) if mark.is_done else LINE_COLOUR
    if half_width <= _COAL_RADIUS:
        yield Disc(x, y, _COAL_RADIUS, WHITE, rim_colour, 0.035 if mark.is_done else 0.014)
        yield from icon_items(mark.icon, x, y)
        return
    yield RoundedBox(
        x - half_width,
        y - _COAL_RADIUS,
        x + half_width,
        y + _COAL_RADIUS,
        0.9 * _COAL_RADIUS,
        WHITE,
        rim_colour,
        0.035,
    )
    yield from icon_items(mark.icon, x - half_width + _COAL_RADIUS, y)
    yield Text(x - half_width + 2 * _COAL_RADIUS - 0.04, y, mark.text, _LETTER_EM, BLACK, "bold", "left")


def _lettered_chip(mark: MarkView, position: Point, size: MarkSize) -> Iterator[Item]:
    """Letters in a rounded box: in the owner's colour for a named train, plain for a private."""
    x, y = position
    half_width, half_height = size[0] / 2, size[1] / 2
    if mark.kind == "named_train":
        rim_colour = _badge_colour(mark.badge)
        yield RoundedBox(
            x - half_width,
            y - half_height,
            x + half_width,
            y + half_height,
            half_height,
            WHITE,
            rim_colour,
            0.035,
        )
    else:
        yield RoundedBox(
            x - half_width, y - half_height, x + half_width, y + half_height, 0.03, WHITE, LINE_COLOUR, 0.018
        )
    ink = BLACK if mark.badge or mark.kind == "power" else mix_colours(WHITE, BLACK, 0.65)
    yield fitted_text(x, y, mark.text, size[0] - 0.1, _LETTER_EM, ink)


_GOLD_COLOUR: Final = "#d8a000"
_MEAT_COLOUR: Final = "#b3232b"
_BOOM_COLOUR: Final = "#d95f02"
_STEAK_POINTS: Final = (
    (-0.1, -0.03),
    (-0.075, -0.085),
    (0.0, -0.095),
    (0.08, -0.075),
    (0.105, -0.01),
    (0.07, 0.04),
    (0.03, 0.06),
    (0.01, 0.095),
    (-0.03, 0.085),
    (-0.06, 0.035),
)
_WOOD_COLOUR: Final = "#2f7d3b"
_FISH_POINTS: Final = (
    (-0.09, 0.0),
    (-0.03, -0.05),
    (0.04, 0.0),
    (0.09, -0.05),
    (0.09, 0.05),
    (0.04, 0.0),
    (-0.03, 0.05),
)


def icon_items(name: str, x: float, y: float) -> Iterator[Item]:
    """The icon of this name, or a star if there is none."""
    match name:
        case "coal":
            yield from _coal_lump(x, y)
        case "fish":
            yield Polygon(_points_around(x, y, _FISH_POINTS), WATER_COLOUR)
        case "lumber":
            yield Polygon(_points_around(x, y, ((0, -0.1), (0.075, 0.05), (-0.075, 0.05))), _WOOD_COLOUR)
            yield Polyline(_points_around(x, y, ((0, 0.04), (0, 0.1))), LINE_COLOUR, 0.03)
        case "port":
            yield from _anchor_items(x, y)
        case "cattle":
            yield Polyline(
                _points_around(x, y, ((-0.09, -0.08), (-0.06, -0.02), (0.06, -0.02), (0.09, -0.08))),
                LINE_COLOUR,
                0.03,
            )
            yield Polygon(
                _points_around(x, y, ((-0.055, -0.03), (0.055, -0.03), (0.03, 0.09), (-0.03, 0.09))),
                MOUNTAIN_COLOUR,
            )
        case "meat":
            yield Polygon(_points_around(x, y, _STEAK_POINTS), _MEAT_COLOUR)
            yield Polyline(
                _points_around(x, y, ((-0.04, -0.055), (0.0, -0.02), (0.005, 0.055))), WHITE, 0.022
            )
            yield Polyline(_points_around(x, y, ((0.0, -0.02), (0.05, -0.045))), WHITE, 0.022)
        case "boom":
            yield Polygon(_star_points(x, y, 0.11, 0.055, 16), _BOOM_COLOUR)
            yield Disc(x, y, 0.028, WHITE)
        case "gold":
            yield Polygon(
                _points_around(x, y, ((-0.09, 0.06), (-0.05, -0.05), (0.05, -0.05), (0.09, 0.06))),
                _GOLD_COLOUR,
            )
            yield Polyline(_points_around(x, y, ((-0.09, 0.06), (0.09, 0.06))), LINE_COLOUR, 0.02)
        case "rebellion":
            yield Polyline(_points_around(x, y, ((-0.06, -0.1), (-0.06, 0.1))), LINE_COLOUR, 0.025)
            yield Polygon(_points_around(x, y, ((-0.06, -0.1), (0.09, -0.05), (-0.06, 0.01))), BARRIER_COLOUR)
        case _:
            yield Polygon(_star_points(x, y, 0.09, 0.04, 10), LINE_COLOUR)


def _points_around(x: float, y: float, points: tuple[Point, ...]) -> tuple[Point, ...]:
    return tuple((x + dx, y + dy) for dx, dy in points)


def _coal_lump(x: float, y: float) -> Iterator[Item]:
    for dx, dy in ((-0.045, 0.03), (0.045, 0.03), (0.0, -0.04)):
        yield Polygon(_star_points(x + dx, y + dy, 0.055, 0.048, 6), LINE_COLOUR)
        yield Disc(x + dx - 0.012, y + dy - 0.014, 0.011, "#a6a6a6")


def _anchor_items(x: float, y: float) -> Iterator[Item]:
    yield Disc(x, y - 0.075, 0.025, None, LINE_COLOUR, 0.014)
    yield Polyline(_points_around(x, y, ((0, -0.05), (0, 0.09))), LINE_COLOUR, 0.025)
    yield Polyline(_points_around(x, y, ((-0.045, -0.02), (0.045, -0.02))), LINE_COLOUR, 0.022)
    yield Polyline(
        _points_around(x, y, ((-0.08, 0.03), (-0.05, 0.075), (0, 0.09), (0.05, 0.075), (0.08, 0.03))),
        LINE_COLOUR,
        0.025,
    )


def _star_points(
    x: float, y: float, outer_radius: float, inner_radius: float, corner_count: int
) -> tuple[Point, ...]:
    corner_angles = [
        (2 * math.pi * i / corner_count, outer_radius if i % 2 == 0 else inner_radius)
        for i in range(corner_count)
    ]
    return tuple((x + r * math.sin(t), y - r * math.cos(t)) for t, r in corner_angles)
