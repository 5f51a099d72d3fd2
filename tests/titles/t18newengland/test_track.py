"""18NewEngland: tiles and stations (rulebook 11.3, 11.4)."""

from collections.abc import Sequence
from typing import Any

import pytest

from engine.board import upgrades
from engine.board.map import Map
from engine.core.spec import Colour
from tests.titles.builders import TitleGame
from tests.titles.t18newengland.newengland import NewEngland
from tests.titles.t18newengland.newengland_map import SITE, closed, major, minor, position


def hexes(game: TitleGame, name: str) -> list[str]:
    return game.values("lay_tile", name, "hex") if game.offered("lay_tile", name) else []


def cities(game: TitleGame, name: str) -> list[str]:
    return game.values("place_token", name, "hex") if game.offered("place_token", name) else []


def providence(phase: str = "2", **facts: Any) -> NewEngland:
    built = closed(position(**facts).phase(phase), "BP")
    return major(built, "P&W", 100, ("K10", 0), a=60)


def test_major_lays_two_yellow_tiles_or_upgrades() -> None:
    """R-NE-065, R-NE-069, worked example 20 (11.3): 20 for the water in J9, nothing for I8."""
    game = providence("3").operating("P&W").game()
    game.lay("P&W", "J9", "9", 2)
    assert game.company("P&W").cash == 480
    assert "K10" not in hexes(game, "P&W")
    game.refused("11.3", "lay_tile", "P&W", hex="K10", tile="207", rotation=1)
    game.lay("P&W", "I8", "9", 2)
    assert game.company("P&W").cash == 480
    assert not game.offered("lay_tile")
    game = providence("3").operating("P&W").game()
    game.lay("P&W", "K10", "207", 1)
    game.refused("11", "lay_tile", "P&W", hex="J9", tile="9", rotation=2)


@pytest.mark.parametrize(("coord", "tile", "rotation"), [("K8", "4", 0), ("K10", "207", 1)])
def test_minor_lays_one_tile(coord: str, tile: str, rotation: int) -> None:
    """R-NE-065, R-NE-066, R-NE-075, worked example 20 (11.3, 11.4): or upgrades; it places no token."""
    game = minor(position().phase("3"), "BP", 50, "a").operating("BP").game()
    game.lay("BP", coord, tile, rotation)
    assert not game.offered("lay_tile")
    assert not game.offered("place_token")
    found = [len(position().phase(phase).t.phase.tile_colours) for phase in "234568"]
    assert found == [1, 2, 2, 3, 3, 4]


def test_tiles_extend_a_route() -> None:
    """R-NE-067 (11.3): Woonsocket is reached from Providence, the hex beyond it is not. Of tile 20 laid
    across, the new track is on nobody's route; a city needs any track on one."""
    game = providence().operating("P&W").game()
    assert set(hexes(game, "P&W")) == {"J9", "K8"}
    game.refused("11.3", "lay_tile", "P&W", hex="K6", tile="9", rotation=0)
    game.refused("11.3", "lay_tile", "P&W", hex="K8", tile="4", rotation=1)
    built = providence("3").tile("J9", "9", 2)
    game = built.operating("P&W").game()
    assert "23" in game.tiles_in("P&W", "J9")
    assert "20" not in game.tiles_in("P&W", "J9")
    built = providence("3").tile("K8", "4", 0).tile("K6", "8", 0).tile("J5", "58", 4)
    game = built.operating("P&W").game()
    assert "J5" in hexes(game, "P&W")
    built = providence("3").tile("J9", "9", 2).tile("I8", "8", 5).tile("I6", "14", 4)
    assert "I6" not in hexes(built.operating("P&W").game(), "P&W")


def chain(coord: str, **facts: Any) -> list[tuple[str, ...]]:
    t = position(**facts).phase("8").t
    found = []
    while fit := _fitting(t.map, coord, t.phase.tile_colours):
        found.append(fit)
        t.map.lay(coord, fit[0], upgrades.rotations(t.map, coord, fit[0])[0])
    return found


def _fitting(board: Map, coord: str, colours: Sequence[Colour]) -> tuple[str, ...]:
    found = upgrades.upgrade_candidates(board, coord, colours)
    return tuple(tile for tile in found if upgrades.rotations(board, coord, tile))


@pytest.mark.parametrize(
    ("coord", "chain_there"),
    [
        ("L5", [("X1",), ("X4",), ("X7",)]),
        ("G10", [("X2",), ("X5",), ("X8",)]),
        ("F13", [("X3",), ("X6",), ("X9",)]),
        ("B3", [("207", "622"), ("216",)]),
        ("K10", [("207", "622"), ("216",)]),
        ("C4", [("3", "4", "58"), ("87", "88", "204"), ("911",)]),
        ("B5", [("6",), ("14", "15", "619"), ("63",)]),
    ],
)
def test_labels_say_what_follows(coord: str, chain_there: list[tuple[str, ...]]) -> None:
    """R-NE-068 (11.3)"""
    assert chain(coord) == chain_there


