"""The timelapse of a game's map as an animated GIF."""

from collections.abc import Sequence
from typing import Final

from engine.views import MapView
from render.choices import MAX_TIMELAPSE_FRAMES
from render.maps.map_art import timelapse_scene
from render.raster import animation

_FRAME_MS: Final = 350
_LAST_FRAME_MS: Final = 4000


def timelapse(views: Sequence[MapView], theme_name: str) -> bytes:
    """An animated GIF of these maps: at most 120 of them at equal intervals, the last one shown longest.

    Raises ValueError if `views` is empty, or for an unknown theme.
    """
    shown_views = _evenly_spaced_views(views)
    scenes = [timelapse_scene(view, theme_name, views[-1]) for view in shown_views]
    return animation(scenes, [*[_FRAME_MS] * (len(scenes) - 1), _LAST_FRAME_MS])


def _evenly_spaced_views(views: Sequence[MapView]) -> list[MapView]:
    if not views:
        raise ValueError("there is no map to show")
    frame_count = min(len(views), MAX_TIMELAPSE_FRAMES)
    return [views[(i + 1) * len(views) // frame_count - 1] for i in range(frame_count)]
