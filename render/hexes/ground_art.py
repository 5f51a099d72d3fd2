"""Drawing of a hex's background: colour, hatching, and the borders, rivers and barriers along its sides."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple, Self

from engine.views import HexView
from render.font_metrics import text_width
from render.hexes.hex_geometry import (
    SIDE_COST_EM,
    SIDE_COST_HEIGHT,
    Layout,
    hex_outline,
    side_cost_point,
)
from render.scene import Colour, Item, Point, Polygon, Polyline, RoundedBox, Text
from render.theme import (
    BARRIER_COLOUR,
    BLACK,
    HATCHING_OPACITY,
    LINE_COLOUR,
    WATER_COLOUR,
    WHITE,
    Theme,
    ink_on,
    mix_colours,
)

_HATCHING_STEP: Final = 0.17


class HexBackground(NamedTuple):
    """The properties of a hex that decide how its background and borders are drawn."""

    layout: Layout
    hairline: Colour
    colour: Colour
    is_blocked: bool
    has_tile: bool
    joined_sides: tuple[int, ...]
    frontier_sides: tuple[int, ...]
    river_sides: tuple[int, ...]
    side_costs: tuple[tuple[int, int], ...]
    impassable_sides: tuple[int, ...]

    @classmethod
    def from_view(cls, view: HexView, layout: Layout, theme: Theme) -> Self:
        """The background properties of the hex in this view."""
        return cls(
            layout,
            theme.hairline,
            theme.tile_colour(view.colour),
            bool(view.blocked_by),
            view.tile is not None,
            view.joined_edges,
            view.frontier_edges,
            view.river_edges,
            view.border_costs,
            view.impassable_edges,
        )


@lru_cache(maxsize=512)
def background_items(background: HexBackground) -> tuple[Item, ...]:
    """Drawing items of a hex's background and borders; they are painted first."""
    return (Polygon(hex_outline(background.layout, -0.03), background.colour), *_border_items(background))


def _border_items(background: HexBackground) -> Iterator[Item]:
    background_colour = background.colour
    if background.is_blocked:
        yield from hatching_items(1.0, 1.0, background_colour)
    corners = hex_outline(background.layout)
    for side in range(6):
        if side not in background.joined_sides:
            # A hair more than the half that belongs to this hex: sprites meet in the middle of the line.
            yield Polyline((corners[side - 1], corners[side]), background.hairline, 0.02)
    if background.has_tile:
        yield Polyline(hex_outline(background.layout, 0.017), LINE_COLOUR, 0.034, is_closed=True)
    for side in background.frontier_sides:
        yield frontier_line(corners[side - 1], corners[side], background_colour)
    for side in background.river_sides:
        yield river_line(corners[side - 1], corners[side])
    for side, cost in background.side_costs:
        yield from side_cost_items(side_cost_point(background.layout, side), str(cost))
    for side in background.impassable_sides:
        yield from barrier_items(corners[side - 1], corners[side])


def hatching_items(half_width: float, half_height: float, background: Colour) -> Iterator[Item]:
    """Hatching, which marks a hex blocked by a private, over a box of this half width and half height."""
    colour = mix_colours(background, ink_on(background), HATCHING_OPACITY)
    reach = half_width + half_height
    for i in range(-int(reach / _HATCHING_STEP), int(reach / _HATCHING_STEP) + 1):
        x = i * _HATCHING_STEP
        left, right = max(-half_width, x - half_height), min(half_width, x + half_height)
        yield Polyline(((left, left - x), (right, right - x)), colour, 0.045)


def frontier_line(start: Point, end: Point, background: Colour) -> Item:
    """The border of a map zone along a hex side. The neighbouring hex draws the outer half of the line."""
    return Polyline((start, end), mix_colours(background, ink_on(background), 0.45), 0.07)


def river_line(start: Point, end: Point, width: float = 0.16) -> Item:
    """A river along a hex side. The neighbouring hex draws the outer half of the line."""
    return Polyline((start, end), WATER_COLOUR, width)


def side_cost_items(centre: Point, text: str) -> Iterator[Item]:
    """The cost of crossing a hex side, in a white box on that side.

    The neighbouring hex draws the outer half of the box.
    """
    x, y = centre
    half_width, half_height = text_width(text, "bold") * SIDE_COST_EM / 2 + 0.04, SIDE_COST_HEIGHT / 2
    yield RoundedBox(
        x - half_width, y - half_height, x + half_width, y + half_height, 0.06, WHITE, WATER_COLOUR, 0.018
    )
    yield Text(x, y, text, SIDE_COST_EM, BLACK, "bold")


def barrier_items(start: Point, end: Point) -> Iterator[Item]:
    """A barrier: a bar along a hex side that no track may cross."""

    def point_at(fraction: float) -> Point:
        return (start[0] + (end[0] - start[0]) * fraction, start[1] + (end[1] - start[1]) * fraction)

    yield Polyline((point_at(0.04), point_at(0.96)), WHITE, 0.155)
    yield Polyline((point_at(0.06), point_at(0.94)), BARRIER_COLOUR, 0.105)
    dx, dy = (end[1] - start[1]) * 0.06, (start[0] - end[0]) * 0.06
    for i in range(1, 5):
        x, y = point_at(i / 5)
        yield Polyline(((x - dx, y - dy), (x + dx, y + dy)), WHITE, 0.035)
