"""Colours: letters of every company can be read on its paint, and companies of a title are distinguishable."""

import pytest

from engine.titles import TITLES
from render.theme import WHITE, company, contrast, ink_on

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
