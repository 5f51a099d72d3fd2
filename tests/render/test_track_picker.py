"""Pictures to pick a lay from: numbers on the hexes, and each tile once in its place among its neighbours."""

from collections.abc import Sequence

import pytest

from engine.core.offers import OfferCursor
from engine.game import Game
from engine.tell.view_builders import lay_hex_pages, lay_hex_views, lay_views, map_view
from render.hexes.label_plan import label_plan
from render.hexes.labels import name_box_size
from render.maps.numbered_hexes_and_tiles import (
    NUMBER_RADIUS,
    PICTURE_WIDTH,
    hex_number_point,
    numbered_hexes_scene,
)
from render.maps.overlays import hexes_named_elsewhere
from render.scene import Text
from tests.golden.positions import golden_at

LAYS = [("18chesapeake-bank-4p", 357), ("18al-price-3p", 273)]
"""Recorded games, and after how many actions a company may lay track in many hexes."""


def _position(name: str, actions: int) -> tuple[Game, OfferCursor]:
    game = golden_at(name, actions)
    return game, OfferCursor(next(offer for offer in game.offers() if offer.kind == "lay_tile"))


@pytest.mark.parametrize(("name", "actions"), LAYS)
def test_hexes_of_the_offer_have_numbers(name: str, actions: int) -> None:
    game, lay = _position(name, actions)
    spots = [spot.coord for spot in lay_hex_views(game, lay_hex_pages(game, lay, 100)[0])]
    assert sorted(spots) == sorted(here.chosen["hex"] for _, here in lay.choices_and_cursors())
    scene = numbered_hexes_scene(map_view(game), "ours", spots)
    shown = [{i.text for i in placed.sprite.items if isinstance(i, Text)} for placed in scene.sprites]
    for number, coord in enumerate(spots, 1):
        assert any({str(number), coord} <= texts for texts in shown), coord
    assert max(scene.width, scene.height) <= PICTURE_WIDTH
    # a number covers no name
    view = map_view(game)
    quiet = hexes_named_elsewhere(view.layout, view.hexes)
    for h in (
        h for h in view.hexes for _, here in lay.choices_and_cursors() if h.coord == here.chosen["hex"]
    ):
        where = label_plan(view.layout, h, h.coord in quiet)
        if where.name is not None:
            wide, tall = name_box_size(where.name.lines, where.name.size)
            x, y = hex_number_point(where, h, view.layout)
            aside, down = abs(x - where.name.x) - wide / 2, abs(y - where.name.y) - tall / 2
            assert max(aside, down) > 0.8 * NUMBER_RADIUS, h.coord


def test_pages_of_many_hexes() -> None:
    game, lay = _position(*LAYS[0])
    pages = lay_hex_pages(game, lay, 5)
    assert [len(page) for page in pages[:-1]] == [5] * (len(pages) - 1)
    found = [here.chosen["hex"] for page in pages for here in page]
    assert sorted(found) == sorted(here.chosen["hex"] for _, here in lay.choices_and_cursors())
    at = {h.coord: (h.x, h.y) for h in map_view(game).hexes}

    def extent(page: Sequence[OfferCursor]) -> int:
        columns, rows = zip(*(at[here.chosen["hex"]] for here in page), strict=True)
        return max(int(max(side) - min(side)) for side in (columns, rows))

    assert max(map(extent, pages)) < extent([here for page in pages for here in page])


@pytest.mark.parametrize(("name", "actions"), LAYS)
def test_each_look_of_a_tile_is_offered_once(name: str, actions: int) -> None:
    """Turned half around, a straight track is the same; all rotations are legal nevertheless."""
    game, lay = _position(name, actions)
    looks = []
    for _, here in lay.choices_and_cursors():
        for view in lay_views(game, here):
            track = frozenset(map(frozenset, view.hex.pieces))
            if not view.hex.stops:
                looks.append((view.hex.coord, view.tile, track))
    assert len(looks) == len(set(looks)) > 10
