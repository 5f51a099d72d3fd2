"""Slots for labels: texts and discs take the slot that overlaps least with what is drawn already.

Everything drawn is kept as small discs (`Blob`); lengths are in hex sides from the hex's centre.
"""

import math
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final, TypeAlias

from render.hexes.hex_geometry import Layout, half_width, outward, overhang
from render.scene import Point

Blob: TypeAlias = tuple[float, float, float]
"""x, y, radius."""

AIR: Final = 0.02
_ALL: Final = 30.0
"""Overlap with track from which on it does not matter how much there is."""
_SLACK: Final = 1e-9
"""Tolerance of a quick look."""
_REACHES: Final = (0.66, 0.72, 0.76, 0.60)
_STEP: Final = 0.075


@dataclass(frozen=True, slots=True)
class LabelSlot:
    """A candidate position with its penalty."""

    x: float
    y: float
    penalty: float = 0.0


class LabelSlots:
    """Candidate positions, cheapest first."""

    def __init__(self, slots: Iterable[LabelSlot]) -> None:
        self.cheapest: tuple[LabelSlot, ...] = tuple(sorted(slots, key=lambda slot: slot.penalty))
        rows: dict[float, list[float]] = {}
        for slot in self.cheapest:
            rows.setdefault(slot.y, []).append(slot.x)
        self.rows: Mapping[float, list[float]] = rows
        """By height, where they are across."""


ANYWHERE: Final = tuple(
    tuple(LabelSlot(x * 0.07, y * 0.06, abs(x) * 0.004) for x in range(-11, 12)) for y in range(-13, 14)
)
"""Rows of slots all over the hex."""
_ACROSS: Final = tuple(slot.x for slot in ANYWHERE[0])
_DEAREST: Final = max(slot.penalty for row in ANYWHERE for slot in row)


@dataclass(frozen=True, slots=True)
class Placement:
    """The position chosen for a label, its cost, and the discs that it covers."""

    x: float
    y: float
    cost: float
    overlap: float
    """The part of the cost that comes from covering something or leaving the hex."""
    blobs: tuple[Blob, ...]


_Row: TypeAlias = list[tuple[float, float, float, float]]
"""Of discs near a height: x, distance from it squared, how near a disc may come, and that squared."""

_ByHeight: TypeAlias = tuple[float, float, float, int]
"""y, x, radius, and which disc it is."""


class Obstacles:
    """The discs already on a hex, in order and by height."""

    def __init__(self, blobs: Iterable[Blob] = ()) -> None:
        self.blobs: list[Blob] = []
        self._down: list[_ByHeight] = []
        self._largest = 0.0
        self._first = 0
        """Number of the discs that are the same in all copies."""
        self._rows: dict[tuple[float, float], _Row] = {}
        """Known slots for rows of discs; all copies know them."""
        self.add(blobs)
        self._first = len(self.blobs)

    def add(self, blobs: Iterable[Blob]) -> None:
        """Add discs."""
        for blob in blobs:
            x, y, r = blob
            self._down.append((y, x, r, len(self.blobs)))
            self.blobs.append(blob)
            if r > self._largest:
                self._largest = r
        self._down.sort()

    def copy(self) -> "Obstacles":
        other = Obstacles()
        other.blobs, other._down, other._largest = self.blobs.copy(), self._down.copy(), self._largest
        other._first, other._rows = self._first, self._rows
        return other

    def near(self, y: float, radius: float) -> list[_ByHeight]:
        """Discs that may touch one of this radius at this height, and some others."""
        reach = radius + self._largest + AIR
        return self._down[bisect_left(self._down, (y - reach,)) : bisect_left(self._down, (y + reach,))]

    def row(self, y: float, radius: float) -> _Row:
        """Discs that can touch one of this radius at this height, in order of addition."""
        row = self._rows.get((y, radius))
        if row is None:
            row = self._rows[y, radius] = _row(self.blobs[: self._first], y, radius)
        return row + _row(self.blobs[self._first :], y, radius)


def _row(blobs: Iterable[Blob], y: float, radius: float) -> _Row:
    return [
        (ox, down * down, reach, reach * reach)
        for ox, oy, other in blobs
        if -(reach := radius + other + AIR) < (down := y - oy) < reach
    ]


