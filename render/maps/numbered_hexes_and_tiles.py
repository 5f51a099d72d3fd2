"""Pictures for choosing a lay: numbered hexes, cities of a hex, or tiles in it."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from engine import Coord
from engine.views import HexView, LayView, MapView
from render.font_metrics import fitted
from render.hexes.hex_art import Overlay, hex_items
from render.hexes.hex_geometry import NEIGHBOURS, HexGrid, Layout, outline
from render.hexes.label_plan import label_plan
from render.hexes.label_slots import (
    Blob,
    LabelSlot,
    LabelSlots,
    Obstacles,
    best_slot,
    box_blobs,
    corner_slots,
)
from render.hexes.labels import LabelPlan, plate
from render.hexes.stop_art import city_blobs
from render.maps.map_art import at_hex, companies_of, hex_frame, hex_shaped, hex_sprite, visible
from render.maps.overlays import overlays
from render.scene import Disc, Item, Placed, Point, Polyline, RoundedBox, Scene, Sprite, placed
from render.theme import HIGHLIGHT, WHITE, Theme, palette, theme_named

WIDE: Final = 1100
"""Pixels: twice the width at which Discord shows a picture in line."""
_AROUND: Final = 1.6
"""Hex sides of the map shown around the hexes in question."""
_COLUMNS: Final = ((4, 2), (9, 3), (16, 4))
"""Up to N tiles stand in N columns; more of them in five."""
_LARGE_COLUMNS: Final = 3
"""At most this many in large letters."""
_SIDES: Final = 3.1
"""Hex sides that a square is wide."""
NUMBER: Final = 0.25
"""Radius of a hex's number, in hex sides."""
CITY_NUMBER: Final = 0.18
"""The same of a city's."""
_BESIDE: Final = (0.8 * CITY_NUMBER, 0.4 * CITY_NUMBER)
"""Distance of that number from the rim of its city: the nearer it is, the more it covers."""
Numbers: TypeAlias = tuple[tuple[int | None, int], ...]
"""Numbers in a hex: of a stop by its index, or (None) of the hex itself."""
_CAPTION: Final = 76
"""Height in pixels of what is written below a tile."""
_GAP: Final = 10

# --- where --------------------------------------------------------------------------------------------------------


def spots_scene(view: MapView, theme_name: str, spots: Sequence[Coord], first_number: int = 1) -> Scene:
    """The map around these hexes, numbered in order."""
    return _numbered_scene(
        view, theme_name, {coord: ((None, i),) for i, coord in enumerate(spots, first_number)}
    )


def cities_scene(view: MapView, theme_name: str, coord: Coord, cities: Sequence[int]) -> Scene:
    """The map around a hex, with numbers at these stops."""
    return _numbered_scene(view, theme_name, {coord: tuple((stop, stop + 1) for stop in cities)})


def _numbered_scene(view: MapView, theme_name: str, numbers: Mapping[Coord, Numbers]) -> Scene:
    theme, grid = theme_named(theme_name), HexGrid(view.layout, _radius(view, numbers))
    left, top, right, bottom = _window(grid, [h for h in view.hexes if h.coord in numbers])
    over = overlays(view, large=True)
    sprites = []
    for h in view.hexes:
        if h.coord in numbers:
            sprite = _numbered(h, view.layout, grid.radius, theme.name, over[h.coord], numbers[h.coord])
        else:
            sprite = hex_sprite(h, view.layout, grid.radius, theme.name, over[h.coord])
        sprites.append(at_hex(grid, sprite, (h.x, h.y), (-left, -top)))
    size = (right - left, bottom - top)
    return Scene(*size, theme.page, tuple(visible(sprites, size)), palette(theme_name, companies_of(view)))


def _radius(view: MapView, spots: Iterable[Coord]) -> int:
    """The largest even hex side up to 96 pixels with which the picture stays within WIDE."""
    wanted = [h for h in view.hexes if h.coord in set(spots)]
    for radius in range(96, 30, -2):
        left, top, right, bottom = _window(HexGrid(view.layout, radius), wanted)
        if max(right - left, bottom - top) <= WIDE:
            return radius
    return 30


def _window(grid: HexGrid, hexes: Sequence[HexView]) -> tuple[int, int, int, int]:
    centres = [grid.centre(h.x, h.y) for h in hexes]
    more = round((1 + _AROUND) * grid.radius)
    xs, ys = [x for x, _ in centres], [y for _, y in centres]
    return min(xs) - more, min(ys) - more, max(xs) + more, max(ys) + more


