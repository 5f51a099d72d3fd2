"""Choices among places: wherever a game offers several on the map or market, a picture shows which is which."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from bot.table.drawing import draw_choice_picture, draw_map
from bot.table.markdown import plain_teller
from bot.table.moves.lays import HexChoices, LayChoices, picture_of_choices
from bot.table.moves.menus import SlotQuestion, menu_step
from bot.table.moves.moves import moves_with_distinct_labels, one_click_moves
from engine.core.offers import IntRange, Offer, OfferCursor
from engine.game import Game
from engine.record import read_record
from tests.bot.support.positions import played_to
from tests.golden.positions import FOLDER, golden_at
from tests.support.long_runs import VARIED_GAMES, some_named

GAMES: Final = some_named(VARIED_GAMES, sorted(FOLDER.glob("*.json")), lambda path: path.stem)
PLACES: Final = frozenset({"hex", "city", "edge", "token", "price", "value", "space"})
"""Slots that name a place on the map or, if their values are listed, on the market."""
SLOW: Final = frozenset({"lay_tile"})
"""Kinds looked at once a game: what each of their choices leads to takes long to tell."""


def asked_for_a_place(offer: Offer) -> Iterator[OfferCursor]:
    """The questions of an offer that several places answer."""
    walks = [OfferCursor(offer)]
    while walks:
        here = walks.pop()
        if here.slot is not None and here.slot.name in PLACES:
            if here.domain.only_value() is None and not isinstance(here.domain, IntRange):
                yield here
            walks += [way for _, way in here.choices_and_cursors()]


def question(game: Game, here: OfferCursor) -> SlotQuestion:
    step = menu_step(game, here.offer, [str(value) for value in here.chosen.values()])
    assert isinstance(step, SlotQuestion)
    return step


@pytest.mark.parametrize("path", GAMES)
def test_choice_of_places_has_a_picture(path: Path) -> None:
    record = read_record(path.read_text("utf-8"))
    game, without, seen = record.initial_game(), set(), set[str]()
    for action in record.actions:
        for offer in (one for one in game.offers() if one.kind not in seen & SLOW):
            seen.add(offer.kind)
            asked = [here for here in asked_for_a_place(offer) if question(game, here).choice_picture is None]
            without |= {(offer.kind, here.slot and here.slot.name) for here in asked}
        game.apply(action)
    assert without == set()


@pytest.mark.parametrize(
    ("name", "number", "kind", "hex_"),
    [
        ("18newengland-bank-3p", 140, "return_token", "F13"),
        ("18newengland-bank-3p", 638, "place_token", "L5"),
        ("18c2c-bank-3p", 904, "place_bull", "K78"),
    ],
)
def test_cities_of_one_hex_have_a_picture(name: str, number: int, kind: str, hex_: str) -> None:
    """No button of one press stands for one of them: "city 2" alone tells nobody which it is."""
    game = golden_at(name, number)
    offer = next(one for one in game.offers() if one.kind == kind)
    asked = [one for one in asked_for_a_place(offer) if one.slot is not None and one.slot.name == "city"]
    found = {one.chosen["hex"]: question(game, one) for one in asked}
    assert list(found) == [hex_]
    assert [label for _, label in found[hex_].choices] == ["city 1", "city 2"]
    at_once = [
        quick.action.chosen()["hex"]
        for quick in moves_with_distinct_labels(one_click_moves(plain_teller(game), offer))
    ]
    assert hex_ not in at_once
    choice_picture = found[hex_].choice_picture
    assert choice_picture is not None
    assert draw_choice_picture("ours", choice_picture).startswith(b"\x89PNG")


def test_pictures_of_a_lay_differ() -> None:
    """The map, a part of it, the hexes and the tiles."""
    game = played_to("lay_tile").play()
    here = OfferCursor(next(offer for offer in game.offers() if offer.kind == "lay_tile"))
    spots = picture_of_choices(game, here, 0)
    assert isinstance(spots, HexChoices)
    hexes = spots.hexes[:1]
    lays = picture_of_choices(game, here.pick(hexes[0]), 0)
    assert isinstance(lays, LayChoices)
    pictures = [draw_map("ours", lays.view, part) for part in ((), hexes)]
    pictures += [draw_choice_picture("ours", choice_picture) for choice_picture in (spots, lays)]
    assert len(set(pictures)) == 4
