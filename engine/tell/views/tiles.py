"""The tiles that are left, ready to show."""

from dataclasses import dataclass
from typing import Literal

from engine.tell.views.map import HexView


@dataclass(frozen=True, slots=True)
class TileView:
    """One kind of tile as a hex without a place: how many are left, of how many (None: any number)."""

    hex: HexView
    left: int | None
    count: int | None


@dataclass(frozen=True, slots=True)
class TilesView:
    """Every kind of tile a title has, by colour, with what is left of each."""

    title: str
    caption: str
    layout: Literal["flat", "pointy"]
    tiles: tuple[TileView, ...]
