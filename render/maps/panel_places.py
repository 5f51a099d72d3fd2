"""Positions of a map's panels: in empty areas of the map, otherwise to the right of a tall map or below a wide one."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from engine.views import MapView
from render.draw_cache import cached_drawing
from render.hexes.hex_geometry import HexGrid
from render.maps import panel_art
from render.scene import PlacedSprite
from render.theme import Theme

MARGIN: Final = 0.9
"""Margin around the map, in hex sides."""
_POSITION_STEP: Final = 8
"""Distance between two positions tried for a panel, in pixels."""
_HEX_GAP: Final = 8
_PANEL_GAP: Final = 12
_MAX_TALL_ASPECT_RATIO: Final = 1.2
"""Width divided by height below which a map counts as tall; its panels go to the right.

Phones crop tall pictures.
"""

Size = tuple[int, int]
Box = tuple[int, int, int, int]
"""Left, top, width and height of a box, in pixels."""


def panels(
    view: MapView,
    theme: Theme,
    grid: HexGrid,
    centres: tuple[tuple[int, int], ...],
    map_size: Size,
    axis_boxes: Sequence[Box] = (),
) -> tuple[list[PlacedSprite], Size]:
    """The placed panels, and the size of the picture with them; panels never cover the label boxes `axis_boxes`."""
    margin = round(MARGIN * grid.radius)
    used_boxes: list[Box] = list(axis_boxes)
    placed_panels: list[PlacedSprite] = []
    width, height, next_right_top = *map_size, margin
    for panel, make_strip in panel_art.panel_blocks(view, theme, grid.radius, map_size[0] - 2 * margin):
        position = free_position((panel.width, panel.height), centres, grid, map_size, tuple(used_boxes))
        if position is not None:
            used_boxes.append((*position, panel.width, panel.height))
            placed_panels.append(PlacedSprite(panel_art.panel_sprite(panel, theme), *position))
        elif (
            map_size[0] < _MAX_TALL_ASPECT_RATIO * map_size[1]
            and next_right_top + panel.height <= map_size[1] - margin
        ):
            placed_panels.append(
                PlacedSprite(panel_art.panel_sprite(panel, theme), map_size[0], next_right_top)
            )
            next_right_top += panel.height + margin
            width = map_size[0] + panel.width + margin // 2
        else:
            strip_block = make_strip()
            placed_panels.append(PlacedSprite(panel_art.panel_sprite(strip_block, theme), margin, height))
            height += strip_block.height + margin // 3
    return placed_panels, (width, height)


@lru_cache(maxsize=256)
@cached_drawing
def free_position(
    block_size: tuple[int, int],
    centres: tuple[tuple[int, int], ...],
    grid: HexGrid,
    page_size: tuple[int, int],
    used_boxes: tuple[Box, ...],
) -> tuple[int, int] | None:
    """The free position for a panel that is nearest to a corner of the page; None if no position is free.

    The lower right corner is preferred.
    """
    margin = round(MARGIN * grid.radius * 0.85)
    last_top, last_left = page_size[1] - margin - block_size[1], page_size[0] - margin - block_size[0]
    left_edges = range(last_left, margin, -_POSITION_STEP)
    blocked_columns = _BlockedColumns(left_edges, block_size, centres, grid.half_size)
    best_position: tuple[int, int] | None = None
    least_distance: int | None = None
    for y in range(last_top, margin, -_POSITION_STEP):
        free_column_bits = (
            ~(blocked_columns.bits_blocked_by_hexes(y) | blocked_columns.bits_blocked_by_boxes(y, used_boxes))
            & blocked_columns.all_columns_mask
        )
        if not free_column_bits:
            continue
        # In a row the first or the last free place is nearest a corner; the upper corners are a little less wanted.
        vertical_distance = min(last_top - y, y - margin + 40)
        for column in (_lowest_bit_index(free_column_bits), free_column_bits.bit_length() - 1):
            x = left_edges[column]
            corner_distance = vertical_distance + min(last_left - x, x - margin)
            if least_distance is None or corner_distance < least_distance:
                least_distance, best_position = corner_distance, (x, y)
    return best_position


def _lowest_bit_index(bits: int) -> int:
    return (bits & -bits).bit_length() - 1


class _BlockedColumns:
    """Finds the columns (x positions) at which a panel at a given height would touch a hex or a box, as bit masks."""

    def __init__(
        self, left_edges: range, block_size: Size, centres: Sequence[tuple[int, int]], half_size: Size
    ) -> None:
        self._possible_left_edges = left_edges
        self._block_size = block_size
        self._half_size: Size = half_size
        self._hex_xs_by_row: dict[int, list[int]] = {}
        for cx, cy in sorted(centres):
            self._hex_xs_by_row.setdefault(cy, []).append(cx)
        self._row_ys = sorted(self._hex_xs_by_row)
        self._blocked_bits_by_row: dict[tuple[int, int], int] = {}
        self.all_columns_mask: int = (1 << len(left_edges)) - 1

    def bits_blocked_by_hexes(self, y: int) -> int:
        blocked_bits, vertical_reach = 0, self._half_size[1] + _HEX_GAP
        first_row = bisect_right(self._row_ys, y - vertical_reach)
        last_row = bisect_left(self._row_ys, y + self._block_size[1] + vertical_reach)
        for cy in self._row_ys[first_row:last_row]:
            side_reach = _sideways_reach(max(y - cy, cy - y - self._block_size[1], 0), *self._half_size)
            key = (cy, side_reach)
            if key not in self._blocked_bits_by_row:
                self._blocked_bits_by_row[key] = self._bits_blocked_by_row(*key)
            blocked_bits |= self._blocked_bits_by_row[key]
        return blocked_bits

    def _bits_blocked_by_row(self, cy: int, side_reach: int) -> int:
        blocked_bits = 0
        first_x, *other_xs = self._hex_xs_by_row[cy]
        least_gap = 2 * side_reach + self._block_size[0]
        last_x = first_x
        for cx in other_xs:
            if cx - last_x >= least_gap:
                blocked_bits |= self._bits_between(
                    first_x - side_reach - self._block_size[0], last_x + side_reach
                )
                first_x = cx
            last_x = cx
        return blocked_bits | self._bits_between(
            first_x - side_reach - self._block_size[0], last_x + side_reach
        )

    def bits_blocked_by_boxes(self, y: int, boxes: Sequence[Box]) -> int:
        blocked_bits = 0
        for left, top, width, height in boxes:
            if top - self._block_size[1] - _PANEL_GAP < y < top + height + _PANEL_GAP:
                blocked_bits |= self._bits_between(
                    left - self._block_size[0] - _PANEL_GAP, left + width + _PANEL_GAP
                )
        return blocked_bits

    def _bits_between(self, left: int, right: int) -> int:
        first_bit = max(0, (self._possible_left_edges.start - right) // _POSITION_STEP + 1)
        last_bit = min(
            len(self._possible_left_edges) - 1,
            -((left - self._possible_left_edges.start) // _POSITION_STEP) - 1,
        )
        return (1 << (last_bit + 1)) - (1 << first_bit) if first_bit <= last_bit else 0


@lru_cache(maxsize=4096)
def _sideways_reach(dy: int, half_width: int, half_height: int) -> int:
    if dy >= half_height + _HEX_GAP:
        return 0
    return next(
        (dx for dx in range(half_width + _HEX_GAP) if dx / half_width + dy / half_height >= 1.5),
        half_width + _HEX_GAP,
    )
