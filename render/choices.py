"""What may be chosen for a picture, and how much of it there is at most."""

from typing import Final

_NAMES: Final = ("ours", "safe", "dark")
"""The colours there are."""
LARGE: Final = "-large"
TALL: Final = 8
"""Companies in one picture of the table in large letters, at most."""
"""Behind the name of a theme: the same with large letters."""
THEME_NAMES: Final = (*_NAMES, *(f"{name}{LARGE}" for name in _NAMES))
"""Every theme there is."""
MOST_FRAMES: Final = 120
"""Maps in a timelapse, which then takes three quarters of a minute."""
