"""Places of a map's panels: in empty space, else beside a tall map, else below."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from engine.views import MapView
from render.draw_cache import cached_drawing
from render.hexes.hex_geometry import HexGrid
from render.maps import panel_art
from render.scene import Placed
from render.theme import Theme

MARGIN: Final = 0.9
"""Page around the map, in hex sides."""
_PACE: Final = 8
"""Pixels between the places tried for a panel."""
_AIR: Final = 8
"""Pixels that a panel keeps from a hex."""
_APART: Final = 12
"""Pixels that panels keep from each other and from letters."""
_TALL: Final = 1.2
"""A map less wide than this for its height gets its panels beside it: phones crop tall pictures."""

Size = tuple[int, int]
Box = tuple[int, int, int, int]
"""Left, top, width and height in pixels."""


def panels(
    view: MapView,
    theme: Theme,
    grid: HexGrid,
    centres: tuple[tuple[int, int], ...],
    size: Size,
    lettered: Sequence[Box] = (),
) -> tuple[list[Placed], Size]:
    """The panels and the enlarged page; `lettered` are areas of axis letters."""
    margin = round(MARGIN * grid.radius)
    used: list[Box] = list(lettered)
    placed: list[Placed] = []
    width, height, beside = *size, margin
    for block, strip in panel_art.panel_blocks(view, theme, grid.radius, size[0] - 2 * margin):
        seat = empty_place((block.width, block.height), centres, grid, size, tuple(used))
        if seat is not None:
            used.append((*seat, block.width, block.height))
            placed.append(Placed(panel_art.panel_sprite(block, theme), *seat))
        elif size[0] < _TALL * size[1] and beside + block.height <= size[1] - margin:
            placed.append(Placed(panel_art.panel_sprite(block, theme), size[0], beside))
            beside += block.height + margin
            width = size[0] + block.width + margin // 2
        else:
            below = strip()
            placed.append(Placed(panel_art.panel_sprite(below, theme), margin, height))
            height += below.height + margin // 3
    return placed, (width, height)


@lru_cache(maxsize=256)
@cached_drawing
def empty_place(
    block: tuple[int, int],
    centres: tuple[tuple[int, int], ...],
    grid: HexGrid,
    size: tuple[int, int],
    used: tuple[Box, ...],
) -> tuple[int, int] | None:
    """A free place for a block in empty space, nearest to a corner, lower right first."""
    edge = round(MARGIN * grid.radius * 0.85)
    lowest, rightmost = size[1] - edge - block[1], size[0] - edge - block[0]
    columns = range(rightmost, edge, -_PACE)
    shadows = _Shadows(columns, block, centres, grid.half)
    best: tuple[int, int] | None = None
    nearest: int | None = None
    for y in range(lowest, edge, -_PACE):
        free = ~(shadows.of_hexes(y) | shadows.of_boxes(y, used)) & shadows.all_columns
        if not free:
            continue
        # In a row the first or the last free place is nearest a corner; the upper corners are a little less wanted.
        down = min(lowest - y, y - edge + 40)
        for column in (_first_bit(free), free.bit_length() - 1):
            x = columns[column]
            away = down + min(rightmost - x, x - edge)
            if nearest is None or away < nearest:
                nearest, best = away, (x, y)
    return best


def _first_bit(bits: int) -> int:
    return (bits & -bits).bit_length() - 1


class _Shadows:
    """For each row the columns (as bits) in which a block would touch something."""

    def __init__(self, columns: range, block: Size, centres: Sequence[tuple[int, int]], half: Size) -> None:
        self._columns = columns
        self._block = block
        self._half: Size = half
        self._rows: dict[int, list[int]] = {}
        for cx, cy in sorted(centres):
            self._rows.setdefault(cy, []).append(cx)
        self._heights = sorted(self._rows)
        self._known: dict[tuple[int, int], int] = {}
        self.all_columns: int = (1 << len(columns)) - 1

    def of_hexes(self, y: int) -> int:
        """Columns blocked by hexes, for a block whose upper edge is at `y`."""
        height, reach = 0, self._half[1] + _AIR
        first = bisect_right(self._heights, y - reach)
        last = bisect_left(self._heights, y + self._block[1] + reach)
        for cy in self._heights[first:last]:
            near = _sideways_reach(max(y - cy, cy - y - self._block[1], 0), *self._half)
            key = (cy, near)
            if key not in self._known:
                self._known[key] = self._of_row(*key)
            height |= self._known[key]
        return height

    def _of_row(self, cy: int, near: int) -> int:
        height = 0
        first, *others = self._rows[cy]
        wide = 2 * near + self._block[0]
        last = first
        for cx in others:
            if cx - last >= wide:
                height |= self._columns_between(first - near - self._block[0], last + near)
                first = cx
            last = cx
        return height | self._columns_between(first - near - self._block[0], last + near)

    def of_boxes(self, y: int, boxes: Sequence[Box]) -> int:
        """Columns blocked by placed boxes."""
        found = 0
        for left, top, width, height in boxes:
            if top - self._block[1] - _APART < y < top + height + _APART:
                found |= self._columns_between(left - self._block[0] - _APART, left + width + _APART)
        return found

    def _columns_between(self, low: int, high: int) -> int:
        first = max(0, (self._columns.start - high) // _PACE + 1)
        last = min(len(self._columns) - 1, -((low - self._columns.start) // _PACE) - 1)
        return (1 << (last + 1)) - (1 << first) if first <= last else 0


@lru_cache(maxsize=4096)
def _sideways_reach(dy: int, half_x: int, half_y: int) -> int:
    """The sideways distance that a box at this height keeps from a hex; 0: none.

    The corners of the hex's bounding box count as empty.
    """
    if dy >= half_y + _AIR:
        return 0
    return next((dx for dx in range(half_x + _AIR) if dx / half_x + dy / half_y >= 1.5), half_x + _AIR)