def test_tiles_come_back_and_follow() -> None:
    """R-NE-009, R-NE-068, D-NE-13 (11.3, 19): replaced ones come back, however many there are in the box; the
    printed chart leaves 16 to 70 out, its text does not."""
    t = position().t
    for coord in t.spec.map.plain_hexes:
        for rotation in upgrades.rotations(t.map, coord, "7")[:1]:
            t.map.lay(coord, "7", rotation)
    assert [t.map.supply[tile] for tile in ("7", "8", "9")] == [None, None, None]
    assert t.map.supply["3"] == 5
    t.map.lay("B9", "3", 0)
    assert t.map.supply["3"] == 4
    t.map.lay("B9", "87", 0)
    assert t.map.supply["3"] == 5
    t = position().phase("5").tile("C8", "8", 0).tile("C8", "16", 0).t
    assert upgrades.upgrade_candidates(t.map, "C8", t.phase.tile_colours) == ("43", "70")


def green_hudson(**facts: Any) -> NewEngland:
    built = position(**facts).phase("5").tile("B5", "6", 0).tile("B5", "15", 0)
    return major(built, "D&H", 100, ("B5", 0), a=60)


def test_63_comes_before_611() -> None:
    """R-NE-070, D-NE-5 (11.3): while one is left; that site accepts 611 sooner."""
    game = green_hudson().operating("D&H").game()
    assert game.tiles_in("D&H", "B5") == ["63"]
    built = green_hudson()
    built.t.map.supply["63"] = 0
    assert built.operating("D&H").game().tiles_in("D&H", "B5") == ["611"]
    game = green_hudson(**SITE).operating("D&H").game()
    assert game.tiles_in("D&H", "B5") == ["63", "611"]
    game.lay("D&H", "B5", "611", 0)


@pytest.mark.parametrize("coord", ["D15", "H13", "A12", "J3", "L7"])
def test_611_where_63_never_fits(coord: str) -> None:
    """R-NE-070 (11.3), point 12 of section 10: a side of these hexes is closed, so a 63 never fits."""
    assert chain(coord)[-1] == ("611",)
    assert position().t.map.supply["63"] == 7


@pytest.mark.parametrize(("coord", "price"), [("D5", 40), ("J9", 20), ("C6", 0), ("A12", 20)])
def test_terrain_is_paid_with_yellow_tile(coord: str, price: int) -> None:
    """R-NE-069 (11.3): and never again."""
    t = position().phase("3").t
    assert t.map.cost(coord) == price
    tile = "6" if t.map.topology(coord).stops else "8"
    t.map.lay(coord, tile, upgrades.rotations(t.map, coord, tile)[0])
    assert t.map.cost(coord) == 0


def test_printed_yellow_hexes_are_paid_by_upgrade() -> None:
    """R-NE-069, worked example 20 (11.3): K10 to green 20, to brown nothing; a hex too dear is refused."""
    game = providence("5").operating("P&W").game()
    game.lay("P&W", "K10", "207", 1)
    assert game.company("P&W").cash == 480
    game = providence("5").tile("K10", "207", 1).operating("P&W").game()
    game.lay("P&W", "K10", "216", 1)
    assert game.company("P&W").cash == 500
    hexes_ = game.rules.spec.map.hexes.items()
    paid = [coord for coord, hex_ in hexes_ if hex_.colour == "yellow" and hex_.cost]
    assert paid == ["G8", "J3", "K4", "K10"]
    game = minor(position(), "BP", 50, "a", treasury=19).operating("BP").game()
    assert hexes(game, "BP") == ["K8"]
    assert "$20" in game.refused("11.3", "lay_tile", "BP", hex="J9", tile="9", rotation=2)


