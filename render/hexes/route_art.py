"""Drawing of routes on a hex: coloured lines over track, rings around counted stops, and train names."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from engine import topology
from engine.views import HexView
from render.hexes.hex_geometry import APOTHEM, Layout, Line, edges_of_stop, outward_vector
from render.hexes.labels import SPIKE_TIP_DISTANCE, LabelPlan, row_widths
from render.hexes.stop_art import CITY_RIM_WIDTH, STOP_CASING_WIDTH, slot_centres, slot_radius
from render.scene import Colour, Disc, Item, Point, Polyline, RoundedBox, Text
from render.theme import BLACK, WHITE, Theme

_LANE_DISTANCE: Final = 0.115
_DASH_PATTERNS: Final = ((), (0.14, 0.10), (0.05, 0.10))


@dataclass(frozen=True, slots=True)
class RouteSegment:
    """One route's line on one piece of track, from end `first_end` to end `last_end`.

    Routes that share a piece run side by side: this line is number `lane` of `lane_count`. All lines on a piece have
    the same direction. `route` is the index of the route.
    """

    first_end: topology.End
    last_end: topology.End
    route: int
    lane: int
    lane_count: int


@dataclass(frozen=True, slots=True)
class StopRing:
    """A ring around a stop that counts for a route; `inner_ring_count` other rings lie inside it."""

    stop: int
    route: int
    inner_ring_count: int


@dataclass(frozen=True, slots=True)
class RouteStart:
    """The start of a route: its first piece of track, from end `first_end` to end `last_end`, and the train's name."""

    first_end: topology.End
    last_end: topology.End
    route: int
    train: str


