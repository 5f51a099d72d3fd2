"""Answers as they travel: the large part, the same for many, is compressed once by a worker; each gets its own end."""

import json
import zlib
from dataclasses import dataclass
from struct import pack
from typing import Any, Final

_RAW: Final = -15
"""Deflate without a header around it."""
_HEADER: Final = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
"""Of a gzip file without a name or a time."""
LEVEL: Final = 6


@dataclass(frozen=True, slots=True)
class Packed:
    """The beginning of a text, compressed up to the border of a byte; its checksum, and its length in bytes."""

    data: bytes
    checksum: int
    size: int


def packed(text: str) -> Packed:
    """The beginning of a text."""
    body = utf8(text)
    squeezer = zlib.compressobj(LEVEL, zlib.DEFLATED, _RAW)
    data = squeezer.compress(body) + squeezer.flush(zlib.Z_SYNC_FLUSH)
    return Packed(data, zlib.crc32(body), len(body))


def finished(begun: Packed, rest: str) -> bytes:
    """The whole text as a gzip file."""
    body = utf8(rest)
    squeezer = zlib.compressobj(LEVEL, zlib.DEFLATED, _RAW)
    end = squeezer.compress(body) + squeezer.flush()
    checksum, size = zlib.crc32(body, begun.checksum), begun.size + len(body)
    return _HEADER + begun.data + end + pack("<II", checksum, size & 0xFFFFFFFF)


def as_json(value: Any) -> str:
    """The shortest JSON text."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def utf8(text: str) -> bytes:
    """JSON text as it travels: half of a surrogate pair, which UTF-8 has no bytes for, as an escape of JSON."""
    return text.encode(errors="backslashreplace")


def opened(fields: dict[str, Any]) -> str:
    """An object of which more comes: without its last brace."""
    return as_json(fields)[:-1]


def whole(value: dict[str, Any]) -> Packed:
    """An object, of which only the last brace is left: `closing({})`."""
    return packed(opened(value))


def closing(fields: dict[str, Any]) -> str:
    """The rest of an object that was `opened` with at least one field."""
    return f",{as_json(fields)[1:]}" if fields else "}"
