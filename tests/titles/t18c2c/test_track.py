"""18C2C: tile points, track, terrain and the river."""

from typing import Any

import pytest

from engine.board.upgrades import rotations, upgrade_candidates
from engine.core.spec import Colour
from engine.core.state import ExtraTokens
from engine.play.track import lay_rules
from engine.play.track.terrain import terrain_cost
from engine.titles import TITLES
from tests.titles.builders import Position, TitleGame
from tests.titles.t18c2c.merging import prr

FULL = "18c2c-full"
BROWN: tuple[Colour, ...] = ("brown",)


def plains(phase: str, **turn: Any) -> Position:
    position = Position(title=FULL).start("ATSF", 82, a=60).phase(phase).treasury("ATSF", 500)
    return position.operating("ATSF", **turn).tile("M44", "57", 1)


def lay(game: TitleGame, coord: str, tile: str, rotation: int, by: str = "PRR") -> int:
    before = game.table.company.cash
    game.do("lay_tile", by, hex=coord, tile=tile, rotation=rotation)
    return before - game.table.company.cash


def room(position: Position, zone: str) -> int:
    return lay_rules.tile_points_left(position.t, zone)


@pytest.mark.parametrize(
    ("phase", "points"), [("2", 3), ("3", 3), ("4", 3), ("5", 3), ("3D", 4), ("4D", 4), ("5D", 5), ("6D", 5)]
)
def test_tile_points_by_phase(phase: str, points: int) -> None:
    """R-C2C-100, R-C2C-104: in the super-short game only the normal column counts."""
    assert room(prr(phase), "east") == points


def test_tile_points_of_a_turn() -> None:
    """R-C2C-100, R-C2C-101, R-C2C-112, example 6: three yellow tiles, or an upgrade and one."""
    game = prr("3").game()
    for coord, tile, rotation in (("L71", "8", 1), ("M70", "8", 2), ("M72", "9", 1)):
        lay(game, coord, tile, rotation)
        assert not game.offered("lay_tile") or coord not in game.values("lay_tile", "PRR", "hex")
    assert not game.offered("lay_tile")
    game = prr("3").tile("L71", "9", 1).game()
    lay(game, "L69", "14", 1)
    assert "L71" not in game.values("lay_tile", "PRR", "hex")
    why = game.refused("6", "lay_tile", "PRR", hex="L71", tile="23", rotation=1)
    assert "too few tile points" in why
    lay(game, "M70", "8", 2)
    assert not game.offered("lay_tile")
    assert room(prr("3D", points={"L71": 2}, lays=["L71"]), "east") == 2
    assert room(prr("3D", points={"L71": 2, "K70": 2}, lays=["L71", "K70"]), "east") == 0
    assert room(prr("5D", points={"L71": 2, "K70": 2}, lays=["L71", "K70"]), "east") == 1


@pytest.mark.parametrize(("options", "costs"), [((), [1, 2, 2, 2]), (("upgrades_by_colour",), [1, 2, 3, 4])])
def test_upgrades_may_cost_by_colour(options: tuple[str, ...], costs: list[int]) -> None:
    """R-C2C-101, example 6: in phase 3D one gray tile, or a green one and two yellow ones."""
    t = prr("3D", options=options).game().table
    colours: tuple[Colour, ...] = ("yellow", "green", "brown", "gray")
    assert [lay_rules.tile_point_cost(t, colour) for colour in colours] == costs


@pytest.mark.parametrize(
    ("position", "zone", "points"),
    [
        (plains("4"), "plains", 4),
        (plains("4"), "west", 4),
        (plains("4"), "east", 3),
        (plains("4"), "canada_west", 3),
        (plains("4", points={"M42": 1}, lays=["M42"]), "plains", 3),
        (plains("4", points={"L47": 1}, lays=["K54"]), "plains", 2),
        (plains("4", lays=["Q54"]), "plains", 3),
        (plains("2", first=True), "plains", 4),
        (plains("2"), "plains", 3),
        (Position(title=FULL).start("PRR", 82, a=60).operating("PRR", first=True), "east", 3),
    ],
)
def test_turn_in_plains_and_west_has_more(position: Position, zone: str, points: int) -> None:
    """R-C2C-100, R-C2C-102, R-C2C-103: the exclusive column holds while every tile lies there, also those that cost no
    points; Canada counts as East. A first turn in Plains has a point more."""
    assert room(position, zone) == points


def test_central_pacific_marker_is_a_point() -> None:
    """R-C2C-103."""
    position = plains("2", points={"M42": 3}, lays=["M42"])
    position.state.companies["ATSF"].held["Central Pacific"] = 1
    assert room(position, "plains") == 1
    assert room(position, "west") == 1, "the marker pays for one of those on the Plains"
    western = plains("2", points={"L27": 3}, lays=["L27"])
    western.state.companies["ATSF"].held["Central Pacific"] = 1
    assert (room(western, "plains"), room(western, "west")) == (1, 0)


