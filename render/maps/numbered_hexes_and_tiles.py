"""Pictures for choosing a tile lay by number: numbered hexes, numbered cities in a hex, or numbered tiles."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from engine import Coord
from engine.views import HexView, LayView, MapView
from render.font_metrics import fitted_text
from render.hexes.hex_art import Overlay, hex_items
from render.hexes.hex_geometry import NEIGHBOUR_STEPS, HexGrid, Layout, hex_outline
from render.hexes.label_plan import label_plan
from render.hexes.label_slots import (
    LabelSlot,
    LabelSlots,
    Obstacles,
    ShapeDisc,
    best_slot,
    box_discs,
    corner_slots,
)
from render.hexes.labels import LabelPlan, name_box_size
from render.hexes.stop_art import city_discs
from render.maps.legend_art import close_up_legend
from render.maps.map_art import (
    company_colours_of,
    hex_frame,
    hex_shaped_sprite,
    hex_sprite,
    placed_at_hex,
    visible_sprites,
)
from render.maps.overlays import overlays
from render.maps.panel_art import panel_sprite
from render.scene import Disc, Item, PlacedSprite, Point, Polyline, RoundedBox, Scene, Sprite, items_in_pixels
from render.theme import HIGHLIGHT_COLOUR, WHITE, Theme, palette, theme_named

PICTURE_WIDTH: Final = 1100
"""Width of the picture in pixels: twice the width at which Discord shows it."""
_MARGIN_IN_HEX_SIDES: Final = 1.6
_LEGEND_HEIGHT: Final = 110
"""Height reserved below the map for its legend, in pixels."""
_COLUMNS_BY_TILE_COUNT: Final = ((4, 2), (9, 3), (16, 4))
"""Pairs of (maximum number of tiles, columns). More than 16 tiles are in 5 columns."""
_MAX_COLUMNS_WITH_LARGE_TEXT: Final = 3
"""Maximum number of columns of tiles in a picture with large text."""
_SQUARE_WIDTH_IN_SIDES: Final = 3.1
NUMBER_RADIUS: Final = 0.25
"""Radius of the disc with a hex's number, in hex sides."""
CITY_NUMBER_RADIUS: Final = 0.18
"""Radius of the disc with a city's number, in hex sides."""
_CITY_NUMBER_DISTANCES: Final = (0.8 * CITY_NUMBER_RADIUS, 0.4 * CITY_NUMBER_RADIUS)
"""Distances to try between a city's rim and its number, in hex sides."""
HexNumbers: TypeAlias = tuple[tuple[int | None, int], ...]
"""Numbers shown in one hex: pairs of a stop's index (None for the hex itself) and a number."""
_CAPTION_HEIGHT: Final = 76
_TILE_GAP: Final = 10

# --- where --------------------------------------------------------------------------------------------------------


def numbered_hexes_scene(
    view: MapView, theme_name: str, coords: Sequence[Coord], first_number: int = 1
) -> Scene:
    """The map around these hexes, which are numbered in order from `first_number`."""
    return _numbered_scene(
        view, theme_name, {coord: ((None, i),) for i, coord in enumerate(coords, first_number)}
    )


def numbered_cities_scene(view: MapView, theme_name: str, coord: Coord, city_indexes: Sequence[int]) -> Scene:
    """The map around a hex, with a number (index + 1) at each of these stops."""
    return _numbered_scene(
        view, theme_name, {coord: tuple((stop_index, stop_index + 1) for stop_index in city_indexes)}
    )


