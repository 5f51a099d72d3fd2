"""Drawing of cities, towns and tokens; lengths are in hex sides from the hex's centre."""

import math
from collections.abc import Iterator, Sequence
from typing import Final

from engine.views import Badge, SlotView, StopView
from render.font_metrics import CAP_HEIGHT, fitting_size, text_width
from render.hexes.hex_geometry import StopPlace
from render.hexes.label_slots import ShapeDisc, line_discs
from render.scene import Colour, Disc, Item, Point, Polygon, Polyline, Text
from render.theme import BLACK, HIGHLIGHT_COLOUR, WHITE, Theme, ink_on, mix_colours, readable_company_colour

SLOT_RADIUS: Final = 0.26
_CROWDED_SLOT_RADIUS: Final = 0.235
CITY_RIM_WIDTH: Final = 0.025
STOP_CASING_WIDTH: Final = 0.02
_BAR_SIZE: Final = (0.36, 0.13)
DOT_RADIUS: Final = 0.105
_HOME_NAME_EM: Final = 0.25
"""Largest font size of a company's abbreviation in its reserved home slot."""
_HOME_TEXT_MARGIN: Final = 0.03
_HOME_HALO_WIDTH: Final = 0.035
_UNAVAILABLE_COMPANY_INK: Final = "#8c8c8c"
"""Text colour of a company that is not available yet."""
_NEUTRAL_TOKEN_COLOUR: Final = "#8c8c8c"


def slot_radius(slot_count: int) -> float:
    """Radius of a token slot in a city with this many slots."""
    return SLOT_RADIUS if slot_count < 4 else _CROWDED_SLOT_RADIUS


def slot_centres(place: StopPlace, slot_count: int) -> tuple[Point, ...]:
    """Centres of a city's token slots."""
    radius = slot_radius(slot_count)
    if slot_count <= 1:
        offsets: list[Point] = [(0.0, 0.0)]
    elif slot_count == 2:
        offsets = [(-radius, 0.0), (radius, 0.0)]
    elif slot_count == 4:
        offsets = [(-radius, -radius), (radius, -radius), (-radius, radius), (radius, radius)]
    else:
        ring_radius = {3: 1.155, 5: 1.70}.get(slot_count, 2.0) * radius
        angles = (2 * math.pi * i / slot_count for i in range(slot_count))
        offsets = [(ring_radius * math.sin(t), -ring_radius * math.cos(t)) for t in angles]
    return tuple((place.x + x, place.y + y) for x, y in offsets)


def city_discs(place: StopPlace, slot_count: int) -> list[ShapeDisc]:
    """Discs that cover a city, as obstacles for labels."""
    radius = slot_radius(slot_count) + CITY_RIM_WIDTH + STOP_CASING_WIDTH
    centres = slot_centres(place, slot_count)
    middle_discs = [(place.x, place.y, radius)] if slot_count in (3, 4) else []
    return [(x, y, radius) for x, y in centres] + middle_discs


def town_discs(place: StopPlace) -> list[ShapeDisc]:
    """Discs that cover a town, as obstacles for labels."""
    if place.shape == "dot":
        return [(place.x, place.y, DOT_RADIUS + 0.03)]
    return line_discs(_bar_line(place), _BAR_SIZE[1] / 2 + 0.025)


def town_items(place: StopPlace, theme: Theme) -> Iterator[Item]:
    """A town: a bar across its track, or a dot."""
    if place.shape == "dot":
        yield Disc(place.x, place.y, DOT_RADIUS + 0.03, theme.casing)
        yield Disc(place.x, place.y, DOT_RADIUS, BLACK)
        return
    line = _bar_line(place)
    unit_x, unit_y = math.cos(place.angle) * 0.025, math.sin(place.angle) * 0.025
    casing_line = ((line[0][0] - unit_x, line[0][1] - unit_y), (line[1][0] + unit_x, line[1][1] + unit_y))
    yield Polyline(casing_line, theme.casing, _BAR_SIZE[1] + 0.05)
    yield Polyline(line, BLACK, _BAR_SIZE[1])


def _bar_line(place: StopPlace) -> tuple[Point, Point]:
    unit_x, unit_y = math.cos(place.angle) * _BAR_SIZE[0] / 2, math.sin(place.angle) * _BAR_SIZE[0] / 2
    return ((place.x - unit_x, place.y - unit_y), (place.x + unit_x, place.y + unit_y))


def rounded_hull(points: Sequence[Point], radius: float, colour: Colour) -> Iterator[Item]:
    """A filled shape: the convex hull of `points`, enlarged by `radius`."""
    if len(points) > 2:
        hull_line = _points_by_angle(points)
        yield Polygon(hull_line, colour)
        yield Polyline(hull_line, colour, 2 * radius, is_closed=True)
    elif len(points) == 2:
        yield Polyline(tuple(points), colour, 2 * radius)
    for x, y in points:
        yield Disc(x, y, radius, colour)


def _points_by_angle(points: Sequence[Point]) -> tuple[Point, ...]:
    cx = sum(x for x, _ in points) / len(points)
    cy = sum(y for _, y in points) / len(points)
    return tuple(sorted(points, key=lambda p: math.atan2(p[1] - cy, p[0] - cx)))


