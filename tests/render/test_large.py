"""Large letters: shown at the same width, what is written is larger, and everything is still there."""

from statistics import median

import pytest

from render.choices import LARGE_SUFFIX
from render.scene import Scene, Text
from render.theme import THEMES
from tests.golden.positions import golden_at
from tests.render.looks import drawings

GROWN = {"market": 1.08, "table": 1.2, "tiles": 1.2, "phases": 1.2, "sale": 1.2}
"""Pictures that show the same in both sizes, and how much larger letters are at least."""


def sizes(scene: Scene) -> dict[str, float]:
    """By what is written: the largest em, as a part of the picture's width."""
    found: dict[str, float] = {}
    for placed in scene.sprites:
        for item in placed.sprite.items:
            if isinstance(item, Text):
                found[item.text] = max(found.get(item.text, 0.0), item.size / scene.width)
    return found


@pytest.mark.parametrize("name", GROWN)
def test_large_letters(name: str) -> None:
    game = ("18chesapeake-bank-4p", 5) if name == "sale" else ("18newengland-bank-3p", 240)
    draw = dict(drawings(golden_at(*game)))[name]
    usual, large = sizes(draw("ours")), sizes(draw(f"ours{LARGE_SUFFIX}"))
    both = usual.keys() & large.keys()
    assert len(both) >= 0.9 * len(usual)  # lines of long sentences may break elsewhere
    assert median(large[text] / usual[text] for text in both) > GROWN[name]
    assert all(large[text] >= usual[text] for text in both)
    for theme in THEMES:
        usual_look, large_look = draw(theme), draw(f"{theme}{LARGE_SUFFIX}")
        assert (large_look.background, large_look.palette) == (usual_look.background, usual_look.palette)