def _numbered_scene(view: MapView, theme_name: str, numbers: Mapping[Coord, HexNumbers]) -> Scene:
    theme, grid = theme_named(theme_name), HexGrid(view.layout, _fitting_radius(view, numbers))
    left, top, right, bottom = _window_around(
        grid, [hex_view for hex_view in view.hexes if hex_view.coord in numbers]
    )
    overlay_by_hex = overlays(view, is_close_up=True)
    sprites = []
    for hex_view in view.hexes:
        if hex_view.coord in numbers:
            sprite = _numbered_hex_sprite(
                hex_view,
                view.layout,
                grid.radius,
                theme.name,
                overlay_by_hex[hex_view.coord],
                numbers[hex_view.coord],
            )
        else:
            sprite = hex_sprite(
                hex_view, view.layout, grid.radius, theme.name, overlay_by_hex[hex_view.coord]
            )
        sprites.append(placed_at_hex(grid, sprite, (hex_view.x, hex_view.y), (-left, -top)))
    width, height = right - left, bottom - top
    shown_sprites = [*visible_sprites(sprites, (width, height))]
    legend = close_up_legend(
        view,
        [hex_view for hex_view in view.hexes if _is_in_window(grid, hex_view, (left, top, right, bottom))],
        theme,
        width,
    )
    if legend is not None:
        shown_sprites.append(PlacedSprite(panel_sprite(legend, theme), 0, height))
        height += legend.height
    return Scene(
        width, height, theme.page, tuple(shown_sprites), palette(theme_name, company_colours_of(view))
    )


def _is_in_window(grid: HexGrid, hex_view: HexView, window: tuple[int, int, int, int]) -> bool:
    x, y = grid.centre(hex_view.x, hex_view.y)
    return window[0] < x < window[2] and window[1] < y < window[3]


def _fitting_radius(view: MapView, coords: Iterable[Coord]) -> int:
    wanted_hexes = [h for h in view.hexes if h.coord in set(coords)]
    for radius in range(96, 30, -2):
        left, top, right, bottom = _window_around(HexGrid(view.layout, radius), wanted_hexes)
        if max(right - left, bottom - top + _LEGEND_HEIGHT) <= PICTURE_WIDTH:
            return radius
    return 30


def _window_around(grid: HexGrid, hexes: Sequence[HexView]) -> tuple[int, int, int, int]:
    centres = [grid.centre(h.x, h.y) for h in hexes]
    margin = round((1 + _MARGIN_IN_HEX_SIDES) * grid.radius)
    xs, ys = [x for x, _ in centres], [y for _, y in centres]
    return min(xs) - margin, min(ys) - margin, max(xs) + margin, max(ys) + margin


@lru_cache(maxsize=512)
def _numbered_hex_sprite(
    hex_view: HexView, layout: Layout, radius: int, theme_name: str, overlay: Overlay, numbers: HexNumbers
) -> Sprite:
    """A hex with a thick outline and its numbers, placed where they cover least."""
    grid = HexGrid(layout, radius)
    plan = label_plan(layout, hex_view, overlay.is_named_elsewhere)
    items = [*hex_items(hex_view, layout, theme_name, overlay), *_outline_items(layout)]
    for stop_index, number in numbers:
        if stop_index is None:
            items += _number_badge(*hex_number_point(plan, hex_view, layout), NUMBER_RADIUS, str(number))
        else:
            items += _number_badge(
                *city_number_point(plan, hex_view, layout, stop_index), CITY_NUMBER_RADIUS, str(number)
            )
    return hex_shaped_sprite(
        grid, theme_named(theme_name).tile_colour(hex_view.colour), items_in_pixels(items, hex_frame(grid))
    )


def hex_number_point(plan: LabelPlan, hex_view: HexView, layout: Layout) -> Point:
    """Position of a hex's number; if possible, it covers no name, coordinate, value or city."""
    slot = best_slot(
        layout,
        _number_slots(layout),
        ((0.0, 0.0, NUMBER_RADIUS),),
        Obstacles(_label_discs(plan, hex_view)),
    )
    return slot.x, slot.y


def city_number_point(plan: LabelPlan, hex_view: HexView, layout: Layout, stop_index: int) -> Point:
    """Position of a city's number, next to that city and away from the others."""
    city_place, other_points = (
        plan.places[stop_index],
        [place.point for n, place in enumerate(plan.places) if n != stop_index],
    )
    discs = city_discs(city_place, max(1, len(hex_view.stops[stop_index].slots)))
    directions = [(math.sin(angle), math.cos(angle)) for angle in (math.pi * i / 12 for i in range(24))]
    ring_points = [
        (x + (r + distance) * a, y + (r + distance) * b)
        for x, y, r in discs
        for a, b in directions
        for distance in _CITY_NUMBER_DISTANCES
    ]
    slots = LabelSlots(
        LabelSlot(*point, -0.02 * min((math.dist(point, other) for other in other_points), default=0))
        for point in ring_points
    )
    slot = best_slot(
        layout, slots, ((0.0, 0.0, CITY_NUMBER_RADIUS),), Obstacles(_label_discs(plan, hex_view))
    )
    return slot.x, slot.y


