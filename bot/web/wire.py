"""The page's wire format: shared compressed JSON, pictures as differences, plain lines."""

import json
import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from struct import pack
from typing import Any, Final, Self

from engine.views import MapView, MarketView
from render import map_svg, market_svg

SOMEBODY: Final = "somebody"
"""In place of a mention: the page knows nobody's account."""
_RAW: Final = -15
"""Deflate without a header around it."""
_HEADER: Final = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
"""Of a gzip file without a name or a time."""
LEVEL: Final = 6
PICTURES: Final = 32
"""Maps, and markets, that a process keeps: most moves change neither."""


@dataclass(frozen=True, slots=True)
class Packed:
    """The compressed start of a text, up to a byte border; with checksum and length."""

    data: bytes
    checksum: int
    size: int


def pack_text(text: str) -> Packed:
    """The compressed start of a text."""
    body = utf8(text)
    squeezer = zlib.compressobj(LEVEL, zlib.DEFLATED, _RAW)
    data = squeezer.compress(body) + squeezer.flush(zlib.Z_SYNC_FLUSH)
    return Packed(data, zlib.crc32(body), len(body))


def gzip_file(begun: Packed, rest: str) -> bytes:
    """The whole text as a gzip file: packed start and rest."""
    body = utf8(rest)
    squeezer = zlib.compressobj(LEVEL, zlib.DEFLATED, _RAW)
    end = squeezer.compress(body) + squeezer.flush()
    checksum, size = zlib.crc32(body, begun.checksum), begun.size + len(body)
    return _HEADER + begun.data + end + pack("<II", checksum, size & 0xFFFFFFFF)


def fields_of(view: Any) -> dict[str, Any]:
    """A view's fields as a JSON object; nested views are still views."""
    return {name: getattr(view, name) for name in view.__dataclass_fields__}


def as_json(value: Any) -> str:
    """The shortest JSON text of values and views."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=fields_of)


def utf8(text: str) -> bytes:
    """JSON text as UTF-8; a lone surrogate becomes a JSON escape."""
    return text.encode(errors="backslashreplace")


def unclosed(fields: dict[str, Any]) -> str:
    """An object without its last brace, to be continued."""
    return as_json(fields)[:-1]


def pack_object(value: dict[str, Any]) -> Packed:
    """A packed object without its last brace, completed by `closing({})`."""
    return pack_text(unclosed(value))


def closing(fields: Mapping[str, Any]) -> str:
    """The rest of an `unclosed` object, with at least one field."""
    return f",{as_json(fields)[1:]}" if fields else "}"


@dataclass(frozen=True, slots=True)
class SentPicture:
    """A packed SVG with its id."""

    id: str
    data: bytes

    @classmethod
    def of(cls, svg: str) -> Self:
        """The packed picture of an SVG text."""
        data = zlib.compress(svg.encode(), 3)
        return cls(blake2b(data, digest_size=8).hexdigest(), data)

    @property
    def svg(self) -> str:
        """The text."""
        return zlib.decompress(self.data).decode()

    def for_browser(self, base: "SentPicture | None" = None) -> dict[str, Any]:
        """The picture for a browser: whole, or as a difference from one that it has."""
        if base is None:
            return {"id": self.id, "svg": self.svg}
        if base.id == self.id:
            return {"id": self.id, "base": self.id, "edits": []}
        return {"id": self.id, "base": base.id, "edits": edits(base.svg.split("\n"), self.svg.split("\n"))}


def edits(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int, Sequence[str]]]:
    """Edits from old lines to new ones: place, number of deleted lines, and inserted lines.

    Few where lines that stay keep their order, as those of a picture do.
    """
    places = {line: place for place, line in enumerate(new)}
    edits, kept, made = list[tuple[int, int, Sequence[str]]](), 0, 0
    for place, line in enumerate([*old, None]):
        there = len(new) if line is None else places.get(line, -1)
        if there < made:
            continue
        if place > kept or there > made:
            edits.append((kept, place - kept, new[made:there]))
        kept, made = place + 1, there + 1
    return edits


@lru_cache(PICTURES)
def map_picture(view: MapView, theme: str) -> SentPicture:
    """The whole map."""
    return SentPicture.of(map_svg(view, theme=theme))


@lru_cache(PICTURES)
def market_picture(view: MarketView, theme: str) -> SentPicture:
    """Show the stock market."""
    return SentPicture.of(market_svg(view, theme=theme))


_MARKUP: Final = re.compile(
    r"""\\(?P<escaped>[^a-zA-Z0-9\s])      # a character that is meant as it is
    | (?P<mention> <[@#&!]+[0-9]+> )
    | [ ]? <t:[0-9]+ (?: :[A-Za-z])? >      # a time, which only Discord can tell in the zone of its reader
    | ^ `[0-9]+` [ ]                        # the number of a move
    | ^ (?: -\#[ ] | \#{1,3}[ ] | >{1,3}[ ] )
    | \[ (?P<linked>[^\]\n]+) \] \( [^)\s]+ \)
    | \*+ | __ | ~~ | \|\| | `+
    | (?<!\w) _ (?=\S) | (?<=\S) _ (?!\w)   # of words in italics
    """,
    re.MULTILINE | re.VERBOSE,
)


def plain_text(line: str) -> str:
    """A line without markup and number."""
    return _MARKUP.sub(_letters, line)


def _letters(found: re.Match[str]) -> str:
    if found["linked"]:
        return plain_text(found["linked"])
    return SOMEBODY if found["mention"] else found["escaped"] or ""
