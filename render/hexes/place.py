"""Who gets which place: texts and discs take the seat that overlaps least with what is drawn already.

Everything drawn is kept as small discs (`Blob`); lengths are in hex sides from the hex's centre.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, TypeAlias

from render.hexes.hexgrid import Layout, outward, overhang
from render.scene import Point

Blob: TypeAlias = tuple[float, float, float]
"""x, y, radius."""

AIR: Final = 0.02
_ALL: Final = 30.0
"""Overlap with track from which on it does not matter how much there is."""
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
    tried = _Tried(layout, shape, taken)
    for seat in seats:
        cost = seat.penalty + (0.3 * math.dist((seat.x, seat.y), near) if near else 0.0)
        room = limit if found is None else min(limit, found.cost - cost)
        if room <= 0:
            continue
        hidden = tried.hidden(seat, room)
        if hidden < room:
            found = Found(seat.x, seat.y, cost + hidden, hidden, _moved(shape, seat))
    return found


def over_track(
    layout: Layout, shape: Sequence[Blob], track: Sequence[Blob], rest: Sequence[Blob], limit: float
) -> Found | None:
    """The seat anywhere on the hex that hides least track, where the overlap with the rest stays below `limit`."""
    found: Found | None = None
    least = math.inf
    on_rest, on_track = _Tried(layout, shape, rest), _Tried(layout, shape, track)
    for seat in ANYWHERE:
        room = limit + seat.penalty
        hidden = on_rest.hidden(seat, room)
        if hidden >= room:
            continue
        cost = seat.penalty + hidden
        whole = cost + on_track.overlap(seat, min(_ALL, least - cost))
        if whole < least:
            least, found = whole, Found(seat.x, seat.y, cost, hidden, _moved(shape, seat))
    return found


def _moved(shape: Sequence[Blob], seat: Seat) -> tuple[Blob, ...]:
    return tuple([(x + seat.x, y + seat.y, r) for x, y, r in shape])


def _ends(shape: Sequence[Blob]) -> list[Blob]:
    """The outermost discs of each row: if any reaches beyond the hex, one of them reaches farthest."""
    rows: dict[tuple[float, float], list[float]] = {}
    for x, y, r in shape:
        rows.setdefault((y, r), []).append(x)
    return [(x, y, r) for (y, r), xs in rows.items() for x in {min(xs), max(xs)}]


class _Tried:
    """A shape tried at seat after seat. Seats stand in rows: what is taken is looked through once for each row."""

    def __init__(self, layout: Layout, shape: Sequence[Blob], taken: Sequence[Blob]) -> None:
        self._layout: Layout = layout
        self._shape = shape
        self._ends = _ends(shape)
        self._taken = taken
        self._rows: dict[tuple[float, float], list[tuple[float, float, float, float]]] = {}

    def hidden(self, seat: Seat, enough: float) -> float:
        """What the shape covers here, and how far it reaches beyond the hex; stops looking at `enough`."""
        hidden = 8 * self._overhang(seat, enough / 8)
        return hidden if hidden >= enough else hidden + 30 * self.overlap(seat, (enough - hidden) / 30)

    def overlap(self, seat: Seat, enough: float) -> float:
        """Sum of the squared overlaps; stops counting at `enough`."""
        total = 0.0
        for sx, sy, r in self._shape:
            x, y = sx + seat.x, sy + seat.y
            row = self._rows.get((y, r))
            if row is None:
                row = self._rows[y, r] = self._row(y, r)
            for ox, down, reach, square in row:
                gap = (x - ox) * (x - ox) + down
                if gap < square:
                    total += (reach - math.sqrt(gap)) ** 2
                    if total >= enough:
                        return total
        return total

    def _overhang(self, seat: Seat, enough: float) -> float:
        """How far the shape reaches beyond the hex; stops looking at `enough`."""
        most = 0.0
        for x, y, r in self._ends:
            beyond = overhang(self._layout, x + seat.x, y + seat.y, r)
            if beyond > most:
                most = beyond
                if most >= enough:
                    break
        return most

    def _row(self, y: float, r: float) -> list[tuple[float, float, float, float]]:
        """Of each disc that one of this radius can meet at this height: x, distance squared, reach, reach squared."""
        return [
            (ox, down * down, reach, reach * reach)
            for ox, oy, other in self._taken
            if -(reach := r + other + AIR) < (down := y - oy) < reach
        ]
