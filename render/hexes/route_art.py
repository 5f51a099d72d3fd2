"""Routes over the track of a hex: coloured strands, rings at counted stops, the train's name at the start."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from engine import topology
from engine.views import HexView
from render.hexes.hex_geometry import APOTHEM, Layout, Line, edges_of, outward
from render.hexes.labels import SPIKE_TIP, LabelPlan, row_widths
from render.hexes.stop_art import CASING, RIM, slot_centres, slot_radius
from render.scene import Colour, Disc, Item, Point, Polyline, RoundedBox, Text
from render.theme import BLACK, WHITE, Theme

_LANE: Final = 0.115
_CORES: Final = ((), (0.14, 0.10), (0.05, 0.10))


@dataclass(frozen=True, slots=True)
class Strand:
    """One route on one piece of track: `lane` of `lanes`, `a` to `b` in travelling direction of the first route."""

    a: topology.End
    b: topology.End
    route: int
    lane: int
    lanes: int


@dataclass(frozen=True, slots=True)
class Ring:
    """A ring around a stop counted by a route; `depth` rings lie inside it."""

    stop: int
    route: int
    depth: int


@dataclass(frozen=True, slots=True)
class RouteStart:
    """The start of a route: the piece from end `a`, and the train's name."""

    a: topology.End
    b: topology.End
    route: int
    train: str


def strands(
    items: Sequence[Strand], lines: Mapping[tuple[topology.End, topology.End], Line], theme: Theme
) -> Iterator[Item]:
    """Coloured lines over the track, side by side on one piece; where two cross, the later cuts the other."""
    for route in sorted({strand.route for strand in items}):
        mine = [(s, _shifted(s, _line(lines, s.a, s.b))) for s in items if s.route == route]
        for strand, line in mine:
            yield Polyline(line, BLACK, _width(strand) + 0.05)
        core = _CORES[route // len(theme.lines) % len(_CORES)]
        for strand, line in mine:
            yield Polyline(line, theme.line(route), _width(strand))
            for dash in dashes(line, *core) if core else ():
                yield Polyline(dash, WHITE, _width(strand) * 0.45)


def _width(strand: Strand) -> float:
    return 0.13 if strand.lanes == 1 else 0.095


def _line(lines: Mapping[tuple[topology.End, topology.End], Line], a: topology.End, b: topology.End) -> Line:
    if (a, b) in lines:
        return lines[(a, b)]
    if (b, a) in lines:
        return lines[(b, a)][::-1]
    raise ValueError(f"a route uses track {a}-{b}, which is not on the hex")


def _shifted(strand: Strand, line: Line) -> Line:
    """The line moved aside to its place among parallel ones, seen in the direction from `a` to `b`."""
    if strand.lanes == 1:
        return line
    aside = (strand.lane - (strand.lanes - 1) / 2) * _LANE
    moved: list[Point] = []
    for i, (x, y) in enumerate(line):
        x0, y0 = line[max(0, i - 1)]
        x1, y1 = line[min(len(line) - 1, i + 1)]
        by = aside / (math.dist((x0, y0), (x1, y1)) or 1.0)
        moved.append((x - (y1 - y0) * by, y + (x1 - x0) * by))
    return tuple(moved)


def dashes(line: Line, on: float, off: float) -> Iterator[Line]:
    """The parts of a dashed line."""
    done, dash = 0.0, [line[0]]
    drawing = True
    for (x0, y0), (x1, y1) in pairwise(line):
        length = math.dist((x0, y0), (x1, y1))
        at = 0.0
        while at < length:
            step = min(length - at, (on if drawing else off) - done)
            at, done = at + step, done + step
            here = (x0 + (x1 - x0) * at / length, y0 + (y1 - y0) * at / length)
            if drawing:
                dash.append(here)
            if done >= (on if drawing else off) - 1e-9:
                if drawing:
                    yield tuple(dash)
                drawing, done, dash = not drawing, 0.0, [here]
    if drawing and len(dash) > 1:
        yield tuple(dash)


def rings(
    items: Sequence[Ring], view: HexView, plan: LabelPlan, layout: Layout, theme: Theme
) -> Iterator[Item]:
    """A ring in the route's colour round every counted stop."""
    for ring in items:
        spot, stop = plan.spots[ring.stop], view.stops[ring.stop]
        out = ring.depth * 0.075
        if spot.look == "city":
            slots = max(1, len(stop.slots))
            r = slot_radius(slots) + RIM + CASING + out
            yield from _rim(slot_centres(spot, slots), r, theme.line(ring.route))
        elif spot.look == "area":
            yield from _area_ring(ring, view, plan, layout, theme.line(ring.route))
        else:
            yield from _rim(((spot.x, spot.y),), 0.19 + out, theme.line(ring.route))


def _rim(centres: Sequence[Point], radius: float, colour: Colour) -> Iterator[Item]:
    """The outline of a rounded shape: arcs round its hull, drawn as one closed line."""
    line = _hull(centres, radius + 0.03)
    yield Polyline(line, BLACK, 0.085, closed=True)
    yield Polyline(line, colour, 0.055, closed=True)


def _hull(centres: Sequence[Point], radius: float) -> Line:
    hull: list[Point] = []
    for i in range(120):
        t = 2 * math.pi * i / 120
        ux, uy = math.cos(t), math.sin(t)
        x, y = max(centres, key=lambda c: c[0] * ux + c[1] * uy)
        hull.append((x + radius * ux, y + radius * uy))
    return tuple(hull)


def _area_ring(ring: Ring, view: HexView, plan: LabelPlan, layout: Layout, colour: Colour) -> Iterator[Item]:
    stop = view.stops[ring.stop]
    out = ring.depth * 0.075
    if plan.row is not None:
        x, y, scale = plan.row.x, plan.row.y, plan.row.scale
        half = sum(row_widths(stop.revenue, stop.current)) * scale / 2 + 0.05 + out
        tall = 0.20 * scale + 0.05 + out
        yield RoundedBox(x - half, y - tall, x + half, y + tall, 0.08, None, BLACK, 0.085)
        half, tall = half - 0.015, tall - 0.015
        yield RoundedBox(x - half, y - tall, x + half, y + tall, 0.08, None, colour, 0.055)
        return
    for side in edges_of(view.pieces, ring.stop):
        x, y = outward(layout, side)
        yield Disc(x * SPIKE_TIP, y * SPIKE_TIP, 0.10 + out, None, colour, 0.05)


def starts(
    items: Sequence[RouteStart], lines: Mapping[tuple[topology.End, topology.End], Line], theme: Theme
) -> Iterator[Item]:
    """A white disc with the train's name where a route starts."""
    for start in items:
        line = _line(lines, start.a, start.b)
        x, y = _outside(line)
        yield Disc(x, y, 0.145, WHITE, theme.line(start.route), 0.035)
        yield Text(x, y, start.train, 0.18 if len(start.train) < 3 else 0.12, BLACK, "black")


def _outside(line: Line) -> Point:
    """The point of a line where the train's disc just fits inside the hex, clear of tokens."""
    goal = APOTHEM - 0.165
    for (x0, y0), (x1, y1) in pairwise(line):
        near, far = math.hypot(x0, y0), math.hypot(x1, y1)
        if near < goal <= far:
            share = (goal - near) / (far - near)
            return (x0 + (x1 - x0) * share, y0 + (y1 - y0) * share)
    return line[-1]
