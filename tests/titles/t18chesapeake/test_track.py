"""18Chesapeake: laying track (rulebook 11.3)."""

import pytest

from engine.board import upgrades
from engine.core.spec import Colour
from tests.titles.builders import Position

ALL: tuple[Colour, ...] = ("yellow", "green", "brown", "gray")


def lehigh(phase: str = "2", **used_up: int) -> Position:
    """LV operates: its home leads by K1 to K3, and to I3."""
    position = Position().phase(phase).start("LV", 95, a=60, b=10).tile("J2", "57", 1)
    position.t.map.supply.update({name[1:]: left for name, left in used_up.items()})
    return position.operating("LV", "track")


def test_one_tile_is_laid_in_a_turn() -> None:
    """R-CH-085 (11.3): or none."""
    game = lehigh().game()
    game.lay("LV", "I3", "9", 1)
    assert game.step_name() == "trains"
    assert game.table.turn.laid
    game.refused("11", "lay_tile", "LV", hex="K3", tile="55", rotation=0)
    game = lehigh().game()
    game.passes("LV")
    assert not game.table.turn.laid
    assert not game.offered("lay_tile")


@pytest.mark.parametrize(
    ("phase", "colours"),
    [("2", ALL[:1]), ("3", ALL[:2]), ("4", ALL[:2]), ("5", ALL[:3]), ("6", ALL[:3]), ("D", ALL)],
)
def test_colours_come_with_phases(phase: str, colours: tuple[Colour, ...]) -> None:
    """R-CH-085, R-CH-008 (8, 11.3)"""
    game = lehigh(phase).game()
    tiles, board = game.title.spec.tiles, game.table.map
    laid = {
        tiles[tile].colour for h in game.values("lay_tile", "LV", "hex") for tile in game.tiles_in("LV", h)
    }
    assert laid <= set(colours)
    assert ("green" in laid) == (phase != "2")
    if phase == "2":
        assert "phase 2 allows only yellow" in game.refused(
            "8", "lay_tile", "LV", hex="I3", tile="23", rotation=0
        )
    for tile, rotation in (("15", 1), ("611", 0), ("915", 0)):
        assert (tile in upgrades.upgrade_candidates(board, "J2", colours)) is (tiles[tile].colour in colours)
        if tiles[tile].colour in colours:
            board.lay("J2", tile, rotation)


def test_no_colour_is_left_out() -> None:
    """R-CH-085 (11.3): neither green on an empty hex nor brown on yellow."""
    game = lehigh("5").game()
    for coord, tile in (("I3", "23"), ("J2", "611")):
        why = game.refused("11.3", "lay_tile", "LV", hex=coord, tile=tile, rotation=0)
        assert "next (11.3). Allowed" in why


def test_home_without_track_comes_first() -> None:
    """R-CH-086, R-CH-091, R-CH-094 (11.3), worked example 13."""
    game = Position().start("N&W", 70, a=60).operating("N&W").game()
    assert game.values("lay_tile", "N&W", "hex") == ["C13"]
    assert "its home hex, C13" in game.refused("11.3", "lay_tile", "N&W", hex="D12", tile="57", rotation=1)
    assert game.tiles_in("N&W", "C13") == ["57"]
    for rotation in (0, 7):
        game.refused("11.3", "lay_tile", "N&W", hex="C13", tile="57", rotation=rotation)
    game.lay("N&W", "C13", "57", 1)
    assert game.company("N&W").cash == 620


@pytest.mark.parametrize(("profile", "elsewhere"), [("rulebook", False), ("18xx.games", True)])
def test_special_rights_need_no_track_at_home(profile: str, elsewhere: bool) -> None:
    """R-CH-086, R-CH-100 (7.1, 11.3), D-CH-13: tiles of privates, but no further tile at a token elsewhere."""
    position = Position(profile=profile).phase("3").start("N&W", 70, a=60).tile("D2", "57", 0)
    game = position.token("N&W", "D2").owns("N&W", "B&S").operating("N&W").game()
    assert {o.entity for o in game.offers() if o.kind == "lay_tile"} == {"N&W", "B&S"}
    assert "C13" in game.values("lay_tile", "N&W", "hex")
    assert ("D4" in game.values("lay_tile", "N&W", "hex")) is elsewhere


