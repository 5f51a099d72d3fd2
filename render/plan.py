"""Where the writing of a hex goes: coordinate, number, revenue, label, cost, chip and name, in that order."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, Literal

from engine.views import HexView, SlotView
from render.hexgrid import APOTHEM, Layout, corner, side_middle
from render.metrics import text_width
from render.place import Blob, Found, Seat, along, best, box, corner_seats
from render.scene import Point
from render.stop_art import city_blobs, town_blobs
from render.track import Place, line_of, places

TRACK_REACH: Final = 0.085
SPIKE_FROM: Final = 0.76
SPIKE_TIP: Final = 0.48
NAME: Final = 0.165
_NAME_LIMIT: Final = 0.055
"""Cost above which the name of a laid tile is left out: the tile shows more than the name."""
_SINGLE_LIMIT: Final = 0.30


@dataclass(frozen=True, slots=True)
class Spot:
    """A piece of writing: where, what, and how large its em or radius is, in hex sides."""

    x: float
    y: float
    text: str
    size: float = 0.0


@dataclass(frozen=True, slots=True)
class Plan:
    """All writing of one hex, in hex sides from its centre."""

    spots: tuple[Place, ...]
    coordinate: Point
    number: Point
    revenues: tuple[Spot, ...] = ()
    row: Point | None = None
    """Centre of the row of off-board values."""
    label: Spot | None = None
    cost: Spot | None = None
    cost_look: Literal["stacked", "beside"] = "stacked"
    chip: Spot | None = None
    name: Point | None = None
    name_lines: tuple[str, ...] = ()


def plan(layout: Layout, view: HexView, quiet: bool = False) -> Plan:
    """Places for everything written on a hex; `quiet` leaves out name and values (another hex of its area has them)."""
    blank = tuple(replace(s, slots=(SlotView("empty"),) * len(s.slots)) for s in view.stops)
    return _plan(layout, replace(view, coord="", x=0, y=0, stops=blank), quiet)


@lru_cache(maxsize=2048)
def _plan(layout: Layout, view: HexView, quiet: bool) -> Plan:
    spots = places(layout, tuple(stop.kind for stop in view.stops), view.pieces)
    desk = _Desk(layout, view, spots)
    coordinate, number = desk.corners()
    row = None if quiet else desk.row()
    revenues = () if quiet or row else desk.revenues()
    label = desk.word(view.label, 0.28) if view.label else None
    cost, look = desk.cost() if view.cost else (None, "stacked")
    chip = desk.chip(view.blocked_by) if view.blocked_by else None
    name, lines = desk.name() if view.name and not quiet else (None, ())
    return Plan(spots, coordinate, number, revenues, row, label, cost, look, chip, name, lines)


def name_lines(name: str) -> tuple[str, ...]:
    """A name on one line, or on two when it is longer than 12 letters, broken where the lines are most alike."""
    words = name.split()
    if len(name) <= 12 or len(words) == 1:
        return (name,)
    ways = [(" ".join(words[:i]), " ".join(words[i:])) for i in range(1, len(words))]
    return min(ways, key=lambda lines: max(text_width(line) for line in lines))


def chip_width(text: str) -> float:
    """Width of a private's chip, in hex sides."""
    return text_width(text) * 0.19 + 0.16


def row_widths(values: Sequence[int], current: int) -> tuple[float, ...]:
    """Widths of the boxes of an off-board row, in hex sides; the value that counts now is wider."""
    return tuple((0.145 * len(str(v)) + 0.05) * (1.3 if i == current else 1.0) for i, v in enumerate(values))


