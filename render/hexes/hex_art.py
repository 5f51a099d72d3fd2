"""Drawing items of one whole hex, in paint order; lengths are in hex sides from the hex's centre."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, TypeAlias

from engine import topology
from engine.views import HexView, StopView
from render.font_metrics import CAP_HEIGHT, text_width
from render.hexes import route_art, stop_art
from render.hexes.ground_art import HexBackground, background_items
from render.hexes.hex_geometry import (
    APOTHEM,
    Layout,
    Line,
    StopPlace,
    corner_point,
    hex_outline,
    outward_vector,
    side_middle,
    track_layers,
    track_line,
)
from render.hexes.label_plan import label_plan
from render.hexes.labels import (
    HALO_WIDTH,
    SIGN_SPACING,
    SPIKE_BASE_DISTANCE,
    SPIKE_TIP_DISTANCE,
    UNBOXED_LINE_HEIGHT,
    Label,
    LabelPlan,
    NameLabel,
    ValueRow,
    chip_width,
    name_box_size,
    value_boxes,
)
from render.hexes.mark_art import mark_items
from render.scene import Colour, Disc, Item, Polygon, Polyline, RoundedBox, Text
from render.theme import (
    BLACK,
    HIGHLIGHT_COLOUR,
    LINE_COLOUR,
    MOUNTAIN_COLOUR,
    RIM_COLOUR,
    SWAMP_COLOUR,
    WATER_COLOUR,
    WHITE,
    Theme,
    ink_on,
    mix_colours,
    theme_named,
)

TRACK_WIDTH: Final = 0.12
CASING_WIDTH: Final = 0.025
PIP_COUNTS: Final = {"yellow": 1, "green": 2, "brown": 3, "gray": 4}
HighlightedSide: TypeAlias = int
"""A side (0-5) that is highlighted because the hex across it was laid in the last turn.