def test_first_tile_prolongs_a_route() -> None:
    """R-CH-087, R-CH-089 (11.3)"""
    game = lehigh().game()
    assert game.values("lay_tile", "LV", "hex") == ["I3", "K3"]
    assert "reaches G7" in game.refused("11.3", "lay_tile", "LV", hex="G7", tile="9", rotation=0)
    game.refused("11.3", "lay_tile", "LV", hex="I3", tile="9", rotation=0)
    game.refused("", "lay_tile", "LV", hex="Z9", tile="9", rotation=0)
    game.refused("", "lay_tile", "LV", hex="I3", tile="999", rotation=0)
    for bad in (-1, 6, 10**20):
        assert "0 to 5" in game.refused("11.3", "lay_tile", "LV", hex="I3", tile="9", rotation=bad)


def test_upgrade_keeps_and_prolongs_track() -> None:
    """R-CH-088, R-CH-090 (11.3): LV reaches I3 by its edges 1 and 4; the crossing adds nothing to that. In a
    city the new exits may lead anywhere; LV comes to Philadelphia from the north. Old track and tokens
    stay."""
    game = lehigh("3").tile("I3", "9", 1).game()
    assert "not be on a route" in game.refused("11.3", "lay_tile", "LV", hex="I3", tile="20", rotation=1)
    for tile in game.tiles_in("LV", "I3"):
        for rotation in game.rotations("LV", "I3", tile):
            turned = game.title.spec.tiles[tile].topology.turned(rotation)
            pieces = {frozenset(piece.ends()) for piece in turned.pieces}
            assert frozenset({1, 4}) in pieces
            assert any(piece & {1, 4} for piece in pieces - {frozenset({1, 4})})
    game = lehigh("3").tile("J2", "15", 4).game()
    philadelphia = set(game.tiles_in("LV", "J4"))
    assert philadelphia
    assert philadelphia <= {"X3", "X4", "X5"}
    assert "J6" not in game.values("lay_tile", "LV", "hex")
    game = lehigh("3").game()
    for rotation in game.rotations("LV", "J2", "15"):
        assert game.title.spec.tiles["15"].topology.turned(rotation).edges >= {1, 4}
    game.lay("LV", "J2", "15")
    assert game.table.map.slots("J2", 0) == ("LV", None)
    assert game.table.map.supply["57"] == 7


def test_no_track_leads_off_the_map() -> None:
    """R-CH-091 (11.3): or into the blank side of Norfolk."""
    board = lehigh().t.map
    for coord, tile in (("C13", "57"), ("G13", "57"), ("F2", "57"), ("D2", "57"), ("J2", "15")):
        for rotation in upgrades.rotations(board, coord, tile):
            edges = board.spec.tiles[tile].topology.turned(rotation).edges
            assert all(board.may_track_cross(coord, edge) for edge in edges)
    assert (board.may_track_cross("C13", 0), board.may_track_cross("H12", 0)) == (False, False)


@pytest.mark.parametrize(
    ("coord", "yellow"),
    [
        *[("D12", {"57"}), ("F8", {"X1"}), ("G3", {"3", "4", "58"}), ("G7", {"7", "8", "9"})],
        *[("B4", {"1", "2", "55", "56", "69"}), ("H6", set()), ("J4", set()), ("A7", set()), ("K1", set())],
    ],
)
def test_hex_decides_kind_of_tile(coord: str, yellow: set[str]) -> None:
    """R-CH-092 (11.3)"""
    board = lehigh().t.map
    found = [
        one
        for one in upgrades.upgrade_candidates(board, coord, ALL)
        if board.spec.tiles[one].colour == "yellow"
    ]
    assert set(found) == yellow


def test_lettered_cities_have_their_own_tiles() -> None:
    """R-CH-092, R-CH-093 (11.3, 18): towns stay yellow."""
    board = lehigh().t.map
    assert set(upgrades.upgrade_candidates(board, "H6", ALL)) <= {"X3", "X4", "X5"}
    board.lay("H6", "X3", upgrades.rotations(board, "H6", "X3")[0])
    for coord, tiles, last in (("H6", ("X7",), ("X9",)), ("F8", ("X1", "X2", "X6", "X8"), ())):
        for tile in tiles:
            assert upgrades.upgrade_candidates(board, coord, ALL) == (tile,)
            board.lay(coord, tile, upgrades.rotations(board, coord, tile)[0])
        assert upgrades.upgrade_candidates(board, coord, ALL) == last
    for coord, tile in (("G3", "58"), ("B4", "1")):
        board.lay(coord, tile, 0)
        assert upgrades.upgrade_candidates(board, coord, ALL) == ()


