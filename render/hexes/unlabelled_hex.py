"""A hex before its labels are placed: its stops, and the space that track, cities and corner labels occupy."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from engine import topology
from render.hexes import labels
from render.hexes.hex_geometry import (
    APOTHEM,
    Layout,
    Pieces,
    StopPlace,
    corner_point,
    side_middle,
    stacked_cities,
    stop_places,
    track_line,
)
from render.hexes.label_slots import (
    LabelSlot,
    LabelSlots,
    Obstacles,
    ShapeDisc,
    best_slot,
    box_discs,
    line_discs,
    side_cost_discs,
)
from render.hexes.stop_art import city_discs, town_discs
from render.scene import Point

TRACK_HALF_WIDTH, RIVER_HALF_WIDTH = 0.085, 0.08


@dataclass(frozen=True, slots=True)
class UnlabelledHex:
    """A hex before its labels are placed: stops, obstacles, and positions of the coordinate and the tile number."""

    places: tuple[StopPlace, ...]
    obstacles: Obstacles
    track_disc_count: int
    """The number of discs in `obstacles` that belong to track; these discs come first."""
    coordinate_point: Point
    number_point: Point


@lru_cache(maxsize=512)
def unlabelled_hex(
    layout: Layout,
    pieces: Pieces,
    stops: tuple[tuple[topology.StopKind, int], ...],
    is_terminal: bool,
    rivers_and_side_costs: tuple[tuple[int, ...], tuple[tuple[int, int], ...]],
    has_number: bool,
) -> UnlabelledHex:
    """The hex before its labels are placed; cached by its track and stops.

    `rivers_and_side_costs` contains the sides along a river, and (side, cost) for each side that costs money to cross.
    """
    places = stop_places(layout, tuple(kind for kind, _ in stops), pieces)
    if [slot_count for _, slot_count in stops] == [2, 2]:
        places = stacked_cities(*places)
    track_discs = tuple(_track_discs(layout, places, pieces, is_terminal))
    discs = [*track_discs]
    for side in rivers_and_side_costs[0]:
        discs.extend(
            line_discs([corner_point(layout, side - 1), corner_point(layout, side)], RIVER_HALF_WIDTH)
        )
    discs.extend(side_cost_discs(layout, rivers_and_side_costs[1]))
    for (_, slot_count), place in zip(stops, places, strict=True):
        if place.shape == "city":
            discs.extend(city_discs(place, max(1, slot_count)))
        elif place.shape != "area":
            discs.extend(town_discs(place))
    obstacles = Obstacles(discs)
    return UnlabelledHex(
        places, obstacles, len(track_discs), *_place_corner_labels(layout, obstacles, has_number)
    )


def _track_discs(
    layout: Layout, places: tuple[StopPlace, ...], pieces: Pieces, is_terminal: bool
) -> Iterator[ShapeDisc]:
    for first_end, last_end in pieces:
        if is_terminal:
            x, y = side_middle(layout, min(first_end, last_end))
            tip_ratio = labels.SPIKE_TIP_DISTANCE / APOTHEM
            yield from line_discs([(x, y), (x * tip_ratio, y * tip_ratio)], TRACK_HALF_WIDTH)
        else:
            yield from line_discs(track_line(layout, places, first_end, last_end), TRACK_HALF_WIDTH)


def _place_corner_labels(layout: Layout, obstacles: Obstacles, has_number: bool) -> tuple[Point, Point]:
    """Positions of the coordinate (upper left, or top) and of the tile number (opposite corner).

    If a city occupies the corner, the next free corner is used.
    """
    is_flat = layout == "flat"
    coordinate_point = _place_in_corner(
        layout, obstacles, (2, 3, 4, 1) if is_flat else (2, 1, 3), 0.76, (0.37, 0.17)
    )
    if not has_number:
        return coordinate_point, (0.0, 0.0)
    return coordinate_point, _place_in_corner(
        layout, obstacles, (5, 0, 4, 1) if is_flat else (5, 4, 0), 0.78, (0.26, 0.24)
    )


def _place_in_corner(
    layout: Layout,
    obstacles: Obstacles,
    corner_order: tuple[int, ...],
    least_distance: float,
    label_size: Point,
) -> Point:
    slot = best_slot(
        layout,
        _outer_slots(layout, corner_order, least_distance),
        box_discs(0.0, 0.0, *label_size),
        obstacles,
    )
    obstacles.add(slot.discs)
    return (slot.x, slot.y)


@lru_cache(maxsize=8)
def _outer_slots(layout: Layout, corner_order: tuple[int, ...], least_distance: float) -> LabelSlots:
    corners = [corner_point(layout, k) for k in corner_order]
    return LabelSlots(
        LabelSlot(x * distance, y * distance, 0.05 * i + abs(distance - least_distance))
        for i, (x, y) in enumerate(corners)
        for distance in (least_distance, least_distance + 0.03, least_distance + 0.06)
    )
