"""Colours: letters of every company can be read on its paint, and lines are distinct to every eye."""

from itertools import combinations

import pytest

from engine.titles import TITLES
from render.theme import (
    CONFUSABLE_DISTANCE,
    THEMES,
    VISION_MATRICES,
    colour_distance,
    contrast,
    dash_pattern_indexes_of,
    ink_on,
    least_colour_distance,
    readable_company_colour,
)

COMPANIES = [
    (title.id, name, facts.colour)
    for title in TITLES.values()
    for name, facts in title.spec.companies.items()
]


@pytest.mark.parametrize(("title", "name", "colour"), COMPANIES)
def test_ink_stands_out_from_paint(title: str, name: str, colour: str) -> None:
    paint = readable_company_colour(colour)
    assert contrast(paint, ink_on(paint)) >= 4.5


@pytest.mark.parametrize("title", sorted(TITLES))
def test_companies_have_own_paints(title: str) -> None:
    colours = [facts.colour for facts in TITLES[title].spec.companies.values()]
    assert len({readable_company_colour(colour) for colour in colours}) == len(set(colours))


SAFE = 17.0
"""The least distance in the theme for colour-blind eyes."""


@pytest.mark.parametrize("vision", VISION_MATRICES)
@pytest.mark.parametrize("theme", THEMES)
def test_lines_are_distinct_to_every_eye(theme: str, vision: str) -> None:
    """Paints of routes, and of players in charts."""
    least = SAFE if theme == "safe" else CONFUSABLE_DISTANCE
    pairs = combinations(THEMES[theme].lines, 2)
    alike = [pair for pair in pairs if colour_distance(*pair, vision) < least]
    assert alike == []


@pytest.mark.parametrize("title", sorted(TITLES))
def test_alike_price_lines_differ(title: str) -> None:
    """Companies keep the colours of their title; their lines have different dashes."""
    paints = [readable_company_colour(facts.colour) for facts in TITLES[title].spec.companies.values()]
    lines = list(zip(paints, dash_pattern_indexes_of(paints), strict=True))
    assert not [
        (a, b)
        for a, b in combinations(lines, 2)
        if a[1] == b[1] and least_colour_distance(a[0], b[0]) < CONFUSABLE_DISTANCE
    ]


def test_colour_distances() -> None:
    """Known numbers: black and white are a hundred apart, and red and olive are alike for deutan eyes."""
    assert colour_distance("#000000", "#ffffff", "normal") == pytest.approx(100, abs=0.1)
    assert colour_distance("#ff7a1a", "#98b800", "normal") > 20
    assert colour_distance("#ff7a1a", "#98b800", "deutan") < 1
