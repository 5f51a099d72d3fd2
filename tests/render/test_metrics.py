"""Widths planned without drawing equal the widths drawn."""

import pytest
from PIL import ImageFont

from render.font_metrics import (
    FONT_FILES,
    distinct_texts,
    font_file,
    text_width,
)
from render.scene import Weight


@pytest.mark.parametrize("weight", sorted(FONT_FILES))
@pytest.mark.parametrize("text", ["B&O", "1234567890", "Charleroi & Connellsville", "×7 ∞ …", "Łódź"])
def test_text_width(weight: Weight, text: str) -> None:
    font = ImageFont.truetype(font_file(weight), 1000, layout_engine=ImageFont.Layout.BASIC)
    assert text_width(text, weight) == pytest.approx(font.getlength(text) / 1000, rel=0.02)


def test_distinct_texts() -> None:
    cut = distinct_texts(["Benjamin Featherstonehaugh 1", "Benjamin Featherstonehaugh 2", "Ada"], 100, 20)
    assert len(set(cut)) == 3
    assert [text[-1] for text in cut] == ["1", "2", "a"]
    assert all(text_width(text) * 20 <= 100 for text in cut)
    assert distinct_texts(["Benjamin Featherstonehaugh", "Ada"], 100, 20)[0].endswith("…")
