"""The labels of a hex with their sizes; `render.hexes.label_plan` chooses their positions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from render.font_metrics import CAP_HEIGHT, text_width
from render.hexes import mark_art
from render.hexes.hex_geometry import Layout, StopPlace
from render.hexes.label_slots import (
    LabelSlot,
    LabelSlots,
    Obstacles,
    Placement,
    ShapeDisc,
    box_discs,
    lowest_cost_slot,
    slot_over_track,
)
from render.scene import Point

SPIKE_BASE_DISTANCE: Final = 0.76
"""Distance from the hex's centre at which an off-board area's track spike starts to narrow."""
SPIKE_TIP_DISTANCE: Final = 0.48
"""Distance from the hex's centre to the tip of an off-board area's track spike."""
SIGN_SPACING: Final = 0.28
"""Distance between the centres of two terrain symbols, in hex sides."""
MAX_VALUES_IN_ROW: Final = 4
"""Maximum number of revenue values that a hex shows in a row; a longer row is listed in full next to the map."""


@dataclass(frozen=True, slots=True)
class Label:
    """A label's position, text and size in hex sides. The size is a font size, or the radius of a disc."""

    x: float
    y: float
    text: str
    size: float = 0.0


@dataclass(frozen=True, slots=True)
class ValueRow:
    """The row of revenue values of one stop: centre and scale."""

    x: float
    y: float
    scale: float
    shows_current_only: bool = False
    """True if only the current value is shown."""


@dataclass(frozen=True, slots=True)
class NameLabel:
    """A hex's name: centre, lines, font size, and style."""

    x: float
    y: float
    lines: tuple[str, ...]
    size: float
    style: Literal["plate", "bare"] = "plate"
    """`plate`: in a background box. `bare`: outlined letters without a box; track is visible between them."""


@dataclass(frozen=True, slots=True)
class MarkPlace:
    """Centre and size of a mark; `index` is its index in the hex's list of marks."""

    index: int
    x: float
    y: float
    size: mark_art.MarkSize


@dataclass(frozen=True, slots=True)
class LabelPlan:
    """Positions of all labels of a hex, in hex sides from its centre."""

    places: tuple[StopPlace, ...]
    coordinate_point: Point
    number_point: Point
    revenues: tuple[Label, ...] = ()
    value_row: ValueRow | None = None
    label: Label | None = None
    cost: Label | None = None
    cost_arrangement: Literal["stacked", "beside"] = "stacked"
    chip: Label | None = None
    name: NameLabel | None = None
    marks: tuple[MarkPlace, ...] = ()
    """Positions of the marks. Marks without room are left out; the legend next to the map explains them."""


def name_lines(name: str) -> tuple[str, ...]:
    """A name on one line, or on two lines of similar width if it is longer than 12 letters."""
    _, *two_line_names = _possible_name_lines(name)
    if len(name) <= 12 or not two_line_names:
        return (name,)
    return min(two_line_names, key=lambda lines: max(text_width(line) for line in lines))


def chip_width(text: str) -> float:
    """Width of the box with a private's abbreviation, in hex sides."""
    return text_width(text) * 0.19 + 0.16


def row_widths(values: Sequence[int], current_index: int) -> tuple[float, ...]:
    """Widths of the boxes in a row of revenue values, in hex sides; the current value's box is wider."""
    return tuple(
        (0.125 * len(str(v)) + 0.05) * (1.3 if i == current_index else 1.0) for i, v in enumerate(values)
    )


def value_boxes(
    row: ValueRow, values: Sequence[int], current_index: int
) -> tuple[tuple[float, float, float, float], ...]:
    """The box of each revenue value in a row: left, top, right, bottom. The current value's box is taller."""
    widths = [width * row.scale for width in row_widths(values, current_index)]
    if row.shows_current_only:
        widths = [width if i == current_index else 0.0 for i, width in enumerate(widths)]
    left_edge = row.x - sum(widths) / 2
    box_edges = [left_edge + sum(widths[:i]) for i in range(len(widths) + 1)]
    half_heights = [(0.20 if i == current_index else 0.14) * row.scale for i in range(len(values))]
    return tuple(
        (box_edges[i], row.y - half_height, box_edges[i + 1], row.y + half_height)
        for i, half_height in enumerate(half_heights)
    )


def name_box_size(lines: tuple[str, ...], size: float) -> Point:
    """Width and height of a name's background box, in hex sides; `size` is the font size."""
    return max(text_width(line) for line in lines) * size + 0.1, 1.15 * size * len(lines) + 0.04


