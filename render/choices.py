"""Theme names and the size limit of a timelapse, without loading any drawing code."""

from typing import Final

_NAMES: Final = ("ours", "safe", "dark")
"""The colours there are."""
LARGE: Final = "-large"
"""Behind the name of a theme: the same with large letters."""
THEME_NAMES: Final = (*_NAMES, *(f"{name}{LARGE}" for name in _NAMES))
"""Every theme there is."""
MOST_FRAMES: Final = 120
"""Maps in a timelapse, which then takes three quarters of a minute."""
