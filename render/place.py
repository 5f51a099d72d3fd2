"""Who gets which place: texts and discs take the seat that overlaps least with what is drawn already.

Everything drawn is kept as small discs (`Blob`); lengths are in hex sides from the hex's centre.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, TypeAlias

from render.hexgrid import Layout, outward, overhang
from render.scene import Point

Blob: TypeAlias = tuple[float, float, float]
"""x, y, radius."""

AIR: Final = 0.02
_REACHES: Final = (0.66, 0.72, 0.76, 0.60)
_STEP: Final = 0.075


@dataclass(frozen=True, slots=True)
class Seat:
    """A candidate position and what it costs before looking at overlaps."""

    x: float
    y: float
    penalty: float = 0.0


ANYWHERE: Final = tuple(
    Seat(x * 0.07, y * 0.06, abs(x) * 0.004) for y in range(-13, 14) for x in range(-11, 12)
)


@dataclass(frozen=True, slots=True)
class Found:
    """The seat taken, its cost, and the discs it covers."""

    x: float
    y: float
    cost: float
    overlap: float
    """The part of the cost that comes from covering something or leaving the hex."""
    blobs: tuple[Blob, ...]


def along(line: Iterable[Point], r: float) -> list[Blob]:
    """Discs along a line."""
    points = list(line)
    found: list[Blob] = []
    for (x0, y0), (x1, y1) in pairwise(points):
        steps = max(1, math.ceil(math.dist((x0, y0), (x1, y1)) / _STEP))
        found.extend((x0 + (x1 - x0) * i / steps, y0 + (y1 - y0) * i / steps, r) for i in range(steps))
    return [*found, (*points[-1], r)]


def box(x: float, y: float, width: float, height: float) -> tuple[Blob, ...]:
    """Discs that cover a box centred at this point."""
    r = height / 2
    span = max(0.0, width / 2 - r)
    count = max(1, math.ceil(2 * span / r)) if span else 0
    return tuple((x - span + 2 * span * i / count, y, r) for i in range(count + 1)) if count else ((x, y, r),)


def corner_seats(layout: Layout) -> list[Seat]:
    """Centre, corners (upper right first), then sides."""
    found = [Seat(0.0, 0.0)]
    for k in range(6):
        x, y = outward(layout, 3.5 + k)
        found.extend(Seat(x * reach, y * reach, 0.0 if reach == 0.66 else 0.04) for reach in _REACHES)
    for k in range(6):
        x, y = outward(layout, k)
        found.extend(Seat(x * reach, y * reach, 0.05) for reach in (0.56, 0.62, 0.30))
    return found


def best(
    layout: Layout,
    seats: Sequence[Seat],
    shape: Sequence[Blob],
    taken: Sequence[Blob],
    near: Point | None = None,
) -> Found:
    """The cheapest seat for a shape (discs about its own centre); the first wins a tie.

    Raises ValueError when no seats are offered.
    """
    found = within(layout, seats, shape, taken, math.inf, near)
    if found is None:
        raise ValueError("no seats were offered")
    return found


def within(
    layout: Layout,
    seats: Sequence[Seat],
    shape: Sequence[Blob],
    taken: Sequence[Blob],
    limit: float,
    near: Point | None = None,
) -> Found | None:
    """The cheapest seat whose overlap stays below `limit`, if there is one; the first wins a tie."""
    found: Found | None = None
    for seat in seats:
        cost = seat.penalty + (0.3 * math.dist((seat.x, seat.y), near) if near else 0.0)
        room = limit if found is None else min(limit, found.cost - cost)
        if room <= 0:
            continue
        hidden = 8 * _overhang(layout, shape, seat)
        if hidden >= room:
            continue
        blobs = tuple([(x + seat.x, y + seat.y, r) for x, y, r in shape])
        hidden += 30 * overlap(blobs, taken, (room - hidden) / 30)
        if hidden < room:
            found = Found(seat.x, seat.y, cost + hidden, hidden, blobs)
    return found


def over_track(
    layout: Layout, shape: Sequence[Blob], track: Sequence[Blob], rest: Sequence[Blob], limit: float
) -> Found | None:
    """The seat anywhere on the hex that hides least track, where the overlap with the rest stays below `limit`."""
    tried = (within(layout, (seat,), shape, rest, limit + seat.penalty) for seat in ANYWHERE)
    free = [found for found in tried if found is not None]
    return min(free, key=lambda found: found.cost + overlap(found.blobs, track, 30.0), default=None)


def _overhang(layout: Layout, shape: Sequence[Blob], seat: Seat) -> float:
    """How far the shape reaches beyond the hex at this seat."""
    most = 0.0
    for x, y, r in shape:
        beyond = overhang(layout, x + seat.x, y + seat.y, r)
        if beyond > most:
            most = beyond
    return most


def overlap(blobs: Sequence[Blob], taken: Sequence[Blob], enough: float) -> float:
    """Sum of the squared overlaps; stops counting at `enough`."""
    total = 0.0
    for x, y, r in blobs:
        for ox, oy, other in taken:
            reach = r + other + AIR
            dx = x - ox
            if -reach < dx < reach:
                dy = y - oy
                gap = dx * dx + dy * dy
                if gap < reach * reach:
                    total += (reach - math.sqrt(gap)) ** 2
                    if total >= enough:
                        return total
    return total
