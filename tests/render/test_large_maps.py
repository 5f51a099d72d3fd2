"""Large maps: the part in play, zones, the river, crowded red places; and a market whose cells close a company."""

import pytest

from engine.core.state import CompanyTurn, Operating
from engine.game import Game
from engine.tell.viewing import company_hexes, map_view, market_view, part_in_play, part_of, zone_hexes
from engine.tell.views import HexView
from render import render_map, render_market
from render.plan import plan

SEATS = [("a", "Ann"), ("b", "Bob"), ("c", "Cy")]


@pytest.fixture(scope="module")
def game() -> Game:
    found = Game("18c2c-full", SEATS, 1)
    found.table.state.round = Operating(turn=CompanyTurn("PRR"))
    return found


def hex_of(game: Game, coord: str) -> HexView:
    return next(h for h in map_view(game).hexes if h.coord == coord)


def test_a_part_of_a_map_lies_around_the_hexes_wanted(game: Game) -> None:
    """Three hexes on each side, whatever lies beyond is left out."""
    part = part_of(map_view(game), {"L69"})
    coords = {h.coord for h in part.hexes}
    assert {"L69", "L63", "L75", "I66", "O72"} <= coords
    assert not coords & {"L61", "L77", "H69", "P69"}


def test_of_a_large_map_the_part_of_the_operating_company_is_shown(game: Game) -> None:
    """Before its first token that around its home; a small map is shown whole."""
    assert company_hexes(game, "PRR") == {"L69"}
    assert part_in_play(game, map_view(game)) == part_of(map_view(game), {"L69"})
    small = Game("18c2c", SEATS, 1)
    assert part_in_play(small, map_view(small)) == map_view(small)


def test_last_moves_beyond_the_part_are_left_out(game: Game) -> None:
    """A picture of the West does not stumble over a tile laid in the East."""
    game.table.state.fresh.hexes = ["L69"]
    part = part_of(map_view(game), zone_hexes(game, "west"))
    game.table.state.fresh.hexes = []
    assert part.fresh_hexes == ()
    assert render_map(part)[:4] == b"\x89PNG"


def test_a_zone_is_known_by_its_name(game: Game) -> None:
    """R-C2C-102: in any case; what is no zone has no hexes."""
    assert {"C4", "R9"} <= set(zone_hexes(game, "West"))
    assert set(zone_hexes(game, "Canada east")) == set(zone_hexes(game, "canada_east"))
    assert not zone_hexes(game, "north")


def test_the_river_and_borders_of_zones_are_drawn_on_both_sides(game: Game) -> None:
    """R-C2C-123: Saint Louis has the river to its east and north-east; it is no other border."""
    assert set(hex_of(game, "M52").river) == {3, 4}
    assert 1 in hex_of(game, "M54").river
    assert hex_of(game, "M52").frontier == ()
    assert hex_of(game, "G78").frontier


def test_a_red_place_without_room_shows_its_present_value(game: Game) -> None:
    """Montreal has five exits; its five values would cover them."""
    row = plan("pointy", hex_of(game, "E78")).row
    assert row is not None
    assert row.alone


def test_cells_that_close_a_company_have_no_price(game: Game) -> None:
    """R-C2C-053, R-C2C-051: nor arrows; inside the market an arrow and the ledge are shown, too."""
    view = market_view(game)
    corner, arrow, ledge = view.rows[8][0], view.rows[3][12], view.rows[3][11]
    assert corner is not None
    assert arrow is not None
    assert ledge is not None
    assert corner.closed
    assert not corner.down_arrow
    assert arrow.up_arrow
    assert ledge.ledge
    assert render_market(view)[:4] == b"\x89PNG"
