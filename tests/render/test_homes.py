"""Spaces kept for companies, and certificates of any size."""

from dataclasses import replace
from typing import Any

import pytest

from render.scene import RoundedBox, Scene, Text
from render.sheets.charter_art import company_scene
from tests.render.sheets import company
from tests.render.views import words_of


def boxes(scene: Scene, text: str) -> list[float]:
    """Widths of the certificates in the lowest line with this text."""
    items = scene.sprites[0].sprite.items
    line = max(item.y for item in items if isinstance(item, Text) and item.text == text)
    return [
        item.x1 - item.x0
        for item in items
        if isinstance(item, RoundedBox)
        and abs((item.y0 + item.y1) / 2 - line) < 1
        and item.y1 - item.y0 == 26
    ]


@pytest.mark.parametrize(
    ("certificate", "percent", "sizes"), [(20, 40, [38, 18, 18]), (30, 40, [58, 18]), (100, 100, [38])]
)
def test_certificate_is_as_long_as_its_shares(certificate: int, percent: int, sizes: list[float]) -> None:
    """Two of ten, three of ten, and a minor's, which counts as two."""
    share = 50 if certificate == 100 else 10
    view = replace(company(), offering=0, market=0, certificate=certificate, share=share, fixed=share == 50)
    assert boxes(company_scene(replace(view, holders=(("Ada", percent, True),)), "ours"), "Ada") == sizes


def test_minor_has_a_value_and_no_offering() -> None:
    view = replace(company(), fixed=True, holders=(("Ada", 100, True),), share=50, certificate=100)
    words = words_of(company_scene(view, "ours"))
    assert "Value" in words
    assert not {"Par", "Offering", "Market"} & set(words)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"reserved_by": "Ann"}, "Reserved by Ann"),
        ({"waits_for": "3"}, "Available from phase 3 on"),
        ({"closed": True}, "Out of the game"),
    ],
)
def test_charter_says_why_a_company_cannot_start(change: dict[str, Any], words: str) -> None:
    view = replace(company(), par=None, price=None, president=None, holders=())
    assert words in words_of(company_scene(replace(view, **change), "ours"))
