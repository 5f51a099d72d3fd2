"""Pictures as workers draw them: every function gets the theme first, and views that cross to a process."""

import pickle
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

from bot.table.moves.lays import Cities, Sketch, Spots
from engine.core.ids import Coord
from engine.tell.views import MapView
from render import TooMuch, at_most, render_cities, render_lays, render_map, render_spots

Piece: TypeAlias = tuple[Callable[..., bytes], tuple[Any, ...]]
"""One of the functions below, and what it is given after the theme."""
AT_ONCE: Final = 200
"""So much is drawn for the first time in one piece of work (`render.draw_cache`): then other tables have their turn."""


def draw_packed(theme: str, pieces: Sequence[bytes]) -> list[bytes] | None:
    """Several pictures one after the other, each of a pickled `Piece`; None: ask again, it continues there."""
    opened: list[Piece] = [pickle.loads(piece) for piece in pieces]
    try:
        with at_most(AT_ONCE):
            return [how(theme, *what) for how, what in opened]
    except TooMuch:
        return None


def draw(theme: str, render: Callable[..., bytes], view: object) -> bytes:
    """Any view, by the function that renders it."""
    return render(view, theme=theme)


def draw_map(theme: str, view: MapView, around: tuple[Coord, ...]) -> bytes:
    """The whole map, or the close-up around these hexes."""
    return render_map(view, theme=theme, centre=around or None)


def draw_sketch(theme: str, sketch: Sketch) -> bytes:
    """What a place or a tile is picked from: hexes on the map, cities of one, or tiles in it."""
    if isinstance(sketch, Spots):
        return render_spots(sketch.view, sketch.hexes, first=sketch.first, theme=theme)
    if isinstance(sketch, Cities):
        return render_cities(sketch.view, sketch.hex, sketch.stops, theme=theme)
    return render_lays(sketch.view, sketch.lays, first=sketch.first, theme=theme)
