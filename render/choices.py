"""Theme names and the frame limit of a timelapse. This module loads no drawing code."""

from typing import Final

_COLOUR_THEMES: Final = ("ours", "safe", "dark")
"""Names of the colour themes, without their variants with large text."""
LARGE_SUFFIX: Final = "-large"
"""Suffix in the names of themes with large text."""
THEME_NAMES: Final = (*_COLOUR_THEMES, *(f"{name}{LARGE_SUFFIX}" for name in _COLOUR_THEMES))
"""Names of all themes, including those with large text."""
MAX_TIMELAPSE_FRAMES: Final = 120
"""Maximum number of frames in a timelapse; a timelapse with this many frames plays for 45 seconds."""
