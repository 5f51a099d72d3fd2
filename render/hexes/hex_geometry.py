"""Geometry of hexes: sides, corners, neighbours, pixel positions, track curves, and positions of stops.

Lengths are in hex sides from the hex's centre. Side `e` (0-5, clockwise) starts with the bottom side on a flat-topped
map and the lower left side on a pointy-topped one. Corner `k` lies between sides `k` and `k + 1`.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Final, Literal, TypeAlias

from engine import topology
from render.scene import Frame, Point

Layout: TypeAlias = Literal["flat", "pointy"]

APOTHEM: Final = math.sqrt(3) / 2
"""Apothem of a hex: the distance from its centre to the middle of a side, in hex sides."""

NEIGHBOUR_STEPS: Final[dict[Layout, tuple[tuple[int, int], ...]]] = {
    "flat": ((0, 2), (-1, 1), (-1, -1), (0, -2), (1, -1), (1, 1)),
    "pointy": ((-1, 1), (-2, 0), (-1, -1), (1, -1), (2, 0), (1, 1)),
}
"""For each layout and side, the offset to the neighbouring hex in doubled coordinates."""


def outward_vector(layout: Layout, side: float) -> Point:
    """Unit vector from the centre toward a side's middle; side 2.5 is the corner between sides 2 and 3."""
    angle = math.radians(60 * side + (0 if layout == "flat" else 30))
    return (-math.sin(angle), math.cos(angle))


@lru_cache(maxsize=32)
def side_middle(layout: Layout, side: int) -> Point:
    """The middle of a side, in hex sides from the hex's centre."""
    x, y = outward_vector(layout, side)
    return (APOTHEM * x, APOTHEM * y)


SIDE_COST_EM: Final = 0.19
SIDE_COST_HEIGHT: Final = 0.21
"""Height of the box with the cost of crossing a side, in hex sides."""
_SIDE_COST_HEIGHT_RATIO: Final = 0.74


def side_cost_point(layout: Layout, side: int) -> Point:
    """Centre of the box with the cost of crossing a side; the hexes on both sides compute the same point."""
    ends = (corner_point(layout, side - 1), corner_point(layout, side))
    lower_end, upper_end = sorted(ends, key=lambda end: (round(end[1], 3), end[0]), reverse=True)
    x, y = (
        _SIDE_COST_HEIGHT_RATIO * upper_coordinate + (1 - _SIDE_COST_HEIGHT_RATIO) * lower_coordinate
        for lower_coordinate, upper_coordinate in zip(lower_end, upper_end, strict=True)
    )
    return (x, y)


@lru_cache(maxsize=32)
def corner_point(layout: Layout, number: int) -> Point:
    """The corner between sides `number` and `number + 1`, in hex sides from the hex's centre."""
    return outward_vector(layout, number + 0.5)


@lru_cache(maxsize=32)
def hex_outline(layout: Layout, inset: float = 0.0) -> tuple[Point, ...]:
    """The six corners of a hex whose sides are moved inward by `inset`, in hex sides."""
    scale = 1 - inset / APOTHEM
    return tuple((x * scale, y * scale) for x, y in (corner_point(layout, k) for k in range(6)))


def overhang(layout: Layout, x: float, y: float, radius: float) -> float:
    """Distance by which a disc extends beyond the hex, in hex sides; 0 if it lies inside."""
    # Asked thousands of times for a hex: calling `abs` would take twice as long.
    cross_distance, straight_distance = (x, y) if layout == "flat" else (y, x)
    cross_distance, straight_distance = (
        cross_distance if cross_distance > 0 else -cross_distance,
        straight_distance if straight_distance > 0 else -straight_distance,
    )
    slanted_distance = APOTHEM * cross_distance + 0.5 * straight_distance
    excess = (
        (slanted_distance if slanted_distance > straight_distance else straight_distance) + radius - APOTHEM
    )
    return excess if excess > 0 else 0.0


def largest_disc_x(layout: Layout, y: float, radius: float) -> float:
    """The largest x at which a disc at height `y` still lies inside the hex; negative if it does not fit at all."""
    inner_apothem, y = APOTHEM - radius, abs(y)
    if layout == "flat":
        return (inner_apothem - 0.5 * y) / APOTHEM if y < inner_apothem else -1.0
    return min(inner_apothem, 2 * (inner_apothem - APOTHEM * y))