@lru_cache(maxsize=512)
def _numbered(
    hex_view: HexView, layout: Layout, radius: int, theme_name: str, overlay: Overlay, numbers: Numbers
) -> Sprite:
    """A hex with a thick outline and its numbers where they cover least."""
    grid = HexGrid(layout, radius)
    where = label_plan(layout, hex_view, overlay.quiet)
    art = [*hex_items(hex_view, layout, theme_name, overlay), *_outlined(layout)]
    for stop, number in numbers:
        if stop is None:
            art += _badge(*slot_of_number(where, hex_view, layout), NUMBER, str(number))
        else:
            art += _badge(*slot_at_city(where, hex_view, layout, stop), CITY_NUMBER, str(number))
    return hex_shaped(grid, theme_named(theme_name).ground(hex_view.colour), placed(art, hex_frame(grid)))


def slot_of_number(plan: LabelPlan, hex_view: HexView, layout: Layout) -> Point:
    """The place for a hex's number, clear of name, coordinate, value and city if possible."""
    slot = best_slot(
        layout, _number_slots(layout), ((0.0, 0.0, NUMBER),), Obstacles(_covered_by_labels(plan, hex_view))
    )
    return slot.x, slot.y


def slot_at_city(plan: LabelPlan, hex_view: HexView, layout: Layout, stop: int) -> Point:
    """The place for a city's number, beside it and away from others."""
    place, others = plan.spots[stop], [spot.point for n, spot in enumerate(plan.spots) if n != stop]
    blobs = city_blobs(place, max(1, len(hex_view.stops[stop].slots)))
    turns = [(math.sin(turn), math.cos(turn)) for turn in (math.pi * i / 12 for i in range(24))]
    ring = [
        (x + (r + more) * a, y + (r + more) * b) for x, y, r in blobs for a, b in turns for more in _BESIDE
    ]
    slots = LabelSlots(
        LabelSlot(*at, -0.02 * min((math.dist(at, other) for other in others), default=0)) for at in ring
    )
    slot = best_slot(layout, slots, ((0.0, 0.0, CITY_NUMBER),), Obstacles(_covered_by_labels(plan, hex_view)))
    return slot.x, slot.y


def _covered_by_labels(plan: LabelPlan, hex_view: HexView) -> list[Blob]:
    """Discs that no number should cover: cities and labels."""
    taken = [*box_blobs(*plan.coordinate, 0.37, 0.17)]
    for stop, spot in zip(hex_view.stops, plan.spots, strict=True):
        if spot.look == "city":
            taken += city_blobs(spot, max(1, len(stop.slots)))
    if plan.name is not None:
        taken += box_blobs(plan.name.x, plan.name.y, *plate(plan.name.lines, plan.name.size))
    for one in (*plan.revenues, plan.label, plan.cost):
        taken += [] if one is None else [(one.x, one.y, 0.2)]
    return taken


@lru_cache(maxsize=2)
def _number_slots(layout: Layout) -> LabelSlots:
    others = (LabelSlot(slot.x, slot.y, 0.02 + slot.penalty) for slot in corner_slots(layout).cheapest)
    return LabelSlots([LabelSlot(0.0, 0.5), *others])


def _outlined(layout: Layout) -> Iterator[Item]:
    yield Polyline(outline(layout, 0.05), WHITE, 0.10, closed=True)
    yield Polyline(outline(layout, 0.04), HIGHLIGHT, 0.07, closed=True)


def _badge(x: float, y: float, radius: float, number: str) -> Iterator[Item]:
    yield Disc(x, y, radius, HIGHLIGHT, WHITE, 0.12 * radius)
    yield fitted(x, y, number, 1.4 * radius, 1.4 * radius, WHITE, "black")


# --- what ---------------------------------------------------------------------------------------------------------


