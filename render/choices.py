"""Theme names and the size limit of a timelapse, without loading any drawing code."""

from typing import Final

_COLOUR_THEMES: Final = ("ours", "safe", "dark")
"""Names of the colour themes."""
LARGE_SUFFIX: Final = "-large"
"""Suffix of a theme's name for the same theme with large letters."""
THEME_NAMES: Final = (*_COLOUR_THEMES, *(f"{name}{LARGE_SUFFIX}" for name in _COLOUR_THEMES))
"""Names of all themes."""
MAX_TIMELAPSE_FRAMES: Final = 120
"""The most maps in a timelapse, which then takes 45 seconds."""