WHOLE_HEX means that the hex itself is highlighted.
"""
WHOLE_HEX: Final = -1
_WIDE_COORDINATE_WIDTH: Final = 0.4
_FITTED_COORDINATE_WIDTH: Final = 0.35
"""Width, in hex sides, to which coordinates wider than _WIDE_COORDINATE_WIDTH are shrunk."""


@dataclass(frozen=True, slots=True)
class Overlay:
    """Highlights, routes and other things drawn over a hex, and options of its labels."""

    highlighted_sides: tuple[HighlightedSide, ...] = ()
    new_token_slots: tuple[tuple[int, int], ...] = ()
    route_segments: tuple[route_art.RouteSegment, ...] = ()
    stop_rings: tuple[route_art.StopRing, ...] = ()
    route_starts: tuple[route_art.RouteStart, ...] = ()
    is_named_elsewhere: bool = False
    """True if the hex belongs to an area of several hexes, and another hex shows its name and revenue."""
    is_close_up: bool = False
    """True in a close-up, where coordinates are drawn larger."""
    large_names: tuple[Text, ...] | None = None
    """Pieces of large names (which span several hexes) to draw on this hex; None if the hex shows its own name."""
    revenue_steps: tuple[str, ...] = ()
    """Names of the revenue steps, such as phases. A step named after a tile colour is drawn in that colour."""


@lru_cache(maxsize=3072)
def hex_items(view: HexView, layout: Layout, theme_name: str, overlay: Overlay) -> tuple[Item, ...]:
    """All drawing items of a hex, not clipped to its outline."""
    theme = theme_named(theme_name)
    view = view if overlay.large_names is None else replace(view, name="")
    plan = label_plan(layout, view, overlay.is_named_elsewhere)
    track_lines = _track_lines(layout, view, plan.places)
    items: list[Item] = list(background_items(HexBackground.from_view(view, layout, theme)))
    items.extend(_highlight_items(layout, overlay.highlighted_sides))
    items.extend(_track_items(view, theme, track_lines))
    items.extend(route_art.segment_items(overlay.route_segments, track_lines, theme))
    items.extend(_stop_items(view, theme, plan.places, overlay))
    items.extend(route_art.ring_items(overlay.stop_rings, view, plan, layout, theme))
    items.extend(label_items(view, theme, plan, overlay.is_close_up, overlay.revenue_steps))
    items.extend(route_art.start_items(overlay.route_starts, track_lines, theme))
    items.extend(overlay.large_names or ())
    return tuple(items)


def off_map_items(
    layout: Layout, theme_name: str, sides: tuple[int, ...], highlighted_sides: tuple[HighlightedSide, ...]
) -> tuple[Item, ...]:
    """Drawing items of an empty position next to the map: the outer halves of the borders and highlights."""
    theme = theme_named(theme_name)
    corners = hex_outline(layout)
    borders = (Polyline((corners[side - 1], corners[side]), theme.hairline, 0.02) for side in sides)
    return (
        Polygon(hex_outline(layout, -0.03), theme.page),
        *borders,
        *_highlight_items(layout, highlighted_sides),
    )


def _highlight_items(layout: Layout, highlighted_sides: tuple[HighlightedSide, ...]) -> Iterator[Item]:
    for colour, width in ((WHITE, 0.13), (HIGHLIGHT_COLOUR, 0.075)):
        for side in highlighted_sides:
            x, y = (0.0, 0.0) if side == WHOLE_HEX else side_middle(layout, side)
            outline = tuple(
                (px + 2 * x, py + 2 * y) for px, py in (corner_point(layout, k) for k in range(6))
            )
            yield Polyline(outline, colour, width, is_closed=True)


def _track_lines(
    layout: Layout, view: HexView, places: tuple[StopPlace, ...]
) -> dict[tuple[topology.End, topology.End], Line]:
    if not view.is_terminal:
        return {
            (first_end, last_end): track_line(layout, places, first_end, last_end)
            for first_end, last_end in view.pieces
        }
    lines: dict[tuple[topology.End, topology.End], Line] = {}
    for first_end, last_end in view.pieces:
        x, y = outward_vector(layout, min(first_end, last_end))
        tip_distance = _spike_tip_distance(view, max(first_end, last_end))
        line = ((x * (APOTHEM + 0.02), y * (APOTHEM + 0.02)), (x * tip_distance, y * tip_distance))
        lines[(first_end, last_end)] = line if first_end < last_end else line[::-1]
    return lines


def _spike_tip_distance(view: HexView, end: topology.End) -> float:
    stop = (
        view.stops[end - topology.FIRST_STOP]
        if topology.FIRST_STOP <= end < topology.FIRST_STOP + len(view.stops)
        else None
    )
    return 0.27 if stop is not None and stop.slots else SPIKE_TIP_DISTANCE


def _track_items(
    view: HexView, theme: Theme, lines: dict[tuple[topology.End, topology.End], Line]
) -> Iterator[Item]:
    if view.is_terminal:
        for line in lines.values():
            yield from _spike_items(line, theme.casing)
        return
    for layer in track_layers(view.pieces, view.rotation) if view.pieces else ():
        for colour, width in ((theme.casing, TRACK_WIDTH + 2 * CASING_WIDTH), (BLACK, TRACK_WIDTH)):
            for piece in layer:
                yield Polyline(lines[piece], colour, width)


def _spike_items(line: Line, casing: Colour) -> Iterator[Item]:
    (x0, y0), (x1, y1) = sorted(line, key=lambda p: -(p[0] * p[0] + p[1] * p[1]))
    base_distance = (x0 * x0 + y0 * y0) ** 0.5
    unit_x, unit_y = x0 / base_distance, y0 / base_distance
    tip_distance = max(0.0, x1 * unit_x + y1 * unit_y)
    shoulder_distance = max(SPIKE_BASE_DISTANCE, tip_distance + 0.1)
    for colour, extra_width in ((casing, CASING_WIDTH), (BLACK, 0.0)):
        half_width = 0.085 + extra_width
        layer_tip_distance = max(0.0, tip_distance - 2.5 * extra_width)
        yield Polygon(
            (
                (x0 - unit_y * half_width, y0 + unit_x * half_width),
                (
                    unit_x * shoulder_distance - unit_y * half_width,
                    unit_y * shoulder_distance + unit_x * half_width,
                ),
                (unit_x * layer_tip_distance, unit_y * layer_tip_distance),
                (
                    unit_x * shoulder_distance + unit_y * half_width,
                    unit_y * shoulder_distance - unit_x * half_width,
                ),
                (x0 + unit_y * half_width, y0 - unit_x * half_width),
            ),
            colour,
        )


def _stop_items(
    view: HexView, theme: Theme, places: tuple[StopPlace, ...], overlay: Overlay
) -> Iterator[Item]:
    for i, (stop, place) in enumerate(zip(view.stops, places, strict=True)):
        if place.shape == "city":
            new_token_slots = [slot for stop_index, slot in overlay.new_token_slots if stop_index == i]
            yield from stop_art.city_items(place, stop, theme, new_token_slots)
        elif place.shape != "area":
            yield from stop_art.town_items(place, theme)


def label_items(
    view: HexView, theme: Theme, plan: LabelPlan, is_close_up: bool, revenue_steps: tuple[str, ...] = ()
) -> Iterator[Item]:
    """All texts, value discs and marks on a hex; `revenue_steps` are the names of the revenue steps."""
    background = theme.tile_colour(view.colour)
    ink = ink_on(background)
    if plan.name is not None:
        yield from _name_items(plan.name, background)
    yield from _corner_texts(view, plan, mix_colours(background, ink, 0.85), is_close_up)
    for value_label in plan.revenues:
        yield from value_disc(value_label)
    if plan.value_row is not None:
        stop = next(s for s in view.stops if len(s.revenue) > 1)
        yield from _value_row(plan.value_row, stop, theme, revenue_steps)
    if plan.label is not None:
        s = plan.label
        yield Text(s.x, s.y, s.text, s.size, BLACK, "black", halo=WHITE, halo_width=0.022)
    if plan.cost is not None:
        yield from _cost_items(view, plan.cost, plan.cost_arrangement, ink)
    if plan.chip is not None:
        yield from _chip_items(plan.chip)
    for mark in plan.marks:
        yield from mark_items(view.marks[mark.index], (mark.x, mark.y), mark.size)


def _corner_texts(view: HexView, plan: LabelPlan, ink: str, is_close_up: bool) -> Iterator[Item]:
    x, y = plan.coordinate_point
    coordinate_em, width = 0.2 if is_close_up else 0.19, text_width(view.coord, "black")
    if width * 0.19 > _WIDE_COORDINATE_WIDTH:
        coordinate_em = _FITTED_COORDINATE_WIDTH / width
    yield Text(x, y, view.coord, coordinate_em, ink, "black")
    number_x, number_y = plan.number_point
    if view.tile is not None:
        yield Text(number_x, number_y - 0.03, view.tile, 0.14, ink, "bold")
    yield from pip_items(number_x, number_y + 0.08, PIP_COUNTS.get(view.colour, 0), ink)


def pip_items(x: float, y: float, count: int, ink: Colour) -> Iterator[Item]:
    """A row of pips (dots) around a point. Their number shows the tile's colour to colour-blind players."""
    for i in range(count):
        yield Disc(x + (i - (count - 1) / 2) * 0.062, y, 0.022, ink)


