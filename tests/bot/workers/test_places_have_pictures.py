"""Choices among places: wherever a recorded game offers several places on the map, a picture shows which is which."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from bot.table.drawing import draw_sketch
from bot.table.markdown import plain
from bot.table.moves.menus import SlotQuestion, next_step
from bot.table.moves.moves import quick_fillings, told_apart
from engine.core.offers import Cursor, Offer
from engine.game import Game
from engine.record import read_record
from tests.golden.positions import FOLDER, golden_at

GAMES: Final = sorted(FOLDER.glob("*.json"))
PLACES: Final = frozenset({"hex", "city", "edge", "token"})
"""Slots that name a place on the map."""
SLOW: Final = frozenset({"lay_tile"})
"""Kinds looked at once a game: what each of their choices leads to takes long to tell."""


def asked_for_a_place(offer: Offer) -> Iterator[Cursor]:
    """The questions of an offer that several places answer."""
    walks = [Cursor(offer)]
    while walks:
        here = walks.pop()
        if here.slot is not None and here.slot.name in PLACES:
            if here.domain.only() is None:
                yield here
            walks += [way for _, way in here.ways()]


def question(game: Game, here: Cursor) -> SlotQuestion:
    step = next_step(game, here.offer, [str(value) for value in here.chosen.values()])
    assert isinstance(step, SlotQuestion)
    return step


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_every_choice_among_places_has_a_picture(path: Path) -> None:
    record = read_record(path.read_text("utf-8"))
    game, without = record.begin(), set()
    seen: set[str] = set()
    for action in record.actions:
        for offer in (one for one in game.offers() if one.kind not in seen & SLOW):
            seen.add(offer.kind)
            for here in asked_for_a_place(offer):
                assert here.slot is not None
                if question(game, here).sketch is None:
                    without.add((offer.kind, here.slot.name))
        game.apply(action)
    assert without == set()


@pytest.mark.parametrize(
    ("name", "number", "kind", "cities"),
    [
        ("18newengland-bank-3p", 140, "return_token", {"F13": ["city 1", "city 2"]}),
        ("18newengland-bank-3p", 638, "place_token", {"L5": ["city 1", "city 2"]}),
        ("18c2c-bank-3p", 904, "place_bull", {"K78": ["city 1", "city 2"]}),
    ],
)
def test_cities_of_one_hex_are_chosen_in_a_picture(
    name: str, number: int, kind: str, cities: dict[str, list[str]]
) -> None:
    """No button of one press stands for one of them: "city 2" alone tells nobody which it is."""
    game = golden_at(name, number)
    offer = next(one for one in game.offers() if one.kind == kind)
    asked = [one for one in asked_for_a_place(offer) if one.slot is not None and one.slot.name == "city"]
    found = {one.chosen["hex"]: question(game, one) for one in asked}
    assert {coord: [label for _, label in one.choices] for coord, one in found.items()} == cities
    at_once = [quick.action.chosen()["hex"] for quick in told_apart(quick_fillings(plain(game), offer))]
    assert not cities.keys() & set(at_once)
    for one in found.values():
        assert one.sketch is not None
        assert draw_sketch("ours", one.sketch).startswith(b"\x89PNG")