def line_blobs(line: Iterable[Point], radius: float) -> list[Blob]:
    """Discs along a line."""
    points = list(line)
    blobs: list[Blob] = []
    for (x0, y0), (x1, y1) in pairwise(points):
        steps = max(1, math.ceil(math.dist((x0, y0), (x1, y1)) / _STEP))
        blobs.extend((x0 + (x1 - x0) * i / steps, y0 + (y1 - y0) * i / steps, radius) for i in range(steps))
    return [*blobs, (*points[-1], radius)]


@lru_cache(maxsize=1024)
def box_blobs(x: float, y: float, width: float, height: float) -> tuple[Blob, ...]:
    """Discs that cover a box centred at this point."""
    r = height / 2
    span = max(0.0, width / 2 - r)
    count = max(1, math.ceil(2 * span / r)) if span else 0
    return tuple((x - span + 2 * span * i / count, y, r) for i in range(count + 1)) if count else ((x, y, r),)


@lru_cache(maxsize=2)
def corner_slots(layout: Layout) -> LabelSlots:
    """Centre, corners (upper right first), then sides."""
    slots = [LabelSlot(0.0, 0.0)]
    for k in range(6):
        x, y = outward(layout, 3.5 + k)
        slots.extend(LabelSlot(x * reach, y * reach, 0.0 if reach == 0.66 else 0.04) for reach in _REACHES)
    for k in range(6):
        x, y = outward(layout, k)
        slots.extend(LabelSlot(x * reach, y * reach, 0.05) for reach in (0.56, 0.62, 0.30))
    return LabelSlots(slots)


def best_slot(
    layout: Layout,
    slots: LabelSlots,
    shape: tuple[Blob, ...],
    obstacles: Obstacles,
    near_point: Point | None = None,
) -> Placement:
    """The cheapest slot for a shape (discs around its own centre). Raises ValueError without slots."""
    slot = slot_within(layout, slots, shape, obstacles, math.inf, near_point)
    if slot is None:
        raise ValueError("no slots were offered")
    return slot


def slot_within(
    layout: Layout,
    slots: LabelSlots,
    shape: tuple[Blob, ...],
    obstacles: Obstacles,
    limit: float,
    near_point: Point | None = None,
) -> Placement | None:
    """The cheapest slot whose overlap stays below `limit`, if there is one; the first wins a tie."""
    slot_found: LabelSlot | None = None
    least, overlap = math.inf, 0.0
    tried = _Trial(layout, shape, obstacles)
    rows: dict[float, Sequence[float]] = {}
    for cost, slot in _by_cost(slots, near_point):
        room = least - cost
        if room <= 0:
            break
        if room > limit:
            room = limit
        if limit < math.inf:
            if slot.y not in rows:
                rows[slot.y] = tried.possible_slots(slot.y, slots.rows[slot.y], limit)
            if slot.x not in rows[slot.y]:
                continue
        hidden = tried.hidden_cost(slot, room)
        if hidden < room:
            slot_found, least, overlap = slot, cost + hidden, hidden
    if slot_found is None:
        return None
    return Placement(slot_found.x, slot_found.y, least, overlap, _shape_at(shape, slot_found))


@lru_cache(maxsize=256)
def _by_cost(slots: LabelSlots, near_point: Point | None) -> Sequence[tuple[float, LabelSlot]]:
    """Each slot with its cost, including distance from a point, the cheapest first."""
    if near_point is None:
        return [(slot.penalty, slot) for slot in slots.cheapest]
    costs = [(slot.penalty + 0.3 * math.dist((slot.x, slot.y), near_point), slot) for slot in slots.cheapest]
    costs.sort(key=lambda priced: priced[0])
    return costs


def slot_over_track(
    layout: Layout, shape: tuple[Blob, ...], track: Obstacles, rest: Obstacles, limit: float
) -> Placement | None:
    """The slot that hides the least track, with overlap of the rest below `limit`."""
    best: Placement | None = None
    least = math.inf
    on_rest, on_track = _Trial(layout, shape, rest), _Trial(layout, shape, track)
    for row in ANYWHERE:
        free = on_rest.possible_slots(row[0].y, _ACROSS, limit + _DEAREST)
        for slot in row if free else ():
            if slot.x not in free:
                continue
            room = limit + slot.penalty
            hidden = on_rest.hidden_cost(slot, room)
            if hidden >= room:
                continue
            cost = slot.penalty + hidden
            whole = cost + on_track.overlap(slot, min(_ALL, least - cost))
            if whole < least:
                least, best = whole, Placement(slot.x, slot.y, cost, hidden, _shape_at(shape, slot))
    return best