@dataclass(frozen=True)
class HexGrid:
    """Pixel positions of the hexes of a map.

    `radius` is the length of a hex side in pixels and must be even. The grid is stretched by less than 1 %, so that
    every hex centre is a whole pixel. In doubled coordinates, neighbouring hexes of a column (flat-topped map) or of a
    row (pointy-topped map) are 2 apart.
    """

    layout: Layout
    radius: int

    @cached_property
    def pixel_step(self) -> tuple[int, int]:
        """Pixels per unit of the doubled coordinates, across and down."""
        long_step, short_step = round(1.5 * self.radius), round(APOTHEM * self.radius)
        return (long_step, short_step) if self.layout == "flat" else (short_step, long_step)

    def centre(self, x: int, y: int) -> tuple[int, int]:
        """Pixel centre of the hex at these doubled coordinates; hex (0, 0) is centred at (0, 0)."""
        return (x * self.pixel_step[0], y * self.pixel_step[1])

    @cached_property
    def half_size(self) -> tuple[int, int]:
        """Half the width and half the height of a hex, in pixels."""
        half_height = round(APOTHEM * self.radius)
        return (self.radius, half_height) if self.layout == "flat" else (half_height, self.radius)

    def frame(self, x: float, y: float) -> Frame:
        """The transformation from hex sides to pixels for a hex centred at this pixel."""
        exact_apothem = APOTHEM * self.radius
        stretch = round(exact_apothem) / exact_apothem
        is_flat = self.layout == "flat"
        return Frame(x, y, self.radius, 1.0 if is_flat else stretch, stretch if is_flat else 1.0)


Line: TypeAlias = tuple[Point, ...]
Pieces: TypeAlias = tuple[tuple[topology.End, topology.End], ...]

TRACK_OVERSHOOT: Final = 0.02
"""Length by which track is drawn beyond the hex side, so that no gap shows between hexes."""
SHARED_CITY_DISTANCE: Final = 0.5
"""Distance from the hex's centre to a city in a hex with two or three stops."""
CROWDED_CITY_DISTANCE: Final = 0.58
"""Distance from the hex's centre to a city in a hex with more than three stops."""
_STACKED_CITY_OFFSET: Final = (0.2, 0.31)
TRACKLESS_TOWN_POINTS: Final = ((-0.36, 0.12), (0.36, -0.12))
_ARC_STEP_DEGREES: Final = 3.0
_MIN_BAR_DISTANCE: Final = 0.5


@dataclass(frozen=True, slots=True)
class StopPlace:
    """Position and shape of a stop within its hex. A town drawn as a bar crosses its track at `angle` radians."""

    x: float
    y: float
    shape: Literal["city", "bar", "dot", "area"]
    angle: float = 0.0
    track_sides: tuple[int, int] | None = None
    """For a bar, the two sides joined by its track."""

    @property
    def point(self) -> Point:
        """The stop's centre."""
        return (self.x, self.y)


def edges_of_stop(pieces: Pieces, stop_index: int) -> tuple[int, ...]:
    """Sides (0-5), in order, from which a single piece of track leads to this stop."""
    stop_end = topology.FIRST_STOP + stop_index
    return tuple(sorted(e for pair in pieces if stop_end in pair for e in pair if topology.is_edge(e)))


@lru_cache(maxsize=256)
def edge_to_edge_line(layout: Layout, first_side: int, last_side: int) -> Line:
    """The line of track between two sides: straight, or a gentle or sharp curve."""
    side_distance = (last_side - first_side) % 6
    first_point, last_point = side_middle(layout, first_side), side_middle(layout, last_side)
    if side_distance == 3:
        return (_track_start(layout, first_side), (0.0, 0.0), _track_start(layout, last_side))
    lower_side = first_side if side_distance < 3 else last_side
    if side_distance in (1, 5):
        centre = corner_point(layout, lower_side)
    else:
        centre = side_middle(layout, (lower_side + 1) % 6)
        centre = (2 * centre[0], 2 * centre[1])
    return (
        _track_start(layout, first_side),
        *_arc_points(centre, first_point, last_point),
        _track_start(layout, last_side),
    )


