"""Large names on a map whose hexes are too small for readable names; each name spans several hexes."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple, TypeAlias

from engine import Coord
from engine.views import HexView
from render.draw_cache import cached_drawing
from render.font_metrics import CAP_HEIGHT, text_width
from render.hexes.hex_geometry import APOTHEM, Layout, overhang
from render.hexes.labels import name_lines
from render.maps.overlays import hexes_named_elsewhere
from render.scene import Point, Text
from render.theme import BLACK, WHITE

_WIDTH_ON_DISCORD: Final = 1280
"""Width in pixels to which Discord scales a whole map when a user opens it."""
_MIN_EM_ON_DISCORD: Final = 9.0
"""Smallest readable font size of names, in pixels, on a map scaled to _SHOWN_WIDTH."""
_CITY_NAME_DISTANCE: Final = 0.36
_WIDE_NAME_DISTANCE: Final = 0.72
_LINE_HEIGHT: Final = 1.05
_HALO_WIDTH: Final = 0.16
_OFF_MAP_COST: Final = 1.0
_DISTANCE_COST: Final = 0.02

_NameBox: TypeAlias = tuple[float, float, float, float]
"""Left, top, right and bottom of a box, in hex sides."""


def em_of_large_names(map_width: int, radius: int, hex_em: float) -> float | None:
    """The smallest readable font size of names, in hex sides, on a map this wide.

    Returns None if `hex_em`, the font size of names inside hexes, is readable already. `radius` is a hex side in
    pixels.
    """
    least_em = _MIN_EM_ON_DISCORD * map_width / _WIDTH_ON_DISCORD / radius
    return least_em if least_em > hex_em else None


def large_names(layout: Layout, hexes: tuple[HexView, ...], em: float) -> Mapping[Coord, tuple[Text, ...]]:
    """The pieces of names to draw on each hex, by coordinate; positions are relative to the hex's centre.

    Positions do not depend on tiles or tokens, so names stay in place during a game.
    """
    coords_named_elsewhere = hexes_named_elsewhere(layout, hexes)
    named_hexes = tuple(
        _NamedHex(h.coord, h.x, h.y, "" if h.coord in coords_named_elsewhere else h.name, len(h.stops) > 1)
        for h in hexes
    )
    return _texts_by_hex(layout, named_hexes, em)


class _NamedHex(NamedTuple):
    """The properties of a hex that decide where names are placed."""

    coord: Coord
    x: int
    y: int
    name: str
    is_wide: bool
    """True if the hex has several stops."""


@lru_cache(maxsize=16)
@cached_drawing
def _texts_by_hex(
    layout: Layout, named_hexes: tuple[_NamedHex, ...], em: float
) -> Mapping[Coord, tuple[Text, ...]]:
    """The pieces of names on each hex; names in crowded regions are placed first."""
    grid = _NameGrid(layout, named_hexes)
    hexes_with_names = [named_hex for named_hex in named_hexes if named_hex.name]
    texts_by_hex: dict[Coord, list[Text]] = defaultdict(list)
    for named_hex in sorted(
        hexes_with_names, key=lambda p: (-sum(_is_near(p, other) for other in hexes_with_names), p)
    ):
        lines = name_lines(named_hex.name)
        width = max(text_width(line, "black") for line in lines) * em
        height = ((len(lines) - 1) * _LINE_HEIGHT + CAP_HEIGHT) * em
        middle = grid.occupy_best_middle(named_hex, width + _HALO_WIDTH * em, height + _HALO_WIDTH * em)
        for text in _line_texts(middle, lines, em):
            for other in named_hexes:
                x, y = grid.centre(other.x, other.y)
                if abs(x - text.x) < width / 2 + 1 and abs(y - text.y) < em + 1:
                    texts_by_hex[other.coord].append(text._replace(x=text.x - x, y=text.y - y))
    return {coord: tuple(texts) for coord, texts in texts_by_hex.items()}


def _is_near(named_hex: _NamedHex, other: _NamedHex) -> bool:
    return abs(named_hex.x - other.x) < 5 and abs(named_hex.y - other.y) < 3


class _NameGrid:
    """The hexes of a map and the boxes occupied by names and cities."""

    def __init__(self, layout: Layout, named_hexes: Iterable[_NamedHex]) -> None:
        self._layout: Layout = layout
        self._hex_spacing: Point = (1.5, APOTHEM) if layout == "flat" else (APOTHEM, 1.5)
        self._positions = {(named_hex.x, named_hex.y) for named_hex in named_hexes}
        self._occupied_boxes = [
            _box_around(
                self.centre(named_hex.x, named_hex.y),
                2 * _name_distance(named_hex),
                2 * _name_distance(named_hex),
            )
            for named_hex in named_hexes
            if named_hex.name
        ]

    def centre(self, x: int, y: int) -> Point:
        return (x * self._hex_spacing[0], y * self._hex_spacing[1])

    def occupy_best_middle(self, named_hex: _NamedHex, width: float, height: float) -> Point:
        """The centre at which a name of this size covers least; marks its box as occupied."""
        centre = self.centre(named_hex.x, named_hex.y)
        middles = _candidate_middles(centre, _name_distance(named_hex), width, height)
        middle = min(
            middles, key=lambda middle: self._cost(_box_around(middle, width, height), middle, centre)
        )
        self._occupied_boxes.append(_box_around(middle, width, height))
        return middle

    def _cost(self, box: _NameBox, middle: Point, centre: Point) -> float:
        """Cost of a position for a name: covered area, parts off the map, and distance from the hex."""
        left, top, right, bottom = box
        covered_area = sum(_overlap_area(box, occupied_box) for occupied_box in self._occupied_boxes)
        box_points = product(
            (left, (left + middle[0]) / 2, middle[0], (right + middle[0]) / 2, right), (top, bottom)
        )
        off_map_point_count = sum(not self._is_on_map(end) for end in box_points)
        distance = abs(middle[0] - centre[0]) + abs(middle[1] - centre[1])
        return covered_area + _OFF_MAP_COST * off_map_point_count + _DISTANCE_COST * distance

    def _is_on_map(self, point: Point) -> bool:
        column, row = round(point[0] / self._hex_spacing[0]), round(point[1] / self._hex_spacing[1])
        near_positions = product(range(column - 1, column + 2), range(row - 1, row + 2))
        return any(
            overhang(self._layout, point[0] - x, point[1] - y, 0.0) <= 0.0
            for x, y in (self.centre(*position) for position in near_positions if position in self._positions)
        )


def _name_distance(named_hex: _NamedHex) -> float:
    return _WIDE_NAME_DISTANCE if named_hex.is_wide else _CITY_NAME_DISTANCE


def _candidate_middles(centre: Point, name_distance: float, width: float, height: float) -> Iterator[Point]:
    x, y = centre
    vertical_offset, horizontal_offset = name_distance + height / 2, name_distance + width / 2
    for extra_offset in (0.0, 0.25, 0.5):
        for width_fraction, direction in product((0.0, 0.25, -0.25, 0.5, -0.5), (1, -1)):
            yield (x + width_fraction * width, y + direction * (vertical_offset + extra_offset))
        yield from (
            (x + direction * (horizontal_offset + extra_offset), y + dy)
            for direction in (1, -1)
            for dy in (0.0, 0.3, -0.3)
        )


def _box_around(middle: Point, width: float, height: float) -> _NameBox:
    x, y = middle
    return (x - width / 2, y - height / 2, x + width / 2, y + height / 2)


def _overlap_area(first_box: _NameBox, second_box: _NameBox) -> float:
    width, height = (
        min(first_box[2], second_box[2]) - max(first_box[0], second_box[0]),
        min(first_box[3], second_box[3]) - max(first_box[1], second_box[1]),
    )
    return width * height if width > 0 and height > 0 else 0.0


def _line_texts(middle: Point, lines: tuple[str, ...], em: float) -> Iterator[Text]:
    for i, line in enumerate(lines):
        y = middle[1] + (i - (len(lines) - 1) / 2) * _LINE_HEIGHT * em
        yield Text(middle[0], y, line, em, BLACK, "black", halo=WHITE, halo_width=_HALO_WIDTH * em)
