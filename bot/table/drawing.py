"""Drawing functions for worker processes, and a cache file of printed maps (maps before the first move)."""

import os
import pickle
import zlib
from collections.abc import Callable, Sequence
from functools import lru_cache
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, Final, TypeAlias

import render
from bot.table.moves.lays import ChoicePicture, CityChoices, HexChoices, MarketChoices
from bot.table.warming import printed_map
from engine import TITLES, Coord
from engine.views import VIEW_CODE, MapView
from render import (
    THEME_NAMES,
    DrawingLimitReached,
    DrawingResults,
    collect_results,
    limit_new_drawings,
    render_map,
    render_market,
    render_numbered_cities,
    render_numbered_hexes,
    render_numbered_tiles,
    use_results,
)

PictureCall: TypeAlias = tuple[Callable[..., bytes], tuple[Any, ...]]
"""A call of a drawing function of this module: the function, and its arguments without the theme."""
MAX_NEW_MAP_PARTS: Final = 200
"""Maximum number of uncached map parts that one job draws before other games' pictures get their turn."""


def draw_pickled_calls(theme: str, pickled_calls: Sequence[bytes]) -> list[bytes] | None:
    """Draw several pictures, each a pickled `PictureCall`.

    Returns None after MAX_NEW_MAP_PARTS new map parts; the caller repeats the call to continue.
    """
    picture_calls: list[PictureCall] = [pickle.loads(pickled) for pickled in pickled_calls]
    try:
        with limit_new_drawings(MAX_NEW_MAP_PARTS):
            return [draw_function(theme, *arguments) for draw_function, arguments in picture_calls]
    except DrawingLimitReached:
        return None


def draw(theme: str, render: Callable[..., bytes], view: object) -> bytes:
    """Draw a view with the given render function."""
    return render(view, theme=theme)


def draw_map(theme: str, view: MapView, shown_hexes: tuple[Coord, ...]) -> bytes:
    """Draw a map: the part around `shown_hexes`, or all of it if they are empty."""
    return render_map(view, theme=theme, centre=shown_hexes or None)


def draw_choice_picture(theme: str, choice_picture: ChoicePicture) -> bytes:
    """Draw the choices for a move, with numbers: hexes on the map, cities of a hex, tiles in a hex, or start prices."""
    if isinstance(choice_picture, HexChoices):
        return render_numbered_hexes(
            choice_picture.view, choice_picture.hexes, first_number=choice_picture.first_number, theme=theme
        )
    if isinstance(choice_picture, CityChoices):
        return render_numbered_cities(
            choice_picture.view, choice_picture.hex, choice_picture.stop_indexes, theme=theme
        )
    if isinstance(choice_picture, MarketChoices):
        return render_market(choice_picture.view, start_prices=choice_picture.start_prices, theme=theme)
    return render_numbered_tiles(
        choice_picture.view, choice_picture.lays, first_number=choice_picture.first_number, theme=theme
    )


PRINTED_MAPS_FILE: Final = Path("printed-maps.bin")
"""Cache file in the working directory, about 1 MB; it may be deleted at any time."""
_COMPRESSION_LEVEL: Final = 1
_DIGEST_BYTES: Final = 16


def store_printed_maps(theme: str, file: Path = PRINTED_MAPS_FILE) -> None:
    """Draw the printed maps of all titles and store them in a cache file, if the file is missing or outdated.

    Raises OSError.
    """
    if _read_current_maps(file, theme) is not None:
        return
    with collect_results() as results:
        _draw_printed_maps(theme)
    compressed_maps = zlib.compress(pickle.dumps(results), _COMPRESSION_LEVEL)
    _replace_file(file, _drawing_digest(theme) + _digest(compressed_maps) + compressed_maps)


def load_printed_maps(file: Path = PRINTED_MAPS_FILE) -> None:
    """Load printed maps from the cache file; does nothing if the file is missing or outdated."""
    for theme in THEME_NAMES:
        compressed_maps = _read_current_maps(file, theme)
        if compressed_maps is not None:
            results: DrawingResults = pickle.loads(zlib.decompress(compressed_maps))
            with use_results(results):
                _draw_printed_maps(theme)


def _draw_printed_maps(theme: str) -> None:
    for title in TITLES:
        draw_map(theme, printed_map(title), ())


def _read_current_maps(file: Path, theme: str) -> bytes | None:
    """The cached maps for this theme; None if they are missing or damaged, or if the drawing code has changed."""
    try:
        content = file.read_bytes()
    except FileNotFoundError:
        return None
    drawing_digest, digest, compressed_maps = (
        content[:_DIGEST_BYTES],
        content[_DIGEST_BYTES : 2 * _DIGEST_BYTES],
        content[2 * _DIGEST_BYTES :],
    )
    return (
        compressed_maps
        if drawing_digest == _drawing_digest(theme) and digest == _digest(compressed_maps)
        else None
    )


def _replace_file(file: Path, content: bytes) -> None:
    with NamedTemporaryFile(dir=file.parent, prefix=file.name, delete=False) as new_file:
        new_file.write(content)
    os.replace(new_file.name, file)


def _digest(content: bytes) -> bytes:
    return blake2b(content, digest_size=_DIGEST_BYTES).digest()


@lru_cache(maxsize=len(THEME_NAMES))
def _drawing_digest(theme: str) -> bytes:
    return _digest(theme.encode() + version("pillow").encode() + _code_digests())


@lru_cache(maxsize=1)
def _code_digests() -> bytes:
    code_folders = (Path(render.__path__[0]), VIEW_CODE)
    code_files = (
        path
        for folder in code_folders
        for pattern in ("*.py", "*.toml")
        for path in sorted(folder.rglob(pattern))
    )
    return b"".join(_digest(file.read_bytes()) for file in code_files)
