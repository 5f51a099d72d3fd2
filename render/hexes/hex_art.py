"""A whole hex as drawing, in hex sides from its centre, in one paint order."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple, Self, TypeAlias

from engine.core.topology import FIRST_STOP, End
from engine.tell.views import HexView
from render.hexes import label_art, route_art, stop_art
from render.hexes.hexgrid import APOTHEM, Layout, corner, outline, outward, side_middle
from render.hexes.plan import plan
from render.hexes.track_art import Line, Place, layers, line_of
from render.hexes.writing import SPIKE_FROM, SPIKE_TIP
from render.scene import Colour, Item, Point, Polygon, Polyline
from render.theme import (
    BARRIER,
    BLACK,
    HIGHLIGHT,
    LINE,
    WATER,
    WHITE,
    Theme,
    ink_on,
    mix,
    theme_named,
)

TRACK: Final = 0.12
CASING: Final = 0.025

Lit: TypeAlias = int
"""A side whose neighbour was laid in the turn just played; SELF is the hex itself."""
SELF: Final = -1


@dataclass(frozen=True, slots=True)
class Overlay:
    """What lies over a hex: the last move, routes, and whether another hex speaks for it."""

    lit: tuple[Lit, ...] = ()
    fresh_slots: tuple[tuple[int, int], ...] = ()
    strands: tuple[route_art.Strand, ...] = ()
    rings: tuple[route_art.Ring, ...] = ()
    starts: tuple[route_art.Start, ...] = ()
    quiet: bool = False
    """Another hex of the same area shows its name and values."""
    large: bool = False
    """Close-up: larger coordinates."""
    steps: tuple[str, ...] = ()
    """Names of the revenue steps; a tile colour paints its values."""


@lru_cache(maxsize=3072)
def hex_items(view: HexView, layout: Layout, theme_name: str, overlay: Overlay) -> tuple[Item, ...]:
    """The drawing of a hex; the caller cuts it to the hex."""
    theme = theme_named(theme_name)
    where = plan(layout, view, overlay.quiet)
    lines = _lines(layout, view, where.spots)
    items: list[Item] = list(ground_items(Ground.of(view, layout, theme)))
    items.extend(_highlight(layout, overlay.lit))
    items.extend(_track(view, theme, lines))
    items.extend(route_art.strands(overlay.strands, lines, theme))
    items.extend(_stops(view, theme, where.spots, overlay))
    items.extend(route_art.rings(overlay.rings, view, where, layout, theme))
    items.extend(label_art.writing(view, theme, where, overlay.large, overlay.steps))
    items.extend(route_art.starts(overlay.starts, lines, theme))
    return tuple(items)


def void_items(
    layout: Layout, theme_name: str, sides: tuple[int, ...], lit: tuple[Lit, ...]
) -> tuple[Item, ...]:
    """A place beside the map: the outer half of its neighbours' borders and of the last move's outline."""
    theme = theme_named(theme_name)
    corners = outline(layout)
    borders = (Polyline((corners[side - 1], corners[side]), theme.hairline, 0.02) for side in sides)
    return (Polygon(outline(layout, -0.03), theme.page), *borders, *_highlight(layout, lit))


def _lines(layout: Layout, view: HexView, spots: tuple[Place, ...]) -> dict[tuple[End, End], Line]:
    if not view.terminal:
        return {(a, b): line_of(layout, spots, a, b) for a, b in view.pieces}
    found: dict[tuple[End, End], Line] = {}
    for a, b in view.pieces:
        x, y = outward(layout, min(a, b))
        tip = _tip(view, max(a, b))
        line = ((x * (APOTHEM + 0.02), y * (APOTHEM + 0.02)), (x * tip, y * tip))
        found[(a, b)] = line if a < b else line[::-1]
    return found


def _tip(view: HexView, end: End) -> float:
    """How near the centre a spike ends: at the rim of a city, else its own length."""
    stop = view.stops[end - FIRST_STOP] if FIRST_STOP <= end < FIRST_STOP + len(view.stops) else None
    return 0.27 if stop is not None and stop.slots else SPIKE_TIP


class Ground(NamedTuple):
    """All that decides how the ground of a hex and its borders are drawn."""

    layout: Layout
    hairline: Colour
    colour: Colour
    blocked: bool
    tile: bool
    joined: tuple[int, ...]
    frontier: tuple[int, ...]
    river: tuple[int, ...]
    impassable: tuple[int, ...]

    @classmethod
    def of(cls, view: HexView, layout: Layout, theme: Theme) -> Self:
        """That of a hex."""
        return cls(
            layout,
            theme.hairline,
            theme.ground(view.colour),
            bool(view.blocked_by),
            view.tile is not None,
            view.joined,
            view.frontier,
            view.river,
            view.impassable,
        )


@lru_cache(maxsize=512)
def ground_items(of: Ground) -> tuple[Item, ...]:
    """What a drawing of a hex begins with: its colour and its borders."""
    return (Polygon(outline(of.layout, -0.03), of.colour), *_borders(of))


def _borders(of: Ground) -> Iterator[Item]:
    ground = of.colour
    if of.blocked:
        hatch = mix(ground, ink_on(ground), 0.1)
        for i in range(-14, 15):
            yield Polyline(((i * 0.17 - 1, -1.0), (i * 0.17 + 1, 1.0)), hatch, 0.045)
    corners = outline(of.layout)
    for side in range(6):
        if side not in of.joined:
            # A hair more than the half that belongs to this hex: sprites meet in the middle of the line.
            yield Polyline((corners[side - 1], corners[side]), of.hairline, 0.02)
    if of.tile:
        yield Polyline(outline(of.layout, 0.017), LINE, 0.034, closed=True)
    for side in of.frontier:
        yield Polyline((corners[side - 1], corners[side]), mix(ground, ink_on(ground), 0.45), 0.07)
    for side in of.river:
        yield Polyline((corners[side - 1], corners[side]), WATER, 0.16)
    for side in of.impassable:
        yield from _barrier(corners[side - 1], corners[side])


def _barrier(one: Point, other: Point) -> Iterator[Item]:
    def at(share: float) -> Point:
        return (one[0] + (other[0] - one[0]) * share, one[1] + (other[1] - one[1]) * share)

    yield Polyline((at(0.04), at(0.96)), WHITE, 0.155)
    yield Polyline((at(0.06), at(0.94)), BARRIER, 0.105)
    dx, dy = (other[1] - one[1]) * 0.06, (one[0] - other[0]) * 0.06
    for i in range(1, 5):
        x, y = at(i / 5)
        yield Polyline(((x - dx, y - dy), (x + dx, y + dy)), WHITE, 0.035)


def _highlight(layout: Layout, lit: tuple[Lit, ...]) -> Iterator[Item]:
    for colour, width in ((WHITE, 0.13), (HIGHLIGHT, 0.075)):
        for side in lit:
            x, y = (0.0, 0.0) if side == SELF else side_middle(layout, side)
            ring = tuple((px + 2 * x, py + 2 * y) for px, py in (corner(layout, k) for k in range(6)))
            yield Polyline(ring, colour, width, closed=True)


def _track(view: HexView, theme: Theme, lines: dict[tuple[End, End], Line]) -> Iterator[Item]:
    if view.terminal:
        for line in lines.values():
            yield from _spike(line, theme.casing)
        return
    for layer in layers(view.pieces, view.rotation) if view.pieces else ():
        for colour, width in ((theme.casing, TRACK + 2 * CASING), (BLACK, TRACK)):
            for piece in layer:
                yield Polyline(lines[piece], colour, width)


def _spike(line: Line, casing: Colour) -> Iterator[Item]:
    (x0, y0), (x1, y1) = sorted(line, key=lambda p: -(p[0] * p[0] + p[1] * p[1]))
    length = (x0 * x0 + y0 * y0) ** 0.5
    ux, uy = x0 / length, y0 / length
    tip = max(0.0, x1 * ux + y1 * uy)
    shoulder = max(SPIKE_FROM, tip + 0.1)
    for colour, more in ((casing, CASING), (BLACK, 0.0)):
        half = 0.085 + more
        sharp = max(0.0, tip - 2.5 * more)
        yield Polygon(
            (
                (x0 - uy * half, y0 + ux * half),
                (ux * shoulder - uy * half, uy * shoulder + ux * half),
                (ux * sharp, uy * sharp),
                (ux * shoulder + uy * half, uy * shoulder - ux * half),
                (x0 + uy * half, y0 - ux * half),
            ),
            colour,
        )


def _stops(view: HexView, theme: Theme, spots: tuple[Place, ...], overlay: Overlay) -> Iterator[Item]:
    for i, (stop, spot) in enumerate(zip(view.stops, spots, strict=True)):
        if spot.look == "city":
            fresh = [slot for at, slot in overlay.fresh_slots if at == i]
            yield from stop_art.city(spot, stop, theme, fresh)
        elif spot.look != "area":
            yield from stop_art.town(spot, theme)
