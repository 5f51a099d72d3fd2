"""Scenes (abstract pictures) of a map: whole map with axes and panels, close-up, single hex, timelapse frame."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final, TypeAlias

from engine import Coord
from engine.views import HexView, MapView
from render.draw_cache import cached_drawing
from render.font_metrics import text_width
from render.hexes.ground_art import HexBackground, background_items
from render.hexes.hex_art import Overlay, hex_items, off_map_items
from render.hexes.hex_geometry import HexGrid, Layout
from render.hexes.label_plan import label_plan
from render.hexes.labels import NAME_EM
from render.maps import panel_art, panel_places
from render.maps.large_names import em_of_large_names, large_names
from render.maps.overlays import off_map_positions, overlays
from render.maps.panel_places import MARGIN
from render.scene import (
    Colour,
    Frame,
    Item,
    PlacedSprite,
    Point,
    Scene,
    Sprite,
    SvgMark,
    Text,
    items_in_pixels,
)
from render.theme import Theme, palette, theme_named
from render.words import hex_svg_mark

_CLOSE_UP_RADIUS: Final = 96
_CLOSE_UP_SIZE: Final = (12, 9)
_LARGE_CLOSE_UP_SIZE: Final = (8, 6)
"""Width and height of a close-up with large text, in hex sides."""
_SPRITE_PADDING: Final = 2
_AXIS_EM: Final = 0.46
"""Font size of the row and column labels at the map's edges, in hex sides."""
_AXIS_BOX_SIZE: Final = 0.66
_NARROW_LABEL_WIDTH: Final = 0.6
"""Widest axis label that fits into the map's margin, in hex sides."""
_MAX_ANIMATION_WIDTH: Final = 720
_GridExtent: TypeAlias = tuple[int, int, int, int]
"""Bounds of the hexes in doubled coordinates: least x, least y, greatest x, greatest y."""


def map_scene(view: MapView, theme_name: str) -> Scene:
    """The whole map with axis labels on all sides; its panels are in empty areas, or else to the right or below."""
    theme = theme_named(theme_name)
    extent = _grid_extent(view.hexes)
    grid = HexGrid(view.layout, _fitting_radius(view.layout, extent))
    margin = round(MARGIN * grid.radius)
    left, top, right, bottom = _map_bounds(grid, extent)
    dx, dy = margin - left, margin - top
    width, height = right - left + 2 * margin, bottom - top + 2 * margin
    sprites = [
        *_off_map_sprites(view, grid, theme, dx, dy),
        *_hex_sprites(
            view, grid, theme, dx, dy, is_close_up=False, large_names_em=_large_names_em(theme, width, grid)
        ),
    ]
    axis_sprites = _axis_sprites(view, grid, theme, (dx, dy), (width, height))
    sprites.extend(axis_sprites)
    centres = tuple(_hex_centre(grid, h, dx, dy) for h in view.hexes)
    panels, size = panel_places.panels(
        view, theme, grid, centres, (width, height), _wide_axis_boxes(axis_sprites, grid.radius)
    )
    return Scene(*size, theme.page, (*sprites, *panels), palette(theme_name, company_colours_of(view)))