NAME_EM: Final = 0.2
"""Font size of a hex's name where there is enough room, in hex sides."""
_BOXED_NAME_SIZES: Final = ((NAME_EM, (0.02,)), (0.17, (0.02,)), (0.145, (0.02, 0.08)))
"""Font sizes to try for a name in a background box, each with the overlap limits to try, strictest limit first."""
_UNBOXED_NAME_SIZES: Final = (
    (0.175, 0.012),
    (0.14, 0.012),
    (0.115, 0.05),
    (0.105, 0.15),
    (0.1, 0.4),
)
"""Font sizes to try for a name without a background box, each with its limit on overlap with anything but track."""
HALO_WIDTH: Final = 0.028
"""Width of the outline around text that has no background box."""
HALF_BORDER_WIDTH: Final = 0.017
"""Half the width of a hex's border line, which text must not cover."""
UNBOXED_LINE_HEIGHT: Final = 1.1
"""Line height of a name without a background box, as a multiple of the font size."""


@dataclass(frozen=True, slots=True)
class PlacedName:
    """A hex's name with the position found for it."""

    name: NameLabel
    placement: Placement


_BOXED_NAME_YS: Final = (0.40, 0.48, 0.56, 0.62, -0.40, -0.48, -0.56, -0.62, 0.0, 0.30, -0.30)
_BOXED_NAME_XS: Final = (0.0, -0.12, 0.12, -0.25, 0.25, -0.36, 0.36)
_BOXED_NAME_SLOTS: Final = LabelSlots(
    LabelSlot(x, y, abs(x) / 8) for y in _BOXED_NAME_YS for x in _BOXED_NAME_XS
)


def boxed_name(layout: Layout, text: str, obstacles: Obstacles) -> PlacedName | None:
    """The name in a background box; None if no position has enough room."""
    lines = name_lines(text)
    for size, overlap_limits in _BOXED_NAME_SIZES:
        width, height = name_box_size(lines, size)
        shape = tuple(_line_discs(len(lines), width, height))
        slot = lowest_cost_slot(layout, _BOXED_NAME_SLOTS, shape, obstacles, overlap_limits[-1])
        if slot is None:
            continue
        if slot.overlap >= overlap_limits[0]:
            slot = lowest_cost_slot(layout, _BOXED_NAME_SLOTS, shape, obstacles, overlap_limits[0]) or slot
        return PlacedName(NameLabel(slot.x, slot.y, lines, size), slot)
    return None


def unboxed_name(
    layout: Layout, text: str, track_obstacles: Obstacles, other_obstacles: Obstacles
) -> PlacedName | None:
    """The name without a background box, where it hides the least track; None if there is no room.

    It may cover `track_obstacles` but not `other_obstacles`.
    """
    for size, overlap_limit in _UNBOXED_NAME_SIZES:
        tried_names = [
            _unboxed_name_of_size(layout, lines, size, overlap_limit, track_obstacles, other_obstacles)
            for lines in _possible_name_lines(text)
        ]
        placed_names = [placed_name for placed_name in tried_names if placed_name is not None]
        if placed_names:
            return min(placed_names, key=lambda placed_name: placed_name.placement.cost)
    return None


def _unboxed_name_of_size(
    layout: Layout,
    lines: tuple[str, ...],
    size: float,
    overlap_limit: float,
    track_obstacles: Obstacles,
    other_obstacles: Obstacles,
) -> PlacedName | None:
    width = max(text_width(line) for line in lines) * size + 2 * (HALO_WIDTH + HALF_BORDER_WIDTH)
    height = (UNBOXED_LINE_HEIGHT * (len(lines) - 1) + CAP_HEIGHT) * size + 2 * (
        HALO_WIDTH + HALF_BORDER_WIDTH
    )
    shape = tuple(_line_discs(len(lines), width, height))
    slot = slot_over_track(layout, shape, track_obstacles, other_obstacles, overlap_limit)
    return None if slot is None else PlacedName(NameLabel(slot.x, slot.y, lines, size, "bare"), slot)


def _possible_name_lines(text: str) -> Iterator[tuple[str, ...]]:
    """The name on one line, then broken into two lines at each space."""
    words = text.split()
    yield (text,)
    for i in range(1, len(words)):
        yield (" ".join(words[:i]), " ".join(words[i:]))


def _line_discs(line_count: int, width: float, height: float) -> Iterator[ShapeDisc]:
    for i in range(line_count):
        yield from box_discs(
            0.0, (i - (line_count - 1) / 2) * height / line_count, width, height / line_count
        )
