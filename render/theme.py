"""Themes: colours, contrast, palettes, and distances between colours for every kind of vision."""

import math
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from typing import Final, TypeAlias

from render.choices import LARGE, THEME_NAMES
from render.scene import Colour

BLACK: Final = "#000000"
WHITE: Final = "#ffffff"
LINE: Final = "#1a1a1a"
HIGHLIGHT: Final = "#d6006c"
BARRIER: Final = "#b3001b"
RIM: Final = "#333333"
MOUNTAIN: Final = "#6b4b35"
WATER: Final = "#1f6fb5"
SWAMP: Final = "#2f7d4f"
_FOR_WHITE: Final = 3.0
"""Contrast with white from which a colour is made dark enough for white letters: black on red is hard on the eyes."""
_WHITE_WINS: Final = 4.6
"""Contrast with white above which black letters have less."""
_COMPANY_BLENDS: Final = (
    (BLACK, 0.0),
    (WHITE, 0.5),
    (BLACK, 0.5),
    (WHITE, 0.75),
    (WHITE, 0.25),
    (BLACK, 0.25),
)
_Row: TypeAlias = tuple[float, float, float]
VISIONS: Final[dict[str, tuple[_Row, _Row, _Row]]] = {
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
"""Remainders of linear red, green and blue: Machado, Oliveira and Fernandes 2009, severity 1."""
_CONES: Final[tuple[_Row, ...]] = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
_OKLAB: Final[tuple[_Row, ...]] = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)
ALIKE: Final = 11.0
"""Distance below which thin lines are taken for one another."""


@dataclass(frozen=True, slots=True, eq=False)
class Theme:
    """A set of colours: page and its letters, sheets, tile colours, casings of track, market zones."""

    name: str
    page: Colour
    ink: Colour
    sheet: Colour
    """Ground of market cells and tables."""
    hairline: Colour
    casing: Colour
    tiles: Mapping[str, Colour]
    zones: Mapping[str, Colour]
    lines: tuple[Colour, ...]
    """Paints of routes and of lines in charts, distinct to every eye."""
    large: bool = False
    """True if letters are large: less stands on a line, and less of a map is shown at once."""

    @property
    def soft(self) -> Colour:
        """Letters on the page that matter less."""
        return mix(self.page, self.ink, 0.72)

    @property
    def pale(self) -> Colour:
        """Ground of every other row, and of what is over."""
        return mix(self.page, self.sheet, 0.35)

    def ground(self, colour: str) -> Colour:
        """Paint for a tile colour's name; `#rrggbb` is returned unchanged."""
        return colour if colour.startswith("#") else self.tiles[colour]

    def line(self, number: int) -> Colour:
        """Paint for a route or a chart line."""
        return self.lines[number % len(self.lines)]

    def zone(self, letter: str) -> Colour:
        """Ground of a market cell in this zone; an unknown zone shows only its letter."""
        return self.zones.get(letter, self.sheet)


def _themes() -> Iterator[Theme]:
    """The themes in `themes.toml`, each with what differs from the first one."""
    tables = tomllib.loads(files("render").joinpath("themes.toml").read_text("utf-8"))
    for name, colours in tables.items():
        values = {**tables["ours"], **colours}
        yield Theme(name=name, **{**values, "lines": tuple(values["lines"])})


THEMES: Final[dict[str, Theme]] = {theme.name: theme for theme in _themes()}
_LARGE: Final = {f"{name}{LARGE}": replace(theme, large=True) for name, theme in THEMES.items()}


def theme_named(name: str) -> Theme:
    """The theme of this name; raises ValueError naming the themes there are."""
    theme = THEMES.get(name) or _LARGE.get(name)
    if theme is None:
        raise ValueError(f"there is no theme {name!r}; themes are {', '.join(THEME_NAMES)}")
    return theme


def rgb(colour: Colour) -> tuple[int, int, int]:
    """Red, green and blue, 0-255, of `#rrggbb`."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


@lru_cache(maxsize=4096)
def mix(ground: Colour, upper_colour: Colour, share: float) -> Colour:
    """The colour seen when `upper_colour` covers `ground` with this opacity (0-1)."""
    pairs = zip(rgb(ground), rgb(upper_colour), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


@lru_cache(maxsize=1024)
def luminance(colour: Colour) -> float:
    """Relative luminance after WCAG 2, 0-1."""
    linear = [c / 3294.6 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in rgb(colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: Colour, other: Colour) -> float:
    """Contrast ratio after WCAG 2, 1-21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def ink_on(ground: Colour) -> Colour:
    """Black or white, whichever is easier to read on this ground."""
    return BLACK if contrast(ground, BLACK) >= contrast(ground, WHITE) else WHITE