def lays_scene(view: MapView, theme_name: str, lays: Sequence[LayView], first_number: int = 1) -> Scene:
    """Each of these tiles in its place among the neighbours of the hex, numbered in their order."""
    theme = theme_named(theme_name)
    columns = next((wide for many, wide in _COLUMNS if len(lays) <= many), 5)
    columns = min(columns, _LARGE_COLUMNS) if theme.large else columns
    cell = (WIDE - (columns - 1) * _GAP) // columns
    tall = cell + _CAPTION
    rows = -(-len(lays) // columns)
    sprites: list[Placed] = []
    for i, lay in enumerate(lays):
        corner = ((i % columns) * (cell + _GAP), (i // columns) * (tall + _GAP))
        sprites.extend(_cell(view, theme, lay, cell, corner))
        caption = _caption(i + first_number, _lay_words(lay), cell, theme.name)
        sprites.append(Placed(caption, corner[0], corner[1] + cell))
    size = (WIDE, rows * (tall + _GAP) - _GAP)
    return Scene(*size, theme.page, tuple(sprites), palette(theme_name, companies_of(view)))


def _cell(view: MapView, theme: Theme, lay: LayView, cell: int, corner: tuple[int, int]) -> Iterator[Placed]:
    """A square with the tile's hex in the middle and parts of its neighbours."""
    grid = HexGrid(view.layout, 2 * round(cell / 2 / _SIDES))
    x, y = grid.centre(lay.hex.x, lay.hex.y)
    shift = (corner[0] + cell // 2 - x, corner[1] + cell // 2 - y)
    over, there = overlays(view, large=True), {(h.x, h.y): h for h in view.hexes}
    for dx, dy in NEIGHBOURS[view.layout]:
        h = there.get((lay.hex.x + dx, lay.hex.y + dy))
        if h is not None:
            away = grid.centre(dx, dy)
            part = _clipped_hex(h, view.layout, grid.radius, theme.name, over[h.coord], cell, away)
            yield at_hex(grid, part, (h.x, h.y), shift)
    own = over[lay.hex.coord]
    whole = hex_sprite(lay.hex, view.layout, grid.radius, theme.name, own)
    yield at_hex(grid, whole, (lay.hex.x, lay.hex.y), shift)


@lru_cache(maxsize=512)
def _clipped_hex(
    hex_view: HexView,
    layout: Layout,
    radius: int,
    theme_name: str,
    overlay: Overlay,
    cell: int,
    away: tuple[int, int],
) -> Sprite:
    """A hex at an offset from a square's middle, clipped to the square."""
    whole = hex_sprite(hex_view, layout, radius, theme_name, overlay)
    middle = (whole.width / 2 - away[0], whole.height / 2 - away[1])
    edge = cell / 2
    square = (middle[0] - edge, middle[1] - edge, middle[0] + edge, middle[1] + edge)
    return Sprite(whole.width, whole.height, whole.ground, whole.items, clipped(whole.clip, square))


def _lay_words(lay: LayView) -> tuple[str, str]:
    left = "" if lay.left is None else f", {lay.left} left"
    cost = [f"${lay.cost}"] if lay.cost else []
    worth = ["run ${} → ${}".format(*lay.worth)] if lay.worth else []
    return f"#{lay.tile}{left}", ", ".join([*cost, *worth])


@lru_cache(maxsize=512)
def _caption(number: int, words: tuple[str, str], width: int, theme_name: str) -> Sprite:
    theme = theme_named(theme_name)
    items: list[Item] = [RoundedBox(0, 0, width, _CAPTION, 0, theme.sheet), *_badge(36, 38, 32, str(number))]
    for text, y in zip(words, (24, 54) if words[1] else (38, 38), strict=True):
        items.append(fitted(78, y, text, width - 84, 29, theme.ink, align="left"))
    return Sprite(width, _CAPTION, theme.sheet, tuple(items))


Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""


def clipped(shape: tuple[Point, ...], box: Box) -> tuple[Point, ...]:
    """The part of a convex shape that lies in the box, side by side of the box."""
    left, top, right, bottom = box
    for axis, limit, sign in ((0, left, 1), (1, top, 1), (0, right, -1), (1, bottom, -1)):
        shape = _on_one_side(shape, axis, limit, sign)
    return shape


def _on_one_side(shape: tuple[Point, ...], axis: int, limit: float, sign: int) -> tuple[Point, ...]:
    points: list[Point] = []
    for i, there in enumerate(shape):
        here = shape[i - 1]
        inside = [sign * (point[axis] - limit) >= 0 for point in (here, there)]
        if inside[0] != inside[1]:
            share = (limit - here[axis]) / (there[axis] - here[axis])
            points.append((here[0] + share * (there[0] - here[0]), here[1] + share * (there[1] - here[1])))
        if inside[1]:
            points.append(there)
    return tuple(points)