def _track_start(layout: Layout, side: int) -> Point:
    x, y = outward_vector(layout, side)
    return (x * (APOTHEM + TRACK_OVERSHOOT), y * (APOTHEM + TRACK_OVERSHOOT))


def _arc_points(centre: Point, first_point: Point, last_point: Point) -> list[Point]:
    cx, cy = centre
    radius = math.dist(centre, first_point)
    start_angle = math.atan2(first_point[1] - cy, first_point[0] - cx)
    turn_angle = math.atan2(last_point[1] - cy, last_point[0] - cx) - start_angle
    turn_angle = (turn_angle + math.pi) % (2 * math.pi) - math.pi
    step_count = math.ceil(abs(math.degrees(turn_angle)) / _ARC_STEP_DEGREES - 1e-6)
    angles = (start_angle + turn_angle * i / step_count for i in range(step_count + 1))
    return [(cx + radius * math.cos(t), cy + radius * math.sin(t)) for t in angles]


@lru_cache(maxsize=1024)
def edge_to_point_line(layout: Layout, side: int, stop_point: Point) -> Line:
    """The line of track that leaves a side at a right angle and ends at `stop_point`."""
    x, y = side_middle(layout, side)
    inward_angle = math.atan2(-y, -x)
    chord_length = math.dist((x, y), stop_point)
    bend_angle = math.atan2(stop_point[1] - y, stop_point[0] - x) - inward_angle
    bend_angle = (bend_angle + math.pi) % (2 * math.pi) - math.pi
    if abs(bend_angle) < math.radians(2):
        return (_track_start(layout, side), stop_point)
    radius = chord_length / (2 * math.sin(bend_angle))
    step_count = max(2, math.ceil(abs(math.degrees(2 * bend_angle)) / _ARC_STEP_DEGREES))
    points = [_track_start(layout, side), (x, y)]
    for i in range(1, step_count + 1):
        turn_angle = bend_angle * i / step_count
        distance = 2 * radius * math.sin(turn_angle)
        points.append(
            (
                x + distance * math.cos(inward_angle + turn_angle),
                y + distance * math.sin(inward_angle + turn_angle),
            )
        )
    return tuple(points)


@lru_cache(maxsize=1024)
def stop_places(
    layout: Layout, stop_kinds: tuple[topology.StopKind, ...], pieces: Pieces
) -> tuple[StopPlace, ...]:
    """Place of each stop of a hex on the picture."""
    places: dict[int, StopPlace] = {}
    unplaced_stops: list[int] = []
    for i, kind in enumerate(stop_kinds):
        edges = edges_of_stop(pieces, i)
        if kind == "offboard":
            places[i] = StopPlace(0.0, 0.0, "area")
        elif kind == "town" and len(edges) == 2 and not _is_joined_inside(pieces, i):
            places[i] = _bar_on_track(layout, edges[0], edges[1])
        else:
            unplaced_stops.append(i)
    if len(unplaced_stops) == 1 and not places:
        only_stop = unplaced_stops[0]
        return (StopPlace(0.0, 0.0, "city" if stop_kinds[only_stop] == "city" else "dot"),)
    if len(unplaced_stops) == 2 and not pieces and all(stop_kinds[i] == "town" for i in unplaced_stops):
        return tuple(StopPlace(x, y, "dot") for x, y in TRACKLESS_TOWN_POINTS)
    _separate_bars(layout, places)
    places.update(_separate_stops(layout, stop_kinds, pieces, unplaced_stops))
    return tuple(places[i] for i in range(len(stop_kinds)))


def stacked_cities(first_city: StopPlace, second_city: StopPlace) -> tuple[StopPlace, StopPlace]:
    """Positions of two double-slot cities in one hex, one above the other."""
    side_distance, up_distance = _STACKED_CITY_OFFSET
    wanted_xs = [
        place.x if abs(place.x) > 0.05 else first_city.x + second_city.x
        for place in (first_city, second_city)
    ]
    first_x, second_x = (max(-side_distance, min(side_distance, x)) for x in wanted_xs)
    if (first_city.y, first_city.x) > (second_city.y, second_city.x):
        up_distance = -up_distance
    return replace(first_city, x=first_x, y=-up_distance), replace(second_city, x=second_x, y=up_distance)