@pytest.mark.parametrize(
    ("name", "coord", "laid", "tile", "left"),
    [
        ("SRR", "H4", None, "57", 760),
        ("SRR", "H4", ("57", 2), "15", 800),
        ("B&O", "H6", None, "X3", 760),
        ("B&O", "H6", ("X3", None), "X7", 800),
    ],
)
def test_terrain_is_paid_once(
    name: str, coord: str, laid: tuple[str, int | None] | None, tile: str, left: int
) -> None:
    """R-CH-094 (11.3), worked example 13: with the yellow tile, in Baltimore with the green one."""
    position = Position().phase("5").start(name, 80, a=60)
    if laid:
        board = position.t.map
        position.tile(coord, laid[0], laid[1] or upgrades.rotations(board, coord, laid[0])[0])
    game = position.operating(name).game()
    game.lay(name, coord, tile)
    assert game.company(name).cash == left
    assert game.table.map.cost("J4") == 0


def test_terrain_needs_money() -> None:
    """R-CH-094 (11.3)"""
    game = Position().start("N&W", 70, a=60).treasury("N&W", 79).owns("a", "D&R").operating("N&W").game()
    assert not game.offered("lay_tile", "N&W")
    position = Position().phase("3").start("C&A", 70, a=60).tile("J6", "57", 0).tile("J4", "X4", 0)
    game = position.treasury("C&A", 39).operating("C&A").game()
    assert "I5" not in game.values("lay_tile", "C&A", "hex")
    why = game.refused("11.3", "lay_tile", "C&A", hex="I5", tile="3", rotation=1)
    assert "I5 costs $40, C&A has $39" in why


@pytest.mark.parametrize(("owner", "blocked"), [("b", True), ("LV", False), ("PRR", False)])
def test_private_of_a_player_blocks_its_hexes(owner: str, blocked: bool) -> None:
    """R-CH-095 (7.1, 11.3)"""
    game = lehigh("3").owns(owner, "D&R").game()
    assert ("K3" in game.values("lay_tile", "LV", "hex")) is not blocked
    if blocked:
        assert "owns D&R" in game.refused("7.1", "lay_tile", "LV", hex="K3", tile="1", rotation=0)


@pytest.mark.parametrize(("treasury", "asked"), [(10, True), (9, False)])
def test_blocked_hex_waits_for_its_private(treasury: int, asked: bool) -> None:
    """R-CH-095, R-CH-108 (7.1): K3 is the only hex left for LV, and buying the D&R opens it."""
    position = lehigh("3", t7=0, t8=0, t9=0, t14=0, t15=0, tX3=0, tX4=0, tX5=0)
    game = position.owns("b", "D&R").treasury("LV", treasury).trains("LV", "2").game()
    assert not game.offered("lay_tile", "LV")
    assert ("track" not in game.table.turn.done) is asked
    if asked:
        game.do("buy_private", "LV", private="D&R", price=10)
        game.do("answer", "b", reply="agree")
        assert game.values("lay_tile", "LV", "hex") == ["K3"]


def in_a_corner() -> Position:
    """J10 has two sides on the map, and every green tile, used up or not, has three or more."""
    return lehigh("3", t26=0, t27=0, t28=0, t29=0).tile("J10", "7", 2)


@pytest.mark.parametrize(
    ("position", "coord", "tile", "section", "words"),
    [
        (
            lehigh("3").tile("K3", "1", 0),
            "K3",
            "2",
            "11.3",
            "This game has no tile that may be laid in K3 next",
        ),
        (lehigh("3").tile("B4", "1", 0), "K3", "1", "11.3", "No tile 1 is left"),
        (lehigh("3"), "K1", "57", "11.3", "Nobody can lay another tile in K1"),
        (lehigh("3", t7=0, t8=0, t9=0), "I3", "7", "11.3", "No tile is left that may be laid in I3 next"),
        (lehigh("2"), "J2", "15", "8", "The next tile in J2 is green; phase 2 allows only yellow"),
        (in_a_corner(), "J10", "26", "11.3", "This game has no tile that may be laid in J10 next"),
    ],
)
def test_hex_without_a_tile_is_refused(
    position: Position, coord: str, tile: str, section: str, words: str
) -> None:
    """R-CH-011, R-CH-085, R-CH-092 (8, 11.3)"""
    assert words in position.game().refused(section, "lay_tile", "LV", hex=coord, tile=tile, rotation=0)
