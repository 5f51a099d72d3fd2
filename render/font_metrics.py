"""Widths of texts from the bundled fonts, to plan layouts without drawing."""

import struct
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

from render.scene import Align, Colour, Text, Weight

FONT_FILES: Final[dict[Weight, str]] = {
    "regular": "Lato-Regular.ttf",
    "bold": "Lato-Bold.ttf",
    "black": "Lato-Black.ttf",
}
CAP_HEIGHT: Final = 0.72
"""Height of capitals and digits in em."""


def font_file(weight: Weight) -> Path:
    """The bundled font file of this weight."""
    return Path(__file__).with_name("fonts") / FONT_FILES[weight]


@lru_cache(maxsize=4096)
def text_width(text: str, weight: Weight = "bold") -> float:
    """Width of the text in em."""
    advances = _advances(weight)
    return sum(advances.get(ord(letter), advances[ord("n")]) for letter in text)


def fitting(text: str, width: float, largest: float, weight: Weight = "bold", smallest: float = 0.0) -> float:
    """The largest em size at which the text is no wider than `width`, between the two limits."""
    return max(smallest, min(largest, width / max(text_width(text, weight), 0.01)))


def fitted(
    x: float,
    y: float,
    text: str,
    room: float,
    largest: float,
    colour: Colour,
    weight: Weight = "bold",
    align: Align = "middle",
) -> Text:
    """The text at the largest em size, up to this one, at which it is no wider than the room."""
    return Text(x, y, text, fitting(text, room, largest, weight), colour, weight, align)


def heading(
    title: str, caption: str, right: float, ink: Colour, x: float = 0, y: float = 34, gap: float = 24
) -> tuple[Text, Text]:
    """A title with a caption beside it, up to `right`."""
    after = text_width(title, "black") * 34 + (x + gap)
    return Text(x, y, title, 34, ink, "black", "left"), fitted(
        after, y + 2, caption, right - after, 26, ink, align="left"
    )


def shortened(text: str, width: float, size: float, weight: Weight = "bold") -> str:
    """The text, cut with an ellipsis where it would be wider than `width` at this em size."""
    if text_width(text, weight) * size <= width:
        return text
    kept = text
    while kept and text_width(kept + "…", weight) * size > width:
        kept = kept[:-1]
    return kept.rstrip() + "…"


def wrapped(words: str, width: float, em: float, weight: Weight = "regular") -> tuple[str, ...]:
    """The words on lines no wider than this in pixels at this em, broken at blanks."""
    lines: list[str] = []
    for word in words.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, weight) * em <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return tuple(lines)


def distinct_texts(
    texts: Sequence[str], width: float, size: float, weight: Weight = "bold"
) -> tuple[str, ...]:
    """The texts, each cut to this width; where two would look alike they are cut in the middle, and keep their ends."""
    cut = [shortened(text, width, size, weight) for text in texts]
    return tuple(
        _cut_in_the_middle(text, width, size, weight) if short != text and cut.count(short) > 1 else short
        for text, short in zip(texts, cut, strict=True)
    )


def _cut_in_the_middle(text: str, width: float, size: float, weight: Weight) -> str:
    for kept in range(len(text) - 1, 1, -1):
        short = f"{text[: kept - kept // 2].rstrip()}…{text[-(kept // 2) :].lstrip()}"
        if text_width(short, weight) * size <= width:
            return short
    return "…"


@lru_cache(maxsize=3)
def _advances(weight: Weight) -> dict[int, float]:
    data = font_file(weight).read_bytes()
    tables = _tables(data)
    em = struct.unpack_from(">H", data, tables["head"] + 18)[0]
    count = struct.unpack_from(">H", data, tables["hhea"] + 34)[0]
    widths = [struct.unpack_from(">H", data, tables["hmtx"] + 4 * i)[0] / em for i in range(count)]
    glyphs = _characters(data, tables["cmap"])
    return {letter: widths[min(glyph, count - 1)] for letter, glyph in glyphs.items()}


def _tables(data: bytes) -> dict[str, int]:
    count = struct.unpack_from(">H", data, 4)[0]
    records = (struct.unpack_from(">4sIII", data, 12 + 16 * i) for i in range(count))
    return {tag.decode("ascii"): offset for tag, _, offset, _ in records}


def _characters(data: bytes, cmap: int) -> dict[int, int]:
    """Glyph of every character, from the font's table of format 4 (segments of the basic plane)."""
    count = struct.unpack_from(">H", data, cmap + 2)[0]
    offsets = (cmap + struct.unpack_from(">HHI", data, cmap + 4 + 8 * i)[2] for i in range(count))
    start = next(offset for offset in offsets if struct.unpack_from(">H", data, offset)[0] == 4)
    segments = struct.unpack_from(">H", data, start + 6)[0] // 2
    glyphs: dict[int, int] = {}
    for i in range(segments):
        last = struct.unpack_from(">H", data, start + 14 + 2 * i)[0]
        first = struct.unpack_from(">H", data, start + 16 + 2 * (segments + i))[0]
        delta = struct.unpack_from(">h", data, start + 16 + 2 * (2 * segments + i))[0]
        at = start + 16 + 2 * (3 * segments + i)
        reach = struct.unpack_from(">H", data, at)[0]
        for letter in range(first, min(last, 0xFFFE) + 1):
            glyph = struct.unpack_from(">H", data, at + reach + 2 * (letter - first))[0] if reach else letter
            glyphs[letter] = (glyph + delta) % 65536 if glyph else 0
    return glyphs
