"""Wire format of the board page: shared compressed JSON, pictures as line edits, text without markup."""

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
"""Text in place of a Discord mention, since the page has no user names for mentions."""
_RAW_DEFLATE: Final = -15
"""Window size parameter for zlib, which selects raw deflate without a header."""
_GZIP_HEADER: Final = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
"""Header of a gzip file without file name and time."""
COMPRESSION_LEVEL: Final = 6
MAX_CACHED_DRAWINGS: Final = 32
"""Maximum number of cached maps, and of cached markets, in a process; most moves change neither picture."""


@dataclass(frozen=True, slots=True)
class PackedText:
    """The compressed start of a text, with its checksum and length. `gzip_file` appends the rest of the text."""

    data: bytes
    checksum: int
    size: int


def pack_text(text: str) -> PackedText:
    """Compress the start of a text; `gzip_file` appends the rest."""
    body = utf8(text)
    compressor = zlib.compressobj(COMPRESSION_LEVEL, zlib.DEFLATED, _RAW_DEFLATE)
    data = compressor.compress(body) + compressor.flush(zlib.Z_SYNC_FLUSH)
    return PackedText(data, zlib.crc32(body), len(body))


def gzip_file(packed_start: PackedText, rest: str) -> bytes:
    """A gzip file of a whole text: the compressed start, followed by the rest."""
    body = utf8(rest)
    compressor = zlib.compressobj(COMPRESSION_LEVEL, zlib.DEFLATED, _RAW_DEFLATE)
    packed_end = compressor.compress(body) + compressor.flush()
    checksum, size = zlib.crc32(body, packed_start.checksum), packed_start.size + len(body)
    return _GZIP_HEADER + packed_start.data + packed_end + pack("<II", checksum, size & 0xFFFFFFFF)


def fields_of(view: Any) -> dict[str, Any]:
    """A view's fields as a dict; nested views are not converted."""
    return {name: getattr(view, name) for name in view.__dataclass_fields__}


def as_json(value: Any) -> str:
    """Compact JSON text; views become objects."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=fields_of)


def utf8(text: str) -> bytes:
    """JSON text as UTF-8; lone surrogates become JSON escapes."""
    return text.encode(errors="backslashreplace")


def open_json_object(fields: Mapping[str, Any]) -> str:
    """A JSON object without its closing brace, so that fields can be appended."""
    return as_json(fields)[:-1]


def pack_object(value: Mapping[str, Any]) -> PackedText:
    """A compressed JSON object without its closing brace; `rest_of_json_object` completes it."""
    return pack_text(open_json_object(value))


def rest_of_json_object(fields: Mapping[str, Any]) -> str:
    """Text that appends these fields to the result of `open_json_object` and closes the object.

    The object must already have a field.
    """
    return f",{as_json(fields)[1:]}" if fields else "}"


@dataclass(frozen=True, slots=True)
class SentPicture:
    """A compressed SVG, with an id derived from its content."""

    id: str
    data: bytes

    @classmethod
    def of(cls, svg: str) -> Self:
        """Compress an SVG."""
        data = zlib.compress(svg.encode(), 3)
        return cls(blake2b(data, digest_size=8).hexdigest(), data)

    @property
    def svg(self) -> str:
        """The SVG as text."""
        return zlib.decompress(self.data).decode()

    def for_browser(self, known_picture: "SentPicture | None" = None) -> Picture:
        """The picture as JSON: whole, or as edits of `known_picture`, which the browser already has."""
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
    """Edits that turn old lines into new ones: (index, number of deleted lines, inserted lines).

    If the common lines keep their order, as in pictures of one game, there are few edits.
    """
    new_line_indexes = {line: line_index for line_index, line in enumerate(new_lines)}
    edits, old_index, next_new_index = list[LineEdit](), 0, 0
    for line_index, line in enumerate([*old_lines, None]):
        new_index = len(new_lines) if line is None else new_line_indexes.get(line, -1)
        if new_index < next_new_index:
            continue
        if line_index > old_index or new_index > next_new_index:
            edits.append((old_index, line_index - old_index, list(new_lines[next_new_index:new_index])))
        old_index, next_new_index = line_index + 1, new_index + 1
    return edits


@lru_cache(MAX_CACHED_DRAWINGS)
def map_picture(view: MapView, theme: str) -> SentPicture:
    """The whole map as a compressed SVG; cached."""
    return SentPicture.of(map_svg(view, theme=theme))


@lru_cache(MAX_CACHED_DRAWINGS)
def market_picture(view: MarketView, theme: str) -> SentPicture:
    """The stock market as a compressed SVG; cached."""
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
    """A line of Discord markdown as plain text, without the move number at its start."""
    return _MARKUP.sub(_plain_part, line)


def _plain_part(match: re.Match[str]) -> str:
    if match["linked"]:
        return plain_text(match["linked"])
    return UNNAMED_USER if match["mention"] else match["escaped"] or ""