class _Desk:
    """Hands out seats on one hex, remembering what is taken."""

    def __init__(self, layout: Layout, view: HexView, spots: tuple[Place, ...]) -> None:
        self.layout: Layout = layout
        self.view = view
        self.spots = spots
        self.taken: list[Blob] = []
        self._track()
        for stop, spot in zip(view.stops, spots, strict=True):
            if spot.look == "city":
                self.taken.extend(city_blobs(spot, max(1, len(stop.slots))))
            elif spot.look != "area":
                self.taken.extend(town_blobs(spot))

    def _track(self) -> None:
        for a, b in self.view.pieces:
            if self.view.terminal:
                x, y = side_middle(self.layout, min(a, b))
                tip = SPIKE_TIP / APOTHEM
                self.taken.extend(along([(x, y), (x * tip, y * tip)], TRACK_REACH))
            else:
                self.taken.extend(along(line_of(self.layout, self.spots, a, b), TRACK_REACH))

    def take(self, seats: Sequence[Seat], shape: Sequence[Blob], near: Point | None = None) -> Found:
        found = best(self.layout, seats, shape, self.taken, near)
        self.taken.extend(found.blobs)
        return found

    def corners(self) -> tuple[Point, Point]:
        """Coordinate toward the upper left (flat) or top corner; number toward the opposite side."""
        crowded = any(len(stop.slots) >= 4 for stop in self.view.stops)
        flat = self.layout == "flat"
        x, y = corner(self.layout, 2)
        reach = 0.86 if crowded else 0.80
        at = (x * reach, y * reach) if flat else (0.0, -reach + 0.02)
        low = corner(self.layout, 5)
        number = (low[0] * 0.78, low[1] * 0.78)
        self.taken.extend(box(*at, 0.30, 0.15))
        if self.view.tile or self.view.colour in ("yellow", "gray"):
            self.taken.extend(box(*number, 0.22, 0.13))
        return at, number

    def revenues(self) -> tuple[Spot, ...]:
        """One disc per stop beside it; a single one when no seat is left and all agree."""
        stops = [
            (i, s)
            for i, s in enumerate(self.view.stops)
            if s.kind != "offboard" and _now(s.revenue, s.current)
        ]
        values = [_now(stop.revenue, stop.current) for _, stop in stops]
        same = len(set(values)) == 1
        before = list(self.taken)
        if not (same and len(values) >= 3):
            found, worst = self._discs(
                [(self.spots[i].point, v) for (i, _), v in zip(stops, values, strict=True)]
            )
            if not same or len(values) == 1 or worst <= _SINGLE_LIMIT:
                return found
        self.taken = before
        return self._discs([(None, values[0])])[0] if values else ()

    def _discs(self, wanted: Sequence[tuple[Point | None, int]]) -> tuple[tuple[Spot, ...], float]:
        seats = corner_seats(self.layout)
        spots: list[Spot] = []
        worst = 0.0
        for near, value in wanted:
            r = 0.185 if value < 100 else 0.205
            found = self.take(seats, [(0.0, 0.0, r)], near)
            worst = max(worst, found.cost)
            spots.append(Spot(found.x, found.y, str(value), r))
        return tuple(spots), worst

    def row(self) -> Point | None:
        """Centre of the row of values of a stop that has several, moved away from the spikes."""
        stop = next((s for s in self.view.stops if len(s.revenue) > 1), None)
        if stop is None:
            return None
        width = sum(row_widths(stop.revenue, stop.current))
        sides = {min(pair) for pair in self.view.pieces}
        mx = sum(side_middle(self.layout, e)[0] for e in sides)
        my = sum(side_middle(self.layout, e)[1] for e in sides)
        length = max(0.01, (mx * mx + my * my) ** 0.5)
        room = max(0.0, 0.90 - width / 2)
        x = max(-room, min(room, -0.15 * mx / length))
        y = -0.15 * my / length
        if any(stop.slots):
            y = 0.52 if my <= 0 else -0.52
        self.taken.extend(box(x, y, width, 0.42))
        return (x, y)

    def word(self, text: str, size: float) -> Spot:
        """A label."""
        shape = box(0.0, 0.0, text_width(text, "black") * size + 0.04, size * 0.8)
        found = self.take(corner_seats(self.layout), shape)
        return Spot(found.x, found.y, text, size)

    def cost(self) -> tuple[Spot, Literal["stacked", "beside"]]:
        """Terrain: icon over digits, or beside them where that fits better."""
        text = str(self.view.cost)
        digits = text_width(text) * 0.24
        stacked = [*box(0.0, 0.13, digits, 0.19), (0.0, -0.12, 0.13)]
        beside = [*box(0.16, 0.0, digits, 0.19), (-digits / 2 - 0.02, 0.0, 0.13)]
        seats = corner_seats(self.layout)
        one = best(self.layout, seats, stacked, self.taken)
        other = best(self.layout, seats, beside, self.taken)
        found = one if one.cost <= other.cost + 0.05 else other
        self.taken.extend(found.blobs)
        return Spot(found.x, found.y, text, 0.24), "stacked" if found is one else "beside"

    def chip(self, text: str) -> Spot:
        """The letters of the private that blocks the hex."""
        shape = box(0.0, 0.0, chip_width(text), 0.32)
        seats = [Seat(0.0, y, abs(y) / 10) for y in (0.0, -0.45, 0.45, -0.6, 0.6)]
        found = self.take([*seats, *corner_seats(self.layout)], shape)
        return Spot(found.x, found.y, text, 0.19)

    def name(self) -> tuple[Point | None, tuple[str, ...]]:
        """The name, unless it would cover a laid tile."""
        lines = name_lines(self.view.name)
        width = max(text_width(line) for line in lines) * NAME + 0.1
        shape: list[Blob] = []
        for i in range(len(lines)):
            shape.extend(box(0.0, (i - (len(lines) - 1) / 2) * 0.19, width, 0.2))
        tries = (0.40, 0.48, 0.56, 0.62, -0.40, -0.48, -0.56, -0.62, 0.0)
        seats = [Seat(x, y, abs(x) / 8) for y in tries for x in (0.0, -0.12, 0.12, -0.25, 0.25)]
        found = best(self.layout, seats, shape, self.taken)
        if self.view.tile is not None and found.cost > _NAME_LIMIT:
            return None, ()
        self.taken.extend(found.blobs)
        return (found.x, found.y), lines


def _now(revenue: tuple[int, ...], current: int) -> int:
    return revenue[min(current, len(revenue) - 1)]
