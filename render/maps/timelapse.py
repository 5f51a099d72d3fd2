"""The timelapse of a map: which positions it shows, and for how long."""

from collections.abc import Sequence
from typing import Final

from engine.views import MapView
from render.choices import MOST_FRAMES
from render.maps.map_art import small_scene
from render.raster import animation

_FRAME_MS: Final = 350
_LAST_MS: Final = 4000


def timelapse(views: Sequence[MapView], theme_name: str) -> bytes:
    """A GIF of at most 120 of these maps, at equal intervals, the last one shown longest.

    Raises ValueError without a map or for an unknown theme.
    """
    shown = _thinned(views)
    scenes = [small_scene(view, theme_name, views[-1]) for view in shown]
    return animation(scenes, [*[_FRAME_MS] * (len(scenes) - 1), _LAST_MS])


def _thinned(views: Sequence[MapView]) -> list[MapView]:
    if not views:
        raise ValueError("there is no map to show")
    count = min(len(views), MOST_FRAMES)
    return [views[(i + 1) * len(views) // count - 1] for i in range(count)]
