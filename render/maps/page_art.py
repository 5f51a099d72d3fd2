"""Where the panels of a whole map go: on empty page, else beside a tall map, else below it."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from engine.tell.views import MapView
from render.hexes.hexgrid import Grid
from render.maps import panel_art
from render.recalled import recalled
from render.scene import Placed
from render.theme import Theme

MARGIN: Final = 0.9
"""Page around the map, in hex sides."""
_PACE: Final = 8
"""Pixels between the places tried for a panel."""
_AIR: Final = 8
"""Pixels that a panel keeps from a hex."""
_TALL: Final = 1.2
"""A map less wide than this for its height gets its panels beside it: phones crop tall pictures."""

Size = tuple[int, int]
Box = tuple[int, int, int, int]
"""Left, top, width and height in pixels."""


def panels(
    view: MapView,
    theme: Theme,
    grid: Grid,
    centres: tuple[tuple[int, int], ...],
    size: Size,
    lettered: Sequence[Box] = (),
) -> tuple[list[Placed], Size]:
    """The panels, and the size of the page with the room they need; `lettered` are letters at its edges."""
    margin = round(MARGIN * grid.radius)
    used: list[Box] = list(lettered)
    found: list[Placed] = []
    width, height, beside = *size, margin
    for block, strip in panel_art.blocks(view, theme, grid.radius, size[0] - 2 * margin):
        seat = empty_seat((block.width, block.height), centres, grid, size, tuple(used))
        if seat is not None:
            used.append((*seat, block.width, block.height))
            found.append(Placed(panel_art.sprite(block, theme), *seat))
        elif size[0] < _TALL * size[1] and beside + block.height <= size[1] - margin:
            found.append(Placed(panel_art.sprite(block, theme), size[0], beside))
            beside += block.height + margin
            width = size[0] + block.width + margin // 2
        else:
            found.append(Placed(panel_art.sprite(strip, theme), margin, height))
            height += strip.height + margin // 3
    return found, (width, height)


@lru_cache(maxsize=256)
@recalled
def empty_seat(
    block: tuple[int, int],
    centres: tuple[tuple[int, int], ...],
    grid: Grid,
    size: tuple[int, int],
    used: tuple[Box, ...],
) -> tuple[int, int] | None:
    """Where a block fits on empty page, as near a corner of the page as can be, lower right first."""
    edge = round(MARGIN * grid.radius * 0.85)
    lowest, rightmost = size[1] - edge - block[1], size[0] - edge - block[0]
    columns = range(rightmost, edge, -_PACE)
    seats = [
        (x, y)
        for y in range(lowest, edge, -_PACE)
        for x, free in zip(columns, _free(columns, y, block, centres, grid.half), strict=True)
        if free
    ]

    def away(seat: tuple[int, int]) -> int:
        """Distance from the nearest corner of the page, the upper ones a little less wanted."""
        x, y = seat
        return min(lowest - y, y - edge + 40) + min(rightmost - x, x - edge)

    met = (seat for seat in sorted(seats, key=away) if not any(_meets((*seat, *block), one) for one in used))
    return next(met, None)


def _free(
    columns: range, y: int, block: Size, centres: Sequence[tuple[int, int]], half: tuple[int, int]
) -> bytearray:
    """For each column whether a block whose upper edge is at `y` comes near no hex there."""
    free = bytearray(b"\1") * len(columns)
    for cx, cy in centres:
        if not y - half[1] - _AIR < cy < y + block[1] + half[1] + _AIR:
            continue
        near = _reach(max(y - cy, cy - y - block[1], 0), *half)
        if near:
            # Columns are counted from the right.
            first = max(0, (columns.start - cx - near) // _PACE + 1)
            last = min(len(columns) - 1, -((cx - block[0] - near - columns.start) // _PACE) - 1)
            if first <= last:
                free[first : last + 1] = bytes(last + 1 - first)
    return free


@lru_cache(maxsize=4096)
def _reach(dy: int, half_x: int, half_y: int) -> int:
    """How many pixels a box so far above or below the middle of a hex keeps from it sideways; 0: it does not matter.

    The corners of the hex's bounding box count as empty.
    """
    if dy >= half_y + _AIR:
        return 0
    return next((dx for dx in range(half_x + _AIR) if dx / half_x + dy / half_y >= 1.5), half_x + _AIR)


def _meets(one: Box, other: Box) -> bool:
    return (
        one[0] < other[0] + other[2] + 12
        and other[0] < one[0] + one[2] + 12
        and one[1] < other[1] + other[3] + 12
        and other[1] < one[1] + one[3] + 12
    )
