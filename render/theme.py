"""Colour themes, palettes, contrast, and colour distances for each kind of colour vision."""

import math
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from typing import Final, TypeAlias

from render.choices import LARGE_SUFFIX, THEME_NAMES
from render.scene import Colour

BLACK: Final = "#000000"
WHITE: Final = "#ffffff"
LINE_COLOUR: Final = "#1a1a1a"
HIGHLIGHT_COLOUR: Final = "#d6006c"
BARRIER_COLOUR: Final = "#b3001b"
RIM_COLOUR: Final = "#333333"
MOUNTAIN_COLOUR: Final = "#6b4b35"
WATER_COLOUR: Final = "#1f6fb5"
SWAMP_COLOUR: Final = "#2f7d4f"
HATCHING_OPACITY: Final = 0.18
"""Opacity (0-1) of the black or white hatching lines, which stay visible even on a map shown 550 pixels wide."""
_MIN_CONTRAST_FOR_WHITE_TEXT: Final = 3.0
"""A company's colour with at least this contrast to white gets white text, and is darkened to make it readable.

For example, white text on darkened red is easier to read than black text on red.
"""
_READABLE_CONTRAST: Final = 4.6
"""Contrast with white at which white text is readable. A colour is darkened no further than this."""
_COMPANY_COLOUR_BLENDS: Final = (
    (BLACK, 0.0),
    (WHITE, 0.5),
    (BLACK, 0.5),
    (WHITE, 0.75),
    (WHITE, 0.25),
    (BLACK, 0.25),
)
_MatrixRow: TypeAlias = tuple[float, float, float]
VISION_MATRICES: Final[dict[str, tuple[_MatrixRow, _MatrixRow, _MatrixRow]]] = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritan": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
"""Matrices from linear RGB to the RGB seen with each kind of colour vision.

From Machado, Oliveira and Fernandes (2009), severity 1.
"""
_RGB_TO_CONES: Final[tuple[_MatrixRow, ...]] = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
_CONES_TO_OKLAB: Final[tuple[_MatrixRow, ...]] = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)
CONFUSABLE_DISTANCE: Final = 11.0
"""Colour distance below which two thin lines could be confused; see `colour_distance`."""


@dataclass(frozen=True, slots=True, eq=False)
class Theme:
    """A colour theme: colours of the page, text, tiles, market zones, routes and chart lines."""

    name: str
    page: Colour
    ink: Colour
    sheet: Colour
    """Background of market cells and table rows."""
    hairline: Colour
    casing: Colour
    tiles: Mapping[str, Colour]
    zones: Mapping[str, Colour]
    lines: tuple[Colour, ...]
    """Colours of routes and chart lines, distinguishable with every kind of colour vision."""
    has_large_letters: bool = False
    """True for large text, with less text per line and fewer hexes in a close-up."""

    @property
    def soft_ink(self) -> Colour:
        """Colour of less important text on the page."""
        return mix_colours(self.page, self.ink, 0.72)

    @property
    def pale_background(self) -> Colour:
        """Background of every second table row, and of past phases and sold items."""
        return mix_colours(self.page, self.sheet, 0.35)

    def tile_colour(self, colour: str) -> Colour:
        """The colour of a tile, by name such as `yellow`; `#rrggbb` is returned unchanged."""
        return colour if colour.startswith("#") else self.tiles[colour]

    def numbered_line_colour(self, number: int) -> Colour:
        """The colour of the route or chart line with this index."""
        return self.lines[number % len(self.lines)]

    def zone_colour(self, letter: str) -> Colour:
        """Background of a market cell in this zone; for an unknown zone, the background of normal cells."""
        return self.zones.get(letter, self.sheet)


def _themes() -> Iterator[Theme]:
    """The themes in `themes.toml`; a value missing in a theme is taken from the first theme."""
    tables = tomllib.loads(files("render").joinpath("themes.toml").read_text("utf-8"))
    for name, colours in tables.items():
        theme_values = {**tables["ours"], **colours}
        yield Theme(name=name, **{**theme_values, "lines": tuple(theme_values["lines"])})


THEMES: Final[dict[str, Theme]] = {theme.name: theme for theme in _themes()}
_LARGE_THEMES: Final = {
    f"{name}{LARGE_SUFFIX}": replace(theme, has_large_letters=True) for name, theme in THEMES.items()
}


def theme_named(name: str) -> Theme:
    """The theme of this name; raises ValueError, with all names, if there is none."""
    theme = THEMES.get(name) or _LARGE_THEMES.get(name)
    if theme is None:
        raise ValueError(f"there is no theme {name!r}; themes are {', '.join(THEME_NAMES)}")
    return theme


