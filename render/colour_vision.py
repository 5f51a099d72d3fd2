"""How far apart two colours are for every eye: with full colour vision, and without one of the three cones."""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from render.scene import Colour

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
"""What is left of linear red, green and blue: Machado, Oliveira and Fernandes 2009, severity 1."""
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


def distance(one: Colour, other: Colour, vision: str) -> float:
    """Hundredths of OKLab between two colours (0-100) for eyes of a kind; 2 is just seen side by side."""
    return 100 * math.dist(_seen(one, vision), _seen(other, vision))


def nearest(one: Colour, other: Colour) -> float:
    """The distance for the eyes that tell these two apart worst."""
    return min(distance(one, other, vision) for vision in VISIONS)


def cores(colours: Sequence[Colour]) -> tuple[int, ...]:
    """A number for each line of these colours: lines that somebody takes for one another have different ones."""
    found: list[int] = []
    for colour in colours:
        alike = {
            core for before, core in zip(colours, found, strict=False) if nearest(colour, before) < ALIKE
        }
        found.append(next(core for core in range(len(colours)) if core not in alike))
    return tuple(found)


@lru_cache(maxsize=1024)
def _seen(colour: Colour, vision: str) -> Sequence[float]:
    """The place of a colour in OKLab."""
    linear = [_linear(int(colour[i : i + 2], 16) / 255) for i in (1, 3, 5)]
    left = [min(1.0, max(0.0, part)) for part in _times(VISIONS[vision], linear)]
    return _times(_OKLAB, [part ** (1 / 3) for part in _times(_CONES, left)])


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def _times(rows: Sequence[_Row], parts: Sequence[float]) -> list[float]:
    return [sum(a * b for a, b in zip(row, parts, strict=True)) for row in rows]
