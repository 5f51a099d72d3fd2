"""Geometry of hexes: sides, corners, neighbours and pixels; and the curves of track, its layers, and where stops sit.

Lengths are in hex sides from the hex's centre. Side `e` (0-5, clockwise) is S on a flat map and SW on a pointy one;
corner `k` lies between sides `k` and `k + 1`.
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
"""Centre to side, in hex sides."""

NEIGHBOURS: Final[dict[Layout, tuple[tuple[int, int], ...]]] = {
    "flat": ((0, 2), (-1, 1), (-1, -1), (0, -2), (1, -1), (1, 1)),
    "pointy": ((-1, 1), (-2, 0), (-1, -1), (1, -1), (2, 0), (1, 1)),
}
"""Step in doubled coordinates over each side."""


def outward(layout: Layout, side: float) -> Point:
    """Unit vector from the centre over the middle of a side (a fraction points between sides)."""
    angle = math.radians(60 * side + (0 if layout == "flat" else 30))
    return (-math.sin(angle), math.cos(angle))


@lru_cache(maxsize=32)
def side_middle(layout: Layout, side: int) -> Point:
    """Middle of a side, from the hex's centre, in hex sides."""
    x, y = outward(layout, side)
    return (APOTHEM * x, APOTHEM * y)


@lru_cache(maxsize=32)
def corner(layout: Layout, number: int) -> Point:
    """Corner between sides `number` and `number + 1`, from the hex's centre, in hex sides."""
    return outward(layout, number + 0.5)


@lru_cache(maxsize=32)
def outline(layout: Layout, inset: float = 0.0) -> tuple[Point, ...]:
    """The six corners, the sides moved in by `inset`, in hex sides."""
    share = 1 - inset / APOTHEM
    return tuple((x * share, y * share) for x, y in (corner(layout, k) for k in range(6)))


def overhang(layout: Layout, x: float, y: float, radius: float) -> float:
    """Distance by which a disc exceeds the hex, in hex sides; 0 inside."""
    # Asked thousands of times for a hex: calling `abs` would take twice as long.
    across, along = (x, y) if layout == "flat" else (y, x)
    across, along = across if across > 0 else -across, along if along > 0 else -along
    slanted = APOTHEM * across + 0.5 * along
    beyond = (slanted if slanted > along else along) + radius - APOTHEM
    return beyond if beyond > 0 else 0.0


def half_width(layout: Layout, y: float, radius: float) -> float:
    """The farthest distance from the middle for a disc at this height within the hex; negative: none."""
    room, y = APOTHEM - radius, abs(y)
    if layout == "flat":
        return (room - 0.5 * y) / APOTHEM if y < room else -1.0
    return min(room, 2 * (room - APOTHEM * y))


@dataclass(frozen=True)
class HexGrid:
    """Hexes of side `radius` pixels (even), stretched under 1 % so that all centres are whole pixels."""

    layout: Layout
    radius: int

    @cached_property
    def step(self) -> tuple[int, int]:
        """Pixels per step of the doubled coordinates."""
        long, short = round(1.5 * self.radius), round(APOTHEM * self.radius)
        return (long, short) if self.layout == "flat" else (short, long)

    def centre(self, x: int, y: int) -> tuple[int, int]:
        """Centre in pixels of the hex with these doubled coordinates, the origin being hex (0, 0)."""
        return (x * self.step[0], y * self.step[1])

    @cached_property
    def half(self) -> tuple[int, int]:
        """Half width and half height of a hex in pixels."""
        short = round(APOTHEM * self.radius)
        return (self.radius, short) if self.layout == "flat" else (short, self.radius)

    def frame(self, x: float, y: float) -> Frame:
        """The frame that scales one hex's art to pixels around this centre."""
        exact = APOTHEM * self.radius
        squeeze = round(exact) / exact
        flat = self.layout == "flat"
        return Frame(x, y, self.radius, 1.0 if flat else squeeze, squeeze if flat else 1.0)