def value_disc(label: Label) -> Iterator[Item]:
    """A revenue value in a white circle."""
    yield Disc(label.x, label.y, label.size, WHITE, RIM_COLOUR, 0.016)
    yield Text(label.x, label.y, label.text, 0.25 if len(label.text) < 3 else 0.20, BLACK, "bold")


def _value_row(row: ValueRow, stop: StopView, theme: Theme, revenue_steps: tuple[str, ...]) -> Iterator[Item]:
    boxes = value_boxes(row, stop.revenue, stop.revenue_index)
    shown_indexes = [stop.revenue_index] if row.shows_current_only else range(len(boxes))
    for i in sorted(shown_indexes, key=lambda i: i == stop.revenue_index):
        # Colours that look like phases and are none would mislead: a step of another name stays neutral.
        step_name = revenue_steps[i] if len(revenue_steps) == len(boxes) else "white"
        box_colour = theme.tiles[step_name if step_name in PIP_COUNTS else "white"]
        yield from _value_box(boxes[i], row.scale, str(stop.revenue[i]), box_colour, i == stop.revenue_index)


def _value_box(
    box: tuple[float, float, float, float], scale: float, text: str, box_colour: str, is_current: bool
) -> Iterator[Item]:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    if is_current:
        yield RoundedBox(*box, 0.03, box_colour, LINE_COLOUR, 0.035 * scale)
        size = (0.29 if len(text) < 3 else 0.24) * scale
        yield Text(x, y, text, size, ink_on(box_colour), "black")
        return
    pale_box_colour = mix_colours(box_colour, WHITE, 0.35)
    yield RoundedBox(*box, 0.0, pale_box_colour, RIM_COLOUR, 0.012)
    yield Text(x, y, text, 0.20 * scale, mix_colours(pale_box_colour, ink_on(pale_box_colour), 0.8), "bold")


