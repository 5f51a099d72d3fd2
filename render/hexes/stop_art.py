"""Cities, towns and tokens, in hex sides from the hex's centre."""

import math
from collections.abc import Iterator, Sequence
from typing import Final

from engine.views import Badge, SlotView, StopView
from render.font_metrics import fitted
from render.hexes.hex_geometry import StopPlace
from render.hexes.label_slots import Blob, line_blobs
from render.scene import Colour, Disc, Item, Point, Polygon, Polyline, Text
from render.theme import BLACK, HIGHLIGHT, WHITE, Theme, company, ink_on, mix

SLOT: Final = 0.26
_CROWDED: Final = 0.235
RIM: Final = 0.025
CASING: Final = 0.02
_BAR: Final = (0.36, 0.13)
DOT: Final = 0.105
_MUTED: Final = "#6a6a6a"


def slot_radius(slots: int) -> float:
    """Radius of a token space in a city, by the number of its spaces."""
    return SLOT if slots < 4 else _CROWDED


def slot_centres(place: StopPlace, slots: int) -> tuple[Point, ...]:
    """Centres of a city's token spaces."""
    s = slot_radius(slots)
    if slots <= 1:
        around: list[Point] = [(0.0, 0.0)]
    elif slots == 2:
        around = [(-s, 0.0), (s, 0.0)]
    elif slots == 4:
        around = [(-s, -s), (s, -s), (-s, s), (s, s)]
    else:
        reach = {3: 1.155, 5: 1.70}.get(slots, 2.0) * s
        turns = (2 * math.pi * i / slots for i in range(slots))
        around = [(reach * math.sin(t), -reach * math.cos(t)) for t in turns]
    return tuple((place.x + x, place.y + y) for x, y in around)


def city_blobs(place: StopPlace, slots: int) -> list[Blob]:
    """The discs a city covers."""
    s = slot_radius(slots) + RIM + CASING
    centres = slot_centres(place, slots)
    middle = [(place.x, place.y, s)] if slots in (3, 4) else []
    return [(x, y, s) for x, y in centres] + middle


def town_blobs(place: StopPlace) -> list[Blob]:
    """The discs a town covers."""
    if place.look == "dot":
        return [(place.x, place.y, DOT + 0.03)]
    return line_blobs(_bar_line(place), _BAR[1] / 2 + 0.025)


def town(place: StopPlace, theme: Theme) -> Iterator[Item]:
    """A bar across through track, or a dot."""
    if place.look == "dot":
        yield Disc(place.x, place.y, DOT + 0.03, theme.casing)
        yield Disc(place.x, place.y, DOT, BLACK)
        return
    line = _bar_line(place)
    ux, uy = math.cos(place.angle) * 0.025, math.sin(place.angle) * 0.025
    cased = ((line[0][0] - ux, line[0][1] - uy), (line[1][0] + ux, line[1][1] + uy))
    yield Polyline(cased, theme.casing, _BAR[1] + 0.05)
    yield Polyline(line, BLACK, _BAR[1])


def _bar_line(place: StopPlace) -> tuple[Point, Point]:
    ux, uy = math.cos(place.angle) * _BAR[0] / 2, math.sin(place.angle) * _BAR[0] / 2
    return ((place.x - ux, place.y - uy), (place.x + ux, place.y + uy))


def rounded_hull(points: Sequence[Point], radius: float, colour: Colour) -> Iterator[Item]:
    """A rounded shape: everything within `radius` of the hull of these points."""
    if len(points) > 2:
        ring = _hull(points)
        yield Polygon(ring, colour)
        yield Polyline(ring, colour, 2 * radius, closed=True)
    elif len(points) == 2:
        yield Polyline(tuple(points), colour, 2 * radius)
    for x, y in points:
        yield Disc(x, y, radius, colour)


def _hull(points: Sequence[Point]) -> tuple[Point, ...]:
    cx = sum(x for x, _ in points) / len(points)
    cy = sum(y for _, y in points) / len(points)
    return tuple(sorted(points, key=lambda p: math.atan2(p[1] - cy, p[0] - cx)))


def city(place: StopPlace, stop: StopView, theme: Theme, fresh: Sequence[int]) -> Iterator[Item]:
    """A city's box with its tokens; `fresh` are the slots filled in the turn just played."""
    slots = max(1, len(stop.slots))
    s = slot_radius(slots)
    centres = slot_centres(place, slots)
    yield from rounded_hull(centres, s + RIM + CASING, theme.casing)
    yield from rounded_hull(centres, s + RIM, BLACK)
    yield from rounded_hull(centres, s, WHITE)
    for i, (x, y) in enumerate(centres):
        view = stop.slots[i] if i < len(stop.slots) else SlotView("empty")
        if slots > 1 and view.state == "empty":
            yield Disc(x, y, s - 0.01, None, "#a6a6a6", 0.016)
        yield from slot(x, y, s, view)
    for i in fresh:
        x, y = centres[min(i, slots - 1)]
        yield Disc(x, y, s + 0.09, None, WHITE, 0.11)
        yield Disc(x, y, s + 0.07, None, HIGHLIGHT, 0.07)


def slot(x: float, y: float, s: float, view: SlotView) -> Iterator[Item]:
    """The content of a token space."""
    if view.badge is None:
        return
    if view.state == "token":
        yield from token(x, y, s, view.badge, ringed=view.objective)
    else:
        yield from _home(x, y, s, view, view.badge)


def _home(x: float, y: float, s: float, view: SlotView, badge: Badge) -> Iterator[Item]:
    """A space reserved for a home token, dashed; a ring with an initial for a reserved company; pale for later."""
    paint = company(badge.colour)
    if view.state == "waiting":
        yield Disc(x, y, s - 0.015, None, mix(WHITE, paint, 0.25), 0.05)
    elif view.reserved_by:
        yield Disc(x, y, s - 0.01, None, paint, 0.05)
        yield Text(x, y + 0.12, view.reserved_by[0], 0.13, BLACK, "black")
    else:
        yield from _dashes(x, y, s - 0.035, paint)
    if view.objective:
        yield Disc(x, y, s - 0.068, None, paint, 0.016)
    ink = mix(WHITE, _MUTED, 0.55) if view.state == "waiting" else _MUTED
    yield fitted(x, y - (0.03 if view.reserved_by else 0), badge.company, 1.5 * (s - 0.06), 0.19, ink)


def token(x: float, y: float, s: float, badge: Badge, *, ringed: bool = False) -> Iterator[Item]:
    """A company's token of radius `s`; `ringed`: with the second ring of an objective still open."""
    paint = company(badge.colour)
    yield Disc(x, y, s - 0.005 * s / SLOT, BLACK)
    yield Disc(x, y, s * (1 - 0.023 / SLOT), WHITE)
    inner = s * (1 - 0.04 / SLOT)
    yield Disc(x, y, inner, paint)
    if ringed:
        yield Disc(x, y, inner * 0.9, None, ink_on(paint), 0.018 * s / SLOT)
    yield fitted(x, y, badge.company, (1.5 if ringed else 1.7) * inner, 0.77 * s, ink_on(paint), "black")


def _dashes(x: float, y: float, radius: float, colour: Colour) -> Iterator[Item]:
    for i in range(12):
        turns = [2 * math.pi * (i + part / 8 * 0.62) / 12 for part in range(9)]
        line = tuple((x + radius * math.cos(t), y + radius * math.sin(t)) for t in turns)
        yield Polyline(line, colour, 0.05)