@lru_cache(maxsize=256)
def company(colour: Colour) -> Colour:
    """A company's paint on which letters are readable.

    White would read as an empty slot, so it is tinted; what is half way between black and white letters is
    darkened.
    """
    if luminance(colour) > 0.92:
        return mix(colour.lower(), "#a9c4dc", 0.6)
    paint = colour.lower()
    while _FOR_WHITE <= contrast(paint, WHITE) < _WHITE_WINS:
        paint = mix(paint, BLACK, 0.03)
    return paint


@lru_cache(maxsize=64)
def palette(theme_name: str, companies: tuple[Colour, ...]) -> tuple[Colour, ...]:
    """At most 256 colours: the theme's with blends, then as many company blends as fit."""
    colours: dict[Colour, None] = dict.fromkeys(_theme_colours(theme_named(theme_name)))
    paints = [company(colour) for colour in companies]
    for over, share in _COMPANY_BLENDS:
        for paint in paints:
            if len(colours) < 256:
                colours[mix(paint, over, share)] = None
    return tuple(colours)


def _ramp(one: Colour, other: Colour, steps: int) -> list[Colour]:
    return [mix(one, other, i / steps) for i in range(steps + 1)]


def _theme_colours(theme: Theme) -> Iterable[Colour]:
    # Few steps between two paints: the eye sees no difference, and the picture packs a tenth smaller.
    yield from _ramp(BLACK, WHITE, 8)
    yield from _ramp(theme.page, theme.ink, 4)
    yield from (theme.sheet, mix(theme.sheet, theme.ink, 0.3), theme.pale)
    for ground in theme.tiles.values():
        yield from (ground, mix(ground, ink_on(ground), 0.1), mix(ground, WHITE, 0.75))
        yield from (mix(ground, BLACK, 0.33), mix(ground, BLACK, 0.66), mix(ground, WHITE, 0.45))
    for zone in theme.zones.values():
        yield from (zone, mix(zone, BLACK, 0.3), mix(zone, BLACK, 0.6))
    for paint in theme.lines:
        yield from (paint, mix(paint, BLACK, 0.5), mix(paint, WHITE, 0.5))
    for paint in (HIGHLIGHT, BARRIER, MOUNTAIN, WATER, SWAMP):
        yield from (paint, mix(paint, WHITE, 0.5))
    yield mix(theme.tiles["white"], HIGHLIGHT, 0.5)


def colour_distance(one: Colour, other: Colour, vision: str) -> float:
    """Distance of two colours (0-100, hundredths of OKLab) in a kind of vision; 2 is just visible side by side."""
    return 100 * math.dist(_as_seen(one, vision), _as_seen(other, vision))


def least_distance(one: Colour, other: Colour) -> float:
    """Distance of two colours in the worst kind of vision."""
    return min(colour_distance(one, other, vision) for vision in VISIONS)


def line_cores(colours: Sequence[Colour]) -> tuple[int, ...]:
    """Numbers for lines such that lines with confusable colours differ."""
    cores: list[int] = []
    for colour in colours:
        alike = {
            core
            for before, core in zip(colours, cores, strict=False)
            if least_distance(colour, before) < ALIKE
        }
        cores.append(next(core for core in range(len(colours)) if core not in alike))
    return tuple(cores)


@lru_cache(maxsize=1024)
def _as_seen(colour: Colour, vision: str) -> Sequence[float]:
    linear = [_linear(int(colour[i : i + 2], 16) / 255) for i in (1, 3, 5)]
    left = [min(1.0, max(0.0, part)) for part in _times(VISIONS[vision], linear)]
    return _times(_OKLAB, [part ** (1 / 3) for part in _times(_CONES, left)])


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def _times(rows: Sequence[_Row], parts: Sequence[float]) -> list[float]:
    return [sum(a * b for a, b in zip(row, parts, strict=True)) for row in rows]
