"""What drawing the printed maps of all titles takes, kept in a file: the workers of the next start begin with it."""

import os
import pickle
import zlib
from functools import lru_cache
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Final

import engine.tell.views
import render
from bot.table.drawing.drawing import draw_map
from bot.table.warming import printed
from engine.titles import TITLES
from render import THEME_NAMES, KnownResults, collect_results, use_results

FILE: Final = Path("printed-maps.bin")
"""In the folder where the bot starts; a megabyte or so, which may be deleted at any time."""
_PACKING: Final = 1
_DIGEST: Final = 16
"""Bytes of each of the two digests that the file begins with: how all was drawn, and of what follows."""


def keep(theme: str, file: Path = FILE) -> None:
    """Draw the printed maps and write the file, unless they are drawn as those in it; raises OSError."""
    if _read(file, theme) is not None:
        return
    with collect_results() as notes:
        _draw(theme)
    packed = zlib.compress(pickle.dumps(notes), _PACKING)
    _write(file, _how(theme) + _digest(packed) + packed)


def recall(file: Path = FILE) -> None:
    """Draw the printed maps with what the file keeps; where there is none, or of another release, draw nothing."""
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
    """What the file keeps of this theme; None where it is missing, damaged, or was drawn otherwise."""
    try:
        whole = file.read_bytes()
    except FileNotFoundError:
        return None
    how, digest, packed = whole[:_DIGEST], whole[_DIGEST : 2 * _DIGEST], whole[2 * _DIGEST :]
    return packed if how == _how(theme) and digest == _digest(packed) else None


def _write(file: Path, whole: bytes) -> None:
    """Put the file there at once: another process may be reading it."""
    with NamedTemporaryFile(dir=file.parent, prefix=file.name, delete=False) as written:
        written.write(whole)
    os.replace(written.name, file)


def _digest(of: bytes) -> bytes:
    return blake2b(of, digest_size=_DIGEST).digest()


@lru_cache(maxsize=len(THEME_NAMES))
def _how(theme: str) -> bytes:
    """The digest of all that draws, and of what it is given."""
    return _digest(theme.encode() + version("pillow").encode() + _code())


@lru_cache(maxsize=1)
def _code() -> bytes:
    rooms = (Path(room.__path__[0]) for room in (render, engine.tell.views))
    return b"".join(_digest(one.read_bytes()) for room in rooms for one in sorted(room.rglob("*.py")))
