"""Pictures of maps, markets and score sheets, drawn from the read-only views of a game."""

from collections.abc import Sequence

from engine.ids import Coord
from engine.views import MapView
from render.map_art import close_up_scene, map_scene
from render.raster import png

__all__ = ["render_map"]


def render_map(view: MapView, *, theme: str = "ours", centre: Sequence[Coord] | None = None) -> bytes:
    """The whole map as a PNG, or the close-up around these hexes; raises ValueError for an unknown theme or hex."""
    if centre is None:
        return png(map_scene(view, theme))
    return png(close_up_scene(view, theme, centre))