Line: TypeAlias = tuple[Point, ...]
Pieces: TypeAlias = tuple[tuple[topology.End, topology.End], ...]

OVERSHOOT: Final = 0.02
"""Length of track over the side, so that hexes join without a seam."""
CITY_REACH: Final = 0.5
"""Distance from the centre of a city that shares its hex."""
_STACK: Final = (0.2, 0.31)
"""Distance to the side and up or down of a city that shares its hex with another one as wide."""
LOOSE_TOWNS: Final = ((-0.36, 0.12), (0.36, -0.12))
_TURN: Final = 3.0
_BARS_APART: Final = 0.5


@dataclass(frozen=True, slots=True)
class StopPlace:
    """The position of a stop; a bar lies across its track, `angle` in radians."""

    x: float
    y: float
    look: Literal["city", "bar", "dot", "area"]
    angle: float = 0.0
    through: tuple[int, int] | None = None
    """The two sides of the track a bar lies on."""

    @property
    def point(self) -> Point:
        """The stop's centre."""
        return (self.x, self.y)


def edges_of(pieces: Pieces, stop: int) -> tuple[int, ...]:
    """Sides joined directly to this stop, in order."""
    mine = topology.FIRST_STOP + stop
    return tuple(sorted(e for pair in pieces if mine in pair for e in pair if topology.is_edge(e)))


@lru_cache(maxsize=256)
def edge_to_edge(layout: Layout, one: int, other: int) -> Line:
    """Track from side to side: straight, gentle or sharp."""
    apart = (other - one) % 6
    first, last = side_middle(layout, one), side_middle(layout, other)
    if apart == 3:
        return (_side_middle(layout, one), (0.0, 0.0), _side_middle(layout, other))
    low = one if apart < 3 else other
    if apart in (1, 5):
        centre = corner(layout, low)
    else:
        centre = side_middle(layout, (low + 1) % 6)
        centre = (2 * centre[0], 2 * centre[1])
    return (_side_middle(layout, one), *_arc(centre, first, last), _side_middle(layout, other))


def _side_middle(layout: Layout, side: int) -> Point:
    x, y = outward(layout, side)
    return (x * (APOTHEM + OVERSHOOT), y * (APOTHEM + OVERSHOOT))


def _arc(centre: Point, first: Point, last: Point) -> list[Point]:
    cx, cy = centre
    radius = math.dist(centre, first)
    start = math.atan2(first[1] - cy, first[0] - cx)
    turn = math.atan2(last[1] - cy, last[0] - cx) - start
    turn = (turn + math.pi) % (2 * math.pi) - math.pi
    steps = math.ceil(abs(math.degrees(turn)) / _TURN - 1e-6)
    angles = (start + turn * i / steps for i in range(steps + 1))
    return [(cx + radius * math.cos(t), cy + radius * math.sin(t)) for t in angles]


@lru_cache(maxsize=1024)
def edge_to_point(layout: Layout, side: int, goal: Point) -> Line:
    """Track that leaves the side square to it and ends in a stop at `goal`."""
    x, y = side_middle(layout, side)
    inward = math.atan2(-y, -x)
    chord = math.dist((x, y), goal)
    bend = math.atan2(goal[1] - y, goal[0] - x) - inward
    bend = (bend + math.pi) % (2 * math.pi) - math.pi
    if abs(bend) < math.radians(2):
        return (_side_middle(layout, side), goal)
    radius = chord / (2 * math.sin(bend))
    steps = max(2, math.ceil(abs(math.degrees(2 * bend)) / _TURN))
    points = [_side_middle(layout, side), (x, y)]
    for i in range(1, steps + 1):
        turn = bend * i / steps
        reach = 2 * radius * math.sin(turn)
        points.append((x + reach * math.cos(inward + turn), y + reach * math.sin(inward + turn)))
    return tuple(points)


