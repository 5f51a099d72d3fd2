"""A whole hex with its writing as drawing, in hex sides from its centre, in one paint order."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple, Self, TypeAlias

from engine import topology
from engine.views import HexView, StopView
from render.font_metrics import CAP_HEIGHT, text_width
from render.hexes import route_art, stop_art
from render.hexes.hex_geometry import (
    APOTHEM,
    Layout,
    Line,
    StopPlace,
    corner,
    layers,
    line_of,
    outline,
    outward,
    side_middle,
)
from render.hexes.label_plan import label_plan
from render.hexes.labels import (
    HALO,
    LEADING,
    SIGN,
    SPIKE_FROM,
    SPIKE_TIP,
    Label,
    LabelPlan,
    NameLabel,
    ValueRow,
    chip_width,
    plate,
    value_boxes,
)
from render.hexes.mark_art import mark_items
from render.scene import Colour, Disc, Item, Point, Polygon, Polyline, RoundedBox, Text
from render.theme import (
    BARRIER,
    BLACK,
    HIGHLIGHT,
    LINE,
    MOUNTAIN,
    RIM,
    SWAMP,
    WATER,
    WHITE,
    Theme,
    ink_on,
    mix,
    theme_named,
)

TRACK: Final = 0.12
CASING: Final = 0.025
PIPS: Final = {"yellow": 1, "green": 2, "brown": 3, "gray": 4}
Lit: TypeAlias = int
"""A side whose neighbour was laid in the turn just played; SELF is the hex itself."""
SELF: Final = -1


@dataclass(frozen=True, slots=True)
class Overlay:
    """Drawn over a hex: highlights of the last move, routes, and `quiet` if another hex has the label."""

    lit: tuple[Lit, ...] = ()
    fresh_slots: tuple[tuple[int, int], ...] = ()
    strands: tuple[route_art.Strand, ...] = ()
    rings: tuple[route_art.Ring, ...] = ()
    starts: tuple[route_art.RouteStart, ...] = ()
    quiet: bool = False
    """Another hex of the same area shows its name and values."""
    large: bool = False
    """Close-up: larger coordinates."""
    steps: tuple[str, ...] = ()
    """Names of the revenue steps; a tile colour paints its values."""


@lru_cache(maxsize=3072)
def hex_items(view: HexView, layout: Layout, theme_name: str, overlay: Overlay) -> tuple[Item, ...]:
    """The items of a hex, not yet clipped to it."""
    theme = theme_named(theme_name)
    where = label_plan(layout, view, overlay.quiet)
    lines = _lines(layout, view, where.spots)
    items: list[Item] = list(ground_items(HexGround.of(view, layout, theme)))
    items.extend(_highlight(layout, overlay.lit))
    items.extend(_track(view, theme, lines))
    items.extend(route_art.strands(overlay.strands, lines, theme))
    items.extend(_stops(view, theme, where.spots, overlay))
    items.extend(route_art.rings(overlay.rings, view, where, layout, theme))
    items.extend(label_items(view, theme, where, overlay.large, overlay.steps))
    items.extend(route_art.starts(overlay.starts, lines, theme))
    return tuple(items)


def void_items(
    layout: Layout, theme_name: str, sides: tuple[int, ...], lit: tuple[Lit, ...]
) -> tuple[Item, ...]:
    """Items of a place beside the map: halves of its neighbours' borders and highlights."""
    theme = theme_named(theme_name)
    corners = outline(layout)
    borders = (Polyline((corners[side - 1], corners[side]), theme.hairline, 0.02) for side in sides)
    return (Polygon(outline(layout, -0.03), theme.page), *borders, *_highlight(layout, lit))


class HexGround(NamedTuple):
    """Everything that decides the drawing of a hex's ground and borders."""

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
        """The ground of a hex."""
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
def ground_items(ground: HexGround) -> tuple[Item, ...]:
    """The first items of a hex: its colour and its borders."""
    return (Polygon(outline(ground.layout, -0.03), ground.colour), *_borders(ground))


def _borders(of: HexGround) -> Iterator[Item]:
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


