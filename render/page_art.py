"""Where the panels of a whole map go: on empty page, else beside a tall map, else below it."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from engine.tell.views import MapView
from render import panel_art
from render.hexgrid import Grid
from render.scene import Placed
from render.theme import Theme

MARGIN: Final = 0.9
"""Page around the map, in hex sides."""
_PACE: Final = 8
"""Pixels between the places tried for a panel."""
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
def empty_seat(
    block: tuple[int, int],
    centres: tuple[tuple[int, int], ...],
    grid: Grid,
    size: tuple[int, int],
    used: tuple[Box, ...],
) -> tuple[int, int] | None:
    """Where a block fits on empty page, as near a corner of the page as can be, lower right first."""
    edge = round(MARGIN * grid.radius * 0.85)
    half_x, half_y = grid.half
    lowest, rightmost = size[1] - edge - block[1], size[0] - edge - block[0]
    seats = [(x, y) for y in range(lowest, edge, -_PACE) for x in range(rightmost, edge, -_PACE)]

    def away(seat: tuple[int, int]) -> int:
        """Distance from the nearest corner of the page, the upper ones a little less wanted."""
        x, y = seat
        return min(lowest - y, y - edge + 40) + min(rightmost - x, x - edge)

    for seat in sorted(seats, key=away):
        box = (*seat, *block)
        hit = any(_hits(box, cx, cy, half_x, half_y) for cx, cy in centres)
        if not hit and not any(_meets(box, other) for other in used):
            return seat
    return None


def _hits(box: Box, cx: int, cy: int, half_x: int, half_y: int) -> bool:
    """Whether a box comes near a hex; the corners of the hex's bounding box count as empty."""
    x, y, width, height = box
    dx = max(x - cx, cx - x - width, 0)
    dy = max(y - cy, cy - y - height, 0)
    return dx < half_x + 8 and dy < half_y + 8 and dx / half_x + dy / half_y < 1.5


def _meets(one: Box, other: Box) -> bool:
    return (
        one[0] < other[0] + other[2] + 12
        and other[0] < one[0] + one[2] + 12
        and one[1] < other[1] + other[3] + 12
        and other[1] < one[1] + one[3] + 12
    )