@lru_cache(maxsize=1024)
def stop_places(
    layout: Layout, kinds: tuple[topology.StopKind, ...], pieces: Pieces
) -> tuple[StopPlace, ...]:
    """The position of every stop of a hex."""
    places: dict[int, StopPlace] = {}
    loose: list[int] = []
    for i, kind in enumerate(kinds):
        edges = edges_of(pieces, i)
        if kind == "offboard":
            places[i] = StopPlace(0.0, 0.0, "area")
        elif kind == "town" and len(edges) == 2 and not _joined_inside(pieces, i):
            places[i] = _bar(layout, edges[0], edges[1])
        else:
            loose.append(i)
    if len(loose) == 1 and not places:
        only = loose[0]
        return (StopPlace(0.0, 0.0, "city" if kinds[only] == "city" else "dot"),)
    if len(loose) == 2 and not pieces and all(kinds[i] == "town" for i in loose):
        return tuple(StopPlace(x, y, "dot") for x, y in LOOSE_TOWNS)
    _part_bars(layout, places)
    places.update(_separate_stops(layout, kinds, pieces, loose))
    return tuple(places[i] for i in range(len(kinds)))


def stacked(one: StopPlace, other: StopPlace) -> tuple[StopPlace, StopPlace]:
    """Two cities with two spaces each, one above the other."""
    across, up = _STACK
    sides = [place.x if abs(place.x) > 0.05 else one.x + other.x for place in (one, other)]
    first, second = (max(-across, min(across, x)) for x in sides)
    if (one.y, one.x) > (other.y, other.x):
        up = -up
    return replace(one, x=first, y=-up), replace(other, x=second, y=up)


def _part_bars(layout: Layout, found: dict[int, StopPlace]) -> None:
    """Two bars whose tracks cross near both middles move along their tracks until they stand apart."""
    bars = [i for i, place in found.items() if place.look == "bar"]
    if len(bars) != 2 or math.dist(found[bars[0]].point, found[bars[1]].point) >= _BARS_APART:
        return
    ways = [
        [_bar_at(layout, found[i], share) for share in (0.5, 0.36, 0.64, 0.3, 0.7, 0.24, 0.76)] for i in bars
    ]
    pairs = [(i, j) for i in range(7) for j in range(7)]
    apart = [(i, j) for i, j in pairs if math.dist(ways[0][i].point, ways[1][j].point) >= _BARS_APART]
    best = min(apart or pairs, key=lambda pair: (max(pair), sum(pair)))
    found[bars[0]], found[bars[1]] = ways[0][best[0]], ways[1][best[1]]


def _bar_at(layout: Layout, bar: StopPlace, share: float) -> StopPlace:
    """The bar moved to this share of its track, square to it."""
    if bar.through is None or share == 0.5:
        return bar
    line = _even(edge_to_edge(layout, *bar.through))
    at = round(share * (len(line) - 1))
    (x0, y0), (x1, y1) = line[at - 1], line[at + 1]
    return StopPlace(*line[at], "bar", math.atan2(x0 - x1, y1 - y0), bar.through)


def _even(line: Line, parts: int = 40) -> Line:
    """The line as points at equal distances."""
    lengths = [math.dist(p, q) for p, q in pairwise(line)]
    whole = sum(lengths)
    points: list[Point] = []
    at, done = 0, 0.0
    for i in range(parts + 1):
        goal = whole * i / parts
        while at < len(lengths) - 1 and done + lengths[at] < goal:
            done += lengths[at]
            at += 1
        (x0, y0), (x1, y1) = line[at], line[at + 1]
        share = (goal - done) / lengths[at]
        points.append((x0 + (x1 - x0) * share, y0 + (y1 - y0) * share))
    return tuple(points)


def _joined_inside(pieces: Pieces, stop: int) -> bool:
    return any(
        topology.FIRST_STOP + stop in pair and not any(topology.is_edge(end) for end in pair)
        for pair in pieces
    )


def _bar(layout: Layout, one: int, other: int) -> StopPlace:
    x, y = line_middle(edge_to_edge(layout, one, other))
    across = outward(layout, one + 1.5) if (other - one) % 6 == 3 else (x, y)
    return StopPlace(x, y, "bar", math.atan2(across[1], across[0]), (one, other))