def _lines(
    layout: Layout, view: HexView, spots: tuple[StopPlace, ...]
) -> dict[tuple[topology.End, topology.End], Line]:
    if not view.terminal:
        return {(a, b): line_of(layout, spots, a, b) for a, b in view.pieces}
    lines: dict[tuple[topology.End, topology.End], Line] = {}
    for a, b in view.pieces:
        x, y = outward(layout, min(a, b))
        tip = _tip(view, max(a, b))
        line = ((x * (APOTHEM + 0.02), y * (APOTHEM + 0.02)), (x * tip, y * tip))
        lines[(a, b)] = line if a < b else line[::-1]
    return lines


def _tip(view: HexView, end: topology.End) -> float:
    """Distance from the centre at which a spike ends."""
    stop = (
        view.stops[end - topology.FIRST_STOP]
        if topology.FIRST_STOP <= end < topology.FIRST_STOP + len(view.stops)
        else None
    )
    return 0.27 if stop is not None and stop.slots else SPIKE_TIP


def _track(
    view: HexView, theme: Theme, lines: dict[tuple[topology.End, topology.End], Line]
) -> Iterator[Item]:
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


def _stops(view: HexView, theme: Theme, spots: tuple[StopPlace, ...], overlay: Overlay) -> Iterator[Item]:
    for i, (stop, spot) in enumerate(zip(view.stops, spots, strict=True)):
        if spot.look == "city":
            fresh = [slot for at, slot in overlay.fresh_slots if at == i]
            yield from stop_art.city(spot, stop, theme, fresh)
        elif spot.look != "area":
            yield from stop_art.town(spot, theme)


def label_items(
    view: HexView, theme: Theme, plan: LabelPlan, large: bool, steps: tuple[str, ...] = ()
) -> Iterator[Item]:
    """Everything written on a hex; `steps` are the names of the revenue steps."""
    ground = theme.ground(view.colour)
    ink = ink_on(ground)
    if plan.name is not None:
        yield from _name(plan.name, ground)
    yield from _corners(view, plan, mix(ground, ink, 0.85), large)
    for spot in plan.revenues:
        yield from value_disc(spot)
    if plan.row is not None:
        stop = next(s for s in view.stops if len(s.revenue) > 1)
        yield from _row(plan.row, stop, theme, steps)
    if plan.label is not None:
        s = plan.label
        yield Text(s.x, s.y, s.text, s.size, BLACK, "black", halo=WHITE, halo_width=0.022)
    if plan.cost is not None:
        yield from _cost(view, plan.cost, plan.cost_look, ink)
    if plan.chip is not None:
        yield from _chip(plan.chip)
    for mark in plan.marks:
        yield from mark_items(view.marks[mark.index], (mark.x, mark.y), mark.size)


def _corners(view: HexView, plan: LabelPlan, ink: str, large: bool) -> Iterator[Item]:
    x, y = plan.coordinate
    yield Text(x, y, view.coord, 0.2 if large else 0.19, ink, "black")
    nx, ny = plan.number
    if view.tile is not None:
        yield Text(nx, ny - 0.03, view.tile, 0.14, ink, "bold")
    pips = PIPS.get(view.colour, 0)
    for i in range(pips):
        yield Disc(nx + (i - (pips - 1) / 2) * 0.062, ny + 0.08, 0.022, ink)


def value_disc(label: Label) -> Iterator[Item]:
    """A revenue value in a white disc."""
    yield Disc(label.x, label.y, label.size, WHITE, RIM, 0.016)
    yield Text(label.x, label.y, label.text, 0.25 if len(label.text) < 3 else 0.20, BLACK, "bold")


def _row(row: ValueRow, stop: StopView, theme: Theme, steps: tuple[str, ...]) -> Iterator[Item]:
    boxes = value_boxes(row, stop.revenue, stop.current)
    shown = [stop.current] if row.alone else range(len(boxes))
    for i in sorted(shown, key=lambda i: i == stop.current):
        # Colours that look like phases and are none would mislead: a step of another name stays neutral.
        step = steps[i] if len(steps) == len(boxes) else "white"
        paint = theme.tiles[step if step in PIPS else "white"]
        yield from _value(boxes[i], row.scale, str(stop.revenue[i]), paint, i == stop.current)


