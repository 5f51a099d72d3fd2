"""Search for the position at which a label overlaps least with the shapes already drawn on a hex.

Shapes are approximated by small discs (`ShapeDisc`). Lengths are in hex sides from the hex's centre.
"""

import math
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final, TypeAlias

from render.font_metrics import text_width
from render.hexes.hex_geometry import (
    SIDE_COST_EM,
    SIDE_COST_HEIGHT,
    Layout,
    largest_disc_x,
    outward_vector,
    overhang,
    side_cost_point,
)
from render.scene import Point

ShapeDisc: TypeAlias = tuple[float, float, float]
"""A disc that approximates part of a drawn shape: x, y, radius."""

DISC_GAP: Final = 0.02
_MAX_TRACK_OVERLAP: Final = 30.0
"""Overlap with track above which all positions count as equally bad."""
_QUICK_CHECK_TOLERANCE: Final = 1e-9
"""Rounding tolerance of the quick check in `_SlotCosts.possible_xs`."""
_CORNER_DISTANCES: Final = (0.66, 0.72, 0.76, 0.60)
_DISC_SPACING: Final = 0.075


@dataclass(frozen=True, slots=True)
class LabelSlot:
    """A candidate position for a label; `penalty` is its cost if the label overlaps nothing."""

    x: float
    y: float
    penalty: float = 0.0


class LabelSlots:
    """Candidate positions for a label, lowest penalty first."""

    def __init__(self, slots: Iterable[LabelSlot]) -> None:
        self.sorted_slots: tuple[LabelSlot, ...] = tuple(sorted(slots, key=lambda slot: slot.penalty))
        xs_by_height: dict[float, list[float]] = {}
        for slot in self.sorted_slots:
            xs_by_height.setdefault(slot.y, []).append(slot.x)
        self.xs_by_height: Mapping[float, list[float]] = xs_by_height
        """The x coordinates of all slots, by their height (y)."""


SLOT_ROWS: Final = tuple(
    tuple(LabelSlot(x * 0.07, y * 0.06, abs(x) * 0.004) for x in range(-11, 12)) for y in range(-13, 14)
)
"""Candidate positions (slots) on a grid over the whole hex, row by row."""
_SLOT_ROW_XS: Final = tuple(slot.x for slot in SLOT_ROWS[0])
_MAX_SLOT_PENALTY: Final = max(slot.penalty for row in SLOT_ROWS for slot in row)


@dataclass(frozen=True, slots=True)
class Placement:
    """The position chosen for a label, its total cost, and the discs that the label occupies."""

    x: float
    y: float
    cost: float
    overlap: float
    """The part of the cost that comes from covering other shapes or extending beyond the hex."""
    discs: tuple[ShapeDisc, ...]


_NearbyDiscs: TypeAlias = list[tuple[float, float, float, float]]
"""Discs near a row: for each, x, squared vertical distance, distance at which it touches, and the square of that."""

_SortableDisc: TypeAlias = tuple[float, float, float, int]
"""A disc as (y, x, radius, index in the order of addition), which sorts by height."""


class Obstacles:
    """The discs that occupy a hex, in the order in which they were added. They are also kept sorted by height."""

    def __init__(self, discs: Iterable[ShapeDisc] = ()) -> None:
        self.discs: list[ShapeDisc] = []
        self._sorted_discs: list[_SortableDisc] = []
        self._largest_radius = 0.0
        self._shared_disc_count = 0
        self._cached_row_discs: dict[tuple[float, float], _NearbyDiscs] = {}
        self.add(discs)
        self._shared_disc_count = len(self.discs)

    def add(self, discs: Iterable[ShapeDisc]) -> None:
        """Add discs to the occupied space."""
        for disc in discs:
            x, y, r = disc
            self._sorted_discs.append((y, x, r, len(self.discs)))
            self.discs.append(disc)
            if r > self._largest_radius:
                self._largest_radius = r
        self._sorted_discs.sort()

    def copy(self) -> "Obstacles":
        copied_obstacles = Obstacles()
        copied_obstacles.discs, copied_obstacles._sorted_discs, copied_obstacles._largest_radius = (
            self.discs.copy(),
            self._sorted_discs.copy(),
            self._largest_radius,
        )
        copied_obstacles._shared_disc_count, copied_obstacles._cached_row_discs = (
            self._shared_disc_count,
            self._cached_row_discs,
        )
        return copied_obstacles

    def discs_near_height(self, y: float, radius: float) -> list[_SortableDisc]:
        """All discs that might touch a disc of this radius centred at height `y`; a few do not touch it."""
        height_reach = radius + self._largest_radius + DISC_GAP
        return self._sorted_discs[
            bisect_left(self._sorted_discs, (y - height_reach,)) : bisect_left(
                self._sorted_discs, (y + height_reach,)
            )
        ]

    def discs_touching_row(self, y: float, radius: float) -> _NearbyDiscs:
        """The discs that can touch a disc of this radius centred at height `y`, in the order of addition."""
        cached_row_discs = self._cached_row_discs.get((y, radius))
        if cached_row_discs is None:
            cached_row_discs = self._cached_row_discs[y, radius] = _nearby_discs(
                self.discs[: self._shared_disc_count], y, radius
            )
        return cached_row_discs + _nearby_discs(self.discs[self._shared_disc_count :], y, radius)


