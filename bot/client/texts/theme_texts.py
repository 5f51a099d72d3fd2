"""The look of pictures in words."""

from typing import Final

from render import LARGE

LETTERS: Final = {
    "usual": "usual size",
    "large": "large: less stands side by side, and close-ups show fewer hexes",
}
"""Sizes of the text in pictures, in words."""
LOOKS: Final = {
    "ours": "light",
    "safe": "colours that colour-blind eyes tell apart",
    "dark": "dark",
}
"""Colours of pictures, in words."""


def theme_words(theme: str) -> str:
    """A theme as people read it: `light, large text`."""
    return LOOKS[theme.removesuffix(LARGE)] + (", large text" if theme.endswith(LARGE) else "")
