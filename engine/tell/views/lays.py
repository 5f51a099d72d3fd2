"""Where a tile may be laid, and how, ready to show."""

from dataclasses import dataclass

from engine.core.ids import Coord, TileId
from engine.tell.views.map import HexView


@dataclass(frozen=True, slots=True)
class SpotView:
    """A hex in which a tile may be laid, and what the terrain costs, in dollars."""

    coord: Coord
    name: str
    cost: int


@dataclass(frozen=True, slots=True)
class LayView:
    """A tile turned in one of the ways it may lie: the hex with it, how many are left (None: no end), its cost.

    `worth` is the company's best run before and after, in dollars; None where it is the same, or not known.
    """

    tile: TileId
    rotation: int
    hex: HexView
    sides: str
    """Where its track leads: `SW-NE`."""
    left: int | None
    cost: int
    worth: tuple[int, int] | None = None