def _nearby_discs(discs: Iterable[ShapeDisc], y: float, radius: float) -> _NearbyDiscs:
    return [
        (disc_x, height_difference * height_difference, reach, reach * reach)
        for disc_x, disc_y, disc_radius in discs
        if -(reach := radius + disc_radius + DISC_GAP) < (height_difference := y - disc_y) < reach
    ]


def line_discs(line: Iterable[Point], radius: float) -> list[ShapeDisc]:
    """Discs of this radius along a line."""
    points = list(line)
    discs: list[ShapeDisc] = []
    for (x0, y0), (x1, y1) in pairwise(points):
        step_count = max(1, math.ceil(math.dist((x0, y0), (x1, y1)) / _DISC_SPACING))
        discs.extend(
            (x0 + (x1 - x0) * i / step_count, y0 + (y1 - y0) * i / step_count, radius)
            for i in range(step_count)
        )
    return [*discs, (*points[-1], radius)]


def side_cost_discs(layout: Layout, side_costs: Iterable[tuple[int, int]]) -> Iterator[ShapeDisc]:
    """Discs that cover the boxes with the costs of crossing sides; `side_costs` contains (side, cost) pairs."""
    for side, cost in side_costs:
        width = text_width(str(cost), "bold") * SIDE_COST_EM + 0.08
        yield from box_discs(*side_cost_point(layout, side), width, SIDE_COST_HEIGHT)


def box_discs(x: float, y: float, width: float, height: float) -> tuple[ShapeDisc, ...]:
    """Discs that cover a box centred at this point."""
    radius = height / 2
    half_span = max(0.0, width / 2 - radius)
    gap_count = max(1, math.ceil(2 * half_span / radius)) if half_span else 0
    return (
        tuple((x - half_span + 2 * half_span * i / gap_count, y, radius) for i in range(gap_count + 1))
        if gap_count
        else ((x, y, radius),)
    )


@lru_cache(maxsize=2)
def corner_slots(layout: Layout) -> LabelSlots:
    """Candidate positions: the centre, points toward the corners (upper right first), and points toward the sides."""
    slots = [LabelSlot(0.0, 0.0)]
    for k in range(6):
        x, y = outward_vector(layout, 3.5 + k)
        slots.extend(
            LabelSlot(x * distance, y * distance, 0.0 if distance == 0.66 else 0.04)
            for distance in _CORNER_DISTANCES
        )
    for k in range(6):
        x, y = outward_vector(layout, k)
        slots.extend(LabelSlot(x * distance, y * distance, 0.05) for distance in (0.56, 0.62, 0.30))
    return LabelSlots(slots)


def best_slot(
    layout: Layout,
    slots: LabelSlots,
    shape: tuple[ShapeDisc, ...],
    obstacles: Obstacles,
    near_point: Point | None = None,
) -> Placement:
    """The placement with the lowest cost; `shape` consists of discs around the label's centre.

    Raises ValueError if `slots` is empty.
    """
    slot = lowest_cost_slot(layout, slots, shape, obstacles, math.inf, near_point)
    if slot is None:
        raise ValueError("no slots were offered")
    return slot


