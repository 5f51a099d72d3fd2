"""Drawing by workers, and a file of drawn printed maps for the next start."""

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
from bot.table.moves.lays import CityChoices, HexChoices, Sketch
from bot.table.warming import printed
from engine import TITLES, Coord
from engine.views import VIEW_CODE, MapView
from render import (
    THEME_NAMES,
    DrawingLimitReached,
    KnownResults,
    collect_results,
    limit_new_drawings,
    render_cities,
    render_lays,
    render_map,
    render_spots,
    use_results,
)

Piece: TypeAlias = tuple[Callable[..., bytes], tuple[Any, ...]]
"""One of the functions below, and what it is given after the theme."""
AT_ONCE: Final = 200
"""The most parts drawn for the first time in one piece of work (`render.draw_cache`): then other tables have their
turn.
"""


def draw_packed(theme: str, pieces: Sequence[bytes]) -> list[bytes] | None:
    """Several pictures, each of a pickled `Piece`; None: call again to continue."""
    opened: list[Piece] = [pickle.loads(piece) for piece in pieces]
    try:
        with limit_new_drawings(AT_ONCE):
            return [how(theme, *what) for how, what in opened]
    except DrawingLimitReached:
        return None


def draw(theme: str, render: Callable[..., bytes], view: object) -> bytes:
    """A picture of a view, by its render function."""
    return render(view, theme=theme)


def draw_map(theme: str, view: MapView, around: tuple[Coord, ...]) -> bytes:
    """The whole map, or the close-up around these hexes."""
    return render_map(view, theme=theme, centre=around or None)


def draw_sketch(theme: str, sketch: Sketch) -> bytes:
    """The picture for picking a place or tile: hexes on the map, cities, or tiles in a hex."""
    if isinstance(sketch, HexChoices):
        return render_spots(sketch.view, sketch.hexes, first_number=sketch.first_number, theme=theme)
    if isinstance(sketch, CityChoices):
        return render_cities(sketch.view, sketch.hex, sketch.stops, theme=theme)
    return render_lays(sketch.view, sketch.lays, first_number=sketch.first_number, theme=theme)


FILE: Final = Path("printed-maps.bin")
"""File in the folder where the bot starts; a megabyte or so, which may be deleted at any time."""
_PACKING: Final = 1
_DIGEST: Final = 16
"""Bytes of each of the two digests that the file begins with: how all was drawn, and of what follows."""


def keep_printed_maps(theme: str, file: Path = FILE) -> None:
    """Draw the printed maps into the file, unless it is current; raises OSError."""
    if _read(file, theme) is not None:
        return
    with collect_results() as notes:
        _draw(theme)
    packed = zlib.compress(pickle.dumps(notes), _PACKING)
    _write(file, _drawing_digest(theme) + _digest(packed) + packed)


def recall_printed_maps(file: Path = FILE) -> None:
    """Load the printed maps from the file; do nothing if it is missing or of another release."""
    for theme in THEME_NAMES:
        packed = _read(file, theme)
        if packed is not None:
            results: KnownResults = pickle.loads(zlib.decompress(packed))
            with use_results(results):
                _draw(theme)


def _draw(theme: str) -> None:
    for title in TITLES:
        draw_map(theme, printed(title), ())


def _read(file: Path, theme: str) -> bytes | None:
    """The file's results for this theme; None if missing, damaged, or of other drawing code."""
    try:
        whole = file.read_bytes()
    except FileNotFoundError:
        return None
    how, digest, packed = whole[:_DIGEST], whole[_DIGEST : 2 * _DIGEST], whole[2 * _DIGEST :]
    return packed if how == _drawing_digest(theme) and digest == _digest(packed) else None


def _write(file: Path, whole: bytes) -> None:
    """Replace the file atomically, since another process may read it."""
    with NamedTemporaryFile(dir=file.parent, prefix=file.name, delete=False) as written:
        written.write(whole)
    os.replace(written.name, file)


def _digest(of: bytes) -> bytes:
    return blake2b(of, digest_size=_DIGEST).digest()


@lru_cache(maxsize=len(THEME_NAMES))
def _drawing_digest(theme: str) -> bytes:
    return _digest(theme.encode() + version("pillow").encode() + _code())


@lru_cache(maxsize=1)
def _code() -> bytes:
    rooms = (Path(render.__path__[0]), VIEW_CODE)
    parts = (path for room in rooms for kind in ("*.py", "*.toml") for path in sorted(room.rglob(kind)))
    return b"".join(_digest(part.read_bytes()) for part in parts)
