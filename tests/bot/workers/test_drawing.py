"""Pictures as workers draw them: the map or a part of it, and what a lay is picked from."""

from bot.table.drawing import draw_map, draw_sketch
from bot.table.moves.lays import Lays, Spots, sketched
from engine.core.offers import Cursor
from tests.bot.support.positions import played_to


def test_a_close_up_and_the_hexes_and_tiles_of_a_lay_have_pictures_of_their_own() -> None:
    game = played_to("lay_tile").play()
    here = Cursor(next(offer for offer in game.offers() if offer.kind == "lay_tile"))
    spots = sketched(game, here, 0)
    assert isinstance(spots, Spots)
    hexes = spots.hexes[:1]
    lays = sketched(game, here.pick(hexes[0]), 0)
    assert isinstance(lays, Lays)
    pictures = [draw_map("ours", lays.view, part) for part in ((), hexes)]
    pictures += [draw_sketch("ours", sketch) for sketch in (spots, lays)]
    assert len(set(pictures)) == 4
