"""Large maps: the part in play, zones, the river, crowded red places; and a market whose cells close a company."""

from collections import defaultdict
from collections.abc import Iterator

import pytest

from engine.core.state import CompanyTurn, Operating
from engine.game import Game
from engine.tell.view_builders import (
    company_hexes,
    map_part,
    map_part_in_play,
    map_view,
    market_view,
    zone_hexes,
)
from engine.tell.views import HexView
from render import render_map, render_market
from render.hexes.labels import MAX_VALUES_IN_ROW, name_lines
from render.maps.map_art import map_scene
from render.maps.overlays import hexes_named_elsewhere
from render.maps.panel_art import values_panel
from render.scene import Scene, Text
from render.theme import theme_named

SEATS = [("a", "Ann"), ("b", "Bob"), ("c", "Cy")]


@pytest.fixture(scope="module")
def game() -> Game:
    found = Game("18c2c-full", SEATS, 1)
    found.table.state.round = Operating(turn=CompanyTurn("PRR"))
    return found


def hex_of(game: Game, coord: str) -> HexView:
    return next(h for h in map_view(game).hexes if h.coord == coord)


def test_part_of_a_map(game: Game) -> None:
    """Three hexes on each side, whatever lies beyond is left out."""
    part = map_part(map_view(game), {"L69"})
    coords = {h.coord for h in part.hexes}
    assert {"L69", "L63", "L75", "I66", "O72"} <= coords
    assert not coords & {"L61", "L77", "H69", "P69"}
    # a picture of the West does not stumble over a tile laid in the East
    game.table.state.fresh.hexes = ["L69"]
    west = map_part(map_view(game), zone_hexes(game, "west"))
    game.table.state.fresh.hexes = []
    assert west.fresh_hexes == ()
    assert render_map(west)[:4] == b"\x89PNG"


def test_part_in_play_is_shown(game: Game) -> None:
    """Before its first token that around its home; a small map is shown whole."""
    assert company_hexes(game, "PRR") == {"L69"}
    assert map_part_in_play(game, map_view(game)) == map_part(map_view(game), {"L69"})
    small = Game("18c2c", SEATS, 1)
    assert map_part_in_play(small, map_view(small)) == map_view(small)


def test_hexes_of_a_zone(game: Game) -> None:
    """R-C2C-102: in any case; what is no zone has no hexes."""
    assert {"C4", "R9"} <= set(zone_hexes(game, "West"))
    assert set(zone_hexes(game, "Canada east")) == set(zone_hexes(game, "canada_east"))
    assert not zone_hexes(game, "north")


def test_river_and_borders_of_zones(game: Game) -> None:
    """R-C2C-123: Saint Louis has the river to its east and north-east; it is no other border."""
    assert set(hex_of(game, "M52").river_edges) == {3, 4}
    assert 1 in hex_of(game, "M54").river_edges
    assert hex_of(game, "M52").frontier_edges == ()
    assert hex_of(game, "G78").frontier_edges


def words(scene: Scene) -> Iterator[tuple[Text, float, float]]:
    """Everything written on a picture, with the upper left corner of what it belongs to."""
    for placed in scene.sprites:
        yield from ((i, placed.left, placed.top) for i in placed.sprite.items if isinstance(i, Text))


@pytest.mark.parametrize("title", ["18c2c", "18c2c-full"])
def test_values_stand_in_the_margin(title: str) -> None:
    """R-C2C-012: name and five values on one line, below the phases."""
    view = map_view(Game(title, SEATS, 1))
    lines: dict[float, list[str]] = defaultdict(list)
    block = values_panel(view, theme_named("ours"), 300)
    assert block is not None
    for item in block.items:
        if isinstance(item, Text):
            lines[item.y].append(item.text)
    assert ["start", "5", "4D", "5D", "6D"] in lines.values()
    for h in view.hexes:
        worth = next((stop.revenue for stop in h.stops if len(stop.revenue) > MAX_VALUES_IN_ROW), None)
        if worth and h.coord not in hexes_named_elsewhere(view.layout, view.hexes):
            assert [f"{h.coord} {h.name}", *map(str, worth)] in lines.values()
    drawn = [text.text for text, _, _ in words(map_scene(view, "ours"))]
    assert "Value by phase" in drawn


def test_names_in_large_letters(game: Game) -> None:
    """At least nine pixels high on a map that is shown 1280 pixels wide."""
    view = map_view(game)
    scene = map_scene(view, "ours-large")
    sizes = {text.text: text.size * 1280 / scene.width for text, _, _ in words(scene)}
    lines = {line for h in view.hexes if h.name for line in name_lines(h.name)}
    assert min(sizes[line] for line in lines) >= 9


def test_cells_that_close_a_company(game: Game) -> None:
    """R-C2C-053, R-C2C-051: nor arrows; inside the market an arrow and the ledge are shown, too."""
    view = market_view(game)
    corner, arrow, ledge = view.rows[8][0], view.rows[3][12], view.rows[3][11]
    assert corner is not None
    assert arrow is not None
    assert ledge is not None
    assert corner.closes_company
    assert not corner.has_down_arrow
    assert arrow.has_up_arrow
    assert ledge.is_ledge
    assert render_market(view)[:4] == b"\x89PNG"
