"""Drawing functions for workers, and a file that keeps the drawn printed maps for the next start."""

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
    render_cities,
    render_lays,
    render_map,
    render_market,
    render_spots,
    use_results,
)

PictureCall: TypeAlias = tuple[Callable[..., bytes], tuple[Any, ...]]
"""A drawing function of this module, and its arguments after the theme."""
MAX_NEW_PARTS: Final = 200
"""The most parts that one job draws for the first time (`render.draw_cache`), so that other tables have their turn."""


def draw_packed(theme: str, pickled_calls: Sequence[bytes]) -> list[bytes] | None:
    """Draw several pictures, each a pickled `PictureCall`.

    None: call again, since the limit of new parts was reached.
    """
    calls: list[PictureCall] = [pickle.loads(pickled) for pickled in pickled_calls]
    try:
        with limit_new_drawings(MAX_NEW_PARTS):
            return [draw_function(theme, *arguments) for draw_function, arguments in calls]
    except DrawingLimitReached:
        return None


def draw(theme: str, render: Callable[..., bytes], view: object) -> bytes:
    """Draw a view with its render function."""
    return render(view, theme=theme)


def draw_map(theme: str, view: MapView, shown_hexes: tuple[Coord, ...]) -> bytes:
    """Draw the whole map, or the part around these hexes."""
    return render_map(view, theme=theme, centre=shown_hexes or None)


def draw_sketch(theme: str, sketch: ChoicePicture) -> bytes:
    """The picture for picking a place or tile: hexes on the map, cities, cells of the market, or tiles in a hex."""
    if isinstance(sketch, HexChoices):
        return render_spots(sketch.view, sketch.hexes, first_number=sketch.first_number, theme=theme)
    if isinstance(sketch, CityChoices):
        return render_cities(sketch.view, sketch.hex, sketch.stop_indexes, theme=theme)
    if isinstance(sketch, MarketChoices):
        return render_market(sketch.view, start_prices=sketch.start_prices, theme=theme)
    return render_lays(sketch.view, sketch.lays, first_number=sketch.first_number, theme=theme)


PRINTED_MAPS_FILE: Final = Path("printed-maps.bin")
"""A file in the working directory, about one megabyte; it may be deleted at any time."""
_COMPRESSION_LEVEL: Final = 1
_DIGEST_BYTES: Final = 16
"""Bytes of each of the two digests at the start of the file: of the drawing code and theme, and of the rest."""


def keep_printed_maps(theme: str, file: Path = PRINTED_MAPS_FILE) -> None:
    """Draw the printed maps and store the results in the file, unless it is current; raises OSError."""
    if _read_current(file, theme) is not None:
        return
    with collect_results() as results:
        _draw_printed_maps(theme)
    packed = zlib.compress(pickle.dumps(results), _COMPRESSION_LEVEL)
    _replace_file(file, _drawing_digest(theme) + _digest(packed) + packed)


def recall_printed_maps(file: Path = PRINTED_MAPS_FILE) -> None:
    """Load the drawn printed maps from the file; do nothing if it is missing or not current."""
    for theme in THEME_NAMES:
        packed_results = _read_current(file, theme)
        if packed_results is not None:
            results: DrawingResults = pickle.loads(zlib.decompress(packed_results))
            with use_results(results):
                _draw_printed_maps(theme)


def _draw_printed_maps(theme: str) -> None:
    for title in TITLES:
        draw_map(theme, printed_map(title), ())


def _read_current(file: Path, theme: str) -> bytes | None:
    """The stored results for this theme; None if missing, damaged, or made by other drawing code."""
    try:
        content = file.read_bytes()
    except FileNotFoundError:
        return None
    drawing_digest, digest, packed_results = (
        content[:_DIGEST_BYTES],
        content[_DIGEST_BYTES : 2 * _DIGEST_BYTES],
        content[2 * _DIGEST_BYTES :],
    )
    return (
        packed_results
        if drawing_digest == _drawing_digest(theme) and digest == _digest(packed_results)
        else None
    )


def _replace_file(file: Path, content: bytes) -> None:
    """Replace the file atomically, since another process may read it."""
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
    folders = (Path(render.__path__[0]), VIEW_CODE)
    files = (path for folder in folders for kind in ("*.py", "*.toml") for path in sorted(folder.rglob(kind)))
    return b"".join(_digest(file.read_bytes()) for file in files)