def test_tile_continues_reached_track() -> None:
    """R-C2C-111: an upgrade brings new track beyond the old, or a city whose value rises. A piece that a
    route meets at one end only, since it has used the other, is not reached. A tile continues from some own
    token, not from the one at home."""
    game = prr("2").game()
    assert sorted(game.values("lay_tile", "PRR", "hex")) == ["L71", "M70"]
    assert game.values("lay_tile", "PRR", "rotation", hex="L71", tile="9") == [1, 4]
    game = prr("3").tile("L71", "9", 1).tile("L73", "9", 1).game()
    assert "L69" in game.values("lay_tile", "PRR", "hex"), "the city becomes dearer"
    assert "23" in game.values("lay_tile", "PRR", "tile", hex="L71")
    far = prr("3").tile("M72", "8", 2).game()
    assert "M72" not in far.values("lay_tile", "PRR", "hex"), "nothing leads there"
    assert not TITLES["18c2c"].spec.map.any_new_track_may_connect
    position = Position(title="18c2c").start("PRR", 82, a=60).treasury("PRR", 500).operating("PRR")
    position.state.companies["PRR"].extra = ExtraTokens()
    position.t.map.place_token("I78", 0, "PRR")
    position.tile("I78", "5", 0)
    assert "L69" in position.game().values("lay_tile", "PRR", "hex")
    assert len(position.game().values("lay_tile", "PRR", "hex")) > 1


def test_upgrade_has_places_for_tokens_and_homes() -> None:
    """R-C2C-062, R-C2C-070, R-C2C-110, R-C2C-114: 592 has two places, 61 has one; Baltimore keeps one for
    B&O; tokens without a place need none on the new tile. New York has 54, 62 and then the one city of
    124."""
    position = Position(title="18c2c").phase("5").start("PRR", 82, a=60).operating("PRR")
    board = position.tile("Q70", "592", 0).t.map
    assert "61" in upgrade_candidates(board, "Q70", BROWN)
    board.place_token("Q70", 0, "PRR")
    assert rotations(board, "Q70", "61")
    board.place_token("Q70", 0, "SOU")
    assert not rotations(board, "Q70", "61")
    assert rotations(board, "Q70", "593")
    board.lay("M74", "592", rotations(board, "M74", "592")[0])
    assert rotations(board, "M74", "61")
    board.place_token("M74", 0, "PRR")
    assert not rotations(board, "M74", "61")
    position = Position(title="18c2c").phase("5").start("PRR", 82, a=60).operating("PRR")
    board = position.tile("Q70", "592", 0).t.map
    board.place_token("Q70", 0, "PRR")
    board.place_token_without_space("Q70", 0, "SOU")
    assert rotations(board, "Q70", "61")
    board.lay("Q70", "61", rotations(board, "Q70", "61")[0])
    assert (board.slots("Q70", 0), board.tokens_without_space("Q70", 0)) == (("PRR",), ("SOU",))
    position = Position(title="18c2c").phase("3D").start("NYC", 82, a=60).operating("NYC")
    board = position.t.map
    board.place_token_without_space("K78", 1, "NYC")
    for tile in ("54", "62", "124"):
        assert upgrade_candidates(board, "K78", ("green", "brown", "gray")) == (tile,)
        board.lay("K78", tile, rotations(board, "K78", tile)[0])
        assert len(board.topology("K78").stops) == (1 if tile == "124" else 2)
    assert board.tokens_without_space("K78", 0) == ("NYC",)


def test_private_of_a_player_blocks_hexes() -> None:
    """R-C2C-113: ⊘ BOR keeps M72 and M74 closed."""
    position = Position(title=FULL).start("PRR", 82, a=60).treasury("PRR", 500).operating("PRR")
    position.tile("L69", "57", 1).tile("L71", "8", 5).owns("b", "BOR")
    assert "M72" not in position.game().values("lay_tile", "PRR", "hex")
    refusal = position.game().refused("7", "lay_tile", "PRR", hex="M72", tile="8", rotation=0)
    assert "BOR" in refusal


def test_terrain_is_paid_with_first_tile() -> None:
    """R-C2C-120, R-C2C-121, example 7: L71 costs 60 and M70 120, New York 80, Detroit 80, Atlanta 60, from
    the treasury. Engineers halve water, not mountains; Colorado mountains in Plains and West."""
    game = prr("3").game()
    assert lay(game, "L71", "9", 1) == 60
    assert lay(game, "M70", "8", 2) == 120
    assert terrain_cost(game.table, "L71") == 0
    t = prr("3").game().table
    assert [terrain_cost(t, coord) for coord in ("K78", "I64", "S62")] == [80, 80, 60]
    game = prr("2", cash=59).game()
    assert not game.offered("lay_tile", "PRR")
    assert prr("2", cash=60).game().values("lay_tile", "PRR", "hex") == ["L71"]
    assert "$120" in prr("2", cash=60).game().refused("6", "lay_tile", "PRR", hex="M70", tile="8", rotation=2)
    t = prr("2").game().table
    t.company.held["Engineer"] = 1
    assert [terrain_cost(t, coord) for coord in ("J63", "K78", "M70")] == [40, 40, 120]
    t = plains("2").game().table
    t.company.held["Colorado"] = 1
    assert [terrain_cost(t, coord) for coord in ("O52", "L71")] == [30, 60]