def lowest_cost_slot(
    layout: Layout,
    slots: LabelSlots,
    shape: tuple[ShapeDisc, ...],
    obstacles: Obstacles,
    overlap_limit: float,
    near_point: Point | None = None,
) -> Placement | None:
    """The placement with the lowest cost whose overlap is below `overlap_limit`; None if there is none.

    If several slots cost the same, the first one wins. With `near_point`, distance from that point adds to the cost.
    """
    best_slot_found: LabelSlot | None = None
    least_cost, overlap = math.inf, 0.0
    slot_costs = _SlotCosts(layout, shape, obstacles)
    possible_xs_by_height: dict[float, Sequence[float]] = {}
    for cost, slot in _slots_sorted_by_cost(slots, near_point):
        cost_left = least_cost - cost
        if cost_left <= 0:
            break
        if cost_left > overlap_limit:
            cost_left = overlap_limit
        if overlap_limit < math.inf:
            if slot.y not in possible_xs_by_height:
                possible_xs_by_height[slot.y] = slot_costs.possible_xs(
                    slot.y, slots.xs_by_height[slot.y], overlap_limit
                )
            if slot.x not in possible_xs_by_height[slot.y]:
                continue
        overlap_cost = slot_costs.overlap_cost(slot, cost_left)
        if overlap_cost < cost_left:
            best_slot_found, least_cost, overlap = slot, cost + overlap_cost, overlap_cost
    if best_slot_found is None:
        return None
    return Placement(
        best_slot_found.x, best_slot_found.y, least_cost, overlap, _shape_at(shape, best_slot_found)
    )


@lru_cache(maxsize=256)
def _slots_sorted_by_cost(slots: LabelSlots, near_point: Point | None) -> Sequence[tuple[float, LabelSlot]]:
    if near_point is None:
        return [(slot.penalty, slot) for slot in slots.sorted_slots]
    slots_with_costs = [
        (slot.penalty + 0.3 * math.dist((slot.x, slot.y), near_point), slot) for slot in slots.sorted_slots
    ]
    slots_with_costs.sort(key=lambda priced: priced[0])
    return slots_with_costs


def slot_over_track(
    layout: Layout,
    shape: tuple[ShapeDisc, ...],
    track_obstacles: Obstacles,
    other_obstacles: Obstacles,
    overlap_limit: float,
) -> Placement | None:
    """The placement that hides the least track and overlaps `other_obstacles` by less than `overlap_limit`.

    Returns None if every placement overlaps `other_obstacles` too much.
    """
    best_placement: Placement | None = None
    least_cost = math.inf
    other_costs, track_costs = (
        _SlotCosts(layout, shape, other_obstacles),
        _SlotCosts(layout, shape, track_obstacles),
    )
    for row in SLOT_ROWS:
        possible_xs = other_costs.possible_xs(row[0].y, _SLOT_ROW_XS, overlap_limit + _MAX_SLOT_PENALTY)
        for slot in row if possible_xs else ():
            if slot.x not in possible_xs:
                continue
            cost_limit = overlap_limit + slot.penalty
            overlap_cost = other_costs.overlap_cost(slot, cost_limit)
            if overlap_cost >= cost_limit:
                continue
            cost = slot.penalty + overlap_cost
            total_cost = cost + track_costs.overlap(slot, min(_MAX_TRACK_OVERLAP, least_cost - cost))
            if total_cost < least_cost:
                least_cost, best_placement = (
                    total_cost,
                    Placement(slot.x, slot.y, cost, overlap_cost, _shape_at(shape, slot)),
                )
    return best_placement


def _shape_at(shape: tuple[ShapeDisc, ...], slot: LabelSlot) -> tuple[ShapeDisc, ...]:
    return tuple([(x + slot.x, y + slot.y, r) for x, y, r in shape])


@dataclass(frozen=True, slots=True)
class _DiscRow:
    """A row of equal discs within a shape: height, radius, and x of the first and last disc."""

    y: float
    r: float
    left_x: float
    right_x: float
    widest_gap: float
    """The largest distance between the centres of neighbouring discs."""


@lru_cache(maxsize=256)
def _disc_rows(shape: tuple[ShapeDisc, ...]) -> Sequence[_DiscRow]:
    xs_by_row: dict[tuple[float, float], list[float]] = {}
    for x, y, r in shape:
        xs_by_row.setdefault((y, r), []).append(x)
    for xs in xs_by_row.values():
        xs.sort()
    return [
        _DiscRow(y, r, xs[0], xs[-1], max((b - a for a, b in pairwise(xs)), default=0.0))
        for (y, r), xs in xs_by_row.items()
    ]