def test_first_tiles_of_quincy_and_salem() -> None:
    """R-NE-071, R-NE-072 (11.3): tile 6 in every position that points at no closed side, others need track to
    it; the town is gone then. Tile 3 from Boston to L3, and nothing after it."""
    game = minor(position(), "GR", 50, "a").operating("GR").game()
    assert hexes(game, "GR") == ["L7"]
    assert game.tiles_in("GR", "L7") == ["6"]
    assert game.rotations("GR", "L7", "6") == [0, 1, 3, 5]
    game.lay("GR", "L7", "6", 1)
    (city,) = game.table.map.topology("L7").stops
    assert (city.kind, city.revenue) == ("city", (20,))
    assert game.table.map.token_stops_of("GR") == [("L7", 0)]
    game = providence().operating("P&W").game()
    game.refused("11.3", "lay_tile", "P&W", hex="L7", tile="6", rotation=1)
    game = providence().tile("K8", "58", 2).operating("P&W").game()
    assert "L7" not in hexes(game, "P&W")
    game = providence().tile("K8", "58", 4).operating("P&W").game()
    assert "L7" in hexes(game, "P&W")
    assert game.rotations("P&W", "L7", "6") == [1, 5]
    t = position().phase("8").t
    fit = _fitting(t.map, "M4", t.phase.tile_colours)
    assert fit == ("3",)
    assert upgrades.rotations(t.map, "M4", "3") == (1,)
    t.map.lay("M4", "3", 1)
    assert _fitting(t.map, "M4", t.phase.tile_colours) == ()


@pytest.mark.parametrize("coord", ["K4", "G8"])
def test_lowell_and_springfield_become_one_city(coord: str) -> None:
    """R-NE-071, R-NE-072 (11.3): with 14, 15 or 619; Wilmington is gone, Springfield's cities are one."""
    t = position().phase("3").t
    assert len(t.map.topology(coord).stops) == 2
    assert _fitting(t.map, coord, t.phase.tile_colours) == ("14", "15", "619")
    t.map.lay(coord, "15", upgrades.rotations(t.map, coord, "15")[0])
    (city,) = t.map.topology(coord).stops
    assert (city.kind, city.slots) == ("city", 2)


def hudson_valley(**facts: Any) -> NewEngland:
    """A major in Albany, with track by Hudson and New Lebanon back into its other city."""
    built = closed(position(**facts).phase("3"), "HRR", "AWS").tile("B5", "6", 1).tile("B5", "15", 1)
    built.tile("C4", "3", 1)
    return major(built, "D&H", 100, ("B3", 0), a=60)


def test_major_places_one_token_a_turn() -> None:
    """R-NE-075, R-NE-077, D-NE-14 (11.4, 12): not in the other city of Albany, even where it counts as
    reached."""
    game = hudson_valley().operating("D&H", "token").game()
    assert "B5" in cities(game, "D&H")
    game.do("place_token", "D&H", hex="B5", city=0)
    assert game.company("D&H").cash == 460
    assert not game.offered("place_token")
    built = hudson_valley()
    built.state.companies["D&H"].tokens = [80]
    game = built.operating("D&H", "token").game()
    game.do("place_token", "D&H", hex="B5", city=0)
    assert (game.company("D&H").cash, game.company("D&H").tokens) == (420, [])
    for facts in ({}, SITE):
        game = hudson_valley(**facts).operating("D&H", "token").game()
        assert cities(game, "D&H") == ["B5"]
        assert "B3" in game.refused("11.4", "place_token", "D&H", hex="B3", city=1)


def poughkeepsie(*gone: str) -> NewEngland:
    built = closed(position().phase("3"), *gone).tile("B5", "6", 1).tile("B5", "14", 0).tile("B7", "9", 0)
    built.tile("B9", "4", 0)
    return major(built, "D&H", 100, ("B5", 0), a=60)


def test_slot_is_reserved_for_a_minor() -> None:
    """R-NE-076 (11.4): started or not."""
    game = poughkeepsie().operating("D&H", "token").game()
    assert cities(game, "D&H") == []
    game.refused("", "place_token", "D&H", hex="B11", city=0)
    assert "B11" in cities(poughkeepsie("PE").operating("D&H", "token").game(), "D&H")


@pytest.mark.parametrize(
    ("coord", "steps", "minors"),
    [
        ("G8", [("15", 0)], ["CR"]),
        ("B3", [("207", 5)], ["HRR", "AWS"]),
        ("L5", [("X1", 5), ("X4", 0)], ["BL", "ER"]),
        ("F13", [("X3", 0), ("X6", 0)], ["NYNH", "HNH", "NLN"]),
    ],
)
def test_reserved_slot_follows_its_city(coord: str, steps: list[tuple[str, int]], minors: list[str]) -> None:
    """R-NE-076 (11.4), point 10 of section 10: each minor still finds its space in the one city."""
    built = position().phase("8")
    for tile, rotation in steps:
        built.tile(coord, tile, rotation)
    board = built.t.map
    (city,) = board.topology(coord).stops
    assert {board.homes[name] for name in minors} == {(coord, 0)}
    assert board.has_space_for(coord, 0, "NYC") is (city.slots > len(minors))
    for number, name in enumerate(minors):
        minor(built, name, 50 + 5 * number, "a")
    assert [name for name in board.slots(coord, 0) if name] == minors