def close_up_scene(view: MapView, theme_name: str, centre_coords: Sequence[Coord]) -> Scene:
    """About 7 by 5 hexes (5 by 4 with large text) around the hexes `centre_coords`, with a caption below.

    Raises ValueError for an unknown hex, or if `centre_coords` is empty.
    """
    theme = theme_named(theme_name)
    grid = HexGrid(view.layout, _CLOSE_UP_RADIUS)
    centres = {h.coord: grid.centre(h.x, h.y) for h in view.hexes}
    unknown_hexes = [coord for coord in centre_coords if coord not in centres]
    if unknown_hexes or not centre_coords:
        raise ValueError(f"there is no hex {', '.join(unknown_hexes) or '(none given)'} on this map")
    width, height = (
        _CLOSE_UP_RADIUS * length
        for length in (_LARGE_CLOSE_UP_SIZE if theme.has_large_letters else _CLOSE_UP_SIZE)
    )
    margin = _CLOSE_UP_RADIUS // 4
    left, top, right, bottom = _map_bounds(grid, _grid_extent(view.hexes))
    left, top, right, bottom = left - margin, top - margin, right + margin, bottom + margin
    x = _window_start(sum(centres[c][0] for c in centre_coords) // len(centre_coords), width, left, right)
    y = _window_start(sum(centres[c][1] for c in centre_coords) // len(centre_coords), height, top, bottom)
    all_sprites = (
        *_off_map_sprites(view, grid, theme, -x, -y),
        *_hex_sprites(view, grid, theme, -x, -y, is_close_up=True),
    )
    sprites = list(visible_sprites(all_sprites, (width, height)))
    visible_hexes = [
        h for h in view.hexes if x < centres[h.coord][0] < x + width and y < centres[h.coord][1] < y + height
    ]
    for strip_panel in panel_art.strips_below(view, visible_hexes, theme, width):
        sprites.append(PlacedSprite(panel_art.panel_sprite(strip_panel, theme), 0, height))
        height += strip_panel.height
    return Scene(width, height, theme.page, tuple(sprites), palette(theme_name, company_colours_of(view)))


def hex_scene(view: MapView, theme_name: str, hexagon: HexView) -> Scene:
    """A single hex at the same size as on the whole map."""
    grid = HexGrid(view.layout, largest_fitting_radius(view.layout, view.hexes))
    overlay = overlays(view, is_close_up=False).get(hexagon.coord, Overlay())
    sprite = hex_sprite(
        hexagon,
        view.layout,
        grid.radius,
        theme_name,
        replace(overlay, route_segments=(), stop_rings=(), route_starts=()),
    )
    page_colour = theme_named(theme_name).page
    return Scene(
        sprite.width,
        sprite.height,
        page_colour,
        (PlacedSprite(sprite, 0, 0),),
        palette(theme_name, company_colours_of(view)),
    )


def timelapse_scene(view: MapView, theme_name: str, palette_view: MapView) -> Scene:
    """A frame of a timelapse: the map without panels, at most 720 pixels wide, with a caption.

    The palette contains the colours of the companies in `palette_view`, so all frames with the same `palette_view` have
    the same palette.
    """
    theme = theme_named(theme_name)
    grid = HexGrid(
        view.layout,
        next((r for r in (48, 44, 40, 36, 32, 28) if _map_width(view, r) <= _MAX_ANIMATION_WIDTH), 24),
    )
    left, top, right, bottom = _map_bounds(grid, _grid_extent(view.hexes))
    margin = grid.radius // 2
    width, height = right - left + 2 * margin, bottom - top + 2 * margin
    dx, dy = margin - left, margin - top
    strip_panel = panel_art.caption_strip(replace(view, runs=()), theme, width)
    sprites = (
        *_off_map_sprites(view, grid, theme, dx, dy),
        *_hex_sprites(view, grid, theme, dx, dy, is_close_up=False),
    )
    caption = PlacedSprite(panel_art.panel_sprite(strip_panel, theme), 0, height)
    colours = palette(theme_name, company_colours_of(palette_view))
    return Scene(width, height + strip_panel.height, theme.page, (*sprites, caption), colours)


def _large_names_em(theme: Theme, map_width: int, grid: HexGrid) -> float | None:
    """Font size of names that spread over several hexes, in hex sides; None if names fit into their hexes."""
    return em_of_large_names(map_width, grid.radius, NAME_EM) if theme.has_large_letters else None


def _map_width(view: MapView, radius: int) -> int:
    left, _, right, _ = _map_bounds(HexGrid(view.layout, radius), _grid_extent(view.hexes))
    return right - left + radius


def _window_start(middle: int, window_size: int, map_start: int, map_end: int) -> int:
    """The first pixel of a window centred on `middle`, or moved just enough to lie within the map.

    A map smaller than the window is in its middle.
    """
    if map_end - map_start <= window_size:
        return (map_start + map_end - window_size) // 2
    return max(map_start, min(middle - window_size // 2, map_end - window_size))


def largest_fitting_radius(layout: Layout, hexes: Sequence[HexView]) -> int:
    """The largest length of a hex side, from 48 to 72 pixels, at which the map fits into 1500 by 1500 pixels."""
    return _fitting_radius(layout, _grid_extent(hexes))


def _fitting_radius(layout: Layout, extent: _GridExtent) -> int:
    for radius in (72, 68, 64, 60, 56, 52):
        left, top, right, bottom = _map_bounds(HexGrid(layout, radius), extent)
        if max(right - left, bottom - top) + 2 * MARGIN * radius <= 1500:
            return radius
    return 48


def _grid_extent(hexes: Iterable[HexView]) -> _GridExtent:
    xs, ys = zip(*((h.x, h.y) for h in hexes), strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _map_bounds(grid: HexGrid, extent: _GridExtent) -> tuple[int, int, int, int]:
    half_width, half_height = grid.half_size
    (left, top), (right, bottom) = grid.centre(*extent[:2]), grid.centre(*extent[2:])
    return left - half_width, top - half_height, right + half_width, bottom + half_height


def _hex_centre(grid: HexGrid, hex_view: HexView, dx: int, dy: int) -> tuple[int, int]:
    x, y = grid.centre(hex_view.x, hex_view.y)
    return x + dx, y + dy


def _hex_sprites(
    view: MapView,
    grid: HexGrid,
    theme: Theme,
    dx: int,
    dy: int,
    *,
    is_close_up: bool,
    large_names_em: float | None = None,
) -> list[PlacedSprite]:
    overlay_by_hex = overlays(view, is_close_up)
    if large_names_em is not None:
        hex_name_texts = large_names(view.layout, view.hexes, large_names_em)
        overlay_by_hex = {
            coord: replace(overlay, large_names=hex_name_texts.get(coord, ()))
            for coord, overlay in overlay_by_hex.items()
        }
    drawing_key = view.layout, grid.radius, theme.name
    return [cached_hex_sprite(h, *drawing_key, overlay_by_hex[h.coord], dx, dy) for h in view.hexes]


@lru_cache(maxsize=3072)
def cached_hex_sprite(
    hex_view: HexView, layout: Layout, radius: int, theme_name: str, overlay: Overlay, dx: int, dy: int
) -> PlacedSprite:
    """A hex's sprite at its pixel position. The result is cached, so an unchanged hex gives the same object."""
    grid = HexGrid(layout, radius)
    sprite = hex_sprite(hex_view, layout, radius, theme_name, overlay)
    return placed_at_hex(
        grid,
        sprite,
        (hex_view.x, hex_view.y),
        (dx, dy),
        hex_svg_mark(hex_view, _stop_points(hex_view, grid, overlay.is_named_elsewhere)),
    )


def _stop_points(hex_view: HexView, grid: HexGrid, is_named_elsewhere: bool) -> tuple[Point, ...]:
    if len(hex_view.stops) < 2:
        return ()
    places = label_plan(grid.layout, hex_view, is_named_elsewhere).places
    return hex_frame(grid).points_in_pixels(place.point for place in places)


def _off_map_sprites(view: MapView, grid: HexGrid, theme: Theme, dx: int, dy: int) -> list[PlacedSprite]:
    sprites = []
    for position in off_map_positions(view):
        sprite = _off_map_sprite(
            view.layout, grid.radius, theme.name, position.sides, position.highlighted_sides
        )
        sprites.append(placed_at_hex(grid, sprite, (position.x, position.y), (dx, dy)))
    return sprites


def placed_at_hex(
    grid: HexGrid,
    sprite: Sprite,
    hex_position: tuple[int, int],
    pixel_shift: tuple[int, int],
    svg_mark: SvgMark | None = None,
) -> PlacedSprite:
    """A hex-sized sprite at these doubled coordinates, moved by `pixel_shift`."""
    (x, y), (half_width, half_height) = grid.centre(*hex_position), grid.half_size
    return PlacedSprite(
        sprite,
        x + pixel_shift[0] - half_width - _SPRITE_PADDING,
        y + pixel_shift[1] - half_height - _SPRITE_PADDING,
        svg_mark,
    )


def hex_shaped_sprite(grid: HexGrid, background: Colour, items: tuple[Item, ...]) -> Sprite:
    """A sprite clipped to the outline of a hex; `items` are in pixels of the sprite."""
    half_width, half_height = grid.half_size
    return Sprite(
        2 * (half_width + _SPRITE_PADDING),
        2 * (half_height + _SPRITE_PADDING),
        background,
        items,
        hex_clip_outline(grid),
    )


def visible_sprites(sprites: Iterable[PlacedSprite], picture_size: tuple[int, int]) -> Iterator[PlacedSprite]:
    """The sprites that are at least partly inside a picture of this size."""
    for placed_sprite in sprites:
        right, bottom = (
            placed_sprite.left + placed_sprite.sprite.width,
            placed_sprite.top + placed_sprite.sprite.height,
        )
        if (
            placed_sprite.left < picture_size[0]
            and placed_sprite.top < picture_size[1]
            and right > 0
            and bottom > 0
        ):
            yield placed_sprite


@lru_cache(maxsize=3072)
@cached_drawing
def hex_sprite(view: HexView, layout: Layout, radius: int, theme_name: str, overlay: Overlay) -> Sprite:
    """The sprite of one hex, clipped to the hex's outline."""
    grid = HexGrid(layout, radius)
    background = HexBackground.from_view(view, layout, theme_named(theme_name))
    background_art = _background_in_pixels(background, grid)
    foreground_art = items_in_pixels(
        hex_items(view, layout, theme_name, overlay)[len(background_art) :], hex_frame(grid)
    )
    return hex_shaped_sprite(grid, background.colour, (*background_art, *foreground_art))


@lru_cache(maxsize=512)
def _background_in_pixels(background: HexBackground, grid: HexGrid) -> tuple[Item, ...]:
    return items_in_pixels(background_items(background), hex_frame(grid))


def hex_frame(grid: HexGrid) -> Frame:
    """The transformation from hex sides to pixels within a hex's sprite."""
    half_width, half_height = grid.half_size
    return grid.frame(half_width + _SPRITE_PADDING, half_height + _SPRITE_PADDING)


@lru_cache(maxsize=256)
def _off_map_sprite(
    layout: Layout, radius: int, theme_name: str, sides: tuple[int, ...], highlighted_sides: tuple[int, ...]
) -> Sprite:
    grid = HexGrid(layout, radius)
    items = items_in_pixels(off_map_items(layout, theme_name, sides, highlighted_sides), hex_frame(grid))
    return hex_shaped_sprite(grid, theme_named(theme_name).page, items)


@lru_cache(maxsize=16)
def hex_clip_outline(grid: HexGrid) -> tuple[tuple[float, float], ...]:
    """The outline of a hex, in pixels of its sprite."""
    half_width, half_height = grid.half_size
    corners: tuple[tuple[float, float], ...]
    if grid.layout == "flat":
        corners = (
            (half_width, 0),
            (half_width / 2, half_height),
            (-half_width / 2, half_height),
            (-half_width, 0),
            (-half_width / 2, -half_height),
            (half_width / 2, -half_height),
        )
    else:
        corners = (
            (0, half_height),
            (-half_width, half_height / 2),
            (-half_width, -half_height / 2),
            (0, -half_height),
            (half_width, -half_height / 2),
            (half_width, half_height / 2),
        )
    return tuple((half_width + _SPRITE_PADDING + x, half_height + _SPRITE_PADDING + y) for x, y in corners)


def _axis_sprites(
    view: MapView, grid: HexGrid, theme: Theme, pixel_shift: tuple[int, int], map_size: tuple[int, int]
) -> list[PlacedSprite]:
    column_name_by_x: dict[int, str] = {}
    row_name_by_y: dict[int, str] = {}
    for hex_view in view.hexes:
        letter = hex_view.coord.rstrip("0123456789")
        number = hex_view.coord[len(letter) :]
        column_name_by_x[hex_view.x], row_name_by_y[hex_view.y] = (
            (letter, number) if view.letters == "columns" else (number, letter)
        )
    radius = grid.radius
    axis_box_size = round(_AXIS_BOX_SIZE * radius)
    edge_distance = round(0.42 * radius)
    xs = [(text, grid.centre(x, 0)[0] + pixel_shift[0]) for x, text in sorted(column_name_by_x.items())]
    ys = [(text, grid.centre(0, y)[1] + pixel_shift[1]) for y, text in sorted(row_name_by_y.items())]
    labels = [(text, x, y) for text, x in xs for y in (edge_distance, map_size[1] - edge_distance)]
    labels += [(text, x, y) for text, y in ys for x in (edge_distance, map_size[0] - edge_distance)]
    return [
        PlacedSprite(_axis_sprite(text, radius, theme.name), x - axis_box_size // 2, y - axis_box_size // 2)
        for text, x, y in labels
    ]


def _wide_axis_boxes(axis_sprites: Iterable[PlacedSprite], radius: int) -> list[panel_places.Box]:
    """Boxes of axis labels too wide for the map's margin; panels must not cover these boxes."""
    boxes = []
    for placed_sprite in axis_sprites:
        item = placed_sprite.sprite.items[0]
        if (
            isinstance(item, Text)
            and text_width(item.text, item.weight) * item.size > _NARROW_LABEL_WIDTH * radius
        ):
            boxes.append(
                (
                    placed_sprite.left,
                    placed_sprite.top,
                    placed_sprite.sprite.width,
                    placed_sprite.sprite.height,
                )
            )
    return boxes


@lru_cache(maxsize=512)
def _axis_sprite(text: str, radius: int, theme_name: str) -> Sprite:
    theme = theme_named(theme_name)
    axis_box_size = round(_AXIS_BOX_SIZE * radius)
    return Sprite(
        axis_box_size,
        axis_box_size,
        theme.page,
        (Text(axis_box_size / 2, axis_box_size / 2, text, _AXIS_EM * radius, theme.ink, "black"),),
    )


def company_colours_of(view: MapView) -> tuple[str, ...]:
    """Colours of the companies with tokens, homes or marks on the map, sorted."""
    colours = {s.badge.colour for h in view.hexes for stop in h.stops for s in stop.slots if s.badge}
    colours.update(mark.badge.colour for h in view.hexes for mark in h.marks if mark.badge)
    return tuple(sorted(colours))
