"""Where hexes lie: sides, corners and neighbours in hex sides, centres in whole pixels.

Side `e` (0-5, clockwise) is S on a flat map and SW on a pointy one; corner `k` between sides `k` and `k + 1`.
"""

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, Literal, TypeAlias

from render.scene import Frame, Point

Layout: TypeAlias = Literal["flat", "pointy"]

APOTHEM: Final = math.sqrt(3) / 2
"""Centre to side, in hex sides."""

NEIGHBOURS: Final[dict[Layout, tuple[tuple[int, int], ...]]] = {
    "flat": ((0, 2), (-1, 1), (-1, -1), (0, -2), (1, -1), (1, 1)),
    "pointy": ((-1, 1), (-2, 0), (-1, -1), (1, -1), (2, 0), (1, 1)),
}
"""Step in doubled coordinates over each side."""


def _turn(layout: Layout) -> float:
    return 0.0 if layout == "flat" else 30.0


def outward(layout: Layout, side: float) -> Point:
    """Unit vector from the centre over the middle of a side (a fraction points between sides)."""
    angle = math.radians(60 * side + _turn(layout))
    return (-math.sin(angle), math.cos(angle))


@lru_cache(maxsize=32)
def side_middle(layout: Layout, side: int) -> Point:
    """Middle of a side, from the hex's centre, in hex sides."""
    x, y = outward(layout, side)
    return (APOTHEM * x, APOTHEM * y)


@lru_cache(maxsize=32)
def corner(layout: Layout, number: int) -> Point:
    """Corner between sides `number` and `number + 1`, from the hex's centre, in hex sides."""
    return outward(layout, number + 0.5)


@lru_cache(maxsize=32)
def outline(layout: Layout, inset: float = 0.0) -> tuple[Point, ...]:
    """The six corners, the sides moved in by `inset`, in hex sides."""
    share = 1 - inset / APOTHEM
    return tuple((x * share, y * share) for x, y in (corner(layout, k) for k in range(6)))


def overhang(layout: Layout, x: float, y: float, r: float) -> float:
    """How far a disc reaches beyond the hex, in hex sides; 0 when it lies inside."""
    # Asked thousands of times for a hex: calling `abs` would take twice as long.
    across, along = (x, y) if layout == "flat" else (y, x)
    across, along = across if across > 0 else -across, along if along > 0 else -along
    slanted = APOTHEM * across + 0.5 * along
    beyond = (slanted if slanted > along else along) + r - APOTHEM
    return beyond if beyond > 0 else 0.0


def half_width(layout: Layout, y: float, r: float) -> float:
    """How far from the middle a disc at this height may be and lie inside the hex; negative where it cannot."""
    room, y = APOTHEM - r, abs(y)
    if layout == "flat":
        return (room - 0.5 * y) / APOTHEM if y < room else -1.0
    return min(room, 2 * (room - APOTHEM * y))


@dataclass(frozen=True)
class Grid:
    """Hexes of side `radius` pixels (even), stretched under 1 % so that all centres are whole pixels."""

    layout: Layout
    radius: int

    @cached_property
    def step(self) -> tuple[int, int]:
        """Pixels per step of the doubled coordinates."""
        long, short = round(1.5 * self.radius), round(APOTHEM * self.radius)
        return (long, short) if self.layout == "flat" else (short, long)

    def centre(self, x: int, y: int) -> tuple[int, int]:
        """Centre in pixels of the hex with these doubled coordinates, the origin being hex (0, 0)."""
        return (x * self.step[0], y * self.step[1])

    @property
    def half(self) -> tuple[int, int]:
        """Half width and half height of a hex in pixels."""
        short = round(APOTHEM * self.radius)
        return (self.radius, short) if self.layout == "flat" else (short, self.radius)

    def frame(self, x: float, y: float) -> Frame:
        """Brings art of one hex, in hex sides, to pixels around this centre."""
        exact = APOTHEM * self.radius
        squeeze = round(exact) / exact
        flat = self.layout == "flat"
        return Frame(x, y, self.radius, 1.0 if flat else squeeze, squeeze if flat else 1.0)
