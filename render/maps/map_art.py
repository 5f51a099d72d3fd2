"""A map as a scene: hexes, axes, panels in the empty parts of the page; a close-up of hexes; the timelapse."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final, TypeAlias

from engine import Coord
from engine.views import HexView, MapView
from render.draw_cache import cached_drawing
from render.font_metrics import text_width
from render.hexes.hex_art import HexGround, Overlay, ground_items, hex_items, void_items
from render.hexes.hex_geometry import HexGrid, Layout
from render.hexes.label_plan import label_plan
from render.maps import panel_art, panel_places
from render.maps.overlays import overlays, voids
from render.maps.panel_places import MARGIN
from render.scene import Colour, Frame, Item, Mark, Placed, Point, Scene, Sprite, Text, placed
from render.theme import Theme, palette, theme_named
from render.words import hex_mark

_CLOSE: Final = 96
_MANY: Final = (12, 9)
_FEW: Final = (8, 6)
"""Width and height of a close-up in hex sides; in large letters the second."""
_PAD: Final = 2
_AXIS: Final = 0.46
"""Em of the letters and numbers at the edges: read where the whole map is shown 550 pixels wide."""
_AXIS_BOX: Final = 0.66
_NARROW: Final = 0.6
"""Width of letters at the edges, in hex sides, that keep to the margin."""
_SMALL: Final = 720
"""Most pixels across of a map in an animation."""
_Extent: TypeAlias = tuple[int, int, int, int]
"""The least and the greatest doubled coordinates of hexes: across, down, across, down."""


def map_scene(view: MapView, theme_name: str) -> Scene:
    """The whole map with axes on all four sides; panels go where the page is empty, else beside or below."""
    theme = theme_named(theme_name)
    extent = _extent(view.hexes)
    grid = HexGrid(view.layout, _radius(view.layout, extent))
    margin = round(MARGIN * grid.radius)
    left, top, right, bottom = _bounds(grid, extent)
    dx, dy = margin - left, margin - top
    width, height = right - left + 2 * margin, bottom - top + 2 * margin
    sprites = [*_voids(view, grid, theme, dx, dy), *_hexes(view, grid, theme, dx, dy, large=False)]
    axes = _axes(view, grid, theme, (dx, dy), (width, height))
    sprites.extend(axes)
    centres = tuple(_centre(grid, h, dx, dy) for h in view.hexes)
    panels, size = panel_places.panels(view, theme, grid, centres, (width, height), _wide(axes, grid.radius))
    return Scene(*size, theme.page, (*sprites, *panels), palette(theme_name, companies_of(view)))


def close_up_scene(view: MapView, theme_name: str, centre: Sequence[Coord]) -> Scene:
    """About seven by five hexes around these (five by four in large letters), with a caption below.

    Raises ValueError on an unknown hex.
    """
    theme = theme_named(theme_name)
    grid = HexGrid(view.layout, _CLOSE)
    at = {h.coord: grid.centre(h.x, h.y) for h in view.hexes}
    unknown = [coord for coord in centre if coord not in at]
    if unknown or not centre:
        raise ValueError(f"there is no hex {', '.join(unknown) or '(none given)'} on this map")
    width, height = (_CLOSE * side for side in (_FEW if theme.large else _MANY))
    edge = _CLOSE // 4
    left, top, right, bottom = _bounds(grid, _extent(view.hexes))
    left, top, right, bottom = left - edge, top - edge, right + edge, bottom + edge
    x = _window(sum(at[c][0] for c in centre) // len(centre), width, left, right)
    y = _window(sum(at[c][1] for c in centre) // len(centre), height, top, bottom)
    whole = (*_voids(view, grid, theme, -x, -y), *_hexes(view, grid, theme, -x, -y, large=True))
    sprites = list(visible(whole, (width, height)))
    shown = [h for h in view.hexes if x < at[h.coord][0] < x + width and y < at[h.coord][1] < y + height]
    for strip in panel_art.strips_below(view, shown, theme, width):
        sprites.append(Placed(panel_art.panel_sprite(strip, theme), 0, height))
        height += strip.height
    return Scene(width, height, theme.page, tuple(sprites), palette(theme_name, companies_of(view)))


def hex_scene(view: MapView, theme_name: str, hexagon: HexView) -> Scene:
    """One hex alone, as large as on the whole map."""
    grid = HexGrid(view.layout, radius_for(view.layout, view.hexes))
    over = overlays(view, large=False).get(hexagon.coord, Overlay())
    sprite = hex_sprite(
        hexagon, view.layout, grid.radius, theme_name, replace(over, strands=(), rings=(), starts=())
    )
    page = theme_named(theme_name).page
    return Scene(
        sprite.width,
        sprite.height,
        page,
        (Placed(sprite, 0, 0),),
        palette(theme_name, companies_of(view)),
    )


def small_scene(view: MapView, theme_name: str, painted: MapView) -> Scene:
    """The map alone, at most 720 pixels wide, with a caption; uses the company colours of `painted`."""
    theme = theme_named(theme_name)
    grid = HexGrid(view.layout, next((r for r in (48, 44, 40, 36, 32, 28) if _width(view, r) <= _SMALL), 24))
    left, top, right, bottom = _bounds(grid, _extent(view.hexes))
    edge = grid.radius // 2
    width, height = right - left + 2 * edge, bottom - top + 2 * edge
    dx, dy = edge - left, edge - top
    strip = panel_art.caption_strip(replace(view, runs=()), theme, width)
    sprites = (*_voids(view, grid, theme, dx, dy), *_hexes(view, grid, theme, dx, dy, large=False))
    caption = Placed(panel_art.panel_sprite(strip, theme), 0, height)
    shades = palette(theme_name, companies_of(painted))
    return Scene(width, height + strip.height, theme.page, (*sprites, caption), shades)


def _width(view: MapView, radius: int) -> int:
    left, _, right, _ = _bounds(HexGrid(view.layout, radius), _extent(view.hexes))
    return right - left + radius


def _window(middle: int, size: int, low: int, high: int) -> int:
    """The start of a window around `middle`, within the map."""
    if high - low <= size:
        return (low + high - size) // 2
    return max(low, min(middle - size // 2, high - size))


def radius_for(layout: Layout, hexes: Sequence[HexView]) -> int:
    """Side of a hex in pixels: 72, less on maps that would grow beyond about 1500 pixels, never under 48."""
    return _radius(layout, _extent(hexes))


def _radius(layout: Layout, extent: _Extent) -> int:
    for radius in (72, 68, 64, 60, 56, 52):
        left, top, right, bottom = _bounds(HexGrid(layout, radius), extent)
        if max(right - left, bottom - top) + 2 * MARGIN * radius <= 1500:
            return radius
    return 48


def _extent(hexes: Iterable[HexView]) -> _Extent:
    xs, ys = zip(*((h.x, h.y) for h in hexes), strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _bounds(grid: HexGrid, extent: _Extent) -> tuple[int, int, int, int]:
    """The edges of the map in pixels: left, top, right, bottom."""
    half_x, half_y = grid.half
    (left, top), (right, bottom) = grid.centre(*extent[:2]), grid.centre(*extent[2:])
    return left - half_x, top - half_y, right + half_x, bottom + half_y


def _centre(grid: HexGrid, hex_view: HexView, dx: int, dy: int) -> tuple[int, int]:
    x, y = grid.centre(hex_view.x, hex_view.y)
    return x + dx, y + dy


def _hexes(view: MapView, grid: HexGrid, theme: Theme, dx: int, dy: int, *, large: bool) -> list[Placed]:
    over = overlays(view, large)
    looks = view.layout, grid.radius, theme.name
    return [placed_hex(h, *looks, over[h.coord], dx, dy) for h in view.hexes]


@lru_cache(maxsize=3072)
def placed_hex(
    hex_view: HexView, layout: Layout, radius: int, theme_name: str, overlay: Overlay, dx: int, dy: int
) -> Placed:
    """A hex in its place; the same object while nothing changes there."""
    grid = HexGrid(layout, radius)
    sprite = hex_sprite(hex_view, layout, radius, theme_name, overlay)
    return at_hex(
        grid,
        sprite,
        (hex_view.x, hex_view.y),
        (dx, dy),
        hex_mark(hex_view, _stops(hex_view, grid, overlay.quiet)),
    )


def _stops(hex_view: HexView, grid: HexGrid, quiet: bool) -> tuple[Point, ...]:
    if len(hex_view.stops) < 2:
        return ()
    spots = label_plan(grid.layout, hex_view, quiet).spots
    return hex_frame(grid).points(spot.point for spot in spots)


def _voids(view: MapView, grid: HexGrid, theme: Theme, dx: int, dy: int) -> list[Placed]:
    found = []
    for void in voids(view):
        sprite = _void_sprite(view.layout, grid.radius, theme.name, void.sides, void.lit)
        found.append(at_hex(grid, sprite, (void.x, void.y), (dx, dy)))
    return found


def at_hex(
    grid: HexGrid, sprite: Sprite, place: tuple[int, int], shift: tuple[int, int], mark: Mark | None = None
) -> Placed:
    """A sprite of hex size at a place (doubled coordinates), shifted by these pixels."""
    (x, y), (half_x, half_y) = grid.centre(*place), grid.half
    return Placed(sprite, x + shift[0] - half_x - _PAD, y + shift[1] - half_y - _PAD, mark)


def hex_shaped(grid: HexGrid, ground: Colour, items: tuple[Item, ...]) -> Sprite:
    """A sprite cut to the outline of a hex; its items are placed by `hex_frame`."""
    half_x, half_y = grid.half
    return Sprite(2 * (half_x + _PAD), 2 * (half_y + _PAD), ground, items, hex_clip(grid))


def visible(sprites: Iterable[Placed], size: tuple[int, int]) -> Iterator[Placed]:
    """The sprites visible in a picture of this size."""
    for p in sprites:
        right, bottom = p.left + p.sprite.width, p.top + p.sprite.height
        if p.left < size[0] and p.top < size[1] and right > 0 and bottom > 0:
            yield p


@lru_cache(maxsize=3072)
@cached_drawing
def hex_sprite(view: HexView, layout: Layout, radius: int, theme_name: str, overlay: Overlay) -> Sprite:
    """The sprite of one hex, cut to its outline."""
    grid = HexGrid(layout, radius)
    ground = HexGround.of(view, layout, theme_named(theme_name))
    first = _placed_ground(ground, grid)
    rest = placed(hex_items(view, layout, theme_name, overlay)[len(first) :], hex_frame(grid))
    return hex_shaped(grid, ground.colour, (*first, *rest))


@lru_cache(maxsize=512)
def _placed_ground(ground: HexGround, grid: HexGrid) -> tuple[Item, ...]:
    return placed(ground_items(ground), hex_frame(grid))


def hex_frame(grid: HexGrid) -> Frame:
    """The frame that scales hex art to pixels of its sprite."""
    half_x, half_y = grid.half
    return grid.frame(half_x + _PAD, half_y + _PAD)


@lru_cache(maxsize=256)
def _void_sprite(
    layout: Layout, radius: int, theme_name: str, sides: tuple[int, ...], lit: tuple[int, ...]
) -> Sprite:
    grid = HexGrid(layout, radius)
    items = placed(void_items(layout, theme_name, sides, lit), hex_frame(grid))
    return hex_shaped(grid, theme_named(theme_name).page, items)


@lru_cache(maxsize=16)
def hex_clip(grid: HexGrid) -> tuple[tuple[float, float], ...]:
    """The outline of a hex in pixels of its sprite."""
    w, h = grid.half
    around: tuple[tuple[float, float], ...]
    if grid.layout == "flat":
        around = ((w, 0), (w / 2, h), (-w / 2, h), (-w, 0), (-w / 2, -h), (w / 2, -h))
    else:
        around = ((0, h), (-w, h / 2), (-w, -h / 2), (0, -h), (w, -h / 2), (w, h / 2))
    return tuple((w + _PAD + x, h + _PAD + y) for x, y in around)


def _axes(
    view: MapView, grid: HexGrid, theme: Theme, shift: tuple[int, int], size: tuple[int, int]
) -> list[Placed]:
    columns: dict[int, str] = {}
    rows: dict[int, str] = {}
    for h in view.hexes:
        letter = h.coord.rstrip("0123456789")
        number = h.coord[len(letter) :]
        columns[h.x], rows[h.y] = (letter, number) if view.letters == "columns" else (number, letter)
    r = grid.radius
    box = round(_AXIS_BOX * r)
    edge = round(0.42 * r)
    xs = [(text, grid.centre(x, 0)[0] + shift[0]) for x, text in sorted(columns.items())]
    ys = [(text, grid.centre(0, y)[1] + shift[1]) for y, text in sorted(rows.items())]
    labels = [(text, x, y) for text, x in xs for y in (edge, size[1] - edge)]
    labels += [(text, x, y) for text, y in ys for x in (edge, size[0] - edge)]
    return [Placed(_axis_sprite(text, r, theme.name), x - box // 2, y - box // 2) for text, x, y in labels]


def _wide(axes: Iterable[Placed], radius: int) -> list[panel_places.Box]:
    """Areas of axis letters that reach into the page."""
    boxes = []
    for at in axes:
        item = at.sprite.items[0]
        if isinstance(item, Text) and text_width(item.text, item.weight) * item.size > _NARROW * radius:
            boxes.append((at.left, at.top, at.sprite.width, at.sprite.height))
    return boxes


@lru_cache(maxsize=512)
def _axis_sprite(text: str, radius: int, theme_name: str) -> Sprite:
    theme = theme_named(theme_name)
    box = round(_AXIS_BOX * radius)
    return Sprite(box, box, theme.page, (Text(box / 2, box / 2, text, _AXIS * radius, theme.ink, "black"),))


def companies_of(view: MapView) -> tuple[str, ...]:
    """The colours of companies on the map."""
    colours = {s.badge.colour for h in view.hexes for stop in h.stops for s in stop.slots if s.badge}
    colours.update(mark.badge.colour for h in view.hexes for mark in h.marks if mark.badge)
    return tuple(sorted(colours))