def rgb(colour: Colour) -> tuple[int, int, int]:
    """Red, green and blue (0-255) of a colour."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


@lru_cache(maxsize=4096)
def mix_colours(background: Colour, upper_colour: Colour, cover_opacity: float) -> Colour:
    """The colour of `background` covered by `upper_colour` with opacity `cover_opacity` (0-1)."""
    pairs = zip(rgb(background), rgb(upper_colour), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * cover_opacity):02x}" for a, b in pairs)


@lru_cache(maxsize=1024)
def luminance(colour: Colour) -> float:
    """Relative luminance as defined in WCAG 2, from 0 to 1."""
    linear_rgb = [c / 3294.6 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in rgb(colour)]
    return 0.2126 * linear_rgb[0] + 0.7152 * linear_rgb[1] + 0.0722 * linear_rgb[2]


def contrast(colour: Colour, other_colour: Colour) -> float:
    """Contrast ratio as defined in WCAG 2, from 1 to 21."""
    lower_luminance, higher_luminance = sorted((luminance(colour), luminance(other_colour)))
    return (higher_luminance + 0.05) / (lower_luminance + 0.05)


def ink_on(background: Colour) -> Colour:
    """Black or white: the text colour that is easier to read on this background."""
    return BLACK if contrast(background, BLACK) >= contrast(background, WHITE) else WHITE


@lru_cache(maxsize=256)
def readable_company_colour(colour: Colour) -> Colour:
    """A company's colour, changed where necessary so that black or white text on it is readable.

    White is tinted, since it would look like an empty slot. A colour of medium brightness is darkened for white text.
    """
    if luminance(colour) > 0.92:
        return mix_colours(colour.lower(), "#a9c4dc", 0.6)
    base_colour = colour.lower()
    while _MIN_CONTRAST_FOR_WHITE_TEXT <= contrast(base_colour, WHITE) < _READABLE_CONTRAST:
        base_colour = mix_colours(base_colour, BLACK, 0.03)
    return base_colour


@lru_cache(maxsize=64)
def palette(theme_name: str, company_colours: tuple[Colour, ...]) -> tuple[Colour, ...]:
    """At most 256 colours: the theme's colours and their blends, then as many blends of company colours as fit."""
    colours: dict[Colour, None] = dict.fromkeys(_theme_colours(theme_named(theme_name)))
    base_colours = [readable_company_colour(colour) for colour in company_colours]
    for blend_colour, cover_opacity in _COMPANY_COLOUR_BLENDS:
        for base_colour in base_colours:
            if len(colours) < 256:
                colours[mix_colours(base_colour, blend_colour, cover_opacity)] = None
    return tuple(colours)


def _colour_ramp(first_colour: Colour, last_colour: Colour, step_count: int) -> list[Colour]:
    return [mix_colours(first_colour, last_colour, i / step_count) for i in range(step_count + 1)]


def _theme_colours(theme: Theme) -> Iterable[Colour]:
    # Few steps between two paints: the eye sees no difference, and the picture packs a tenth smaller.
    yield from _colour_ramp(BLACK, WHITE, 8)
    yield from _colour_ramp(theme.page, theme.ink, 4)
    yield from (theme.sheet, mix_colours(theme.sheet, theme.ink, 0.3), theme.pale_background)
    for background in theme.tiles.values():
        yield from (
            background,
            mix_colours(background, ink_on(background), HATCHING_OPACITY),
            mix_colours(background, WHITE, 0.75),
        )
        yield from (
            mix_colours(background, BLACK, 0.33),
            mix_colours(background, BLACK, 0.66),
            mix_colours(background, WHITE, 0.45),
        )
    for zone_colour in theme.zones.values():
        yield from (zone_colour, mix_colours(zone_colour, BLACK, 0.3), mix_colours(zone_colour, BLACK, 0.6))
    for base_colour in theme.lines:
        yield from (base_colour, mix_colours(base_colour, BLACK, 0.5), mix_colours(base_colour, WHITE, 0.5))
    for base_colour in (HIGHLIGHT_COLOUR, BARRIER_COLOUR, MOUNTAIN_COLOUR, WATER_COLOUR, SWAMP_COLOUR):
        yield from (base_colour, mix_colours(base_colour, WHITE, 0.5))
    yield mix_colours(theme.tiles["white"], HIGHLIGHT_COLOUR, 0.5)


def colour_distance(colour: Colour, other_colour: Colour, vision: str) -> float:
    """Distance between two colours as seen with a kind of colour vision: 0-100, hundredths of OKLab units.

    A distance of 2 is just visible side by side.
    """
    return 100 * math.dist(_perceived_colour(colour, vision), _perceived_colour(other_colour, vision))


def least_colour_distance(colour: Colour, other_colour: Colour) -> float:
    """Smallest distance between two colours over all kinds of colour vision."""
    return min(colour_distance(colour, other_colour, vision) for vision in VISION_MATRICES)


def dash_pattern_indexes_of(colours: Sequence[Colour]) -> tuple[int, ...]:
    """Index of a dash pattern for each colour; colours that could be confused get different indexes."""
    pattern_indexes: list[int] = []
    for colour in colours:
        used_indexes = {
            pattern_index
            for earlier_colour, pattern_index in zip(colours, pattern_indexes, strict=False)
            if least_colour_distance(colour, earlier_colour) < CONFUSABLE_DISTANCE
        }
        pattern_indexes.append(
            next(pattern_index for pattern_index in range(len(colours)) if pattern_index not in used_indexes)
        )
    return tuple(pattern_indexes)


@lru_cache(maxsize=1024)
def _perceived_colour(colour: Colour, vision: str) -> Sequence[float]:
    linear_rgb = [_linear_light(int(colour[i : i + 2], 16) / 255) for i in (1, 3, 5)]
    perceived_rgb = [
        min(1.0, max(0.0, channel)) for channel in _matrix_product(VISION_MATRICES[vision], linear_rgb)
    ]
    return _matrix_product(
        _CONES_TO_OKLAB, [channel ** (1 / 3) for channel in _matrix_product(_RGB_TO_CONES, perceived_rgb)]
    )


def _linear_light(intensity: float) -> float:
    return intensity / 12.92 if intensity <= 0.04045 else ((intensity + 0.055) / 1.055) ** 2.4


def _matrix_product(rows: Sequence[_MatrixRow], vector: Sequence[float]) -> list[float]:
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in rows]