def _separate_bars(layout: Layout, places: dict[int, StopPlace]) -> None:
    """Slide two town bars along their track until they do not overlap."""
    bar_indexes = [i for i, place in places.items() if place.shape == "bar"]
    if (
        len(bar_indexes) != 2
        or math.dist(places[bar_indexes[0]].point, places[bar_indexes[1]].point) >= _MIN_BAR_DISTANCE
    ):
        return
    bar_choices = [
        [
            _bar_moved_to(layout, places[i], track_fraction)
            for track_fraction in (0.5, 0.36, 0.64, 0.3, 0.7, 0.24, 0.76)
        ]
        for i in bar_indexes
    ]
    index_pairs = [(i, j) for i in range(7) for j in range(7)]
    separate_pairs = [
        (i, j)
        for i, j in index_pairs
        if math.dist(bar_choices[0][i].point, bar_choices[1][j].point) >= _MIN_BAR_DISTANCE
    ]
    best_pair = min(separate_pairs or index_pairs, key=lambda pair: (max(pair), sum(pair)))
    places[bar_indexes[0]], places[bar_indexes[1]] = (
        bar_choices[0][best_pair[0]],
        bar_choices[1][best_pair[1]],
    )


def _bar_moved_to(layout: Layout, bar: StopPlace, track_fraction: float) -> StopPlace:
    if bar.track_sides is None or track_fraction == 0.5:
        return bar
    line = _evenly_spaced_points(edge_to_edge_line(layout, *bar.track_sides))
    index = round(track_fraction * (len(line) - 1))
    (x0, y0), (x1, y1) = line[index - 1], line[index + 1]
    return StopPlace(*line[index], "bar", math.atan2(x0 - x1, y1 - y0), bar.track_sides)


def _evenly_spaced_points(line: Line, part_count: int = 40) -> Line:
    """The line as `part_count + 1` points at equal distances."""
    lengths = [math.dist(p, q) for p, q in pairwise(line)]
    total_length = sum(lengths)
    points: list[Point] = []
    segment_index, covered_length = 0, 0.0
    for i in range(part_count + 1):
        target_length = total_length * i / part_count
        while segment_index < len(lengths) - 1 and covered_length + lengths[segment_index] < target_length:
            covered_length += lengths[segment_index]
            segment_index += 1
        (x0, y0), (x1, y1) = line[segment_index], line[segment_index + 1]
        segment_fraction = (target_length - covered_length) / lengths[segment_index]
        points.append((x0 + (x1 - x0) * segment_fraction, y0 + (y1 - y0) * segment_fraction))
    return tuple(points)


def _is_joined_inside(pieces: Pieces, stop_index: int) -> bool:
    return any(
        topology.FIRST_STOP + stop_index in pair and not any(topology.is_edge(end) for end in pair)
        for pair in pieces
    )


def _bar_on_track(layout: Layout, first_side: int, last_side: int) -> StopPlace:
    x, y = line_middle(edge_to_edge_line(layout, first_side, last_side))
    bar_direction = outward_vector(layout, first_side + 1.5) if (last_side - first_side) % 6 == 3 else (x, y)
    return StopPlace(x, y, "bar", math.atan2(bar_direction[1], bar_direction[0]), (first_side, last_side))


def line_middle(line: Line) -> Point:
    """The middle of a line's list of points."""
    middle_index, is_odd = divmod(len(line), 2)
    if is_odd:
        return line[middle_index]
    (x0, y0), (x1, y1) = line[middle_index - 1], line[middle_index]
    return ((x0 + x1) / 2, (y0 + y1) / 2)