class _SlotCosts:
    """Computes the cost of placing one shape at each of several slots."""

    def __init__(self, layout: Layout, shape: tuple[ShapeDisc, ...], obstacles: Obstacles) -> None:
        self._layout: Layout = layout
        self._shape = shape
        self._disc_rows = _disc_rows(shape)
        self._end_discs = [
            (x, disc_row.y, disc_row.r)
            for disc_row in self._disc_rows
            for x in {disc_row.left_x, disc_row.right_x}
        ]
        self._obstacles = obstacles
        self._discs_by_row: dict[tuple[float, float], _NearbyDiscs] = {}

    def possible_xs(self, height: float, xs: Sequence[float], overlap_limit: float) -> Sequence[float]:
        """The x coordinates in `xs` at which a slot at this height passes a quick check.

        A slot fails if a single disc of the shape already exceeds `overlap_limit`.
        """
        for disc_row in self._disc_rows:
            y, r = height + disc_row.y, disc_row.r
            reach = largest_disc_x(self._layout, y, r - overlap_limit / 8) + _QUICK_CHECK_TOLERANCE
            xs = [x for x in xs if -reach < x + disc_row.left_x and x + disc_row.right_x < reach]
            if not xs:
                break
            least_reach, gap_squared = (
                r + DISC_GAP - math.sqrt(overlap_limit / 30) - _QUICK_CHECK_TOLERANCE,
                disc_row.widest_gap * disc_row.widest_gap,
            )
            for disc_y, disc_x, other_radius, _ in self._obstacles.discs_near_height(y, r):
                reach, height_difference = least_reach + other_radius, y - disc_y
                half_chord_squared = reach * reach - height_difference * height_difference
                if 4 * half_chord_squared > gap_squared and reach > 0:
                    half_chord = math.sqrt(half_chord_squared)
                    low_x, high_x = (
                        disc_x - half_chord - disc_row.right_x,
                        disc_x + half_chord - disc_row.left_x,
                    )
                    xs = [x for x in xs if not low_x < x < high_x]
                    if not xs:
                        return xs
        return xs

    def overlap_cost(self, slot: LabelSlot, cost_limit: float) -> float:
        """Cost at this slot of overlap and of extending beyond the hex; stops counting at `cost_limit`."""
        cost = 8 * self._overhang(slot, cost_limit / 8)
        return cost if cost >= cost_limit else cost + 30 * self.overlap(slot, (cost_limit - cost) / 30)

    def overlap(self, slot: LabelSlot, overlap_limit: float) -> float:
        """Sum of squared overlap distances at this slot; stops counting at `overlap_limit`."""
        if len(self._shape) == 1:
            ((x, y, r),) = self._shape
            return self._disc_overlap(x + slot.x, y + slot.y, r, overlap_limit)
        total = 0.0
        for offset_x, offset_y, r in self._shape:
            x, y = offset_x + slot.x, offset_y + slot.y
            nearby_discs = self._discs_by_row.get((y, r))
            if nearby_discs is None:
                nearby_discs = self._discs_by_row[y, r] = self._obstacles.discs_touching_row(y, r)
            for disc_x, height_squared, reach, reach_squared in nearby_discs:
                distance_squared = (x - disc_x) * (x - disc_x) + height_squared
                if distance_squared < reach_squared:
                    total += (reach - math.sqrt(distance_squared)) ** 2
                    if total >= overlap_limit:
                        return total
        return total

    def _disc_overlap(self, x: float, y: float, radius: float, overlap_limit: float) -> float:
        """Sum of squared overlap distances of one disc; faster than `overlap`."""
        numbered_overlaps: list[tuple[int, float]] = []
        for disc_y, disc_x, other_radius, i in self._obstacles.discs_near_height(y, radius):
            reach = radius + other_radius + DISC_GAP
            distance_squared = (x - disc_x) * (x - disc_x) + (y - disc_y) * (y - disc_y)
            if distance_squared < reach * reach:
                overlap_squared = (reach - math.sqrt(distance_squared)) ** 2
                if overlap_squared >= overlap_limit:
                    return overlap_squared
                numbered_overlaps.append((i, overlap_squared))
        numbered_overlaps.sort()
        return sum([overlap_squared for _, overlap_squared in numbered_overlaps])

    def _overhang(self, slot: LabelSlot, overhang_limit: float) -> float:
        largest_overhang = 0.0
        for x, y, r in self._end_discs:
            disc_overhang = overhang(self._layout, x + slot.x, y + slot.y, r)
            if disc_overhang > largest_overhang:
                largest_overhang = disc_overhang
                if largest_overhang >= overhang_limit:
                    break
        return largest_overhang