def _name_items(name: NameLabel, background: str) -> Iterator[Item]:
    if name.style == "bare":
        for i, line in enumerate(name.lines):
            y = name.y + (i - (len(name.lines) - 1) / 2) * UNBOXED_LINE_HEIGHT * name.size
            yield Text(name.x, y, line, name.size, BLACK, "bold", halo=WHITE, halo_width=HALO_WIDTH)
        return
    width, height = name_box_size(name.lines, name.size)
    x, y = name.x, name.y
    name_box_colour = mix_colours(background, WHITE, 0.75)
    yield RoundedBox(x - width / 2, y - height / 2, x + width / 2, y + height / 2, 0.05, name_box_colour)
    for i, line in enumerate(name.lines):
        yield Text(x, y + (i - (len(name.lines) - 1) / 2) * 1.15 * name.size, line, name.size, BLACK, "bold")


def _cost_items(view: HexView, label: Label, arrangement: str, ink: str) -> Iterator[Item]:
    digits_width = text_width(label.text) * label.size
    if not view.terrain:
        yield Text(label.x, label.y, label.text, label.size, ink, "bold")
        return
    is_stacked = arrangement == "stacked"
    sign_position = (label.x, label.y - 0.12) if is_stacked else (label.x - digits_width / 2 - 0.02, label.y)
    text_position = (label.x, label.y + 0.13) if is_stacked else (label.x + 0.16, label.y)
    for i, kind in enumerate(view.terrain):
        yield from terrain_sign(
            kind,
            sign_position[0] + (i - (len(view.terrain) - 1) / 2) * SIGN_SPACING,
            sign_position[1],
            ink == WHITE,
        )
    yield Text(text_position[0], text_position[1], label.text, label.size, ink, "bold")


def terrain_sign(kind: str, x: float, y: float, is_on_dark: bool) -> Iterator[Item]:
    """A terrain symbol, 0.26 hex sides wide: a mountain, two waves or tufts of grass."""
    colour = {"water": WATER_COLOUR, "swamp": SWAMP_COLOUR}.get(kind, MOUNTAIN_COLOUR)
    if is_on_dark:
        colour = mix_colours(colour, WHITE, 0.5)
    if kind == "water":
        for dy in (-0.045, 0.045):
            wave_points = tuple((x + (i - 6) * 0.022, y + dy + 0.025 * _wave_height(i)) for i in range(13))
            yield Polyline(wave_points, colour, 0.04)
    elif kind == "swamp":
        for dx in (-0.09, 0.0, 0.09):
            for lean in (-0.03, 0.0, 0.03):
                yield Polyline(((x + dx, y + 0.08), (x + dx + lean, y - 0.06)), colour, 0.022)
    else:
        yield Polygon(((x - 0.14, y + 0.10), (x, y - 0.11), (x + 0.14, y + 0.10)), colour)
        yield Polygon(((x - 0.045, y - 0.04), (x, y - 0.11), (x + 0.045, y - 0.04), (x, y - 0.015)), WHITE)


def _wave_height(i: int) -> float:
    return (0.0, -0.8, -1.0, 0.0, 0.8, 1.0)[i % 6]


def _chip_items(label: Label) -> Iterator[Item]:
    half_width = chip_width(label.text) / 2
    half_height = 0.19 * CAP_HEIGHT / 2 + 0.085
    yield RoundedBox(
        label.x - half_width,
        label.y - half_height,
        label.x + half_width,
        label.y + half_height,
        0.05,
        WHITE,
        BLACK,
        0.022,
    )
    yield Text(label.x, label.y, label.text, 0.19, BLACK, "bold")
