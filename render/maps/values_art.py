"""What places with many values are worth in every phase: on their hexes there is room for the present one alone."""

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from engine.tell.views import HexView, MapView, StopView
from render.font_metrics import fitting
from render.hexes.hexgrid import Layout
from render.hexes.writing import LONG_ROW
from render.maps.overlays import quiet_hexes
from render.scene import Block, Item, RoundedBox, Text
from render.theme import Theme, mix

_EM: Final = 19
_LINE: Final = 27
_HEAD: Final = 58
"""Pixels above the first line."""
_COLUMN: Final = 38
"""Pixels for a value."""
_LEAST: Final = 350
"""Pixels across in which names and values can be read."""
_GAP: Final = 36
_Place: TypeAlias = tuple[HexView, StopView]


def values(view: MapView, theme: Theme, width: int) -> Block | None:
    """A line for each such place, one under the other; None where there is none."""
    found = _places(view.layout, view.hexes)
    if not found:
        return None
    wide = max(width, _LEAST)
    return Block(wide, _tall(found), tuple(_lines(found, view.revenue_steps, theme, (0.0, wide))))


def values_strip(view: MapView, hexes: Sequence[HexView], theme: Theme, width: int, inset: int = 0) -> Block:
    """The same for these hexes of the map, in columns for the space below it; empty where there is none."""
    found = _places(view.layout, tuple(hexes))
    across = width - 2 * inset + _GAP
    columns = max(1, across // (_LEAST + _GAP))
    each = -(-len(found) // columns) or 1
    step = across / columns
    items: list[Item] = []
    for i in range(0, len(found), each):
        left = inset + i // each * step
        items.extend(_lines(found[i : i + each], view.revenue_steps, theme, (left, left + step - _GAP)))
    return Block(width, _tall(found[:each]) if found else 0, tuple(items))


def _places(layout: Layout, hexes: tuple[HexView, ...]) -> list[_Place]:
    quiet = quiet_hexes(layout, hexes)
    stops = ((h, next((s for s in h.stops if len(s.revenue) > LONG_ROW), None)) for h in hexes)
    return sorted(
        ((h, s) for h, s in stops if s is not None and h.coord not in quiet), key=lambda place: place[0].name
    )


def _tall(found: Sequence[_Place]) -> int:
    return _HEAD + _LINE * len(found)


def _lines(
    found: Sequence[_Place], steps: tuple[str, ...], theme: Theme, across: tuple[float, float]
) -> Iterator[Item]:
    left, right = across
    soft = mix(theme.page, theme.ink, 0.72)
    yield Text(left, 12, "Value by phase", 20, soft, "bold", "left")
    for x, step in zip(_columns(right, len(steps)), steps, strict=True):
        yield Text(x, 42, step, fitting(step, _COLUMN - 4, 17), soft, "bold")
    for i, (place, stop) in enumerate(found):
        yield from _line(place, stop, theme, across, _HEAD + (i + 0.5) * _LINE)


def _columns(right: float, count: int) -> list[float]:
    return [right - (count - i - 0.5) * _COLUMN for i in range(count)]


def _line(
    place: HexView, stop: StopView, theme: Theme, across: tuple[float, float], y: float
) -> Iterator[Item]:
    left, right = across
    columns = _columns(right, len(stop.revenue))
    words = f"{place.coord} {place.name}"
    size = fitting(words, columns[0] - _COLUMN / 2 - 8 - left, _EM)
    yield Text(left, y, words, size, theme.ink, "bold", "left")
    for i, (x, value) in enumerate(zip(columns, stop.revenue, strict=True)):
        now = i == stop.current
        if now:
            half = _COLUMN / 2 - 1
            yield RoundedBox(x - half, y - 12, x + half, y + 12, 4, theme.sheet, theme.ink, 2)
        yield Text(
            x, y, str(value), fitting(str(value), _COLUMN - 8, _EM), theme.ink, "black" if now else "regular"
        )
