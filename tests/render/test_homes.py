"""Spaces kept for companies, and certificates of any size."""

from dataclasses import replace

import pytest

from engine.tell.views import Badge, SlotView
from render.hexes.stop_art import slot
from render.scene import Disc, Polyline, RoundedBox, Scene, Text
from render.sheets.charter_art import company_scene, player_scene
from tests.render.sheets import company, player

BADGE = Badge("GR", "#09743b")
HOME = SlotView("home", BADGE)
RESERVED = replace(HOME, reserved_by="Ann")
WAITING = SlotView("waiting", BADGE)


def test_homes_to_be_had_reserved_and_still_to_come_look_different() -> None:
    """18NewEngland: dashes, a whole ring with an initial, a pale ring."""
    looks = [tuple(slot(0, 0, 0.26, view)) for view in (HOME, RESERVED, WAITING)]
    assert len(set(looks)) == 3
    dashes, ring, pale = ([type(item) for item in look] for look in looks)
    assert dashes.count(Polyline) == 12
    assert Polyline not in ring + pale
    assert [item.text for item in looks[1] if isinstance(item, Text)] == ["A", "GR"]
    rings = [item.line for look in looks[1:] for item in look if isinstance(item, Disc)]
    assert rings[0] == BADGE.colour != rings[1]


def boxes(scene: Scene, text: str) -> list[float]:
    """Widths of the certificates in the lowest line with this text."""
    items = scene.sprites[0].sprite.items
    line = max(
        (item for item in items if isinstance(item, Text) and item.text == text), key=lambda item: item.y
    )
    return [
        item.x1 - item.x0
        for item in items
        if isinstance(item, RoundedBox)
        and abs((item.y0 + item.y1) / 2 - line.y) < 1
        and item.y1 - item.y0 == 26
    ]


@pytest.mark.parametrize(
    ("certificate", "percent", "sizes"), [(20, 40, [38, 18, 18]), (30, 40, [58, 18]), (100, 100, [38])]
)
def test_a_presidents_certificate_is_as_long_as_its_shares(
    certificate: int, percent: int, sizes: list[float]
) -> None:
    """Two of ten, three of ten, and a minor's, which counts as two."""
    share = 50 if certificate == 100 else 10
    view = replace(
        company(),
        offering=0,
        market=0,
        certificate=certificate,
        share=share,
        holders=(("Ada", percent, True),),
        fixed=share == 50,
    )
    assert boxes(company_scene(view, "ours"), "Ada") == sizes


def test_a_players_sheet_counts_shares_of_any_size() -> None:
    first, *_ = player().holdings
    minor = replace(first, percent=100, price=70, value=140, share=50, certificate=100, president=True)
    scene = player_scene(replace(player(), holdings=(minor,)), "ours")
    assert "2 x $70" in [item.text for item in scene.sprites[0].sprite.items if isinstance(item, Text)]


def test_a_minor_has_a_value_and_no_offering() -> None:
    view = replace(company(), fixed=True, holders=(("Ada", 100, True),), share=50, certificate=100)
    words = [
        item.text for item in company_scene(view, "ours").sprites[0].sprite.items if isinstance(item, Text)
    ]
    assert "Value" in words
    assert not {"Par", "Offering", "Market"} & set(words)


def test_a_charter_says_what_keeps_a_company_from_being_started() -> None:
    view = replace(company(), par=None, price=None, president=None, holders=())
    for change, words in (
        ({"reserved_by": "Ann"}, "Reserved by Ann"),
        ({"waits_for": "3"}, "Available from phase 3 on"),
        ({"closed": True}, "Out of the game"),
    ):
        scene = company_scene(replace(view, **change), "ours")
        assert words in [item.text for item in scene.sprites[0].sprite.items if isinstance(item, Text)]