def _label_discs(plan: LabelPlan, hex_view: HexView) -> list[ShapeDisc]:
    discs = [*box_discs(*plan.coordinate_point, 0.37, 0.17)]
    for stop, place in zip(hex_view.stops, plan.places, strict=True):
        if place.shape == "city":
            discs += city_discs(place, max(1, len(stop.slots)))
    if plan.name is not None:
        discs += box_discs(plan.name.x, plan.name.y, *name_box_size(plan.name.lines, plan.name.size))
    for label in (*plan.revenues, plan.label, plan.cost):
        discs += [] if label is None else [(label.x, label.y, 0.2)]
    return discs


@lru_cache(maxsize=2)
def _number_slots(layout: Layout) -> LabelSlots:
    other_slots = (
        LabelSlot(slot.x, slot.y, 0.02 + slot.penalty) for slot in corner_slots(layout).sorted_slots
    )
    return LabelSlots([LabelSlot(0.0, 0.5), *other_slots])


def _outline_items(layout: Layout) -> Iterator[Item]:
    yield Polyline(hex_outline(layout, 0.04), WHITE, 0.08, is_closed=True)
    yield Polyline(hex_outline(layout, 0.03), HIGHLIGHT_COLOUR, 0.06, is_closed=True)


def _number_badge(x: float, y: float, radius: float, number: str) -> Iterator[Item]:
    yield Disc(x, y, radius, HIGHLIGHT_COLOUR, WHITE, 0.12 * radius)
    yield fitted_text(x, y, number, 1.4 * radius, 1.4 * radius, WHITE, "black")


# --- what ---------------------------------------------------------------------------------------------------------