def segment_items(
    route_segments: Sequence[RouteSegment],
    lines: Mapping[tuple[topology.End, topology.End], Line],
    theme: Theme,
) -> Iterator[Item]:
    """Coloured lines of routes over track; routes on the same piece run side by side."""
    for route in sorted({segment.route for segment in route_segments}):
        route_lines = [
            (s, _shifted_line(s, _piece_line(lines, s.first_end, s.last_end)))
            for s in route_segments
            if s.route == route
        ]
        for segment, line in route_lines:
            yield Polyline(line, BLACK, _segment_width(segment) + 0.05)
        dash_pattern = _DASH_PATTERNS[route // len(theme.lines) % len(_DASH_PATTERNS)]
        for segment, line in route_lines:
            yield Polyline(line, theme.numbered_line_colour(route), _segment_width(segment))
            for dash in dashes(line, *dash_pattern) if dash_pattern else ():
                yield Polyline(dash, WHITE, _segment_width(segment) * 0.45)


def _segment_width(segment: RouteSegment) -> float:
    return 0.13 if segment.lane_count == 1 else 0.095


def _piece_line(
    lines: Mapping[tuple[topology.End, topology.End], Line], first_end: topology.End, last_end: topology.End
) -> Line:
    if (first_end, last_end) in lines:
        return lines[(first_end, last_end)]
    if (last_end, first_end) in lines:
        return lines[(last_end, first_end)][::-1]
    raise ValueError(f"a route uses track {first_end}-{last_end}, which is not on the hex")


def _shifted_line(segment: RouteSegment, line: Line) -> Line:
    if segment.lane_count == 1:
        return line
    side_distance = (segment.lane - (segment.lane_count - 1) / 2) * _LANE_DISTANCE
    shifted_points: list[Point] = []
    for i, (x, y) in enumerate(line):
        x0, y0 = line[max(0, i - 1)]
        x1, y1 = line[min(len(line) - 1, i + 1)]
        shift_ratio = side_distance / (math.dist((x0, y0), (x1, y1)) or 1.0)
        shifted_points.append((x - (y1 - y0) * shift_ratio, y + (x1 - x0) * shift_ratio))
    return tuple(shifted_points)


def dashes(line: Line, dash_length: float, gap_length: float) -> Iterator[Line]:
    """The dashes of a dashed line."""
    covered_length, dash_points = 0.0, [line[0]]
    is_dash = True
    for (x0, y0), (x1, y1) in pairwise(line):
        length = math.dist((x0, y0), (x1, y1))
        segment_position = 0.0
        while segment_position < length:
            step_length = min(
                length - segment_position, (dash_length if is_dash else gap_length) - covered_length
            )
            segment_position, covered_length = segment_position + step_length, covered_length + step_length
            point = (x0 + (x1 - x0) * segment_position / length, y0 + (y1 - y0) * segment_position / length)
            if is_dash:
                dash_points.append(point)
            if covered_length >= (dash_length if is_dash else gap_length) - 1e-9:
                if is_dash:
                    yield tuple(dash_points)
                is_dash, covered_length, dash_points = not is_dash, 0.0, [point]
    if is_dash and len(dash_points) > 1:
        yield tuple(dash_points)


def ring_items(
    stop_rings: Sequence[StopRing], view: HexView, plan: LabelPlan, layout: Layout, theme: Theme
) -> Iterator[Item]:
    """A ring in the route's colour around each counted stop."""
    for ring in stop_rings:
        place, stop = plan.places[ring.stop], view.stops[ring.stop]
        extra_distance = ring.inner_ring_count * 0.075
        if place.shape == "city":
            slot_count = max(1, len(stop.slots))
            radius = slot_radius(slot_count) + CITY_RIM_WIDTH + STOP_CASING_WIDTH + extra_distance
            yield from _outline_ring(
                slot_centres(place, slot_count), radius, theme.numbered_line_colour(ring.route)
            )
        elif place.shape == "area":
            yield from _area_ring(ring, view, plan, layout, theme.numbered_line_colour(ring.route))
        else:
            yield from _outline_ring(
                ((place.x, place.y),), 0.19 + extra_distance, theme.numbered_line_colour(ring.route)
            )


def _outline_ring(centres: Sequence[Point], radius: float, colour: Colour) -> Iterator[Item]:
    """A ring: a closed line at distance `radius` around the convex hull of these points."""
    line = _hull_outline(centres, radius + 0.03)
    yield Polyline(line, BLACK, 0.085, is_closed=True)
    yield Polyline(line, colour, 0.055, is_closed=True)


def _hull_outline(centres: Sequence[Point], radius: float) -> Line:
    points: list[Point] = []
    for i in range(120):
        angle = 2 * math.pi * i / 120
        unit_x, unit_y = math.cos(angle), math.sin(angle)
        x, y = max(centres, key=lambda c: c[0] * unit_x + c[1] * unit_y)
        points.append((x + radius * unit_x, y + radius * unit_y))
    return tuple(points)


def _area_ring(
    ring: StopRing, view: HexView, plan: LabelPlan, layout: Layout, colour: Colour
) -> Iterator[Item]:
    stop = view.stops[ring.stop]
    extra_distance = ring.inner_ring_count * 0.075
    if plan.value_row is not None:
        x, y, scale = plan.value_row.x, plan.value_row.y, plan.value_row.scale
        half_width = sum(row_widths(stop.revenue, stop.revenue_index)) * scale / 2 + 0.05 + extra_distance
        half_height = 0.20 * scale + 0.05 + extra_distance
        yield RoundedBox(
            x - half_width, y - half_height, x + half_width, y + half_height, 0.08, None, BLACK, 0.085
        )
        half_width, half_height = half_width - 0.015, half_height - 0.015
        yield RoundedBox(
            x - half_width, y - half_height, x + half_width, y + half_height, 0.08, None, colour, 0.055
        )
        return
    for side in edges_of_stop(view.pieces, ring.stop):
        x, y = outward_vector(layout, side)
        yield Disc(x * SPIKE_TIP_DISTANCE, y * SPIKE_TIP_DISTANCE, 0.10 + extra_distance, None, colour, 0.05)


def start_items(
    route_starts: Sequence[RouteStart], lines: Mapping[tuple[topology.End, topology.End], Line], theme: Theme
) -> Iterator[Item]:
    """A white disc with the train's name at the start of each route."""
    for start in route_starts:
        line = _piece_line(lines, start.first_end, start.last_end)
        x, y = _train_disc_point(line)
        yield Disc(x, y, 0.145, WHITE, theme.numbered_line_colour(start.route), 0.035)
        yield Text(x, y, start.train, 0.18 if len(start.train) < 3 else 0.12, BLACK, "black")


def _train_disc_point(line: Line) -> Point:
    target_distance = APOTHEM - 0.165
    for (x0, y0), (x1, y1) in pairwise(line):
        start_distance, end_distance = math.hypot(x0, y0), math.hypot(x1, y1)
        if start_distance < target_distance <= end_distance:
            segment_fraction = (target_distance - start_distance) / (end_distance - start_distance)
            return (x0 + (x1 - x0) * segment_fraction, y0 + (y1 - y0) * segment_fraction)
    return line[-1]
