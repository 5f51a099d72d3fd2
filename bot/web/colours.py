"""Colours that the page shares with its pictures: of tiles, routes and lines in charts, in each theme."""

from collections.abc import Iterator

from render import THEMES, Theme


def colours_css() -> str:
    """A style sheet: a class for each paint, below the theme that the page's root names."""
    return "".join(line for theme in THEMES.values() for line in _rules(theme))


def _rules(theme: Theme) -> Iterator[str]:
    root = f':root[data-theme="{theme.name}"]'
    yield from (f"{root} .line-{i} {{ --paint: {paint}; }}\n" for i, paint in enumerate(theme.lines))
    yield from (f"{root} .tile-{name} {{ --paint: {paint}; }}\n" for name, paint in theme.tiles.items())