def line_middle(line: Line) -> Point:
    """The point halfway along a line."""
    half, odd = divmod(len(line), 2)
    if odd:
        return line[half]
    (x0, y0), (x1, y1) = line[half - 1], line[half]
    return ((x0 + x1) / 2, (y0 + y1) / 2)


def _separate_stops(
    layout: Layout, kinds: Sequence[topology.StopKind], pieces: Pieces, loose: list[int]
) -> dict[int, StopPlace]:
    """Several stops: each out on a side of its own, the least used, at least 120 degrees from the others."""
    use = [0.0] * 6
    for pair in pieces:
        for end in pair:
            if topology.is_edge(end):
                for at, weight in ((end, 1.0), (end + 1, 0.1), (end - 1, 0.1)):
                    use[at % 6] += weight
    use[0] += 0.05  # the name goes below
    taken: list[float] = []
    places: dict[int, StopPlace] = {}
    for i in sorted(loose, key=lambda stop: (-len(edges_of(pieces, stop)), stop)):
        side = _seat_side(edges_of(pieces, i), use, taken)
        taken.append(side)
        x, y = outward(layout, side)
        look: Literal["city", "dot"] = "city" if kinds[i] == "city" else "dot"
        places[i] = StopPlace(x * CITY_REACH, y * CITY_REACH, look)
    return places


def _seat_side(edges: tuple[int, ...], use: list[float], taken: list[float]) -> float:
    """The side (a half: a corner) for a stop with these edges."""

    def room(side: float) -> float:
        return min((min((side - t) % 6, (t - side) % 6) for t in taken), default=6.0)

    if len(edges) == 2 and (edges[1] - edges[0]) % 6 in (1, 5):
        between_sides = edges[0] + 0.5 if edges[1] - edges[0] == 1 else edges[1] + 0.5
        if room(between_sides) >= 1.5:
            return between_sides
    own = [float(e) for e in edges if room(e) >= 2] or [float(e) for e in range(6) if room(e) >= 2]
    own = own or [float(e) for e in range(6)]
    return min(own, key=lambda side: (use[int(side)], -room(side), side))


def line_of(layout: Layout, spots: tuple[StopPlace, ...], a: topology.End, b: topology.End) -> Line:
    """The track of one piece, from end `a` to end `b`."""
    if topology.is_edge(a) and topology.is_edge(b):
        return edge_to_edge(layout, a, b)
    if not topology.is_edge(a) and not topology.is_edge(b):
        return (spots[a - topology.FIRST_STOP].point, spots[b - topology.FIRST_STOP].point)
    if not topology.is_edge(a):
        return line_of(layout, spots, b, a)[::-1]
    spot = spots[b - topology.FIRST_STOP]
    if spot.through is None:
        return edge_to_point(layout, a, spot.point)
    far = spot.through[1] if spot.through[0] == a else spot.through[0]
    whole = edge_to_edge(layout, a, far)
    nearest = min(range(len(whole)), key=lambda i: math.dist(whole[i], spot.point))
    if len(whole) == 3:  # a straight has no points of its own between its ends
        return (whole[0], spot.point)
    return (*whole[:nearest], spot.point)


@lru_cache(maxsize=1024)
def layers(pieces: Pieces, rotation: int) -> tuple[Pieces, ...]:
    """Pieces grouped into layers, lowest first: those that share a side or a stop are in one layer.

    The order goes by the unrotated sides: turning a tile never changes it.
    """
    groups: list[list[tuple[topology.End, topology.End]]] = []
    for piece in pieces:
        touching = [g for g in groups if any(set(piece) & set(other) for other in g)]
        merged = [piece, *(other for g in touching for other in g)]
        groups = [g for g in groups if g not in touching] + [merged]

    def lowest(group: list[tuple[topology.End, topology.End]]) -> int:
        sides = (end for pair in group for end in pair if topology.is_edge(end))
        return min(((side - rotation) % 6 for side in sides), default=-1)

    return tuple(tuple(group) for group in sorted(groups, key=lowest))
