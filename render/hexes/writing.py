"""What is written on a hex, and how much room it takes; `render.hexes.plan` finds the places. In hex sides."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from render.font_metrics import text_width
from render.hexes import mark_art
from render.hexes.track_art import Place
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
class Spot:
    """A piece of writing: where, what, and how large its em or radius is, in hex sides."""

    x: float
    y: float
    text: str
    size: float = 0.0


@dataclass(frozen=True, slots=True)
class Row:
    """The row of values of a stop that has several: centre and scale."""

    x: float
    y: float
    scale: float
    alone: bool = False
    """The present value only."""


@dataclass(frozen=True, slots=True)
class Name:
    """A name: centre, lines, em, and whether it has a plate."""

    x: float
    y: float
    lines: tuple[str, ...]
    size: float
    look: Literal["plate", "bare"] = "plate"
    """`bare`: letters with a rim, between which the track stays visible."""


@dataclass(frozen=True, slots=True)
class Mark:
    """Where the mark with this index goes: centre, width and height."""

    index: int
    x: float
    y: float
    size: mark_art.Size


@dataclass(frozen=True, slots=True)
class Plan:
    """All writing of one hex, in hex sides from its centre."""

    spots: tuple[Place, ...]
    coordinate: Point
    number: Point
    revenues: tuple[Spot, ...] = ()
    row: Row | None = None
    label: Spot | None = None
    cost: Spot | None = None
    cost_look: Literal["stacked", "beside"] = "stacked"
    chip: Spot | None = None
    name: Name | None = None
    marks: tuple[Mark, ...] = ()
    """A mark without room is not in it: the legend beside the map speaks for it."""


def name_lines(name: str) -> tuple[str, ...]:
    """A name on one line, or on two when longer than 12 letters, broken where the lines are most alike."""
    words = name.split()
    if len(name) <= 12 or len(words) == 1:
        return (name,)
    ways = [(" ".join(words[:i]), " ".join(words[i:])) for i in range(1, len(words))]
    return min(ways, key=lambda lines: max(text_width(line) for line in lines))


def chip_width(text: str) -> float:
    """Width of a private's chip, in hex sides."""
    return text_width(text) * 0.19 + 0.16


def row_widths(values: Sequence[int], current: int) -> tuple[float, ...]:
    """Widths of the boxes of an off-board row, in hex sides; the value that counts now is wider."""
    return tuple((0.125 * len(str(v)) + 0.05) * (1.3 if i == current else 1.0) for i, v in enumerate(values))


def value_boxes(
    row: Row, values: Sequence[int], current: int
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