def test_privates_pay_for_terrain() -> None:
    """R-C2C-122, R-C2C-151, R-C2C-153, example 7: the Keystone Tunnel $60, Prospectors up to $140, and are
    closed. Canada is not East, and half price comes first. The purse is the turn's."""
    poor = prr("2", cash=60).tile("L71", "9", 1).owns("PRR", "KTC").game()
    assert "L69" not in poor.values("lay_tile", "KTC", "hex")
    assert "M70" in poor.values("lay_tile", "KTC", "hex")
    game = prr("3").owns("PRR", "KTC").game()
    assert sorted(game.values("lay_tile", "KTC", "hex")) == ["L71", "M70"]
    assert lay(game, "M70", "8", 2, by="KTC") == 60
    assert game.table.state.privates["KTC"].closed
    assert lay(game, "L71", "8", 1) == 60
    assert not game.offered("lay_tile", "KTC")
    game = prr("3").owns("PRR", "EPP").game()
    game.do("close_private", "EPP")
    assert game.table.state.privates["EPP"].closed
    assert [lay(game, "L71", "9", 1), lay(game, "M70", "8", 2)] == [0, 40]
    t = prr("3", purses={"EPP": 30}).game().table
    t.company.held["Engineer"] = 1
    canadian = next(c for c, h in t.map.hexes.items() if h.zone == "canada_east" and "water" in h.terrain)
    assert terrain_cost(t, canadian) == t.map.cost(canadian) // 2
    assert terrain_cost(t, "J63") == 80 // 2 - 30
    game = prr("3").owns("PRR", "EPP").trains("PRR", "2").game()
    game.do("close_private", "EPP")
    game.do("pass", "PRR")
    assert not game.offered("close_private")
    assert game.table.state.privates["EPP"].owner is None


def memphis(owner: str = "", *, cash: int = 500, **turn: Any) -> Position:
    """SSW in Memphis, on the river, with track to P55; MRB is a player's, a company's, or (empty) unsold."""
    position = Position(title=FULL).start("SSW", 82, a=60).treasury("SSW", cash).operating("SSW", **turn)
    position.state.privates["MRB"].closed = False
    position.state.privates["MRB"].owner = owner or None
    return position


@pytest.mark.parametrize("owner", ["", "b"])
def test_river_is_closed_without_the_bridge(owner: str) -> None:
    """R-C2C-123: ⊘ Memphis may not build to P53 and Q52."""
    game = memphis(owner).game()
    assert game.values("lay_tile", "SSW", "rotation", hex="Q54", tile="57") == [0, 3]
    refusal = game.refused("6", "lay_tile", "SSW", hex="Q54", tile="57", rotation=1)
    assert "MRB" in refusal


def test_bridge_crosses_the_river() -> None:
    """R-C2C-123, example 7: ⊘ or once it has closed. Memphis has 60 of water, and track must lead over the
    river; O54 costs 60, with a marker 30, and with the bridge nothing."""
    assert len(memphis("PRR").game().values("lay_tile", "SSW", "rotation", hex="Q54", tile="57")) == 6
    closed = memphis()
    closed.state.privates["MRB"].closed = True
    assert len(closed.game().values("lay_tile", "SSW", "rotation", hex="Q54", tile="57")) == 6
    game = memphis("SSW", cash=0).game()
    assert lay(game, "Q54", "57", 1, by="MRB") == 0
    t = game.table
    assert t.turn.points == {}
    assert t.state.privates["MRB"].power_used
    assert not t.state.privates["MRB"].closed
    assert not game.offered("lay_tile", "MRB")
    game = memphis("SSW").game()
    assert game.values("lay_tile", "MRB", "rotation", hex="Q54", tile="57") == [1, 2, 4, 5]
    assert "across the river" in game.refused("6", "lay_tile", "MRB", hex="Q54", tile="57", rotation=0)
    position = memphis("SSW").tile("Q54", "57", 0).tile("P55", "8", 0)
    t = position.game().table
    assert (terrain_cost(t, "O54"), terrain_cost(t, "O54", "MRB")) == (60, 20)
    t.company.held["Engineer"] = 1
    assert (terrain_cost(t, "O54"), terrain_cost(t, "O54", "MRB")) == (30, 0)
    assert lay(position.game(), "O54", "9", 2, by="MRB") == 0
    assert t.turn.points == {"O54": 1}
