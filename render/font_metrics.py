"""Text widths in the bundled fonts, for planning layouts without drawing."""

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
"""Height of capital letters and digits, in em."""


def font_file(weight: Weight) -> Path:
    """The bundled font file of this weight."""
    return Path(__file__).with_name("fonts") / FONT_FILES[weight]


@lru_cache(maxsize=4096)
def text_width(text: str, weight: Weight = "bold") -> float:
    """Width of a text at font size 1, in em."""
    letter_widths = _letter_widths(weight)
    return sum(letter_widths.get(ord(letter), letter_widths[ord("n")]) for letter in text)


def fitting_size(
    text: str, width: float, largest_size: float, weight: Weight = "bold", smallest_size: float = 0.0
) -> float:
    """The largest font size, between `smallest_size` and `largest_size`, in which the text fits into `width`."""
    return max(smallest_size, min(largest_size, width / max(text_width(text, weight), 0.01)))


def fitted_text(
    x: float,
    y: float,
    text: str,
    max_width: float,
    largest_size: float,
    colour: Colour,
    weight: Weight = "bold",
    align: Align = "middle",
) -> Text:
    """A text item in the largest font size, at most `largest_size`, that fits into the width `max_width`."""
    return Text(x, y, text, fitting_size(text, max_width, largest_size, weight), colour, weight, align)


def heading(
    title: str, caption: str, right_edge: float, ink: Colour, x: float = 0, y: float = 34, gap: float = 24
) -> tuple[Text, Text]:
    """A title and, to its right, a caption that ends before `right_edge`.

    `x` and `y` are the left end and the middle of the title; `gap` is the space between title and caption.
    """
    caption_x = text_width(title, "black") * 34 + (x + gap)
    return Text(x, y, title, 34, ink, "black", "left"), fitted_text(
        caption_x, y + 2, caption, right_edge - caption_x, 26, ink, align="left"
    )


def shortened_text(text: str, width: float, size: float, weight: Weight = "bold") -> str:
    """The text, cut short with an ellipsis if it is wider than `width` at this font size."""
    if text_width(text, weight) * size <= width:
        return text
    kept_text = text
    while kept_text and text_width(kept_text + "…", weight) * size > width:
        kept_text = kept_text[:-1]
    return kept_text.rstrip() + "…"


def wrapped_lines(text: str, width: float, size: float, weight: Weight = "regular") -> tuple[str, ...]:
    """A text wrapped at spaces into lines at most `width` pixels wide; `size` is the font size."""
    lines: list[str] = []
    for word in text.split():
        longer_line = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer_line, weight) * size <= width:
            lines[-1] = longer_line
        else:
            lines.append(word)
    return tuple(lines)


def distinct_texts(
    texts: Sequence[str], width: float, size: float, weight: Weight = "bold"
) -> tuple[str, ...]:
    """The texts, each shortened to `width`. Texts that would then look the same are shortened in the middle instead."""
    cut_texts = [shortened_text(text, width, size, weight) for text in texts]
    return tuple(
        _middle_shortened_text(text, width, size, weight)
        if cut_text != text and cut_texts.count(cut_text) > 1
        else cut_text
        for text, cut_text in zip(texts, cut_texts, strict=True)
    )


def _middle_shortened_text(text: str, width: float, size: float, weight: Weight) -> str:
    for kept_count in range(len(text) - 1, 1, -1):
        cut_text = f"{text[: kept_count - kept_count // 2].rstrip()}…{text[-(kept_count // 2) :].lstrip()}"
        if text_width(cut_text, weight) * size <= width:
            return cut_text
    return "…"


@lru_cache(maxsize=3)
def _letter_widths(weight: Weight) -> dict[int, float]:
    font_bytes = font_file(weight).read_bytes()
    font_table_offsets = _table_offsets(font_bytes)
    units_per_em = struct.unpack_from(">H", font_bytes, font_table_offsets["head"] + 18)[0]
    width_count = struct.unpack_from(">H", font_bytes, font_table_offsets["hhea"] + 34)[0]
    widths = [
        struct.unpack_from(">H", font_bytes, font_table_offsets["hmtx"] + 4 * i)[0] / units_per_em
        for i in range(width_count)
    ]
    glyph_by_letter = _glyphs_by_letter(font_bytes, font_table_offsets["cmap"])
    return {letter: widths[min(glyph, width_count - 1)] for letter, glyph in glyph_by_letter.items()}


def _table_offsets(font_bytes: bytes) -> dict[str, int]:
    table_count = struct.unpack_from(">H", font_bytes, 4)[0]
    records = (struct.unpack_from(">4sIII", font_bytes, 12 + 16 * i) for i in range(table_count))
    return {tag.decode("ascii"): offset for tag, _, offset, _ in records}


def _glyphs_by_letter(font_bytes: bytes, cmap_offset: int) -> dict[int, int]:
    """The glyph index of each character code, read from the font's `cmap` table of format 4."""
    subtable_count = struct.unpack_from(">H", font_bytes, cmap_offset + 2)[0]
    subtable_offsets = (
        cmap_offset + struct.unpack_from(">HHI", font_bytes, cmap_offset + 4 + 8 * i)[2]
        for i in range(subtable_count)
    )
    subtable_start = next(
        offset for offset in subtable_offsets if struct.unpack_from(">H", font_bytes, offset)[0] == 4
    )
    segment_count = struct.unpack_from(">H", font_bytes, subtable_start + 6)[0] // 2
    glyph_by_letter: dict[int, int] = {}
    for i in range(segment_count):
        last_letter = struct.unpack_from(">H", font_bytes, subtable_start + 14 + 2 * i)[0]
        first_letter = struct.unpack_from(">H", font_bytes, subtable_start + 16 + 2 * (segment_count + i))[0]
        glyph_shift = struct.unpack_from(">h", font_bytes, subtable_start + 16 + 2 * (2 * segment_count + i))[
            0
        ]
        range_position = subtable_start + 16 + 2 * (3 * segment_count + i)
        range_offset = struct.unpack_from(">H", font_bytes, range_position)[0]
        for letter in range(first_letter, min(last_letter, 0xFFFE) + 1):
            glyph = (
                struct.unpack_from(
                    ">H", font_bytes, range_position + range_offset + 2 * (letter - first_letter)
                )[0]
                if range_offset
                else letter
            )
            glyph_by_letter[letter] = (glyph + glyph_shift) % 65536 if glyph else 0
    return glyph_by_letter