def _value(
    box: tuple[float, float, float, float], s: float, text: str, paint: str, now: bool
) -> Iterator[Item]:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    if now:
        yield RoundedBox(*box, 0.03, paint, LINE, 0.035 * s)
        size = (0.29 if len(text) < 3 else 0.24) * s
        yield Text(x, y, text, size, ink_on(paint), "black")
        return
    washed = mix(paint, WHITE, 0.35)
    yield RoundedBox(*box, 0.0, washed, RIM, 0.012)
    yield Text(x, y, text, 0.20 * s, mix(washed, ink_on(washed), 0.8), "bold")


def _name(name: NameLabel, ground: str) -> Iterator[Item]:
    if name.look == "bare":
        for i, line in enumerate(name.lines):
            y = name.y + (i - (len(name.lines) - 1) / 2) * LEADING * name.size
            yield Text(name.x, y, line, name.size, BLACK, "bold", halo=WHITE, halo_width=HALO)
        return
    width, tall = plate(name.lines, name.size)
    x, y = name.x, name.y
    paint = mix(ground, WHITE, 0.75)
    yield RoundedBox(x - width / 2, y - tall / 2, x + width / 2, y + tall / 2, 0.05, paint)
    for i, line in enumerate(name.lines):
        yield Text(x, y + (i - (len(name.lines) - 1) / 2) * 1.15 * name.size, line, name.size, BLACK, "bold")


def _cost(view: HexView, label: Label, look: str, ink: str) -> Iterator[Item]:
    digits = text_width(label.text) * label.size
    if not view.terrain:
        yield Text(label.x, label.y, label.text, label.size, ink, "bold")
        return
    stacked = look == "stacked"
    icon = (label.x, label.y - 0.12) if stacked else (label.x - digits / 2 - 0.02, label.y)
    number = (label.x, label.y + 0.13) if stacked else (label.x + 0.16, label.y)
    for i, kind in enumerate(view.terrain):
        yield from terrain(kind, icon[0] + (i - (len(view.terrain) - 1) / 2) * SIGN, icon[1], ink == WHITE)
    yield Text(number[0], number[1], label.text, label.size, ink, "bold")


def terrain(kind: str, x: float, y: float, on_dark: bool) -> Iterator[Item]:
    """The sign of a terrain, 0.26 wide: a mountain, two waves, or tufts."""
    paint = {"water": WATER, "swamp": SWAMP}.get(kind, MOUNTAIN)
    if on_dark:
        paint = mix(paint, WHITE, 0.5)
    if kind == "water":
        for dy in (-0.045, 0.045):
            wave = tuple((x + (i - 6) * 0.022, y + dy + 0.025 * _ripple(i)) for i in range(13))
            yield Polyline(wave, paint, 0.04)
    elif kind == "swamp":
        for dx in (-0.09, 0.0, 0.09):
            for lean in (-0.03, 0.0, 0.03):
                yield Polyline(((x + dx, y + 0.08), (x + dx + lean, y - 0.06)), paint, 0.022)
    else:
        yield Polygon(((x - 0.14, y + 0.10), (x, y - 0.11), (x + 0.14, y + 0.10)), paint)
        yield Polygon(((x - 0.045, y - 0.04), (x, y - 0.11), (x + 0.045, y - 0.04), (x, y - 0.015)), WHITE)


def _ripple(i: int) -> float:
    return (0.0, -0.8, -1.0, 0.0, 0.8, 1.0)[i % 6]


def _chip(label: Label) -> Iterator[Item]:
    half = chip_width(label.text) / 2
    tall = 0.19 * CAP_HEIGHT / 2 + 0.085
    yield RoundedBox(
        label.x - half, label.y - tall, label.x + half, label.y + tall, 0.05, WHITE, BLACK, 0.022
    )
    yield Text(label.x, label.y, label.text, 0.19, BLACK, "bold")
