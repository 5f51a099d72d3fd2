"""Colours: letters of every company can be read on its paint, and lines are distinct to every eye."""

from itertools import combinations

import pytest

from engine.titles import TITLES
from render.theme import (
    ALIKE,
    THEMES,
    VISIONS,
    WHITE,
    colour_distance,
    company,
    contrast,
    ink_on,
    least_distance,
    line_cores,
)

COMPANIES = [
    (title.id, name, facts.colour)
    for title in TITLES.values()
    for name, facts in title.spec.companies.items()
]


@pytest.mark.parametrize(("title", "name", "colour"), COMPANIES)
def test_letters_of_a_company_stand_out_from_its_paint(title: str, name: str, colour: str) -> None:
    paint = company(colour)
    assert contrast(paint, ink_on(paint)) >= 4.5


def test_letters_on_red_are_white() -> None:
    assert ink_on(company("#ff0000")) == WHITE


@pytest.mark.parametrize("title", sorted(TITLES))
def test_no_two_companies_of_a_title_share_a_paint(title: str) -> None:
    colours = [facts.colour for facts in TITLES[title].spec.companies.values()]
    assert len({company(colour) for colour in colours}) == len(set(colours))


SAFE = 17.0
"""The least distance in the theme for colour-blind eyes."""


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("theme", THEMES)
def test_any_two_lines_are_distinct_to_every_eye(theme: str, vision: str) -> None:
    """Paints of routes, and of players in charts."""
    least = SAFE if theme == "safe" else ALIKE
    pairs = combinations(THEMES[theme].lines, 2)
    alike = [pair for pair in pairs if colour_distance(*pair, vision) < least]
    assert alike == []


def test_the_safe_theme_has_other_lines() -> None:
    assert all(a != b for a, b in zip(THEMES["safe"].lines, THEMES["ours"].lines, strict=True))


@pytest.mark.parametrize("title", sorted(TITLES))
def test_price_lines_of_alike_colours_differ(title: str) -> None:
    """Companies keep the colours of their title; their lines have different dashes."""
    paints = [company(facts.colour) for facts in TITLES[title].spec.companies.values()]
    lines = list(zip(paints, line_cores(paints), strict=True))
    assert not [
        (a, b) for a, b in combinations(lines, 2) if a[1] == b[1] and least_distance(a[0], b[0]) < ALIKE
    ]


def test_red_and_green_are_alike_without_a_cone() -> None:
    """Known numbers: black and white are a hundred apart, and red and olive are alike for deutan eyes."""
    assert colour_distance("#000000", "#ffffff", "normal") == pytest.approx(100, abs=0.1)
    assert colour_distance("#ff7a1a", "#98b800", "normal") > 20
    assert colour_distance("#ff7a1a", "#98b800", "deutan") < 1
