"""The labels of a hex with their sizes; `render.hexes.label_plan` finds their places."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from render.font_metrics import CAP_HEIGHT, text_width
from render.hexes import mark_art
from render.hexes.hex_geometry import Layout, StopPlace
from render.hexes.label_slots import (
    Blob,
    LabelSlot,
    LabelSlots,
    Obstacles,
    Placement,
    box_blobs,
    slot_over_track,
    slot_within,
)
from render.scene import Point

SPIKE_FROM: Final = 0.76
"""Where the spike of a red area begins, from the centre."""
SPIKE_TIP: Final = 0.48
"""Where it ends."""
SIGN: Final = 0.28
"""From one sign of terrain to the next."""
LONG_ROW: Final = 4
"""Most values of a row that are read on a hex; longer ones stand in the margin, too."""


@dataclass(frozen=True, slots=True)
class Label:
    """A label: place, text, and em or radius in hex sides."""

    x: float
    y: float
    text: str
    size: float = 0.0


@dataclass(frozen=True, slots=True)
class ValueRow:
    """A row of values of one stop: centre and scale."""

    x: float
    y: float
    scale: float
    alone: bool = False
    """The present value only."""


@dataclass(frozen=True, slots=True)
class NameLabel:
    """A hex's name: centre, lines, em, and look (on a plate or bare)."""

    x: float
    y: float
    lines: tuple[str, ...]
    size: float
    look: Literal["plate", "bare"] = "plate"
    """`bare`: letters with a rim, between which the track stays visible."""


@dataclass(frozen=True, slots=True)
class MarkPlace:
    """The place of the mark with this index: centre and size."""

    index: int
    x: float
    y: float
    size: mark_art.MarkSize


@dataclass(frozen=True, slots=True)
class LabelPlan:
    """The places of all labels of a hex, in hex sides from its centre."""

    spots: tuple[StopPlace, ...]
    coordinate: Point
    number: Point
    revenues: tuple[Label, ...] = ()
    row: ValueRow | None = None
    label: Label | None = None
    cost: Label | None = None
    cost_look: Literal["stacked", "beside"] = "stacked"
    chip: Label | None = None
    name: NameLabel | None = None
    marks: tuple[MarkPlace, ...] = ()
    """A mark without room is not in it: the legend beside the map speaks for it."""


def name_lines(name: str) -> tuple[str, ...]:
    """A name on one line, or on two when longer than 12 letters, broken where the lines are most alike."""
    _, *ways = _line_breaks(name)
    if len(name) <= 12 or not ways:
        return (name,)
    return min(ways, key=lambda lines: max(text_width(line) for line in lines))


def chip_width(text: str) -> float:
    """Width of a private's chip, in hex sides."""
    return text_width(text) * 0.19 + 0.16


def row_widths(values: Sequence[int], current: int) -> tuple[float, ...]:
    """Widths of the boxes of an off-board row, in hex sides; the value that counts now is wider."""
    return tuple((0.125 * len(str(v)) + 0.05) * (1.3 if i == current else 1.0) for i, v in enumerate(values))


def value_boxes(
    row: ValueRow, values: Sequence[int], current: int
) -> tuple[tuple[float, float, float, float], ...]:
    """The box of each value of a row: left, top, right, bottom; the one that counts now is taller."""
    widths = [width * row.scale for width in row_widths(values, current)]
    if row.alone:
        widths = [width if i == current else 0.0 for i, width in enumerate(widths)]
    left = row.x - sum(widths) / 2
    edges = [left + sum(widths[:i]) for i in range(len(widths) + 1)]
    talls = [(0.20 if i == current else 0.14) * row.scale for i in range(len(values))]
    return tuple((edges[i], row.y - tall, edges[i + 1], row.y + tall) for i, tall in enumerate(talls))


def plate(lines: tuple[str, ...], size: float) -> Point:
    """Width and height of the plate of a name."""
    return max(text_width(line) for line in lines) * size + 0.1, 1.15 * size * len(lines) + 0.04


_PLATED: Final = ((0.165, (0.02,)), (0.14, (0.02, 0.08)))
"""Em of a name on its plate and the overlap it may have, rather little than much."""
_BARE: Final = ((0.15, 0.012), (0.13, 0.012), (0.115, 0.012), (0.115, 0.05), (0.105, 0.15), (0.1, 0.4))
"""The same without one: track stays visible between the letters, so only what else there is counts."""
HALO: Final = 0.028
"""Width of the rim of bare letters."""
EDGE: Final = 0.017
"""Half of the line round a hex, which letters leave free."""
LEADING: Final = 1.1
"""Height of a line of a bare name in em."""


@dataclass(frozen=True, slots=True)
class PlacedName:
    """A name with its place."""

    name: NameLabel
    placement: Placement


_DOWN: Final = (0.40, 0.48, 0.56, 0.62, -0.40, -0.48, -0.56, -0.62, 0.0, 0.30, -0.30)
_ACROSS: Final = (0.0, -0.12, 0.12, -0.25, 0.25, -0.36, 0.36)
_PLATED_SLOTS: Final = LabelSlots(LabelSlot(x, y, abs(x) / 8) for y in _DOWN for x in _ACROSS)


def name_on_plate(layout: Layout, text: str, obstacles: Obstacles) -> PlacedName | None:
    """The name on its plate, if it covers nothing there."""
    lines = name_lines(text)
    for size, limits in _PLATED:
        wide, tall = plate(lines, size)
        shape = tuple(_line_blobs(len(lines), wide, tall))
        slot = slot_within(layout, _PLATED_SLOTS, shape, obstacles, limits[-1])
        if slot is None:
            continue
        if slot.overlap >= limits[0]:
            slot = slot_within(layout, _PLATED_SLOTS, shape, obstacles, limits[0]) or slot
        return PlacedName(NameLabel(slot.x, slot.y, lines, size), slot)
    return None


def bare_name(layout: Layout, text: str, track: Obstacles, rest: Obstacles) -> PlacedName | None:
    """The name without a plate, where it hides the least track, with the best line breaks."""
    for size, limit in _BARE:
        tries = [_bare(layout, lines, size, limit, track, rest) for lines in _line_breaks(text)]
        seated = [one for one in tries if one is not None]
        if seated:
            return min(seated, key=lambda one: one.placement.cost)
    return None


def _bare(
    layout: Layout,
    lines: tuple[str, ...],
    size: float,
    limit: float,
    track: Obstacles,
    rest: Obstacles,
) -> PlacedName | None:
    wide = max(text_width(line) for line in lines) * size + 2 * (HALO + EDGE)
    tall = (LEADING * (len(lines) - 1) + CAP_HEIGHT) * size + 2 * (HALO + EDGE)
    shape = tuple(_line_blobs(len(lines), wide, tall))
    slot = slot_over_track(layout, shape, track, rest, limit)
    return None if slot is None else PlacedName(NameLabel(slot.x, slot.y, lines, size, "bare"), slot)


def _line_breaks(text: str) -> Iterator[tuple[str, ...]]:
    """The name on one line, and on two wherever it has a blank."""
    words = text.split()
    yield (text,)
    for i in range(1, len(words)):
        yield (" ".join(words[:i]), " ".join(words[i:]))


def _line_blobs(count: int, wide: float, height: float) -> Iterator[Blob]:
    for i in range(count):
        yield from box_blobs(0.0, (i - (count - 1) / 2) * height / count, wide, height / count)
