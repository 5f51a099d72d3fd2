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

from bot.web.answers import LineEdit, Picture
from engine.views import MapView, MarketView
from render import map_svg, market_svg

UNNAMED_USER: Final = "somebody"
"""Shown in place of a mention, since the page does not know the accounts."""
_RAW_DEFLATE: Final = -15
"""Deflate without a header around it."""
_GZIP_HEADER: Final = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
"""Header of a gzip file without name or time."""
COMPRESSION_LEVEL: Final = 6
CACHED_PICTURES: Final = 32
"""Cached maps, and as many markets, of a process: most moves change neither."""


@dataclass(frozen=True, slots=True)
class PackedText:
    """The compressed start of a text, up to a byte border; with checksum and length."""

    data: bytes
    checksum: int
    size: int


def pack_text(text: str) -> PackedText:
    """The compressed start of a text."""
    body = utf8(text)
    compressor = zlib.compressobj(COMPRESSION_LEVEL, zlib.DEFLATED, _RAW_DEFLATE)
    data = compressor.compress(body) + compressor.flush(zlib.Z_SYNC_FLUSH)
    return PackedText(data, zlib.crc32(body), len(body))


def gzip_file(packed_start: PackedText, rest: str) -> bytes:
    """The whole text as a gzip file: packed start and rest."""
    body = utf8(rest)
    compressor = zlib.compressobj(COMPRESSION_LEVEL, zlib.DEFLATED, _RAW_DEFLATE)
    packed_end = compressor.compress(body) + compressor.flush()
    checksum, size = zlib.crc32(body, packed_start.checksum), packed_start.size + len(body)
    return _GZIP_HEADER + packed_start.data + packed_end + pack("<II", checksum, size & 0xFFFFFFFF)


def fields_of(view: Any) -> dict[str, Any]:
    """A view's fields as a JSON object; nested views are still views."""
    return {name: getattr(view, name) for name in view.__dataclass_fields__}


def as_json(value: Any) -> str:
    """The shortest JSON text of values and views."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=fields_of)


def utf8(text: str) -> bytes:
    """JSON text as UTF-8; a lone surrogate becomes a JSON escape."""
    return text.encode(errors="backslashreplace")


def unclosed_json(fields: Mapping[str, Any]) -> str:
    """An object without its last brace, to be continued."""
    return as_json(fields)[:-1]


def pack_object(value: Mapping[str, Any]) -> PackedText:
    """A packed object without its last brace, completed by `closing_text({})`."""
    return pack_text(unclosed_json(value))


def closing_text(fields: Mapping[str, Any]) -> str:
    """The rest of an `unclosed_json` object, with at least one field."""
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
        """The SVG text."""
        return zlib.decompress(self.data).decode()

    def for_browser(self, known_picture: "SentPicture | None" = None) -> Picture:
        """The picture for a browser: whole, or as a difference from one that it has."""
        if known_picture is None:
            return {"id": self.id, "svg": self.svg}
        if known_picture.id == self.id:
            return {"id": self.id, "base": self.id, "edits": []}
        return {
            "id": self.id,
            "base": known_picture.id,
            "edits": line_edits(known_picture.svg.split("\n"), self.svg.split("\n")),
        }


def line_edits(old_lines: Sequence[str], new_lines: Sequence[str]) -> list[LineEdit]:
    """Edits from old lines to new ones: place, number of deleted lines, and inserted lines.

    Few where lines that stay keep their order, as those of a picture do.
    """
    places = {line: place for place, line in enumerate(new_lines)}
    edits, old_done, new_done = list[LineEdit](), 0, 0
    for place, line in enumerate([*old_lines, None]):
        new_place = len(new_lines) if line is None else places.get(line, -1)
        if new_place < new_done:
            continue
        if place > old_done or new_place > new_done:
            edits.append((old_done, place - old_done, list(new_lines[new_done:new_place])))
        old_done, new_done = place + 1, new_place + 1
    return edits


@lru_cache(CACHED_PICTURES)
def map_picture(view: MapView, theme: str) -> SentPicture:
    """The picture of the whole map."""
    return SentPicture.of(map_svg(view, theme=theme))


@lru_cache(CACHED_PICTURES)
def market_picture(view: MarketView, theme: str) -> SentPicture:
    """The picture of the stock market."""
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
    return _MARKUP.sub(_plain_part, line)


def _plain_part(match: re.Match[str]) -> str:
    if match["linked"]:
        return plain_text(match["linked"])
    return UNNAMED_USER if match["mention"] else match["escaped"] or ""