def city_items(
    place: StopPlace, stop: StopView, theme: Theme, new_token_slots: Sequence[int]
) -> Iterator[Item]:
    """A city with its slots and tokens; tokens in `new_token_slots` (placed in the last turn) are highlighted."""
    slot_count = max(1, len(stop.slots))
    radius = slot_radius(slot_count)
    centres = slot_centres(place, slot_count)
    yield from rounded_hull(centres, radius + CITY_RIM_WIDTH + STOP_CASING_WIDTH, theme.casing)
    yield from rounded_hull(centres, radius + CITY_RIM_WIDTH, BLACK)
    yield from rounded_hull(centres, radius, WHITE)
    if not stop.slots:
        yield from _neutral_token(place.x, place.y, radius)
    for i, (x, y) in enumerate(centres):
        view = stop.slots[i] if i < len(stop.slots) else SlotView("empty")
        if slot_count > 1 and view.state == "empty":
            yield Disc(x, y, radius - 0.01, None, "#a6a6a6", 0.016)
        yield from slot_items(x, y, radius, view)
    for i in new_token_slots:
        x, y = centres[min(i, slot_count - 1)]
        yield Disc(x, y, radius + 0.09, None, WHITE, 0.11)
        yield Disc(x, y, radius + 0.07, None, HIGHLIGHT_COLOUR, 0.07)


def slot_items(x: float, y: float, radius: float, view: SlotView) -> Iterator[Item]:
    """The content of a token slot of radius `radius`: a token, a home marker, or nothing."""
    if view.badge is None:
        return
    if view.state == "token":
        yield from token_items(x, y, radius, view.badge, has_objective_ring=view.has_open_objective)
    else:
        yield from _home_items(x, y, radius, view, view.badge)


def _neutral_token(x: float, y: float, radius: float) -> Iterator[Item]:
    """A token that belongs to no company, in a city that has no token slots."""
    yield Disc(x, y, radius - 0.02, _NEUTRAL_TOKEN_COLOUR)
    yield Disc(x, y, radius - 0.075, None, WHITE, 0.03)


def _home_items(x: float, y: float, radius: float, view: SlotView, badge: Badge) -> Iterator[Item]:
    """An empty token slot that is marked for a company.

    A dashed ring marks a home, and a solid ring a company reserved by a player. A pale ring marks a company that is not
    available yet, and a thin ring a slot kept for a token other than the home token.
    """
    company_colour = readable_company_colour(badge.colour)
    if view.state == "waiting":
        yield Disc(x, y, radius - 0.015, None, mix_colours(WHITE, company_colour, 0.25), 0.05)
    elif view.state == "kept":
        yield Disc(x, y, radius - 0.015, None, company_colour, 0.022)
    elif view.reserved_by:
        yield Disc(x, y, radius - 0.01, None, company_colour, 0.05)
        yield Text(x, y + 0.12, view.reserved_by[0], 0.13, BLACK, "black")
    else:
        yield from _dashed_circle(x, y, radius - 0.035, company_colour)
    if view.has_open_objective:
        yield Disc(x, y, radius - 0.068, None, company_colour, 0.016)
    ink = _UNAVAILABLE_COMPANY_INK if view.state == "waiting" else BLACK
    size = fitting_size(badge.company, 2 * radius - _HOME_TEXT_MARGIN, _HOME_NAME_EM, "black")
    y -= 0.03 if view.reserved_by else 0
    yield Text(x, y, badge.company, size, ink, "black", halo=WHITE, halo_width=_HOME_HALO_WIDTH)


def token_items(
    x: float, y: float, radius: float, badge: Badge, *, has_objective_ring: bool = False
) -> Iterator[Item]:
    """A company's token of radius `radius`.

    With `has_objective_ring`, a ring shows that the company has not reached its objective yet.
    """
    company_colour = readable_company_colour(badge.colour)
    yield Disc(x, y, radius - 0.005 * radius / SLOT_RADIUS, BLACK)
    yield Disc(x, y, radius * (1 - 0.023 / SLOT_RADIUS), WHITE)
    inner_radius = radius * (1 - 0.04 / SLOT_RADIUS)
    text_radius = (0.88 if has_objective_ring else 0.97) * inner_radius
    size = text_radius / math.hypot(text_width(badge.company, "black") / 2, CAP_HEIGHT / 2)
    yield Disc(x, y, inner_radius, company_colour)
    if has_objective_ring:
        yield Disc(x, y, inner_radius * 0.9, None, ink_on(company_colour), 0.018 * radius / SLOT_RADIUS)
    yield Text(x, y, badge.company, min(0.77 * radius, size), ink_on(company_colour), "black")


def _dashed_circle(x: float, y: float, radius: float, colour: Colour) -> Iterator[Item]:
    for i in range(12):
        angles = [2 * math.pi * (i + step / 4 * 0.62) / 12 for step in range(5)]
        line = tuple((x + radius * math.cos(t), y + radius * math.sin(t)) for t in angles)
        yield Polyline(line, colour, 0.05)
