"""The writing on a hex: coordinate, tile number and pips, values, label, terrain, chip, name."""

from collections.abc import Iterator
from typing import Final

from engine.tell.views import HexView, StopView
from render.font_metrics import CAP_HEIGHT, text_width
from render.hexes.mark_art import mark_items
from render.hexes.naming import HALO, LEADING
from render.hexes.writing import SIGN, Name, Plan, Row, Spot, chip_width, plate, value_boxes
from render.scene import Disc, Item, Polygon, Polyline, RoundedBox, Text
from render.theme import BLACK, LINE, MOUNTAIN, RIM, SWAMP, WATER, WHITE, Theme, ink_on, mix

PIPS: Final = {"yellow": 1, "green": 2, "brown": 3, "gray": 4}


def writing(
    view: HexView, theme: Theme, where: Plan, large: bool, steps: tuple[str, ...] = ()
) -> Iterator[Item]:
    """Everything written on a hex; `steps` are the names of the revenue steps."""
    ground = theme.ground(view.colour)
    ink = ink_on(ground)
    if where.name is not None:
        yield from _name(where.name, ground)
    yield from _corners(view, where, mix(ground, ink, 0.85), large)
    for spot in where.revenues:
        yield from revenue(spot)
    if where.row is not None:
        stop = next(s for s in view.stops if len(s.revenue) > 1)
        yield from _row(where.row, stop, theme, steps)
    if where.label is not None:
        s = where.label
        yield Text(s.x, s.y, s.text, s.size, BLACK, "black", halo=WHITE, halo_width=0.022)
    if where.cost is not None:
        yield from _cost(view, where, ink)
    if where.chip is not None:
        yield from _chip(where.chip)
    for mark in where.marks:
        yield from mark_items(view.marks[mark.index], (mark.x, mark.y), mark.size)


def _corners(view: HexView, where: Plan, ink: str, large: bool) -> Iterator[Item]:
    x, y = where.coordinate
    yield Text(x, y, view.coord, 0.2 if large else 0.19, ink, "black")
    nx, ny = where.number
    if view.tile is not None:
        yield Text(nx, ny - 0.03, view.tile, 0.14, ink, "bold")
    pips = PIPS.get(view.colour, 0)
    for i in range(pips):
        yield Disc(nx + (i - (pips - 1) / 2) * 0.062, ny + 0.08, 0.022, ink)


def revenue(spot: Spot) -> Iterator[Item]:
    """A value in a white disc."""
    yield Disc(spot.x, spot.y, spot.size, WHITE, RIM, 0.016)
    yield Text(spot.x, spot.y, spot.text, 0.25 if len(spot.text) < 3 else 0.20, BLACK, "bold")


def _row(row: Row, stop: StopView, theme: Theme, steps: tuple[str, ...]) -> Iterator[Item]:
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


def _name(name: Name, ground: str) -> Iterator[Item]:
    if name.look == "bare":
        yield from _bare_name(name)
        return
    width, tall = plate(name.lines, name.size)
    x, y = name.x, name.y
    paint = mix(ground, WHITE, 0.75)
    yield RoundedBox(x - width / 2, y - tall / 2, x + width / 2, y + tall / 2, 0.05, paint)
    for i, line in enumerate(name.lines):
        yield Text(x, y + (i - (len(name.lines) - 1) / 2) * 1.15 * name.size, line, name.size, BLACK, "bold")


def _bare_name(name: Name) -> Iterator[Item]:
    for i, line in enumerate(name.lines):
        y = name.y + (i - (len(name.lines) - 1) / 2) * LEADING * name.size
        yield Text(name.x, y, line, name.size, BLACK, "bold", halo=WHITE, halo_width=HALO)


def _cost(view: HexView, where: Plan, ink: str) -> Iterator[Item]:
    spot = where.cost
    if spot is None:
        return
    digits = text_width(spot.text) * spot.size
    if not view.terrain:
        yield Text(spot.x, spot.y, spot.text, spot.size, ink, "bold")
        return
    stacked = where.cost_look == "stacked"
    icon = (spot.x, spot.y - 0.12) if stacked else (spot.x - digits / 2 - 0.02, spot.y)
    number = (spot.x, spot.y + 0.13) if stacked else (spot.x + 0.16, spot.y)
    for i, kind in enumerate(view.terrain):
        yield from terrain(kind, icon[0] + (i - (len(view.terrain) - 1) / 2) * SIGN, icon[1], ink == WHITE)
    yield Text(number[0], number[1], spot.text, spot.size, ink, "bold")


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


def _chip(spot: Spot) -> Iterator[Item]:
    half = chip_width(spot.text) / 2
    tall = 0.19 * CAP_HEIGHT / 2 + 0.085
    yield RoundedBox(spot.x - half, spot.y - tall, spot.x + half, spot.y + tall, 0.05, WHITE, BLACK, 0.022)
    yield Text(spot.x, spot.y, spot.text, 0.19, BLACK, "bold")