def numbered_lays_scene(
    view: MapView, theme_name: str, lays: Sequence[LayView], first_number: int = 1
) -> Scene:
    """The tiles of these lays, numbered in order. Each is drawn in its hex, between parts of the neighbouring hexes."""
    theme = theme_named(theme_name)
    grid_column_count = next(
        (column_count for tile_count, column_count in _COLUMNS_BY_TILE_COUNT if len(lays) <= tile_count), 5
    )
    grid_column_count = (
        min(grid_column_count, _MAX_COLUMNS_WITH_LARGE_TEXT) if theme.has_large_letters else grid_column_count
    )
    square_size = (PICTURE_WIDTH - (grid_column_count - 1) * _TILE_GAP) // grid_column_count
    cell_height = square_size + _CAPTION_HEIGHT
    row_count = -(-len(lays) // grid_column_count)
    sprites: list[PlacedSprite] = []
    for i, lay in enumerate(lays):
        upper_left = (
            (i % grid_column_count) * (square_size + _TILE_GAP),
            (i // grid_column_count) * (cell_height + _TILE_GAP),
        )
        sprites.extend(_lay_sprites(view, theme, lay, square_size, upper_left))
        caption = _caption_sprite(i + first_number, _caption_words(lay), square_size, theme.name)
        sprites.append(PlacedSprite(caption, upper_left[0], upper_left[1] + square_size))
    size = (PICTURE_WIDTH, row_count * (cell_height + _TILE_GAP) - _TILE_GAP)
    return Scene(*size, theme.page, tuple(sprites), palette(theme_name, company_colours_of(view)))


def _lay_sprites(
    view: MapView, theme: Theme, lay: LayView, square_size: int, upper_left: tuple[int, int]
) -> Iterator[PlacedSprite]:
    """A square picture of a lay: its hex with the tile in the middle, and parts of the neighbouring hexes."""
    grid = HexGrid(view.layout, 2 * round(square_size / 2 / _SQUARE_WIDTH_IN_SIDES))
    x, y = grid.centre(lay.hex.x, lay.hex.y)
    pixel_shift = (upper_left[0] + square_size // 2 - x, upper_left[1] + square_size // 2 - y)
    overlay_by_hex, hexes_by_position = (
        overlays(view, is_close_up=True),
        {(hex_view.x, hex_view.y): hex_view for hex_view in view.hexes},
    )
    for dx, dy in NEIGHBOUR_STEPS[view.layout]:
        hex_view = hexes_by_position.get((lay.hex.x + dx, lay.hex.y + dy))
        if hex_view is not None:
            offset = grid.centre(dx, dy)
            clipped_sprite = _clipped_hex(
                hex_view,
                view.layout,
                grid.radius,
                theme.name,
                overlay_by_hex[hex_view.coord],
                square_size,
                offset,
            )
            yield placed_at_hex(grid, clipped_sprite, (hex_view.x, hex_view.y), pixel_shift)
    own_overlay = overlay_by_hex[lay.hex.coord]
    tile_sprite = hex_sprite(lay.hex, view.layout, grid.radius, theme.name, own_overlay)
    yield placed_at_hex(grid, tile_sprite, (lay.hex.x, lay.hex.y), pixel_shift)


@lru_cache(maxsize=512)
def _clipped_hex(
    hex_view: HexView,
    layout: Layout,
    radius: int,
    theme_name: str,
    overlay: Overlay,
    square_size: int,
    offset: tuple[int, int],
) -> Sprite:
    full_sprite = hex_sprite(hex_view, layout, radius, theme_name, overlay)
    middle = (full_sprite.width / 2 - offset[0], full_sprite.height / 2 - offset[1])
    half_square = square_size / 2
    clip_box = (
        middle[0] - half_square,
        middle[1] - half_square,
        middle[0] + half_square,
        middle[1] + half_square,
    )
    return Sprite(
        full_sprite.width,
        full_sprite.height,
        full_sprite.background,
        full_sprite.items,
        clipped_shape(full_sprite.clip, clip_box),
    )


def _caption_words(lay: LayView) -> tuple[str, str]:
    remaining_text = "" if lay.copies_left is None else f", {lay.copies_left} left"
    cost_words = [lay.money(lay.cost)] if lay.cost else []
    revenue_words = ["run {} → {}".format(*map(lay.money, lay.revenue_change))] if lay.revenue_change else []
    return f"#{lay.tile}{remaining_text}", ", ".join([*cost_words, *revenue_words])


@lru_cache(maxsize=512)
def _caption_sprite(number: int, words: tuple[str, str], width: int, theme_name: str) -> Sprite:
    theme = theme_named(theme_name)
    items: list[Item] = [
        RoundedBox(0, 0, width, _CAPTION_HEIGHT, 0, theme.sheet),
        *_number_badge(36, 38, 32, str(number)),
    ]
    for text, y in zip(words, (24, 54) if words[1] else (38, 38), strict=True):
        items.append(fitted_text(78, y, text, width - 84, 29, theme.ink, align="left"))
    return Sprite(width, _CAPTION_HEIGHT, theme.sheet, tuple(items))


Box = tuple[float, float, float, float]
"""Left, top, right and bottom of a box, in any unit of length."""


def clipped_shape(shape: tuple[Point, ...], box: Box) -> tuple[Point, ...]:
    """The part of the convex polygon `shape` that lies within `box`."""
    left, top, right, bottom = box
    for axis, limit, sign in ((0, left, 1), (1, top, 1), (0, right, -1), (1, bottom, -1)):
        shape = _clipped_at_side(shape, axis, limit, sign)
    return shape


def _clipped_at_side(shape: tuple[Point, ...], axis: int, limit: float, sign: int) -> tuple[Point, ...]:
    points: list[Point] = []
    for i, point in enumerate(shape):
        previous_point = shape[i - 1]
        inside_flags = [sign * (point[axis] - limit) >= 0 for point in (previous_point, point)]
        if inside_flags[0] != inside_flags[1]:
            crossing_fraction = (limit - previous_point[axis]) / (point[axis] - previous_point[axis])
            points.append(
                (
                    previous_point[0] + crossing_fraction * (point[0] - previous_point[0]),
                    previous_point[1] + crossing_fraction * (point[1] - previous_point[1]),
                )
            )
        if inside_flags[1]:
            points.append(point)
    return tuple(points)