def _separate_stops(
    layout: Layout, stop_kinds: Sequence[topology.StopKind], pieces: Pieces, unplaced_stops: list[int]
) -> dict[int, StopPlace]:
    occupancy_by_side = [0.0] * 6
    for pair in pieces:
        for end in pair:
            if topology.is_edge(end):
                for used_side, weight in ((end, 1.0), (end + 1, 0.1), (end - 1, 0.1)):
                    occupancy_by_side[used_side % 6] += weight
    occupancy_by_side[0] += 0.05  # the name goes below
    occupied_sides: list[float] = []
    places: dict[int, StopPlace] = {}
    is_crowded = len(unplaced_stops) > 3
    distance = CROWDED_CITY_DISTANCE if is_crowded else SHARED_CITY_DISTANCE
    for i in sorted(unplaced_stops, key=lambda stop: (-len(edges_of_stop(pieces, stop)), stop)):
        edges = edges_of_stop(pieces, i)
        side = (
            _side_of_crowded_stop(edges, occupancy_by_side, occupied_sides)
            if is_crowded
            else _best_free_side(edges, occupancy_by_side, occupied_sides, 6 / len(unplaced_stops))
        )
        occupied_sides.append(side)
        x, y = outward_vector(layout, side)
        shape: Literal["city", "dot"] = "city" if stop_kinds[i] == "city" else "dot"
        places[i] = StopPlace(x * distance, y * distance, shape)
    return places


def _side_of_crowded_stop(
    edges: tuple[int, ...], occupancy_by_side: list[float], occupied_sides: list[float]
) -> float:
    joined_sides = sorted(edges, key=lambda edge: occupancy_by_side[edge])
    return next(float(side) for side in (*joined_sides, *range(6)) if side not in occupied_sides)


def _best_free_side(
    edges: tuple[int, ...],
    occupancy_by_side: list[float],
    occupied_sides: list[float],
    sufficient_distance: float,
) -> float:
    def free_distance(side: float) -> float:
        distance = min((min((side - t) % 6, (t - side) % 6) for t in occupied_sides), default=6.0)
        return min(distance, sufficient_distance)

    if len(edges) == 2 and (edges[1] - edges[0]) % 6 in (1, 5):
        corner_side = edges[0] + 0.5 if edges[1] - edges[0] == 1 else edges[1] + 0.5
        if free_distance(corner_side) >= 1.5:
            return corner_side
    free_sides = [float(e) for e in edges if free_distance(e) >= 2] or [
        float(e) for e in range(6) if free_distance(e) >= 2
    ]
    free_sides = free_sides or [float(e) for e in range(6)]
    return min(free_sides, key=lambda side: (occupancy_by_side[int(side)], -free_distance(side), side))


def track_line(
    layout: Layout, places: tuple[StopPlace, ...], first_end: topology.End, last_end: topology.End
) -> Line:
    """The line of one piece of track between its ends `first_end` and `last_end`; each end is a side or a stop."""
    if topology.is_edge(first_end) and topology.is_edge(last_end):
        return edge_to_edge_line(layout, first_end, last_end)
    if not topology.is_edge(first_end) and not topology.is_edge(last_end):
        return (places[first_end - topology.FIRST_STOP].point, places[last_end - topology.FIRST_STOP].point)
    if not topology.is_edge(first_end):
        return track_line(layout, places, last_end, first_end)[::-1]
    place = places[last_end - topology.FIRST_STOP]
    if place.track_sides is None:
        return edge_to_point_line(layout, first_end, place.point)
    far_side = place.track_sides[1] if place.track_sides[0] == first_end else place.track_sides[0]
    whole_line = edge_to_edge_line(layout, first_end, far_side)
    nearest_index = min(range(len(whole_line)), key=lambda i: math.dist(whole_line[i], place.point))
    if len(whole_line) == 3:  # a straight has no points of its own between its ends
        return (whole_line[0], place.point)
    return (*whole_line[:nearest_index], place.point)


@lru_cache(maxsize=1024)
def track_layers(pieces: Pieces, rotation: int) -> tuple[Pieces, ...]:
    """Pieces of track grouped into layers, lowest first; pieces that share a side or a stop are in one layer.

    The order depends on the sides before rotation, so it is the same in every rotation of a tile.
    """
    groups: list[list[tuple[topology.End, topology.End]]] = []
    for piece in pieces:
        touching_groups = [g for g in groups if any(set(piece) & set(other) for other in g)]
        merged_group = [piece, *(other for g in touching_groups for other in g)]
        groups = [g for g in groups if g not in touching_groups] + [merged_group]

    def lowest_side(group: list[tuple[topology.End, topology.End]]) -> int:
        sides = (end for pair in group for end in pair if topology.is_edge(end))
        return min(((side - rotation) % 6 for side in sides), default=-1)

    return tuple(tuple(group) for group in sorted(groups, key=lowest_side))
