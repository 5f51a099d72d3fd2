"""The spaces for minors below a price: free, taken, not available yet, or blocked for good."""

from collections.abc import Iterator, Sequence
from typing import Final

from engine.tell.views import SpaceView
from render.hexes.stop_art import token
from render.scene import Colour, Disc, Item, Polyline, Text
from render.theme import BLACK, Theme, ink_on, mix

RADIUS: Final = 30.0
_FLIPPED: Final = "#8d9299"


def spaces(
    views: Sequence[SpaceView], theme: Theme, ground: Colour, upper: tuple[float, float]
) -> Iterator[Item]:
    """Spaces one below the other on this ground; the middle of the upper one is given."""
    x, y = upper
    for number, view in enumerate(views):
        yield from _space(view, theme, ground, (x, y + number * (2 * RADIUS + 8)), RADIUS)


def _space(
    view: SpaceView, theme: Theme, ground: Colour, at: tuple[float, float], r: float
) -> Iterator[Item]:
    """One space: in its colour, the minor's marker, a marker turned over, or a faint ring with its phase."""
    x, y = at
    colour = theme.zone(view.zone)
    if view.state == "taken" and view.badge is not None:
        yield from token(x, y, r, view.badge)
    elif view.state == "blocked":
        yield Disc(x, y, r, _FLIPPED, BLACK, 2)
        yield from _cross(x, y, 0.46 * r)
    elif view.state == "later":
        faint = mix(colour, BLACK, 0.6) if ink_on(ground) == BLACK else colour
        yield Disc(x, y, r, ground, mix(colour, BLACK, 0.3), 2.5)
        yield Text(x, y, view.phase, 0.62 * r, faint, "bold")
    else:
        yield Disc(x, y, r, colour, BLACK, 2.5)


def _cross(x: float, y: float, reach: float) -> Iterator[Item]:
    for way in (-1, 1):
        yield Polyline(((x - reach, y - way * reach), (x + reach, y + way * reach)), BLACK, 5)


def legend_space(view: SpaceView, theme: Theme, x: float, y: float) -> Iterator[Item]:
    """A small space before its words in the legend."""
    yield from _space(view, theme, theme.sheet, (x + 17, y), 16)