def _shape_at(shape: tuple[Blob, ...], slot: LabelSlot) -> tuple[Blob, ...]:
    return tuple([(x + slot.x, y + slot.y, r) for x, y, r in shape])


@dataclass(frozen=True, slots=True)
class _Segment:
    """Discs of one radius at one height of a shape."""

    y: float
    r: float
    left: float
    right: float
    gap: float
    """The widest between the centres of neighbours."""


@lru_cache(maxsize=256)
def _segments(shape: tuple[Blob, ...]) -> Sequence[_Segment]:
    segments: dict[tuple[float, float], list[float]] = {}
    for x, y, r in shape:
        segments.setdefault((y, r), []).append(x)
    for xs in segments.values():
        xs.sort()
    return [
        _Segment(y, r, xs[0], xs[-1], max((b - a for a, b in pairwise(xs)), default=0.0))
        for (y, r), xs in segments.items()
    ]


class _Trial:
    """The costs of placing one shape in slot after slot."""

    def __init__(self, layout: Layout, shape: tuple[Blob, ...], obstacles: Obstacles) -> None:
        self._layout: Layout = layout
        self._shape = shape
        self._lines = _segments(shape)
        self._ends = [(x, line.y, line.r) for line in self._lines for x in {line.left, line.right}]
        self._taken = obstacles
        self._rows: dict[tuple[float, float], _Row] = {}

    def possible_slots(self, height: float, across: Sequence[float], limit: float) -> Sequence[float]:
        """The slots of a row that a quick check does not rule out.

        It rules out a slot where one disc alone covers so much of another, or reaches so far beyond the
        hex.
        """
        for line in self._lines:
            y, r = height + line.y, line.r
            reach = half_width(self._layout, y, r - limit / 8) + _SLACK
            across = [x for x in across if -reach < x + line.left and x + line.right < reach]
            if not across:
                break
            least, narrow = r + AIR - math.sqrt(limit / 30) - _SLACK, line.gap * line.gap
            for oy, ox, other, _ in self._taken.near(y, r):
                reach, down = least + other, y - oy
                square = reach * reach - down * down
                if 4 * square > narrow and reach > 0:
                    wide = math.sqrt(square)
                    low, high = ox - wide - line.right, ox + wide - line.left
                    across = [x for x in across if not low < x < high]
                    if not across:
                        return across
        return across

    def hidden_cost(self, slot: LabelSlot, enough: float) -> float:
        """Cost of overlap and overhang in this slot; stops counting at `enough`."""
        hidden = 8 * self._overhang(slot, enough / 8)
        return hidden if hidden >= enough else hidden + 30 * self.overlap(slot, (enough - hidden) / 30)

    def overlap(self, slot: LabelSlot, enough: float) -> float:
        """Sum of squared overlaps; stops counting at `enough`."""
        if len(self._shape) == 1:
            ((x, y, r),) = self._shape
            return self._of_disc(x + slot.x, y + slot.y, r, enough)
        total = 0.0
        for sx, sy, r in self._shape:
            x, y = sx + slot.x, sy + slot.y
            row = self._rows.get((y, r))
            if row is None:
                row = self._rows[y, r] = self._taken.row(y, r)
            for ox, down, reach, square in row:
                gap = (x - ox) * (x - ox) + down
                if gap < square:
                    total += (reach - math.sqrt(gap)) ** 2
                    if total >= enough:
                        return total
        return total

    def _of_disc(self, x: float, y: float, radius: float, enough: float) -> float:
        """The overlap of a single disc, optimised."""
        met: list[tuple[int, float]] = []
        for oy, ox, other, i in self._taken.near(y, radius):
            reach = radius + other + AIR
            gap = (x - ox) * (x - ox) + (y - oy) * (y - oy)
            if gap < reach * reach:
                square = (reach - math.sqrt(gap)) ** 2
                if square >= enough:
                    return square
                met.append((i, square))
        met.sort()
        return sum([square for _, square in met])

    def _overhang(self, slot: LabelSlot, enough: float) -> float:
        """Distance by which the shape exceeds the hex; stops counting at `enough`."""
        most = 0.0
        for x, y, r in self._ends:
            beyond = overhang(self._layout, x + slot.x, y + slot.y, r)
            if beyond > most:
                most = beyond
                if most >= enough:
                    break
        return most
